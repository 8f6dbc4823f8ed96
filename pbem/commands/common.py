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

from pbem.config import Settings, SettingsError, load

if TYPE_CHECKING:
    from pbem.office import Office

USAGE = 2
TOKEN = re.compile(r"\b((?:play|bounce)[+.-])[a-z0-9]{16,}(?=@)", re.IGNORECASE)


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
    for chatty in ("mail.log", "apscheduler", "alembic", "werkzeug"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def settings_or_exit() -> Settings:
    """The settings; where any is wrong, all of them are named and the command ends with exit 2."""
    try:
        return load()
    except SettingsError as error:
        click.echo(str(error), err=True)
        sys.exit(USAGE)


@contextmanager
def office_or_exit(settings: Settings | None = None) -> Iterator[Office]:
    """The office, closed at the end."""
    from pbem.office import open_office  # not at the top: `replay` and `try` need no database

    settings = settings or settings_or_exit()
    set_up_logs(settings)
    try:
        office = open_office(settings)
    except SettingsError as error:
        click.echo(str(error), err=True)
        sys.exit(USAGE)
    try:
        yield office
    finally:
        office.close()


def fail(sentence: str, code: int = 1) -> NoReturn:
    """Say what is wrong on standard error and end."""
    click.echo(sentence, err=True)
    sys.exit(code)
