"""A ply of Hexagonal Thing half made: hexes to click, cards and words to press, amounts to fill in.

Its own rule: a ply is read as a player would write it, with an opening price that is still owed filled in
for the judges alone. The cards of a lot keep the order in which they were chosen, so that the last one can
be taken back; `read` puts them in order. Labels are written for the seat to play, to be heard as well as
read: every one tells what its click does.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rules.contract import Illegal, other
from rules.draft import Amount, Choice, Draft
from rules.games.hexthing.hexes import KINDS, ORDER
from rules.games.hexthing.judging import problem
from rules.games.hexthing.offering import USUAL_OFFER, split_orders
from rules.games.hexthing.plies import HIGHEST_OFFER, PASS, STAY, Act, read
from rules.games.hexthing.state import SELL_GIFT, SIDES, WINNING, AuctionKind, ThingState, furthest, money

_LOT = "lot"
"""The one word that is a beginning by itself."""


def draft(position: ThingState, text: str) -> Draft:
    """The draft of `text`; raises the game's own error where no legal ply begins with it."""
    words = text.replace(",", " ").split()
    if not words:
        return _nothing_yet(position)
    if [word.lower() for word in words] == [_LOT]:
        position.play(Act(lot=position.bank[:1] or tuple(ORDER)[:1], bid=0))
        return Draft(_LOT, tuple(_cards(position, Act())), hint="Choose the cards to put up.", back="")
    act = read(text)
    rank = {word.upper(): number for number, word in reversed(list(enumerate(words)))}
    act = replace(act, lot=tuple(sorted(act.lot, key=lambda card: rank.get(card, 0))))
    whole = _with_price(position, act)
    ply, _ = split_orders(position, whole)
    sentence = problem(position, ply)
    if sentence is not None:
        raise Illegal(sentence)
    after = position.follow(ply.bare)
    return _begun(position, act) if whole is not act else _complete(position, act, after)


def _with_price(position: ThingState, act: Act) -> Act:
    """The ply with a price where an opening still owes one, itself where it does not."""
    if not position.awaits_move or act.price is not None or act.change is not None:
        return act
    if act.lot:
        return replace(act, bid=0)
    owed = position.owed_on(position.landing(act.play)) if act.play in position.open_cards else ""
    if owed == "offer":
        return replace(act, offer=0)
    return replace(act, bid=0) if owed == "bid" else act


def _begun(position: ThingState, act: Act) -> Draft:
    """A lot or a move whose opening price is owed."""
    kind = _kind(position, act)
    return Draft(
        str(act),
        tuple(_changed_mind(position, act)),
        (_price(position, kind, act),),
        hint=price_hint(position, act, kind),
        back=_back(act),
    )


def _complete(position: ThingState, act: Act, after: ThingState) -> Draft:
    naming: tuple[Choice, ...] = ()
    if position.to_play == position.turn:  # who landed there names the hex, whoever buys or sells
        naming = tuple(_namings(position if position.due else after, act))
    return Draft(
        str(act),
        (*_changed_mind(position, act), *naming),
        (*_changes(position, act), *_limits(position, act, after)),
        complete=True,
        hint=last_hint(position, act, after, bool(naming)),
        back=_back(act),
    )


def _back(act: Act) -> str:
    """The ply without its last clause or card."""
    for part in ("naming", "limit", "change", "offer", "bid"):
        if getattr(act, part) is not None:
            shorter: dict[str, Any] = {part: None}
            return str(replace(act, **shorter))
    if not act.lot:
        return ""
    return str(replace(act, lot=act.lot[:-1])) or _LOT


# --------------------------------------------------------------------------------------- nothing yet


def _nothing_yet(position: ThingState) -> Draft:
    choices: tuple[Choice, ...] = ()
    amounts: tuple[Amount, ...] = ()
    if position.due:
        choices = tuple(_namings(position, Act()))
    elif position.auction:
        amounts = (_price(position, position.auction.kind, Act()),)
        choices = (Choice(str(PASS), pass_label(position)),)
    elif not position.outcome:
        choices = tuple(_first(position))
    return Draft("", choices, amounts, hint=first_hint(position))


