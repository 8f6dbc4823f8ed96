"""What one player has, what an auction is, and the text by which a position is known again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rules.contract import Seat
from rules.games.hexthing.hexes import CARDS, ORDER, RANK

SIDES = ("White", "Black")
"""What seats 0 and 1 play, for good."""

AuctionKind = Literal["lot", "buy", "sell"]


@dataclass(frozen=True)
class Estate:
    """One player's counter, cards (in order), whole pounds and dollars, and number of Things."""

    hex: str
    cards: tuple[str, ...]
    pounds: int
    dollars: int
    things: int = 0

    def without(self, card: str) -> tuple[str, ...]:
        """The cards but one."""
        return tuple(each for each in self.cards if each != card)

    def with_money(self, *, pounds: int = 0, dollars: int = 0) -> Estate:
        return replace(self, pounds=self.pounds + pounds, dollars=self.dollars + dollars)


Estates = tuple[Estate, Estate]


def with_estate(estates: Estates, seat: Seat, estate: Estate) -> Estates:
    """The estates with that of `seat` in place of its old one."""
    return (estate, estates[1]) if seat == 0 else (estates[0], estate)


@dataclass(frozen=True)
class Auction:
    """An auction that is open: bids in turn, the opener's first (offers where Things are sold)."""

    kind: AuctionKind
    bids: tuple[int, ...]
    lot: tuple[str, ...] = ()
    """The cards, where cards are sold."""

    @property
    def last(self) -> int:
        return self.bids[-1]

    @property
    def better(self) -> int:
        """The least that would better the last bid."""
        return self.last - 1 if self.kind == "sell" else self.last + 1

    def furthest(self, estate: Estate) -> int:
        return furthest(self.kind, estate)

    def can_better(self, estate: Estate) -> bool:
        if self.kind == "sell":
            return self.better >= self.furthest(estate)
        return self.better <= self.furthest(estate)


def furthest(kind: AuctionKind, estate: Estate) -> int:
    """The highest bid that `estate` may make; where Things are sold, its lowest offer."""
    if kind == "sell":
        return -estate.dollars
    return estate.pounds if kind == "lot" else estate.dollars


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as they are written: N U E W D S, then 1 2 3."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def by_place(hexes: Iterable[str]) -> tuple[str, ...]:
    """Hexes as they are written: a1 first, g4 last."""
    return tuple(sorted(hexes, key=RANK.__getitem__))


def bank(estates: Estates) -> tuple[str, ...]:
    """The cards that nobody owns."""
    owned = {*estates[0].cards, *estates[1].cards}
    return tuple(card for card in CARDS if card not in owned)


def known_by(turn: Seat, estates: Estates, things: Sequence[str]) -> str:
    """One position at the beginning of a turn as a text; the same text is the same position.

    The bank's cards are those that nobody has, and its money has no end, so they need no words.
    """
    parts = [SIDES[turn]]
    for each in estates:
        parts.append(f"{each.hex} £{each.pounds} ${each.dollars} {each.things} {''.join(each.cards)}")
    return f"{'/'.join(parts)}/{''.join(things)}"
