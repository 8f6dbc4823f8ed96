"""The processor time of a move by level, and the memory of a process over many moves of the highest level.

`.venv/bin/python -m benchmarks.thinking --positions 3 --moves 1000` has more of it. Boards are
the usual ones, and positions are spread over games by chance.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.bots import SMALL
from rules import RULES
from rules.contract import Position
from rules.search import think
from rules.search.levels import LEVELS

LEVEL = max(LEVELS)
ROWS = 10
"""So many times is memory looked at."""


def positions(key: str, count: int) -> list[Position]:
    """The start of the usual game, and others of games by chance, in even distances."""
    found, rng = [RULES[key].start({}, 0)], Random(key)
    while len(found) < count:
        game = [RULES[key].start({}, len(found))]
        while game[-1].to_play is not None:
            game.append(game[-1].follow(game[-1].sample(rng)))
        found.append(game[(len(game) - 1) * len(found) // count])
    return found


def slowest(key: str, level: int, count: int) -> float:
    """The most processor seconds of one move with all playouts of the level."""
    spent = []
    for position in positions(key, count):
        begun = time.process_time()
        think(position, level, seed=1, playouts=LEVELS[level].playouts)
        spent.append(time.process_time() - begun)
    return max(spent)


def memory() -> float:
    """The resident memory of this process in MiB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def play_moves(count: int, playouts: int) -> Iterator[float]:
    """Make moves of the highest level, games by turns; yield the memory after each tenth."""
    number = 0
    while number < count:
        for key in SMALL:
            position = RULES[key].start({}, number)
            while position.to_play is not None and number < count:
                thought = think(position, LEVEL, seed=number, playouts=playouts)
                position = position.play(position.read(thought.move))
                number += 1
                if number % max(1, count // ROWS) == 0:
                    yield memory()


def measure(count: int = 1, moves: int = 20, playouts: int = 100) -> Iterator[tuple[str, str, str]]:
    for key in SMALL:
        think(positions(key, 1)[0], LEVEL, seed=1, playouts=100)  # compiles
        for level in (3, LEVEL) if count > 1 else (3,):
            seconds = slowest(key, level, count)
            yield f"{RULES[key].name}, a move of level {level}", f"{seconds:.2f} s", f"slowest of {count}"
    if not moves:
        return
    found = list(play_moves(moves, playouts))
    rows = ", ".join(f"{each:.0f}" for each in found)
    yield f"memory over {moves} moves of {playouts} playouts", f"{found[-1]:.0f} MiB", rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.thinking")
    parser.add_argument("--positions", type=int, default=3)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--playouts", type=int, default=8000)
    given = parser.parse_args()
    for figure, measured, against in measure(given.positions, given.moves, given.playouts):
        print(f"| {figure:44} | {measured:>16} | {against:44} |", flush=True)


if __name__ == "__main__":
    main()
