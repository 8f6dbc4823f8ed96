"""A director's commands. Each needs a reason, is an entry of the journal, and is told to both players."""

import sys
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

import click

from pbem.app import App
from pbem.cli.common import NUMBER, USAGE, by_option, command, count_of, fail, open_or_exit, player_or_exit
from pbem.core.clock import time_control
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.game.state import RESULTS
from pbem.core.play import director
from pbem.core.players import Player
from pbem.inbox.director import decide_as_director, tell_everybody
from pbem.outbox.send import send_due
from pbem.store import games
from rules.contract import SEAT_NAMES

HELP_ORDER = {"reason": 1, "by": 2, "yes": 3}
"""The options at the end of a command's help."""


def director_command(name: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command about GAME with a `--reason`; its letters are sent after the wrapped function."""

    def wrap(work: Callable[..., None]) -> click.Command:
        @click.argument("game", type=NUMBER)
        @click.option(
            "--reason", required=True, help="Why, in a line that both players and everybody else may read."
        )
        @by_option
        @wraps(work)
        def run(reason: str, **named: Any) -> None:
            reason = director.clean_reason(reason)
            with open_or_exit() as app:
                work(app, reason=reason, **named)
                send_due(app)

        made = command(name)(run)
        made.params.sort(key=lambda parameter: HELP_ORDER.get(parameter.name or "", 0))
        return made

    return wrap


def _decide(app: App, game: int, by: str, reason: str, newcomer: Player | None = None, **args: str) -> Game:
    """Carry out an act of `pbem.core.play.director.DECISIONS`; returns the game."""
    return decide_as_director(
        app, game, lambda found, now: director.decide_act(found, args, newcomer, reason, now), by
    )


def _checked_time(text: str) -> str:
    try:
        time_control.read_time(text)
    except Refusal as error:
        raise click.BadParameter(str(error)) from None
    return text


@director_command("extend")
@click.argument("time", type=_checked_time)
@click.option(
    "--to",
    type=click.Choice([*SEAT_NAMES, "both"], case_sensitive=False),
    help="Whom it is for; without it, whoever is to play.",
)
def extend_command(app: App, game: int, time: str, to: str | None, reason: str, by: str) -> None:
    """Give TIME to whoever is to play in GAME. Write it as 2d or 48h.

    Exit code 1 where it is refused: there is no such game, it is over, or has no clock.

    Example:  pbem extend 42 2d --reason "Our server was slow."
    """
    ruled = _decide(app, game, by, reason, act="extend", time=time, to=to or "")
    seat = ruled.journal[-1].seat
    whose = "Both have" if seat is None else f"{ruled.seats[seat].name} has"
    click.echo(f"{whose} {director.hours_given({'time': time})} hours more. {_deadline(ruled)}")


@director_command("pause")
@click.option("--until", metavar="WHEN", help="A day (00:00 UTC), a moment in ISO 8601, or 3d from now.")
def pause_command(app: App, game: int, until: str | None, reason: str, by: str) -> None:
    """Stop both clocks of GAME, until a moment or until `pbem resume`.

    Moves may be made meanwhile. Exit code 1 where it is refused: there is no such game, it is over, has no
    clock, or is paused already.

    Example:  pbem pause 42 --until 2026-12-27 --reason "Their post is on strike."
    """
    _check_moment(until, app.now())
    end = _decide(app, game, by, reason, act="pause", until=until or "").journal[-1].data.get("until")
    told = f"until {datetime.fromisoformat(end):%Y-%m-%d %H:%M} UTC" if end else "until pbem resume"
    click.echo(f"Both clocks of game {game} stand {told}.")


@director_command("resume")
def resume_command(app: App, game: int, reason: str, by: str) -> None:
    """Start the clocks of GAME again, which `pbem pause` stopped.

    Exit code 1 where it is refused: there is no such game, it is over, or not paused.

    Example:  pbem resume 42 --reason "The strike is over."
    """
    ruled = _decide(app, game, by, reason, act="resume")
    click.echo(f"The clocks of game {game} run again. {_deadline(ruled)}")


@director_command("rollback")
@click.argument("ply", type=click.IntRange(0, 10**6))
@click.option("--yes", is_flag=True, help="Do not ask whether you are sure.")
def rollback_command(app: App, game: int, ply: int, reason: str, by: str, yes: bool) -> None:
    """Take GAME back to where it was after PLY. PLY 0 is its start. A game that has ended goes on.

    What was played after it stays in the journal and counts no more: no command brings it back. Clocks are
    as they were then and the turn begins anew. Moves in answer to older letters are refused. Asks first, on
    a terminal; elsewhere --yes must be given.

    Exit code 1 where it is refused: there is no such game, or no such ply.

    Example:  pbem rollback 42 6 --reason "Ply 7 was not Bill's."
    """
    with app.store.read() as db:
        shown = games.load_game(db, app.games_by_key, game) or fail(f"There is no game {game}.")
    if ply <= len(shown.state.plies) and not yes:
        if not sys.stdin.isatty():
            fail("This cannot be undone, and there is no terminal to ask at: add --yes.", USAGE)
        gone = f"{shown.title}: {_removed_words(shown, ply)} will not count any more."
        if not click.confirm(f"{gone} Take it back for good?"):
            fail("Nothing was done.")

    def decide(found: Game, now: datetime) -> Entry:
        if not yes and len(found.journal) != len(shown.journal):
            raise Refusal(f"Something happened in game {game} meanwhile; please look at it again.")
        return director.decide_act(found, {"act": "rollback", "ply": str(ply)}, None, reason, now)

    ruled = decide_as_director(app, game, decide, by)
    place = f"after ply {ply}" if ply else "before its first ply"
    click.echo(f"Game {game} is back {place}. {_deadline(ruled)}".strip())


@director_command("adjudicate")
@click.argument("result", type=click.Choice(RESULTS, case_sensitive=False))
def adjudicate_command(app: App, game: int, result: str, reason: str, by: str) -> None:
    """End GAME by decision: a win (first or second), draw, or void.

    `pbem rollback` to the last ply opens it again. Exit code 1 where it is refused: there is no such game,
    or it is over.

    Example:  pbem adjudicate 42 second --reason "Bill has stopped playing here."
    """
    ruled = _decide(app, game, by, reason, act="adjudicate", result=result)
    ending = ruled.state.ending
    assert ending is not None
    won = "" if ending.winner is None else f"{ruled.seats[ending.winner].name} has won. "
    click.echo(f"Game {game} is over ({result}). {won}{ending.reason}.")


@director_command("replace")
@click.argument("seat", type=click.Choice(SEAT_NAMES, case_sensitive=False))
@click.argument("player")
def replace_command(app: App, game: int, seat: str, player: str, reason: str, by: str) -> None:
    """Have PLAYER go on at a seat of GAME, first or second.

    Who sat there gets no more letters about the game, and their reply addresses for it are void. PLAYER gets
    the board, a reply address, and no less time than there was at the start.

    Exit code 1 where it is refused: there is no such game, it is over, nobody is called PLAYER, or PLAYER
    plays in it already.

    Example:  pbem replace 42 first Anna --reason "Bill is in hospital."
    """
    with app.store.read() as db:
        newcomer = player_or_exit(db, player)
    ruled = _decide(app, game, by, reason, newcomer, act="replace", seat=seat)
    click.echo(f"{newcomer.name} goes on for {ruled.journal[-1].data['old']} in game {game}.")


@command("message")
@by_option
@click.argument("game", type=NUMBER, required=False)
@click.argument("text", required=False)
@click.option("--all", "everybody", metavar="TEXT", help="Write to everybody who has a game running.")
def message_command(game: int | None, text: str | None, everybody: str | None, by: str) -> None:
    """Write TEXT to both players of GAME. `-` reads it from standard input. The words stay with the game.

    With --all everybody who has a game running gets one letter, about no game. Exit code 1 where it is
    refused: there is no such game, or there are no words.

    Example:  pbem message 42 "Please agree on a date."
    """
    text = text if everybody is None else everybody
    if (everybody is None) == (game is None) or text is None:
        fail("Write pbem message GAME TEXT, or pbem message --all TEXT.", USAGE)
    words = director.clean_message(sys.stdin.read() if text == "-" else text)
    with open_or_exit() as app:
        if game is None:
            click.echo(f"{count_of(tell_everybody(app, words, by), 'player')} will get it.")
        else:
            ruled = _decide(app, game, by, words, act="message")
            click.echo(f"It goes to {' and '.join(player.name for player in ruled.seats)}.")
        send_due(app)


def _check_moment(text: str | None, now: datetime) -> None:
    """Raise UsageError for what is no day, moment or time from now."""
    try:
        director.pause_until({"until": text or ""}, now)
    except Refusal:
        raise click.UsageError(
            f"--until {text}: write a day as 2026-12-20, a moment as 2026-12-20T18:00Z, a time as 3d."
        ) from None


def _removed_words(game: Game, ply: int) -> str:
    last = [each.move for each in game.state.plies[ply:]]
    listed = ", ".join(last[:5]) + (f" and {len(last) - 5} more" if len(last) > 5 else "")
    plies = [f"{len(last)} {'ply' if len(last) == 1 else 'plies'} ({listed})"] if last else []
    return " and ".join([*plies, *(["its end"] if game.state.ending else [])]) or "nothing"


def _deadline(game: Game) -> str:
    if game.deadline is None or game.state.to_play is None:
        return ""
    name = game.seats[game.state.to_play].name
    return f"{name} has until {game.deadline:%Y-%m-%d %H:%M} UTC for ply {len(game.state.plies) + 1}."