def _first(position: ThingState) -> Iterator[Choice]:
    """The choices that can begin a turn."""
    for card in position.open_cards:
        yield Choice(str(Act(play=card)), play_label(position, card), position.landing(card))
    if position.may_auction:
        yield Choice(_LOT, "Lot: auction cards of the bank first")
    yield Choice(str(STAY), stay_label(position))


# ------------------------------------------------------------------------------------ cards and hexes


def _changed_mind(position: ThingState, act: Act) -> Iterator[Choice]:
    """A move taken back by a click on its hex; other cards in the lot."""
    if act.play:
        hex_ = position.landing(act.play)
        yield Choice("", f"Take the move to {hex_} back", hex_)
    if act.lot:
        yield from _cards(position, act)


def _cards(position: ThingState, act: Act) -> Iterator[Choice]:
    """Each card of the bank, to be put into the lot or taken out of it, and all that are left at once."""
    left = tuple(card for card in position.bank if card not in act.lot)
    for card in position.bank:
        if card in left:
            yield Choice(str(replace(act, lot=(*act.lot, card))), f"Put up {card_label(card)}")
        else:
            rest = tuple(each for each in act.lot if each != card)
            text = str(replace(act, lot=rest)) if rest else _LOT
            yield Choice(text, f"Take {card} out of the lot")
    if len(left) > 1:
        what = "all the others too" if act.lot else "all cards of the bank"
        yield Choice(str(replace(act, lot=(*act.lot, *left))), f"Put up {what}")


def _namings(after: ThingState, act: Act) -> Iterator[Choice]:
    """The hexes that can be named once the auction is over, the one already named to be taken back."""
    kind = after.auction.kind if after.auction else ""
    verb = after.due or {"buy": "take", "sell": "put"}.get(kind, "")
    if not verb:
        return
    named = act.naming[1] if act.naming else ""
    for name in after.things if verb == "take" else after.free:
        if name == named:
            yield Choice(str(replace(act, naming=None)), f"Take your choice of {name} back", name)
        else:
            text = str(replace(act, naming=(verb, name)))
            yield Choice(text, naming_label(after, verb, name), name)


# ------------------------------------------------------------------------------------------- amounts


def _kind(position: ThingState, act: Act) -> AuctionKind:
    """The kind of the auction that `act` opens or goes on with."""
    if position.auction:
        return position.auction.kind
    if act.lot:
        return "lot"
    return "sell" if position.owed_on(position.landing(act.play)) == "offer" else "buy"


def _price(position: ThingState, kind: AuctionKind, act: Act) -> Amount:
    """The bid or the offer that is owed, or with which one may go on."""
    seat, auction = position.to_play, position.auction
    assert seat is not None
    far = furthest(kind, position.estates[seat])
    if kind == "sell":
        most = auction.better if auction else HIGHEST_OFFER
        usual = most if auction else USUAL_OFFER
        return Amount("Your offer in dollars", far, most, *_around(act, "offer"), usual)
    coin = "pounds" if kind == "lot" else "dollars"
    label = f"Your {'' if auction else 'opening '}bid in {coin}"
    return Amount(label, auction.better if auction else 0, far, *_around(act, "bid"))


def _changes(position: ThingState, act: Act) -> Iterator[Amount]:
    """Pounds into dollars and dollars into pounds, where the move leads onto a Change."""
    if not act.play or act.change or position.owed_on(position.landing(act.play)) != "change":
        return
    if position.mine.pounds:
        yield Amount("Pounds to turn into dollars", 1, position.mine.pounds, *_around(act, "change", "£"))
    if position.mine.dollars:
        yield Amount("Dollars to turn into pounds", 1, position.mine.dollars, *_around(act, "change", "$"))


def _limits(position: ThingState, act: Act, after: ThingState) -> Iterator[Amount]:
    """The limits of a standing order, where the auction goes on and such an order can act."""
    if act.price is None or act.limit is not None or after.auction is None or position.to_play is None:
        return
    if position.options["bids"] == "3" and position.to_play != position.turn:
        return
    far = furthest(after.auction.kind, position.estates[position.to_play])
    if after.auction.kind == "sell" and far < act.price:
        label = "Min, kept secret: offer on for me down to this many dollars"
        yield Amount(label, far, act.price, *_around(act, "min"), act.price)
    if after.auction.kind != "sell" and far > act.price:
        coin = "pounds" if after.auction.kind == "lot" else "dollars"
        label = f"Max, kept secret: bid on for me up to this many {coin}"
        yield Amount(label, act.price, far, *_around(act, "max"))


