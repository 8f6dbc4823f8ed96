"""Drafts of Hexagonal Thing's plies. A price that is missing is filled in only to test legality."""

from collections.abc import Iterator
from dataclasses import replace

from rules.contract import Illegal, other
from rules.draft import Amount, Choice, Draft
from rules.games.hexthing.hexes import KINDS, ORDER
from rules.games.hexthing.judging import problem
from rules.games.hexthing.offering import USUAL_OFFER, split
from rules.games.hexthing.plies import HIGHEST_OFFER, PASS, STAY, Act, read
from rules.games.hexthing.state import SELL_GIFT, SIDES, WINNING, ThingState, money

_LOT = "lot"


def draft(position: ThingState, text: str) -> Draft:
    words = text.replace(",", " ").split()
    if not words:
        return _nothing_yet(position)
    if [word.lower() for word in words] == [_LOT]:
        position.play(Act(lot=position.bank[:1] or tuple(ORDER)[:1], call="bid"))
        return Draft(_LOT, tuple(_cards(position, Act())), hint="Choose the cards to put up.", back="")
    act = read(text)
    rank = {word.upper(): number for number, word in reversed(list(enumerate(words)))}
    act = replace(act, lot=tuple(sorted(act.lot, key=lambda card: rank.get(card, 0))))
    whole = _with_price(position, act)
    ply, _ = split(position, whole)
    sentence = problem(position, ply)
    if sentence is not None or not isinstance(ply, Act):
        raise Illegal(sentence or "")
    choices = tuple(_cards(position, act)) if act.lot else ()
    if act.play:  # a move is taken back by a click on its hex
        hex_ = position.landing(act.play)
        choices = (Choice("", f"Take the move to {hex_} back", hex_),)
    if whole is not act:
        price = _price(position, act)
        return Draft(str(act), choices, (price,), hint=_price_hint(position, act), back=_back(act))
    after = position.follow(ply.bare)
    may_name = position.to_play == position.turn  # who landed there names the hex, whoever buys or sells
    naming = tuple(_namings(position if position.due else after, act)) if may_name else ()
    return Draft(
        str(act),
        (*choices, *naming),
        (*_changes(position, act), *_limits(position, act, after)),
        complete=True,
        hint=_last_hint(position, act, after, bool(naming)),
        back=_back(act),
    )


def _with_price(position: ThingState, act: Act) -> Act:
    if not position.awaits_move or act.call or act.change is not None:
        return act
    if act.lot:
        return replace(act, call="bid")
    owed = position.owed_by(act.play) if act.play in position.open_cards else ""
    return replace(act, call=owed) if owed in ("bid", "offer") else act


def _back(act: Act) -> str:
    """Return the ply without its last clause (two words) or last card."""
    words = str(act).split()
    if act.naming or act.limit is not None or act.change or act.call:
        return " ".join(words[:-2])
    return " ".join(words[:-1]) if act.lot else ""


def _nothing_yet(position: ThingState) -> Draft:
    hint = _first_hint(position)
    if position.outcome or position.due:
        return Draft("", tuple(_namings(position, Act())), hint=hint)
    if position.auction:
        price = money(position.auction.trade.coin, position.auction.bids[-1])
        gains = f"{SIDES[other(position.caller)]} {_GAINS[position.auction.kind]}"
        to_pass = Choice(str(PASS), f"Pass: {gains} for {price}")
        return Draft("", (to_pass,), (_price(position, Act()),), hint=hint)
    plays = []
    for card in position.open_cards:
        name, sale = position.landing(card), position.owed_by(card) == "offer"
        what = "a Sell: a Thing is sold by auction" if sale else _LANDINGS[position.kinds[name]]
        plays.append(Choice(str(Act(play=card)), f"Play {card} to {name}, {what}", name))
    lot = [Choice(_LOT, "Lot: auction cards of the bank first")] if position.may_auction else []
    taker = SIDES[other(position.turn)]
    costs = f"{taker} is given one of your Things"
    if not position.mine.things:
        costs = "you own no Thing to give, so you lose"
    elif position.theirs.things == WINNING - 1:
        costs = f"{taker} is given a Thing and wins with four"
    return Draft("", (*plays, *lot, Choice(str(STAY), f"Stay: {costs}")), hint=hint)


def _cards(position: ThingState, act: Act) -> Iterator[Choice]:
    left = tuple(card for card in position.bank if card not in act.lot)
    for card in position.bank:
        if card in left:
            text = str(replace(act, lot=(*act.lot, card)))
            yield Choice(text, f"Put up {card}, {_STEPS[card[0]]} {_WAYS[card[1]]}")
        else:
            rest = tuple(each for each in act.lot if each != card)
            text = str(replace(act, lot=rest)) if rest else _LOT
            yield Choice(text, f"Take {card} out of the lot")
    if len(left) > 1:
        what = "all the others too" if act.lot else "all cards of the bank"
        yield Choice(str(replace(act, lot=(*act.lot, *left))), f"Put up {what}")


