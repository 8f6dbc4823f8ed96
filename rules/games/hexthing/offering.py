"""The open plies of Hexagonal Thing: listed lazily, chosen at random, or made by standing orders.

A `StandingOrder` here is `max` or `min`, and a hex named for an auction that is still open: {"auction": ply
that opened it, "limit": number or None, "naming": ["take", "e5"] or None}.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, product
from random import Random

from rules.contract import Illegal, Move, Seat, StandingOrder
from rules.games.hexthing.hexes import in_order
from rules.games.hexthing.judging import problem
from rules.games.hexthing.plies import HIGHEST_OFFER, PASS, STAY, Act, make_act
from rules.games.hexthing.state import SIDES, Auction, ThingState

USUAL_OFFER = 20
"""The bank's gift for landing on a Sell without an auction: a fair first price for an example."""


def moves(position: ThingState) -> Iterator[Act]:
    """Yield distinct legal plies. Lots have one card, and a hex is named only by a ply of its own."""
    if position.outcome:
        return
    if position.due:
        yield from _namings(position)
    elif position.auction:
        trade, better = position.auction.trade, position.auction.better
        step, furthest = -1 if trade.falls else 1, trade.furthest(position.estates[position.caller])
        yield from (Act(call=trade.call, price=price) for price in range(better, furthest + step, step))
        yield PASS
    else:
        for card in position.open_cards:
            yield from _plays(position, card)
        yield STAY
        if position.may_auction:
            lots = product(position.bank, range(position.mine.pounds + 1))
            yield from (Act(lot=(card,), call="bid", price=bid) for card, bid in lots)


MAX_PRICES = 6
"""The most prices of one ply that a search tries: the fairest ones, and some far ones."""
MAX_MONEY = 5
"""The most money with which a search tries every price."""


def complete(position: ThingState) -> bool:
    """True if so few prices are possible that `actions` leaves none out."""
    if position.due:
        return True
    if position.auction:
        return _is_few(len(prices(position)))
    if position.may_auction or any(position.owed_by(card) == "offer" for card in position.open_cards):
        return False
    rich = max(position.mine.pounds, position.mine.dollars)
    return rich <= MAX_MONEY or not any(map(position.owed_by, position.open_cards))


def actions(position: ThingState) -> list[Act]:
    """Return plies for a search: every card, hex and word, but few prices."""
    if position.outcome:
        return []
    if position.due:
        return list(_namings(position))
    if position.auction:
        call = position.auction.trade.call
        return [*(make_act(call=call, price=price) for price in _few(fair_prices(position))), PASS]
    plays = [act for card in position.open_cards for act in _few_plays(position, card)]
    return [*plays, STAY, *_few_lots(position)]


def prices(position: ThingState) -> range:
    """Return the prices that may be called in the auction, the next one first."""
    assert position.auction is not None
    trade, better = position.auction.trade, position.auction.better
    step, furthest = -1 if trade.falls else 1, trade.furthest(position.estates[position.caller])
    return range(better, furthest + step, step)


def fair_prices(position: ThingState) -> range:
    """Return the prices worth calling. Any other price costs more and gains nothing."""
    assert position.auction is not None
    auction, rival = position.auction, position.estates[1 - position.caller]
    is_last = position.options["bids"] == "3" and len(auction.bids) == 2
    return shut_out(prices(position), auction.better if is_last else auction.trade.furthest(rival))


def shut_out(all_: range, last: int) -> range:
    """Return the prices up to the first that the opponent, who can go to `last`, cannot better.

    If there are few prices, all of them are returned, for a search that proves something.
    """
    if _is_few(len(all_)):
        return all_
    enough = min if all_.step > 0 else max
    needed = max(last, all_.start) if all_.step > 0 else min(last, all_.start)
    return range(all_.start, enough(all_.stop, needed + all_.step), all_.step)


def _is_few(count: int) -> bool:
    return count <= MAX_MONEY + 1


def _few(prices: range) -> list[int]:
    """Return the first price, the last, and some between, closer together near the first."""
    if _is_few(len(prices)):
        return list(prices)
    places = {round((len(prices) - 1) * (n / (MAX_PRICES - 1)) ** 2) for n in range(MAX_PRICES)}
    return [prices[place] for place in sorted(places)]


def _few_plays(position: ThingState, card: str) -> list[Act]:
    owed, dollars = position.owed_by(card), position.mine.dollars
    if owed == "bid":
        bids = shut_out(range(dollars + 1), position.theirs.dollars)
        return [make_act(play=card, call=owed, price=price) for price in _few(bids)]
    if owed == "offer":
        dearest = position.theirs.dollars + 2 * USUAL_OFFER
        offers = shut_out(range(dearest, -dollars - 1, -1), -position.theirs.dollars)
        return [make_act(play=card, call=owed, price=price) for price in _few(offers)]
    changes = [
        make_act(play=card, change=(coin, amount))
        for coin, most in (_purse(position) if owed else ())
        for amount in _few(range(1, most + 1))
    ]
    return [make_act(play=card), *changes]


