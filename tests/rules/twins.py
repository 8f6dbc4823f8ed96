"""Designers' files of games that are written in Python too, played side by side.

For many games: `.venv/bin/python -m tests.rules.twins 10000`, with keys behind it for some of them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

from rules import RULES
from rules.contract import Position, Rules
from rules.designed.made import rules_from

FILES = Path(__file__).parents[2] / "rules/designed/files"
Options = Mapping[str, str]
TWINS: Mapping[str, tuple[Options, ...]] = {
    "begird": (
        {"islands": "3", "side": "5"},
        {"islands": "9", "side": "7"},
        {"islands": "15", "side": "6"},
        {"islands": "21"},
        {},
    ),
    "bounders": (
        {"size": "3"},
        {"size": "4", "scoring": "basic"},
        {"size": "3", "scoring": "half"},
        {"size": "5", "scoring": "basic", "pie": "yes"},
        {},
    ),
    "hex": ({"size": "4"}, {"size": "7"}, {}),
    "havannah": ({"size": "4"}, {"size": "5"}, {}),
    "atoll": ({}, {"pie": "no"}),
    "hadron": ({}, {"size": "7"}),
    "gonnect": ({"size": "5"}, {"size": "7"}),
    "reversi": ({},),
    "breakthrough": ({"size": "5"}, {}),
    "gomoku": ({"size": "7", "opening": "free"}, {"opening": "free"}),
}
"""By game: its options in turn, the small boards first."""
IN_FILE = {("opening", "free"): ("pie", "no")}
"""Options of a written game that have another name in a file."""


def for_file(chosen: Options) -> Options:
    return dict(IN_FILE.get(option, option) for option in chosen.items())


@cache
def from_file(key: str) -> Rules:
    return rules_from((FILES / f"{key}.txt").read_text())


def both_written() -> list[str]:
    """The files whose game is written in Python here too."""
    return [key for key in TWINS if key in RULES]


def difference(one: Position, other: Position) -> str | None:
    """What differs between two positions for their players, or None."""
    for what, first, second in (
        ("plies", sorted(map(str, one.moves())), sorted(map(str, other.moves()))),
        ("the seat to play", one.to_play, other.to_play),
        ("being over", one.outcome is None, other.outcome is None),
        ("the winner", one.outcome and one.outcome.winner, other.outcome and other.outcome.winner),
        ("the sides", (one.side(0), one.side(1)), (other.side(0), other.side(1))),
        ("stones", contents(one), contents(other)),
    ):
        if first != second:
            return f"{what}: {first} by the file, {second} as written"
    return None


def contents(position: Position) -> dict[str, str]:
    """By cell its stone, with nothing told of empty cells."""
    return {spot.name: spot.look for spot in position.picture().spots if spot.look in ("dark", "light")}


def play_both(key: str, chosen: Options, seed: int) -> str | None:
    """Play one random game by the file and as written; what differs and where, or None."""
    rng = Random(f"{key} {chosen} {seed}")
    one, other = from_file(key).start(for_file(chosen)), RULES[key].start(chosen)
    made: list[str] = []
    while True:
        found = quick_difference(one, other) if one.outcome is None else difference(one, other)
        if found:
            return f"{key} {dict(chosen)} after {' '.join(made)}: {found}"
        if one.outcome is not None:
            return None
        move = one.sample(rng)
        made.append(str(move))
        one, other = one.play(one.read(str(move))), other.play(other.read(str(move)))


def quick_difference(one: Position, other: Position) -> str | None:
    """The difference in what may be played and who plays, without a drawing."""
    if (sorted(one.playable()), one.to_play, one.outcome is None) == (
        sorted(other.playable()),
        other.to_play,
        other.outcome is None,
    ):
        return None
    return difference(one, other)


def main(count: str, *keys: str) -> None:
    """Print by game how many games were played, and each that differs."""
    for key in keys or both_written():
        chosen = TWINS[key]
        found = [play_both(key, chosen[seed % len(chosen)], seed) for seed in range(int(count))]
        different = [each for each in found if each]
        print(f"{key}: {count} games, {len(different)} differ", *different[:3], sep="\n  ", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
