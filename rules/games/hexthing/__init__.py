"""Hexagonal Thing, by Julian D. A. Wiseman, 1986: a counter each, cards bought at auction, seven Things.

The designer holds all rights in the game, and allows and encourages non-commercial play. Players who have the
designer's print can correct the board by the options `board` and `things`.
"""

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Any

from rules.contract import Rules
from rules.games.hexthing import hexes, judging, offering, telling
from rules.games.hexthing.drafting import draft
from rules.games.hexthing.lessons import LESSONS
from rules.games.hexthing.playing_on import KNOWLEDGE
from rules.games.hexthing.plies import Act, read
from rules.games.hexthing.state import Estate, ThingState, known_by
from rules.option import Option, choice_option, number_option

_PLAIN = ("ply", "turn", "things", "turns", "lotted", "opened", "due", "last", "last_seat", "news")


class ThingPosition(ThingState):
    """A situation of the game, with the plies that may be played and the words that are shown."""

    problem = judging.problem
    gives_up = judging.gives_up
    split = offering.split
    answer_for = offering.answer_for
    still_ordered = offering.still_ordered
    moves = offering.moves
    actions = offering.actions
    complete = property(offering.complete)
    sample = offering.sample
    playable = offering.playable
    examples = offering.examples
    scores = telling.scores
    stones = telling.stones
    beside = telling.beside
    notes = telling.notes

    def read(self, text: str) -> Act:
        """Return the ply that `text` spells. If a hex is owed, its name is enough: `e5` is `take e5`."""
        return read(f"{self.due} {text}" if self.due and text.strip().lower() in hexes.RANK else text)

    def key(self) -> Hashable:
        """Return all that decides what follows, with earlier turns, as a third repetition is a draw."""
        now = self.turn, self.estates, self.things, self.lotted, self.auction, self.due
        return *now, tuple(sorted(self.turns)), self.outcome is None

    def data(self) -> dict[str, Any]:
        return {
            "game": "hexthing",
            "options": dict(self.options),
            **_lists({name: getattr(self, name) for name in _PLAIN}),
            "estates": [_lists(vars(each)) for each in self.estates],
            "auction": _lists(vars(self.auction)) if self.auction else None,
            "outcome": {**vars(self.outcome)} if self.outcome else None,
        }


def _lists(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def first_position(rules: Rules, options: Mapping[str, Any], seed: int = 0) -> ThingPosition:
    money, things = options["money"], tuple(options["things"].split(","))
    white = Estate(hexes.WHITE_START, hexes.WHITE_CARDS, money, money)
    estates = white, Estate(hexes.BLACK_START, hexes.BLACK_CARDS, money, money)
    options, turns = MappingProxyType(dict(options)), (known_by(0, estates, things),)
    return ThingPosition(rules, options, 0, 0, estates, things, turns)


def read_board(text: str) -> str:
    """Return a board: 37 letters in the order of `HEXES`. Raise ValueError for another text."""
    board = "".join(text.replace(",", " ").split()).upper()
    if len(board) != len(hexes.HEXES) or not set(board) <= hexes.KINDS.keys():
        raise ValueError(text)
    return board


def read_things(text: str) -> str:
    """Return seven different hexes in order (`b3,c2,...`), without both starts, or raise ValueError."""
    names = text.replace(",", " ").lower().split()
    allowed = hexes.RANK.keys() - {hexes.WHITE_START, hexes.BLACK_START}
    if len(names) != 7 or len(set(names)) != 7 or not allowed.issuperset(names):
        raise ValueError(text)
    return ",".join(hexes.in_order(names))


RULES = Rules(
    key="hexthing",
    name="Hexagonal Thing",
    designer="Julian D. A. Wiseman",
    year=1986,
    terms=(
        "All rights on game, board, rules and concept are reserved by Julian D. A. Wiseman. Playing it"
        " without commerce is allowed and encouraged; for any commercial use please write to him by way"
        " of www.jdawiseman.com/author.html."
    ),
    family="auctions",
    summary=(
        "Play movement cards, buy more at auction, and bid for Things: four Things win, and whoever"
        " owes one and owns none has lost."
    ),
    turn=(
        "A move is a card auction such as lot 1N 2U bid 5, a step such as play 2U or play 2U bid 3, the"
        " one word stay, an answer in an auction such as bid 6 or pass, or a hex such as take e5 or put"
        " c3 for the Thing that is due."
    ),
    options=(
        choice_option("bids", "the most bids in an auction", "any", ["any", "3"]),
        Option(
            "things", "where Things begin", hexes.THINGS, read_things, "seven different hexes, not d1 or d7"
        ),
        number_option(
            "money", "pounds and dollars that each begins with, of either", 50, 0, 999, rated=(20, 999)
        ),
        Option("board", "what the hexes are, a1 to g4", hexes.BOARD, read_board, "37 letters of B S C J P D"),
    ),
    setup=first_position,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    draw=telling.draw,
    draft=draft,
    words={"pass": "", "bid": "number", "take": "cell", "put": "cell"},
    ends=False,
    story=telling.story,
    aliases=("hexagonal-thing", "hexagonalthing", "hexagonal", "thing"),
)
