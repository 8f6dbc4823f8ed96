"""A director's commands:

`pbem extend`, `pause`, `resume`, `rollback`, `adjudicate`, `replace`, `message`. Each needs a reason, is one
more entry of the game's journal, and is told to both players by letter. Exit codes: 0 done; 1 refused, with
the reason; 2 wrong usage. All of it may be done while the server runs.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import click

from pbem.actions.director import Decide, Decided, tell_everybody
from pbem.app import App
from pbem.cli.common import USAGE, fail, open_or_exit, player_or_exit
from pbem.core.clock.dates import read_date
from pbem.core.clock.time_control import read_time
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.game.state import RESULTS
from pbem.core.play import director
from pbem.inbox.director import decide_as_director
from pbem.outbox.send import send_due
from pbem.store import games
from rules.contract import SEAT_NAMES, Seat


class Time(click.ParamType):
    """A duration such as `2d` or `48h`."""

    name = "time"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        try:
            return read_time(value)
        except Refusal as error:
            self.fail(str(error), param, ctx)


NUMBER = click.IntRange(1, 10**12)
SEAT = click.Choice(SEAT_NAMES, case_sensitive=False)
game_argument = click.argument("game", type=NUMBER)
reason_option = click.option(
    "--reason", required=True, help="Why, in a line that both players and everybody else may read."
)
yes_option = click.option("--yes", is_flag=True, help="Do not ask whether you are sure.")


@click.command("extend")
@game_argument
@click.argument("time", type=Time())
@click.option(
    "--to",
    "to",
    type=click.Choice([*SEAT_NAMES, "both"], case_sensitive=False),
    help="Whom it is for; without it, whoever is to play.",
)
@reason_option
def extend_command(game: int, time: timedelta, to: str | None, reason: str) -> None:
    """Give TIME, days as 2d or hours as 48h, to whoever is to play in GAME.

    Exit code 1 where it is refused: there is no such game, it is over, or has no clock.

    Example:  pbem extend 42 2d --reason "Our server was slow."
    """

    def decide(found: Game, now: datetime) -> Entry:
        seat = None if to == "both" else _seat(to) if to else found.state.to_play
        return director.extend(found, time, seat, director.clean_reason(reason), now)

    with _decide_and_send(game, decide) as ruled:
        click.echo(f"{_whose(ruled)} {time // timedelta(hours=1)} hours more. {_deadline(ruled.game)}")


@click.command("pause")
@game_argument
@click.option("--until", metavar="WHEN", help="A day (00:00 UTC), a moment in ISO 8601, or 3d from now.")
@reason_option
def pause_command(game: int, until: str | None, reason: str) -> None:
    """Stop both clocks of GAME, until a moment or until `pbem resume`.

    Moves may be made meanwhile. Exit code 1 where it is refused: there is no such game, it is over, has no
    clock, or is paused already.

    Example:  pbem pause 42 --until 2026-12-27 --reason "Their post is on strike."
    """

    def decide(found: Game, now: datetime) -> Entry:
        end = None if until is None else _moment(until, now)
        return director.stop_clocks(found, end, director.clean_reason(reason), now)

    with _decide_and_send(game, decide) as ruled:
        end = ruled.entry.data.get("until")
        told = f"until {datetime.fromisoformat(end):%Y-%m-%d %H:%M} UTC" if end else "until pbem resume"
        click.echo(f"Both clocks of game {game} stand {told}.")


@click.command("resume")
@game_argument
@reason_option
def resume_command(game: int, reason: str) -> None:
    """Start the clocks of GAME again, which `pbem pause` stopped.

    Exit code 1 where it is refused: there is no such game, it is over, or not paused.

    Example:  pbem resume 42 --reason "The strike is over."
    """
    with _decide_and_send(
        game, lambda found, now: director.start_clocks(found, director.clean_reason(reason), now)
    ) as ruled:
        click.echo(f"The clocks of game {game} run again. {_deadline(ruled.game)}")


@click.command("rollback")
@game_argument
@click.argument("ply", type=click.IntRange(0, 10**6))
@reason_option
@yes_option
def rollback_command(game: int, ply: int, reason: str, yes: bool) -> None:
    """Take GAME back to where it was after PLY; 0 is its start. A game that has ended goes on.

    What was played after it stays in the journal and counts no more: no command brings it back. Clocks are
    as they were then and the turn begins anew. Moves in answer to older letters are refused. Asks first, on
    a terminal; elsewhere --yes must be given.

    Exit code 1 where it is refused: there is no such game, or no such ply.

    Example:  pbem rollback 42 6 --reason "Ply 7 was not Bill's."
    """
    with open_or_exit() as app:
        shown = _load_game(app, game)
        beyond = len(shown.state.plies) - ply
        if beyond >= 0 and not yes:
            _confirm_or_exit(
                f"{shown.title}: {_removed_words(shown, beyond)} will not count any more. "
                "Take it back for good?"
            )

        def decide(found: Game, now: datetime) -> Entry:
            if not yes and len(found.journal) != len(shown.journal):
                raise Refusal(f"Something happened in game {game} meanwhile; please look at it again.")
            return director.rollback(found, ply, director.clean_reason(reason), now)

        ruled = _decide(app, game, decide)
        click.echo(f"Game {game} is back {_place(ply)}. {_deadline(ruled.game)}".strip())
        send_due(app)


@click.command("adjudicate")
@game_argument
@click.argument("result", type=click.Choice(RESULTS, case_sensitive=False))
@reason_option
def adjudicate_command(game: int, result: str, reason: str) -> None:
    """End GAME by decision: a win for the first or second player, a draw, or void.

    `pbem rollback` to the last ply opens it again. Exit code 1 where it is refused: there is no such game,
    or it is over.

    Example:  pbem adjudicate 42 second --reason "Bill has stopped playing here."
    """
    with _decide_and_send(
        game, lambda found, now: director.adjudicate(found, result, director.clean_reason(reason), now)
    ) as ruled:
        ending = ruled.game.state.ending
        assert ending is not None
        won = "" if ending.winner is None else f"{ruled.game.seats[ending.winner].name} has won. "
        click.echo(f"Game {game} is over ({result}). {won}{ending.reason}.")


@click.command("replace")
@game_argument
@click.argument("seat", type=SEAT)
@click.argument("player")
@reason_option
def replace_command(game: int, seat: str, player: str, reason: str) -> None:
    """Have PLAYER go on at a seat of GAME, first or second.

    Who sat there gets no more letters about the game, and his reply addresses for it are void. PLAYER gets
    the board, a reply address, and no less time than there was at the start.

    Exit code 1 where it is refused: there is no such game, it is over, nobody is called PLAYER, or PLAYER
    plays in it already.

    Example:  pbem replace 42 first Anna --reason "Bill is in hospital."
    """
    with open_or_exit() as app:
        with app.store.read() as db:
            newcomer = player_or_exit(db, player)

        def decide(found: Game, now: datetime) -> Entry:
            return director.replace_seated(found, _seat(seat), newcomer, director.clean_reason(reason), now)

        ruled = _decide(app, game, decide)
        click.echo(f"{newcomer.name} goes on for {ruled.entry.data['old']} in game {game}.")
        send_due(app)


@click.command("message")
@click.argument("game", type=NUMBER, required=False)
@click.argument("text", required=False)
@click.option("--all", "everybody", metavar="TEXT", help="Write to everybody who has a game running.")
def message_command(game: int | None, text: str | None, everybody: str | None) -> None:
    """Write TEXT to both players of GAME; `-` reads it from standard input. It stays with the game.

    With --all everybody who has a game running gets one letter, about no game. Exit code 1 where it is
    refused: there is no such game, or there are no words.

    Example:  pbem message 42 "Please agree on a date."
    """
    if (everybody is None) == (game is None) or (game is not None) != (text is not None):
        fail("Write pbem message GAME TEXT, or pbem message --all TEXT.", USAGE)
    if everybody is not None:
        with open_or_exit() as app, _exit_on_refusal():
            count = tell_everybody(app, _words(everybody))
            click.echo(f"{count} player{'' if count == 1 else 's'} will get it.")
            send_due(app)
        return
    assert game is not None and text is not None
    words = _words(text)
    with _decide_and_send(
        game, lambda found, now: director.notice(found, director.clean_message(words), now)
    ) as ruled:
        click.echo(f"It goes to {' and '.join(player.name for player in ruled.game.seats)}.")


# Shared parts.


@contextmanager
def _exit_on_refusal() -> Iterator[None]:
    """Print a Refusal on standard error, with exit code 1."""
    try:
        yield
    except Refusal as refusal:
        fail(str(refusal))


@contextmanager
def _decide_and_send(game: int, decide: Decide) -> Iterator[Decided]:
    """Make the decision, and send the letters after the output."""
    with open_or_exit() as app:
        yield _decide(app, game, decide)
        send_due(app)


def _decide(app: App, game: int, decide: Decide) -> Decided:
    with _exit_on_refusal():
        return decide_as_director(app, game, decide)


def _load_game(app: App, game: int) -> Game:
    with app.store.read() as db:
        found = games.load_game(db, app.games_by_key, game)
    return found if found is not None else fail(f"There is no game {game}.")


def _seat(name: str) -> Seat:
    return 1 if name.lower() == "second" else 0


def _confirm_or_exit(question: str) -> None:
    """Ask on a terminal; elsewhere require --yes, as nobody can answer."""
    if not sys.stdin.isatty():
        fail("This cannot be undone, and there is no terminal to ask at: add --yes.", USAGE)
    if not click.confirm(question):
        fail("Nothing was done.")


def _words(text: str) -> str:
    return sys.stdin.read() if text == "-" else text


MOMENTS: Sequence[Callable[[str, datetime], datetime]] = (
    lambda text, now: now + read_time(text),
    lambda text, now: _in_utc(datetime.fromisoformat(text)),
    lambda text, now: datetime.combine(read_date(text, now.date()), datetime.min.time(), UTC),
)


def _moment(text: str, now: datetime) -> datetime:
    """Parse a day, a moment, or a time from now. Anything else is wrong usage."""
    for read in MOMENTS:
        try:
            return read(text, now).replace(microsecond=0)
        except (Refusal, ValueError):
            continue
    raise click.UsageError(
        f"--until {text}: write a day as 2026-12-20, a moment as 2026-12-20T18:00Z, a time as 3d."
    )


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _place(ply: int) -> str:
    return f"after ply {ply}" if ply else "before its first ply"


def _removed_words(game: Game, beyond: int) -> str:
    """The plies and the end that a rollback removes, in words."""
    last = [ply.move for ply in game.state.plies[len(game.state.plies) - beyond :]] if beyond else []
    listed = ", ".join(last[:5]) + (f" and {beyond - 5} more" if beyond > 5 else "")
    plies = [f"{beyond} {'ply' if beyond == 1 else 'plies'} ({listed})"] if beyond else []
    return " and ".join([*plies, *(["its end"] if game.state.ending else [])]) or "nothing"


def _whose(ruled: Decided) -> str:
    seat = ruled.entry.seat
    return "Both have" if seat is None else f"{ruled.game.seats[seat].name} has"


def _deadline(game: Game) -> str:
    """The deadline in a sentence, "" without a running clock."""
    if game.deadline is None or game.state.to_play is None:
        return ""
    name = game.seats[game.state.to_play].name
    return f"{name} has until {game.deadline:%Y-%m-%d %H:%M} UTC for ply {len(game.state.plies) + 1}."
