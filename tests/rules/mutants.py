"""A small game that keeps every law, and games that differ from it by one deliberate fault each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

from rules.contract import Episode, Move, NoMove, Outcome, Position, Rules, Seat, Unreadable, other
from rules.draft import Choice, Draft
from rules.lesson import Lesson, Wrong
from rules.option import Option, number_option
from rules.picture import Picture, Spot, mark_set
from rules.stone_reading import SWAP

SIDES = ("Odd", "Even")
LEGEND = (("x", "a peg"), (".", "an empty hole"))


@dataclass(frozen=True)
class Peg:
    """A peg in a hole."""

    hole: str

    def __str__(self) -> str:
        return self.hole


@dataclass(frozen=True)
class Pegs(Position):
    """A row of holes, a peg a ply, `swap` on ply 2; who puts the last peg in wins."""

    options: Mapping[str, Any]
    pegs: tuple[str, ...] = ()
    swapped: bool = False
    outcome: Outcome | None = None

    @property
    def rules(self) -> Rules:
        return rules_of(type(self))

    @property
    def ply(self) -> int:
        return len(self.pegs) + self.swapped

    @property
    def holes(self) -> list[str]:
        return [f"h{n}" for n in range(1, self.options["holes"] + 1)]

    def side(self, seat: Seat) -> str | None:
        return SIDES[seat ^ self.swapped]

    def read(self, text: str) -> Move:
        word = text.strip().lower() if len(text) < 20 else ""
        if word == "swap":
            return SWAP
        if word in self.holes:
            return Peg(word)
        if len(word) > 1 and word[0] == "h" and word[1:].isascii() and word[1:].isdigit():
            raise Unreadable(f"{word}: there is no such hole.")
        raise NoMove("A move is a hole such as h2, or swap on move 2.")

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if move == SWAP:
            return None if self.ply == 1 else "swap: on move 2 or not at all."
        if not isinstance(move, Peg) or move.hole not in self.holes:
            return f"{move} is no hole here."
        return f"{move} is taken." if str(move) in self.pegs else None

    def follow(self, move: Move) -> Pegs:
        if move == SWAP:
            return replace(self, swapped=True)
        after = replace(self, pegs=(*self.pegs, str(move)))
        return (
            replace(after, outcome=after.end(self.to_play)) if len(after.pegs) == len(self.holes) else after
        )

    def end(self, mover: Seat) -> Outcome:
        return Outcome(mover, self.side(mover), f"{self.side(mover)} wins: theirs is the last peg")

    def moves(self) -> Iterator[Move]:
        if self.outcome is None:
            yield from (Peg(name) for name in self.playable())
            if self.ply == 1:
                yield SWAP

    def sample(self, rng: Random) -> Move:
        return rng.choice([*Pegs.moves(self)])

    def playable(self) -> list[str]:
        return [] if self.outcome else [name for name in self.holes if name not in self.pegs]

    def examples(self) -> list[str]:
        return self.playable()[:2]

    def draft_ply(self, text: str) -> Draft:
        words = text.strip()
        if words:
            self.play(self.read(words))
        clicks = [Choice(name, f"Put a peg into {name}", name) for name in self.playable() if name != words]
        if self.outcome is None and self.ply == 1 and words != "swap":
            clicks.append(Choice("swap", "Swap: take the other side"))
        return Draft(words, tuple(clicks), complete=bool(words), back="" if words else None)

    def draw_board(self) -> Picture:
        spots, open_ = [], self.playable()
        for x, name in enumerate(self.holes):
            taken = name in self.pegs
            look = ("x", "dark", "a peg") if taken else (".", "empty", "empty")
            spots.append(
                Spot(name, 2 * x, 0, *look, mark_set(self.pegs[-1:] == (name,), name in open_, False))
            )
        told = " ".join(self.pegs)
        return Picture(
            self.rules.key, f"Pegs after move {self.ply}", f"Pegs: {told}.", tuple(spots), legend=LEGEND
        )

    def stones(self) -> list[tuple[str, list[str]]]:
        return [("Pegs (x)", [name for name in self.holes if name in self.pegs])] if self.pegs else []

    def data(self) -> dict[str, Any]:
        return {"options": dict(self.options), "pegs": list(self.pegs), "swapped": self.swapped}


HOLES = number_option("holes", "how many there are", 5, 3, 9)

PEGS = Rules(
    key="pegs",
    name="Pegs",
    designer="Nobody",
    year=2026,
    terms="Anybody may play it.",
    summary="Who puts the last peg into a row of holes wins.",
    turn="A move is one hole, such as h2; on move 2 also swap.",
    options=(HOLES,),
    setup=lambda rules, options, seed: Pegs(dict(options)),
    draw=Pegs.draw_board,
    draft=Pegs.draft_ply,
    words={"swap": ""},
    pie_words=("swap",),
    text="Put a peg into a free hole.\nThe last peg wins.",
)

OF: dict[type[Pegs], Rules] = {}


def rules_of(cls: type[Pegs]) -> Rules:
    """The rules whose positions are of a class."""
    return OF.get(cls, PEGS)


def mutant(**changed: Any) -> Rules:
    """Pegs, but for what is changed: attributes of a position by name, and fields of the rules."""
    fields = {name: changed.pop(name) for name in list(changed) if name in Rules.__dataclass_fields__}
    cls = type("Mutant", (Pegs,), changed)
    made = replace(PEGS, **{"setup": lambda rules, options, seed: cls(dict(options)), **fields})
    OF[cls] = made
    return made


# ------------------------------------------------------------------------------------------- faults


def after(name: str, change: Callable[..., Any]) -> dict[str, Any]:
    """The method of that name with its result changed: `change` gets result, position and arguments."""
    usual = getattr(Pegs, name)
    return {name: lambda self, *given: change(usual(self, *given), self, *given)}


def instead(name: str, when: Callable[..., bool], value: Callable[..., Any]) -> dict[str, Any]:
    """The method of that name with another result, or error, on some arguments alone."""
    usual = getattr(Pegs, name)
    return {
        name: lambda self, *given: value(self, *given) if when(self, *given) else usual(self, *given),
    }


def unreadable(sentence: str) -> Callable[..., Any]:
    def refuse(self: Pegs, text: str) -> Any:
        raise Unreadable(sentence)

    return refuse


def change_every_spot(**changed: Callable[[Spot], Any]) -> dict[str, Any]:
    def change(picture: Picture, self: Pegs) -> Picture:
        made = ({name: value(spot) for name, value in changed.items()} for spot in picture.spots)
        pairs = zip(picture.spots, made, strict=True)
        return replace(picture, spots=tuple(replace(spot, **more) for spot, more in pairs))

    return {"draw": after("draw_board", change)["draw_board"]}


def lesson(right: str = "", wrong: str = "", reply: str = "") -> Lesson:
    """A lesson after `h1`."""
    return Lesson(
        title="A peg",
        teaches="Pegs go into holes.",
        question="Where?",
        options={},
        moves=("h1",),
        claim="ends",
        right=dict.fromkeys(right.split(), "It is free."),
        others=Wrong("No."),
        hint="Look for a free hole.",
        wrong={text: Wrong("No.", reply) for text in wrong.split()},
    )


def on_swap(self: Pegs, move: Move) -> bool:
    return move == SWAP


def change_the_past(made: Pegs, self: Pegs, move: Move) -> Pegs:
    object.__setattr__(self, "pegs", made.pegs)
    return made


def clicks_on_taken_ones(made: Draft, self: Pegs, text: str) -> Draft:
    more = [Choice(name, "Again", name) for name in self.pegs if self.outcome is None and name != text]
    return replace(made, choices=(*made.choices, *more))


def draft(change: Callable[..., Draft]) -> dict[str, Any]:
    return {"draft": after("draft_ply", change)["draft_ply"]}


_DEALT = count()
_ANYTHING = Option("colour", "of the pegs", "red", str, "any")
_H2_LATER = unreadable("h2: not on this move.")

_FAULTS: Mapping[str, tuple[dict[str, Any], str]] = {
    "lists moves twice": (after("moves", lambda made, self: 2 * [*made]), "lists a move twice"),
    "lists no swap": (
        after("moves", lambda made, self: [move for move in made if move != SWAP]),
        "does not list swap",
    ),
    "lists too few moves": (
        after("moves", lambda made, self: [m for n, m in enumerate(made) if n == 0 or str(m) != "h3"]),
        "does not list h3, which may be played",
    ),
    "lists illegal moves": (
        after("moves", lambda made, self: [] if self.outcome else [*map(Peg, self.holes)]),
        "offers h., which|offers h.: h. is taken",
    ),
    "lists moves after the end": (
        after("moves", lambda made, self: [*made, *([Peg("h1")] if self.outcome else [])]),
        "moves and the outcome disagree",
    ),
    "reads resign": (
        instead("read", lambda self, text: text.lower() == "resign", lambda self, text: Peg("h1")),
        "takes the word 'resign' of the server",
    ),
    "crashes beyond ASCII": (
        instead("read", lambda self, text: text.encode("ascii") is None, lambda self, text: SWAP),
        "cannot bear .*UnicodeEncodeError",
    ),
    "raises ValueError for junk": (
        instead("read", lambda self, text: text.startswith("h") and int(text[1:]) < 0, lambda self, t: SWAP),
        "ValueError where words of the server are no moves",
    ),
    "reads digits of other alphabets": (
        instead(
            "read",
            lambda self, text: text[:1] in ("a", "h") and text[1:].isdigit(),
            lambda self, text: Peg(f"h{int(text[1:])}"),
        ),
        "cannot bear|takes",
    ),
    "refuses junk in silence": (
        instead("read", lambda self, text: text == "-", unreadable("")),
        "refuses '-' without a sentence",
    ),
    "reads by whose turn it is": (
        instead("read", lambda self, text: self.ply % 2 == 1 and text == "h2", _H2_LATER),
        "Unreadable where|h2",
    ),
    "gives both seats one side": ({"side": lambda self, seat: "Odd"}, "both seats play Odd"),
    "swaps nothing": ({"side": lambda self, seat: SIDES[seat]}, "swap does not exchange the sides"),
    "has swap at any time": (
        instead("problem", lambda self, move: move == SWAP and not self.outcome, lambda self, move: None),
        "has sides exchanged on move|takes swap, which it does not list",
    ),
    "has no swap in spite of its pie": (
        instead("problem", on_swap, lambda self, move: "swap: not here."),
        "Illegal where .*: swap: not here",
    ),
    "goes on with the wrong seat": (
        {"to_play": property(lambda self: None if self.outcome else int(self.ply % 2 != self.swapped))},
        "after swap first is to play",
    ),
    "marks no last move": (
        change_every_spot(marks=lambda spot: spot.marks - {"last"}),
        "does not mark the last ply",
    ),
    "draws beyond 74 columns": (change_every_spot(x=lambda spot: spot.x * 12), "draws [0-9]+ columns"),
    "draws with 8 bits": (change_every_spot(glyph=lambda spot: "\u00b7"), "more than 7 bits"),
    "has a default out of range": (
        {"options": (replace(HOLES, default=12),)},
        "its options 'holes=12' cannot be given so",
    ),
    "takes any option": ({"options": (HOLES, _ANYTHING)}, "takes anything for the option colour"),
    "has an option of two words": (
        {"options": (HOLES, replace(HOLES, name="big holes"))},
        "the option 'big holes' cannot be written",
    ),
    "changes its options": (
        after("follow", lambda made, self, move: replace(made, options={**self.options, "colour": "red"})),
        "a position has other options than its game",
    ),
    "has a rules text with a move": (
        {"text": "Put a peg into a hole:\nh2\n"},
        "takes a line of its rules for a move: h2",
    ),
    "has a key that cannot be called": ({"key": "4pegs!"}, "the key '4pegs!' cannot be written"),
    "is called like a clock": ({"key": "brisk"}, "the word 'brisk' does not call a game"),
    "has a name that cannot be called": ({"name": "P\u00e9gs: 2"}, "the name 'P\u00e9gs: 2' cannot be"),
    "says nothing of its terms": ({"terms": " "}, "says nothing of its terms"),
    "plays what is illegal": (
        {"play": lambda self, move: self.follow(move)},
        "which is illegal|played after the end",
    ),
    "finds nothing illegal": (
        instead("problem", lambda self, move: move != SWAP and not self.outcome, lambda self, move: None),
        "takes h., which it does not list",
    ),
    "refuses without a sentence": (
        after("problem", lambda made, self, move: None if made is None else ""),
        "refuses h. without a sentence",
    ),
    "changes the past": (after("follow", change_the_past), "changed the past|did not count as one move"),
    "never ends": (
        {
            **after("follow", lambda made, self, move: replace(made, outcome=None)),
            **instead("problem", lambda self, move: move != SWAP, lambda self, move: None),
            "playable": lambda self: self.holes,
        },
        "has not ended after",
    ),
    "lets the loser win": (
        after("end", lambda made, self, mover: replace(made, winner=other(mover))),
        "who sits elsewhere than the winner",
    ),
    "ends its reason with a full stop": (
        after("end", lambda made, self, mover: replace(made, reason="Odd wins.")),
        "reason with a full stop",
    ),
    "has no reason for its end": (
        after("end", lambda made, self, mover: replace(made, reason=" ")),
        "ended without a reason",
    ),
    "gives an example that is none": ({"examples": lambda self: [] if self.outcome else ["h0"]}, "h0"),
    "gives too many examples": (
        {"examples": lambda self: self.playable()[:1] * 4},
        "more than three examples",
    ),
    "names a cell twice": (
        after("playable", lambda made, self: 2 * made),
        "playable cell twice|lists a move twice",
    ),
    "shows a line that is a move": (
        {"notes": lambda self: ["It is your turn.", "h2"]},
        "takes a line that it shows .*: h2",
    ),
    "gives too few data": (
        after("data", lambda made, self: {**made, "swapped": False}),
        "data.. is the same in two positions",
    ),
    "gives data that are no JSON": (
        after("data", lambda made, self: {**made, "pegs": self.pegs}),
        "does not survive JSON",
    ),
    "lets illegal cells be clicked": (draft(clicks_on_taken_ones), "and refuses it: h. is taken"),
    "lets too little be clicked": (
        draft(lambda made, self, text: replace(made, choices=made.choices[:1])),
        "cannot be clicked",
    ),
    "has unequal hashes": ({"__hash__": lambda self: id(self)}, "different hashes"),
    "asks about moves that do not lose": (
        {"gives_up": lambda self, move: "That loses the game." if str(move) == "h1" else None},
        "asks about h1, which does not lose",
    ),
    "tells a part of its story": (
        {"story": lambda positions: [Episode(1, 1, 0, "It began.")]},
        "tells nothing of ply 2",
    ),
    "answers a lesson against its rules": ({"lessons": (lesson(right="h1"),)}, "answer in a lesson, but: h1"),
    "spells the answer to a lesson in its own way": ({"lessons": (lesson(right="H2"),)}, "H2 in a lesson"),
    "has a lesson that no answer is right in": ({"lessons": (lesson(),)}, "no right answer to the lesson"),
    "calls an answer right and wrong": (
        {"lessons": (lesson(right="h2", wrong="h2"),)},
        "calls h2 right and wrong",
    ),
    "answers a mistake against its rules": (
        {"lessons": (lesson(right="h2", wrong="h3", reply="h3"),)},
        "answer in a lesson, but: h3",
    ),
    "deals by chance": (
        {"setup": lambda rules, options, seed: Pegs({**options, "dealt": next(_DEALT)})},
        "dealt two different positions",
    ),
}

FAULTS = {name: (mutant(**changed), complaint) for name, (changed, complaint) in _FAULTS.items()}
"""The fault of a game -> that game, and the sentence of the law it breaks."""
