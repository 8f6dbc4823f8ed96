"""Reversi, England, about 1883: discs between a new disc and another of its colour are turned over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.board import Board, square
from rules.contract import Outcome, Seat
from rules.games.reversi.lessons import LESSONS
from rules.games.reversi.playing_on import KNOWLEDGE
from rules.games.reversi.turning import centre, turned
from rules.grids import EIGHT
from rules.option import choice_option, sizes_option
from rules.stone_placement import EMPTY, one_stone
from rules.taking import Taking


@dataclass(frozen=True)
class ReversiPosition(Taking):
    """One position. A side that cannot lay is passed over, which is no ply of its own."""

    due: int = 0
    """The colour to play."""

    lays = "lays a disc that encloses discs of the other colour"
    has_pie = False

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return square(options["size"], EIGHT)

    @classmethod
    def first_cells(cls, options: Mapping[str, Any]) -> str:
        cells = list(super().first_cells(options))
        for cell, glyph in zip(centre(cls.board_of(options)), "OXXO", strict=True):
            cells[cell] = glyph if options["start"] == "cross" else EMPTY
        return "".join(cells)

    @property
    def colour(self) -> int:
        return self.due

    @property
    def to_play(self) -> Seat | None:
        return None if self.outcome else self.seat(self.due)

    @property
    def middle(self) -> int:
        return centre(self.board)[0]

    def begins(self, ply: int) -> bool:
        """True if the next ply after `ply` plies fills the middle and turns nothing."""
        return self.options["start"] == "free" and ply < len(centre(self.board))

    def turned(self, cells: str, cell: int, colour: int) -> list[int]:
        return turned(self.board, cells, cell, self.players[colour][1])

    def after(self, cell: int) -> str:
        cells = list(self.cells)
        for each in (cell, *(() if self.begins(self.ply) else self.turned(self.cells, cell, self.due))):
            cells[each] = self.players[self.due][1]
        return "".join(cells)

    def refusal(self, cell: int) -> str | None:
        if self.begins(self.ply):
            return None if cell in centre(self.board) else "is not one of the four squares in the middle"
        return None if self.turned(self.cells, cell, self.due) else "encloses no disc of the other colour"

    def further(self, cells: str) -> Mapping[str, Any]:
        rival, empty = 1 - self.due, (cell for cell, held in enumerate(cells) if held == EMPTY)
        goes_on = self.begins(self.ply + 1) or any(self.turned(cells, cell, rival) for cell in empty)
        return {"due": rival if goes_on else self.due}

    def judge(self) -> Outcome | None:
        if any(self.open):
            return None
        black, white = (self.cells.count(glyph) for _, glyph in self.players)
        if black == white:
            return Outcome(None, None, f"Draw: {black} discs each")
        won, side = int(white > black), self.players[white > black][0]
        return Outcome(self.seat(won), side, f"{side} wins: {max(black, white)} discs to {min(black, white)}")

    def scores(self) -> dict[str, Any]:
        return {side: {"discs": self.cells.count(glyph)} for side, glyph in self.players}

    def remarks(self) -> list[str]:
        own = [self.cells[cell] for cell in range(len(self.cells)) if cell in self.last]
        if self.outcome or own != [self.players[self.due][1]]:
            return []
        rival = self.players[1 - self.due][0]
        return [f"{rival} cannot enclose anything and is passed over."]

    def words(self, cell: int) -> str:
        names = {EMPTY: "empty"} | {glyph: f"a {side.lower()} disc" for side, glyph in self.players}
        return names[self.cells[cell]]

    def key(self) -> tuple[object, ...]:
        return self.cells, self.due

    def data(self) -> dict[str, Any]:
        return {**super().data(), "due": self.players[self.due][0]}


RULES = one_stone(
    ReversiPosition,
    key="reversi",
    name="Reversi",
    designer="Lewis Waterman or John Mollett",
    year=1883,
    terms="The game is nobody's: anybody may play it, program it and sell it.",
    family="lines",
    summary="A disc turns over all discs between it and another of its colour; more discs at the end win.",
    turn="A move is one square where your disc encloses discs of the other colour, such as d6.",
    options=(
        sizes_option("size", "squares along a side", 8, (4, 6, 8, 10), rated=(6, 10)),
        choice_option(
            "start",
            "cross begins with four discs, free with an empty board whose middle is filled first",
            "cross",
            ("cross", "free"),
        ),
    ),
    words={},
    pie_words=(),
    aliases=("othello", "revers"),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
)
