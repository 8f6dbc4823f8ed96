"""The state of Hexagonal Thing, and the changes that a legal ply makes in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Self

from rules.contract import Illegal, Move, Outcome, Position, Rules, Seat, other
from rules.copying import replaced
from rules.games.hexthing.hexes import CARDS, HEXES, WAYS, in_order
from rules.games.hexthing.plies import Act

SIDES = ("White", "Black")


@dataclass(frozen=True)
class Estate:
    """One player's counter, cards in order, whole pounds and dollars, and number of Things."""

    hex: str
    cards: tuple[str, ...]
    pounds: int
    dollars: int
    things: int = 0


Estates = tuple[Estate, Estate]


def _with(estates: Estates, seat: Seat, **changed: Any) -> Estates:
    estate = replaced(estates[seat], changed)
    return (estate, estates[1]) if seat == 0 else (estates[0], estate)


@dataclass(frozen=True)
class Trade:
    """The rules of one kind of auction, of cards or a Thing."""

    call: str
    """The word for a price: `bid` if prices go up, `offer` if they go down."""
    coin: str
    purse: str
    """The field of an `Estate` that pays."""
    limit: str
    paid: str
    naming: str = ""
    falls: bool = False

    def passes(self, price: int, limit: int) -> bool:
        return price < limit if self.falls else price > limit

    def furthest(self, estate: Estate) -> int:
        """Return the highest bid that `estate` may make, or the lowest offer if prices go down."""
        money: int = getattr(estate, self.purse)
        return -money if self.falls else money


TRADES = {
    "lot": Trade("bid", "£", "pounds", "max", "cards are auctioned in pounds"),
    "buy": Trade("bid", "$", "dollars", "max", "a Buy is paid in dollars", "take"),
    "sell": Trade("offer", "$", "dollars", "min", "a Buy is paid in dollars", "put", falls=True),
}


@dataclass(frozen=True)
class Auction:
    """An open auction. `bids` are made in turn, the opener's first; for a Sell they are offers."""

    kind: str
    """A key of `TRADES`."""
    bids: tuple[int, ...]
    lot: tuple[str, ...] = ()

    @property
    def trade(self) -> Trade:
        return TRADES[self.kind]

    @property
    def better(self) -> int:
        """Return the price that is just better than the last bid."""
        return self.bids[-1] - 1 if self.trade.falls else self.bids[-1] + 1

    def can_better(self, estate: Estate) -> bool:
        return not self.trade.passes(self.better, self.trade.furthest(estate))


def money(coin: str, amount: int) -> str:
    return f"-{coin}{-amount}" if amount < 0 else f"{coin}{amount}"


@lru_cache(maxsize=100)
def _kinds_of(board: str) -> Mapping[str, str]:
    return dict(zip(HEXES, board, strict=True))


def known_by(turn: Seat, estates: Estates, things: Sequence[str]) -> str:
    """Return a position at the beginning of a turn as text. The bank owns what is left, so it is omitted."""
    owned = (f"{e.hex} £{e.pounds} ${e.dollars} {e.things} {''.join(e.cards)}" for e in estates)
    return "/".join((SIDES[turn], *owned, "".join(things)))


