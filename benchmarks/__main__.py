"""Measure and print one table: `.venv/bin/python -m benchmarks [PART ...]`, all of them without one.

Every figure stands beside a floor that is measured in the same run, so that it means the same on a
slow machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks import bots, door, games, intake, letters, pages, turn, workers

PARTS: dict[str, Callable[[], Iterator[tuple[str, str, str]]]] = {
    "turn": turn.measure,
    "intake": intake.measure,
    "door": door.measure,
    "letters": letters.measure,
    "workers": workers.measure,
    "games": games.measure,
    "pages": pages.measure,
    "bots": bots.measure,
}


def main() -> None:
    wanted = sys.argv[1:] or list(PARTS)
    if unknown := set(wanted) - set(PARTS):
        sys.exit(f"There is nothing called {', '.join(sorted(unknown))}; there is {', '.join(PARTS)}.")
    print(f"| {'figure':44} | {'measured':>16} | {'against':44} |")
    print(f"|{'-' * 46}|{'-' * 17}:|{'-' * 46}|")
    for part in wanted:
        for figure, measured, against in PARTS[part]():
            print(f"| {figure:44} | {measured:>16} | {against:44} |", flush=True)


main()
