"""Shared parts of commands: settings, app context, redacted logs."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

from pbem.config.load import SettingsError, load
from pbem.config.table import Config

if TYPE_CHECKING:
    from pbem.app import App
    from pbem.core.players import Player
    from pbem.store.engine import Connection


USAGE = 2

log = logging.getLogger("pbem.command")

TOKEN = re.compile(
    r"((?:play|bounce)(?:[+.=-]|%2b)|/[a-z-]{2,20}/)[a-z0-9]{16,}(?=[^a-z0-9_]|$)", re.IGNORECASE
)
"""The secret in a reply address, a link or a page's address."""


VERBOSE_LOGGERS = ("apscheduler", "alembic", "werkzeug", "sqlalchemy", "flufl", "asyncio")
"""Other packages' loggers that would write whole dialogues, rows or paths."""


class Redacted(logging.Formatter):
    """One line an event, in UTC, without the secrets of reply addresses."""

    def __init__(self) -> None:
        super().__init__("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        return TOKEN.sub(r"\1***", super().format(record))


def set_up_logs(config: Config) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted())
    logging.basicConfig(level=config.log_level.upper(), handlers=[handler], force=True)
    for chatty in VERBOSE_LOGGERS:
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("mail").setLevel(logging.ERROR)  # aiosmtpd's warnings repeat the line of the mail


def settings_or_exit(trouble: int = USAGE) -> Config:
    """Load the settings; exit with `trouble` and all errors if any is wrong."""
    try:
        return load()
    except SettingsError as error:
        fail(str(error), trouble)


@contextmanager
def office_or_exit(config: Config | None = None, *, trouble: int = 1) -> Iterator[App]:
    """Open the app context and close it at the end.

    If it cannot be opened, or the database becomes unavailable later, the command ends with a sentence and
    exit code `trouble`.
    """
    from pbem.app import open_app  # not at the top: `replay` and `try` need no database
    from pbem.store.engine import is_unavailable

    config = config or settings_or_exit()
    set_up_logs(config)
    with files_or_exit(trouble):
        app = open_app(config)
    _warn_of_templates(config)
    try:
        yield app
    except Exception as error:
        if not is_unavailable(error):
            raise
        log.debug("the database", exc_info=error)
        fail(f"The database does not answer ({type(error).__name__}); please try again later.", trouble)
    finally:
        app.close()


def _warn_of_templates(config: Config) -> None:
    """Log the faults of the operator's own templates."""
    if config.templates:
        from pbem.mail.outbound.render import faults_of_templates  # most installations have none of their own

        for fault in faults_of_templates(config.templates).values():
            log.warning("%s", fault)


@contextmanager
def files_or_exit(trouble: int = 1) -> Iterator[None]:
    """Exit with file, reason and code `trouble` if a file fails."""
    try:
        yield
    except SettingsError as error:
        fail(str(error), USAGE if trouble == 1 else trouble)
    except OSError as error:
        fail(f"Cannot open {error.filename or 'a file'}: {error.strerror or error}.", trouble)
    except Exception as error:
        log.debug("opening", exc_info=error)
        fail(f"Cannot open the office ({type(error).__name__}: {error}).", trouble)


@contextmanager
def open_or_exit(config: Config | None = None) -> Iterator[App]:
    """Open the app context for a database that needs no migration."""
    with office_or_exit(config) as app:
        migrated_or_exit(app)
        yield app


def player_or_exit(db: Connection, name: str) -> Player:
    from pbem.store import players

    return players.player_by_name(db, name) or fail(f"Nobody here is called {name}.")


def migrated_or_exit(app: App, trouble: int = 1) -> None:
    """Exit with a sentence if the database needs a migration."""
    from pbem.store.migrate import migration_problem

    if problem := migration_problem(app.store):
        fail(f"{problem[0].upper()}{problem[1:]}.", trouble)


def printable_text(text: str) -> str:
    """A stranger's text without control characters, safe for a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


def fail(sentence: str, code: int = 1) -> NoReturn:
    """Print the error on standard error and exit."""
    click.echo(printable_text(sentence), err=True)
    sys.exit(code)
