"""One game at one of its plies, for the game page. Pure functions."""

from dataclasses import dataclass
from functools import cached_property

from pbem.core.clock.intervals import Interval
from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.rulings import Ruling, stopping_order
from pbem.core.game.state import Ending, Ply, SpokenWords, State
from pbem.web import words
from pbem.web.frames import board_states
from rules.contract import Episode, Position, Seat, option_words
from rules.picture import Picture


@dataclass(frozen=True)
class PlyLine:
    """A ply in the list, with the remarks and rulings after it."""

    ply: Ply
    name: str
    said: tuple[SpokenWords, ...]
    decided: tuple[Ruling, ...] = ()


@dataclass(frozen=True)
class SeatedPlayer:
    """A player at the board as of the ply shown."""

    name: str
    seat: Seat
    side: str | None
    to_play: bool
    won: bool


@dataclass(frozen=True)
class Replay:
    """A game as it was after ply `n`, 0 for the beginning.

    `shown` is that state; `state` is the current one.
    """

    game: Game
    state: State
    shown: State
    n: int
    site: str

    @property
    def last(self) -> int:
        """The number of plies made."""
        return len(self.state.plies)

    @property
    def at_end(self) -> bool:
        """True if the newest position is shown."""
        return self.n == self.last

    @property
    def position(self) -> Position:
        return self.shown.position

    @property
    def picture(self) -> Picture:
        return self.shown.picture

    @property
    def ply(self) -> Ply | None:
        """The ply that led to the position shown, None before the first."""
        return self.state.plies[self.n - 1] if self.n else None

    @property
    def ending(self) -> Ending | None:
        """The game's end, also while an earlier ply is shown."""
        return self.state.ending

    @property
    def winner(self) -> str | None:
        return None if not self.ending or self.ending.winner is None else self.name(self.ending.winner)

    @property
    def turn(self) -> str | None:
        """The player to move now, None once the game has ended."""
        return None if self.state.to_play is None else self.name(self.state.to_play)

    @property
    def unreachable(self) -> list[str]:
        """Players of a running game whose addresses bounce."""
        return [] if self.ending else [seat.name for seat in self.game.seats if not seat.reachable]

    @property
    def pause(self) -> Interval | None:
        """The newest agreed pause, if the last event was within it."""
        return self.game.pause

    @property
    def players(self) -> tuple[SeatedPlayer, SeatedPlayer]:
        return self._seated(0), self._seated(1)

    def _seated(self, seat: Seat) -> SeatedPlayer:
        ended = self.at_end and self.ending is not None
        return SeatedPlayer(
            name=self.name(seat),
            seat=seat,
            side=self.position.side(seat),
            to_play=not ended and self.position.to_play == seat,
            won=ended and self.ending is not None and self.ending.winner == seat,
        )

    @cached_property
    def lines(self) -> list[PlyLine]:
        """The plies in order, each with the remarks after it."""
        game = self.game
        return [
            PlyLine(ply, game.name_at(ply.seat, ply.entry), self.said_after(ply.n), self.decided_after(ply.n))
            for ply in self.state.plies
        ]

    def who_said(self, said: SpokenWords) -> str:
        """The player who sat there then."""
        return self.game.name_at(said.seat, said.entry)

    def decided_after(self, n: int) -> tuple[Ruling, ...]:
        """The director's rulings after ply `n`."""
        return tuple(each for each in self.state.rulings if each.after == n)

    @property
    def halt(self) -> Ruling | None:
        """The director's pause of a running game, unless it was ended."""
        return None if self.ending else stopping_order(self.game.journal)

    def said_after(self, n: int) -> tuple[SpokenWords, ...]:
        return tuple(said for said in self.state.said if said.after == n)

    @cached_property
    def _talk(self) -> list[words.Remark]:
        return words.collect_remarks(self.game)

    @cached_property
    def heard(self) -> frozenset[int]:
        """Entries whose words are on this page; the rest have other pages."""
        return words.entries_on_page(self._talk, self.n)

    @cached_property
    def unheard(self) -> dict[int, int]:
        """The first remark after each ply whose words are left out."""
        return {each.after: each.n for each in reversed(self._talk) if each.entry not in self.heard}

    def name(self, seat: Seat) -> str:
        return self.game.seats[seat].name

    @property
    def options(self) -> str:
        """The options in words: `size=5 middle=5 rows=6 stones=3`."""
        return option_words(self.game.options)

    @cached_property
    def episodes(self) -> dict[int, tuple[int, Episode]]:
        """The episodes by their first ply, numbered; empty without a story."""
        story = self.game.rules.story
        told = story([state.position for state in board_states(self.state)]) if story else ()
        return {each.first: (number, each) for number, each in enumerate(told, start=1)}

    @cached_property
    def fingerprint(self) -> str:
        """64 hex digits for the whole game as it is now."""
        return fingerprint(self.game, self.state.plies, self.site)


def replay(game: Game, site: str, n: int | None = None) -> Replay | None:
    """The game after ply `n`, or the last; None without that ply."""
    state = game.state
    last = len(state.plies)
    if n is None or n == last:
        return Replay(game, state, state, last, site)
    if not 0 <= n < last:
        return None
    upto = state.plies[n - 1].entry if n else 1
    return Replay(game, state, fold(game, upto=upto), n, site)
