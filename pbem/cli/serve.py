"""`pbem serve`, `web`, `mail` and `work`: the server processes, and how they end."""

import fcntl
import logging
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from threading import Thread

import click

from pbem.actions import outages
from pbem.app import App
from pbem.cli import migrate
from pbem.cli.common import command, fail, open_or_exit
from pbem.config.load import load
from pbem.config.parsers import Listen
from pbem.config.table import Config
from pbem.inbox.receive import check_recipient, receive_all
from pbem.mail.transport.smtp_server import Listener, tls_context
from pbem.worker.worker import Worker

SIGNALS = (signal.SIGTERM, signal.SIGINT)
MAX_SECONDS = 60
"""Maximum seconds to end: longer than a relay needs for a letter, shorter than systemd waits."""

log = logging.getLogger("pbem.stopping")


class StopSignal:
    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard
        self.before_kill: Callable[[], object] = lambda: None

    def wait(self, seconds: float | None = None) -> bool:
        ready, _, _ = select.select([self._heard], [], [], seconds)
        return bool(ready)

    def is_set(self) -> bool:
        return self.wait(0)

    def kill_after(self, seconds: float, left: socket.socket) -> None:
        """Kill the process this long after the signal. Closing `left` first prevents that."""
        ready, _, _ = select.select([self._heard, left], [], [])
        if left in ready or select.select([left], [], [], seconds)[0]:
            return
        log.error("not at an end %g s after it was told to stop: what was in hand waits in its rows", seconds)
        try:
            self.before_kill()
        finally:
            os._exit(1)


@contextmanager
def stop_on_signals(most: float = MAX_SECONDS) -> Iterator[StopSignal]:
    """Turn SIGTERM and SIGINT into a flag; kill a process still in the block `most` seconds later.

    Python runs its handlers between two steps of the main thread, so a signal right before that thread blocks
    waits with it for good. The system's own handler writes to the "wakeup" socket, which ends the wait.
    """
    heard, told = socket.socketpair()
    left, leave = socket.socketpair()
    with heard, told, left:
        told.setblocking(False)
        stopped = StopSignal(heard)
        watch = Thread(target=stopped.kill_after, args=(most, left), name="stop", daemon=True)
        watch.start()
        before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
        try:
            yield stopped
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
            leave.close()
            watch.join()


@command("serve")
def serve_command() -> None:
    """Run everything in one place: mail listener, web pages, worker. Control-C ends it.

    Makes and migrates the database. On a machine of your own, with no relay set, letters go to the
    mailroom, which the first lines printed lead to.

    Example:  pbem serve
    """
    config = load()
    with ExitStack() as stack:
        stopped = stack.enter_context(stop_on_signals())
        stack.enter_context(_single_instance(config))
        _check_ports_free(config, "smtp_listen", "lmtp_listen", "web_listen")
        app = stack.enter_context(open_or_exit(config, migrated=False, makes=True))
        migrate.migrate_store(app)
        web = subprocess.Popen([sys.executable, "-m", "pbem", "web"])
        stack.callback(_stop, web)
        bots = _start_bots(stack, config)
        stopped.before_kill = web.terminate
        app = _with_worker(stack, app)
        _run_listeners(stack, app)
        stack.callback(web.terminate)  # it ends while the others do
        _wait_for_pages(config, web, stopped)
        _greet(config)
        while not stopped.wait(0.5):
            if bots and bots[0].poll() is not None and not stopped.is_set():
                bots = _start_bots(stack, config)
            if web.poll() is not None and not stopped.is_set():
                fail("The web pages have stopped; so does everything else.")
    click.echo(f"pbem has ended; games and letters are kept in {config.var.resolve()}.")


def _start_bots(stack: ExitStack, config: Config) -> list[subprocess.Popen[bytes]]:
    """Start the process of the bots, if there are any."""
    if not config.bots:
        return []
    process = subprocess.Popen([sys.executable, "-m", "pbem", "bots"], stdout=subprocess.DEVNULL)
    stack.callback(_stop, process)
    return [process]


@command("web")
def web_command() -> None:
    """Run the web pages under gunicorn.

    Example:  PORT=8080 pbem web
    """
    config = load()
    _check_ports_free(config, "web_listen")
    with open_or_exit(config):
        pass
    from pbem.cli.web_server import Pages

    Pages(config).run()


