"""An operator's moderation: `pbem hide`, `bar`, `rename`, and its log."""

from typing import Any

import click

from pbem.cli.common import (
    NUMBER,
    USAGE,
    by_option,
    command,
    fail,
    json_option,
    open_or_exit,
    print_json,
    printable_text,
)
from pbem.commands import moderation
from pbem.commands.moderation import Operator
from pbem.core.game.fingerprint import iso
from pbem.outbox.send import send_due
from pbem.store import moderation as moderation_rows
from pbem.store.players import players_by_ids

reason_option = click.option("--reason", required=True, help="Why, in a line that the player reads.")


@command("hide")
@click.argument("game", type=NUMBER)
@click.argument("entry", type=NUMBER)
@reason_option
@by_option
@click.option("--undo", is_flag=True, help="Show the words again.")
def hide_command(game: int, entry: int, reason: str, by: str, undo: bool) -> None:
    """Hide what was said in ENTRY of GAME, wherever it is read.

    That is on pages, in feeds, the API, records and letters.

    The number of the entry stands in the report that came by mail, and in `pbem show GAME`. Moves are
    not hidden. Exit code 1 where it is refused: there is no such game, or nothing was said there.

    Example:  pbem hide 42 17 --reason "An insult."
    """
    act_and_send(Operator(by, reason), moderation.hide_words, game, entry, undo=undo)


@command("bar")
@click.argument("player")
@reason_option
@by_option
@click.option("--undo", is_flag=True, help="Let the player talk and begin games again.")
def bar_command(player: str, reason: str, by: str, undo: bool) -> None:
    """Let PLAYER say nothing to others and begin no game. Games that run can be finished.

    Seeks and challenges of the player are withdrawn. Exit code 1 where it is refused: nobody is called
    PLAYER, or is barred already.

    Example:  pbem bar Bill --reason "Insults after two warnings."
    """
    act_and_send(Operator(by, reason), moderation.bar_player, player, undo=undo)


@command("rename")
@click.argument("player")
@click.argument("name", required=False)
@reason_option
@by_option
@click.option("--undo", is_flag=True, help="Give the name back that PLAYER had before.")
def rename_command(player: str, name: str | None, reason: str, by: str, undo: bool) -> None:
    """Call PLAYER by another NAME, in games that are over too.

    Exit code 1 where it is refused: nobody is called PLAYER, NAME is taken or cannot be a name.

    Example:  pbem rename Rude Quiet --reason "The name was an insult."
    """
    if undo == (name is not None):
        fail("Write pbem rename PLAYER NAME, or pbem rename PLAYER --undo.", USAGE)
    act_and_send(Operator(by, reason), moderation.rename_player, player, name)


@command("moderation")
@click.option("--most", default=50, type=click.IntRange(1, 100_000), help="How many, the newest first.")
@json_option
def moderation_command(most: int, as_json: bool) -> None:
    """List what was hidden, barred, renamed and reported: when, by whom, why.

    Example:  pbem moderation --most 10
    """
    with open_or_exit() as app, app.store.read() as db:
        found = moderation_rows.latest_acts(db, most)
        known = players_by_ids(db, {act.player_id for act in found if act.player_id is not None})
    if as_json:
        print_json([{**vars(act), "at": iso(act.at), "data": dict(act.data)} for act in found])
        return
    for act in found:
        called = known[act.player_id].name if act.player_id in known else act.player_id
        about = (("player", called), ("game", act.game_id), ("entry", act.entry))
        place = " ".join(f"{name} {what}" for name, what in about if what is not None)
        renamed = " ".join(str(act.data[name]) for name in ("old", "new") if name in act.data)
        reason = " ".join(printable_text(act.reason).split())
        click.echo("\t".join(filter(None, (iso(act.at), act.kind, act.by, place, renamed, reason))))


def act_and_send(*act: Any, **named: Any) -> None:
    """Do what `moderation.carry_out` does with the same arguments, and say so."""
    with open_or_exit() as app:
        click.echo(moderation.carry_out(app, *act, **named))
        send_due(app)
