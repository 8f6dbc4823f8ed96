"""A ladder: an order of players, changed by results and by idleness."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.core.errors import Refusal

P = TypeVar("P", bound=Hashable)

REACH = 4
"""The most places that a challenge may go up."""
MAX_EACH_WAY = 2
"""The most challenges that a player may have made, and may have to play."""


@dataclass(frozen=True)
class Challenge(Generic[P]):
    """A challenge that is not played to its end: who made it, and the player above them."""

    lower: P
    upper: P


def check_challenge(order: Sequence[P], challenge: Challenge[P], waiting: Iterable[Challenge[P]]) -> None:
    """Raises Refusal with a sentence if the ladder does not allow the challenge."""
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
    """The order after a game: the two change places if the winner was below."""
    found = list(order)
    low, high = found.index(winner), found.index(loser)
    if low > high:
        found[low], found[high] = loser, winner
    return found


def after_sinking(order: Sequence[P], idle: Collection[P]) -> list[P]:
    """The order after each idle player has gone down one place, below the next who is not idle."""
    found = list(order)
    for place in reversed(range(len(found) - 1)):
        if found[place] in idle and found[place + 1] not in idle:
            found[place], found[place + 1] = found[place + 1], found[place]
    return found
