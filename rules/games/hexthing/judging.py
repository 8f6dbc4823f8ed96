"""The sentences why a ply of Hexagonal Thing is illegal, with what is legal and what is owed."""

from collections.abc import Callable, Mapping

from rules.contract import Move, other
from rules.games.hexthing.hexes import KINDS
from rules.games.hexthing.plies import HIGHEST_OFFER, STAY, Act
from rules.games.hexthing.state import SIDES, ThingState, money
from rules.notation import join_words


def problem(position: ThingState, move: Move) -> str | None:
    if not isinstance(move, Act):
        return f"{move} is no move of Hexagonal Thing."
    if position.outcome:
        return position.over()
    bare = move.bare
    if move.limit is not None:
        limit = f"{move.limit_word} {move.limit}"
        reason = "a limit is a standing order for a server that plays by mail, and no part of a move"
        return f"{limit}: {reason}; write {bare}."
    stage = "call" if position.auction else position.due or "move"
    judge = _JUDGES[stage].get(bare.verb)
    sentence = judge(position, bare) if judge else f"{bare}: {due(position, 'now ')}."
    if sentence is None and bare is not move:
        return _naming_too_many(position, move, bare)
    return sentence


def _naming_too_many(position: ThingState, act: Act, bare: Act) -> str | None:
    after, naming = position.follow(bare), Act(naming=act.naming)
    if after.outcome:
        reason = "this ends the game before a hex is named"
    elif after.auction and after.auction.kind != "lot":
        reason = "the auction is still open, and the hex is named when it is over"
    elif not after.due:
        reason = "no hex is to be named after this"
    elif after.turn != position.to_play:
        reason = f"{SIDES[after.turn]} landed there and names the hex"
    else:
        return problem(after, naming)
    return f"{naming}: {reason}; write {bare} alone."


def due(position: ThingState, now: str = "") -> str:
    """Return the owed action as a sentence without its full stop: `White bids 7 to 50 or passes`."""
    side, auction = SIDES[position.caller], position.auction
    if position.due:
        what = "names the Thing that goes" if position.due == "take" else "puts the Thing on a free hex"
        return f"{now}{side} {what} ({position.due} and a hex)"
    if auction is None:
        more = "; a card auction (lot) may come first" if position.may_auction else ""
        return f"{now}{side} plays a card or stays{more}"
    coin, better = auction.trade.coin, auction.better
    furthest = auction.trade.furthest(position.estates[position.caller])
    if auction.trade.falls:
        called = f"offers {money('$', better)} or less, to {money('$', furthest)},"
    else:
        called = f"bids {coin}{better}" + (f" to {coin}{furthest}" if furthest > better else "")
    return f"{now}{side} {called} or passes"


def _lot(position: ThingState, act: Act) -> str | None:
    cards = f"lot {' '.join(act.lot)}"
    if not position.bank:
        return f"{cards}: the bank has no cards, so there is nothing to auction; {due(position, 'now ')}."
    if position.lotted:
        return f"{cards}: one card auction a turn, and this turn has had it; {due(position, 'now ')}."
    for card in act.lot:
        if card not in position.bank:
            return f"{card} is {position.owner(card)}; the bank has {' '.join(position.bank)} to auction."
    if not act.call:
        return (
            f"{cards}: the opening bid is owed; write {cards} bid 0, or any bid up to your"
            f" £{position.mine.pounds}."
        )
    return _opening_problem(position, act, cards)


def _opening_problem(position: ThingState, act: Act, before: str) -> str | None:
    trade, price = position.trade_of(act), act.price
    if act.coin and act.coin != trade.coin:
        return f"{trade.call} {act.coin}{price}: {trade.paid}; write {before} bid {price} without a sign."
    most = trade.furthest(position.mine)
    if trade.falls:
        return _offer_range(price, HIGHEST_OFFER, most)
    if price > most:
        return f"bid {price}: you have {trade.coin}{most}, so you can bid {_range(0, most)} here."
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
    reason = position.way_problem(act.play)
    if reason is None:
        return _landing_problem(position, act)
    open_ = position.open_cards
    instead = f"{join_words(open_)} can be played" if open_ else "no card can be played, and stay is left"
    return f"{act.play}: {reason}; {instead}."