@dataclass(frozen=True)
class ThingState(Position):
    """The state of a game: the turn, possessions, Things, and the auction."""

    rules: Rules = field(repr=False, compare=False)
    options: Mapping[str, Any]
    ply: int
    turn: Seat
    """The seat whose turn it is; in an auction the other one may be to play."""
    estates: Estates
    things: tuple[str, ...]
    """The hexes on which Things stand, in the order of the board."""
    turns: tuple[str, ...]
    """The positions, as text, at the beginning of every turn so far, the present turn's last."""
    lotted: bool = False
    """True if the card auction of this turn has begun."""
    auction: Auction | None = None
    opened: int = 0
    """The ply that opened the auction which is open, or after which a hex is still to be named."""
    due: str = ""
    """`take` or `put` when the player whose turn it is owes a hex, else empty."""
    last: str = ""
    last_seat: Seat = 0
    news: str = ""
    """The automatic effect of the last ply, told in a sentence."""
    outcome: Outcome | None = None

    @property
    def to_play(self) -> Seat | None:
        return None if self.outcome else self.caller

    @property
    def caller(self) -> Seat:
        """Return the seat to play, even after the end of the game."""
        return other(self.turn) if self.auction and len(self.auction.bids) % 2 else self.turn

    @property
    def mine(self) -> Estate:
        return self.estates[self.turn]

    @property
    def theirs(self) -> Estate:
        return self.estates[other(self.turn)]

    @property
    def kinds(self) -> Mapping[str, str]:
        return _kinds_of(self.options["board"])

    @cached_property
    def bank(self) -> tuple[str, ...]:
        """The cards that nobody owns."""
        owned = {*self.mine.cards, *self.theirs.cards}
        return tuple(card for card in CARDS if card not in owned)

    @property
    def unsold(self) -> list[str]:
        return [card for card in self.bank if not self.auction or card not in self.auction.lot]

    def nameable(self, verb: str) -> tuple[str, ...]:
        if verb == "take":
            return self.things
        taken = {*self.things, self.mine.hex, self.theirs.hex}
        return tuple(name for name in HEXES if name not in taken)

    @property
    def awaits_move(self) -> bool:
        """True until the player whose turn it is moves or stays."""
        return not (self.outcome or self.auction or self.due)

    @property
    def may_auction(self) -> bool:
        return self.awaits_move and not self.lotted and bool(self.bank)

    @property
    def last_of_three(self) -> bool:
        return self.auction is not None and self.options["bids"] == "3" and len(self.auction.bids) == 2

    @cached_property
    def open_cards(self) -> tuple[str, ...]:
        return tuple(card for card in self.mine.cards if self.way_problem(card) is None)

    def way_problem(self, card: str) -> str | None:
        """Return why the card cannot move the counter, as the middle of a sentence, or None if it can."""
        mine, theirs = self.mine, self.theirs
        if card not in mine.cards:
            return f"it is {self.owner(card)}, not yours"
        way = WAYS[mine.hex][card]
        if not way:
            return f"it leads off the board from {mine.hex}"
        for name in way:
            if name in self.things or name == theirs.hex:
                what = "a Thing" if name in self.things else f"{SIDES[other(self.turn)]}'s counter"
                return f"{what} stands {'on' if name == way[-1] else 'in the way, on'} {name}"
        if self.kinds[way[-1]] == "S" and not mine.things:
            return f"{way[-1]} is a Sell, where only an owner of a Thing may land"
        return None

    def owner(self, card: str) -> str:
        if card in self.mine.cards:
            return "your own"
        return f"{SIDES[other(self.turn)]}'s" if card not in self.bank else "the bank's"

    def landing(self, card: str) -> str:
        return WAYS[self.mine.hex][card][-1]

    def owed_by(self, card: str) -> str:
        """Return the clause that a card needs: `bid`, `offer`, `change` (which is optional) or ""."""
        kind = self.kinds[self.landing(card)]
        if kind == "S":
            return "offer" if self.theirs.things else ""
        return {"B": "bid", "C": "change"}.get(kind, "")

    def trade_of(self, act: Act) -> Trade:
        if self.auction:
            return self.auction.trade
        return TRADES["lot" if act.lot else "sell" if self.owed_by(act.play) == "offer" else "buy"]

    def side(self, seat: Seat) -> str:
        return SIDES[seat]

    def follow(self, move: Move) -> Self:
        if not isinstance(move, Act) or self.outcome:
            raise Illegal(self.problem(move) or "")
        bare, seat = move.bare, self.caller
        made = {"ply": self.ply + 1, "last": str(bare), "last_seat": seat}
        usual = {"opened": 0, "auction": None, "due": "", "news": ""}
        after = replaced(self, {**usual, **_VERBS[bare.verb](self, bare), **made})
        if bare is move or move.naming is None:
            return after
        return replaced(after, {"opened": 0, "due": "", **_name_hex(after, move), "last": str(move)})


WINNING = 4
SELL_GIFT = 20
"""The dollars for landing on a Sell while the other player owns no Thing."""


def _lot(position: ThingState, act: Act) -> dict[str, Any]:
    auction = Auction("lot", (act.price,), act.lot)
    return {"lotted": True, **_open_auction(position, position.estates, auction)}


def _open_auction(position: ThingState, estates: Estates, auction: Auction) -> dict[str, Any]:
    return {"opened": position.ply + 1, **_make_call(position, estates, auction, position.turn)}


def _make_call(position: ThingState, estates: Estates, auction: Auction, seat: Seat) -> dict[str, Any]:
    """Accept the last bid, which `seat` made. The bid wins if no other can follow."""
    third = position.options["bids"] == "3" and len(auction.bids) == 3
    if third or not auction.can_better(estates[other(seat)]):
        return _close_auction(estates, auction, seat)
    return {"estates": estates, "auction": auction}


def _call(position: ThingState, act: Act) -> dict[str, Any]:
    auction = position.auction
    assert auction is not None
    raised = replaced(auction, {"bids": (*auction.bids, act.price)})
    return {"opened": position.opened, **_make_call(position, position.estates, raised, position.caller)}


