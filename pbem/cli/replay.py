"""`pbem replay`: the board after a record. Needs no database and no settings."""

import json
from typing import BinaryIO

import click

from pbem.cli.common import USAGE, fail
from rules import record, summary, svg


@click.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--ply", type=int, help="The board after this many plies, 0 for the start; the last by default."
)
@click.option("--json", "form", flag_value="json", help="Everything about the position, for programs.")
@click.option("--svg", "form", flag_value="svg", help="The board as a picture.")
def replay_command(file: BinaryIO, ply: int | None, form: str | None) -> None:
    """Show the board that the game in FILE leads to (- for standard input).

    Exit code 0; 1 where a move is illegal, with its line and the reason; 2 where FILE is no record,
    or has no such ply.

    Example:  pbem replay bipod.game --ply 7
    """
    try:
        played = record.replay(record.read(file.read().decode("utf-8", "replace")), ply)
    except record.IllegalPly as error:
        fail(str(error), 1)
    except record.RecordError as error:
        fail(str(error), USAGE)
    if form == "json":
        click.echo(json.dumps(summary.summary(played), indent=2))
    elif form == "svg":
        click.echo(svg.svg(played.position.picture(), standalone=True))
    else:
        click.echo(summary.summary_text(played))
