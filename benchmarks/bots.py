"""The strength of the levels: games against chance and against one another, with Wilson intervals.

`.venv/bin/python -m benchmarks.bots [GAME ...] --games 100 --pairs 2:1,5:1 --state FILE` has more of it, in
two processes, and goes on where it was stopped: each game that has ended is a line of FILE.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

from rules import RULES
from rules.contract import Position, Rules
from rules.lab.statistics import wilson
from rules.search import think
from rules.search.levels import LEVELS
from rules.search.tree import Tree

PLAYED = Path(__file__).with_name("bots.jsonl")
"""Games of levels that stand in README.md. After a change of the search, begin another file."""
GAMES = 4
MAX_PLIES = 400
CHANCE = 0
"""The level of a player who moves by chance."""
SMALL: Mapping[str, Mapping[str, str]] = {
    "atoll": {},
    "bagel": {},
    "begird": {"islands": "9"},
    "bipod": {"size": "4"},
    "bounders": {"size": "5"},
    "breakthrough": {"size": "6"},
    "gomoku": {"size": "11"},
    "havannah": {"size": "5"},
    "hex": {"size": "9"},
    "gonnect": {"size": "7"},
    "hadron": {"size": "7"},
    "hexthing": {},
    "reversi": {"size": "6"},
    "unlur": {"size": "5"},
}
"""Boards on which a game of levels takes seconds."""
TINY: Mapping[str, Mapping[str, str]] = {
    **SMALL,
    "atoll": {"size": "7"},
    "begird": {"islands": "3", "side": "6"},
    "bipod": {"size": "3"},
    "bounders": {"size": "4"},
    "breakthrough": {"size": "5"},
    "gomoku": {"size": "9"},
    "havannah": {"size": "4"},
    "hex": {"size": "5"},
    "gonnect": {"size": "5"},
    "hadron": {},
    "hexthing": {"money": "10"},
    "reversi": {"size": "4"},
    "unlur": {"size": "4"},
}
BOARDS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "tiny": TINY,
    "small": SMALL,
    "usual": {key: {} for key in SMALL},
}


def play(start: Position, levels: Sequence[int], seed: int) -> tuple[float, float]:
    """The points of seat 0, and the seconds of the slowest move, when the seats play at these levels."""
    rng, position, slowest = Random(seed), start, 0.0
    for _ in range(MAX_PLIES):
        if position.to_play is None:
            break
        begin = time.perf_counter()
        level = levels[position.to_play]
        if level == CHANCE:
            move = position.sample(rng)
        else:
            # without a clock, so that the load of the machine changes nothing
            move = position.read(think(position, level, seed=seed, playouts=LEVELS[level].playouts).move)
        position = position.play(move)
        slowest = max(slowest, time.perf_counter() - begin)
    winner = position.outcome.winner if position.outcome else None
    return 0.5 if winner is None else 1.0 - winner, slowest


@dataclass(frozen=True)
class Task:
    """One game of a level against another; even seeds give the level the first seat."""

    key: str
    boards: str
    level: int
    against: int
    seed: int

    def play(self) -> tuple[float, float]:
        """The points of the level, and the seconds of the slowest move."""
        is_first = self.seed % 2 == 0
        levels = (self.level, self.against) if is_first else (self.against, self.level)
        start = RULES[self.key].start(BOARDS[self.boards][self.key], self.seed // 2)
        points, seconds = play(start, levels, self.seed)
        return (points if is_first else 1 - points), seconds


def pairs(levels: Sequence[int]) -> list[tuple[int, int]]:
    """Each level against the one below, the lowest and the highest against chance, and level 5 against 1."""
    found = [(level, below) for below, level in zip((CHANCE, *levels), levels, strict=False)]
    found.append((levels[-1], CHANCE))
    if levels[-1] == 5:
        found.append((5, 1))
    return list(dict.fromkeys(pair for pair in found if pair[0] != pair[1]))


def row(tasks: Sequence[Task], ended: Mapping[Task, tuple[float, float]]) -> tuple[str, str, str]:
    """One row: the share of its games that a level wins, seats changed after each game."""
    one, results = tasks[0], [ended[task] for task in tasks if task in ended]
    won, slowest = sum(points for points, _ in results), max((seconds for _, seconds in results), default=0.0)
    low, high = wilson(won, len(results))
    against = f"level {one.against}" if one.against else "chance"
    name = f"{RULES[one.key].name}, {one.boards} board, level {one.level} against {against}"
    return name, f"{won:g} of {len(results)}", f"{low:.0%} to {high:.0%}; slowest move {slowest:.2f} s"


def _kept(state: Path) -> dict[Task, tuple[float, float]]:
    """The games of an earlier run; a line that was cut off is played again."""
    ended = dict[Task, tuple[float, float]]()
    for line in state.read_text().splitlines() if state.exists() else ():
        with suppress(ValueError, KeyError, TypeError):
            found = json.loads(line)
            points, seconds = found.pop("points"), found.pop("seconds")
            ended[Task(**found)] = points, seconds
    return ended


def _played(task: Task) -> tuple[Task, tuple[float, float]]:
    return task, task.play()


def play_all(tasks: Sequence[Task], state: Path, processes: int) -> dict[Task, tuple[float, float]]:
    """Play the games that `state` does not have yet, and add each to it as it ends."""
    ended = _kept(state)
    with get_context("spawn").Pool(processes) as pool, state.open("a") as file:
        file.write("\n")  # a line that was cut off stays alone
        for task, (points, seconds) in pool.imap_unordered(_played, [t for t in tasks if t not in ended]):
            ended[task] = points, seconds
            print(
                json.dumps(asdict(task) | {"points": points, "seconds": round(seconds, 3)}),
                file=file,
                flush=True,
            )
    return ended


def speed(rules: Rules) -> tuple[str, str, str]:
    """One row: playouts a second from the start of the usual game, in the tree and by `sample`."""
    start, rng = rules.start(seed=0), Random(0)
    tree = Tree(start, rng)
    in_tree = _a_second(tree.step)

    def by_chance() -> None:
        position = start
        for _ in range(MAX_PLIES):
            if position.outcome:
                return
            position = position.follow(position.sample(rng))

    plain = _a_second(by_chance)
    return f"{rules.name}, playouts a second", f"{in_tree:,.0f}", f"{in_tree / plain:.1f} x by sample alone"


def _a_second(work: object) -> float:
    assert callable(work)
    begin, count = time.perf_counter(), 0
    while (spent := time.perf_counter() - begin) < 1:
        work()
        count += 1
    return count / spent


def measure(
    keys: Sequence[str] = tuple(SMALL),
    games: int = GAMES,
    levels: Sequence[int] = (1, 2, 3),
    boards: str = "small",
) -> Iterator[tuple[str, str, str]]:
    """Speed, each level against the one below, and the highest against chance."""
    for key in keys:
        yield speed(RULES[key])
        for level, against in pairs(levels):
            tasks = [Task(key, boards, level, against, seed) for seed in range(games)]
            yield row(tasks, {task: task.play() for task in tasks})


def _read_pairs(text: str) -> list[tuple[int, int]]:
    found = [pair.split(":") for pair in text.split(",")]
    return [(int(level), int(against)) for level, against in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=list(SMALL), metavar="GAME")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--levels", default="1,2,3")
    parser.add_argument("--pairs", type=_read_pairs, help="pairs of levels, such as 2:1,1:0; 0 is chance")
    parser.add_argument("--boards", choices=list(BOARDS), default="small")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--state", type=Path, default=PLAYED, metavar="FILE")
    given = parser.parse_args()
    wanted = given.pairs or pairs([int(level) for level in given.levels.split(",")])
    rows = [
        [Task(key, given.boards, level, against, seed) for seed in range(given.games)]
        for key in given.keys
        for level, against in wanted
    ]
    ended = play_all([task for tasks in rows for task in tasks], given.state, given.processes)
    for tasks in rows:
        print("| {:52} | {:>16} | {:38} |".format(*row(tasks, ended)))


if __name__ == "__main__":
    main()
