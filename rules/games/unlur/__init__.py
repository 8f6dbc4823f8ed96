"""Unlur, by Jorge Gomez Arrausi, 2001: Black needs a Y and White a line; sides come by adoption."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, Self

from rules import notation
from rules.board import hexagon
from rules.contract import SEAT_NAMES, Illegal, Move, Seat, Unreadable
from rules.draft import Choice, Draft
from rules.games.unlur.lessons import LESSONS
from rules.joining import Figure, Goals, Joining, bits, draw, surround
from rules.option import number_option
from rules.search.joining import KNOWLEDGE
from rules.stone_placement import EMPTY, one_stone
from rules.stone_placement import draft as draft_stone

ADOPT: Move = "adopt"
"""The ply that takes Black for good."""
_FOR_BLACK, _FOR_WHITE = (1, -1), (-1, 1)


@cache
def _goals(size: int) -> Goals:
    """Return the six sides, clockwise from the top. A corner belongs to both of its sides."""
    return surround(
        hexagon(size, size),
        [size - 1] * 6,
        Goals,
        figures=(
            *(Figure("a Y", bits(three), _FOR_BLACK) for three in ((0, 2, 4), (1, 3, 5))),
            *(Figure("a line", bits((side, side + 3)), _FOR_WHITE) for side in range(3)),
        ),
        is_settled=False,
        noun="side",
        legend=(("[1] to [6]", "sides"),),
        room=2,
    )


@dataclass(frozen=True)
class UnlurPosition(Joining):
    """One position. `swapped` is True if `second` is Black; it means nothing before the adoption."""

    adopted: int = 0
    """The ply that was `adopt`, 0 before it."""

    has_pie = False  # the adoption settles the sides

    @staticmethod
    def goals_of(options: Mapping[str, Any]) -> Goals:
        return _goals(options["size"])

    @property
    def colour(self) -> int:
        return super().colour if self.adopted else 0

    def side(self, seat: Seat) -> str | None:  # type: ignore[override]
        return super().side(seat) if self.adopted else None

    @property
    def may_adopt(self) -> bool:
        return not self.adopted and not self.outcome

    @property
    def lays(self) -> str:  # type: ignore[override]
        if self.adopted:
            return "lays one stone on an empty cell"
        return "lays a black stone off the edge, or says adopt and is Black"

    @property
    def open(self) -> Sequence[int]:
        if self.adopted:
            return super().open
        shore = self.goals.shore
        return [held == EMPTY and not shore[cell] for cell, held in enumerate(self.cells)]

    def shut(self, names: Sequence[str]) -> str | None:
        if self.adopted or not self.goals.shore[self.board.index[names[0]]]:
            return None
        return f"{names[0]} is at the edge, where nobody lays a stone before somebody has said adopt."

    def read(self, text: str) -> Move:
        words = notation.words(text.lower()) if text.isascii() and len(text) <= notation.MAX_LENGTH else []
        if words == ["adopt"]:
            return ADOPT
        if words == ["pass"] and not self.adopted:
            raise Unreadable("pass: nobody passes in Unlur; to be Black, write adopt.")
        return super().read(text)

    def problem(self, move: Move) -> str | None:
        if move != ADOPT or self.outcome:
            return super().problem(move)
        if self.adopted:
            return f"adopt: sides are settled; now {self.players[self.colour][0]} {self.lays}."
        return None

    def follow(self, move: Move) -> Self:
        if move != ADOPT:
            return super().follow(move)
        return replace(self, ply=self.ply + 1, adopted=self.ply + 1, swapped=self.ply % 2 == 1)

    def settled(self) -> Joining:
        """Return the position in which whoever is on turn has adopted."""
        return self if self.adopted else self.follow(ADOPT)

    def moves(self) -> Iterator[Move]:
        if self.may_adopt:
            yield ADOPT
        yield from super().moves()

    def sample(self, rng: Random) -> Move:
        if self.outcome:
            raise Illegal(self.over() or "")
        if self.may_adopt and (rng.random() < 0.3 or not any(self.open)):
            return ADOPT
        return super().sample(rng)

    def examples(self) -> list[str]:
        found = super().examples() if any(self.open) else []
        return [*found, *([str(ADOPT)] if self.may_adopt else [])]

    def notes(self) -> list[str]:
        if self.outcome:
            return super().notes()
        if not self.adopted:
            return [f"The {SEAT_NAMES[self.ply % 2]} player {self.lays}."]
        news = f"{SEAT_NAMES[self.seat(0)]} is Black and {SEAT_NAMES[self.seat(1)]} is White from now on."
        return [*([f"Sides are settled: {news}"] if self.ply == self.adopted else []), *super().notes()]

    def data(self) -> dict[str, Any]:
        return {**super().data(), "adopted": self.adopted}

    def key(self) -> tuple[Any, ...]:
        return self.cells, self.ply % 2, self.swapped, bool(self.adopted)


def draft(position: UnlurPosition, text: str) -> Draft:
    """Compose a ply of one cell or `adopt`."""
    found = draft_stone(position, text)
    if not position.may_adopt:
        return found
    adopt = Choice("adopt", "Adopt: you are Black from now on, and the black stones are yours")
    choices = (*found.choices, *([adopt] if found.text != ADOPT else []))
    hint = "Choose a cell for a black stone, or adopt." if not found.text else "Send it, or choose otherwise."
    return replace(found, choices=choices, hint=hint)


RULES = one_stone(
    UnlurPosition,
    key="unlur",
    name="Unlur",
    designer="Jorge Gomez Arrausi",
    year=2001,
    terms="The designer keeps the copyright of his text and sets no terms. Our own words tell the rules.",
    family="connection",
    summary="Black joins three sides that do not meet, White two opposite ones; adopt to be Black.",
    turn="A move is one empty cell, such as d4; before the sides are settled, adopt makes you Black.",
    options=(number_option("size", "cells along a side", 8, 4, 10, rated=(6, 10)),),
    draw=draw,
    draft=draft,
    words={"adopt": ""},
    pie_words=("adopt",),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
)
