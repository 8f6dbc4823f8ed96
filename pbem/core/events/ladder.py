"""A ladder: an order of players, changed by results and by idleness."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from pbem.core.errors import Refusal
from pbem.core.events.table import FIRST, FORFEIT_LOSS, FORFEIT_WIN, SECOND

P = TypeVar("P", bound=Hashable)

LADDER = "ladder"
ENTERED, LEFT, WON, SANK = "entered", "left", "won", "sank"
"""What changes an order."""
ANSWER_TIME = timedelta(days=5)
AWAY_TIME = timedelta(days=1)
"""The time for which whoever leaves a ladder stays away."""
MAIL_TIME = timedelta(hours=1)
"""The time after which an answer that came in time has been handled."""
IDLE_AFTER = timedelta(days=30)
SINKS_EVERY = timedelta(days=7)
REACH = 4
"""The most places that a challenge may go up."""
MAX_EACH_WAY = 2
"""The most challenges that a player may have made, and may have to play."""


@dataclass(frozen=True)
class LadderChallenge(Generic[P]):
    """An unfinished challenge: the challenger, and the player above."""

    lower: P
    upper: P


def check_challenge(
    order: Sequence[P], challenge: LadderChallenge[P], waiting: Iterable[LadderChallenge[P]]
) -> None:
    """Raise Refusal with a sentence if the ladder forbids the challenge."""
    open_ones = list(waiting)
    for player in (challenge.lower, challenge.upper):
        if player not in order:
            raise Refusal(f"{player} is not on this ladder.")
    places = order.index(challenge.lower) - order.index(challenge.upper)
    if not 1 <= places <= REACH:
        raise Refusal(f"On a ladder you challenge somebody one to {REACH} places above you.")
    if challenge in open_ones:
        raise Refusal(f"You have challenged {challenge.upper} already.")
    if sum(each.lower == challenge.lower for each in open_ones) >= MAX_EACH_WAY:
        raise Refusal(f"You have {MAX_EACH_WAY} challenges on this ladder already.")
    if sum(each.upper == challenge.upper for each in open_ones) >= MAX_EACH_WAY:
        raise Refusal(f"{challenge.upper} has {MAX_EACH_WAY} challenges to play already.")


def after_win(order: Sequence[P], winner: P, loser: P) -> list[P]:
    """Swap two players after a game, if the winner was below."""
    found = list(order)
    low, high = found.index(winner), found.index(loser)
    if low > high:
        found[low], found[high] = loser, winner
    return found


def after_sinking(order: Sequence[P], idle: Collection[P]) -> list[P]:
    """Return the order after idle players sank by one place. Each goes below the next who is not idle."""
    found = list(order)
    for place in reversed(range(len(found) - 1)):
        if found[place] in idle and found[place + 1] not in idle:
            found[place], found[place + 1] = found[place + 1], found[place]
    return found


@dataclass(frozen=True)
class Change(Generic[P]):
    """One change of an order. Of WON, `players` are the winner and the loser.

    `n` is its entry in the journal; a game has that of its challenge, so that it comes before later entries.
    """

    at: datetime
    n: int
    kind: str
    players: tuple[P, ...]


def order_after(changes: Iterable[Change[P]]) -> list[P]:
    """The order after all changes in the sequence of their moments.

    A result of players who are not both there changes nothing.
    """
    order: list[P] = []
    for change in sorted(changes, key=lambda each: (each.at, each.n)):
        known = set(order)
        there = [player for player in change.players if player in known]
        if change.kind == ENTERED:
            order += [player for player in change.players if player not in known]
        elif change.kind == LEFT:
            order = [player for player in order if player not in there]
        elif change.kind == SANK:
            order = after_sinking(order, set(there))
        elif len(there) == len(change.players):
            order = after_win(order, *there)
    return order


def next_moment(untils: Iterable[datetime], looked: datetime) -> datetime:
    """Return the next moment with something to do. Open challenges and the last look for idlers decide it."""
    return min([looked + SINKS_EVERY, *(until + MAIL_TIME for until in untils)])


@dataclass(frozen=True)
class Pairing(Generic[P]):
    """An open challenge: challenger, challenged, the game if begun. `until` ends the time to answer."""

    n: int
    lower: P
    upper: P
    at: datetime
    until: datetime
    game: int | None = None


@dataclass(frozen=True)
class LadderResult(Generic[P]):
    """A result on a ladder, with moment and entry as in `Change`.

    `score` is a key of `HALVES`, seen from the first seat, which is that of `upper`.
    """

    at: datetime
    n: int
    upper: P
    lower: P
    score: str
    game: int | None

    @property
    def forfeit(self) -> bool:
        return self.score in (FORFEIT_WIN, FORFEIT_LOSS)

    @property
    def pair(self) -> tuple[P, P] | None:
        """The winner and the loser, None for a draw."""
        if self.score in (FIRST, FORFEIT_WIN):
            return self.upper, self.lower
        return (self.lower, self.upper) if self.score in (SECOND, FORFEIT_LOSS) else None

    @property
    def changes(self) -> list[Change[P]]:
        return [] if self.pair is None else [Change(self.at, self.n, WON, self.pair)]


@dataclass(frozen=True)
class LadderLine:
    """A player's line; `rating` is "" for whoever has none."""

    place: int
    player: int
    name: str
    rating: str

    @property
    def is_provisional(self) -> bool:
        return self.rating.endswith("?")


@dataclass(frozen=True)
class Ladder:
    """A ladder for letters and pages. Pairings and results hold names."""

    event: int
    title: str
    rules: str
    lines: tuple[LadderLine, ...]
    waiting: tuple[Pairing[str], ...]
    results: tuple[LadderResult[str], ...] = ()
    word: str = ""
    """The word that names it behind `ladder`: its game, or the number of a club's."""
    called: str = ""
    """The words that name it behind `leave`."""

    @property
    def order(self) -> list[str]:
        return [line.name for line in self.lines]

    @property
    def open_challenges(self) -> list[LadderChallenge[str]]:
        return [LadderChallenge(each.lower, each.upper) for each in self.waiting]

    def place_of(self, name: str) -> int:
        """The place of a player who is on the ladder."""
        return self.order.index(name) + 1

    def above(self, name: str) -> list[LadderLine]:
        """Return the players in reach of a challenge, highest first."""
        place = self.place_of(name)
        return list(self.lines[max(0, place - 1 - REACH) : place - 1])

    def free_above(self, name: str) -> list[str]:
        """Return whom the ladder's own rules let a player challenge, highest first."""
        return [line.name for line in self.above(name) if self._allows(LadderChallenge(name, line.name))]

    def _allows(self, challenge: LadderChallenge[str]) -> bool:
        try:
            check_challenge(self.order, challenge, self.open_challenges)
        except Refusal:
            return False
        return True

    def around(self, name: str) -> list[LadderLine]:
        """Return a letter's lines: those near the player, or the first ones."""
        first = max(0, self.place_of(name) - 2 - REACH) if name in self.order else 0
        return list(self.lines[first : first + 2 * REACH + 2])

    def of_player(self, name: str) -> list[Pairing[str]]:
        return [each for each in self.waiting if name in (each.lower, each.upper)]
