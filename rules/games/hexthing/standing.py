"""Standing orders in Hexagonal Thing: `max`, `min`, and a hex named for an auction still open.

They are hidden, never part of a position or a record. A `Standing` here is
{"auction": ply that opened it, "limit": number or None, "naming": ["take", "e5"] or None}.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.contract import Illegal, Seat, Standing
from rules.games.hexthing.estate import SIDES, Auction, AuctionKind, furthest
from rules.games.hexthing.plies import PASS, Act

if TYPE_CHECKING:
    from rules.games.hexthing.position import ThingPosition


def split(position: ThingPosition, act: Act) -> tuple[Act, Standing | None]:
    """The ply alone and what of `act` is a standing order; raises Illegal where that cannot be kept.

    Where the ply itself ends the auction the naming belongs to it; where that wins the game it is
    dropped. A ply that may not be played is given back bare: its own problem comes first.
    """
    bare = act.bare
    if bare is act or position.problem(bare) is not None:
        return bare, None
    seat = position.to_play
    assert seat is not None
    after = position.follow(bare)
    if act.limit is not None:
        _check_limit(position, act, seat)
    ply = bare
    naming = act.naming
    if naming is not None and (after.outcome or _belongs(after, seat)):
        ply = bare if after.outcome else replace(bare, naming=naming)
        naming = None
    elif naming is not None:
        _check_naming(after, Act(naming=naming), seat)
    limit = act.limit if after.auction else None
    if limit is None and naming is None:
        return ply, None
    return ply, {"auction": after.opened, "limit": limit, "naming": list(naming) if naming else None}


def _belongs(after: ThingPosition, seat: Seat) -> bool:
    """Whether a naming may stand in the ply itself: the auction is over and `seat` names the hex."""
    return bool(after.due) and after.turn == seat


def _check_limit(position: ThingPosition, act: Act, seat: Seat) -> None:
    word = "min" if act.offer is not None else "max"
    limit, price = act.limit, act.price
    assert limit is not None and price is not None
    if position.options["bids"] == "3" and seat != position.turn:
        raise Illegal(
            f"{word} {limit}: with three bids to an auction this is your only one, so a limit has nothing"
            f" to do; write {act.bare} alone."
        )
    if (limit > price) if word == "min" else (limit < price):
        where = "above" if word == "min" else "below"
        raise Illegal(f"{word} {limit}: the limit is {where} the {price} that you name in the same line.")
    kind = _kind(position, act)
    most = furthest(kind, position.estates[seat])
    if (limit < most) if word == "min" else (limit > most):
        coin = "£" if kind == "lot" else "$"
        raise Illegal(f"{word} {limit}: you have {coin}{abs(most)}, so {word} can be {most} at the furthest.")


def _kind(position: ThingPosition, act: Act) -> AuctionKind:
    """What kind of auction `act` opens or goes on with."""
    if position.auction:
        return position.auction.kind
    return "lot" if act.lot else "sell" if act.offer is not None else "buy"


def _check_naming(after: ThingPosition, act: Act, seat: Seat) -> None:
    """Raises Illegal unless `seat` may name this hex when the auction, still open, is over."""
    verb = act.verb
    cards = after.auction is not None and after.auction.kind == "lot"
    if cards or not (after.auction or after.due):
        raise Illegal(f"{act}: no hex is to be named after this; leave it out.")
    if seat != after.turn:
        raise Illegal(
            f"{act}: {SIDES[after.turn]} landed there and names the hex, whoever wins; leave it out."
        )
    assert after.auction is not None
    right = "take" if after.auction.kind == "buy" else "put"
    if verb != right:
        what = "a Thing is taken after a Buy" if right == "take" else "the Thing is put on a hex after a Sell"
        raise Illegal(f"{act}: {what}; write {right} and a hex.")
    over = replace(after, auction=None, due=right)
    sentence = over.problem(act)
    if sentence is not None:
        raise Illegal(sentence)


def answer_for(position: ThingPosition, seat: Seat, order: Standing, against: Standing | None) -> Act | None:
    """The ply that the server makes for `seat` now under its standing order, None if it makes none.

    `against` is the other player's. Of two limits in one auction the further one wins at the other's.
    """
    if position.to_play != seat or order["auction"] != position.opened:
        return None
    naming = (order["naming"][0], order["naming"][1]) if order["naming"] else None
    if position.due:
        return Act(naming=naming) if naming and naming[0] == position.due else None
    auction, limit = position.auction, order["limit"]
    if auction is None or limit is None:
        return None
    call = PASS
    if auction.can_better(position.estates[seat]) and _within(auction, limit):
        theirs = against["limit"] if against and against["auction"] == position.opened else None
        price = _price(auction, limit, theirs)
        call = Act(offer=price) if auction.kind == "sell" else Act(bid=price)
    after = position.follow(call)
    return replace(call, naming=naming) if naming and _belongs(after, seat) else call


def still_ordered(position: ThingPosition, seat: Seat, order: Standing) -> str:
    """`max 12 take e5`, as far as it waits for something; "" once its auction is over and the hex named."""
    if position.outcome or not position.opened or order["auction"] != position.opened:
        return ""
    limit, naming = order["limit"], order["naming"] if position.turn == seat else None
    words = []
    if limit is not None and position.auction is not None:
        words.append(f"{'min' if position.auction.kind == 'sell' else 'max'} {limit}")
    return " ".join([*words, *(naming or ())])


def _within(auction: Auction, limit: int) -> bool:
    return auction.better >= limit if auction.kind == "sell" else auction.better <= limit


def _price(auction: Auction, limit: int, theirs: int | None) -> int:
    """The least that ends the auction where the other's limit is no further than ours, else one better."""
    if theirs is None:
        return auction.better
    if auction.kind == "sell":
        return min(auction.better, theirs) if limit <= theirs else auction.better
    return max(auction.better, theirs) if limit >= theirs else auction.better
