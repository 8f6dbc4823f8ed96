"""The promises of a game: pure values, sentences for mistakes. They are tested by `rules.conformance`."""

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
    """Something a player wrote cannot be done. Its `str()` is one sentence for that player."""


class Unreadable(RulesError):
    """Meant as a move that this game lacks: `f7` on six rows."""


class NoMove(Unreadable):
    """Not meant as a move at all: prose. The only answer for which a line may be passed over."""


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
    """The winner's (`Runner`), None where sides have no name."""
    reason: str
    """A sentence without its full stop: `Runner wins: both paths reach the edge`."""


@dataclass(frozen=True)
class Episode:
    """Plies `first` to `last` as one thing that happened. `seat` began it; the sentences are whole."""

    first: int
    last: int
    seat: Seat
    words: str


class Playout(NamedTuple):
    """A random game's end: its value for seat 0, and marks. These are each seat's plies, as bits."""

    value: float
    marks: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Knowledge:
    """Small functions of a game that help a search. Each may be left out."""

    playout: Callable[[Any, Random], Playout] | None = None
    """Plays on from a position that is not over, faster than by `sample`."""
    marks: Callable[[Any, Sequence[Move]], Sequence[int]] | None = None
    """By ply: its mark as bits, 0 for none, where plies mean the same later in the game (RAVE)."""
    priors: Callable[[Any, Sequence[Move]], Sequence[float]] | None = None
    """By ply: its value for the seat to play, from 0 to 1, before anything was tried."""
    winner: Callable[[Any], Seat | None] | None = None
    """The seat that wins whatever follows, by a bound of the score. It proves nothing by itself."""
    kernel: str = ""
    """The module of the game's compiled playouts, a `rules.search.compiled.Kernel`; "" for none."""
    at_once: int = 0
    """The games of a kernel from one leaf; 0 where the number of plies says it.

    One where a playout is a judgement, and more say little.
    """
    leaves: int = 40_000
    """The most leaves of a search with `at_once`, and the most positions that it keeps.

    Where more playouts are wanted, a leaf has more.
    """


class Position(ABC):
    """One immutable situation of one game. A new one comes from `play` and `follow`."""

    rules: Rules
    """The game that is played; no part of what makes positions equal."""
    options: Mapping[str, Any]
    """All options, complete and typed."""
    ply: int
    outcome: Outcome | None

    @property
    def to_play(self) -> Seat | None:
        """Return the seat to play, or None at the end. Seats play by turns, unless a game overrides this."""
        if self.outcome:
            return None
        return 1 if self.ply % 2 else 0

    @abstractmethod
    def side(self, seat: Seat) -> str | None:
        """Return the present side of `seat` (`Runner`), or None. Sides may not be settled yet."""

    @abstractmethod
    def read(self, text: str) -> Move:
        """Return the move that `text` spells here, legal or not. Raises NoMove for prose, or Unreadable."""

    @abstractmethod
    def problem(self, move: Move) -> str | None:
        """Return why `move` is illegal now, with what is legal, or None."""

    def over(self) -> str | None:
        """Say in one sentence why nothing may be played any more. Return None while something may."""
        if self.outcome is None:
            return None
        return f"The game is over ({self.outcome.reason}), so nothing more can be played."

    @abstractmethod
    def follow(self, move: Move) -> Position:
        """Return the position after a move known to be legal. One from the journal is, say."""

    def play(self, move: Move) -> Position:
        """The position after `move`; raises Illegal with the sentence of `problem`."""
        sentence = self.problem(move)
        if sentence is not None:
            raise Illegal(sentence)
        return self.follow(move)

    def split(self, move: Move) -> tuple[Move, StandingOrder | None]:
        """Split a ply from the standing orders read with it, if any.

        A ply that may not be played comes back without orders, for `problem` to refuse. Raises Illegal
        for orders that cannot be kept.
        """
        return move, None

    def read_ply(self, text: str) -> Move:
        """Return the ply alone that `text` spells, legal or not. Raises what `read` and `split` do."""
        return self.split(self.read(text))[0]

    def answer_for(
        self, seat: Seat, standing: StandingOrder, against: StandingOrder | None = None
    ) -> Move | None:
        """Return the legal ply that `standing` makes now, if any. `against` is the other player's."""
        return None

    def gives_up(self, move: Move) -> str | None:
        """Return why this legal `move` loses by choice, else None. Servers ask first."""
        return None

    def still_ordered(self, seat: Seat, standing: StandingOrder) -> str:
        """Return what is left of `standing`, as it is written. The rest may yet do something."""
        return ""

    @abstractmethod
    def moves(self) -> Iterator[Move]:
        """Yield legal moves, each once, lazily. If plies combine (several blocks), only those of one part."""

    @property
    def complete(self) -> bool:
        """True if `actions` has every legal ply, not a choice."""
        return True

    def actions(self) -> Sequence[Move]:
        """Return the legal plies that a search tries, each once. Where `complete`, these are all of them."""
        return list(self.moves())

    def key(self) -> Hashable:
        """Return a value equal for positions just where the same can follow."""
        return json.dumps(self.data(), sort_keys=True)

    @abstractmethod
    def sample(self, rng: Random) -> Move:
        """Return a random legal move of any open kind. It does not list them all."""

    @abstractmethod
    def playable(self) -> list[str]:
        """Return single cells to play now; [] at the end. `swap` and the like are left out."""

    @abstractmethod
    def examples(self) -> list[str]:
        """Return one to three legal moves as players write them. [] at the end."""

    def draft(self, text: str) -> Draft:
        """Return the clicks that lead on from `text`. Raises RulesError if no legal ply begins so."""
        return self.rules.draft(self, text)

    def picture(self) -> Picture:
        """The board to draw, made once for all who look."""
        return self._picture

    @cached_property
    def _picture(self) -> Picture:
        return self.rules.draw(self)

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """The state as plain JSON data, for programs."""

    def scores(self) -> dict[str, Any]:
        """The score table by side, {} where the game has none."""
        return {}

    def stones(self) -> list[tuple[str, list[str]]]:
        """Return everything on the board as labelled lists of cells. They are for ears and small screens."""
        return []

    def beside(self) -> list[tuple[str, list[str]]]:
        """Return things beside the board, such as cards, as labelled lists."""
        return []

    def notes(self) -> list[str]:
        """List sentences to stand beside the board. They tell what is owed now, what happened by itself."""
        return []

    def meanings(self, move: Move) -> Mapping[str, Move]:
        """Return the moves that this legal one may mean.

        The word that chooses each is its key; itself is among them.

        {} where it is clear. Servers ask where a program may have changed what was typed (a phone's capital).
        """
        return {}

    def remark(self, text: str, move: Move) -> str | None:
        """Warn of the way `text` was taken as `move`, or None. An auto-capital is a reason."""
        return None