def _namings(after: ThingState, act: Act) -> Iterator[Choice]:
    """Yield a choice for each hex to name after the auction, and one to take back the hex already named."""
    verb = after.auction.trade.naming if after.auction else after.due
    if not verb:
        return
    later = " when the auction is over" if after.auction else ""
    for name in after.nameable(verb):
        if act.naming and name == act.naming[1]:
            yield Choice(str(replace(act, naming=None)), f"Take your choice of {name} back", name)
        else:
            what = f"{verb.capitalize()} the Thing on {name} ({KINDS[after.kinds[name]].name}){later}"
            yield Choice(str(replace(act, naming=(verb, name))), what, name)


def _price(position: ThingState, act: Act) -> Amount:
    trade, auction = position.trade_of(act), position.auction
    far = trade.furthest(position.estates[position.caller])
    around = _around(replace(act, call=trade.call, price=0), f"{trade.call} ")
    if trade.falls:
        most = auction.better if auction else HIGHEST_OFFER
        return Amount("Your offer in dollars", far, most, most if auction else USUAL_OFFER, *around)
    label = f"Your {'' if auction else 'opening '}bid in {trade.purse}"
    least = auction.better if auction else 0
    return Amount(label, least, far, least, *around)


def _changes(position: ThingState, act: Act) -> Iterator[Amount]:
    if not act.play or act.change or position.owed_by(act.play) != "change":
        return
    pounds, dollars = ("£", "Pounds", "dollars"), ("$", "Dollars", "pounds")
    for most, (coin, ours, other_) in ((position.mine.pounds, pounds), (position.mine.dollars, dollars)):
        if most:
            around = _around(replace(act, change=(coin, 0)), f"change {coin}")
            yield Amount(f"{ours} to turn into {other_}", 1, most, 1, *around)


def _limits(position: ThingState, act: Act, after: ThingState) -> Iterator[Amount]:
    """Yield a standing order's limits, if the auction goes on and such an order can act."""
    if not act.call or act.limit is not None or after.auction is None:
        return
    if position.options["bids"] == "3" and position.caller != position.turn:
        return
    trade = after.auction.trade
    far = trade.furthest(position.estates[position.caller])
    around = _around(replace(act, limit=0), f"{trade.limit} ")
    if trade.falls and far < act.price:
        label = "Min, kept secret: offer on for me down to this many dollars"
        yield Amount(label, far, act.price, act.price, *around)
    elif not trade.falls and far > act.price:
        label = f"Max, kept secret: bid on for me up to this many {trade.purse}"
        yield Amount(label, act.price, far, act.price, *around)


def _around(act: Act, word: str) -> tuple[str, str]:
    """Split the text of `act` at the 0 that stands behind `word`."""
    before, behind = str(act).split(f"{word}0", 1)
    return f"{before}{word}", behind


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
"""The effect of landing, by the letter of the hex's kind. For a Sell it is that without an auction."""

_GAINS = {"lot": "takes the lot", "buy": "buys the Thing", "sell": "sells a Thing"}


def _first_hint(position: ThingState) -> str:
    if position.outcome:
        return "The game is over."
    if position.due:
        what = "the Thing that leaves the board" if position.due == "take" else "a free hex for the Thing"
        return f"Choose {what}."
    if position.auction:
        trade, cards = position.auction.trade, position.auction.lot
        price = f"{money(trade.coin, position.auction.better)} or {'less' if trade.falls else 'more'}"
        last = " in the last bid" if position.last_of_three else ""
        goods = " ".join(cards) if len(cards) <= 4 else f"the {len(cards)} cards of the lot"
        return f"{trade.call.capitalize()} {price}{last}{f' for {goods}' if goods else ''}, or pass."
    lot = position.may_auction
    if not position.open_cards:
        left = "auction cards first, or stay" if lot else "only stay is left"
        return f"None of your cards can be played: {left}."
    return f"Choose the hex to move to{'; a card auction may come first' if lot else ', or stay'}."


def _price_hint(position: ThingState, act: Act) -> str:
    if act.lot:
        more = len(act.lot) < len(position.bank)
        return f"{'Add cards, or name' if more else 'Name'} your opening bid for them in pounds."
    name = position.landing(act.play)
    if position.owed_by(act.play) == "bid":
        return f"{name} is a Buy: name your opening bid for a Thing in dollars."
    return f"{name} is a Sell: name the dollars for which you would sell a Thing."


def _last_hint(position: ThingState, act: Act, after: ThingState, may_name: bool) -> str:
    if after.outcome:
        return f"This ends the game: {after.outcome.reason}."
    if may_name and not act.naming:
        when = "The auction is over with this" if after.due else "The auction goes on"
        return f"{when}; you may name the hex already."
    if act.play and act.change is None and position.owed_by(act.play) == "change":
        return "You may change money here, or move alone."
    return after.news or "Ready to send."
