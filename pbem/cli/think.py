"""`pbem think`: a move for a record's last position, without a database."""

from math import isnan
from typing import TextIO

import click

from pbem.cli.common import USAGE, command, fail, json_option, print_json
from rules import record
from rules.search import LEVELS, Thought, think


@command("think")
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), metavar="FILE")
@click.option(
    "--level", type=click.IntRange(1, max(LEVELS)), default=5, show_default=True, help="How well to play."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Where chance begins.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=10,
    show_default=True,
    help="The longest time to think.",
)
@json_option
def think_command(file: TextIO, level: int, seed: int, seconds: float, as_json: bool) -> None:
    """Find a move for the last position in FILE. FILE `-` is standard input.

    The value is that for the side to move, from 0 to 1. A level thinks until it has played as many games
    as it may, or the time is over; only in the first case the same seed finds the same move again.

    Exit code 0; 1 where the game is over or a move is illegal; 2 where FILE is no record.

    Example:  pbem think bipod.game --level 3 --json
    """
    if isnan(seconds):
        fail("--seconds takes a number, such as 10.", USAGE)
    try:
        played = record.replay(record.read(file.read()))
    except record.RecordError as error:
        fail(str(error), 1 if isinstance(error, record.IllegalPly) else USAGE)
    if played.outcome is not None:
        fail(f"The game is over ({played.outcome.reason}), so there is no move to find.")
    found = think(played.position, level, seed=seed, seconds=seconds)
    if as_json:
        members = {name: getattr(found, name) for name in ("move", "value", "playouts", "proved")}
        print_json({**members, "value": round(found.value, 3)})
    else:
        click.echo(f"{found.move}\n{_words(found)}")


def _words(found: Thought) -> str:
    """The value, the proof and the expected line as a sentence each."""
    proved = f" Proved: a {found.proved}." if found.proved else ""
    line = f" Expected: {', then '.join(found.line)}." if len(found.line) > 1 else ""
    return f"Value {found.value:.2f} after {found.playouts} playouts.{proved}{line}"
