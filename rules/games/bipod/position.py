"""A position of Bipod: legal plies, the next position, and its words."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from random import Random
from typing import Any, Self

from rules import notation
from rules.board import LETTERS, Board, joints
from rules.contract import SEAT_NAMES, Illegal, Move, Outcome, Seat
from rules.games.bipod import paths
from rules.games.bipod.distances import few_blocks
from rules.games.bipod.moves import ADOPT, Stone, read
from rules.games.bipod.paths import BLOCK, EMPTY, LEFT, LEFT_START, RIGHT, RIGHT_START, Ground
from rules.grids import Point
from rules.picture import Label, Line, Picture
from rules.stone_placement import Placement
from rules.stone_placement import draw as draw_stones
from rules.stone_reading import Cells

_CUT_OFF = ":"
MAX_BLOCKS = 30
"""The most open cells with which a search looks at all single blocks before an adoption."""

_GLYPHS = (  # glyph, look, label of its list, words for a cell, words in the legend
    (LEFT_START, "start-ring", "Left start", "the left start", "the left start"),
    (RIGHT_START, "start-disc", "Right start", "the right start", "the right start"),
    (BLOCK, "block", "Blocks", "a block", "a block"),
    (LEFT, "ring", "Left path", "Runner's o", "Runner's stone for the left start"),
    (RIGHT, "disc", "Right path", "Runner's O", "Runner's stone for the right start"),
    (_CUT_OFF, "cut", "Cut off", "empty, cut off", "an empty cell that is cut off"),
)

_LOOKS = {glyph: look for glyph, look, *_ in _GLYPHS}
_WORDS = {EMPTY: "empty", **{glyph: words for glyph, _, _, words, _ in _GLYPHS}}
_LEGEND = sorted(((glyph, words) for glyph, *_, words in _GLYPHS), key=lambda row: "x@oQO:".index(row[0]))


def _ground_of(options: Mapping[str, Any]) -> Ground:
    return paths.ground(options["size"], options["middle"], options["rows"])


@dataclass(frozen=True)
class BipodPosition(Placement):
    """One situation: the content of each cell, its ply, and the ply of the adoption."""

    adopted: int = 0
    """The ply of the adoption, 0 before there is one."""

    @staticmethod
    def board_of(options: Mapping[str, Any]) -> Board:
        return _ground_of(options).board

    @classmethod
    def first_cells(cls, options: Mapping[str, Any]) -> str:
        ground = _ground_of(options)
        starts = {ground.left: LEFT_START, ground.right: RIGHT_START}
        return "".join(starts.get(cell, EMPTY) for cell in range(len(ground.board)))

    def judge(self) -> Outcome | None:
        """Return how the running phase ends. The adopter is Blocker (not the reverse, as the post has it)."""
        if not self.adopted:
            return None
        return paths.judge(self.ground, self.cells, 1 if self.adopted % 2 else 0)

    @cached_property
    def ground(self) -> Ground:
        return _ground_of(self.options)

    @cached_property
    def open(self) -> list[bool]:
        return paths.open_cells(self.ground, self.cells)

    def side(self, seat: Seat) -> str | None:
        if not self.adopted:
            return None
        return "Blocker" if (self.adopted - 1) % 2 == seat else "Runner"

    def read(self, text: str) -> Move:
        return read(self.board, text)

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if move == ADOPT:
            said = f"adopt was said already, in move {self.adopted}; now {self._due()}."
            return said if self.adopted else None
        if isinstance(move, Cells):
            return self._blocks_problem(move)
        if not isinstance(move, Stone):
            return f"{move} is no move of Bipod."
        if not self.adopted:
            return f"{move}: nobody has adopted yet, so there is no Runner; now {self._due()}."
        if self._blocking:
            return f"{move}: it is Blocker's move, and a block has no colour; write {move.cell} alone."
        return self.cell_problem(move.cell)

    def _blocks_problem(self, move: Cells) -> str | None:
        if self.adopted and not self._blocking and len(move.cells) == 1:
            cell = move.cells[0]
            return self.cell_problem(cell) or (
                f"{cell}: Runner's stone needs its colour; write {cell} o for the left start's (@)"
                f" or {cell} O for the right start's (Q)."
            )
        most = 1 if self.adopted else self.options["stones"]
        if not 1 <= len(move.cells) <= most:
            return f"{move}: that is {len(move.cells)} cells in one move; now {self._due()}."
        return self._cells_problem(move.cells)

    def _cells_problem(self, names: Sequence[str]) -> str | None:
        """Return why these cells cannot all be blocked, or None. Each is judged after the ones before it."""
        for count, name in enumerate(names):
            if name in names[:count]:
                return f"{name} is in this move twice; each cell takes one block."
            if sentence := self.cell_problem(name, names[:count]):
                return sentence
        return None

    def cell_problem(self, name: str, before: Sequence[str] = ()) -> str | None:
        """Return why no stone may be laid on `name` after blocks on the cells `before`, or None."""
        board = self.board
        cell = board.index.get(name)
        if cell is None:
            return notation.no_such_cell(board, name)
        if taken := self.taken(cell):
            small = name.lower()
            hint = f"; {small} is free" if small != name and small in self.playable() else ""
            return f"{taken}{hint}."
        free = self.open_after(before)
        if free[cell]:
            return None
        blocked = f"{notation.join_words(before)} {'is' if len(before) == 1 else 'are'} blocked"
        by = f" once {blocked}" if before else ""
        near = board.nearest(board.xy[cell], free)
        hint = "" if near is None else f"; the nearest cell still open is {board.names[near]}"
        return f"{name} is cut off from both starts{by}{hint}."

    def open_after(self, before: Sequence[str]) -> list[bool]:
        """Return by cell True if it may be played after blocks on the cells `before`."""
        return self.lay(before, BLOCK).open if before else self.open

    @property
    def _blocking(self) -> bool:
        return self.to_play is not None and self.side(self.to_play) == "Blocker"

    @property
    def running(self) -> bool:
        return bool(self.adopted) and not self.outcome and not self._blocking

    def _due(self) -> str:
        """Return the action that the seat to play owes, as the end of a sentence."""
        if not self.adopted:
            if not any(self.open):
                return "no cell is open and adopt is the only move"
            most = self.options["stones"]
            return f"a move is {'1 block' if most == 1 else f'1 to {most} blocks'}, or adopt"
        if self._blocking:
            return "Blocker lays one block, a cell alone"
        return "Runner lays one stone, a cell and its colour, o or O"

    def follow(self, move: Move) -> Self:
        if isinstance(move, Stone):
            return self.lay([move.cell], move.colour)
        if isinstance(move, Cells):
            return self.lay(move.cells, BLOCK)
        return replace(self, ply=self.ply + 1, adopted=self.ply + 1)

    def moves(self) -> Iterator[Move]:
        if self.outcome:
            return
        is_running = self.running
        for name in self.playable():
            if is_running:
                yield Stone(name, LEFT)
                yield Stone(name, RIGHT)
            else:
                yield Cells((name,))
        if not self.adopted:
            yield ADOPT

    def sample(self, rng: Random) -> Move:
        names = self.playable()
        if not self.adopted and (not names or rng.random() < 0.1):
            return ADOPT
        if not names:
            raise Illegal(self.problem(ADOPT) or "")
        if self.running:
            return Stone(rng.choice(names), rng.choice((LEFT, RIGHT)))
        chosen = [rng.choice(names)]
        for _ in range(rng.randrange(1 if self.adopted else self.options["stones"])):
            more = [*chosen, rng.choice(names)]
            if self._cells_problem(more) is None:
                chosen = more
        return Cells(tuple(chosen))

    def examples(self) -> list[str]:
        """Return cells two rows below each start, or the nearest open ones."""
        if self.outcome:
            return []
        board = self.board
        below = [(board.xy[start][0], 2) for start in (self.ground.left, self.ground.right)]
        found = [board.nearest(place, self.open) for place in below]
        names = list(dict.fromkeys(board.names[cell] for cell in found if cell is not None))
        if self.adopted:
            return names if self._blocking else [f"{names[0]} {LEFT}", f"{names[-1]} {RIGHT}"]
        both = " ".join(names)
        if len(names) == 2 and self.problem(Cells(tuple(names))) is None:
            return [names[0], both, "adopt"]
        return [*names[:1], "adopt"]

    def notes(self) -> list[str]:
        if self.outcome:
            return []
        due = self._due()
        sentence = f"{due[0].upper()}{due[1:]}."
        if not self.adopted:
            return [sentence, "Whoever adopts is Blocker; the other is Runner and plays next."]
        if self.adopted == self.ply:
            adopter = SEAT_NAMES[(self.adopted - 1) % 2]
            return [f"Move {self.ply} was adopt: the {adopter} player is Blocker from now on.", sentence]
        return [sentence]

    def meanings(self, move: Move) -> Mapping[str, Move]:
        """Return the meanings of capitals, since a phone may have made them from small letters."""
        names = [move.cell] if isinstance(move, Stone) else list(getattr(move, "cells", ()))
        capitals = [name for name in names if name[0].isupper()]
        if not capitals or capitals not in (names[:1], names):
            return {}
        cells = tuple(name.lower() for name in names)
        small = Stone(cells[0], move.colour) if isinstance(move, Stone) else Cells(cells)
        return {} if self.problem(small) else {"small": small, "large": move}

    def remark(self, text: str, move: Move) -> str | None:
        if not self.meanings(move):
            return None
        cell = str(move).split()[0]
        return f"{cell} was taken as written, with its capital; {cell.lower()} was open as well."

    @cached_property
    def glyphs(self) -> list[str]:
        pairs = zip(self.cells, self.open, strict=True)
        return [_CUT_OFF if held == EMPTY and not is_open else held for held, is_open in pairs]

    @property
    def lists(self) -> Iterator[tuple[str, str]]:
        return ((f"{label} ({glyph})", glyph) for glyph, _, label, *_ in _GLYPHS)

    @cached_property
    def routes(self) -> list[list[int]]:
        if not self.outcome or self.outcome.side != "Runner":
            return []
        chains = [paths.shortest_chain(self.ground, self.cells, colour) for colour in (LEFT, RIGHT)]
        return [chain for chain in chains if chain]

    @cached_property
    def wall(self) -> frozenset[int]:
        """Return the stones of Blocker's wall, which surround a start that has no way left."""
        if not self.outcome or self.outcome.side != "Blocker":
            return frozenset()
        wall = set[int]()
        for colour in (LEFT, RIGHT):
            if paths.outermost(self.ground, self.cells, colour) is None:
                inside = paths.reach(self.ground, self.cells, colour)
                wall |= {beside for cell in inside for beside in self.board.near[cell]} - inside
        return frozenset(wall)

    @cached_property
    def ways(self) -> list[list[int]]:
        """Return two routes that share a cell, as far apart as possible, if Blocker won without a wall."""
        if not self.outcome or self.outcome.side != "Blocker":
            return []
        found = [paths.outermost(self.ground, self.cells, colour) for colour in (LEFT, RIGHT)]
        return [way for way in found if way] if all(found) else []

    @property
    def shared(self) -> frozenset[int]:
        return frozenset(self.ways[0]).intersection(self.ways[1]) if self.ways else frozenset()

    @property
    def won(self) -> frozenset[int]:
        return self.wall.union(self.shared, *self.routes)

    def words(self, cell: int) -> str:
        ply = self.laid[cell]
        return _WORDS[self.glyphs[cell]] + (f", move {ply}" if ply else "")

    @property
    def complete(self) -> bool:
        """True after an adoption, and on small boards with single blocks."""
        return bool(self.adopted) or (self.options["stones"] == 1 and len(self.playable()) <= MAX_BLOCKS)

    def actions(self) -> Sequence[Move]:
        """Return the legal plies, or a selection if `complete` is False.

        Before an adoption the selection is `adopt` and some sets of one to three blocks. The time to adopt is
        a bid, and a search judges it better by many looks at few blocks than by one look at each.
        """
        if self.adopted or self.outcome or self.complete:
            return list(self.moves())
        names, most = self.board.names, self.options["stones"]
        found = few_blocks(self.ground, self.cells, self.open, most)
        blocks = [Cells(tuple(names[cell] for cell in group)) for group in found]
        legal = [move for move in blocks if len(move.cells) == 1 or self._cells_problem(move.cells) is None]
        return [*legal, ADOPT]

    def key(self) -> Hashable:
        return self.cells, self.ply % 2, self.adopted and 1 + self.adopted % 2

    def data(self) -> dict[str, Any]:
        return {**super().data(), "adopted": self.adopted}


