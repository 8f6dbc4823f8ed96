"""A server that kills itself right after a step: `python -m tests.e2e.dying_server STEP HOURS NAME=VALUE…`.

Prints the port it listens on. HOURS puts its clock ahead, so that what a dead process had claimed is
free again. With the step `none` it lives until it is ended.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from datetime import timedelta
from functools import partial

from pbem.clock import Worker
from pbem.commands.stopping import told_to_stop
from pbem.config import settings_from
from pbem.mail.receiving import Listener
from pbem.office import open_office, utc_now
from pbem.postoffice import known, receive, receive_all


def main() -> None:
    step, hours, *pairs = sys.argv[1:]

    def die(after: str) -> None:
        if after == step:
            os.kill(os.getpid(), signal.SIGKILL)

    ahead = timedelta(hours=float(hours))
    settings = settings_from(dict(pair.partition("=")[::2] for pair in pairs))
    office = replace(open_office(settings, clock=lambda: utc_now() + ahead), step=die)
    worker = Worker(office)
    office = replace(office, wake=worker.wake)
    listener = Listener(
        partial(known, office),
        partial(receive, office),
        keep_all=partial(receive_all, office),
        host="127.0.0.1",
        port=0,
        name=settings.host,
        size_limit=settings.max_mail,
    )
    with told_to_stop() as stopped:
        listener.start()
        worker.start()
        print(listener.port, flush=True)
        stopped.wait()
        listener.stop()
        worker.stop()
        office.close()


if __name__ == "__main__":
    main()