def _pass(position: ThingState, act: Act) -> dict[str, Any]:
    assert position.auction is not None
    won = _close_auction(position.estates, position.auction, other(position.caller))
    return {"opened": position.opened, **won}


def _close_auction(estates: Estates, auction: Auction, seat: Seat) -> dict[str, Any]:
    side, estate, price = SIDES[seat], estates[seat], auction.bids[-1]
    if auction.kind == "lot":
        cards = in_order((*estate.cards, *auction.lot))
        estates = _with(estates, seat, cards=cards, pounds=estate.pounds - price)
        return {"estates": estates, "news": f"{side} takes the lot for £{price}."}
    if auction.kind == "sell":
        estates = _with(estates, seat, things=estate.things - 1, dollars=estate.dollars + price)
        return {"estates": estates, "due": "put", "news": f"{side} sells a Thing for {money('$', price)}."}
    estates = _with(estates, seat, things=estate.things + 1, dollars=estate.dollars - price)
    # The Thing is the winner's when the auction ends; a fourth ends the game before it is named.
    ending = _four_things(seat) if estates[seat].things == WINNING else {"due": "take"}
    return {"estates": estates, "news": f"{side} buys a Thing for ${price}.", **ending}


def _four_things(seat: Seat) -> dict[str, Any]:
    side = SIDES[seat]
    return {"outcome": Outcome(seat, side, f"{side} wins: {side} owns four Things")}


def _play(position: ThingState, act: Act) -> dict[str, Any]:
    seat, estate, landed = position.turn, position.mine, position.landing(act.play)
    cards = tuple(card for card in estate.cards if card != act.play)
    estates = _with(position.estates, seat, hex=landed, cards=cards)
    kind = position.kinds[landed]
    if kind == "B":
        return _open_auction(position, estates, Auction("buy", (act.price,)))
    if kind == "S" and position.theirs.things:
        return _open_auction(position, estates, Auction("sell", (act.price,)))
    pounds, dollars, news = 0, 0, ""
    if kind == "S":
        dollars = SELL_GIFT
        news = f"{SIDES[seat]}, the only owner of Things, collects ${SELL_GIFT} on the Sell."
    elif kind == "P":
        pounds, news = 10, f"{SIDES[seat]} collects £10."
    elif kind == "D":
        dollars, news = 20, f"{SIDES[seat]} collects $20."
    elif act.change is not None:
        coin, amount = act.change
        dollars = amount if coin == "£" else -amount
        pounds = -dollars
    estates = _with(estates, seat, pounds=estate.pounds + pounds, dollars=estate.dollars + dollars)
    return {**_end_turn(position, estates, position.things), "news": news}


def _stay(position: ThingState, act: Act) -> dict[str, Any]:
    giver, taker = position.turn, other(position.turn)
    if not position.mine.things:
        reason = f"{SIDES[taker]} wins: {SIDES[giver]} owes a Thing and owns none"
        return {"outcome": Outcome(taker, SIDES[taker], reason)}
    estates = _with(position.estates, giver, things=position.mine.things - 1)
    estates = _with(estates, taker, things=position.theirs.things + 1)
    news = f"{SIDES[giver]} stays and gives {SIDES[taker]} a Thing."
    if estates[taker].things == WINNING:
        return {"estates": estates, "news": news, **_four_things(taker)}
    return {**_end_turn(position, estates, position.things), "news": news}


def _name_hex(position: ThingState, act: Act) -> dict[str, Any]:
    """Move a Thing to its buyer, or back onto the board, and end the turn."""
    assert act.naming is not None
    verb, name = act.naming
    things = {*position.things} - {name} if verb == "take" else {*position.things, name}
    return _end_turn(position, position.estates, in_order(things))


def _end_turn(position: ThingState, estates: Estates, things: tuple[str, ...]) -> dict[str, Any]:
    """End a turn. If the new position appears for the third time, the game is a draw."""
    turn = other(position.turn)
    known = known_by(turn, estates, things)
    turns = (*position.turns, known)
    found = {"turn": turn, "estates": estates, "things": things, "lotted": False, "turns": turns}
    if turns.count(known) < 3:
        return found
    draw = Outcome(None, None, "Draw: the same position, to begin a turn, for the third time")
    return {**found, "outcome": draw}


_VERBS: Mapping[str, Callable[[ThingState, Act], dict[str, Any]]] = {
    "lot": _lot,
    "play": _play,
    "stay": _stay,
    "bid": _call,
    "offer": _call,
    "pass": _pass,
    "take": _name_hex,
    "put": _name_hex,
}
