"""Players' words in a game, divided into pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.core.game.game import Game

MAX_ON_A_GAME_PAGE = 20_000
MAX_ON_A_PAGE = 40_000
"""Characters of words on the game's page and on further pages."""
REMARK_OVERHEAD = 100


@dataclass(frozen=True)
class Remark:
    """Words of one player, with their journal entry and ply."""

    entry: int
    after: int
    name: str
    words: str
    at: datetime
    move: str = ""
    gone: bool = False
    n: int = 0
    """Its number among all remarks, from 1: entry numbers would reveal secret conditional moves."""


@dataclass(frozen=True)
class Page:
    """One page of words; `newer` and `older` begin the next pages."""

    remarks: Sequence[Remark]
    older: int | None
    newer: int | None


def collect_remarks(game: Game) -> list[Remark]:
    state = game.state
    plies = [*((ply, False) for ply in state.plies), *((taken.ply, True) for taken in state.taken_back)]
    found = [
        Remark(ply.entry, ply.n, game.name_at(ply.seat, ply.entry), ply.comment, ply.at, ply.move, gone)
        for ply, gone in plies
        if ply.comment
    ]
    found += [
        Remark(said.entry, said.after, game.name_at(said.seat, said.entry), said.words, said.at)
        for said in state.said
    ]
    ordered = sorted(found, key=lambda remark: remark.entry)
    return [replace(remark, n=n) for n, remark in enumerate(ordered, 1)]


def entries_on_page(remarks: Sequence[Remark], n: int) -> frozenset[int]:
    """Entries whose words fit on the page of ply `n`. Words after that ply come first, then the newest."""
    ordered = sorted(remarks, key=lambda remark: (remark.after == n, remark.entry), reverse=True)
    return frozenset(remark.entry for remark in _remarks_that_fit(ordered, MAX_ON_A_GAME_PAGE))


def page_of_remarks(remarks: Sequence[Remark], first: int) -> Page:
    """The page that begins with remark `first`. One remark at least is on it, however long."""
    before = [remark for remark in remarks if remark.n < first]
    rest = remarks[len(before) :]
    shown = list(_remarks_that_fit(rest, MAX_ON_A_PAGE)) or list(rest[:1])
    older = list(_remarks_that_fit(before[::-1], MAX_ON_A_PAGE)) or before[-1:]
    newer = rest[len(shown)].n if len(shown) < len(rest) else None
    return Page(shown, older[-1].n if older else None, newer)


def _remarks_that_fit(remarks: Sequence[Remark], room: int) -> Iterator[Remark]:
    for remark in remarks:
        room -= len(remark.words) + REMARK_OVERHEAD
        if room < 0:
            return
        yield remark
