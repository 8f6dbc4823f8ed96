"""Begird, by Mark Steere, 2008. A group must gird over half the islands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.contract import Outcome
from rules.games.begird.ground import COUNTS, TRIANGLES, Ground, ground
from rules.games.begird.lessons import LESSONS
from rules.games.begird.playing_on import KNOWLEDGE
from rules.joining import Joining, draw
from rules.notation import join_words
from rules.option import Option, number_option
from rules.stone_placement import one_stone


def ground_of(options: Mapping[str, Any]) -> Ground:
    return ground(options["islands"], options.get("side"))


@dataclass(frozen=True)
class BegirdPosition(Joining):
    """One position, with the islands that its groups join."""

    @staticmethod
    def goals_of(options: Mapping[str, Any]) -> Ground:
        return ground_of(options)

    @property
    def ground(self) -> Ground:
        assert isinstance(self.goals, Ground)
        return self.goals

    def judge(self) -> Outcome | None:
        """Return the outcome, or None. A group wins with a run of half of (number of islands + 3)."""
        islands, ground = self.latest.touched, self.ground
        if not ground.wins(islands):
            return None
        side, run = self.players[self.last_colour][0], ground.run(islands)
        reason = f"{side} joins {ground.told(islands)}: a run of {run}"
        return Outcome(self.seat(self.last_colour), side, reason)

    def remarks(self) -> list[str]:
        run, told = self.ground.run, self.ground.told
        widest = [max((group.touched for group in own), key=run, default=0) for own in self.groups]
        if self.outcome or not any(widest):
            return []
        runs = [
            f"{side} {run(islands)}" + (f" ({told(islands)})" if islands else "")
            for (side, _), islands in zip(self.players, widest, strict=True)
        ]
        return [f"Widest runs so far: {', '.join(runs)}; {self.ground.needed} wins."]

    def data(self) -> dict[str, Any]:
        placed = sorted((ply, name) for name, ply in zip(self.board.names, self.laid, strict=True) if ply)
        return {
            "game": "begird",
            "options": dict(self.options),
            "stones": [name for _, name in placed],
            "swapped": self.swapped,
        }


USUAL, SMALLEST, LARGEST = 10, 4, 19


def _islands(text: str) -> int:
    if text not in map(str, COUNTS):
        raise ValueError(text)
    return int(text)


def _side_fits(side: int, chosen: Mapping[str, Any]) -> str | None:
    """Return why a triangle's islands do not divide its ring, or None.

    A side of the ring is one place shorter than a side of the board.
    """
    islands = chosen["islands"]
    if (side - 1) % (islands // 3) == 0:
        return None
    fitting = [n for n in range(SMALLEST, LARGEST + 1) if (n - 1) % (islands // 3) == 0]
    return f"with {islands} islands side is {join_words(fitting, 'or')}"


RULES = one_stone(
    BegirdPosition,
    key="begird",
    name="Begird",
    designer="Mark Steere",
    year=2008,
    terms=(
        "Free to publish and to program, without licence or fee, as long as name and rules stay as they are"
        " and the game is attributed to Mark Steere (marksteeregames.com)."
    ),
    family="connection",
    summary="Islands ring the board; join three or more that span over half of the ring with one group.",
    turn="A move is one empty cell, such as d4, or swap as the second move of the game.",
    options=(
        Option("islands", "islands round the board", 15, _islands, join_words(COUNTS, "or")),
        number_option(
            "side",
            "cells on a side of a triangle; 15 islands or more go round a hexagon without it",
            lambda chosen: USUAL if chosen["islands"] in TRIANGLES else None,
            SMALLEST,
            LARGEST,
            _side_fits,
            rated=(7, LARGEST),
            usual="10 with 3 or 9 islands",
        ),
    ),
    draw=draw,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    named={"y": {"islands": "3"}},
)
