"""One situation of Bagel: what may be played, what follows, what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rules.contract import SEAT_NAMES, ByTurns, Draft, Illegal, Move, Outcome, Rules, Seat
from rules.games.bagel import drafting
from rules.games.bagel.drawing import draw
from rules.games.bagel.moves import MOST, Discs, no_such_tile, read
from rules.games.bagel.tiles import (
    BLACK,
    DISCS,
    EMPTY,
    RESERVE,
    SUITS,
    WHITE,
    board,
    mates,
    outcome_of,
    score_table,
)
from rules.notation import listed
from rules.picture import Picture
from rules.pie import SWAP, Swap, swap_problem

if TYPE_CHECKING:
    from random import Random

_SIDES = {disc: side for side, disc in DISCS.items()}


@dataclass(frozen=True)
class BagelPosition(ByTurns):
    """One situation: what lies where since which ply, and whether sides were exchanged."""

    options: Mapping[str, Any]
    ply: int
    cells: str
    """What lies on each tile, in reading order."""
    laid: tuple[int, ...]
    """The ply in which each tile was covered, 0 for none."""
    swapped: bool
    outcome: Outcome | None = field(init=False)

    def __post_init__(self) -> None:
        # The end: no empty tile, or no disc in the reserve of the side to play.
        over = EMPTY not in self.cells or not self._left
        object.__setattr__(self, "outcome", outcome_of(self.cells, int(self.swapped)) if over else None)

    @property
    def rules(self) -> Rules:  # type: ignore[override]
        from rules.games.bagel import RULES  # which needs this module

        return RULES

    @property
    def layout(self) -> str:
        """The suit of each tile, in reading order."""
        return str(self.options["layout"])

    @property
    def _disc(self) -> str:
        """The disc of the side to play."""
        return BLACK if self.swapped != (self.turn == 1) else WHITE

    @property
    def _left(self) -> int:
        """Discs in the reserve of the side to play."""
        return RESERVE - self.cells.count(self._disc)

    @property
    def may_pair(self) -> bool:
        """Whether two discs may be placed: not on the first ply, nor with one left."""
        return bool(self.ply) and self._left >= MOST

    def side(self, seat: Seat) -> str | None:
        return "Black" if self.swapped != (seat == 1) else "White"

    def read(self, text: str) -> Move:
        return read(board(), text)

    # ------------------------------------------------------------------------------------- legality

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if isinstance(move, Swap):
            return swap_problem(self.ply)
        if isinstance(move, Discs) and 1 <= len(move.cells) <= MOST:
            return self._taken(move) or (self._pair_problem(*move.cells) if len(move.cells) == 2 else None)
        return f"{move} is no move of Bagel."

    def _taken(self, move: Discs) -> str | None:
        for name in move.cells:
            if name not in board().index:
                return no_such_tile(board(), name)
            tile = board().index[name]
            if self.cells[tile] != EMPTY:
                return f"{name} is taken ({self._disc_words(tile)})."
        return None

    def _pair_problem(self, one: str, other: str) -> str | None:
        """Why two discs may not be placed on two empty tiles."""
        pair = f"{one} {other}"
        if one == other:
            return f"{one} stands twice in this ply; write {one} alone, or two different cells."
        if not self.ply:  # White's first ply is one disc alone
            return f"{pair}: the first ply of the game is one disc; write {one} or {other}."
        if self._left == 1:
            return f"{pair}: {_SIDES[self._disc]} has one disc left; write {one} or {other}."
        a, b = board().index[one], board().index[other]
        if b in mates(self.layout)[a]:
            return None
        suits = self.layout[a], self.layout[b]
        if suits[0] != suits[1]:
            reason = (
                f"{one} is a {SUITS[suits[0]]} and {other} a {SUITS[suits[1]]}, and two discs go on one suit"
            )
        else:
            reason = f"both are {SUITS[suits[0]]}s, but in no row or diagonal together"
        return f"{pair}: {reason}; {one} goes {self._company(a)}, {other} {self._company(b)}."

    def _company(self, tile: int) -> str:
        """What may be taken together with a tile: `with a1 or c6`, `alone`."""
        names = board().names
        found = sorted(names[mate] for mate in mates(self.layout)[tile] if self.cells[mate] == EMPTY)
        return f"with {listed(found, 'or')}" if found else "alone"

    # ------------------------------------------------------------------------------------- playing

    def follow(self, move: Move) -> BagelPosition:
        ply = self.ply + 1
        if isinstance(move, Swap):
            return BagelPosition(self.options, ply, self.cells, self.laid, True)
        if not isinstance(move, Discs):
            raise Illegal(f"{move} is no move of Bagel.")
        cells, laid = list(self.cells), list(self.laid)
        for name in move.cells:
            tile = board().index[name]
            cells[tile], laid[tile] = self._disc, ply
        return BagelPosition(self.options, ply, "".join(cells), tuple(laid), self.swapped)

    def moves(self) -> Iterator[Move]:
        if self.outcome:
            return
        yield from (Discs((name,)) for name in self.playable())
        yield from self._pairs()
        if swap_problem(self.ply) is None:
            yield SWAP

    def _pairs(self) -> Iterator[Discs]:
        """Every legal ply of two discs."""
        if not self.may_pair:
            return
        names = board().names
        for tile, others in enumerate(mates(self.layout)):
            if self.cells[tile] == EMPTY:
                for other in others:
                    if tile < other and self.cells[other] == EMPTY:
                        yield Discs(tuple(sorted((names[tile], names[other]))))

    def sample(self, rng: Random) -> Move:
        names = self.playable()
        if not names:
            raise Illegal(self.problem(SWAP) or "")
        if swap_problem(self.ply) is None and rng.random() < 0.1:
            return SWAP
        pairs = list(self._pairs())
        if pairs and rng.random() < 0.7:
            return rng.choice(pairs)
        return Discs((rng.choice(names),))

    def playable(self) -> list[str]:
        if self.outcome:
            return []
        return [name for name, content in zip(board().names, self.cells, strict=True) if content == EMPTY]

    def examples(self) -> list[str]:
        """The tile nearest to the hole, the pair nearest to it, and `swap` where it is open."""
        if self.outcome:
            return []
        place = board()
        found = place.nearest((6, 3), [content == EMPTY for content in self.cells])
        single = [] if found is None else [place.names[found]]
        pair = min(self._pairs(), key=lambda discs: sum(map(_off_centre, discs.cells)), default=None)
        swap = [str(SWAP)] if swap_problem(self.ply) is None else []
        return [*single, *([str(pair)] if pair else []), *swap]

    def draft(self, text: str) -> Draft:
        return drafting.draft(self, text)

    # ------------------------------------------------------------------------------------- telling

    def data(self) -> dict[str, Any]:
        return {
            "game": "bagel",
            "options": dict(self.options),
            "ply": self.ply,
            "cells": self.cells,
            "laid": list(self.laid),
            "swapped": self.swapped,
        }

    def scores(self) -> dict[str, Any]:
        return score_table(self.cells)

    def notes(self) -> list[str]:
        side = _SIDES[self._disc]
        if self.outcome:
            empty = self.cells.count(EMPTY)
            return [f"{side} has no disc left to place." if empty else "No tile is empty any more."]
        told = []
        if self.swapped and self.ply == 2:
            first, second = (f"the {SEAT_NAMES[seat]} player is {self.side(seat)}" for seat in (0, 1))
            told.append(f"Ply 2 was swap: {first} and {second} from now on.")
        return [*told, f"{side} ({self._disc}) {self._due()}."]

    def _due(self) -> str:
        """What the side to play owes, as the end of a sentence."""
        if not self.ply:
            return "places one disc, on any tile"
        if self._left == 1:
            return "has one disc left and places it on any empty tile"
        if not any(True for _ in self._pairs()):
            return "places one disc; no two empty tiles of one suit are in line any more"
        due = "places one disc, or two on empty tiles of one suit in line"
        return f"{due}, or takes White's place by swap" if swap_problem(self.ply) is None else due

    def stones(self) -> list[tuple[str, list[str]]]:
        names = board().names
        lists = [
            (f"{side} ({disc})", [n for n, held in zip(names, self.cells, strict=True) if held == disc])
            for side, disc in DISCS.items()
        ]
        for suit, label in SUITS.items():
            shown = zip(names, self.cells, self.layout, strict=True)
            lists.append(
                (f"{label.capitalize()}s ({suit})", [n for n, held, s in shown if (held, s) == (EMPTY, suit)])
            )
        return [(label, sorted(found)) for label, found in lists if found]

    def words(self, tile: int) -> str:
        """What a tile shows, in words."""
        if self.cells[tile] == EMPTY:
            return f"empty, a {SUITS[self.layout[tile]]}"
        return self._disc_words(tile)

    def _disc_words(self, tile: int) -> str:
        return f"{_SIDES[self.cells[tile]]}'s disc, ply {self.laid[tile]}"

    def draw(self) -> Picture:
        return draw(self)


def _off_centre(name: str) -> int:
    """How far a cell lies from the hole, for an order alone."""
    letter, row = ord(name[0]) - ord("d"), int(name[1]) - 4
    return letter * letter + row * row - letter * row
