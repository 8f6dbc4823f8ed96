"""What commands share: reading settings, opening the office, logs that give no secret away."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

from pbem.config import SettingsError, load
from pbem.settings import Settings

if TYPE_CHECKING:
    from pbem.office import Office

USAGE = 2

log = logging.getLogger("pbem.command")

TOKEN = re.compile(
    r"((?:play|bounce)(?:[+.=-]|%2b)|/[a-z-]{2,20}/)[a-z0-9]{16,}(?=[^a-z0-9_]|$)", re.IGNORECASE
)
"""The secret in a reply address, as it is and in a link, and in the address of a page."""


CHATTY = ("apscheduler", "alembic", "werkzeug", "sqlalchemy", "flufl", "asyncio")
"""Loggers of others that would write down whole dialogues, rows or paths."""


class Redacted(logging.Formatter):
    """One line an event, UTC, with the secret of every reply address left out."""

    def __init__(self) -> None:
        super().__init__("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        return TOKEN.sub(r"\1***", super().format(record))


def set_up_logs(settings: Settings) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted())
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for chatty in CHATTY:
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("mail").setLevel(logging.ERROR)  # aiosmtpd warns of a line by repeating it


def settings_or_exit(trouble: int = USAGE) -> Settings:
    """The settings; where any is wrong, all of them are named and the command ends with exit `trouble`."""
    try:
        return load()
    except SettingsError as error:
        fail(str(error), trouble)


@contextmanager
def office_or_exit(settings: Settings | None = None, *, trouble: int = 1) -> Iterator[Office]:
    """The office, closed at the end; where it cannot be opened, a sentence and exit code `trouble`.

    So too where the database is gone, or cannot be had, while the office is open.
    """
    from pbem.office import open_office  # not at the top: `replay` and `try` need no database
    from pbem.store.engine import is_gone

    settings = settings or settings_or_exit()
    set_up_logs(settings)
    with files_or_exit(trouble):
        office = open_office(settings)
    try:
        yield office
    except Exception as error:
        if not is_gone(error):
            raise
        log.debug("the database", exc_info=error)
        fail(f"The database does not answer ({type(error).__name__}); please try again later.", trouble)
    finally:
        office.close()


@contextmanager
def files_or_exit(trouble: int = 1) -> Iterator[None]:
    """Where our own files cannot be read or made in the block: which, why, and exit code `trouble`."""
    try:
        yield
    except SettingsError as error:
        fail(str(error), USAGE if trouble == 1 else trouble)
    except OSError as error:
        fail(f"Cannot open {error.filename or 'a file'}: {error.strerror or error}.", trouble)
    except Exception as error:
        log.debug("opening", exc_info=error)
        fail(f"Cannot open the office ({type(error).__name__}: {error}).", trouble)


def migrated_or_exit(office: Office, trouble: int = 1) -> None:
    """Say so, and end, where the database has not the shape that this version needs."""
    from pbem.store.migrating import newest_revision, revision_of

    stands, wanted = revision_of(office.store), newest_revision()
    if stands != wanted:
        fail(
            f"The database is at {stands or 'nothing'}, this version needs {wanted}: run pbem migrate.",
            trouble,
        )


def plainly(text: str) -> str:
    """What a stranger wrote, for a terminal: with nothing in it that a terminal obeys."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


def fail(sentence: str, code: int = 1) -> NoReturn:
    """Say what is wrong on standard error and end."""
    click.echo(plainly(sentence), err=True)
    sys.exit(code)
