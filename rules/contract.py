"""The interface of a game: immutable values, and sentences for mistakes. `rules.conformance` tests it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Literal, NamedTuple

from rules.draft import Draft
from rules.lesson import Lesson
from rules.option import Option
from rules.picture import Picture

Seat = Literal[0, 1]
"""The place of a player in one game, for good: 0 is `first`, 1 is `second`."""

SEAT_NAMES = ("first", "second")


def other(seat: Seat) -> Seat:
    """The seat across the board."""
    return 1 if seat == 0 else 0


class RulesError(ValueError):
    """A player wrote something that cannot be done. `str()` is one sentence for that player."""


class Unreadable(RulesError):
    """The text is meant as a move, but this game has no such move: `f7` on six rows."""


class NoMove(Unreadable):
    """The text is prose, not a move. No other error lets a reader skip the line."""


class Illegal(RulesError):
    """A move of this game that this position does not allow."""


class BadOption(RulesError):
    """An unknown or impossible option; the sentence names the range."""


Move = object
"""A value whose `str()` is its canonical text."""

StandingOrder = Mapping[str, Any]
"""Hidden orders for later plies, as JSON data of the game's own; a server keeps each seat's newest."""


@dataclass(frozen=True)
class Outcome:
    """The end of a game by its own rules."""

    winner: Seat | None
    """None for a draw."""
    side: str | None
    """The winner's side (`Runner`), or None if sides have no name."""
    reason: str
    """A sentence without its full stop: `Runner wins: both paths reach the edge`."""


@dataclass(frozen=True)
class Episode:
    """Plies `first` to `last`, told as one event begun by `seat`. `words` holds whole sentences."""

    first: int
    last: int
    seat: Seat
    words: str


class Playout(NamedTuple):
    """The end of a random game: its value for seat 0, and as bits the marks of each seat's plies."""

    value: float
    marks: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Knowledge:
    """Optional functions of a game that help a search."""

    playout: Callable[[Any, Random], Playout] | None = None
    """A function that plays on from a position that is not over, faster than `sample` does."""
    marks: Callable[[Any, Sequence[Move]], Sequence[int]] | None = None
    """By ply: its mark as bits for RAVE, if plies mean the same later in the game; 0 for none."""
    priors: Callable[[Any, Sequence[Move]], Sequence[float]] | None = None
    """By ply: its value for the seat to play, from 0 to 1, before the search has tried anything."""
    winner: Callable[[Any], Seat | None] | None = None
    """The seat that wins whatever follows, by a bound of the score. A proof may not rely on it."""
    kernel: str = ""
    """The module of the game's compiled playouts, a `rules.search.compiled.Kernel`; "" for none."""
    at_once: int = 0
    """The number of games that a kernel plays from one leaf; 0 leaves it to the number of open plies.

    One game is enough if a playout is a judgement, so that further ones say little.
    """
    leaves: int = 40_000
    """The most leaves of a search with `at_once`, and the most positions that it keeps.

    If more playouts are wanted, each leaf gets more.
    """


