"""`pbem puzzles`: bots play a game many times, and what is a puzzle goes to a file, without a database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import USAGE, command, count_of, fail
from rules.contract import BadOption, Position, Rules

if TYPE_CHECKING:
    from pbem.bots.puzzling import FoundPuzzle

MAX_PLIES = 400
BY_CHANCE = 0.15
"""The share of plies that are drawn by lot, so that games differ and win in other ways."""
SECONDS_A_GAME = 5.0


@command("puzzles")
@click.argument("game")
@click.argument("options", nargs=-1, metavar="[OPTION=VALUE]...")
@click.option(
    "--count", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Puzzles wanted."
)
@click.option("--minutes", type=click.FloatRange(0.01), default=10.0, show_default=True, help="Time at most.")
@click.option("--seed", type=click.INT, default=1, show_default=True, help="Where chance begins.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file of the puzzles, a puzzle a line; new ones are added to it.",
)
def puzzles_command(
    game: str, options: tuple[str, ...], count: int, minutes: float, seed: int, output: Path
) -> None:
    """Let bots play GAME many times, and look for puzzles in their games.

    A puzzle is a position with one move that wins. The prover shows for that move that it wins, and for each
    other move that it does not. No game of people is looked at.

    A new server gets the puzzles of templates/rules/puzzles.jsonl, which are made by this.

    Example:  pbem puzzles begird islands=3 side=5 --output puzzles.jsonl
    """
    rules, chosen = _chosen(game, options)
    found, begun = 0, monotonic()
    with output.open("a", encoding="utf-8") as file:
        for line in _search(rules, chosen, seed, begun + minutes * 60):
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()
            found += 1
            if found == count:
                break
    click.echo(f"{count_of(found, 'puzzle')} of {rules.name} in {round(monotonic() - begun)} seconds.")


def _chosen(game: str, options: tuple[str, ...]) -> tuple[Rules, dict[str, Any]]:
    from rules import RULES, find

    rules = find(game)
    if rules is None:
        fail(f"No game is called {game}; there are {', '.join(RULES)}.", USAGE)
    try:
        return rules, rules.complete_for(game, rules.split_options(options))
    except BadOption as error:
        fail(str(error), USAGE)


def _search(rules: Rules, options: dict[str, Any], first_seed: int, end: float) -> Iterator[dict[str, Any]]:
    """Yield the puzzles of game after game, each position once."""
    from pbem.bots.puzzling import find_puzzles  # not at the top: help is fast

    seen, seed = set(), first_seed
    while monotonic() < end:
        moves, positions = _play(rules, options, seed)
        over = positions[-1].outcome is not None
        for puzzle in find_puzzles(positions, SECONDS_A_GAME) if over else ():
            key = positions[puzzle.ply].key()
            if key not in seen:
                seen.add(key)
                yield _data(rules, options, seed, moves, puzzle)
        seed += 1


def _play(rules: Rules, options: dict[str, Any], seed: int) -> tuple[list[str], list[Position]]:
    """Play a game of the first level against itself, with some plies by chance."""
    from rules.lab.playing import find

    rng, moves = Random(seed), list[str]()
    positions = [rules.begin(options, seed)]
    while positions[-1].to_play is not None and len(moves) < MAX_PLIES:
        here = positions[-1]
        moves.append(str(here.sample(rng)) if rng.random() < BY_CHANCE else find(here, 1, seed).move)
        positions.append(here.play(here.read(moves[-1])))
    return moves, positions


def _data(
    rules: Rules, options: dict[str, Any], seed: int, moves: list[str], puzzle: FoundPuzzle
) -> dict[str, Any]:
    return {
        "game": rules.key,
        "options": options,
        "seed": seed if rules.deals else 0,
        "moves": moves[: puzzle.ply],
        "line": list(puzzle.line),
        "replies": dict(puzzle.replies),
    }