def _landing_problem(position: ThingState, act: Act) -> str | None:
    landed, owed, play = position.landing(act.play), position.owed_by(act.play), f"play {act.play}"
    kind = position.kinds[landed]
    at = f"{play}: {landed} is {'a ' if kind in 'BSC' else ''}{KINDS[kind].name}"
    if owed == "change":
        if act.call:
            return f"{at}, where no {act.call} is due; write {play}, with a change or without."
        return _change_problem(position, act)
    dollars = position.mine.dollars
    if owed == "bid" and act.call != "bid":
        up = f", or any bid up to your ${dollars}" if dollars else ", for you have no dollars"
        return f"{at}, and the opening bid is owed; write {play} bid 0{up}."
    if owed == "offer" and act.call != "offer":
        return (
            f"{at}, and the opening offer is owed; write {play} offer 40, or any offer from"
            f" {HIGHEST_OFFER} down to {-dollars}."
        )
    if owed:
        return _opening_problem(position, act, play)
    what = "change" if act.change else act.call
    alone = " while the other player owns no Thing" if kind == "S" and what == "offer" else ""
    return f"{at}, where no {what} is due{alone}; write {play} alone." if what else None


def _change_problem(position: ThingState, act: Act) -> str | None:
    coin, amount = act.change or ("£", 0)
    most = position.mine.pounds if coin == "£" else position.mine.dollars
    if amount <= most:
        return None
    if not most:
        return f"change {coin}{amount}: you have no {'pounds' if coin == '£' else 'dollars'} to change."
    return f"change {coin}{amount}: you have {coin}{most}, so you can change {_range(1, most)} here."


def gives_up(position: ThingState, move: Move) -> str | None:
    if move != STAY:
        return None
    outcome = position.follow(move).outcome
    if outcome is None or outcome.winner != other(position.turn):
        return None
    if position.mine.things:
        return f"To stay gives {SIDES[other(position.turn)]} a fourth Thing, and four Things win the game."
    return "If you stay, you owe a Thing and own none, so you lose the game."


def _call(position: ThingState, act: Act) -> str | None:
    auction = position.auction
    assert auction is not None
    trade, better, price = auction.trade, auction.better, act.price
    if trade.call != act.call:
        goes = "offers go down" if trade.falls else "bids go up"
        return f"{act}: in this auction {goes}; write {trade.call} {better} or pass."
    if act.coin and act.coin != trade.coin:
        return f"{act.call} {act.coin}{price}: {trade.paid}; write {act.call} {price} for that."
    furthest = trade.furthest(position.estates[position.caller])
    if trade.falls:
        return _offer_range(price, better, furthest)
    if price < better:
        return f"bid {price}: the last bid is {auction.bids[-1]}, so bid {better} or more, or pass."
    if price > furthest:
        return f"bid {price}: you have {trade.coin}{furthest}, so bid {_range(better, furthest)}, or pass."
    return None


def _naming(position: ThingState, act: Act) -> str | None:
    assert act.naming is not None
    verb, name = act.naming
    if name in position.nameable(verb):
        return None
    if verb == "take":
        return f"take {name}: no Thing stands there; Things stand on {join_words(position.things)}."
    standing = {estate.hex: f"{side}'s counter" for side, estate in zip(SIDES, position.estates, strict=True)}
    what = standing.get(name, "a Thing")
    return f"put {name}: {what} stands there; any hex without a Thing or a counter will do."


_JUDGES: Mapping[str, Mapping[str, Callable[[ThingState, Act], str | None]]] = {
    "move": {"lot": _lot, "play": _play, "stay": lambda position, act: None},
    "call": {"bid": _call, "offer": _call, "pass": lambda position, act: None},
    "take": {"take": _naming},
    "put": {"put": _naming},
}
