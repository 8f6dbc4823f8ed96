"""The plies of Hexagonal Thing that are open: listed lazily, by chance, as examples, by standing order.

Lots are sets of cards and prices run into the thousands, so nothing here builds a list of them all.
Standing orders are `max`, `min`, and a hex named for an auction still open. They are hidden, never part of
a position or a record. A `StandingOrder` here is
{"auction": ply that opened it, "limit": number or None, "naming": ["take", "e5"] or None}.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from rules.contract import Illegal, Seat, StandingOrder
from rules.games.hexthing.judging import problem
from rules.games.hexthing.plies import HIGHEST_OFFER, PASS, STAY, Act
from rules.games.hexthing.state import SIDES, Auction, AuctionKind, ThingState, furthest, in_order

if TYPE_CHECKING:
    from random import Random


MAX_EXAMPLES = 30
USUAL_OFFER = 20
"""The bank's gift for landing on a Sell alone: a fair price to begin an example with."""


def moves(position: ThingState) -> Iterator[Act]:
    """Legal plies, each once: lots of one card alone, and no hex named beside something else."""
    if position.outcome:
        return
    if position.due:
        yield from _namings(position)
    elif position.auction:
        yield from _calls(position)
        yield PASS
    else:
        for card in position.open_cards:
            yield from _plays(position, card)
        yield STAY
        if position.may_auction:
            for card in position.bank:
                yield from (Act(lot=(card,), bid=bid) for bid in range(position.mine.pounds + 1))


def _namings(position: ThingState) -> Iterator[Act]:
    names = position.things if position.due == "take" else position.free
    return (Act(naming=(position.due, name)) for name in names)


def _calls(position: ThingState) -> Iterator[Act]:
    auction = position.auction
    assert auction is not None and position.to_play is not None
    furthest = auction.furthest(position.estates[position.to_play])
    if auction.kind == "sell":
        return (Act(offer=offer) for offer in range(auction.better, furthest - 1, -1))
    return (Act(bid=bid) for bid in range(auction.better, furthest + 1))


def _plays(position: ThingState, card: str) -> Iterator[Act]:
    estate, owed = position.mine, position.owed_on(position.landing(card))
    if owed == "bid":
        yield from (Act(play=card, bid=bid) for bid in range(estate.dollars + 1))
    elif owed == "offer":
        highest_first = (
            range(USUAL_OFFER, -estate.dollars - 1, -1),
            range(USUAL_OFFER + 1, HIGHEST_OFFER + 1),
        )
        for offers in highest_first:
            yield from (Act(play=card, offer=offer) for offer in offers)
    else:
        yield Act(play=card)
        if owed == "change":
            for coin, most in (("£", estate.pounds), ("$", estate.dollars)):
                yield from (Act(play=card, change=(coin, amount)) for amount in range(1, most + 1))


# --------------------------------------------------------------------------------------------- chance


def sample(position: ThingState, rng: Random) -> Act:
    """One legal ply of any kind that is open; Things are rarely given away, and prices mostly small."""
    if position.due:
        return rng.choice(list(_namings(position)))
    if position.auction:
        return _with_naming(position, rng, _sample_call(position, rng))
    if position.may_auction and rng.random() < (0.3 if position.open_cards else 0.95):
        cards = rng.sample(position.bank, rng.randint(1, len(position.bank)))
        return Act(lot=in_order(cards), bid=_some(rng, position.mine.pounds))
    if not position.open_cards or rng.random() < 0.02:
        return STAY
    return _with_naming(position, rng, _sample_play(position, rng, rng.choice(position.open_cards)))


def _some(rng: Random, most: int) -> int:
    """A whole number from 0 to `most`, small more often than not."""
    return int(most * rng.random() ** 3 + 0.5)


def _sample_call(position: ThingState, rng: Random) -> Act:
    auction = position.auction
    assert auction is not None and position.to_play is not None
    room = abs(auction.furthest(position.estates[position.to_play]) - auction.better)
    if rng.random() < 0.4 or not auction.can_better(position.estates[position.to_play]):
        return PASS
    if auction.kind == "sell":
        return Act(offer=auction.better - _some(rng, room))
    return Act(bid=auction.better + _some(rng, room))


