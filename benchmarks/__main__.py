"""Measure and print one table: `.venv/bin/python -m benchmarks [PART ...]`, all of them without one.

Every figure stands beside a floor that is measured in the same run, so that it means the same on a
slow machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks import (
    archive,
    bot_games,
    bots,
    clock,
    distant,
    games,
    hostile,
    intake,
    letters,
    memory,
    pictures,
    proofs,
    records,
    seasons,
    standings,
    starting,
    thinking,
    turn,
    workers,
)

PARTS: dict[str, Callable[[], Iterator[tuple[str, str, str]]]] = {
    "turn": turn.measure,
    "intake": intake.measure,
    "letters": letters.measure,
    "distant": distant.measure,
    "workers": workers.measure,
    "rules": games.measure_plies,
    "drafts": games.measure_drafts,
    "fold": games.measure_folds,
    "clock": clock.measure,
    "archive": archive.measure,
    "standings": standings.measure,
    "seasons": seasons.measure,
    "export": records.measure,
    "start": starting.measure,
    "pictures": pictures.measure,
    "memory": memory.measure,
    "hostile": hostile.measure,
    "bots": bots.measure,
    "thinking": thinking.measure,
    "bot_games": bot_games.measure,
    "proofs": proofs.measure,
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