class Position(ABC):
    """One immutable situation of one game. `play` and `follow` make new ones."""

    rules: Rules
    """The game that is played; not compared when positions are."""
    options: Mapping[str, Any]
    """All options, complete and typed."""
    ply: int
    outcome: Outcome | None

    @property
    def to_play(self) -> Seat | None:
        """Return the seat to play, or None at the end. Seats alternate unless a game overrides this."""
        if self.outcome:
            return None
        return 1 if self.ply % 2 else 0

    @abstractmethod
    def side(self, seat: Seat) -> str | None:
        """Return the present side of `seat` (`Runner`), or None while sides are not settled."""

    @abstractmethod
    def read(self, text: str) -> Move:
        """Return the move that `text` spells here, legal or not. Raise NoMove for prose, or Unreadable."""

    @abstractmethod
    def problem(self, move: Move) -> str | None:
        """Return a sentence why `move` is illegal now and what is legal, or None for a legal move."""

    def over(self) -> str | None:
        """Return one sentence why nothing may be played any more, or None if the game goes on."""
        if self.outcome is None:
            return None
        return f"The game is over ({self.outcome.reason}), so nothing more can be played."

    @abstractmethod
    def follow(self, move: Move) -> Position:
        """Return the position after a move that is known to be legal, such as one from the journal."""

    def play(self, move: Move) -> Position:
        """Return the position after `move`. Raise Illegal with the sentence of `problem`."""
        sentence = self.problem(move)
        if sentence is not None:
            raise Illegal(sentence)
        return self.follow(move)

    def split(self, move: Move) -> tuple[Move, StandingOrder | None]:
        """Split a ply from the standing orders that were read with it, if any.

        An illegal ply is returned without orders, so that `problem` refuses it. Raise Illegal for orders that
        cannot be kept.
        """
        return move, None

    def read_ply(self, text: str) -> Move:
        """Return the ply alone that `text` spells, legal or not. Raise what `read` and `split` raise."""
        return self.split(self.read(text))[0]

    def answer_for(
        self, seat: Seat, standing: StandingOrder, against: StandingOrder | None = None
    ) -> Move | None:
        """Return the legal ply that `standing` makes now, or None. `against` is the opponent's order."""
        return None

    def gives_up(self, move: Move) -> str | None:
        """Return a sentence if this legal `move` loses by choice, else None. Servers ask before they play."""
        return None

    def still_ordered(self, seat: Seat, standing: StandingOrder) -> str:
        """Return the part of `standing` that may still take effect, as a player writes it."""
        return ""

    @abstractmethod
    def moves(self) -> Iterator[Move]:
        """Yield distinct legal moves lazily; if plies combine parts (several blocks), only single parts."""

    @property
    def complete(self) -> bool:
        """True if `actions` returns every legal ply and not a selection."""
        return True

    def actions(self) -> Sequence[Move]:
        """Return distinct legal plies for a search to try: all legal plies if `complete` is True."""
        return list(self.moves())

    def key(self) -> Hashable:
        """Return a value that is equal for two positions exactly if the same can follow."""
        return json.dumps(self.data(), sort_keys=True)

    @abstractmethod
    def sample(self, rng: Random) -> Move:
        """Return a random legal move of any open kind, without listing all moves."""

    @abstractmethod
    def playable(self) -> list[str]:
        """Return the single cells that may be played now, without words such as `swap`; [] at the end."""

    @abstractmethod
    def examples(self) -> list[str]:
        """Return one to three legal moves as players write them, or [] at the end."""

    def draft(self, text: str) -> Draft:
        """Return the clicks that may follow `text`. Raise RulesError if no legal ply begins with it."""
        return self.rules.draft(self, text)

    def picture(self) -> Picture:
        """Return the board to draw. All callers share one object."""
        return self._picture

    @cached_property
    def _picture(self) -> Picture:
        return self.rules.draw(self)

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return the state as plain JSON data, for programs."""

    def scores(self) -> dict[str, Any]:
        """Return the score table by side, {} if the game has none."""
        return {}

    def stones(self) -> list[tuple[str, list[str]]]:
        """Return everything on the board as labelled lists of cells, for screen readers and small screens."""
        return []

    def touched(self, name: str) -> str:
        """Return what the group on a cell touches, in few words (`island 3`), or ""."""
        return ""

    def beside(self) -> list[tuple[str, list[str]]]:
        """Return things beside the board, such as cards, as labelled lists."""
        return []

    def notes(self) -> list[str]:
        """Return sentences to show beside the board: what a player owes now, and what happened by itself."""
        return []

    def meanings(self, move: Move) -> Mapping[str, Move]:
        """Return the moves that this legal move may mean, itself included, by the word that chooses each.

        The result is {} if the meaning is clear. Servers ask the player if a program may have changed what
        was typed (a phone's capital).
        """
        return {}

    def remark(self, text: str, move: Move) -> str | None:
        """Return a warning about the way `text` was taken as `move` (an automatic capital), or None."""
        return None


def write_by_hand(position: Position, text: str) -> Draft:
    """Return the draft for a game without clicks: a written ply is complete, or it is refused."""
    text = text.strip()
    if text:
        position.play(position.read_ply(text))
    return Draft(text, complete=bool(text), back="" if text else None)


Family = Literal["connection", "territory", "lines", "auctions", "moving"]
"""What a game is about: joining, owning ground, making rows or turning stones, buying, or moving pieces."""
FAMILIES: Mapping[Family, str] = {
    "connection": "Connection",
    "territory": "Territory",
    "lines": "Lines",
    "auctions": "Auctions",
    "moving": "Moving pieces",
}
"""The headings of the families, in the order in which lists have them."""


@dataclass(frozen=True)
class Rules:
    """The rules of a game: its name, its designer, and how one begins."""

    key: str
    """The word that players type, in lower case: `bipod`."""
    name: str
    designer: str
    year: int
    """The year in which the rules were published, 0 if it is not known."""
    terms: str
    """The designer's terms of use, one or two sentences, shown wherever the game is offered."""
    summary: str
    turn: str
    """The notation of a turn, in one sentence with examples in the middle of it."""
    options: tuple[Option, ...]
    setup: Callable[[Rules, Mapping[str, Any], int], Position]
    draw: Callable[[Any], Picture]
    """A position of this game -> a new picture of it, with the marks of the last ply and of the end."""
    draft: Callable[[Any, str], Draft] = write_by_hand
    """(a position, a whole ply or the beginning of one) -> the clicks that may follow."""
    family: Family = "connection"
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Words of plies that a server must know -> their argument: "" (`swap`), `cell` or `number` (`bid 6`)."""
    pie_words: tuple[str, ...] = ()
    """The `words` that exchange or settle the sides. A plan for any ply does not include them."""
    text: str = ""
    """The rules in plain words, for a game without a template; empty lines between paragraphs."""
    page: str = ""
    """The rules as HTML for their page, a template like those in `templates/rules/`."""
    emblem: str = ""
    """The inside of the game's stamp: SVG of 40 by 40 units."""
    example: str = ""
    """The record of a whole game. A server shows it on the front page if it offers this game first."""
    version: str = "1"
    deals: bool = False
    """True if the seed deals something (a layout), which is then shown with every game."""
    ends: bool = True
    """True if every game ends by its own rules, however it is played."""
    story: Callable[[Sequence[Any]], Sequence[Episode]] | None = None
    """All positions of a game -> its episodes, which follow one another and leave no ply out."""
    aliases: tuple[str, ...] = ()
    """Other words that players may type for `key`, in lower case."""
    named: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """Names for this game with certain options, in lower case: `y` -> `islands` is `3`."""
    knowledge: Knowledge = field(default=Knowledge(), hash=False)
    lessons: tuple[Lesson, ...] = field(default=(), hash=False)
    """Lessons for a newcomer, each about one move, in order; () if a game has none."""
    unrated: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    """Combinations of options that make a game unrated: `scoring` half with `pie` yes."""
    ask_first: bool = False
    """True if the terms ask for permission: a public server offers the game only if its operator names it."""

    @property
    def credit(self) -> str:
        """Return designer and year, as in `Mark Steere, 2008`, or the designer alone."""
        return f"{self.designer}, {self.year}" if self.year else self.designer

    @property
    def pie(self) -> bool:
        return "swap" in self.pie_words

    @property
    def rated_sizes(self) -> str:
        """Return the sizes of rated games, like `size 4 to 8, rows 4 to 9`, or "" for all."""
        sized = ((option.name, option.rated) for option in self.options if option.rated)
        return ", ".join(f"{name} {least}" + f" to {most}" * (least < most) for name, (least, most) in sized)

    def may_be_rated(self, options: Mapping[str, Any]) -> bool:
        """True if a game with these options (complete and typed) may be rated."""
        if any(never.items() <= options.items() for never in self.unrated):
            return False
        sized = ((option.rated, options.get(option.name)) for option in self.options if option.rated)
        return all(size is None or least <= size <= most for (least, most), size in sized)

    def begin(self, options: Mapping[str, Any], seed: int) -> Position:
        return self.setup(self, options, seed)

    def start(self, chosen: Mapping[str, str] | None = None, seed: int = 0) -> Position:
        """Return the starting position under options given as text. Raise BadOption."""
        return self.begin(self.complete(chosen or {}), seed)

    def complete(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options, typed. `chosen` has them as text, or typed as in a record. Raise BadOption."""
        given = {name.lower(): value for name, value in chosen.items()}
        known = {option.name for option in self.options}
        for name in given:
            if name not in known:
                raise BadOption(f"{self.name} has no option {name}; its options are {self.option_ranges()}.")
        values: dict[str, Any] = {}
        for option in self.options:
            value = option.default(values) if callable(option.default) else option.default
            if option.name in given:
                text = str(given[option.name]).strip()
                try:
                    value = option.parse(text)
                    reason = option.fits and option.fits(value, values)
                except ValueError:
                    reason = f"{option.name} is {option.range}"
                if reason:
                    raise BadOption(f"{option.name}={text} cannot be: {reason}.")
            if value is not None:
                values[option.name] = value
        return values

    def complete_for(self, word: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Complete the options of the game that a player called `word`. Raise BadOption."""
        meant = self.named.get(" ".join(word.split()).lower(), {})
        given = {name.lower(): value for name, value in chosen.items()}
        for name, value in meant.items():
            if str(given.get(name, value)).strip() != value:
                raise BadOption(f"{name}={given[name]} cannot be: {word} is {self.name} with {name}={value}.")
        return self.complete({**meant, **given})

    def split_options(self, words: Iterable[str]) -> dict[str, str]:
        """Return the options that words such as `size=5` name, as text. Raise BadOption."""
        found: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals and self.options:
                raise BadOption(f"{word} should be a name and a value, as in {self.options[0].name}=...")
            if not equals:
                raise BadOption(f"{word} cannot be: {self.name} has no options.")
            if found.setdefault(name.lower(), value) != value:
                raise BadOption(f"{name} stands there as {found[name.lower()]} and as {value}.")
        return found

    def option_ranges(self) -> str:
        """`size (3 to 8), rows (3 to 9)`, or `none`."""
        return ", ".join(f"{o.name} ({o.range})" for o in self.options) or "none"


def option_words(options: Mapping[str, Any]) -> str:
    """`size=5 middle=5 rows=6 stones=3`."""
    return " ".join(f"{name}={value}" for name, value in options.items())


def replay(start: Position, texts: Iterable[str]) -> Position:
    """Return the position after these moves. Raise the RulesError of the first that cannot be played."""
    position = start
    for text in texts:
        position = position.play(position.read(text))
    return position
