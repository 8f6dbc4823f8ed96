"""A server that kills itself right after a step; with the step `none` it runs until it is ended.

Its clock may be ahead, so that the claims of a dead process have expired.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from multiprocessing.connection import Connection

from pbem.app import open_app, utc_now
from pbem.cli.signals import stop_on_signals
from pbem.config.load import config_from
from pbem.inbox.receive import receive_all
from pbem.mail.transport.smtp_server import Listener
from pbem.worker.worker import Worker


def main(step: str, hours: float, environ: Mapping[str, str], ready: Connection) -> None:
    """Run a server and send the port it listens on."""

    def die(after: str) -> None:
        if after == step:
            os.kill(os.getpid(), signal.SIGKILL)

    ahead = timedelta(hours=hours)
    config = config_from(environ)
    app = replace(open_app(config, clock=lambda: utc_now() + ahead), step=die)
    worker = Worker(app)
    app = replace(app, wake=worker.wake)
    listener = Listener(
        app.addressing.read,
        partial(receive_all, app),
        server_hostname=config.host,
        data_size_limit=config.max_mail,
    )
    with stop_on_signals() as stopped:
        listener.start()
        worker.start()
        ready.send(listener.port)
        stopped.wait()
        listener.stop()
        worker.stop()
        app.close()
