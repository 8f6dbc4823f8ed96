"""`pbem serve`, `web`, `mail` and `work`: the server processes."""

import logging
import socket
import ssl
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial

import click

from pbem.app import App
from pbem.cli import migrate
from pbem.cli.children import Child, start_pbem, stop_child
from pbem.cli.common import USAGE, command, fail, open_or_exit
from pbem.cli.locks import single_instance, work_lock
from pbem.cli.memory import freeze_loaded, limit_arenas
from pbem.cli.service import Service, web_socket
from pbem.cli.signals import StopSignal, stop_on_signals
from pbem.config.load import load
from pbem.config.parsers import Listen
from pbem.config.table import Config
from pbem.duties import outages
from pbem.inbox.receive import receive_all
from pbem.mail.transport.smtp_server import Listener, tls_context
from pbem.store import bots
from pbem.worker.worker import Worker

log = logging.getLogger("pbem.serving")


@command("serve")
def serve_command() -> None:
    """Run everything in one place: mail listener, web pages, worker. Control-C ends it.

    Makes and migrates the database. On a machine of your own, with no relay set, letters go to the
    mailroom, which the first lines printed lead to.

    Example:  pbem serve
    """
    limit_arenas()
    config, service, fd = load(), Service(), web_socket()
    with ExitStack() as stack:
        stopped = stack.enter_context(stop_on_signals())
        stack.enter_context(single_instance(config))
        _check_ports_free(config, "smtp_listen", "lmtp_listen", *([] if fd else ["web_listen"]))
        app = stack.enter_context(open_or_exit(config, migrated=False, makes=True))
        migrate.migrate_store(app)
        web = _start_web(fd)
        stack.callback(stop_child, web)
        players = _start_bots(stack, app)
        stopped.before_kill = web.terminate
        worker = _start_worker(stack, app)
        listeners = _run_listeners(stack, replace(app, wake=worker.wake))
        stopped.reload = partial(_reload, config, listeners, service)
        stack.callback(web.terminate)  # it ends while the others do
        _wait_for_pages(config, web, stopped)
        _greet(config)
        service.ready()
        stack.callback(service.tell, "STOPPING=1")
        while not stopped.wait(0.5):
            service.feed(worker.progress())
            if players is not None and not stopped.is_set():
                players.restart_if_ended()
            if web.poll() is not None and not stopped.is_set():
                fail("The web pages have stopped; so does everything else.")
    click.echo(f"pbem has ended; games and letters are kept in {config.var.resolve()}.")


def _start_web(fd: int | None) -> subprocess.Popen[bytes]:
    """Start the web pages' process, on the listening socket `fd` if given."""
    words = ["web"] if fd is None else ["web", "--fd", str(fd)]
    return start_pbem(words, pass_fds=[] if fd is None else [fd])


def _start_bots(stack: ExitStack, app: App) -> Child | None:
    """Start the bots, if there are any or their games run."""
    with app.store.read() as db:
        if not app.config.bots and not bots.have_games(db):
            return None
    child = Child(["bots"], stdout=subprocess.DEVNULL)
    stack.callback(child.stop)
    return child


@command("web")
@click.option("--fd", type=int, hidden=True, help="The number of a listening socket, from pbem serve.")
def web_command(fd: int | None) -> None:
    """Run the web pages under gunicorn.

    Example:  PORT=8080 pbem web
    """
    limit_arenas()
    config = load()
    fd = fd or web_socket()
    if fd is None:
        _check_ports_free(config, "web_listen")
    with open_or_exit(config):
        pass
    from pbem.cli.web_server import WebServer

    freeze_loaded()
    WebServer(config, fd).run()  # gunicorn itself tells the service manager that it is ready


