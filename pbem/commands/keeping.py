"""`pbem migrate` and `pbem check`: looking after an installation."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from pbem.commands.common import office_or_exit
from pbem.core.game import PLY, RESIGN, Game, after, begin, fold
from pbem.office import Office
from pbem.store import games, post
from pbem.store.migrating import migrate, newest_revision, revision_of
from rules.contract import RulesError

STALE = timedelta(minutes=10)


@click.command("migrate")
def migrate_command() -> None:
    """Bring the database to the shape this version needs; nothing happens where it has it.

    Example:  PBEM_DATABASE=postgresql://pbem@localhost/pbem pbem migrate
    """
    with office_or_exit() as office:
        before = revision_of(office.store)
        migrate(office.store)
        after = revision_of(office.store)
    click.echo(
        f"The database is at {after}."
        if before == after
        else f"The database went from {before or 'nothing'} to {after}."
    )


@click.command("check")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def check_command(as_json: bool) -> None:
    """Play every game through again and compare it with what is stored; look at the queues.

    Exit code 0 where all is well, 1 where something is not.

    Example:  pbem check --json
    """
    with office_or_exit() as office:
        found = _check(office, quiet=as_json)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        _tell(found)
    sys.exit(1 if found["problems"] else 0)


def _check(office: Office, *, quiet: bool) -> dict[str, Any]:
    stands, wanted = revision_of(office.store), newest_revision()
    if stands != wanted:
        problem = f"the database is at {stands or 'nothing'}, this version needs {wanted}: run pbem migrate"
        return {"games": 0, "queues": {}, "problems": [problem]}
    problems: list[str] = []
    with office.store.read() as db:
        ids = list(games.all_ids(db))
        for id in track(ids, "Games", disable=quiet or not sys.stdout.isatty()):
            game = games.load(db, office.shelf, id)
            if game is None:
                problems.append(f"game {id}: no rules called {games.rules_of(db, id)} are installed here")
            else:
                problems += check_game(game, games.stored_summary(db, id))
        queues = post.count_by_state(db)
        problems += _queue_problems(office, db)
    return {"games": len(ids), "queues": queues, "problems": problems}


def check_game(game: Game, stored: dict[str, Any]) -> list[str]:
    """What is wrong with a game: a ply that is not legal, a row that is not what the journal says."""
    if [entry.n for entry in game.journal] != list(range(1, len(game.journal) + 1)):
        return [f"game {game.id}: its journal has a gap"]
    try:
        _play_through(game)
    except RulesError as error:
        return [f"game {game.id}: {error}"]
    if not game.journal:
        return [f"game {game.id}: its journal is empty"]
    truth = games.summary(fold(game), game.open_entries)
    return [
        f"game {game.id}: {name} is stored as {stored[name]}, the journal says {value}"
        for name, value in truth.items()
        if stored[name] != value
    ]


def _play_through(game: Game) -> None:
    """The fold once more, but with every entry judged; RulesError with what is wrong with one."""
    state = begin(game)
    for entry in game.journal:
        if entry.kind in (PLY, RESIGN) and state.ending is not None:
            raise RulesError(f"entry {entry.n} is a {entry.kind} after the end")
        if entry.kind == PLY:
            if entry.seat != state.to_play:
                raise RulesError(f"entry {entry.n} is a ply of the seat whose turn it is not")
            state.position.play(state.position.read(entry.data["move"]))
        state = after(game, state, entry)


def _queue_problems(office: Office, db: Any) -> list[str]:
    now = office.clock()
    problems = [f"{kept.key} is shunted: pbem retry {kept.key}" for kept in post.in_state(db, "shunted")]
    mail, letter = post.oldest_waiting(db)
    if mail is not None and now - mail > STALE:
        problems.append(f"a mail waits since {mail:%Y-%m-%d %H:%M} UTC: is pbem work running?")
    if letter is not None and now - letter > STALE:
        problems.append(f"a letter waits since {letter:%Y-%m-%d %H:%M} UTC: does the relay answer?")
    return problems


def _tell(found: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(f"{found['games']} games played through again.")
    for name, states in found["queues"].items():
        counts = ", ".join(f"{count} {state}" for state, count in states.items()) or "none"
        console.print(f"{name.capitalize()}: {counts}.")
    for problem in found["problems"]:
        console.print(f"[red]{problem}[/red]")
    if not found["problems"]:
        console.print("[green]All is well.[/green]")
