"""What a ply of Hexagonal Thing changes: auctions opened, bettered and closed, landings, ends of turns.

Every function takes a ply as legal and gives the fields of the position that are new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.contract import Outcome, Seat, other
from rules.games.hexthing.estate import SIDES, Auction, Estates, by_place, in_order, known_by, with_estate
from rules.games.hexthing.hexes import WAYS
from rules.games.hexthing.plies import Act

if TYPE_CHECKING:
    from rules.games.hexthing.position import ThingPosition

Changes = dict[str, Any]

WINNING = 4
"""Things that win."""
SELL_GIFT = 20
"""Dollars for landing on a Sell while the other player owns no Thing."""
_COLLECTED = {"D": ("$20", 0, 20), "P": ("£10", 10, 0)}


def changes(position: ThingPosition, act: Act) -> Changes:
    """The fields that are new after `act`, a naming that goes with it not yet done."""
    return {"opened": 0, "auction": None, "due": "", "news": "", **_VERBS[act.verb](position, act)}


# ------------------------------------------------------------------------------------------ auctions


def _lot(position: ThingPosition, act: Act) -> Changes:
    auction = Auction("lot", (act.bid or 0,), act.lot)
    return {"lotted": True, **_opened(position, position.estates, auction)}


def _opened(position: ThingPosition, estates: Estates, auction: Auction) -> Changes:
    return {"opened": position.ply + 1, **_called(position, estates, auction, position.turn)}


def _called(position: ThingPosition, estates: Estates, auction: Auction, seat: Seat) -> Changes:
    """`seat` has made the last bid; it wins where no other bid can follow."""
    third = position.options["bids"] == "3" and len(auction.bids) == 3
    if third or not auction.can_better(estates[other(seat)]):
        return _won(position, estates, auction, seat)
    return {"estates": estates, "auction": auction}


def _bid(position: ThingPosition, act: Act) -> Changes:
    auction, seat = position.auction, position.to_play
    assert auction is not None and seat is not None and act.price is not None
    raised = replace(auction, bids=(*auction.bids, act.price))
    return {"opened": position.opened, **_called(position, position.estates, raised, seat)}


def _pass(position: ThingPosition, act: Act) -> Changes:
    assert position.auction is not None and position.to_play is not None
    won = _won(position, position.estates, position.auction, other(position.to_play))
    return {"opened": position.opened, **won}


def _won(position: ThingPosition, estates: Estates, auction: Auction, seat: Seat) -> Changes:
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


def _play(position: ThingPosition, act: Act) -> Changes:
    seat = position.turn
    estate = position.estates[seat]
    landed = WAYS[estate.hex][act.play][-1]
    estate = replace(estate, hex=landed, cards=estate.without(act.play))
    estates = with_estate(position.estates, seat, estate)
    kind = position.kinds[landed]
    if kind == "B":
        return _opened(position, estates, Auction("buy", (act.bid or 0,)))
    if kind == "S" and estates[other(seat)].things:
        return _opened(position, estates, Auction("sell", (act.offer or 0,)))
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


def _stay(position: ThingPosition, act: Act) -> Changes:
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


def turn_over(position: ThingPosition, estates: Estates, things: tuple[str, ...]) -> Changes:
    """The other player is about to begin a turn; the same position a third time is a draw."""
    turn = other(position.turn)
    known = known_by(turn, estates, things)
    turns = (*position.turns, known)
    found: Changes = {"turn": turn, "estates": estates, "things": things, "lotted": False, "turns": turns}
    if turns.count(known) == 3:
        found["outcome"] = Outcome(None, None, "Draw: the same position, to begin a turn, for the third time")
    return found


# -------------------------------------------------------------------------------------------- naming


def named(position: ThingPosition, act: Act) -> Changes:
    """A Thing leaves the board for its buyer, or comes back onto it; that ends the turn."""
    assert act.naming is not None
    verb, name = act.naming
    if verb == "take":
        things = tuple(each for each in position.things if each != name)
    else:
        things = by_place((*position.things, name))
    return turn_over(position, position.estates, things)


_VERBS: Mapping[str, Callable[[ThingPosition, Act], Changes]] = {
    "lot": _lot,
    "play": _play,
    "stay": _stay,
    "bid": _bid,
    "offer": _bid,
    "pass": _pass,
    "take": named,
    "put": named,
}
