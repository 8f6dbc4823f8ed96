"""A base class for games of pieces that move. A game says how each kind of piece goes."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from random import Random
from typing import Any, ClassVar, Literal, Self

from rules import notation
from rules.board import Board
from rules.contract import Illegal, Move, NoMove, Outcome, Rules, Seat, Unreadable
from rules.copying import replaced
from rules.draft import Choice, Draft
from rules.grids import Place
from rules.stone_placement import EMPTY, Placement, draw


@dataclass(frozen=True)
class Path:
    """A ply of one piece from cell to cell. Two paths are equal if their cells are."""

    cells: tuple[str, ...]
    takes: bool = field(default=False, compare=False)
    """True if a piece is taken, which is written as `d6xe7` instead of `d6-e7`."""

    def __str__(self) -> str:
        return ("x" if self.takes else "-").join(self.cells)


@dataclass(frozen=True)
class Way:
    """One way in which a piece goes, seen from the first player's side of the board."""

    step: Place
    """The way to the next cell, as in `rules.grids`: up is (0, -1)."""
    kind: Literal["step", "slide", "jump"] = "step"
    """To the next cell, any number of cells, or over the piece on the next cell to the cell behind it."""
    moves: bool = True
    """True if the piece may go so to an empty cell. Whoever jumps then jumps over any piece."""
    takes: bool = True
    """True if the piece may take a rival so: on the last cell, or the one that it jumps over."""


Paths = Mapping[int, tuple[int, ...]]
"""By the cell where a path ends: the cells that it empties besides its first, or ()."""


@cache
def _ahead(board: Board, step: Place) -> tuple[int, ...]:
    """Return by cell the next cell in this direction, -1 where the board ends."""
    at = {place: cell for cell, place in enumerate(board.xy)}
    return tuple(at.get((x + step[0], y + step[1]), -1) for x, y in board.xy)


