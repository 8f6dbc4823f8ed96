"""What is said beside a ply of Hexagonal Thing half made: labels for clicks and presses, and what is awaited.

Written for the seat to play, to be heard as well as read: every label tells what its click does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.contract import other
from rules.games.hexthing.estate import SIDES, AuctionKind
from rules.games.hexthing.hexes import KINDS
from rules.games.hexthing.plies import Act
from rules.games.hexthing.turns import SELL_GIFT, WINNING, money

if TYPE_CHECKING:
    from rules.games.hexthing.position import ThingPosition

MOST_NAMED = 4
"""Cards of a lot that a hint names one by one."""

_STEPS = {"1": "one step", "2": "two steps", "3": "three steps"}
_WAYS = {"N": "up-left", "U": "up", "E": "up-right", "W": "down-left", "D": "down", "S": "down-right"}

_LANDINGS = {
    "B": "a Buy: a Thing is auctioned",
    "S": f"a Sell: you collect ${SELL_GIFT}",
    "C": "a Change: you may change money",
    "J": "Just Visiting: nothing happens",
    "P": "you collect £10",
    "D": "you collect $20",
}
"""What comes of landing, by the letter of the hex's kind; a Sell here is one without an auction."""

_GAINS = {"lot": "takes the lot", "buy": "buys the Thing", "sell": "sells a Thing"}


def card(card: str) -> str:
    """`2U, two steps up`."""
    return f"{card}, {_STEPS[card[0]]} {_WAYS[card[1]]}"


def playing(position: ThingPosition, card: str) -> str:
    name = position.landing(card)
    sale = position.owed_on(name) == "offer"
    what = "a Sell: a Thing is sold by auction" if sale else _LANDINGS[position.kinds[name]]
    return f"Play {card} to {name}, {what}"


def staying(position: ThingPosition) -> str:
    taker = SIDES[other(position.turn)]
    if not position.mine.things:
        return "Stay: you own no Thing to give, so you lose"
    if position.estates[other(position.turn)].things == WINNING - 1:
        return f"Stay: {taker} is given a Thing and wins with four"
    return f"Stay: {taker} is given one of your Things"


def passing(position: ThingPosition) -> str:
    auction = position.auction
    assert auction is not None and position.to_play is not None
    price = money("£" if auction.kind == "lot" else "$", auction.last)
    return f"Pass: {SIDES[other(position.to_play)]} {_GAINS[auction.kind]} for {price}"


def naming(after: ThingPosition, verb: str, name: str) -> str:
    kind = KINDS[after.kinds[name]].name
    later = "" if after.due else " when the auction is over"
    return f"{'Take the Thing on' if verb == 'take' else 'Put the Thing on'} {name} ({kind}){later}"


# ---------------------------------------------------------------------------------------------- hints


def awaited(position: ThingPosition) -> str:
    """What is awaited before anything is chosen."""
    if position.outcome:
        return "The game is over."
    if position.due:
        what = "the Thing that leaves the board" if position.due == "take" else "a free hex for the Thing"
        return f"Choose {what}."
    if position.auction:
        return _call_awaited(position)
    lot = position.may_auction
    if not position.open_cards:
        left = "auction cards first, or stay" if lot else "only stay is left"
        return f"None of your cards can be played: {left}."
    return f"Choose the hex to move to{'; a card auction may come first' if lot else ', or stay'}."


def _call_awaited(position: ThingPosition) -> str:
    auction = position.auction
    assert auction is not None
    last = " in the last bid" if position.options["bids"] == "3" and len(auction.bids) == 2 else ""
    if auction.kind == "sell":
        return f"Offer {money('$', auction.better)} or less{last}, or pass."
    if auction.kind == "buy":
        return f"Bid ${auction.better} or more{last}, or pass."
    cards = auction.lot
    lot = " ".join(cards) if len(cards) <= MOST_NAMED else f"the {len(cards)} cards of the lot"
    return f"Bid £{auction.better} or more{last} for {lot}, or pass."


def price_owed(position: ThingPosition, act: Act, kind: AuctionKind) -> str:
    if kind == "lot":
        more = len(act.lot) < len(position.bank)
        return f"{'Add cards, or name' if more else 'Name'} your opening bid for them in pounds."
    name = position.landing(act.play)
    if kind == "buy":
        return f"{name} is a Buy: name your opening bid for a Thing in dollars."
    return f"{name} is a Sell: name the dollars for which you would sell a Thing."


def ready(position: ThingPosition, act: Act, after: ThingPosition, may_name: bool) -> str:
    """What can still be done with a ply that can be sent as it stands."""
    if after.outcome:
        return f"This ends the game: {after.outcome.reason}."
    if may_name and not act.naming:
        when = "The auction is over with this" if after.due else "The auction goes on"
        return f"{when}; you may name the hex already."
    if act.play and act.change is None and position.owed_on(position.landing(act.play)) == "change":
        return "You may change money here, or move alone."
    return after.news or "Ready to send."
