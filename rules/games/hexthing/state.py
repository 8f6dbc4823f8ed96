"""The state of Hexagonal Thing, and what a ply changes: auctions, landings, ends of turns.

Every function takes a ply as legal and gives the fields of the position that are new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Self

from rules.contract import Illegal, Move, Outcome, Position, Rules, Seat, other
from rules.games.hexthing.hexes import CARDS, HEXES, ORDER, RANK, WAYS, kinds
from rules.games.hexthing.plies import Act

SIDES = ("White", "Black")
"""The sides of seats 0 and 1, for good."""

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


@dataclass(frozen=True)
class ThingState(Position):
    """The state of a game: whose turn it is, who has what, where Things stand, which auction is open."""

    rules: Rules = field(repr=False, compare=False)
    options: Mapping[str, Any]
    ply: int
    turn: Seat
    """The seat whose turn it is; in an auction the other one may be to play."""
    estates: Estates
    things: tuple[str, ...]
    """The hexes on which Things stand, in the order of the board."""
    turns: tuple[str, ...]
    """The position, as a text, at the beginning of every turn so far, this one's the last."""
    lotted: bool = False
    """True once this turn has had its card auction, or has it now."""
    auction: Auction | None = None
    opened: int = 0
    """The ply that opened the auction which is open, or of which a hex is still to be named."""
    due: str = ""
    """`take` or `put` when the player whose turn it is owes a hex, else empty."""
    last: str = ""
    """The last ply, in its canonical text."""
    last_seat: Seat = 0
    news: str = ""
    """The automatic effect of the last ply, as a sentence."""
    outcome: Outcome | None = None

    @property
    def to_play(self) -> Seat | None:  # type: ignore[override]
        if self.outcome:
            return None
        if self.auction and len(self.auction.bids) % 2:
            return other(self.turn)
        return self.turn

    @property
    def mine(self) -> Estate:
        """The estate of the player whose turn it is."""
        return self.estates[self.turn]

    @property
    def kinds(self) -> Mapping[str, str]:
        return kinds(self.options["board"])

    @cached_property
    def bank(self) -> tuple[str, ...]:
        """The cards that nobody owns."""
        return bank(self.estates)

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Hexes without Thing or counter."""
        taken = {*self.things, *(estate.hex for estate in self.estates)}
        return tuple(name for name in HEXES if name not in taken)

    @property
    def awaits_move(self) -> bool:
        """True while the player whose turn it is has yet to move or stay."""
        return not (self.outcome or self.auction or self.due)

    @property
    def may_auction(self) -> bool:
        return self.awaits_move and not self.lotted and bool(self.bank)

    @cached_property
    def open_cards(self) -> tuple[str, ...]:
        """The cards by which the player whose turn it is could move."""
        return tuple(card for card in self.mine.cards if self.way_problem(card) is None)

    def way_problem(self, card: str) -> str | None:
        """The middle of a sentence for a card by which nobody can move now, None for others."""
        seat = self.turn
        mine, theirs = self.estates[seat], self.estates[other(seat)]
        if card not in mine.cards:
            return f"it is {self.owner(card)}, not yours"
        way = WAYS[mine.hex][card]
        if not way:
            return f"it leads off the board from {mine.hex}"
        for name in way:
            if name in self.things or name == theirs.hex:
                what = "a Thing" if name in self.things else f"{SIDES[other(seat)]}'s counter"
                return f"{what} stands {'on' if name == way[-1] else 'in the way, on'} {name}"
        if self.kinds[way[-1]] == "S" and not mine.things:
            return f"{way[-1]} is a Sell, where only an owner of a Thing may land"
        return None

    def owner(self, card: str) -> str:
        """`Black's`, `your own`, `the bank's`."""
        if card in self.mine.cards:
            return "your own"
        return f"{SIDES[other(self.turn)]}'s" if card not in self.bank else "the bank's"

    def landing(self, card: str) -> str:
        """The hex to which a card leads the player whose turn it is."""
        return WAYS[self.mine.hex][card][-1]

    def owed_on(self, name: str) -> str:
        """The clause that goes with landing on a hex: `bid`, `offer`, `change` (if one likes) or nothing."""
        kind = self.kinds[name]
        if kind == "S":
            return "offer" if self.estates[other(self.turn)].things else ""
        return {"B": "bid", "C": "change"}.get(kind, "")

    def side(self, seat: Seat) -> str:
        return SIDES[seat]

    def follow(self, move: Move) -> Self:
        if not isinstance(move, Act) or self.to_play is None:
            raise Illegal(self.problem(move) or "")
        bare = move.bare
        found = {
            **changes(self, bare),
            "ply": self.ply + 1,
            "last": str(bare),
            "last_seat": self.to_play,
        }
        if bare is move or move.naming is None:
            return replace(self, **found)
        after = replace(self, **found)
        named = {"opened": 0, "due": "", **name_hex(after, move), "last": str(move)}
        return replace(after, **named)


# ------------------------------------------------------------------------------------- what changes

Changes = dict[str, Any]

WINNING = 4
"""Things that win."""
SELL_GIFT = 20
"""Dollars for landing on a Sell while the other player owns no Thing."""
_COLLECTED = {"D": ("$20", 0, 20), "P": ("£10", 10, 0)}


def changes(position: ThingState, act: Act) -> Changes:
    """The fields that are new after `act`, a naming that goes with it not yet done."""
    return {"opened": 0, "auction": None, "due": "", "news": "", **_VERBS[act.verb](position, act)}


# ------------------------------------------------------------------------------------------ auctions


def _lot(position: ThingState, act: Act) -> Changes:
    auction = Auction("lot", (act.bid or 0,), act.lot)
    return {"lotted": True, **_open_auction(position, position.estates, auction)}


def _open_auction(position: ThingState, estates: Estates, auction: Auction) -> Changes:
    return {"opened": position.ply + 1, **_make_call(position, estates, auction, position.turn)}


def _make_call(position: ThingState, estates: Estates, auction: Auction, seat: Seat) -> Changes:
    """`seat` has made the last bid; it wins where no other bid can follow."""
    third = position.options["bids"] == "3" and len(auction.bids) == 3
    if third or not auction.can_better(estates[other(seat)]):
        return _close_auction(position, estates, auction, seat)
    return {"estates": estates, "auction": auction}


def _bid(position: ThingState, act: Act) -> Changes:
    auction, seat = position.auction, position.to_play
    assert auction is not None and seat is not None and act.price is not None
    raised = replace(auction, bids=(*auction.bids, act.price))
    return {"opened": position.opened, **_make_call(position, position.estates, raised, seat)}


def _pass(position: ThingState, act: Act) -> Changes:
    assert position.auction is not None and position.to_play is not None
    won = _close_auction(position, position.estates, position.auction, other(position.to_play))
    return {"opened": position.opened, **won}


def _close_auction(position: ThingState, estates: Estates, auction: Auction, seat: Seat) -> Changes:
    """The auction is over: its price paid, what was sold in new hands, the hex to name owed."""
    side, estate, price = SIDES[seat], estates[seat], auction.last
    if auction.kind == "lot":
        cards = in_order((*estate.cards, *auction.lot))
        estate = replace(estate, cards=cards, pounds=estate.pounds - price)
        news = f"{side} takes the lot for £{price}."
        return {"estates": with_estate(estates, seat, estate), "news": news}
    if auction.kind == "sell":
        estate = replace(estate, things=estate.things - 1, dollars=estate.dollars + price)
        news = f"{side} sells a Thing for {money('$', price)}."
        return {"estates": with_estate(estates, seat, estate), "due": "put", "news": news}
    estate = replace(estate, things=estate.things + 1, dollars=estate.dollars - price)
    found = {"estates": with_estate(estates, seat, estate), "news": f"{side} buys a Thing for ${price}."}
    # The Thing is the winner's when the auction ends; a fourth ends the game before it is named.
    return {**found, **(four_things(seat) if estate.things == WINNING else {"due": "take"})}


def money(coin: str, amount: int) -> str:
    """`£5`, `$-3`."""
    return f"-{coin}{-amount}" if amount < 0 else f"{coin}{amount}"


def four_things(seat: Seat) -> Changes:
    side = SIDES[seat]
    return {"outcome": Outcome(seat, side, f"{side} wins: {side} owns four Things")}


# --------------------------------------------------------------------------------- moves and landings


def _play(position: ThingState, act: Act) -> Changes:
    seat = position.turn
    estate = position.estates[seat]
    landed = WAYS[estate.hex][act.play][-1]
    estate = replace(estate, hex=landed, cards=estate.without(act.play))
    estates = with_estate(position.estates, seat, estate)
    kind = position.kinds[landed]
    if kind == "B":
        return _open_auction(position, estates, Auction("buy", (act.bid or 0,)))
    if kind == "S" and estates[other(seat)].things:
        return _open_auction(position, estates, Auction("sell", (act.offer or 0,)))
    news = ""
    if kind == "S":
        estate = estate.with_money(dollars=SELL_GIFT)
        news = f"{SIDES[seat]}, the only owner of Things, collects ${SELL_GIFT} on the Sell."
    elif kind in _COLLECTED:
        sum_, pounds, dollars = _COLLECTED[kind]
        estate = estate.with_money(pounds=pounds, dollars=dollars)
        news = f"{SIDES[seat]} collects {sum_}."
    elif act.change is not None:
        coin, amount = act.change
        into_dollars = amount if coin == "£" else -amount
        estate = estate.with_money(pounds=-into_dollars, dollars=into_dollars)
    return {**turn_over(position, with_estate(estates, seat, estate), position.things), "news": news}


def _stay(position: ThingState, act: Act) -> Changes:
    """A Thing is owed for not moving; who owes one and owns none has lost."""
    giver, taker = position.turn, other(position.turn)
    ours, theirs = position.estates[giver], position.estates[taker]
    if not ours.things:
        reason = f"{SIDES[taker]} wins: {SIDES[giver]} owes a Thing and owns none"
        return {"outcome": Outcome(taker, SIDES[taker], reason)}
    estates = with_estate(position.estates, giver, replace(ours, things=ours.things - 1))
    estates = with_estate(estates, taker, replace(theirs, things=theirs.things + 1))
    news = f"{SIDES[giver]} stays and gives {SIDES[taker]} a Thing."
    if estates[taker].things == WINNING:
        return {"estates": estates, "news": news, **four_things(taker)}
    return {**turn_over(position, estates, position.things), "news": news}


def turn_over(position: ThingState, estates: Estates, things: tuple[str, ...]) -> Changes:
    """The other player is about to begin a turn; the same position a third time is a draw."""
    turn = other(position.turn)
    known = known_by(turn, estates, things)
    turns = (*position.turns, known)
    found: Changes = {"turn": turn, "estates": estates, "things": things, "lotted": False, "turns": turns}
    if turns.count(known) == 3:
        found["outcome"] = Outcome(None, None, "Draw: the same position, to begin a turn, for the third time")
    return found


# -------------------------------------------------------------------------------------------- naming


def name_hex(position: ThingState, act: Act) -> Changes:
    """A Thing leaves the board for its buyer, or comes back onto it; that ends the turn."""
    assert act.naming is not None
    verb, name = act.naming
    if verb == "take":
        things = tuple(each for each in position.things if each != name)
    else:
        things = by_place((*position.things, name))
    return turn_over(position, position.estates, things)


_VERBS: Mapping[str, Callable[[ThingState, Act], Changes]] = {
    "lot": _lot,
    "play": _play,
    "stay": _stay,
    "bid": _bid,
    "offer": _bid,
    "pass": _pass,
    "take": name_hex,
    "put": name_hex,
}
