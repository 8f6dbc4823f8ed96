"""Base classes for games that put stones on empty cells for good. Most games begin with `OneStone`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Self

from rules import notation
from rules.board import Board, slanted_labels, square_labels
from rules.contract import Illegal, Move, Outcome, Position, Rules, Seat
from rules.copying import replaced
from rules.draft import Choice, Draft
from rules.grids import HEX
from rules.picture import Label, Line, Picture, Spot, describe, mark_set, title
from rules.stone_reading import SWAP, Cells, one_cell, read

EMPTY = "."
FULL = Outcome(None, None, "The board is full: a draw")


@dataclass(frozen=True)
class Placement(Position):
    """The stones and plies of games with one or several cells a ply."""

    rules: Rules = field(compare=False, repr=False)
    options: Mapping[str, Any]
    ply: int
    cells: str
    """The content of each cell, in reading order, as drawn."""
    laid: tuple[int, ...]
    """The ply in which each cell's stone was laid, 0 for none."""
    outcome: Outcome | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcome", self._end())

    @staticmethod
    @abstractmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        """Return the board that the options ask for."""

    @cached_property
    def board(self) -> Board:
        return self.board_of(self.options)

    @classmethod
    def first_cells(cls, options: Mapping[str, Any]) -> str:
        return EMPTY * len(cls.board_of(options))

    @classmethod
    def begin(cls, rules: Rules, options: Mapping[str, Any], seed: int = 0) -> Self:
        cells = cls.first_cells(options)
        return cls(rules, MappingProxyType(dict(options)), 0, cells, (0,) * len(cells))

    @abstractmethod
    def judge(self) -> Outcome | None:
        """Return the end of the game, or None while it goes on. A full board is at least a draw."""

    def _end(self) -> Outcome | None:
        return self.judge() or (None if EMPTY in self.cells else FULL)

    @abstractmethod
    def words(self, cell: int) -> str:
        """Return the content of a cell in words."""

    @property
    @abstractmethod
    def lists(self) -> Iterable[tuple[str, str]]:
        """Return labels of lists of cells, each with the glyphs for the list."""

    @property
    def open(self) -> Sequence[int]:
        """Return by cell True if it may be played. The result is valid while the game goes on."""
        return [held == EMPTY for held in self.cells]

    @property
    def glyphs(self) -> Sequence[str]:
        """Return by cell the glyph that is drawn on it in text."""
        return self.cells

    @property
    def last(self) -> Container[int]:
        return {cell for cell, ply in enumerate(self.laid) if ply == self.ply} if self.ply else ()

    @property
    def won(self) -> Container[int]:
        return ()

    def lay(self, names: Iterable[str], content: str, **changes: Any) -> Self:
        """Return the position after `content` is put on these cells and a game's own `changes` are made."""
        board, cells, laid, ply = self.board, self.cells, list(self.laid), self.ply + 1
        for cell in map(board.index.__getitem__, names):
            cells = cells[:cell] + content + cells[cell + 1 :]
            laid[cell] = ply
        made = replaced(self, {**changes, "board": board, "ply": ply, "cells": cells, "laid": tuple(laid)})
        made.__dict__["outcome"] = made._end()
        return made

    def taken(self, cell: int) -> str | None:
        """Return why a cell is taken, as the middle of a sentence, or None."""
        if self.cells[cell] == EMPTY:
            return None
        return f"{self.board.names[cell]} is taken ({self.words(cell)})"

    def playable(self) -> list[str]:
        return [] if self.outcome else list(compress(self.board.names, self.open))

    def key(self) -> Hashable:
        return self.cells, self.ply % 2

    def stones(self) -> list[tuple[str, list[str]]]:
        drawn = list(zip(self.board.names, self.glyphs, strict=True))
        lists = [(label, [name for name, glyph in drawn if glyph in wanted]) for label, wanted in self.lists]
        return [(label, names) for label, names in lists if names]

    def data(self) -> dict[str, Any]:
        return {
            "game": self.rules.key,
            "options": dict(self.options),
            "ply": self.ply,
            "cells": self.cells,
            "laid": list(self.laid),
        }


