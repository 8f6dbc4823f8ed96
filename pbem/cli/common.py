"""Shared parts of commands: errors as sentences, app context, redacted logs."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.config.load import SettingsError, load
from pbem.config.table import Config
from pbem.core.errors import Refusal

if TYPE_CHECKING:
    from pbem.app import App
    from pbem.core.players import Player
    from pbem.store.engine import Connection


USAGE = 2
NUMBER = click.IntRange(1, 10**12)
json_option = click.option("--json", "as_json", is_flag=True, help="For programs.")

log = logging.getLogger("pbem.command")

TOKEN = re.compile(
    r"((?:play|bounce)(?:[+.=-]|%2b)|/[a-z-]{2,20}/)[a-z0-9]{16,}(?=[^a-z0-9_]|$)", re.IGNORECASE
)
"""The secret in a reply address, a link or a page's address."""

VERBOSE_LOGGERS = ("apscheduler", "alembic", "werkzeug", "sqlalchemy", "flufl", "asyncio")
"""Other packages' loggers that would write whole dialogues, rows or paths."""


def fail(sentence: str, code: int = 1) -> NoReturn:
    click.echo(printable_text(sentence), err=True)
    sys.exit(code)


def explain(error: Exception) -> tuple[str, int] | None:
    """The sentence and the exit code for an error that an operator can understand and mend."""
    from pbem.store.engine import is_unavailable  # not at the top: `replay` and `try` need no database

    log.debug("the command failed", exc_info=error)
    if isinstance(error, Refusal):
        return str(error), 1
    if isinstance(error, SettingsError):
        return str(error), USAGE
    if isinstance(error, OSError) and error.filename:
        return f"Cannot open {error.filename}: {error.strerror}.", 1
    if is_unavailable(error):
        return f"The database does not answer ({type(error).__name__}); please try again later.", 1
    return None


class Command(click.Command):
    """A command that ends with a sentence where a setting, a file or the database is at fault."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if explained := explain(error):
                fail(*explained)
            raise


command = partial(click.command, cls=Command)


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


@contextmanager
def open_or_exit(
    config: Config | None = None, *, migrated: bool = True, makes: bool = False
) -> Iterator[App]:
    """Open the app context and close it at the end.

    `migrated`: fail if its database needs a migration. `makes`: make the database and the secret where
    they are missing; else fail.
    """
    from pbem.app import open_app  # not at the top: `replay` and `try` need no database

    config = config or load()
    set_up_logs(config)
    if not makes:
        exit_unless_there(config)
    try:
        app = open_app(config)
    except Exception as error:
        fail(*(explain(error) or (f"Cannot start ({type(error).__name__}: {error}).", 1)))
    with closing(app):
        if config.templates:
            from pbem.mail.outbound.render import faults_of_templates  # few have templates of their own

            for fault in faults_of_templates(config.templates).values():
                log.warning("%s", fault)
        if migrated:
            exit_unless_migrated(app)
        yield app


def exit_unless_there(config: Config) -> None:
    """Fail where the files of a server are missing, as in a wrong folder."""
    from pbem.keys.address_keys import secret_file
    from pbem.store.engine import sqlite_file

    for what, path in (("database", sqlite_file(config.database)), ("secret", secret_file(config))):
        if path and not path.exists():
            fail(
                f"There is no {what} at {path.absolute()}. Name the settings of your server "
                "(pbem --env-file FILE, or PBEM_ENV_FILE), or make a new one with pbem migrate."
            )


def exit_unless_migrated(app: App) -> None:
    from pbem.store.migrate import migration_problem

    if problem := migration_problem(app.store):
        fail(f"{problem[0].upper()}{problem[1:]}.")


def player_or_exit(db: Connection, name: str) -> Player:
    from pbem.store import players

    return players.player_by_name(db, name) or fail(f"Nobody here is called {name}.")


def printable_text(text: str) -> str:
    """A stranger's text without control characters, safe for a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


def print_json(data: object) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def count_of(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
