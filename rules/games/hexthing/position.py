"""One situation of Hexagonal Thing: what may be played, what follows, what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rules.contract import Illegal, Move, Outcome, Position, Rules, Seat, Standing, other
from rules.games.hexthing import judging, offering, reading, standing, telling, turns
from rules.games.hexthing.estate import SIDES, Auction, Estate, Estates, bank, known_by
from rules.games.hexthing.hexes import BLACK_CARDS, BLACK_START, HEXES, WAYS, WHITE_CARDS, WHITE_START, kinds
from rules.games.hexthing.plies import Act

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True)
class ThingPosition(Position):
    """One situation: whose turn it is, who has what, where Things stand, which auction is open."""

    rules: Rules = field(repr=False, compare=False)
    options: Mapping[str, Any]
    ply: int
    turn: Seat
    """Whose turn it is; in an auction the seat to play may be the other one."""
    estates: Estates
    things: tuple[str, ...]
    """The hexes on which Things stand, in the order of the board."""
    turns: tuple[str, ...]
    """How the position was known at the beginning of every turn so far, this one's the last."""
    lotted: bool = False
    """Whether this turn has had its card auction, or has it now."""
    auction: Auction | None = None
    opened: int = 0
    """The ply that opened the auction which is open, or of which a hex is still to be named."""
    due: str = ""
    """`take` or `put` when the player whose turn it is owes a hex, else empty."""
    last: str = ""
    """The last ply, in its canonical text."""
    last_seat: Seat = 0
    news: str = ""
    """What the last ply brought about by itself, as a sentence."""
    outcome: Outcome | None = None

    @property
    def to_play(self) -> Seat | None:  # type: ignore[override]
        if self.outcome:
            return None
        if self.auction and len(self.auction.bids) % 2:
            return other(self.turn)
        return self.turn

    @property
    def mine(self) -> Estate:
        """What the player has whose turn it is."""
        return self.estates[self.turn]

    @property
    def kinds(self) -> Mapping[str, str]:
        """Hex -> letter of its kind."""
        return kinds(self.options["board"])

    @cached_property
    def bank(self) -> tuple[str, ...]:
        """The cards that nobody owns."""
        return bank(self.estates)

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Hexes without Thing or counter."""
        taken = {*self.things, *(estate.hex for estate in self.estates)}
        return tuple(name for name in HEXES if name not in taken)

    @property
    def awaits_move(self) -> bool:
        """Whether the player whose turn it is has yet to move or stay."""
        return not (self.outcome or self.auction or self.due)

    @property
    def may_auction(self) -> bool:
        return self.awaits_move and not self.lotted and bool(self.bank)

    @cached_property
    def open_cards(self) -> tuple[str, ...]:
        """The cards by which the player whose turn it is could move."""
        return tuple(card for card in self.mine.cards if judging.way_problem(self, card) is None)

    def landing(self, card: str) -> str:
        """Where a card leads from the hex of the player whose turn it is."""
        return WAYS[self.mine.hex][card][-1]

    def owed_on(self, name: str) -> str:
        """What goes with landing on a hex: `bid`, `offer`, `change` (if one likes) or nothing."""
        kind = self.kinds[name]
        if kind == "S":
            return "offer" if self.estates[other(self.turn)].things else ""
        return {"B": "bid", "C": "change"}.get(kind, "")

    def side(self, seat: Seat) -> str:
        return SIDES[seat]

    def read(self, text: str) -> Act:
        return reading.read(text)

    def problem(self, move: Move) -> str | None:
        if not isinstance(move, Act):
            return f"{move} is no ply of Hexagonal Thing."
        return judging.problem(self, move)

    def follow(self, move: Move) -> ThingPosition:
        if not isinstance(move, Act) or self.to_play is None:
            raise Illegal(self.problem(move) or "")
        bare = move.bare
        found = {
            **turns.changes(self, bare),
            "ply": self.ply + 1,
            "last": str(bare),
            "last_seat": self.to_play,
        }
        if bare is move or move.naming is None:
            return replace(self, **found)
        after = replace(self, **found)
        named = {"opened": 0, "due": "", **turns.named(after, move), "last": str(move)}
        return replace(after, **named)

    def split(self, move: Move) -> tuple[Move, Standing | None]:
        return standing.split(self, move) if isinstance(move, Act) else (move, None)

    def answer_for(self, seat: Seat, order: Standing, against: Standing | None = None) -> Move | None:
        return standing.answer_for(self, seat, order, against)

    def gives_up(self, move: Move) -> str | None:
        return judging.gives_up(self, move) if isinstance(move, Act) else None

    def still_ordered(self, seat: Seat, order: Standing) -> str:
        return standing.still_ordered(self, seat, order)

    def moves(self) -> Iterator[Move]:
        return offering.moves(self)

    def sample(self, rng: Random) -> Move:
        return offering.sample(self, rng)

    def playable(self) -> list[str]:
        """At most 30 plies, at least one of every kind that is open: cells alone would say little here."""
        return offering.playable(self)

    def examples(self) -> list[str]:
        return offering.examples(self)

    def scores(self) -> dict[str, Any]:
        return telling.scores(self)

    def stones(self) -> list[tuple[str, list[str]]]:
        return telling.stones(self)

    def beside(self) -> list[tuple[str, list[str]]]:
        return telling.cards(self)

    def notes(self) -> list[str]:
        return telling.notes(self)

    def data(self) -> dict[str, Any]:
        return {
            "game": "hexthing",
            "options": dict(self.options),
            "ply": self.ply,
            "turn": self.turn,
            "estates": [{**asdict(each), "cards": list(each.cards)} for each in self.estates],
            "things": list(self.things),
            "turns": list(self.turns),
            "lotted": self.lotted,
            "auction": _auction_data(self.auction),
            "opened": self.opened,
            "due": self.due,
            "last": self.last,
            "last_seat": self.last_seat,
            "news": self.news,
            "outcome": asdict(self.outcome) if self.outcome else None,
        }


def _auction_data(auction: Auction | None) -> dict[str, Any] | None:
    if auction is None:
        return None
    return {"kind": auction.kind, "bids": list(auction.bids), "lot": list(auction.lot)}


def first(rules: Rules, options: Mapping[str, Any], seed: int = 0) -> ThingPosition:
    """The starting position: White on the up-most hex, Black on the down-most one; no chance in it."""
    options = MappingProxyType(dict(options))
    money = options["money"]
    estates = (
        Estate(WHITE_START, WHITE_CARDS, money, money),
        Estate(BLACK_START, BLACK_CARDS, money, money),
    )
    things = tuple(options["things"].split(","))
    return ThingPosition(rules, options, 0, 0, estates, things, (known_by(0, estates, things),))


def restored(rules: Rules, data: Mapping[str, Any]) -> ThingPosition:
    """The position of which `data` is the `data()`."""
    options = MappingProxyType(dict(data["options"]))
    white, black = (Estate(**{**each, "cards": tuple(each["cards"])}) for each in data["estates"])
    auction, outcome = data["auction"], data["outcome"]
    return ThingPosition(
        rules,
        options,
        data["ply"],
        data["turn"],
        (white, black),
        tuple(data["things"]),
        tuple(data["turns"]),
        data["lotted"],
        Auction(auction["kind"], tuple(auction["bids"]), tuple(auction["lot"])) if auction else None,
        data["opened"],
        data["due"],
        data["last"],
        data["last_seat"],
        data["news"],
        Outcome(**outcome) if outcome else None,
    )
