"""One game at one ply: outcome, frames and players' words. Pure functions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry, stopping_order
from pbem.core.game.state import Comment, Ply, State, board_states
from pbem.web.filters import outcome_suffix
from rules.animation import Frame
from rules.contract import Episode, Position, Seat

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
    """The remark's number among all, from 1: entry numbers would reveal secret conditional moves."""
    later: bool = False
    """True for a comment on the finished game."""


@dataclass(frozen=True)
class RemarksPage:
    """One page of words; `newer` and `older` begin the next pages."""

    remarks: Sequence[Remark]
    older: int | None
    newer: int | None


@dataclass(frozen=True)
class ReplayedGame:
    """A game, and its state as it was after ply `n`."""

    game: Game
    shown: State
    n: int

    @property
    def last(self) -> int:
        return len(self.game.state.plies)

    @property
    def at_end(self) -> bool:
        return self.n == self.last

    @property
    def position(self) -> Position:
        return self.shown.position

    @property
    def ply(self) -> Ply | None:
        """The ply that led to the position shown, None before the first."""
        return self.game.state.plies[self.n - 1] if self.n else None

    @property
    def turn(self) -> str | None:
        """The player to move now, None once the game has ended."""
        seat = self.game.state.to_play
        return None if seat is None else self.name(seat)

    @property
    def clock_stop(self) -> Entry | None:
        """The director's pause of a running game, unless it was ended."""
        return None if self.game.state.ending else stopping_order(self.game.journal)

    def name(self, seat: Seat) -> str:
        return self.game.seats[seat].name

    @property
    def comments(self) -> Sequence[Comment]:
        """The comments on this page; nobody sees them while the game goes on again."""
        shown = self.game.state.comments if self.game.state.ending else ()
        return [each for each in shown if each.entry in self.entries_with_words]

    @cached_property
    def _remarks(self) -> list[Remark]:
        return collect_remarks(self.game)

    @cached_property
    def entries_with_words(self) -> frozenset[int]:
        """Entries whose words are on this page; the rest have other pages."""
        return entries_on_page(self._remarks, self.n)

    @cached_property
    def words_elsewhere(self) -> dict[int, int]:
        """The first remark after each ply whose words are left out."""
        left_out = [each for each in self._remarks if each.entry not in self.entries_with_words]
        return {each.after: each.n for each in reversed(left_out)}

    @cached_property
    def episodes(self) -> dict[int, tuple[int, Episode]]:
        """The episodes by their first ply, numbered; empty without a story."""
        story = self.game.rules.story
        told = story([state.position for state in board_states(self.game.state)]) if story else ()
        return {each.first: (number, each) for number, each in enumerate(told, start=1)}


def replay(game: Game, n: int | None = None) -> ReplayedGame | None:
    """The game after ply `n`, or the last; None without that ply."""
    state, last = game.state, len(game.state.plies)
    if n is None or n == last:
        return ReplayedGame(game, state, last)
    if not 0 <= n < last:
        return None
    upto = state.plies[n - 1].entry if n else 1
    return ReplayedGame(game, fold(game, upto=upto), n)


def frames(game: Game) -> list[Frame]:
    """Return a board and caption after each ply, like `7 · Bill: adopt`. The last one tells the outcome."""
    first, *others = board_states(game.state)
    found = [Frame(first.picture, "Before the first move")]
    for state in others:
        ply = state.plies[-1]
        name = game.name_at(ply.seat, ply.entry)
        found.append(Frame(state.picture, f"{ply.n} · {name}: {ply.move}"))
    return [*found[:-1], Frame(found[-1].picture, outcome(game))] if game.state.ending else found


def outcome(game: Game) -> str:
    """The outcome, `Bill won: Joao resigned`, or the player to move."""
    ending, to_play = game.state.ending, game.state.to_play
    if to_play is not None:
        return f"{game.seats[to_play].name} is to play move {len(game.state.plies) + 1}"
    if ending is None:
        return ""
    if ending.winner is None:
        return ending.reason
    return f"{game.seats[ending.winner].name} won{outcome_suffix(ending.reason)}"


def game_title(game: Game) -> str:
    return f"{game.rules.name} #{game.id}: {game.seats[0].name} – {game.seats[1].name}"


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
    if state.ending is not None:
        found += [
            Remark(each.entry, each.after, each.name, each.words, each.at, later=True)
            for each in state.comments
        ]
    ordered = sorted(found, key=lambda remark: remark.entry)
    return [replace(remark, n=n) for n, remark in enumerate(ordered, 1)]


def entries_on_page(remarks: Sequence[Remark], n: int) -> frozenset[int]:
    """Entries whose words fit on the page of ply `n`. Words after that ply come first, then the newest."""
    ordered = sorted(remarks, key=lambda remark: (remark.after == n, remark.entry), reverse=True)
    return frozenset(remark.entry for remark in _remarks_that_fit(ordered, MAX_ON_A_GAME_PAGE))


def page_of_remarks(remarks: Sequence[Remark], first: int) -> RemarksPage:
    """Return the page that begins with remark `first`, which stands on it however long it is."""
    before = [remark for remark in remarks if remark.n < first]
    rest = remarks[len(before) :]
    shown = list(_remarks_that_fit(rest, MAX_ON_A_PAGE)) or list(rest[:1])
    older = list(_remarks_that_fit(before[::-1], MAX_ON_A_PAGE)) or before[-1:]
    newer = rest[len(shown)].n if len(shown) < len(rest) else None
    return RemarksPage(shown, older[-1].n if older else None, newer)


def _remarks_that_fit(remarks: Sequence[Remark], room: int) -> Iterator[Remark]:
    for remark in remarks:
        room -= len(remark.words) + REMARK_OVERHEAD
        if room < 0:
            return
        yield remark
