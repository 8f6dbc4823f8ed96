"""Begird, by Mark Steere, 2008. A group must gird over half the islands."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Self

from rules.board import AROUND, Board, joints, slanted_labels, steps
from rules.contract import Outcome
from rules.games.begird.ground import COUNTS, TRIANGLES, Ground, Group, Place, ground, indices
from rules.games.begird.lessons import LESSONS
from rules.games.begird.playing_on import KNOWLEDGE
from rules.grids import Point
from rules.notation import join_words
from rules.option import Option, number_option
from rules.picture import Label, Line, Picture
from rules.stone_placement import EMPTY, OneStone, one_stone
from rules.stone_placement import draw as draw_stones


def ground_of(options: Mapping[str, Any]) -> Ground:
    return ground(options["islands"], options.get("side"))


@dataclass(frozen=True)
class BegirdPosition(OneStone):
    """One position, with its groups stored so that no ply searches the whole board."""

    groups: tuple[tuple[Group, ...], ...] = field(default=((), ()), compare=False, repr=False)
    """Black's groups and White's. The group of the last stone is the first of its colour."""

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return ground_of(options).board

    @cached_property
    def ground(self) -> Ground:
        return ground_of(self.options)

    @property
    def last_group(self) -> Group:
        """Return the group of the last stone, or an empty group before the first ply."""
        return self.groups[self.last_colour][0] if self.ply else Group(0, 0)

    def lay(self, names: Iterable[str], content: str, **changes: Any) -> Self:
        (name,), (black, white), ground = names, self.groups, self.ground
        cell = self.board.index[name]
        groups = (black, ground.join(white, cell)) if self.colour else (ground.join(black, cell), white)
        return super().lay((name,), content, groups=groups, ground=ground)

    def judge(self) -> Outcome | None:
        """Return the outcome, or None. A group wins with a run of half of (number of islands + 3)."""
        islands, ground = self.last_group.islands, self.ground
        if not ground.wins(islands):
            return None
        side, run = self.players[self.last_colour][0], ground.run(islands)
        reason = f"{side} joins islands {_numbers(islands)}: a run of {run}"
        return Outcome(self.seat(self.last_colour), side, reason)

    @property
    def last_colour(self) -> int:
        return (self.ply - self.swapped + 1) % 2

    @property
    def last(self) -> tuple[int, ...]:
        """Return the cell of the last stone, even if the last ply was `swap`."""
        return (self.laid.index(max(self.laid)),) if self.ply else ()

    @property
    def middle(self) -> int:
        return self.ground.from_middle[0]

    def instead(self, cell: int) -> str:
        board = self.board
        free = [board.names[other] for other in board.near[cell] if self.cells[other] == EMPTY]
        beside = sorted(free, key=lambda name: (name[0], int(name[1:])))
        if self.ply == 1:
            return f"; the word swap makes it yours, and {join_words(beside)} beside it are empty"
        if beside:
            return f"; beside it {join_words(beside)} {'is' if len(beside) == 1 else 'are'} empty"
        empty = (other for other, held in enumerate(self.cells) if held == EMPTY)
        nearest = min(empty, key=lambda other: steps(board.xy[other], board.xy[cell]))
        return f"; the nearest empty cell is {board.names[nearest]}"

    def examples(self) -> list[str]:
        if self.outcome:
            return []
        cell = next(cell for cell in self.ground.from_middle if self.cells[cell] == EMPTY)
        return [self.board.names[cell], *(["swap"] if self.may_swap else [])]

    def remarks(self) -> list[str]:
        run = self.ground.run
        widest = [max((group.islands for group in own), key=run, default=0) for own in self.groups]
        if self.outcome or not any(widest):
            return []
        told = [
            f"{side} {run(islands)}"
            + (f" (island{'s' if islands & islands - 1 else ''} {_numbers(islands)})" if islands else "")
            for (side, _), islands in zip(self.players, widest, strict=True)
        ]
        return [f"Widest runs so far: {', '.join(told)}; {self.ground.needed} wins."]

    @property
    def won(self) -> frozenset[int]:
        return frozenset(indices(self.last_group.cells) if self.outcome else ())

    @property
    def glyphs(self) -> list[str] | str:
        """Return the stones. At the end the winner's stones outside the winning group are small letters."""
        if not self.outcome:
            return self.cells
        own, won = self.players[self.last_colour][1], self.won
        return [
            held.lower() if held == own and cell not in won else held for cell, held in enumerate(self.cells)
        ]

    def stones(self) -> list[tuple[str, list[str]]]:
        winning = [("Winning group", [self.board.names[cell] for cell in sorted(self.won)])]
        return [*super().stones(), *(winning if self.outcome else [])]

    def touched(self, name: str) -> str:
        cell = self.board.index[name]
        own = next((each for side in self.groups for each in side if each.cells >> cell & 1), None)
        if own is None or not own.islands:
            return ""
        return f"{'islands' if own.islands & own.islands - 1 else 'island'} {_numbers(own.islands)}"

    def data(self) -> dict[str, Any]:
        placed = sorted((ply, name) for name, ply in zip(self.board.names, self.laid, strict=True) if ply)
        return {
            "game": "begird",
            "options": dict(self.options),
            "stones": [name for _, name in placed],
            "swapped": self.swapped,
        }


