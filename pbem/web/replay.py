"""One game at one of its plies, for the game page; its outcome and its frames. Pure functions."""

from dataclasses import dataclass
from functools import cached_property

from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry, Ruling, stopping_order
from pbem.core.game.state import Ending, Ply, SpokenWords, State
from pbem.web import words
from pbem.web.filters import outcome_suffix
from rules.animation import Frame
from rules.contract import Episode, Position, Seat
from rules.picture import Picture


@dataclass(frozen=True)
class Replay:
    """A game as it was after ply `n`: `shown` is that state, `state` the current one."""

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
    def turn(self) -> str | None:
        """The player to move now, None once the game has ended."""
        return None if self.state.to_play is None else self.name(self.state.to_play)

    @property
    def clock_stop(self) -> Entry | None:
        """The director's pause of a running game, unless it was ended."""
        return None if self.ending else stopping_order(self.game.journal)

    def name(self, seat: Seat) -> str:
        return self.game.seats[seat].name

    def said_after(self, n: int) -> list[SpokenWords]:
        return [said for said in self.state.said if said.after == n]

    def decided_after(self, n: int) -> list[Ruling]:
        """The director's rulings after ply `n`."""
        return [each for each in self.state.rulings if each.after == n]

    @cached_property
    def _remarks(self) -> list[words.Remark]:
        return words.collect_remarks(self.game)

    @cached_property
    def entries_with_words(self) -> frozenset[int]:
        """Entries whose words are on this page; the rest have other pages."""
        return words.entries_on_page(self._remarks, self.n)

    @cached_property
    def words_elsewhere(self) -> dict[int, int]:
        """The first remark after each ply whose words are left out."""
        left_out = [each for each in self._remarks if each.entry not in self.entries_with_words]
        return {each.after: each.n for each in reversed(left_out)}

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
    state, last = game.state, len(game.state.plies)
    if n is None or n == last:
        return Replay(game, state, state, last, site)
    if not 0 <= n < last:
        return None
    upto = state.plies[n - 1].entry if n else 1
    return Replay(game, state, fold(game, upto=upto), n, site)


def board_states(state: State) -> list[State]:
    """The states before the first ply and after each, without plies taken back. Nothing is folded again."""
    found = [state]
    while found[-1].before is not None:
        found.append(found[-1].before)
    return found[::-1]


def frames(game: Game) -> list[Frame]:
    """A board and caption after each ply, `7 · Bill: adopt`; the last tells the outcome."""
    first, *others = board_states(game.state)
    found = [Frame(first.picture, "Before the first ply")]
    for state in others:
        ply = state.plies[-1]
        name = game.name_at(ply.seat, ply.entry)
        found.append(Frame(state.picture, f"{ply.n} · {name}: {ply.move}"))
    return [*found[:-1], Frame(found[-1].picture, outcome(game))] if game.state.ending else found


def outcome(game: Game) -> str:
    """The outcome, `Bill won: Joao resigned`, or the player to move."""
    ending, to_play = game.state.ending, game.state.to_play
    if to_play is not None:
        return f"{game.seats[to_play].name} is to play ply {len(game.state.plies) + 1}"
    if ending is None:
        return ""
    if ending.winner is None:
        return ending.reason
    return f"{game.seats[ending.winner].name} won{outcome_suffix(ending.reason)}"


def game_title(game: Game) -> str:
    """A game's title: `Bipod #42: Bill – Joao`."""
    return f"{game.rules.name} #{game.id}: {game.seats[0].name} – {game.seats[1].name}"
