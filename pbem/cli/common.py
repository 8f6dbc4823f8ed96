"""Shared parts of commands: errors as sentences, app context."""

from __future__ import annotations

import getpass
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.config.load import SettingsError, load
from pbem.config.logs import set_up_logs
from pbem.config.table import Config
from pbem.core.errors import Refusal

if TYPE_CHECKING:
    from pbem.app import App
    from pbem.core.players import Player
    from pbem.store.engine import Connection


USAGE = 2
NO_ROOM = frozenset({ENOSPC, EDQUOT, EFBIG, EIO})
"""Errors of a disk that name no file."""
MAX_BY = 60
"""Characters of the name of whoever decides."""
NUMBER = click.IntRange(1, 10**12)
json_option = click.option("--json", "as_json", is_flag=True, help="For programs.")

log = logging.getLogger("pbem.command")


def fail(sentence: str, code: int = 1) -> NoReturn:
    click.echo(printable_text(sentence), err=True)
    sys.exit(code)


def explain(error: Exception) -> tuple[str, int] | None:
    """Return the sentence and exit code for an operator's error."""
    from pbem.store import engine  # not at the top: `replay` and `try` need no database

    log.debug("the command failed", exc_info=error)
    if isinstance(error, Refusal):
        return str(error), 1
    if isinstance(error, SettingsError):
        return str(error), USAGE
    if isinstance(error, OSError) and error.filename:
        return f"Cannot open {error.filename}: {error.strerror}.", 1
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return f"Cannot write: {error.strerror}.", 1
    if engine.is_unavailable(error):
        return f"The database does not answer ({_reason(error)}); please try again later.", 1
    if engine.is_misconfigured(error):
        return f"The URL of the database cannot be used: {_reason(error)}.", USAGE
    if engine.is_damaged(error):
        file = engine.sqlite_file(load().database)
        return (
            f"{file} is damaged, or no database of SQLite. Stop the server, move the file away with those "
            "beside it that end in -wal and -shm, and bring a backup back: pbem restore FILE."
        ), 1
    return None


def _reason(error: Exception) -> str:
    """Return what the database said, in one line. Drivers of databases name no password."""
    said = str(getattr(error, "orig", None) or (error if isinstance(error, ValueError) else "")).strip()
    return " ".join(said.split()) or type(error).__name__


class ShellCommand(click.Command):
    """A command that ends with a sentence for the operator. A setting, file or database is at fault."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if explained := explain(error):
                fail(*explained)
            raise


command = partial(click.command, cls=ShellCommand)


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
    """Fail where a server's files are missing, as in a wrong folder."""
    from pbem.app import check_secret
    from pbem.keys.address_keys import secret_file
    from pbem.store.engine import open_store, sqlite_file

    for what, path in (("database", sqlite_file(config.database)), ("secret", secret_file(config))):
        if path and not path.exists():
            if what == "secret":
                with closing(open_store(config.database)) as store:
                    check_secret(config, store)
            fail(
                f"There is no {what} at {path.absolute()}. Name the settings of your server "
                "(pbem --env-file FILE, or PBEM_ENV_FILE), or make a new one with pbem migrate."
            )


def exit_unless_migrated(app: App) -> None:
    from pbem.store.revisions import migration_problem

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


def by_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--by` to a director's command, so that readers of the log see who decided."""
    help = "Who decides; without it, the name of the system's user. It is kept with the act."
    return click.option("--by", default=_system_user, metavar="NAME", callback=_one_line, help=help)(function)


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number without a name
        return f"user {os.getuid()}"


def _one_line(_ctx: click.Context, _option: click.Parameter, text: str) -> str:
    name = " ".join(printable_text(text).split())
    if not 0 < len(name) <= MAX_BY:
        raise click.BadParameter(f"a name has 1 to {MAX_BY} characters")
    return name


def count_of(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
