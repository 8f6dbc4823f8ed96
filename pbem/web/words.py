"""Players' words in a game, divided into pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from pbem.core.game.game import Game
from pbem.core.game.state import Ply

MAX_ON_A_GAME_PAGE = 20_000
MAX_ON_A_PAGE = 40_000
"""Characters of words on the game's page and on further pages."""
REMARK_OVERHEAD = 100
"""Characters added for each remark's name and date."""


@dataclass(frozen=True)
class Remark:
    """Words of one player, with their journal entry and ply."""

    entry: int
    after: int
    name: str
    words: str
    at: datetime
    move: str = ""
    """The ply that they came with, if any."""
    gone: bool = False
    """True if that ply was taken back."""
    n: int = 0
    """Its number among all remarks, from 1.

    Pages show it, as entry numbers would reveal secret conditional moves.
    """

    @property
    def cost(self) -> int:
        """Characters that it takes of a page."""
        return len(self.words) + REMARK_OVERHEAD


@dataclass(frozen=True)
class Page:
    """One page of words; `newer` and `older` begin the next pages."""

    remarks: Sequence[Remark]
    older: int | None
    newer: int | None


def collect_remarks(game: Game) -> list[Remark]:
    state = game.state
    found = [_ply_remark(game, ply) for ply in state.plies if ply.comment]
    found += [_ply_remark(game, taken.ply, gone=True) for taken in state.taken_back if taken.ply.comment]
    found += [
        Remark(said.entry, said.after, game.name_at(said.seat, said.entry), said.words, said.at)
        for said in state.said
    ]
    ordered = sorted(found, key=lambda remark: remark.entry)
    return [replace(remark, n=n) for n, remark in enumerate(ordered, 1)]


def _ply_remark(game: Game, ply: Ply, *, gone: bool = False) -> Remark:
    name = game.name_at(ply.seat, ply.entry)
    return Remark(ply.entry, ply.n, name, ply.comment, ply.at, ply.move, gone)


def entries_on_page(remarks: Sequence[Remark], n: int) -> frozenset[int]:
    """Entries whose words fit on the page of ply `n`. Words after that ply come first, then the newest."""
    ordered = sorted(remarks, key=lambda remark: (remark.after == n, remark.entry), reverse=True)
    return frozenset(remark.entry for remark in _remarks_that_fit(ordered, MAX_ON_A_GAME_PAGE))


def leaf(remarks: Sequence[Remark], first: int) -> Page:
    before = [remark for remark in remarks if remark.n < first]
    rest = remarks[len(before) :]
    shown = list(_remarks_that_fit(rest, MAX_ON_A_PAGE)) or list(rest[:1])
    older = list(_remarks_that_fit(before[::-1], MAX_ON_A_PAGE)) or before[-1:]
    newer = rest[len(shown)].n if len(shown) < len(rest) else None
    return Page(shown, older[-1].n if older else None, newer)


def _remarks_that_fit(remarks: Sequence[Remark], room: int) -> Iterator[Remark]:
    left = room

    def fits(remark: Remark) -> bool:
        nonlocal left
        left -= remark.cost
        return left >= 0

    return takewhile(fits, remarks)