@command("mail")
def mail_command() -> None:
    """Run the mail listeners, SMTP and LMTP: take mail, keep it, leave the rest to `pbem work`.

    Example:  PBEM_SMTP_LISTEN=0.0.0.0:25 pbem mail
    """
    with stop_on_signals() as stopped, open_or_exit() as app, ExitStack() as stack:
        places = " and ".join(f"{way} on {listen}" for way, listen in _listen_places(app.config))
        if not places:
            fail("Both PBEM_SMTP_LISTEN and PBEM_LMTP_LISTEN are off: there is nothing to listen on.")
        _run_listeners(stack, app)
        click.echo(f"Taking mail for {app.config.host} by {places}.")
        stopped.wait()


@command("work")
def work_command() -> None:
    """Run the worker: handles mail that was kept, sends letters that are due.

    Any number may run at once on one database.

    Example:  pbem work
    """
    with ExitStack() as stack:
        stopped = stack.enter_context(stop_on_signals())
        app = stack.enter_context(open_or_exit())
        _with_worker(stack, app)
        click.echo("Working. Control-C ends it.")
        stopped.wait()


def _with_worker(stack: ExitStack, app: App) -> App:
    """The app context with a running worker, which ends with the stack."""
    outages.drop_unused_heartbeats(app)
    worker = Worker(app)
    worker.start()
    stack.callback(worker.stop)
    return replace(app, wake=worker.wake)


def _listen_places(config: Config) -> list[tuple[str, Listen]]:
    ways = (("SMTP", config.smtp_listen), ("LMTP", config.lmtp_listen))
    return [(way, listen) for way, listen in ways if not listen.off]


def _run_listeners(stack: ExitStack, app: App) -> None:
    for way, listen in _listen_places(app.config):
        stack.callback(start_listener(app, listen, lmtp=way == "LMTP").stop)


def start_listener(app: App, listen: Listen, *, lmtp: bool = False) -> Listener:
    config = app.config
    try:
        tls = tls_context(cert, key) if (cert := config.tls_cert) and (key := config.tls_key) else None
    except OSError as error:
        fail(f"PBEM_TLS_CERT and PBEM_TLS_KEY cannot be used: {error.strerror or error}.")
    listener = Listener(
        partial(check_recipient, app),
        partial(receive_all, app),
        listen,
        lmtp=lmtp,
        server_hostname=config.host,
        data_size_limit=config.max_mail,
        tls_context=tls,
    )
    try:
        listener.start()
    except OSError as error:
        fail(f"Cannot listen on {listen}: {error.strerror or error}.")
    return listener


@contextmanager
def _single_instance(config: Config) -> Iterator[None]:
    """Hold the lock of this installation. A second `pbem serve` on the same files fails with a sentence."""
    config.var.mkdir(parents=True, exist_ok=True)
    with open(config.var / "serve.lock", "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            fail(
                f"pbem serve runs already in {config.var.resolve()}, as process {lock.read().strip()}; "
                "stop that one, or set PBEM_VAR to another folder."
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _check_ports_free(config: Config, *settings: str) -> None:
    taken = []
    for setting in settings:
        listen: Listen = getattr(config, setting)
        if listen.port:  # none: a unix socket, off, or any free port
            with socket.socket(socket.AF_INET6 if ":" in listen.host else socket.AF_INET) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((listen.host, listen.port))
                except OSError as error:
                    reason, name = error.strerror or error, f"PBEM_{setting.upper()}"
                    taken.append(f"Cannot listen on {listen}: {reason}. Set {name} to another port.")
    if taken:
        fail("\n".join(taken))


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(15)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _wait_for_pages(config: Config, web: subprocess.Popen[bytes], stopped: StopSignal) -> None:
    """Wait until the pages answer, so that the next output is true."""
    listen = config.web_listen
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen.host, listen.host)
    while listen.port and web.poll() is None and not stopped.wait(0.05):
        try:
            socket.create_connection((host, listen.port), timeout=1).close()
        except OSError:
            continue
        return


def _greet(config: Config) -> None:
    site = config.site
    lines = [f"pbem is running for play@{config.host}.", f"  Web pages   {site}/"]
    lines += [f"  Mail ({way}) {listen}" for way, listen in _listen_places(config)]
    if config.development:
        lines += [
            f"  Mailroom    {site}/mailroom",
            "",
            "No mail leaves this machine: open the mailroom and play both sides there.",
            f"A first mail to play@{config.host}:  register Bill",
        ]
    if config.hurry > 1:
        hour = f"{3600 / config.hurry:.0f} s"
        lines.append(f"The clock runs {config.hurry} times as fast: an hour passes in {hour}.")
    click.echo("\n".join([*lines, "Control-C ends it."]))