def draw(
    position: Placement,
    looks: Mapping[str, str] = MappingProxyType({}),
    legend: Iterable[tuple[str, str]] = (),
    lines: Iterable[Line] = (),
    labels: tuple[Label, ...] | None = None,
) -> Picture:
    """Draw a position. `looks` are the looks of glyphs that this module does not know."""
    board, last, won = position.board, position.last, position.won
    looks = {**LOOKS, **looks}
    open_ = position.open if position.outcome is None else bytes(len(board))
    spots = []
    for cell, (name, (x, y), glyph) in enumerate(zip(board.names, board.xy, position.glyphs, strict=True)):
        marks = mark_set(cell in last, bool(open_[cell]), cell in won)
        spots.append(Spot(name, x, y, glyph, looks[glyph], position.words(cell), marks))
    return Picture(
        game=position.rules.key,
        title=title(position.rules.name, position.ply),
        description=describe(position.stones()) or "No stones yet.",
        spots=tuple(spots),
        labels=(slanted_labels if board.grid is HEX else square_labels)(board) if labels is None else labels,
        lines=tuple(lines),
        legend=tuple(legend),
        grid=board.grid,
    )


LOOKS = {EMPTY: "empty", "X": "dark", "O": "light"}


@dataclass(frozen=True)
class WithPie(Placement):
    """Two colours by turns; `swap`, as the second ply, exchanges them."""

    swapped: bool = False

    players: ClassVar[tuple[tuple[str, str], tuple[str, str]]] = (("Black", "X"), ("White", "O"))
    """The side and glyph of each colour, the colour of the first stone first."""

    player: ClassVar[str] = "{}"
    """The format of a player in notes, of side and glyph."""

    most: ClassVar[int] = 1
    """The most cells of a ply."""

    @property
    @abstractmethod
    def lays(self) -> str:
        """Return the due action as the end of a sentence: `lays one stone on an empty cell`."""

    @property
    def colour(self) -> int:
        return self.ply % 2 ^ self.swapped

    def seat(self, colour: int) -> Seat:
        return 1 if colour ^ self.swapped else 0

    def side(self, seat: Seat) -> str:
        return self.players[seat ^ self.swapped][0]

    @property
    def has_pie(self) -> bool:
        """True if the pie rule is in force. A game may have an option `pie`, yes or no."""
        return bool(self.options.get("pie") != "no")

    @property
    def may_swap(self) -> bool:
        return self.ply == 1 and self.has_pie and not self.outcome

    def remarks(self) -> list[str]:
        """Return sentences to stand below the one about the due ply, or below the end of the game."""
        return []

    def notes(self) -> list[str]:
        if self.outcome:
            return self.remarks()
        due = f"{self.player.format(*self.players[self.colour])} {self.lays}."
        if self.may_swap:
            return [
                due,
                f"Or swap: then the second player is {self.side(0)}, and the first is {self.side(1)}.",
            ]
        news = f"Move 2 was swap: first is {self.side(0)} and second is {self.side(1)} from now on."
        return [*([news] if self.swapped and self.ply == 2 else []), due, *self.remarks()]

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if not isinstance(move, Cells):
            return self._swap_problem() if move == SWAP else self._no_move(move)
        if not 1 <= len(move.cells) <= self.most:
            return self._no_move(move)
        index, cells = self.board.index, self.cells
        for name in move.cells:
            cell = index.get(name)
            if cell is None:
                return notation.no_such_slanted_cell(self.board, name)
            if cells[cell] != EMPTY:
                return f"{self.taken(cell)}{self.instead(cell)}."
        return self.shut(move.cells)

    def _no_move(self, move: Move) -> str:
        return f"{move} is no move of {self.rules.name}."

    def _swap_problem(self) -> str | None:
        if not self.has_pie:
            return "swap: this game is played without the pie rule."
        due = f"{self.players[self.colour][0]} {self.lays}"
        return None if self.ply == 1 else f"swap: sides are exchanged on move 2 or not at all; now {due}."

    @property
    def swap_choice(self) -> Choice:
        return Choice("swap", f"Swap: you are {self.side(0)} from now on, and what lies there is yours")

    def instead(self, cell: int) -> str:
        """Return the end of the sentence for a taken cell: what may be played instead."""
        return ""

    def shut(self, names: Sequence[str]) -> str | None:
        """Return why stones may not lie on these empty cells, or None. `open` has the same rule."""
        return None

    def follow(self, move: Move) -> Self:
        if isinstance(move, Cells):
            return self.lay(move.cells, self.players[self.colour][1])
        return replace(self, ply=self.ply + 1, swapped=True)

    def moves(self) -> Iterator[Move]:
        yield from map(one_cell, self.playable())
        if self.may_swap:
            yield SWAP

    def key(self) -> Hashable:
        return self.cells, self.ply % 2, self.swapped, self.may_swap

    def data(self) -> dict[str, Any]:
        return {**super().data(), "swapped": self.swapped}


