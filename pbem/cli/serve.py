"""`pbem serve`, `web`, `mail` and `work`: the server processes."""

import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from ssl import SSLContext
from typing import IO

import click

from pbem.actions import outages
from pbem.app import App
from pbem.cli.common import fail, files_or_exit, office_or_exit, open_or_exit, settings_or_exit
from pbem.cli.migrate import migrate_or_exit
from pbem.cli.signals import StopSignal, stop_on_signals
from pbem.config.parsers import Listen
from pbem.config.table import Config
from pbem.inbox.receive import check_recipient, receive_all
from pbem.mail.transport.smtp_server import Listener, tls_context
from pbem.worker.worker import Worker


@click.command("serve")
def serve_command() -> None:
    """Run everything in one place: mail listener, web pages, worker. Control-C ends it.

    Makes and migrates the database. On a machine of your own, with no relay set, letters go to the
    mailroom, which the first lines printed lead to.

    Example:  pbem serve
    """
    config = settings_or_exit()
    with ExitStack() as stack:
        stopped = stack.enter_context(stop_on_signals())
        stack.enter_context(_single_instance(config))
        _check_ports_free(
            PBEM_SMTP_LISTEN=config.smtp_listen,
            PBEM_LMTP_LISTEN=config.lmtp_listen,
            PBEM_WEB_LISTEN=config.web_listen,
        )
        app = stack.enter_context(office_or_exit(config))
        migrate_or_exit(app)
        web = subprocess.Popen([sys.executable, "-m", "pbem", "web"])
        stack.callback(_stop, web)
        stopped.on_kill(web.terminate)
        app = _with_worker(stack, app)
        stack.enter_context(_run_listeners(app))
        stack.callback(web.terminate)  # it ends while the others do
        _wait_for_pages(config, web, stopped)
        _greet(config)
        while not stopped.wait(0.5) and web.poll() is None:
            pass
        if not stopped.is_set() and web.poll() is not None:
            fail("The web pages have stopped; so does everything else.")
    click.echo(f"pbem has ended; games and letters are kept in {_path_text(config.var)}.")


@click.command("web")
def web_command() -> None:
    """Run the web pages under gunicorn.

    Example:  PORT=8080 pbem web
    """
    config = settings_or_exit()
    _check_ports_free(PBEM_WEB_LISTEN=config.web_listen)
    with open_or_exit(config):
        pass
    from pbem.cli.web_server import Pages

    Pages(config).run()


@click.command("mail")
def mail_command() -> None:
    """Run the mail listeners, SMTP and LMTP: take mail, keep it, leave the rest to `pbem work`.

    Example:  PBEM_SMTP_LISTEN=0.0.0.0:25 pbem mail
    """
    with stop_on_signals() as stopped, open_or_exit() as app:
        if not any(_listen_places(app.config)):
            fail("Both PBEM_SMTP_LISTEN and PBEM_LMTP_LISTEN are off: there is nothing to listen on.")
        with _run_listeners(app):
            places = " and ".join(f"{way} on {listen}" for way, listen in _listen_places(app.config))
            click.echo(f"Taking mail for {app.config.host} by {places}.")
            stopped.wait()


@click.command("work")
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
    """The app context with a running worker and mailbox fetcher. Both stop when the stack is left."""
    outages.drop_unused_heartbeats(app)
    worker = Worker(app)
    worker.start()
    stack.callback(worker.stop)
    app = replace(app, wake=worker.wake)
    if app.config.imap is not None or app.config.maildir is not None:
        from pbem.inbox.fetch import FetchThread  # not at the top: few need it

        rounds = FetchThread(app)
        rounds.start()
        stack.callback(rounds.stop)
    stack.callback(worker.signal_stop)  # while a mailbox keeps us waiting, start nothing more
    return app


def _listen_places(config: Config) -> list[tuple[str, Listen]]:
    """The configured listeners: protocol and place."""
    ways = (("SMTP", config.smtp_listen), ("LMTP", config.lmtp_listen))
    return [(way, listen) for way, listen in ways if not listen.off]


@contextmanager
def _run_listeners(app: App) -> Iterator[None]:
    with ExitStack() as stack:
        tls = _certificate(app.config)
        for way, listen in _listen_places(app.config):
            listener = _listener(app, way, listen, tls)
            try:
                listener.start()
            except OSError as error:
                fail(f"Cannot listen on {listen}: {error.strerror or error}.")
            stack.callback(listener.stop)
        yield


def _listener(app: App, way: str, listen: Listen, tls: SSLContext | None) -> Listener:
    config = app.config
    return Listener(
        partial(check_recipient, app),
        partial(receive_all, app),
        host=listen.host,
        port=listen.port,
        path=listen.path,
        name=config.host,
        size_limit=config.max_mail,
        lmtp=way == "LMTP",
        tls=tls,
    )


def _certificate(config: Config) -> SSLContext | None:
    if config.tls_cert is None or config.tls_key is None:
        return None
    try:
        return tls_context(config.tls_cert, config.tls_key)
    except OSError as error:
        fail(f"PBEM_TLS_CERT and PBEM_TLS_KEY cannot be used: {error.strerror or error}.")


@contextmanager
def _single_instance(config: Config) -> Iterator[None]:
    """Hold the lock of this installation. A second `pbem serve` on the same files fails with a sentence."""
    with ExitStack() as stack:
        with files_or_exit():
            config.var.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(open(config.var / "serve.lock", "a+"))
        if not _lock(lock):
            lock.seek(0)
            fail(
                f"pbem serve runs already in {_path_text(config.var)}, as process {lock.read().strip()}; "
                "stop that one, or set PBEM_VAR to another folder."
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _path_text(path: Path) -> str:
    return str(path.resolve())


def _check_ports_free(**listens: Listen) -> None:
    """Exit with a list of all listening places already in use."""
    taken = [
        f"Cannot listen on {listen}: {error}. Set {setting} to another port."
        for setting, listen in listens.items()
        if (error := _bind_error(listen))
    ]
    if taken:
        fail("\n".join(taken))


def _bind_error(listen: Listen) -> str | None:
    """The system's error for listening there, or None."""
    if listen.port == 0:  # a unix socket, off, or any free port
        return None
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen.host, listen.port))
        except OSError as error:
            return error.strerror or str(error)
    return None


def _stop(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
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
    click.echo(f"pbem is running for play@{config.host}.")
    click.echo(f"  Web pages   {site}/")
    for way, listen in _listen_places(config):
        click.echo(f"  Mail ({way}) {listen}")
    if config.development:
        click.echo(f"  Mailroom    {site}/mailroom")
        click.echo("")
        click.echo("No mail leaves this machine: open the mailroom and play both sides there.")
        click.echo(f"A first mail to play@{config.host}:  register Bill")
    if config.hurry > 1:
        click.echo(
            f"The clock runs {config.hurry} times as fast: an hour passes in {3600 / config.hurry:.0f} s."
        )
    click.echo("Control-C ends it.")