def draw(position: BipodPosition) -> Picture:
    board = position.board
    lines = (
        Line("edge", _short_sides(board)),
        *(Line("route", tuple(board.xy[cell] for cell in route)) for route in position.routes),
        *(Line("way", tuple(board.xy[cell] for cell in way)) for way in position.ways),
        *(Line("route", ends) for ends in joints(board, position.wall | position.shared)),
        *(Line("route", ((x - 0.3, y), (x + 0.3, y))) for x, y in map(board.xy.__getitem__, position.shared)),
    )
    return draw_stones(position, _LOOKS, _LEGEND, lines, _labels(board))


@cache
def _labels(board: Board) -> tuple[Label, ...]:
    """Return the board's labels: a rule, letters below (in a drawing above), and row numbers."""
    rows = board.xy[-1][1] + 1
    width = max(x for x, _ in board.xy) + 1
    return (
        Label("text", "_" * width, 0, -1),
        *(Label("row", str(y + 1), width + 3, y, (width + 0.7 - y, y)) for y in range(rows)),
        *(Label("column", LETTERS[x], x, rows, (x, -0.95)) for x in range(width)),
    )


@cache
def _short_sides(board: Board) -> tuple[Point, ...]:
    rows = board.xy[-1][1] + 1
    right = max(x for x, _ in board.xy)
    down = [(y - 1.0, y + step) for y in range(rows) for step in (-1 / 3, 1 / 3)]
    bottom = [(x + 0.0, rows - 1 + (1 + (x - rows) % 2) / 3) for x in range(rows - 1, right - rows + 2)]
    up = [(right - x, y) for x, y in reversed(down)]
    return (*down, *bottom, *up)
