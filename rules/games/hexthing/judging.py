"""The reasons why a ply of Hexagonal Thing may not be played, with what would be; what is due."""

from collections.abc import Callable, Mapping

from rules.contract import other
from rules.games.hexthing.hexes import KINDS, WAYS
from rules.games.hexthing.plies import HIGHEST_OFFER, Act
from rules.games.hexthing.state import SIDES, Auction, ThingState, money
from rules.notation import listed

_CALLS = {"lot": "bid", "buy": "bid", "sell": "offer"}
_COINS = {"lot": "£", "buy": "$", "sell": "$"}
_SOLD = {"lot": "cards are auctioned in pounds", "buy": "a Buy is paid in dollars"}


def problem(position: ThingState, act: Act) -> str | None:
    """The first thing that is wrong with `act`, None where it may be played."""
    if position.outcome:
        return position.over()
    if act.limit is not None:
        word = "min" if act.offer is not None else "max"
        return (
            f"{word} {act.limit}: a limit is a standing order for a server that plays by mail, and no part of"
            f" a ply; write {act.bare}."
        )
    bare = act.bare
    stage = "call" if position.auction else position.due or "move"
    judge = _JUDGES[stage].get(bare.verb)
    sentence = judge(position, bare) if judge else f"{bare}: {due(position, 'now ')}."
    if sentence is None and bare is not act:
        return _naming_too_many(position, act, bare)
    return sentence


def _naming_too_many(position: ThingState, act: Act, bare: Act) -> str | None:
    """The reason why `act` may not name a hex in the same ply, or not this one."""
    assert act.naming is not None
    after = position.follow(bare)
    written, only = " ".join(act.naming), f"write {bare} alone"
    if after.outcome:
        return f"{written}: this ends the game before a hex is named; {only}."
    if after.auction and after.auction.kind != "lot":
        return f"{written}: the auction is still open, and the hex is named when it is over; {only}."
    if not after.due:
        return f"{written}: no hex is to be named after this; {only}."
    if after.turn != position.to_play:
        return f"{written}: {SIDES[after.turn]} landed there and names the hex; {only}."
    return problem(after, Act(naming=act.naming))


def due(position: ThingState, now: str = "") -> str:
    """The action owed, as a sentence without its full stop: `White bids 7 to 50 or passes`."""
    if position.to_play is None:
        return ""
    side = SIDES[position.to_play]
    if position.due:
        what = "names the Thing that goes" if position.due == "take" else "puts the Thing on a free hex"
        return f"{now}{side} {what} ({position.due} and a hex)"
    auction = position.auction
    if auction is None:
        more = "; a card auction (lot) may come first" if position.may_auction else ""
        return f"{now}{side} plays a card or stays{more}"
    return (
        f"{now}{side} {_call_range(auction, auction.furthest(position.estates[position.to_play]))} or passes"
    )


def _call_range(auction: Auction, furthest: int) -> str:
    coin, better = _COINS[auction.kind], auction.better
    if auction.kind == "sell":
        return f"offers {money('$', better)} or less, to {money('$', furthest)},"
    return f"bids {coin}{better}" + (f" to {coin}{furthest}" if furthest > better else "")


def _lot(position: ThingState, act: Act) -> str | None:
    estate, bank = position.mine, position.bank
    cards = " ".join(act.lot)
    if not bank:
        return f"lot {cards}: the bank has no cards, so there is nothing to auction; {due(position, 'now ')}."
    if position.lotted:
        return f"lot {cards}: one card auction a turn, and this turn has had it; {due(position, 'now ')}."
    for card in act.lot:
        if card not in bank:
            return f"{card} is {position.owner(card)}; the bank has {' '.join(bank)} to auction."
    if act.bid is None:
        return (
            f"lot {cards}: the opening bid is owed; write lot {cards} bid 0, or any bid up to your"
            f" £{estate.pounds}."
        )
    return _call_problem(position, act, f"lot {cards} ", "lot")


def _call_problem(position: ThingState, act: Act, before: str, kind: str) -> str | None:
    """The reason why the opening price may not be called by whoever landed or named the lot."""
    estate, price = position.mine, act.price
    assert price is not None
    coin = _COINS[kind]
    if act.coin and act.coin != coin:
        return f"{_CALLS[kind]} {act.coin}{price}: {_SOLD[kind]}; write {before}bid {price} without a sign."
    if kind == "sell":
        return _offer_range(price, HIGHEST_OFFER, -estate.dollars)
    most = estate.pounds if kind == "lot" else estate.dollars
    if price > most:
        return f"bid {price}: you have {coin}{most}, so you can bid {_range(0, most)} here."
    return None


def _offer_range(price: int, most: int, least: int) -> str | None:
    if price > most:
        return f"offer {price}: an offer must be {most} or less here, down to {least}."
    if price < least:
        return (
            f"offer {price}: you have ${-least}, so your offers end at {least}, where you would pay it all."
        )
    return None


def _range(low: int, high: int) -> str:
    return f"{low} to {high}" if high > low else f"{low} alone"


