"""A small game that keeps every law, and games that differ from it by one deliberate fault each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

from rules.contract import (
    ByTurns,
    Episode,
    Move,
    NoMove,
    Option,
    Outcome,
    Position,
    Rules,
    Seat,
    Unreadable,
    number_option,
    other,
)
from rules.draft import Choice, Draft
from rules.picture import Picture, Spot
from rules.pie import SWAP, is_swap

SIDES = ("Odd", "Even")


@dataclass(frozen=True)
class Peg:
    """A peg in a hole."""

    hole: str

    def __str__(self) -> str:
        return self.hole


@dataclass(frozen=True)
class Pegs(ByTurns):
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
        if is_swap(word):
            return SWAP
        if word in self.holes:
            return Peg(word)
        if len(word) > 1 and word[0] == "h" and word[1:].isascii() and word[1:].isdigit():
            raise Unreadable(f"{word}: there is no such hole.")
        raise NoMove("A ply is a hole such as h2, or swap on ply 2.")

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if move == SWAP:
            return None if self.ply == 1 else "swap: on ply 2 or not at all."
        return f"{move} is taken." if str(move) in self.pegs else None

    def follow(self, move: Move) -> Pegs:
        if move == SWAP:
            return replace(self, swapped=True)
        after = replace(self, pegs=(*self.pegs, str(move)))
        return replace(after, outcome=after.ended(self.turn)) if len(after.pegs) == len(self.holes) else after

    def ended(self, mover: Seat) -> Outcome:
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

    def drafted(self, text: str) -> Draft:
        words = text.strip()
        if words:
            self.play(self.read(words))
        clicks = [Choice(name, f"Put a peg into {name}", name) for name in self.playable() if name != words]
        if self.outcome is None and self.ply == 1 and words != "swap":
            clicks.append(Choice("swap", "Swap: take the other side"))
        return Draft(words, tuple(clicks), complete=bool(words), back="" if words else None)

    def drawn(self) -> Picture:
        spots = []
        for x, name in enumerate(self.holes):
            taken = name in self.pegs
            marks = frozenset({"last"}) if self.pegs[-1:] == (name,) else frozenset[str]()
            spots.append(
                Spot(name, 2 * x, 0, "x" if taken else ".", "dark" if taken else "empty", "a hole", marks)
            )
        return Picture("pegs", "Pegs", "A row of holes", tuple(spots), ())

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
    turn="A ply is one hole, such as h2; on ply 2 also swap.",
    options=(HOLES,),
    setup=lambda rules, options, seed: Pegs(dict(options)),
    load=lambda rules, data: restored(Pegs, data),
    draw=Pegs.drawn,
    draft=Pegs.drafted,
    words={"swap": ""},
    pie_words=("swap",),
    text="Put a peg into a free hole.\nThe last peg wins.",
)

OF: dict[type[Pegs], Rules] = {}


def rules_of(cls: type[Pegs]) -> Rules:
    """The rules whose positions are of a class."""
    return OF.get(cls, PEGS)


def restored(cls: type[Pegs], data: Mapping[str, Any]) -> Pegs:
    position = cls(data["options"])
    for n, name in enumerate(data["pegs"]):
        position = position.follow(Peg(name))
        if n == 0 and data["swapped"]:
            position = position.follow(SWAP)
    return position


def mutant(**changed: Any) -> Rules:
    """Pegs, but for what is changed: attributes of a position by name, and fields of the rules."""
    fields = {name: changed.pop(name) for name in list(changed) if name in Rules.__dataclass_fields__}
    cls = type("Mutant", (Pegs,), changed)
    made = replace(
        PEGS,
        **{
            "setup": lambda rules, options, seed: cls(dict(options)),
            "load": lambda rules, data: restored(cls, data),
            **fields,
        },
    )
    OF[cls] = made
    return made


# ------------------------------------------------------------------------------------------- faults


def moves_twice(self: Pegs) -> Iterator[Move]:
    yield from Pegs.moves(self)
    yield from Pegs.moves(self)


def without_swap(self: Pegs) -> Iterator[Move]:
    return (move for move in Pegs.moves(self) if move != SWAP)


def without_the_first(self: Pegs) -> Iterator[Move]:
    return (move for n, move in enumerate(Pegs.moves(self)) if n == 0 or str(move) != "h3")


def taken_ones_too(self: Pegs) -> Iterator[Move]:
    return iter(() if self.outcome else (Peg(name) for name in self.holes))


def resign_is_a_move(self: Pegs, text: str) -> Move:
    return Peg("h1") if text.lower() == "resign" else Pegs.read(self, text)


def crashes_beyond_ascii(self: Pegs, text: str) -> Move:
    text.encode("ascii")
    return Pegs.read(self, text)


def junk_is_a_value_error(self: Pegs, text: str) -> Move:
    if text.startswith("h"):
        int(text[1:])
    return Pegs.read(self, text)


def digits_of_all_alphabets(self: Pegs, text: str) -> Move:
    return (
        Peg(f"h{int(text[1:])}") if text[:1] in ("a", "h") and text[1:].isdigit() else Pegs.read(self, text)
    )


def refuses_without_a_word(self: Pegs, text: str) -> Move:
    if text == "-":
        raise Unreadable("")
    return Pegs.read(self, text)


def reads_by_turn(self: Pegs, text: str) -> Move:
    if self.ply % 2 and text == "h2":
        raise Unreadable("h2: not on this ply.")
    return Pegs.read(self, text)


def same_side(self: Pegs, seat: Seat) -> str:
    return "Odd"


def sides_stay(self: Pegs, seat: Seat) -> str:
    return SIDES[seat]


def unmarked(self: Pegs) -> Picture:
    picture = Pegs.drawn(self)
    return replace(picture, spots=tuple(replace(spot, marks=frozenset()) for spot in picture.spots))


def wide(self: Pegs) -> Picture:
    picture = Pegs.drawn(self)
    return replace(picture, spots=tuple(replace(spot, x=spot.x * 12) for spot in picture.spots))


def in_eight_bits(self: Pegs) -> Picture:
    picture = Pegs.drawn(self)
    return replace(picture, spots=tuple(replace(spot, glyph="\u00b7") for spot in picture.spots))


def plays_anything(self: Pegs, move: Move) -> Position:
    return self.follow(move)


def taken_ones_are_free(self: Pegs, move: Move) -> str | None:
    return None if isinstance(move, Peg) and self.outcome is None else Pegs.problem(self, move)


def no_reason_to_refuse(self: Pegs, move: Move) -> str | None:
    return None if Pegs.problem(self, move) is None else ""


def swap_at_any_time(self: Pegs, move: Move) -> str | None:
    return None if move == SWAP and self.outcome is None else Pegs.problem(self, move)


def swap_never(self: Pegs, move: Move) -> str | None:
    return "swap: not here." if move == SWAP else Pegs.problem(self, move)


def changes_the_past(self: Pegs, move: Move) -> Pegs:
    after = Pegs.follow(self, move)
    object.__setattr__(self, "pegs", after.pegs)
    return after


def ends_too_soon(self: Pegs) -> Iterator[Move]:
    yield from Pegs.moves(self)
    if self.outcome:
        yield Peg("h1")


def never_ends(self: Pegs, move: Move) -> Pegs:
    return replace(self, swapped=True) if move == SWAP else replace(self, pegs=(*self.pegs, str(move)))


def always_free(self: Pegs, move: Move) -> str | None:
    return Pegs.problem(self, move) if move == SWAP else None


def all_holes(self: Pegs) -> list[str]:
    return self.holes


def names_the_loser(self: Pegs, mover: Seat) -> Outcome:
    return replace(Pegs.ended(self, mover), winner=other(mover))


def ends_with_a_stop(self: Pegs, mover: Seat) -> Outcome:
    return replace(Pegs.ended(self, mover), reason="Odd wins.")


def without_a_reason(self: Pegs, mover: Seat) -> Outcome:
    return replace(Pegs.ended(self, mover), reason=" ")


def example_is_no_move(self: Pegs) -> list[str]:
    return [] if self.outcome else ["h0"]


def four_examples(self: Pegs) -> list[str]:
    return self.playable()[:1] * 4


def playable_twice(self: Pegs) -> list[str]:
    return [name for name in Pegs.playable(self) for _ in (1, 2)]


def note_is_a_move(self: Pegs) -> list[str]:
    return ["It is your turn.", "h2"]


def loses_the_swap(self: Pegs) -> dict[str, Any]:
    return {**Pegs.data(self), "swapped": False}


def data_is_no_json(self: Pegs) -> dict[str, Any]:
    return {**Pegs.data(self), "pegs": self.pegs}


def clicks_on_taken_ones(self: Pegs, text: str) -> Draft:
    draft = Pegs.drafted(self, text)
    more = [Choice(name, "Again", name) for name in self.pegs if self.outcome is None and name != text]
    return replace(draft, choices=(*draft.choices, *more))


def clicks_on_one_alone(self: Pegs, text: str) -> Draft:
    return replace(Pegs.drafted(self, text), choices=Pegs.drafted(self, text).choices[:1])


def unequal_hashes(self: Pegs) -> int:
    return id(self)


def gives_up_and_does_not(self: Pegs, move: Move) -> str | None:
    return "That loses the game." if str(move) == "h1" else None


def second_plays_on(self: Pegs) -> Seat | None:
    return None if self.outcome else 1 if (self.ply % 2) ^ self.swapped else 0


def other_options(self: Pegs, move: Move) -> Pegs:
    after = Pegs.follow(self, move)
    return replace(after, options={**self.options, "colour": "red"})


def a_story_of_the_first_ply(positions: Any) -> list[Episode]:
    return [Episode(1, 1, 0, "It began.")]


_DEALT = count()
ANYTHING = Option("colour", "of the pegs", "red", str, "any")

FAULTS: Mapping[str, tuple[Callable[[], Rules], str]] = {
    "lists moves twice": (lambda: mutant(moves=moves_twice), "lists a move twice"),
    "lists no swap": (lambda: mutant(moves=without_swap), "does not list swap"),
    "lists too few moves": (lambda: mutant(moves=without_the_first), "does not list h3, which may be played"),
    "lists illegal moves": (lambda: mutant(moves=taken_ones_too), "offers h., which|offers h.: h. is taken"),
    "lists moves after the end": (lambda: mutant(moves=ends_too_soon), "moves and the outcome disagree"),
    "reads resign": (lambda: mutant(read=resign_is_a_move), "takes the word 'resign' of the server"),
    "crashes beyond ASCII": (lambda: mutant(read=crashes_beyond_ascii), "cannot bear .*UnicodeEncodeError"),
    "raises ValueError for junk": (
        lambda: mutant(read=junk_is_a_value_error),
        "ValueError where words of the server are no moves",
    ),
    "reads digits of other alphabets": (lambda: mutant(read=digits_of_all_alphabets), "cannot bear|takes"),
    "refuses junk in silence": (
        lambda: mutant(read=refuses_without_a_word),
        "refuses '-' without a sentence",
    ),
    "reads by whose turn it is": (lambda: mutant(read=reads_by_turn), "Unreadable where|h2"),
    "gives both seats one side": (lambda: mutant(side=same_side), "both seats play Odd"),
    "swaps nothing": (lambda: mutant(side=sides_stay), "swap does not exchange the sides"),
    "has swap at any time": (
        lambda: mutant(problem=swap_at_any_time),
        "has sides exchanged on ply|takes swap, which it does not list",
    ),
    "has no swap in spite of its pie": (
        lambda: mutant(problem=swap_never),
        "Illegal where .*: swap: not here",
    ),
    "goes on with the wrong seat": (
        lambda: mutant(to_play=property(second_plays_on)),
        "after swap first is to play",
    ),
    "marks no last ply": (lambda: mutant(draw=unmarked), "does not mark the last ply"),
    "draws beyond 74 columns": (lambda: mutant(draw=wide), "draws [0-9]+ columns"),
    "draws with 8 bits": (lambda: mutant(draw=in_eight_bits), "more than 7 bits"),
    "has a default out of range": (
        lambda: mutant(options=(replace(HOLES, default=12),)),
        "its options 'holes=12' cannot be given so",
    ),
    "takes any option": (lambda: mutant(options=(HOLES, ANYTHING)), "takes anything for the option colour"),
    "has an option of two words": (
        lambda: mutant(options=(HOLES, replace(HOLES, name="big holes"))),
        "the option 'big holes' cannot be written",
    ),
    "changes its options": (
        lambda: mutant(follow=other_options),
        "a position has other options than its game",
    ),
    "has a rules text with a move": (
        lambda: mutant(text="Put a peg into a hole:\nh2\n"),
        "takes a line of its rules for a move: h2",
    ),
    "has a key that cannot be called": (lambda: mutant(key="4pegs!"), "the key '4pegs!' cannot be written"),
    "is called like a clock": (lambda: mutant(key="brisk"), "the word 'brisk' does not call a game"),
    "has a name that cannot be called": (
        lambda: mutant(name="P\u00e9gs: 2"),
        "the name 'P\u00e9gs: 2' cannot be",
    ),
    "says nothing of its terms": (lambda: mutant(terms=" "), "says nothing of its terms"),
    "plays what is illegal": (lambda: mutant(play=plays_anything), "which is illegal|played after the end"),
    "finds nothing illegal": (
        lambda: mutant(problem=taken_ones_are_free),
        "takes h., which it does not list",
    ),
    "refuses without a sentence": (
        lambda: mutant(problem=no_reason_to_refuse),
        "refuses h. without a sentence",
    ),
    "changes the past": (
        lambda: mutant(follow=changes_the_past),
        "changed the past|did not count as one ply",
    ),
    "never ends": (
        lambda: mutant(follow=never_ends, problem=always_free, playable=all_holes),
        "has not ended after",
    ),
    "lets the loser win": (lambda: mutant(ended=names_the_loser), "who sits elsewhere than the winner"),
    "ends its reason with a full stop": (lambda: mutant(ended=ends_with_a_stop), "reason with a full stop"),
    "has no reason for its end": (lambda: mutant(ended=without_a_reason), "ended without a reason"),
    "gives an example that is none": (lambda: mutant(examples=example_is_no_move), "h0"),
    "gives too many examples": (lambda: mutant(examples=four_examples), "more than three examples"),
    "names a cell twice": (lambda: mutant(playable=playable_twice), "playable cell twice|lists a move twice"),
    "shows a line that is a move": (
        lambda: mutant(notes=note_is_a_move),
        "takes a line that it shows .*: h2",
    ),
    "stores too little": (lambda: mutant(data=loses_the_swap), "gave another position|made at ply|Illegal"),
    "stores what is no JSON": (lambda: mutant(data=data_is_no_json), "does not survive JSON"),
    "lets illegal cells be clicked": (
        lambda: mutant(draft=clicks_on_taken_ones),
        "and refuses it: h. is taken",
    ),
    "lets too little be clicked": (lambda: mutant(draft=clicks_on_one_alone), "cannot be clicked"),
    "has unequal hashes": (lambda: mutant(__hash__=unequal_hashes), "different hashes"),
    "asks about moves that do not lose": (
        lambda: mutant(gives_up=gives_up_and_does_not),
        "asks about h1, which does not lose",
    ),
    "tells a part of its story": (lambda: mutant(story=a_story_of_the_first_ply), "tells nothing of ply 2"),
    "deals by chance": (
        lambda: mutant(setup=lambda rules, options, seed: Pegs({**options, "dealt": next(_DEALT)})),
        "dealt two different positions",
    ),
}
"""What is wrong with a game -> how to make it, and what the laws say of it."""