class OneStone(WithPie):
    """A game where a ply is one stone, or `swap` as second."""

    lays = "lays one stone on an empty cell"

    def examples(self) -> list[str]:
        if self.outcome:
            return []
        board, wanted = self.board, self.open
        last = self.laid.index(max(self.laid)) if self.ply else self.middle
        found = [board.nearest(board.xy[cell], wanted) for cell in (last, self.middle)]
        names = [board.names[cell] for cell in found if cell is not None]
        return [*dict.fromkeys(names), *(["swap"] if self.may_swap else [])]

    @property
    def middle(self) -> int:
        return self.board.middle

    def read(self, text: str) -> Move:
        return read(self.board, self.rules.name, self.board.names[self.middle], text, self.has_pie)

    def sample(self, rng: Random) -> Move:
        if self.outcome:
            raise Illegal(self.over() or "")
        if self.may_swap and rng.random() < 0.3:
            return SWAP
        return Cells((rng.choice(self.playable()),))

    def words(self, cell: int) -> str:
        held = self.cells[cell]
        if held == EMPTY:
            return "empty"
        side = self.players[held == self.players[1][1]][0]
        return f"a {side.lower()} stone, move {self.laid[cell]}"

    @property
    def lists(self) -> Iterable[tuple[str, str]]:
        return [(f"{side} ({glyph})", glyph + glyph.lower()) for side, glyph in self.players]


def one_stone(position: type[OneStone], **named: Any) -> Rules:
    """Return the rules of a game of one stone a ply. `named` has the other fields of `Rules`."""
    return Rules(setup=position.begin, **{"options": (), "draw": draw, "draft": draft, **PIE, **named})


def cell_marks(position: OneStone, moves: Sequence[Move]) -> list[int]:
    """Return for a search the cell of each ply as one bit, 0 for `swap`."""
    index = position.board.index
    return [1 << index[move.cells[0]] if isinstance(move, Cells) else 0 for move in moves]


PIE: Mapping[str, Any] = {"words": {"swap": ""}, "pie_words": ("swap",)}


def draft(position: OneStone, text: str) -> Draft:
    """Compose a ply of one cell or `swap`. A click on another cell moves the stone there."""
    move = position.read(text) if text.strip() else None
    if move is not None:
        position.play(move)
    chosen = "" if move is None else str(move)
    stone = f"a {position.players[position.colour][0].lower()} stone"
    choices = [
        Choice("", f"Take {stone} back from {name}", name)
        if name == chosen
        else Choice(name, f"Lay {stone} on {name}", name)
        for name in position.playable()
    ]
    if position.may_swap and move != SWAP:
        choices.append(position.swap_choice)
    if position.outcome:
        hint = "The game is over."
    else:
        hint = "Send it, or choose another cell." if chosen else f"Choose a cell for {stone}."
    return Draft(chosen, tuple(choices), complete=bool(chosen), hint=hint, back="" if chosen else None)