def write_by_hand(position: Position, text: str) -> Draft:
    """Return the draft of a game with nothing to click. Plies are written, and complete or refused."""
    text = text.strip()
    if text:
        position.play(position.read_ply(text))
    return Draft(text, complete=bool(text), back="" if text else None)


@dataclass(frozen=True)
class Rules:
    """A game as such: its name, whose it is, how one begins."""

    key: str
    """Lower case, what players type: `bipod`."""
    name: str
    designer: str
    year: int
    terms: str
    """The designer's terms of use, one or two sentences, shown wherever the game is offered."""
    summary: str
    turn: str
    """The notation of a turn, in one sentence with examples in the middle of it."""
    options: tuple[Option, ...]
    setup: Callable[[Rules, Mapping[str, Any], int], Position]
    draw: Callable[[Any], Picture]
    """A position of this game -> its picture, last ply and end marks included, made anew."""
    draft: Callable[[Any, str], Draft] = write_by_hand
    """(a position, the beginning of a ply or all of it) -> what it can become by clicks."""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Words of plies that a server must know -> what follows: "" (`swap`), `cell` or `number` (`bid 6`)."""
    pie_words: tuple[str, ...] = ()
    """Those of `words` that exchange or settle the sides: plans for any ply do not mean them."""
    text: str = ""
    """The rules in plain words, for a game without a template; empty lines between paragraphs."""
    page: str = ""
    """The same as HTML for the page of the rules, a template as those in `templates/rules/`."""
    emblem: str = ""
    """The inside of the game's stamp: SVG of 40 by 40."""
    example: str = ""
    """A whole game on record, shown on the front page of a server that offers this game first."""
    version: str = "1"
    deals: bool = False
    """True where the seed deals something (a layout), which then belongs to what is shown of a game."""
    ends: bool = True
    """True where every game comes to an end by its own rules, however it is played."""
    story: Callable[[Sequence[Any]], Sequence[Episode]] | None = None
    """All positions of a game -> its episodes, which follow one another and leave no ply out."""
    aliases: tuple[str, ...] = ()
    """Other words players may type for `key`, lower case."""
    named: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """Words for this game with certain options, lower case: `y` -> `islands` is `3`."""
    knowledge: Knowledge = field(default=Knowledge(), hash=False)
    lessons: tuple[Lesson, ...] = field(default=(), hash=False)
    """What a newcomer learns by a move each, in order; () where a game has none."""
    unrated: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    """Options that together make a game unrated: `scoring` half with `pie` yes."""
    ask_first: bool = False
    """True where the terms ask for permission: a public server offers it only where its operator names it."""

    @property
    def pie(self) -> bool:
        return "swap" in self.pie_words

    @property
    def rated_sizes(self) -> str:
        """Return the sizes of rated games, like `size 4 to 8, rows 4 to 9`, or "" for all."""
        sized = ((option.name, option.rated) for option in self.options if option.rated)
        return ", ".join(f"{name} {least}" + f" to {most}" * (least < most) for name, (least, most) in sized)

    def may_be_rated(self, options: Mapping[str, Any]) -> bool:
        """True if sizes and options are those of rated games. The options are complete and typed."""
        if any(never.items() <= options.items() for never in self.unrated):
            return False
        sized = ((option.rated, options.get(option.name)) for option in self.options if option.rated)
        return all(size is None or least <= size <= most for (least, most), size in sized)

    def begin(self, options: Mapping[str, Any], seed: int) -> Position:
        return self.setup(self, options, seed)

    def start(self, chosen: Mapping[str, str] | None = None, seed: int = 0) -> Position:
        """The starting position under options given as texts; raises BadOption."""
        return self.begin(self.complete(chosen or {}), seed)

    def complete(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options, typed. They were given as texts, or typed by a record."""
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
        """Complete the options of the game that a player called `word`. Raises BadOption."""
        meant = self.named.get(" ".join(word.split()).lower(), {})
        given = {name.lower(): value for name, value in chosen.items()}
        for name, value in meant.items():
            if str(given.get(name, value)).strip() != value:
                raise BadOption(f"{name}={given[name]} cannot be: {word} is {self.name} with {name}={value}.")
        return self.complete({**meant, **given})

    def split_options(self, words: Iterable[str]) -> dict[str, str]:
        """The options that words such as `size=5` name, as texts; raises BadOption."""
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
    """Return the position after these moves. Raises the RulesError of the first that cannot be played."""
    position = start
    for text in texts:
        position = position.play(position.read(text))
    return position