def _play(position: ThingState, act: Act) -> str | None:
    return _card_problem(position, act.play) or _landing_problem(position, act)


def _card_problem(position: ThingState, card: str) -> str | None:
    """The reason why the card cannot be played, whatever goes with it."""
    reason = position.way_problem(card)
    if reason is None:
        return None
    open_ = position.open_cards
    instead = f"{listed(open_)} can be played" if open_ else "no card can be played, and stay is left"
    return f"{card}: {reason}; {instead}."


def _landing_problem(position: ThingState, act: Act) -> str | None:
    """The fault in what goes with the card, by what its hex asks for."""
    landed = WAYS[position.mine.hex][act.play][-1]
    kind, play = position.kinds[landed], f"play {act.play}"
    owed = position.owed_on(landed)
    at = f"{landed} is a {KINDS[kind].name}" if kind in "BSC" else f"{landed} is {KINDS[kind].name}"
    if owed == "change":
        return _change_problem(position, act, at, play)
    if owed == "bid" and act.bid is None:
        most = position.mine.dollars
        up = f", or any bid up to your ${most}" if most else ", for you have no dollars"
        return f"{play}: {at}, and the opening bid is owed; write {play} bid 0{up}."
    if owed == "offer" and act.offer is None:
        return (
            f"{play}: {at}, and the opening offer is owed; write {play} offer 40, or any offer from"
            f" {HIGHEST_OFFER} down to {-position.mine.dollars}."
        )
    if owed:
        return _call_problem(position, act, f"{play} ", "buy" if owed == "bid" else "sell")
    if act.price is None and act.change is None:
        return None
    what = "change" if act.change else "offer" if act.bid is None else "bid"
    alone = " while the other player owns no Thing" if kind == "S" and what == "offer" else ""
    return f"{play}: {at}, where no {what} is due{alone}; write {play} alone."


def _change_problem(position: ThingState, act: Act, at: str, play: str) -> str | None:
    if act.price is not None:
        what = "offer" if act.bid is None else "bid"
        return f"{play}: {at}, where no {what} is due; write {play}, with a change or without."
    if act.change is None:
        return None
    coin, amount = act.change
    most = position.mine.pounds if coin == "£" else position.mine.dollars
    if amount <= most:
        return None
    if not most:
        return f"change {coin}{amount}: you have no {'pounds' if coin == '£' else 'dollars'} to change."
    return f"change {coin}{amount}: you have {coin}{most}, so you can change {_range(1, most)} here."


def _stay(position: ThingState, act: Act) -> str | None:
    return None


def gives_up(position: ThingState, act: Act) -> str | None:
    """The reason why to stay loses the game at once, None where it does not."""
    if act.word != "stay":
        return None
    outcome = position.follow(act).outcome
    if outcome is None or outcome.winner != other(position.turn):
        return None
    if position.mine.things:
        return f"To stay gives {SIDES[other(position.turn)]} a fourth Thing, and four Things win the game."
    return "To stay is to owe a Thing, and you own none, so it loses the game."


def _call(position: ThingState, act: Act) -> str | None:
    auction = position.auction
    assert auction is not None and position.to_play is not None and act.price is not None
    call, coin, better = _CALLS[auction.kind], _COINS[auction.kind], auction.better
    if call != act.verb:
        goes = "offers go down" if call == "offer" else "bids go up"
        return f"{act}: in this auction {goes}; write {call} {better} or pass."
    if act.coin and act.coin != coin:
        return (
            f"{act.verb} {act.coin}{act.price}: {_SOLD[auction.kind]}; write {act.verb} {act.price} for that."
        )
    furthest = auction.furthest(position.estates[position.to_play])
    if call == "offer":
        return _offer_range(act.price, better, furthest)
    if act.price < better:
        return f"bid {act.price}: the last bid is {auction.last}, so bid {better} or more, or pass."
    if act.price > furthest:
        return f"bid {act.price}: you have {coin}{furthest}, so bid {_range(better, furthest)}, or pass."
    return None


def _pass(position: ThingState, act: Act) -> str | None:
    return None


def _take(position: ThingState, act: Act) -> str | None:
    assert act.naming is not None
    name = act.naming[1]
    if name in position.things:
        return None
    return f"take {name}: no Thing stands there; Things stand on {listed(position.things)}."


def _put(position: ThingState, act: Act) -> str | None:
    assert act.naming is not None
    name = act.naming[1]
    if name in position.free:
        return None
    seat = next((seat for seat in (0, 1) if position.estates[seat].hex == name), None)
    what = "a Thing" if seat is None else f"{SIDES[seat]}'s counter"
    return f"put {name}: {what} stands there; any hex without a Thing or a counter will do."


_JUDGES: Mapping[str, Mapping[str, Callable[[ThingState, Act], str | None]]] = {
    "move": {"lot": _lot, "play": _play, "stay": _stay},
    "call": {"bid": _call, "offer": _call, "pass": _pass},
    "take": {"take": _take},
    "put": {"put": _put},
}
"""The verbs that are open by what is awaited, and the judge of each."""
