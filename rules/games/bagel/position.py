"""One situation of Bagel: what may be played, what follows, what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.board import Board
from rules.contract import Illegal, Move, Outcome, Seat
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
    rows,
    score_table,
)
from rules.notation import join_words
from rules.picture import Line, Picture
from rules.pie import SWAP, Swap, swap_news, swap_offer, swap_problem
from rules.stone_placement import Placement
from rules.stone_placement import draw as draw_stones

if TYPE_CHECKING:
    from random import Random


_SIDES = {disc: side for side, disc in DISCS.items()}
_LEGEND = (
    (WHITE, "White's disc"),
    (BLACK, "Black's disc"),
    *((suit, f"an empty tile, a {name}") for suit, name in SUITS.items()),
)


@dataclass(frozen=True)
class BagelPosition(Placement):
    """One situation: what lies where since which ply, and whether sides were exchanged."""

    swapped: bool

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return board()

    def judge(self) -> Outcome | None:
        """The count once no tile is empty, or the side to play has no disc in its reserve."""
        over = EMPTY not in self.cells or not self._left
        return outcome_of(self.cells, int(self.swapped)) if over else None

    @property
    def layout(self) -> str:
        """The suit of each tile, in reading order."""
        return str(self.options["layout"])

    @property
    def _disc(self) -> str:
        return BLACK if self.swapped != (self.turn == 1) else WHITE

    @property
    def _left(self) -> int:
        """Discs in the reserve of the side to play."""
        return RESERVE - self.cells.count(self._disc)

    @property
    def may_pair(self) -> bool:
        """True where two discs may be placed: not on the first ply, nor with one left."""
        return bool(self.ply) and self._left >= MOST

    def side(self, seat: Seat) -> str:
        return "Black" if self.swapped != (seat == 1) else "White"

    @property
    def sides(self) -> tuple[str, str]:
        return self.side(0), self.side(1)

    @property
    def may_swap(self) -> bool:
        return not self.outcome and swap_problem(self.ply) is None

    def read(self, text: str) -> Move:
        return read(board(), text)

    # ------------------------------------------------------------------------------------- legality

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if isinstance(move, Swap):
            return swap_problem(self.ply, due=f"{_SIDES[self._disc]} {self._due()}")
        if isinstance(move, Discs) and 1 <= len(move.cells) <= MOST:
            return self._taken(move) or (self._pair_problem(*move.cells) if len(move.cells) == 2 else None)
        return f"{move} is no move of Bagel."

    def _taken(self, move: Discs) -> str | None:
        for name in move.cells:
            if name not in board().index:
                return no_such_tile(board(), name)
            if taken := self.taken(board().index[name]):
                return f"{taken}."
        return None

    def _pair_problem(self, one: str, other: str) -> str | None:
        """The reason why two discs may not be placed on two empty tiles."""
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
        """The tiles that may be taken together with one: `with a1 or c6`, `alone`."""
        names = board().names
        found = sorted(names[mate] for mate in mates(self.layout)[tile] if self.cells[mate] == EMPTY)
        return f"with {join_words(found, 'or')}" if found else "alone"

    # ------------------------------------------------------------------------------------- playing

    def follow(self, move: Move) -> BagelPosition:
        ply = self.ply + 1
        if isinstance(move, Swap):
            return BagelPosition(self.rules, self.options, ply, self.cells, self.laid, True)
        if not isinstance(move, Discs):
            raise Illegal(f"{move} is no move of Bagel.")
        cells, laid = self.lay([board().index[name] for name in move.cells], self._disc)
        return BagelPosition(self.rules, self.options, ply, cells, laid, self.swapped)

    def moves(self) -> Iterator[Move]:
        if self.outcome:
            return
        yield from (Discs((name,)) for name in self.playable())
        yield from self._pairs()
        if self.may_swap:
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
        if self.may_swap and rng.random() < 0.1:
            return SWAP
        pairs = list(self._pairs())
        if pairs and rng.random() < 0.7:
            return rng.choice(pairs)
        return Discs((rng.choice(names),))

    def examples(self) -> list[str]:
        """The tile nearest to the hole, the pair nearest to it, and `swap` where it is open."""
        if self.outcome:
            return []
        place = board()
        found = place.nearest((6, 3), self.open)
        single = [] if found is None else [place.names[found]]
        pair = min(self._pairs(), key=lambda discs: sum(map(_off_centre, discs.cells)), default=None)
        swap = [str(SWAP)] if self.may_swap else []
        return [*single, *([str(pair)] if pair else []), *swap]

    # ------------------------------------------------------------------------------------- telling

    def data(self) -> dict[str, Any]:
        return {**super().data(), "swapped": self.swapped}

    def scores(self) -> dict[str, Any]:
        return score_table(self.cells)

    def notes(self) -> list[str]:
        side = _SIDES[self._disc]
        if self.outcome:
            empty = self.cells.count(EMPTY)
            return [f"{side} has no disc left to place." if empty else "No tile is empty any more."]
        due = f"{side} ({self._disc}) {self._due()}."
        if self.may_swap:
            return [due, swap_offer(self.sides)]
        return [swap_news(self.sides), due] if self.swapped and self.ply == 2 else [due]

    def _due(self) -> str:
        """The action that the side to play owes, as the end of a sentence."""
        if not self.ply:
            return "places one disc, on any tile"
        if self._left == 1:
            return "has one disc left and places it on any empty tile"
        if not any(True for _ in self._pairs()):
            return "places one disc; no two empty tiles of one suit are in line any more"
        return "places one disc, or two on empty tiles of one suit in line"

    @property
    def glyphs(self) -> list[str]:
        """The discs, and the suits of empty tiles."""
        pairs = zip(self.cells, self.layout, strict=True)
        return [suit if held == EMPTY else held for held, suit in pairs]

    @property
    def lists(self) -> list[tuple[str, str]]:
        suits = [(f"{label.capitalize()}s ({suit})", suit) for suit, label in SUITS.items()]
        return [*((f"{side} ({disc})", disc) for side, disc in DISCS.items()), *suits]

    def stones(self) -> list[tuple[str, list[str]]]:
        return [(label, sorted(found)) for label, found in super().stones()]

    @property
    def won(self) -> frozenset[int]:
        disc = self.winning_disc
        return frozenset(tile for held, row in rows(self.cells) if held == disc for tile in row)

    @property
    def winning_disc(self) -> str | None:
        """The disc of the winner, None before the end."""
        return DISCS[self.outcome.side] if self.outcome and self.outcome.side else None

    def words(self, tile: int) -> str:
        if self.cells[tile] == EMPTY:
            return f"empty, a {SUITS[self.layout[tile]]}"
        return f"{_SIDES[self.cells[tile]]}'s disc, ply {self.laid[tile]}"


def draw(position: BagelPosition) -> Picture:
    """The picture of a position; rows of three and more are joined, the winner's in blue at the end."""
    xy, won = board().xy, position.winning_disc
    lines = [
        Line("route" if disc == won else "row", (xy[row[0]], xy[row[-1]]))
        for disc, row in rows(position.cells)
    ]
    return draw_stones(position, SUITS, _LEGEND, lines)


def _off_centre(name: str) -> int:
    """The distance of a cell from the hole, for an order alone."""
    letter, row = ord(name[0]) - ord("d"), int(name[1]) - 4
    return letter * letter + row * row - letter * row