@dataclass(frozen=True)
class Moving(Placement):
    """A game in which a ply moves one piece of the player's own. `laid` has the ply that changed a cell."""

    players: ClassVar[tuple[tuple[str, str], tuple[str, str]]] = (("White", "O"), ("Black", "X"))
    """The side of each player, and the glyphs of that side's pieces; `first` comes first."""
    pieces: ClassVar[Mapping[str, str]] = {"O": "man", "X": "man"}
    """The name of a kind of piece by its glyph."""
    must_take: ClassVar[bool] = False
    """True if a player who can take a piece has to."""

    @property
    @abstractmethod
    def ways(self) -> Mapping[str, Sequence[Way]]:
        """Return by glyph the ways of a piece. The second player's pieces go turned round."""

    @property
    def colour(self) -> int:
        return self.ply % 2

    def side(self, seat: Seat) -> str:
        return self.players[seat][0]

    def owner(self, cell: int) -> int | None:
        """Return the player whose piece stands on a cell, or None."""
        held = self.cells[cell]
        return next((n for n, (_, glyphs) in enumerate(self.players) if held in glyphs), None)

    def paths(self, cell: int) -> Paths:
        """Return the paths of the piece on a cell, without regard to what must be taken."""
        owner = self.owner(cell)
        found: dict[int, tuple[int, ...]] = {}
        for way in self.ways.get(self.cells[cell], ()) if owner is not None else ():
            across, down = way.step
            ahead = _ahead(self.board, (-across, -down) if owner else way.step)
            there = ahead[cell]
            while way.kind == "slide" and way.moves and there >= 0 and self.cells[there] == EMPTY:
                found[there] = ()
                there = ahead[there]
            if there < 0:
                continue
            over, is_rival = there, self.owner(there) == 1 - (owner or 0)
            if way.kind == "jump":
                there = ahead[over]
                if there < 0 or self.cells[there] != EMPTY or self.cells[over] == EMPTY:
                    continue
                if is_rival and way.takes:
                    found[there] = (over,)
                elif way.moves:
                    found[there] = ()
            elif is_rival and way.takes:
                found[there] = (there,)
            elif self.cells[there] == EMPTY and way.moves:
                found[there] = ()
        return found

    @cached_property
    def open_paths(self) -> Mapping[int, Paths]:
        """Return the legal paths by the cell where they begin; {} at the end of the game."""
        if self.outcome:
            return {}
        own = [cell for cell in range(len(self.cells)) if self.owner(cell) == self.colour]
        begun = {cell: paths for cell in own if (paths := self.paths(cell))}
        if not self.must_take or not any(taken for paths in begun.values() for taken in paths.values()):
            return begun
        taking = {cell: {end: taken for end, taken in begun[cell].items() if taken} for cell in begun}
        return {cell: paths for cell, paths in taking.items() if paths}

    @property
    def last(self) -> list[int]:
        return [cell for cell, ply in enumerate(self.laid) if ply == self.ply] if self.ply else []

    @property
    def open(self) -> Sequence[int]:
        begun = self.open_paths
        return [cell in begun for cell in range(len(self.cells))]

    def _end(self) -> Outcome | None:
        return self.judge()

    def lost(self, colour: int, reason: str) -> Outcome:
        """Return the end of a game that this player has lost."""
        winner: Seat = 0 if colour else 1
        return Outcome(winner, self.side(winner), f"{self.side(winner)} wins: {reason}")

    def follow(self, move: Move) -> Self:
        assert isinstance(move, Path)
        start, end = (self.board.index[name] for name in move.cells)
        cells, laid, ply = list(self.cells), list(self.laid), self.ply + 1
        for cell in (*self.paths(start)[end], start):
            cells[cell] = EMPTY
        cells[end] = self.arrived(self.cells[start], end)
        laid[start] = laid[end] = ply
        changes = {"board": self.board, "ply": ply, "cells": "".join(cells), "laid": tuple(laid)}
        made = replaced(self, changes)
        made.__dict__["outcome"] = made._end()
        return made

    def arrived(self, piece: str, cell: int) -> str:
        """Return the piece that stands on the last cell of its path; a game may promote it."""
        return piece

    def path(self, start: int, end: int) -> Path:
        names = self.board.names
        return Path((names[start], names[end]), bool(self.paths(start).get(end)))

    def moves(self) -> Iterator[Path]:
        for start, paths in self.open_paths.items():
            yield from (self.path(start, end) for end in paths)

    def sample(self, rng: Random) -> Path:
        if self.outcome:
            raise Illegal(self.over() or "")
        begun = self.open_paths
        start = rng.choice(list(begun))
        return self.path(start, rng.choice(list(begun[start])))

    def examples(self) -> list[str]:
        moves = list(map(str, self.moves()))
        return list(dict.fromkeys((moves[len(moves) // 2], moves[0]))) if moves else []

    def read(self, text: str) -> Path:
        cells = read_path(self.board, self.rules.name, text)
        start, end = (self.board.index[name] for name in cells)
        return Path(cells, bool(self.paths(start).get(end)) or "x" in text.lower().replace("-", ""))

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if not isinstance(move, Path) or len(move.cells) != 2:
            return f"{move} is no move of {self.rules.name}."
        for name in move.cells:
            if name not in self.board.index:
                return notation.no_such_slanted_cell(self.board, name)
        start, end = (self.board.index[name] for name in move.cells)
        paths = self.open_paths.get(start, {})
        if end in paths:
            if move.takes and not paths[end]:
                return f"{move}: nothing is taken there; write {self.path(start, end)}."
            return None
        return f"{self.refusal(start, end)}{self._instead(start)}."

    def refusal(self, start: int, end: int) -> str:
        """Return why the piece on `start` may not go to `end`, as the beginning of a sentence."""
        here, there = self.board.names[start], self.board.names[end]
        if self.owner(start) is None:
            return f"{here} is {self.words(start)}"
        if self.owner(start) != self.colour:
            return f"{here} has {self.words(start)}, and {self.players[self.colour][0]} is to move"
        if end in self.paths(start):
            return f"{here}-{there}: a piece can be taken, so one must be"
        if self.owner(end) == self.colour:
            return f"{here}-{there}: {there} has a {self.pieces[self.cells[end]]} of yours"
        return f"{here}-{there}: the {self.pieces[self.cells[start]]} on {here} cannot go to {there}"

    def _instead(self, start: int) -> str:
        """Return the end of a refusal: the moves of the piece, or the nearest legal move."""
        begun, names = self.open_paths, self.board.names
        if start in begun:
            return f"; it may go to {notation.join_words((names[end] for end in begun[start]), 'or')}"
        nearest = self.board.nearest(self.board.xy[start], self.open)
        return "" if nearest is None else f"; possible is {self.path(nearest, next(iter(begun[nearest])))}"

    def words(self, cell: int) -> str:
        owner = self.owner(cell)
        if owner is None:
            return "empty"
        return f"a {self.players[owner][0].lower()} {self.pieces[self.cells[cell]]}"

    @property
    def lists(self) -> Iterable[tuple[str, str]]:
        return [
            (f"{side} ({glyph})" if len(glyphs) == 1 else f"{side}, {self.pieces[glyph]} ({glyph})", glyph)
            for side, glyphs in self.players
            for glyph in glyphs
        ]

    def notes(self) -> list[str]:
        if self.outcome:
            return []
        side, glyphs = self.players[self.colour]
        return [f"{side} ({glyphs}) moves one piece." if len(glyphs) == 1 else f"{side} moves one piece."]


def moving(position: type[Moving], **named: Any) -> Rules:
    """Return the rules of a game of moving pieces. `named` has the other fields of `Rules`."""
    return Rules(
        setup=position.begin, **{"options": (), "draw": draw, "draft": draft, "family": "moving", **named}
    )


_PATH = re.compile(r"([a-z])0*([0-9]{1,6})\s*(?:-+>?|x|:|to|\s|\N{EN DASH})?\s*([a-z])0*([0-9]{1,6})")
_CELL = re.compile(r"[a-z]0*[0-9]{1,6}")
_TURNED = re.compile(r"([0-9]{1,3})([a-z])\s*[-x:]?\s*([0-9]{1,3})([a-z])")


def read_path(board: Board, game: str, text: str) -> tuple[str, str]:
    """Return the two cells that `text` spells on `board`: `a2-a3`, `a2 a3`, `a2xb3`, `a2a3`."""
    line = " ".join(notation.words(text.lower())) if len(text) <= notation.MAX_LENGTH else ""
    example = f"{board.names[len(board) // 2]}-{board.names[len(board) // 2 - 1]}"
    if match := _PATH.fullmatch(line):
        start, end = match[1] + match[2], match[3] + match[4]
        for name in (start, end):
            if name not in board.index:
                raise Unreadable(notation.no_such_slanted_cell(board, name))
        return start, end
    if line == "pass":
        raise Unreadable(f"pass: nobody passes in {game}; a move is two cells, such as {example}.")
    if _CELL.fullmatch(line):
        raise Unreadable(f"{line}: a move is two cells, first the piece's, as in {example}.")
    if match := _TURNED.fullmatch(line):
        meant = f"{match[2]}{match[1]}-{match[4]}{match[3]}"
        raise Unreadable(f"{line}: the letter comes first; write {meant}.")
    pieces = notation.pieces(line.replace("x", " "))
    if len(pieces) > 2 and all(map(_CELL.fullmatch, pieces)):
        raise Unreadable(f"{line}: that is {len(pieces)} cells; a move is two, as in {example}.")
    raise NoMove(f"That is no move of {game}: a move is two cells, such as {example}.")


def draft(position: Moving, text: str) -> Draft:
    """Compose a ply by two clicks: a piece, then the cell where it goes. A click on another piece changes."""
    names, begun = position.board.names, position.open_paths
    start, move = position.board.index.get(text), None
    if start is not None and start not in begun:
        raise Illegal(position.over() or f"{position.refusal(start, start)}.")
    if text.strip() and start is None:
        move = position.read(text)
        position.play(move)
        start = position.board.index[move.cells[0]]
    choices = []
    for cell in begun:
        piece = f"the {position.pieces[position.cells[cell]]} on {names[cell]}"
        if cell == start:
            choices.append(Choice("", f"Put down {piece}", names[cell]))
        else:
            choices.append(Choice(names[cell], f"Take up {piece}", names[cell]))
    if start is not None:
        for end, taken in begun[start].items():
            path = position.path(start, end)
            if path != move:
                choices.append(
                    Choice(str(path), f"{'Take on' if taken else 'Go to'} {names[end]}", names[end])
                )
    if position.outcome:
        hint = "The game is over."
    elif start is None:
        hint = "Choose a piece."
    else:
        hint = "Choose where it goes." if move is None else "Send it, or choose another move."
    back = None if not text else "" if move is None else move.cells[0]
    return Draft(text, tuple(choices), complete=move is not None, hint=hint, back=back)
