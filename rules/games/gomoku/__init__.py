"""Gomoku, from Japan: five in a row on a square, with the opening `swap2` that tournaments use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Self

from rules import notation
from rules.board import Board, square
from rules.contract import SEAT_NAMES, Illegal, Move, Outcome, Seat
from rules.draft import Choice, Draft
from rules.games.gomoku.lessons import LESSONS
from rules.games.gomoku.openings import pairs, triples
from rules.games.gomoku.playing_on import KNOWLEDGE, OWN, RIVAL, worths
from rules.grids import EIGHT
from rules.option import choice_option, number_option
from rules.stone_placement import EMPTY, OneStone, one_stone
from rules.stone_reading import Cells, cell_of

FIVE = 5
_SMALL = 64
"""The most cells of a board on which a search tries every empty cell."""
BLACK = "black"
"""The ply that takes Black, and with it the stones that lie there."""


@dataclass(frozen=True)
class GomokuPosition(OneStone):
    """One situation. `swapped` is True if `second` is Black; it means nothing before sides are settled."""

    settled: bool = False
    """True once it is known who is Black."""

    has_pie = False  # `swap2` settles the sides in another way

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return square(options["size"], EIGHT)

    @property
    def is_settled(self) -> bool:
        return self.settled or self.options["opening"] == "free"

    @property
    def colour(self) -> int:
        return int(self.cells.count("X") > self.cells.count("O"))

    def side(self, seat: Seat) -> str | None:  # type: ignore[override]
        return super().side(seat) if self.is_settled else None

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the numbers of cells that the due ply may have."""
        return (1,) if self.is_settled else ((3,), (1, 2), (1,))[self.ply]

    @property
    def may_take_black(self) -> bool:
        return not self.is_settled and self.ply > 0 and not self.outcome

    @property
    def lays(self) -> str:  # type: ignore[override]
        return _DUE[0 if self.is_settled else self.ply + 1]

    def rows(self, cell: int) -> Iterator[list[int]]:
        """Yield the rows of one colour through a stone, one for each of the four directions."""
        around, axes, held = self.board.around, EIGHT.axes, self.cells[cell]
        for axis in range(axes):
            row = [cell]
            for direction in (axis, axis + axes):
                there = around[cell][direction]
                while there >= 0 and self.cells[there] == held:
                    row.append(there)
                    there = around[there][direction]
            yield row

    @property
    def won(self) -> list[int]:
        """Return the stones of the rows that won, or []."""
        last = [cell for cell, ply in enumerate(self.laid) if ply and ply == self.ply]
        longest = FIVE if self.options["overline"] == "no" else len(self.board)
        return [
            other for cell in last for row in self.rows(cell) if FIVE <= len(row) <= longest for other in row
        ]

    def judge(self) -> Outcome | None:
        won = self.won
        if not won:
            return None
        side, glyph = self.players[self.cells[won[0]] == self.players[1][1]]
        seat = self.seat(self.players.index((side, glyph)))
        return Outcome(seat, side, f"{side} wins: {'five' if len(won) == FIVE else 'five or more'} in a row")

    def read(self, text: str) -> Move:
        words = notation.without_joints(notation.words(text.lower())) if text.isascii() else []
        if words == [BLACK]:
            return BLACK
        cells = tuple(name for name in map(cell_of, words) if name and name in self.board.index)
        if 2 <= len(words) <= 3 and len(cells) == len(words):
            return Cells(cells)
        return super().read(text)

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if move == BLACK:
            said = f"black: sides are settled; now {self.players[self.colour][0]} {self.lays}."
            return None if self.may_take_black else said if self.is_settled else f"black: first {self.lays}."
        if isinstance(move, Cells) and len(move.cells) not in self.counts:
            who = self.players[self.colour][0] if self.is_settled else SEAT_NAMES[self.ply % 2]
            return (
                f"{move}: that is {notation.some(len(move.cells), 'cell', 'cells')}; now {who} {self.lays}."
            )
        if isinstance(move, Cells) and len({*move.cells}) < len(move.cells):
            return f"{move}: one cell stands there twice; each stone needs a cell of its own."
        return super().problem(move)

    most = 3

    def follow(self, move: Move) -> Self:
        if not isinstance(move, Cells):
            return replace(self, ply=self.ply + 1, settled=True, swapped=self.ply % 2 == 1)
        cells, laid, colour = self.cells, list(self.laid), self.colour
        for n, cell in enumerate(map(self.board.index.__getitem__, move.cells)):
            cells = f"{cells[:cell]}{self.players[colour ^ n % 2][1]}{cells[cell + 1 :]}"
            laid[cell] = self.ply + 1
        settles = not self.is_settled and self.ply > 0 and len(move.cells) == 1
        swapped = self.ply % 2 == 0 if settles else self.swapped
        return replace(
            self,
            ply=self.ply + 1,
            cells=cells,
            laid=tuple(laid),
            settled=self.settled or settles,
            swapped=swapped,
        )

    @property
    def complete(self) -> bool:
        return len(self.board) <= _SMALL and self.is_settled

    def actions(self) -> list[Move]:
        """Return what is worth a try: on a large board, stones that make or stop five, or near others."""
        moves = list(self.moves())
        if self.complete or not self.ply:
            return moves
        worth, index = worths(self), self.board.index
        most = max(worth, default=0.0)
        urgent = next((least for least in (OWN[-1], RIVAL[-1]) if most >= least), None)
        near = self._near()
        return [
            move
            for move in moves
            if not isinstance(move, Cells)
            or len(move.cells) > 1
            or (worth[index[move.cells[0]]] >= urgent if urgent else index[move.cells[0]] in near)
        ]

    def _near(self) -> set[int]:
        """Return the cells within two steps of a stone."""
        beside = {
            other for cell, held in enumerate(self.cells) if held != EMPTY for other in self.board.near[cell]
        }
        return beside | {other for cell in beside for other in self.board.near[cell]}

    def moves(self) -> Iterator[Move]:
        """Yield all plies of one cell and `black`. Of those with more cells, a few about the middle."""
        if self.outcome:
            return
        if self.may_take_black:
            yield BLACK
        if 1 in self.counts:
            yield from super().moves()
        for several in (triples(self.board), pairs(self.board, self.cells)):
            if len(several[0]) in self.counts:
                yield from map(Cells, several)

    def sample(self, rng: Random) -> Move:
        if self.outcome:
            raise Illegal(self.over() or "")
        if self.may_take_black and rng.random() < 0.3:
            return BLACK
        return Cells(tuple(rng.sample(self.playable(), rng.choice(self.counts))))

    def examples(self) -> list[str]:
        if self.is_settled or self.outcome:
            return super().examples()
        first = {3: triples(self.board)[0], 2: pairs(self.board, self.cells)[0]}
        several = [" ".join(first[count]) for count in self.counts if count in first]
        return [
            *(super().examples()[:1] if 1 in self.counts else []),
            *several,
            *([BLACK] if self.ply else []),
        ]

    def notes(self) -> list[str]:
        if self.outcome or self.options["opening"] == "free":
            return super().notes()
        if not self.settled:
            return [f"The {SEAT_NAMES[self.ply % 2]} player {self.lays}."]
        now = f"{SEAT_NAMES[self.seat(0)]} is Black and {SEAT_NAMES[self.seat(1)]} is White from now on."
        return [*([f"Sides are settled: {now}"] if self._just_settled else []), *super().notes()]

    @property
    def _just_settled(self) -> bool:
        return self.ply == (2 if self.laid.count(2) < 2 else 3)

    def key(self) -> tuple[Any, ...]:
        return self.cells, self.settled, self.swapped, None if self.is_settled else self.ply, self.ply % 2

    def data(self) -> dict[str, Any]:
        return {**super().data(), "settled": self.settled}