@command("mail")
def mail_command() -> None:
    """Run the mail listeners, SMTP and LMTP. Both take and keep mail; `pbem work` does the rest.

    For PostgreSQL. On SQLite mail waits while another process writes: use `pbem serve` there.

    Example:  PBEM_SMTP_LISTEN=0.0.0.0:25 pbem mail
    """
    limit_arenas()
    service = Service()
    with stop_on_signals() as stopped, open_or_exit() as app, ExitStack() as stack:
        places = " and ".join(f"{way} on {listen}" for way, listen in _listen_places(app.config))
        if not places:
            fail("Both PBEM_SMTP_LISTEN and PBEM_LMTP_LISTEN are off: there is nothing to listen on.")
        _say_if_alone_is_better(app)
        stopped.reload = partial(_reload, app.config, _run_listeners(stack, app), service)
        click.echo(f"Taking mail for {app.config.host} by {places}.")
        service.ready()
        stopped.wait()
        service.tell("STOPPING=1")


@command("work")
def work_command() -> None:
    """Run the worker: handle kept mail, send letters that are due.

    For PostgreSQL, where any number may run at once. On SQLite use `pbem serve`.

    Example:  pbem work
    """
    limit_arenas()
    service = Service()
    with ExitStack() as stack:
        stopped = stack.enter_context(stop_on_signals())
        app = stack.enter_context(open_or_exit())
        _say_if_alone_is_better(app)
        if app.store.file is not None:
            stack.enter_context(work_lock(app.config))
        worker = _start_worker(stack, app)
        click.echo("Working. Control-C ends it.")
        service.ready()
        while not stopped.wait(0.5):
            service.feed(worker.progress())
        service.tell("STOPPING=1")


def _say_if_alone_is_better(app: App) -> None:
    if app.store.file is not None:
        log.warning("on SQLite run pbem serve instead: mail waits while another process writes")


def _start_worker(stack: ExitStack, app: App) -> Worker:
    """A running worker, which ends with the stack."""
    outages.drop_unused_heartbeats(app)
    worker = Worker(app)
    worker.start()
    stack.callback(worker.stop)
    freeze_loaded()
    return worker


def _listen_places(config: Config) -> list[tuple[str, Listen]]:
    ways = (("SMTP", config.smtp_listen), ("LMTP", config.lmtp_listen))
    return [(way, listen) for way, listen in ways if not listen.off]


def _run_listeners(stack: ExitStack, app: App) -> list[Listener]:
    listeners = []
    for way, listen in _listen_places(app.config):
        listeners.append(start_listener(app, listen, lmtp=way == "LMTP"))
        stack.callback(listeners[-1].stop)
    return listeners


def _reload(config: Config, listeners: Sequence[Listener], service: Service) -> None:
    """Read the mail listeners' certificate again. A wrong one changes nothing."""
    service.reloading()
    try:
        if tls := _tls(config):
            for listener in listeners:
                listener.renew_tls(tls)
            log.info("the certificate was read again")
    except OSError as error:
        log.error("the certificate cannot be used, the old one stays: %s", error.strerror or error)
    finally:
        service.ready()


def _tls(config: Config) -> ssl.SSLContext | None:
    return tls_context(cert, key) if (cert := config.tls_cert) and (key := config.tls_key) else None


def start_listener(app: App, listen: Listen, *, lmtp: bool = False) -> Listener:
    config = app.config
    try:
        tls = _tls(config)
    except OSError as error:
        fail(f"PBEM_TLS_CERT and PBEM_TLS_KEY cannot be used: {error.strerror or error}.", USAGE)
    listener = Listener(
        app.addressing.read,
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


def _wait_for_pages(config: Config, web: subprocess.Popen[bytes], stopped: StopSignal) -> None:
    """Wait until the pages answer, so that the next output is true."""
    listen = config.web_listen
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen.host, listen.host)  # noqa: S104
    while listen.port and web.poll() is None and not stopped.wait(0.05):
        with suppress(OSError), socket.create_connection((host, listen.port), timeout=1) as client:
            client.sendall(b"GET /robots.txt HTTP/1.0\r\n\r\n")
            if client.recv(1):
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
