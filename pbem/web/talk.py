"""What was said in a game: how much of it stands on the game's page, and the pages that have it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from pbem.core.game import Game
from pbem.core.state import Ply

MAX_ON_A_GAME_PAGE = 20_000
MAX_ON_A_PAGE = 40_000
"""Characters of words on the page of a game, and on a page of words alone."""
EACH = 100
"""What every single remark counts beside its characters: who said it and when."""


@dataclass(frozen=True)
class Remark:
    """Words of one player, in which entry of the journal, and after which ply they were said."""

    entry: int
    after: int
    name: str
    words: str
    at: datetime
    move: str = ""
    """The ply that they came with, if any."""
    gone: bool = False
    """Whether that ply was taken back."""
    n: int = 0
    """Its number among all remarks, from 1: pages show it, for entries would show that a plan was made."""

    @property
    def cost(self) -> int:
        """What it takes of a page's room."""
        return len(self.words) + EACH


@dataclass(frozen=True)
class Leaf:
    """One page of words; `newer` and `older` are the remarks with which the next pages begin."""

    remarks: Sequence[Remark]
    older: int | None
    newer: int | None


def talk(game: Game) -> list[Remark]:
    """All that was said in a game, in the order of the journal."""
    state = game.state
    found = [_with(game, ply) for ply in state.plies if ply.comment]
    found += [_with(game, taken.ply, gone=True) for taken in state.taken if taken.ply.comment]
    found += [
        Remark(said.entry, said.after, game.name_at(said.seat, said.entry), said.words, said.at)
        for said in state.said
    ]
    ordered = sorted(found, key=lambda remark: remark.entry)
    return [replace(remark, n=n) for n, remark in enumerate(ordered, 1)]


def _with(game: Game, ply: Ply, *, gone: bool = False) -> Remark:
    name = game.name_at(ply.seat, ply.entry)
    return Remark(ply.entry, ply.n, name, ply.comment, ply.at, ply.move, gone)


def on_the_page(remarks: Sequence[Remark], n: int) -> frozenset[int]:
    """The entries whose words the page of ply `n` has room for: those said there first, then the newest."""
    ordered = sorted(remarks, key=lambda remark: (remark.after == n, remark.entry), reverse=True)
    return frozenset(remark.entry for remark in _fitting(ordered, MAX_ON_A_GAME_PAGE))


def leaf(remarks: Sequence[Remark], first: int) -> Leaf:
    """The page of words that begins with remark `first`."""
    before = [remark for remark in remarks if remark.n < first]
    rest = remarks[len(before) :]
    shown = list(_fitting(rest, MAX_ON_A_PAGE)) or list(rest[:1])
    older = list(_fitting(before[::-1], MAX_ON_A_PAGE)) or before[-1:]
    newer = rest[len(shown)].n if len(shown) < len(rest) else None
    return Leaf(shown, older[-1].n if older else None, newer)


def _fitting(remarks: Sequence[Remark], room: int) -> Iterator[Remark]:
    """As many from the beginning as there is room for."""
    left = room

    def fits(remark: Remark) -> bool:
        nonlocal left
        left -= remark.cost
        return left >= 0

    return takewhile(fits, remarks)
