"""A game of Hexagonal Thing told turn by turn: who put up what, the bids, who had it, what became of it.

A turn is one episode, whatever auctions it had. Positions in, words out; nothing here judges a ply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rules.contract import Episode, Seat
from rules.games.hexthing.estate import SIDES
from rules.games.hexthing.hexes import KINDS
from rules.games.hexthing.reading import read
from rules.games.hexthing.turns import money

if TYPE_CHECKING:
    from rules.games.hexthing.plies import Act
    from rules.games.hexthing.position import ThingPosition


def story(positions: Sequence[ThingPosition]) -> list[Episode]:
    """One episode a turn, of the positions of a whole game: the first before any ply."""
    starts = [n for n in range(1, len(positions)) if _begins(positions, n)]
    ends = [start - 1 for start in (*starts, len(positions))][1:]
    return [
        Episode(start, end, positions[start - 1].turn, " ".join(filter(None, _told(positions, start, end))))
        for start, end in zip(starts, ends, strict=True)
    ]


def _begins(positions: Sequence[ThingPosition], n: int) -> bool:
    """Whether ply `n` is the first of a turn."""
    return n == 1 or len(positions[n - 1].turns) > len(positions[n - 2].turns)


def _told(positions: Sequence[ThingPosition], start: int, end: int) -> Iterator[str]:
    """The sentences of a turn; the calls of an auction make one."""
    calls: list[str] = []
    for n in range(start, end + 1):
        before, after = positions[n - 1], positions[n]
        act, seat = read(after.last), after.last_seat
        if act.verb in ("bid", "offer", "pass"):
            calls.append(_call(before, act, seat))
        else:
            yield from _closed(calls)
            yield _began(before, after, act, seat)
            calls = []
        if after.auction is None:
            yield from _closed(calls)
            calls = []
            yield from _became(after, act, seat)
    yield from _closed(calls)


def _closed(calls: Sequence[str]) -> Iterator[str]:
    if calls:
        yield f"{', '.join(calls)}."


def _call(before: ThingPosition, act: Act, seat: Seat) -> str:
    """`Black $8`, `White passes`."""
    if act.price is None:
        return f"{SIDES[seat]} passes"
    coin = "£" if before.auction and before.auction.kind == "lot" else "$"
    return f"{SIDES[seat]} {money(coin, act.price)}"


def _began(before: ThingPosition, after: ThingPosition, act: Act, seat: Seat) -> str:
    """A lot put up, a card played, a stay, or a hex named on a ply of its own."""
    side = SIDES[seat]
    if act.verb == "lot":
        return f"{side} puts up {_listed(act.lot)} and bids £{act.bid}."
    if act.verb == "play":
        return f"{side} plays {act.play} to {_landed(before, act, seat)}."
    if act.verb == "stay":
        return "" if after.news else f"{side} stays."
    return _named(act, side)


def _landed(before: ThingPosition, act: Act, seat: Seat) -> str:
    """`d4, a Buy, and bids $6 for a Thing`."""
    name = before.landing(act.play)
    kind = KINDS[before.kinds[name]].name
    landed = f"{name}, {'a ' if kind in ('Buy', 'Sell', 'Change') else ''}{kind}"
    if act.bid is not None:
        return f"{landed}, and bids {money('$', act.bid)} for a Thing"
    if act.offer is not None:
        return f"{landed}, and offers a Thing for {money('$', act.offer)}"
    if act.change is not None:
        coin, amount = act.change
        return f"{landed}, and changes {coin}{amount} into {'dollars' if coin == '£' else 'pounds'}"
    return landed


def _became(after: ThingPosition, act: Act, seat: Seat) -> Iterator[str]:
    """What came of it: the news of the position, the hex named at once, the end."""
    if after.news:
        yield after.news
    if act.naming and act.verb not in ("take", "put"):
        yield _named(act, SIDES[after.last_seat])
    if after.outcome:
        yield f"{after.outcome.reason}."


def _named(act: Act, side: str) -> str:
    verb, name = act.naming or ("", "")
    return f"{side} names the one on {name}." if verb == "take" else f"{side} puts it on {name}."


def _listed(cards: Sequence[str]) -> str:
    """`3S`, `2U, 2W and 2D`."""
    return " and ".join(filter(None, [", ".join(cards[:-1]), cards[-1]]))
