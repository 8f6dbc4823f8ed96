"""More games with one deliberate fault each: in what they show, read, make by chance, and are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from rules.contract import Knowledge, Move, Playout
from rules.option import choice_option, number_option
from rules.picture import Label, Picture, Spot
from rules.stone_reading import SWAP
from tests.rules.mutants import (
    HOLES,
    LEGEND,
    OF,
    SIDES,
    Peg,
    Pegs,
    after,
    change_every_spot,
    draft,
    instead,
    lesson,
    mutant,
    on_swap,
)

Fault = tuple[dict[str, Any], str]


def reads(*lines: str) -> dict[str, Any]:
    """The game that takes these lines for a move."""
    return instead("read", lambda self, text: text in lines, lambda self, text: Peg("h1"))


def drawn(change: Callable[[Picture, Pegs], Picture]) -> dict[str, Any]:
    return {"draw": after("draw_board", change)["draw_board"]}


def marked(when: Callable[[Pegs, Spot], bool], add: bool) -> dict[str, Any]:
    """The game that marks such cells as open, or does not."""

    def change(picture: Picture, self: Pegs) -> Picture:
        spots = [
            replace(spot, marks=spot.marks | {"legal"} if add else spot.marks - {"legal"})
            if when(self, spot)
            else spot
            for spot in picture.spots
        ]
        return replace(picture, spots=tuple(spots))

    return drawn(change)


def listing(change: Callable[[list[str], Pegs], list[str]]) -> dict[str, Any]:
    """The game whose list of pegs is changed."""

    def changed(made: list[tuple[str, list[str]]], self: Pegs) -> list[tuple[str, list[str]]]:
        return [(label, change(names, self)) for label, names in made]

    return after("stones", changed)


def sampling(wanted: Callable[[Move], bool]) -> dict[str, Any]:
    """The game that makes such moves by chance alone, where there are any."""

    def sample(self: Pegs, rng: Random) -> Move:
        moves = [*Pegs.moves(self)]
        return rng.choice([move for move in moves if wanted(move)] or moves)

    return {"sample": sample}


@dataclass(frozen=True)
class Dealt(Pegs):
    """A position of the game that deals without saying so."""

    wind: int = 0

    def data(self) -> dict[str, Any]:
        return {**super().data(), "wind": self.wind}


class Hidden(Dealt):
    """A position of the game that says so, and keeps the deal to itself."""


def crash(self: Pegs, move: Any) -> None:
    raise AttributeError("hole")


def knowing(**known: Any) -> dict[str, Any]:
    return {"knowledge": Knowledge(**known)}


SENTENCES: Mapping[str, Fault] = {
    "reads thanks as a move": (
        reads("Thanks for the game"),
        "takes the sentence 'Thanks for the game' for a move",
    ),
    "reads a wish as a slip": (
        instead("read", lambda self, text: text == "Good luck!", lambda self, text: Pegs.read(self, "h99")),
        "takes the sentence 'Good luck!' for a move",
    ),
    "reads small letters as words": (reads("i"), "takes the sentence 'i' for a move"),
    "finds a move in a sentence": (
        instead("read", lambda self, text: " h2 " in text, lambda self, text: Peg("h2")),
        "takes the sentence 'I think h2 was good' for a move",
    ),
    "finds a number in a sentence": (
        instead("read", lambda self, text: " 3 " in text, lambda self, text: Peg("h3")),
        "takes the sentence '.* 3 .*' for a move",
    ),
    "reads a word of a sentence": (
        instead("read", lambda self, text: "swap" in text.lower().split("?")[0], lambda self, text: SWAP),
        "takes the sentence .* for a move|takes a line of its rules for a move",
    ),
    "has a rules text with a command": (
        {"text": "Put a peg into a hole. Who has had enough says:\nresign\n"},
        "tells a line that is a command: resign",
    ),
    "has a name that is a command": ({"name": "Undo"}, "tells a line that is a command: Undo"),
    "has terms with a command": (
        {"terms": "Anybody may play it.\nstop all"},
        "tells a line that is a command: stop all",
    ),
    "has a note that is a command": (
        {"notes": lambda self: ["draw"]},
        "tells a line that is a command: draw|takes a line that it shows",
    ),
    "has a lesson called like a command": (
        {"lessons": (replace(lesson(right="h2"), title="Games"),)},
        "tells a line that is a command: Games",
    ),
}

NAMES: Mapping[str, Fault] = {
    "has an option named like a word of a challenge": (
        {"options": (HOLES, number_option("first", "who begins", 1, 1, 2))},
        "the option 'first' cannot be written in a challenge",
    ),
    "has an option named like a seek's word": (
        {"options": (HOLES, choice_option("strength", "of pegs", "low", ["low", "high"]))},
        "the option 'strength' cannot be written",
    ),
    "has an alias like a word of a challenge": (
        {"aliases": ("random",)},
        "the word 'random' does not call a game",
    ),
    "has an alias like a bot": ({"aliases": ("bot",)}, "the word 'bot' does not call a game"),
    "has an alias that begins with a digit": ({"aliases": ("3d",)}, "the word '3d' does not call a game"),
    "has an alias of two words, one of a challenge": (
        {"aliases": ("pegs first",)},
        "the word 'pegs first' does not call a game",
    ),
    "is named with an option that it has not": (
        {"named": {"tiny": {"size": "3"}}},
        "is called 'tiny' with options that it has not",
    ),
    "has a word that begins no ply": (
        {"words": {"swap": "", "jump": "cell"}},
        "has the word jump for a ply, and 'jump h1' is none",
    ),
    "has a pie word that is no word": ({"pie_words": ("swap", "adopt")}, "has 'adopt' of the pie rule"),
}

SEEN: Mapping[str, Fault] = {
    "marks taken cells as open": (
        marked(lambda self, spot: spot.name in self.pegs[:1] and not self.outcome, add=True),
        "marks h. as open, where nothing may be played",
    ),
    "marks cells as open after the end": (
        marked(lambda self, spot: self.outcome is not None, add=True),
        "marks h. as open, where nothing may be played",
    ),
    "marks too few cells as open": (
        marked(lambda self, spot: spot.name == "h3" and len(self.pegs) == 1, add=False),
        "does not mark h3 as open, which may be played",
    ),
    "neither marks nor offers what may be played": (
        {
            **marked(lambda self, spot: spot.name == "h3", add=False),
            **draft(
                lambda made, self, text: replace(
                    made, choices=tuple(c for c in made.choices if c.cell != "h3" or not text)
                )
            ),
        },
        "does not mark h3 as open, which may be played|h3 cannot be clicked",
    ),
    "lists a stone where none is": (
        listing(lambda names, self: [*names, *self.playable()[:1]]),
        "lists cells with '.' and leaves h. out",
    ),
    "lists a stone beside the board": (
        listing(lambda names, self: [*names, "h99"]),
        "lists h99 under 'Pegs .x.', which is not on the board",
    ),
    "leaves a stone out of its list": (
        listing(lambda names, self: names[:1]),
        "lists cells with 'x' and leaves h. out",
    ),
    "lists a stone twice": (
        listing(lambda names, self: [*names, names[0]]),
        "lists a cell twice under 'Pegs",
    ),
    "lists stones of another sign": (
        after("stones", lambda made, self: [("Pegs (.)", names) for _, names in made]),
        "lists h. under another label than 'Pegs ...', whose sign it has",
    ),
    "describes stones that are not there": (
        drawn(lambda made, self: replace(made, description="Pegs: h1 h2 h3.")),
        "describes something on h., where nothing is listed",
    ),
    "tells pegs as holes": (
        change_every_spot(words=lambda spot: "empty"),
        "tells h. as 'empty', as cells that have another sign",
    ),
    "tells one hole as a peg": (
        change_every_spot(words=lambda spot: "a peg" if spot.name == "h2" else spot.words),
        "tells h. as '.*', (which looks like cells told as|as cells that have another sign)",
    ),
    "has no words for a cell": (change_every_spot(words=lambda spot: " "), "has no words for the cell h1"),
    "has a sign in its legend that is nowhere": (
        drawn(lambda made, self: replace(made, legend=(*LEGEND, ("Q", "a queen")))),
        "explains the sign Q, which is never on the board",
    ),
    "explains a sign twice": (
        drawn(lambda made, self: replace(made, legend=(*LEGEND, ("x", "a hole")))),
        "explains a sign twice in its legend",
    ),
    "explains a sign by whose turn it is": (
        drawn(lambda made, self: replace(made, legend=(("x", f"a peg of {SIDES[self.ply % 2]}"),))),
        "explains x in two ways",
    ),
    "draws two cells in one place": (
        change_every_spot(x=lambda spot: 0 if spot.name == "h2" else spot.x),
        "draws two cells at .0, 0.",
    ),
    "draws cells that overlap": (
        drawn(lambda made, self: replace(made, spots=(*made.spots[:-1], replace(made.spots[-1], x=9)))),
        "draws cells that overlap: half a column from each other on one row",
    ),
    "letters between the cells": (
        drawn(lambda made, self: replace(made, labels=(Label("text", "?", 3, 0),))),
        "draws the row of '. . . . .' otherwise in text",
    ),
    "draws a cell twice": (
        change_every_spot(name=lambda spot: "h1" if spot.name == "h2" else spot.name),
        "draws the cell h1 twice",
    ),
    "draws itself as another game": (
        drawn(lambda made, self: replace(made, game="holes")),
        "draws holes and is",
    ),
    "is titled with another move": (
        drawn(lambda made, self: replace(made, title="Pegs after move 7")),
        "and draws it as 'Pegs after move 7'",
    ),
}

PLAYED: Mapping[str, Fault] = {
    "changes the board by swap": (
        instead("follow", on_swap, lambda self, move: replace(self, pegs=(), swapped=True)),
        "changes h. by swap|data.. is the same in two positions|swap",
    ),
    "moves a stone by swap": (
        instead(
            "follow",
            on_swap,
            lambda self, move: replace(self, pegs=("h2" if self.pegs == ("h1",) else "h1",), swapped=True),
        ),
        "changes h. by swap, which leaves the board as it is",
    ),
    "never swaps by chance": (
        sampling(lambda move: move != SWAP),
        "never makes a move such as 'swap' by chance",
    ),
    "swaps alone by chance": (
        sampling(lambda move: move == SWAP),
        "never makes a move such as '#' by chance",
    ),
    "takes moves off the board": (
        instead(
            "problem",
            lambda self, move: isinstance(move, Peg) and move.hole not in self.holes and not self.outcome,
            lambda self, move: None,
        ),
        "takes the move Peg.hole='z0'., which is not on its board",
    ),
    "takes moves of another game": (
        instead("problem", lambda self, move: not isinstance(move, Peg | str), lambda self, move: None),
        "takes the move Cells.cells=.'z0',.., which is not on its board",
    ),
    "crashes on moves of another game": (
        instead("problem", lambda self, move: not isinstance(move, Peg | str), crash),
        "cannot bear the foreign move Cells.*AttributeError: hole",
    ),
    "refuses moves of another game in silence": (
        instead("problem", lambda self, move: not isinstance(move, Peg | str), lambda self, move: " "),
        "takes the move Cells",
    ),
    "takes swap without a pie rule": (
        {
            "words": {},
            "pie_words": (),
            **instead(
                "problem", lambda self, move: on_swap(self, move) and self.ply == 1, lambda self, m: None
            ),
        },
        "takes the move 'swap', which is not on its board",
    ),
    "deals without saying so": (
        {"setup": lambda rules, options, seed: Dealt(dict(options), wind=seed)},
        "deals by its seed and does not say so",
    ),
    "hides what is dealt": (
        {"deals": True, "setup": lambda rules, options, seed: Hidden(dict(options), wind=seed)},
        "deals something that its options do not tell",
    ),
    "says that it deals and does not": ({"deals": True}, "says that it deals, and begins alike"),
    "has a playout of its own scale": (
        knowing(playout=lambda position, rng: Playout(7.0)),
        "has a playout that is worth 7",
    ),
    "knows the winner too early": (
        knowing(winner=lambda position: position.ply % 2),
        "knows too early that seat . wins",
    ),
    "has too few priors": (knowing(priors=lambda position, plies: [0.5]), "has not one prior for each ply"),
    "has priors beyond 1": (
        knowing(priors=lambda position, plies: [2.0] * len(plies)),
        "has a prior that is not from 0 to 1",
    ),
    "has an emblem that is no drawing": ({"emblem": "<path d='M0 0'>"}, "has an emblem that is no SVG"),
    "has an example that is not played": (
        {"example": '[Game "Pegs"]\n[Options "holes=3"]\n\n1 first h1\n2 second h1\n'},
        "has an example that is no record of it: h1 is taken",
    ),
    "has an example without an end": (
        {"example": '[Game "Pegs"]\n[Options "holes=3"]\n\n1 first h1\n2 second h2\n'},
        "has an example that does not end",
    ),
}


FAULTS = {
    name: (mutant(**changed), complaint)
    for faults in (SENTENCES, NAMES, SEEN, PLAYED)
    for name, (changed, complaint) in faults.items()
}
"""The fault of a game -> that game, and the sentence of the law it breaks."""
OF[Dealt] = FAULTS["deals without saying so"][0]
OF[Hidden] = FAULTS["hides what is dealt"][0]