def _numbers(islands: int) -> str:
    return join_words(index + 1 for index in indices(islands))


NEARER = 0.84
"""The place of an island's line, from its cells (0) to its places in the ring (1)."""
STRAIT = 0.36
"""The distance between an island's end and the middle of the cell shared with the next, in steps."""


def draw(position: BegirdPosition) -> Picture:
    ground = position.ground
    joined = position.last_group.islands if position.outcome else 0
    lines = [
        Line("joined" if joined >> index & 1 else "island", ends, str(index + 1))
        for index, ends in enumerate(_coast(island, ground.board) for island in ground.islands)
    ]
    lines += [Line("route", ends) for ends in joints(ground.board, position.won)]
    count = len(ground.islands)
    legend = [("X", "a black stone"), ("O", "a white stone"), (f"[1] to [{count}]", "islands")]
    if position.outcome:
        side, glyph = position.players[position.last_colour]
        legend.append((glyph.lower(), f"a {side.lower()} stone outside the winning group"))
    return draw_stones(
        position, {"x": "dark", "o": "light"}, legend, lines, _labels(ground, "side" in position.options)
    )


@cache
def _labels(ground: Ground, is_triangle: bool) -> tuple[Label, ...]:
    names = (
        Label("island", str(number), x, y)
        for number, island in enumerate(ground.islands, 1)
        for x, y in island
    )
    room = 1 if is_triangle else 2  # letters stand beside islands round a hexagon alone
    near, far = (slanted_labels(ground.board, room=places) for places in (1, room))
    drawn = (
        replace(label, at=close.at, x=label.x - (3 - room if label.kind == "row" else 0))
        for label, close in zip(far, near, strict=True)
    )
    return (*drawn, *names)


@cache
def _coast(island: tuple[Place, ...], board: Board) -> tuple[Point, Point]:
    """Return an island's two ends in a drawing, short of the cells that it shares with its neighbours."""
    (first_x, first_y), (last_x, last_y) = island[0], island[-1]
    beside = [(dx, dy) for dx, dy in AROUND if (first_x + dx, first_y + dy) in board.xy]
    if beside == [AROUND[0], AROUND[5]]:  # `AROUND` is clockwise and begins between these two
        beside.reverse()
    (far_x, far_y), (near_x, near_y) = beside  # along the ring the second is met first
    in_x, in_y = ((near + far) / 2 * (1 - NEARER) for near, far in ((near_x, far_x), (near_y, far_y)))
    on_x, on_y = ((far - near) * (0.5 - STRAIT) for near, far in ((near_x, far_x), (near_y, far_y)))
    return (first_x + in_x - on_x, first_y + in_y - on_y), (last_x + in_x + on_x, last_y + in_y + on_y)


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
