"""A plan of the laboratory: its games and matches, as independent tasks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rules import RULES
from rules.contract import Position, Rules
from rules.search.compiled import find_kernel

DEALS = 2**31
SETTLED = (0, 2, 4, 6, 8)
"""The numbers of plies after which somebody says the word that settles the sides (`adopt`)."""


@dataclass(frozen=True)
class Plan:
    """The game, its options, the levels, and the number of games."""

    key: str
    options: Mapping[str, Any] = field(hash=False)
    """All options, complete and typed."""
    games: int = 200
    """The number of games of a level against itself."""
    level: int = 2
    levels: int = 3
    """The highest level that plays against the one below it."""
    matches: int = 40
    """The number of games of each level against the one below."""
    map_level: int = 3
    """The level that judges first plies, and that plays the games with sides settled after some plies."""
    seed: int = 1
    settled: int = 20
    """The number of games for each entry of `SETTLED`."""
    has_map: bool = True
    """True if the plan includes the values of first plies, whose search takes long on large boards."""

    @property
    def rules(self) -> Rules:
        return RULES[self.key]

    def identity(self) -> dict[str, Any]:
        """Return JSON data that are equal for plans whose tasks have the same results.

        The data leave out the numbers of games, so a plan for more games continues a shorter one.
        """
        return {
            "game": self.key,
            "version": self.rules.version,
            "options": dict(self.options),
            "level": self.level,
            "map_level": self.map_level,
            "seed": self.seed,
            "compiled": bool(find_kernel(self.rules.knowledge.kernel)),
        }

    def seed_of(self, task: str) -> int:
        """Return a seed for a task, from 0 to 2**31 - 1."""
        return Random(f"{self.seed} {task}").randrange(DEALS)

    def start(self, deal: str) -> Position:
        """Return the position at the start. If the game deals something, each value of `deal` deals anew."""
        return self.rules.begin(self.options, self.seed_of(f"deal {deal}"))

    @property
    def word(self) -> str:
        """Return the word that settles sides at any time (`adopt`), or ""."""
        rules = self.rules
        return next((word for word in rules.pie_words if word != "swap" and not rules.words.get(word)), "")

    def tasks(self) -> list[str]:
        """Return all tasks of the plan: games, matches, settled sides, first plies."""
        found = [f"game {number}" for number in range(self.games)]
        for level in range(2, self.levels + 1):
            found += [f"match {level} {number}" for number in range(self.matches)]
        if self.word:
            found += [f"settled {plies} {number}" for plies in SETTLED for number in range(self.settled)]
        if self.rules.pie and self.has_map:
            start = self.start("0")
            if start.to_play is not None and _may_swap(start):
                found += [f"first {move}" for move in start.actions()]
        return found


def _may_swap(start: Position) -> bool:
    """True if `swap` may answer a first ply. An option may take the pie rule away."""
    after = start.follow(start.actions()[0])
    return after.to_play is not None and after.problem(after.read("swap")) is None