_PARTS = {"bid": "bid", "offer": "offer", "max": "limit", "min": "limit", "change": "change"}


def _around(act: Act, word: str, coin: str = "") -> tuple[str, str]:
    """The text of `act` with an amount behind `word`, cut into what stands before the amount and behind."""
    part: dict[str, Any] = {_PARTS[word]: (coin, 0) if coin else 0}
    before, behind = str(replace(act, **part)).split(f"{word} {coin}0", 1)
    return f"{before}{word} {coin}", behind


# ------------------------------------------------------------------------------ labels and hints

MAX_NAMED = 4
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
"""The effect of landing, by the letter of the hex's kind; a Sell here is one without an auction."""

_GAINS = {"lot": "takes the lot", "buy": "buys the Thing", "sell": "sells a Thing"}


def card_label(card: str) -> str:
    """`2U, two steps up`."""
    return f"{card}, {_STEPS[card[0]]} {_WAYS[card[1]]}"


def play_label(position: ThingState, card: str) -> str:
    name = position.landing(card)
    sale = position.owed_on(name) == "offer"
    what = "a Sell: a Thing is sold by auction" if sale else _LANDINGS[position.kinds[name]]
    return f"Play {card} to {name}, {what}"


def stay_label(position: ThingState) -> str:
    taker = SIDES[other(position.turn)]
    if not position.mine.things:
        return "Stay: you own no Thing to give, so you lose"
    if position.estates[other(position.turn)].things == WINNING - 1:
        return f"Stay: {taker} is given a Thing and wins with four"
    return f"Stay: {taker} is given one of your Things"


def pass_label(position: ThingState) -> str:
    auction = position.auction
    assert auction is not None and position.to_play is not None
    price = money("£" if auction.kind == "lot" else "$", auction.last)
    return f"Pass: {SIDES[other(position.to_play)]} {_GAINS[auction.kind]} for {price}"


def naming_label(after: ThingState, verb: str, name: str) -> str:
    kind = KINDS[after.kinds[name]].name
    later = "" if after.due else " when the auction is over"
    return f"{'Take the Thing on' if verb == 'take' else 'Put the Thing on'} {name} ({kind}){later}"


# ---------------------------------------------------------------------------------------------- hints


def first_hint(position: ThingState) -> str:
    """The hint before anything is chosen."""
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


def _call_awaited(position: ThingState) -> str:
    auction = position.auction
    assert auction is not None
    last = " in the last bid" if position.options["bids"] == "3" and len(auction.bids) == 2 else ""
    if auction.kind == "sell":
        return f"Offer {money('$', auction.better)} or less{last}, or pass."
    if auction.kind == "buy":
        return f"Bid ${auction.better} or more{last}, or pass."
    cards = auction.lot
    lot = " ".join(cards) if len(cards) <= MAX_NAMED else f"the {len(cards)} cards of the lot"
    return f"Bid £{auction.better} or more{last} for {lot}, or pass."


def price_hint(position: ThingState, act: Act, kind: AuctionKind) -> str:
    if kind == "lot":
        more = len(act.lot) < len(position.bank)
        return f"{'Add cards, or name' if more else 'Name'} your opening bid for them in pounds."
    name = position.landing(act.play)
    if kind == "buy":
        return f"{name} is a Buy: name your opening bid for a Thing in dollars."
    return f"{name} is a Sell: name the dollars for which you would sell a Thing."


def last_hint(position: ThingState, act: Act, after: ThingState, may_name: bool) -> str:
    """The hint for a ply that can be sent as it stands."""
    if after.outcome:
        return f"This ends the game: {after.outcome.reason}."
    if may_name and not act.naming:
        when = "The auction is over with this" if after.due else "The auction goes on"
        return f"{when}; you may name the hex already."
    if act.play and act.change is None and position.owed_on(position.landing(act.play)) == "change":
        return "You may change money here, or move alone."
    return after.news or "Ready to send."