def _sample_play(position: ThingState, rng: Random, card: str) -> Act:
    estate, owed = position.mine, position.owed_on(position.landing(card))
    if owed == "bid":
        return Act(play=card, bid=_some(rng, estate.dollars))
    if owed == "offer":
        return Act(play=card, offer=rng.randint(-min(estate.dollars, 10), 60))
    coin, most = rng.choice((("£", estate.pounds), ("$", estate.dollars)))
    if owed == "change" and most and rng.random() < 0.7:
        return Act(play=card, change=(coin, rng.randint(1, most)))
    return Act(play=card)


def _with_naming(position: ThingState, rng: Random, act: Act) -> Act:
    """The ply with its hex named, now and then, where it ends the auction of the one who names."""
    if rng.random() < 0.5 or position.turn != position.to_play:
        return act
    after = position.follow(act)
    if not after.due:
        return act
    return Act(**{**vars(act), "naming": rng.choice(list(_namings(after))).naming})


# ------------------------------------------------------------------------------------------- examples


def playable(position: ThingState) -> list[str]:
    """At most 30 plies as texts, one at least of every kind that is open."""
    if not position.awaits_move:
        few = list(islice(moves(position), MAX_EXAMPLES))
        if position.auction and PASS not in few:
            few[-1] = PASS
        return [str(act) for act in few]
    kinds = [_typical(position, card) for card in position.open_cards] + [STAY]
    kinds += _changes(position)[:2] + _lots(position)
    return [str(act) for act in kinds[:MAX_EXAMPLES]]


def _typical(position: ThingState, card: str) -> Act:
    """A card played, with the lowest bid or a fair offer where one is owed."""
    return next(_plays(position, card))


def _changes(position: ThingState) -> list[Act]:
    """One change of pounds and one of dollars, where there is a Change to land on."""
    card = next((c for c in position.open_cards if position.owed_on(position.landing(c)) == "change"), None)
    purse = (("£", position.mine.pounds), ("$", position.mine.dollars))
    return [Act(play=card, change=(coin, min(most, 20))) for coin, most in purse if card and most]


def _lots(position: ThingState) -> list[Act]:
    """The bank's cards all together, then one by one, each for nothing."""
    if not position.may_auction:
        return []
    whole = [Act(lot=position.bank, bid=0)]
    return whole + [Act(lot=(card,), bid=0) for card in position.bank if len(position.bank) > 1]


def examples(position: ThingState) -> list[str]:
    """Up to three plies that show what is open: a plain one, one with a price, an auction."""
    if not position.awaits_move:
        few = list(islice(moves(position), 2))
        if position.auction and PASS not in few:
            few[-1] = PASS
        return [str(act) for act in few]
    plays = [_typical(position, card) for card in position.open_cards]
    plain = [act for act in plays if act.price is None][:1]
    priced = [act for act in plays if act.price is not None][:1] or _changes(position)[:1]
    found = [*plain, *priced, *_lots(position)[:1]] or [STAY]
    return [str(act) for act in found[:3]]


# ------------------------------------------------------------------------------- standing orders


def split_orders(position: ThingState, act: Act) -> tuple[Act, StandingOrder | None]:
    """The ply alone and what of `act` is a standing order; raises Illegal where that cannot be kept.

    Where the ply itself ends the auction the naming belongs to it; where that wins the game it is
    dropped. A ply that may not be played is given back bare: its own problem comes first.
    """
    bare = act.bare
    if bare is act or problem(position, bare) is not None:
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


def _belongs(after: ThingState, seat: Seat) -> bool:
    """True where a naming may stand in the ply itself: the auction is over, and `seat` names the hex."""
    return bool(after.due) and after.turn == seat


def _check_limit(position: ThingState, act: Act, seat: Seat) -> None:
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


def _kind(position: ThingState, act: Act) -> AuctionKind:
    """The kind of the auction that `act` opens or goes on with."""
    if position.auction:
        return position.auction.kind
    return "lot" if act.lot else "sell" if act.offer is not None else "buy"


def _check_naming(after: ThingState, act: Act, seat: Seat) -> None:
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
    sentence = problem(over, act)
    if sentence is not None:
        raise Illegal(sentence)


def answer_for(
    position: ThingState, seat: Seat, order: StandingOrder, against: StandingOrder | None
) -> Act | None:
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


def still_ordered(position: ThingState, seat: Seat, order: StandingOrder) -> str:
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
