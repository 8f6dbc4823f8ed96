"""`pbem standings`: a round robin's table from players and results, without a database."""

import json
from dataclasses import asdict
from typing import TextIO

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.cli.common import USAGE, command, fail, json_option, print_json, printable_text
from pbem.core.events.table import BadResult, Standing, points_text, read_results, standings

HEADINGS = ("points", "Sonneborn-Berger", "direct", "wins as second")


@command("standings")
@click.argument("file", type=click.File("r", encoding="utf-8-sig"), metavar="FILE")
@json_option
def standings_command(file: TextIO, as_json: bool) -> None:
    """Print the table of the results in FILE (- for standard input). The table is computed as in events.

    FILE is JSON: {"players": ["A", "B"], "results": [["A", "B", "1-0"], ["B", "A", "1/2"]]}. Each result
    has first seat, second seat, and a score.

    A score is one of 1-0 0-1 1/2 + - and the last two are forfeits, won and lost by the first seat.

    The order is by points, Sonneborn-Berger, direct result, wins as second seat, then as in "players".

    Exit code 0; 2 where FILE is no such JSON, or has an unknown player or result.

    Example:  pbem standings season.json --json
    """
    try:
        rows = standings(*read_results(json.load(file)))
    except BadResult as error:
        fail(str(error), USAGE)
    except (ValueError, RecursionError) as error:  # a text that is no JSON, or no UTF-8
        fail(f"{file.name} is no JSON: {error}.", USAGE)
    if as_json:
        print_json([asdict(row) for row in rows])
    else:
        _print_table(rows)


def _print_table(rows: list[Standing[str]]) -> None:
    """Print a line a player, best first, with numbers as `2½`."""
    table = Table("place", "player", *HEADINGS, box=None, pad_edge=False)
    for place, row in enumerate(rows, 1):
        values = (row.points, row.sonneborn_berger, row.direct, row.wins_second)
        table.add_row(str(place), Text(printable_text(row.player)), *map(points_text, values))
    Console(width=None if Console().is_terminal else 200, highlight=False).print(table)
