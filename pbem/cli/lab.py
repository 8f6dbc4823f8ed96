"""`pbem lab`: bots play a game many times, for a report, without a database."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import USAGE, command, count_of, fail, json_option
from rules.contract import BadOption
from rules.search import LEVELS

if TYPE_CHECKING:
    from rules.lab.plan import Plan

LEVEL = click.IntRange(1, max(LEVELS))
TENTHS = 10
STOPPED = 130
"""The exit code of a command that somebody ended by Ctrl+C."""


COUNT = click.IntRange(0, 100_000)
FIGURES = (
    ("--games", click.IntRange(1, 100_000), 200, "Games of a level against itself."),
    ("--level", LEVEL, 2, "The level that plays them."),
    ("--levels", LEVEL, 3, "Each level up to this one plays the one below; 1 for none."),
    ("--matches", COUNT, 40, "Games of each level against the one below."),
    ("--map-level", LEVEL, 3, "The level that judges first moves, where they may be swapped."),
    ("--settled", COUNT, 20, "Games for each number of plies before `adopt` or a word like it."),
    ("--map/--no-map has_map", click.BOOL, True, "Judge first moves that may be swapped."),
    ("--seed", click.INT, 1, "Where chance begins."),
)
"""The options that are fields of the plan: names, type, default and help."""


def _figures(function: Callable[..., None]) -> Callable[..., None]:
    for names, kind, default, words in reversed(FIGURES):
        option = click.option(*names.split(), type=kind, default=default, show_default=True, help=words)
        function = option(function)
    return function


@command("lab")
@click.argument("game")
@click.argument("options", nargs=-1, metavar="[OPTION=VALUE]...")
@_figures
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The folder of the games and the report.  [default: lab-GAME, with the options]",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=None,
    help="Games at a time.  [default: one a processor]",
)
@json_option
def lab_command(
    game: str,
    options: tuple[str, ...],
    output: Path | None,
    processes: int | None,
    as_json: bool,
    **figures: Any,
) -> None:
    """Let bots play GAME many times, and tell what comes of it.

    The report says which seat wins, how long games are, how many levels of play separate, which first moves
    are swapped, and how often the last moves matter, each with an interval. It is printed, and written to the
    folder as report.txt, report.html and report.json, with its drawings as SVG files.

    A run that was ended goes on with the same command. It does so with more games, too. The same seed makes
    the same report, however many processes there are.

    Exit code 0; 1 where the folder holds something else; 2 for an unknown game or option; 130 after Ctrl+C.

    Example:  pbem lab bagel size=5 --games 100
    """
    from pbem.cli.lab_run import open_journal, run, write_reports  # not at the top: help is fast

    plan = _plan(game, options, figures)
    if output is None:
        output = Path("-".join(("lab", plan.rules.key, *options)).replace("=", "-"))
        click.echo(f"The report will be in {output}.", err=True)
    with open_journal(output, plan) as journal:
        try:
            with _progress(plan) as progress:
                run(plan, journal, processes or os.cpu_count() or 1, progress)
        except KeyboardInterrupt:
            done = count_of(len(journal.results), "result")
            fail(f"Stopped; {output} keeps {done}. The same command goes on.", STOPPED)
        written = write_reports(output, plan, journal)
    click.echo(written["report.json" if as_json else "report.txt"], nl=False)


def _plan(game: str, options: tuple[str, ...], figures: dict[str, Any]) -> Plan:
    from rules import RULES, find
    from rules.lab.plan import Plan

    rules = find(game)
    if rules is None:
        fail(f"No game is called {game}; there are {', '.join(RULES)}.", USAGE)
    try:
        chosen = rules.complete_for(game, rules.split_options(options))
        return Plan(rules.key, chosen, **figures)
    except BadOption as error:
        fail(str(error), USAGE)


@contextmanager
def _progress(plan: Plan) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal; elsewhere a line for each tenth. Both go to standard error."""
    total = len(plan.tasks())
    if not sys.stderr.isatty():
        yield _lines(total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as shown:
        bar = shown.add_task(plan.rules.name, total=total)
        yield lambda done: shown.update(bar, completed=done)


def _lines(total: int) -> Callable[[int], None]:
    last = -1

    def progress(done: int) -> None:
        nonlocal last
        tenth = done * TENTHS // total
        if tenth != last:
            last = tenth
            click.echo(f"{done} of {total} done", err=True)

    return progress
