"""A position of Bagel: legal plies, the next position, and its words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from rules.board import Board
from rules.contract import Illegal, Move, Outcome, Rules
from rules.games.bagel import tiles
from rules.games.bagel.moves import MAX_DISCS, read
from rules.games.bagel.tiles import DISCS, EMPTY, SUITS, board, mates, scoring_rows
from rules.notation import join_words
from rules.picture import Line, Picture
from rules.stone_placement import WithPie
from rules.stone_placement import draw as draw_stones
from rules.stone_reading import SWAP, Cells

_LEGEND = (
    *((disc, f"{side}'s disc") for side, disc in DISCS.items()),
    *((suit, f"an empty tile, a {name}") for suit, name in SUITS.items()),
)


@dataclass(frozen=True)
class BagelPosition(WithPie):
    """One situation: the content of each tile, its ply, and if sides were exchanged."""

    players = (("White", DISCS["White"]), ("Black", DISCS["Black"]))
    player = "{} ({})"
    most = MAX_DISCS

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return board(tiles.count_tiles(options))

    @classmethod
    def begin(cls, rules: Rules, options: Mapping[str, Any], seed: int = 0) -> Self:
        """Begin with empty tiles. The options then hold the layout itself, whatever the seed."""
        layout = (
            tiles.deal(seed, tiles.count_tiles(options))
            if options["layout"] == tiles.RANDOM
            else options["layout"]
        )
        return super().begin(rules, {**options, "layout": layout})

    def judge(self) -> Outcome | None:
        """Count once no tile is empty, or the side to play has no disc in reserve."""
        if EMPTY in self.cells and self._left:
            return None
        side, reason = tiles.verdict(self.cells)
        return Outcome(self.seat(int(side == "Black")), side, reason)

    @property
    def layout(self) -> str:
        return str(self.options["layout"])

    def suit(self, name: str) -> str:
        return SUITS[self.layout[self.board.index[name]]]

    @property
    def _left(self) -> int:
        return tiles.reserve(len(self.cells)) - self.cells.count(self.players[self.colour][1])

    @property
    def may_pair(self) -> bool:
        return bool(self.ply) and self._left >= MAX_DISCS

    def read(self, text: str) -> Move:
        return read(self.board, text)

    def shut(self, names: Sequence[str]) -> str | None:
        if len(names) == 1:
            return None
        one, other = names
        pair = f"{one} {other}"
        if one == other:
            return f"{one} is in this move twice; write {one} alone, or two different cells."
        if not self.ply:  # White's first ply is one disc alone
            return f"{pair}: the first move of the game is one disc; write {one} or {other}."
        if self._left == 1:
            return f"{pair}: {self.players[self.colour][0]} has one disc left; write {one} or {other}."
        a, b = self.board.index[one], self.board.index[other]
        if b in mates(self.layout)[a]:
            return None
        mine, its = self.suit(one), self.suit(other)
        reason = f"both are {mine}s, but in no row or diagonal together"
        if mine != its:
            reason = f"{one} is a {mine} and {other} a {its}, and two discs go on one suit"
        return f"{pair}: {reason}; {one} goes {self._company(a)}, {other} {self._company(b)}."

    def _company(self, tile: int) -> str:
        """Return the tiles that may be taken together with this one: `with a1 or c6`, `alone`."""
        names = self.board.names
        found = sorted(names[mate] for mate in mates(self.layout)[tile] if self.cells[mate] == EMPTY)
        return f"with {join_words(found, 'or')}" if found else "alone"

    def moves(self) -> Iterator[Move]:
        yield from super().moves()
        yield from self._pairs()

    def _pairs(self) -> Iterator[Cells]:
        if not self.may_pair:
            return
        names = self.board.names
        for tile, others in enumerate(mates(self.layout)):
            if self.cells[tile] == EMPTY:
                for other in others:
                    if tile < other and self.cells[other] == EMPTY:
                        yield Cells(tuple(sorted((names[tile], names[other]))))

    def sample(self, rng: Random) -> Move:
        names = self.playable()
        if not names:
            raise Illegal(self.problem(SWAP) or "")
        if self.may_swap and rng.random() < 0.1:
            return SWAP
        pairs = list(self._pairs())
        if pairs and rng.random() < 0.7:
            return rng.choice(pairs)
        return Cells((rng.choice(names),))

    def examples(self) -> list[str]:
        """Return the tile and pair nearest to the hole, and `swap` if it is open."""
        if self.outcome:
            return []
        place, side = self.board, tiles.SIDES[len(self.cells)]
        found = place.nearest((2 * side - 2, side - 1), self.open)
        single = [] if found is None else [place.names[found]]
        pair = min(
            self._pairs(), key=lambda discs: sum(_off(each, side) for each in discs.cells), default=None
        )
        swap = [str(SWAP)] if self.may_swap else []
        return [*single, *([str(pair)] if pair else []), *swap]

    def scores(self) -> dict[str, Any]:
        return tiles.score_table(self.cells)

    def remarks(self) -> list[str]:
        if not self.outcome:
            return []
        side = self.players[self.colour][0]
        empty = EMPTY in self.cells
        return [f"{side} has no disc left to place." if empty else "No tile is empty any more."]

    @property
    def lays(self) -> str:
        if not self.ply:
            return "places one disc, on any tile"
        if self._left == 1:
            return "has one disc left and places it on any empty tile"
        if not any(True for _ in self._pairs()):
            return "places one disc; no two empty tiles of one suit are in line any more"
        return "places one disc, or two on empty tiles of one suit in line"

    @property
    def glyphs(self) -> list[str]:
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
        won = self.outcome and self.outcome.side
        return frozenset(tile for side, row in scoring_rows(self.cells) if side == won for tile in row)

    def words(self, tile: int) -> str:
        if self.cells[tile] == EMPTY:
            return f"empty, a {SUITS[self.layout[tile]]}"
        return f"{self.players[self.cells[tile] == DISCS['Black']][0]}'s disc, move {self.laid[tile]}"


def draw(position: BagelPosition) -> Picture:
    """Draw a position with its rows of three or more. At the end the winner's rows are blue."""
    xy, won = position.board.xy, position.outcome and position.outcome.side
    lines = [
        Line("route" if side == won else "row", (xy[row[0]], xy[row[-1]]))
        for side, row in scoring_rows(position.cells)
    ]
    return draw_stones(position, SUITS, _LEGEND, lines)


def _off(name: str, side: int) -> int:
    """Return the square of a tile's distance from the hole, on a board with `side` tiles on a side."""
    letter, row = ord(name[0]) - ord("a") - side + 1, int(name[1]) - side
    return letter * letter + row * row - letter * row
