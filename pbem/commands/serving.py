"""`pbem serve`, `web`, `mail` and `work`: the processes that run for good."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import IO

import click

from pbem.clock import Worker
from pbem.commands.common import fail, office_or_exit, settings_or_exit
from pbem.config import Settings, secret_of
from pbem.mail.receiving import Listener
from pbem.office import Office
from pbem.postoffice import known, receive
from pbem.spelling import Listen
from pbem.store.migrating import migrate, newest_revision, revision_of


@click.command("serve")
def serve_command() -> None:
    """Run everything in one place: mail listener, web pages, worker. Control-C ends it.

    Makes and migrates the database. On a machine of your own, with no relay set, letters go to the
    mailroom, which the first lines printed lead to.

    Example:  pbem serve
    """
    settings = settings_or_exit()
    with ExitStack() as stack:
        stack.enter_context(_only_one(settings))
        _free(settings.smtp_listen, "PBEM_SMTP_LISTEN")
        _free(settings.web_listen, "PBEM_WEB_LISTEN")
        secret_of(settings)
        office = stack.enter_context(office_or_exit(settings))
        migrate(office.store)
        web = subprocess.Popen([sys.executable, "-m", "pbem", "web"])
        stack.callback(_stop, web)
        office = _with_worker(stack, office)
        stack.enter_context(_listening(office))
        _greet(settings)
        _until_stopped(lambda: web.poll() is not None)
        if web.poll() is not None:
            fail("The web pages have stopped; so does everything else.")


@click.command("web")
def web_command() -> None:
    """Run the web pages under gunicorn.

    Example:  PORT=8080 pbem web
    """
    settings = settings_or_exit()
    _free(settings.web_listen, "PBEM_WEB_LISTEN")
    secret_of(settings)
    from pbem.commands.gunicorning import Pages

    Pages(settings).run()


@click.command("mail")
def mail_command() -> None:
    """Run the mail listener: takes mail, keeps it, leaves the rest to `pbem work`.

    Example:  PBEM_SMTP_LISTEN=0.0.0.0:25 pbem mail
    """
    with office_or_exit() as office:
        _migrated(office)
        with _listening(office):
            click.echo(f"Taking mail for {office.settings.host} on {office.settings.smtp_listen}.")
            _until_stopped()


@click.command("work")
def work_command() -> None:
    """Run the worker: handles mail that was kept, sends letters that are due.

    Any number may run at once on one database.

    Example:  pbem work
    """
    with ExitStack() as stack:
        office = stack.enter_context(office_or_exit())
        _migrated(office)
        _with_worker(stack, office)
        click.echo("Working. Control-C ends it.")
        _until_stopped()


def _with_worker(stack: ExitStack, office: Office) -> Office:
    """The office with a worker that runs until the stack is left."""
    worker = Worker(office)
    worker.start()
    stack.callback(worker.stop)
    return replace(office, wake=worker.wake)


@contextmanager
def _listening(office: Office) -> Iterator[None]:
    settings = office.settings
    listener = Listener(
        partial(known, office),
        partial(receive, office),
        host=settings.smtp_listen.host,
        port=settings.smtp_listen.port,
        name=settings.host,
        size_limit=settings.max_mail,
    )
    try:
        listener.start()
    except OSError as error:
        fail(f"Cannot listen on {settings.smtp_listen}: {error.strerror or error}.")
    try:
        yield
    finally:
        listener.stop()


def _migrated(office: Office) -> None:
    stands, wanted = revision_of(office.store), newest_revision()
    if stands != wanted:
        fail(f"The database is at {stands or 'nothing'}, this version needs {wanted}: run pbem migrate.")


@contextmanager
def _only_one(settings: Settings) -> Iterator[None]:
    """Hold the lock of this installation, so a second `pbem serve` on the same files says so."""
    settings.var.mkdir(parents=True, exist_ok=True)
    path = settings.var / "serve.lock"
    with open(path, "a+") as lock:
        if not _lock(lock):
            lock.seek(0)
            fail(
                f"pbem serve runs already in {_shown(settings.var)}, as process {lock.read().strip()}; "
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


def _shown(path: Path) -> str:
    return str(path.resolve())


def _free(listen: Listen, setting: str) -> None:
    """Say so, and end, where something else listens there."""
    if listen.port == 0:
        return
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen.host, listen.port))
        except OSError as error:
            fail(f"Cannot listen on {listen}: {error.strerror}. Set {setting} to another port.")


def _until_stopped(also: Callable[[], bool] = lambda: False) -> None:
    """Wait for SIGTERM, SIGINT, or what else may end it."""
    stopped = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    while not stopped.wait(0.5) and not also():
        pass


def _stop(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(15)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _greet(settings: Settings) -> None:
    site = settings.site
    click.echo(f"pbem is running for play@{settings.host}.")
    click.echo(f"  Web pages   {site}/")
    click.echo(f"  Mail (SMTP) {settings.smtp_listen}")
    if settings.development:
        click.echo(f"  Mailroom    {site}/mailroom")
        click.echo("")
        click.echo("No mail leaves this machine: open the mailroom and play both sides there.")
        click.echo(f"A first mail to play@{settings.host}:  register Bill")
    click.echo("Control-C ends it.")