def _few_lots(position: ThingState) -> list[Act]:
    """Return lots of one card and of all the bank's cards, at the lowest, a fair, and a winning price."""
    mine, theirs = position.mine.pounds, position.theirs.pounds
    bids = sorted({0, min(mine // 8, theirs), *([theirs] if theirs <= mine else [])})
    return [make_act(lot=act.lot, call="bid", price=price) for act in _lots(position) for price in bids]


def _namings(position: ThingState) -> Iterator[Act]:
    return (make_act(naming=(position.due, name)) for name in position.nameable(position.due))


def _plays(position: ThingState, card: str) -> Iterator[Act]:
    """Yield every ply that begins with this card, the fairest price first."""
    estate, owed = position.mine, position.owed_by(card)
    prices: Iterator[int] = iter(())
    if owed == "bid":
        prices = iter(range(estate.dollars + 1))
    elif owed == "offer":
        dearer = range(USUAL_OFFER + 1, HIGHEST_OFFER + 1)
        prices = chain(range(USUAL_OFFER, -estate.dollars - 1, -1), dearer)
    else:
        yield Act(play=card)
    yield from (Act(play=card, call=owed, price=price) for price in prices)
    if owed == "change":
        for coin, most in _purse(position):
            yield from (Act(play=card, change=(coin, amount)) for amount in range(1, most + 1))


def _purse(position: ThingState) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("£", position.mine.pounds), ("$", position.mine.dollars)


LOTS_WITH_CARDS, LOTS_WITHOUT = 0.3, 0.95
"""The shares of random plies that open a card auction: if a card can be played, and if none can."""


def sample(position: ThingState, rng: Random) -> Act:
    """Return a random legal ply of any open kind. Things are rarely given away, and most prices are small."""
    if position.due:
        return rng.choice(list(_namings(position)))
    if position.auction:
        return _with_naming(position, rng, PASS if rng.random() < 0.4 else _early(rng, moves(position)))
    if position.may_auction and rng.random() < (LOTS_WITH_CARDS if position.open_cards else LOTS_WITHOUT):
        cards = rng.sample(position.bank, rng.randint(1, len(position.bank)))
        return Act(lot=in_order(cards), call="bid", price=int(position.mine.pounds * rng.random() ** 3 + 0.5))
    if not position.open_cards or rng.random() < 0.02:
        return STAY
    return _with_naming(position, rng, _early(rng, _plays(position, rng.choice(position.open_cards))))


def _early(rng: Random, acts: Iterator[Act]) -> Act:
    """Return one of the first plies at random, more often one near the beginning."""
    listed = list(islice(acts, 120))
    return listed[int(len(listed) * rng.random() ** 3)]


def _with_naming(position: ThingState, rng: Random, act: Act) -> Act:
    """Add a hex to some plies that end an auction, if the same player then has to name one."""
    if rng.random() < 0.5 or position.turn != position.to_play:
        return act
    after = position.follow(act)
    return replace(act, naming=rng.choice(list(_namings(after))).naming) if after.due else act


def playable(position: ThingState) -> list[str]:
    """Return at most 30 whole plies, some of every open kind, since cells alone would say little."""
    if not position.awaits_move:
        return _first_and_pass(position, 30)
    plays = [next(_plays(position, card)) for card in position.open_cards]
    acts = [*plays, STAY, *_changes(position), *_lots(position)]
    return [str(act) for act in acts[:30]]


def examples(position: ThingState) -> list[str]:
    """Return up to three open plies: one without a price, one with a price, and a card auction."""
    if not position.awaits_move:
        return _first_and_pass(position, 2)
    plays = [next(_plays(position, card)) for card in position.open_cards]
    plain = [act for act in plays if not act.call][:1]
    priced = [act for act in plays if act.call][:1] or _changes(position)[:1]
    found = [*plain, *priced, *_lots(position)[:1]] or [STAY]
    return [str(act) for act in found[:3]]


def _first_and_pass(position: ThingState, most: int) -> list[str]:
    few = list(islice(moves(position), most))
    if position.auction and PASS not in few:
        few[-1] = PASS
    return [str(act) for act in few]


def _changes(position: ThingState) -> list[Act]:
    """Return one change of pounds and one of dollars, if a card leads to a Change."""
    card = next((card for card in position.open_cards if position.owed_by(card) == "change"), None)
    purse = _purse(position)
    return [Act(play=card, change=(coin, min(most, 20))) for coin, most in purse if card and most]


def _lots(position: ThingState) -> list[Act]:
    if not position.may_auction:
        return []
    lots = dict.fromkeys((position.bank, *((card,) for card in position.bank)))
    return [Act(lot=lot, call="bid") for lot in lots]


def split(position: ThingState, move: Move) -> tuple[Move, StandingOrder | None]:
    """Split a ply from its standing order. Raise Illegal if the order cannot be kept.

    If the ply itself ends the auction, the named hex belongs to the ply; if the ply wins the game, the hex is
    dropped.
    """
    if not isinstance(move, Act):
        return move, None
    bare, seat, naming = move.bare, position.caller, move.naming
    if bare is move or problem(position, bare) is not None:
        return bare, None
    after = position.follow(bare)
    if move.limit is not None:
        _check_limit(position, move, move.limit)
    if after.outcome:
        return bare, None
    if naming and _belongs(after, seat):
        return replace(bare, naming=naming), None
    if naming:
        _check_naming(after, Act(naming=naming), seat)
    limit = move.limit if after.auction else None
    if limit is None and naming is None:
        return bare, None
    return bare, {"auction": after.opened, "limit": limit, "naming": list(naming) if naming else None}


def _belongs(after: ThingState, seat: Seat) -> bool:
    """True if a ply may name the hex itself: the auction is over, and `seat` has to name it."""
    return bool(after.due) and after.turn == seat


def _check_limit(position: ThingState, act: Act, limit: int) -> None:
    seat, trade = position.caller, position.trade_of(act)
    written = f"{trade.limit} {limit}"
    if position.options["bids"] == "3" and seat != position.turn:
        raise Illegal(
            f"{written}: with three bids to an auction this is your only one, so a limit has nothing"
            f" to do; write {act.bare} alone."
        )
    if trade.passes(act.price, limit):
        where = "above" if trade.falls else "below"
        raise Illegal(f"{written}: the limit is {where} the {act.price} that you name in the same line.")
    most = trade.furthest(position.estates[seat])
    if trade.passes(limit, most):
        has = f"you have {trade.coin}{abs(most)}"
        raise Illegal(f"{written}: {has}, so {trade.limit} can be {most} at the furthest.")


def _check_naming(after: ThingState, act: Act, seat: Seat) -> None:
    auction = after.auction
    if auction.kind == "lot" if auction else not after.due:
        raise Illegal(f"{act}: no hex is to be named after this; leave it out.")
    if seat != after.turn:
        raise Illegal(
            f"{act}: {SIDES[after.turn]} landed there and names the hex, whoever wins; leave it out."
        )
    assert auction is not None
    right = auction.trade.naming
    if act.verb != right:
        what = "a Thing is taken after a Buy" if right == "take" else "the Thing is put on a hex after a Sell"
        raise Illegal(f"{act}: {what}; write {right} and a hex.")
    sentence = problem(replace(after, auction=None, due=right), act)
    if sentence is not None:
        raise Illegal(sentence)


def answer_for(
    position: ThingState, seat: Seat, standing: StandingOrder, against: StandingOrder | None = None
) -> Act | None:
    """Return the ply of a standing order now, or None. Of two limits the further one wins at the other's."""
    if position.to_play != seat or standing["auction"] != position.opened:
        return None
    naming = tuple(standing["naming"]) if standing["naming"] else None
    if position.due:
        return Act(naming=naming) if naming and naming[0] == position.due else None
    auction, limit = position.auction, standing["limit"]
    if auction is None or limit is None:
        return None
    call = PASS
    if auction.can_better(position.estates[seat]) and not auction.trade.passes(auction.better, limit):
        theirs = against["limit"] if against and against["auction"] == position.opened else None
        call = Act(call=auction.trade.call, price=_price(auction, limit, theirs))
    after = position.follow(call)
    return replace(call, naming=naming) if naming and _belongs(after, seat) else call


def still_ordered(position: ThingState, seat: Seat, standing: StandingOrder) -> str:
    """Return the open part of an order such as `max 12 take e5`, or "" once nothing is left of it."""
    if position.outcome or not position.opened or standing["auction"] != position.opened:
        return ""
    limit, naming = standing["limit"], standing["naming"] if position.turn == seat else None
    words = [*(naming or ())]
    if limit is not None and position.auction is not None:
        words = [position.auction.trade.limit, str(limit), *words]
    return " ".join(words)


def _price(auction: Auction, limit: int, theirs: int | None) -> int:
    """Return the opponent's limit as the price if it is known and within reach, else the next price."""
    trade, better = auction.trade, auction.better
    if theirs is None or trade.passes(theirs, limit) or trade.passes(better, theirs):
        return better
    return theirs