_DUE = (
    "lays one stone on an empty cell",
    "lays three stones, black, white and black, as in h8 i9 g7",
    "takes Black (black), or lays a white stone and stays White, or a white and a black one",
    "takes Black (black), or lays a white stone and is White",
)


def draft(position: GomokuPosition, text: str) -> Draft:
    """Compose one to three cells by clicks, or `black`. A click on a chosen cell takes it back."""
    words = text.split()
    known = all(word in position.board.index for word in words)
    if not words or (known and len(words) < max(position.counts) and len(words) not in position.counts):
        move, chosen = None, tuple(words)
        for name in chosen:
            if problem := position.taken(position.board.index[name]):
                raise Illegal(f"{problem}.")
    else:
        move = position.read(text)
        position.play(move)
        chosen = move.cells if isinstance(move, Cells) else ()
    most = max(position.counts) if not position.outcome else 0
    kept = chosen if len(chosen) < most else () if most == 1 else None
    choices = [Choice(" ".join(c for c in chosen if c != name), f"Take {name} back", name) for name in chosen]
    for name in position.playable() if kept is not None else ():
        if name not in chosen:
            choices.append(Choice(" ".join((*(kept or ()), name)), f"Lay a stone on {name}", name))
    if position.may_take_black and move != BLACK:
        choices.append(Choice("black", "Take Black: the black stones are yours from now on"))
    hint = "The game is over." if position.outcome else _hint(position, move, chosen)
    shown = str(move) if move is not None else " ".join(chosen)
    back = None if not shown else " ".join(chosen[:-1])
    return Draft(shown, tuple(choices), complete=move is not None, hint=hint, back=back)


def _hint(position: GomokuPosition, move: Move | None, chosen: Sequence[str]) -> str:
    if move is not None:
        more = ", or add a black stone" if len(chosen) < max(position.counts) else ""
        return (
            f"Send it{more}, or choose otherwise." if move != BLACK else "Send it, or choose cells instead."
        )
    colour = position.players[position.colour ^ len(chosen) % 2][0].lower()
    return f"Choose a cell for a {colour} stone."


RULES = one_stone(
    GomokuPosition,
    key="gomoku",
    name="Gomoku",
    designer="Traditional, from Japan",
    year=0,
    terms="A traditional game. Nobody owns it.",
    summary="Lay five stones of your colour in one row.",
    turn="A move is one empty cell, such as h8; swap2 opens with three, such as h8 i9 g7, and may say black.",
    family="lines",
    options=(
        number_option("size", "cells along each side", 15, 7, 19, rated=(13, 19)),
        choice_option("opening", "how sides are settled", "swap2", ("swap2", "free")),
        choice_option("overline", "what six or more in a row do", "no", ("no", "wins")),
    ),
    draft=draft,
    words={"black": ""},
    pie_words=("black",),
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    aliases=("five", "fiveinarow", "five-in-a-row"),
)
