"""The search for games, from a query of page, API or feed.

A field that cannot be understood gives a sentence; then nothing is searched, as nothing is guessed.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.core.game.state import ENDINGS
from pbem.core.lobby.challenges import unknown_player_sentence
from pbem.core.players import Player
from pbem.store import players as player_rows
from pbem.store.engine import Connection
from pbem.store.game_search import EVERY_GAME, ORDERS, PLAYERS_STATES, STATES, GameQuery, Span
from rules import find
from rules.contract import Rules
from rules.notation import join_words

FIELDS = {
    "game": 40,
    "player": 60,
    "state": 20,
    "ended_by": 20,
    "options": 100,
    "dated": 10,
    "from": 10,
    "to": 10,
    "more": 5,
    "fewer": 5,
    "shortest": 5,
    "longest": 5,
    "order": 10,
}
"""Fields by name, with the characters read of each."""

MORE_FIELDS = ("ended_by", "options", "from", "to", "more", "fewer", "order")

CHOICES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "state": ((*STATES, *PLAYERS_STATES), "A state"),
    "ended_by": (ENDINGS, "A way to end"),
    "dated": (("begun", "ended"), "What dates are of"),
    "order": (tuple(ORDERS), "An order"),
}
"""Words that a field takes, and its name in a sentence."""

CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]+")
NAME_SEPARATOR = re.compile(r"\s+(?:against|and|vs?\.?|–|-)\s+|\s*[,&/]\s*|\s+", re.IGNORECASE)
DATE = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?\Z", re.ASCII)
OPTION_SEPARATOR = re.compile(r"[\s,;]+")
OPTION = re.compile(r"([a-z_]+)=([^\s=]+)\Z", re.IGNORECASE)
UNBOUNDED: Span = (None, None)


class InvalidSearch(Exception):
    """An invalid field; `str()` is the sentence for the reader."""


@dataclass(frozen=True)
class GameSearch:
    """A search: fields as typed, query, players named. With a `problem`, `wanted` must not be used."""

    asked: Mapping[str, str]
    wanted: GameQuery = EVERY_GAME
    players: tuple[Player, ...] = ()
    problem: str = ""

    @property
    def here(self) -> dict[str, str]:
        """The fields that are filled in, for links to the same search."""
        return {name: value for name, value in self.asked.items() if value}

    @property
    def is_wide_open(self) -> bool:
        """True if a field behind "More to search by" is filled in."""
        return any(self.asked[name] for name in MORE_FIELDS)


def read_search(db: Connection, kinds: Mapping[str, Rules], query: Mapping[str, str]) -> GameSearch:
    asked = {
        name: CONTROL_CHARACTERS.sub(" ", query.get(name, ""))[:most].strip() for name, most in FIELDS.items()
    }
    try:
        players = tuple(_players(db, asked["player"]))
        asked["player"] = " against ".join(player.name for player in players)
        _rename_lengths(asked)
        return GameSearch(asked, _read_wanted(asked, players, kinds), players)
    except InvalidSearch as problem:
        return GameSearch(asked, problem=str(problem))


def _players(db: Connection, text: str) -> Iterator[Player]:
    names = [name for name in NAME_SEPARATOR.split(text) if name]
    if len(names) > 2:
        raise InvalidSearch("Games are between two players: write one name, or two as in Bill against Joao.")
    for name in names:
        found = player_rows.player_by_name(db, name)
        if found is None:
            raise InvalidSearch(unknown_player_sentence(name, player_rows.names_like(db, name)))
        yield found


def _read_wanted(
    asked: Mapping[str, str], players: tuple[Player, ...], kinds: Mapping[str, Rules]
) -> GameQuery:
    rules = _rules(asked["game"], kinds)
    for field, (words, name) in CHOICES.items():
        if asked[field] and asked[field] not in words:
            raise InvalidSearch(f"{name} is one of {', '.join(words)}, not {asked[field]}.")
    if asked["state"] in PLAYERS_STATES and not players:
        raise InvalidSearch("Who won or lost them? Write a player's name too.")
    ids = [player.id for player in players]
    known = [rules] if rules else list(kinds.values())
    if len(ids) == 2 and ids[0] == ids[1]:
        raise InvalidSearch(f"Nobody plays against himself: write another name beside {players[0].name}.")
    dates = _period(asked["from"])[0], _period(asked["to"])[1]
    if dates[0] is not None and dates[1] is not None and dates[0] >= dates[1]:
        raise InvalidSearch("The first day comes after the last one.")
    more, fewer = _plies(asked["more"]), _plies(asked["fewer"])
    if more is not None and fewer is not None and more + 1 >= fewer:
        raise InvalidSearch(f"No game has more than {more} and fewer than {fewer} moves.")
    return GameQuery(
        rules=rules.key if rules else "",
        player=ids[0] if ids else None,
        against=ids[1] if len(ids) == 2 else None,
        state=asked["state"],
        ended_by=asked["ended_by"],
        options=tuple(_option(word, known) for word in OPTION_SEPARATOR.split(asked["options"]) if word),
        begun=UNBOUNDED if asked["dated"] == "ended" else dates,
        ended=dates if asked["dated"] == "ended" else UNBOUNDED,
        plies=(None if more is None else more + 1, None if fewer is None else fewer - 1),
        order=asked["order"],
    )


def _rules(text: str, kinds: Mapping[str, Rules]) -> Rules | None:
    if not text:
        return None
    named = find(text)
    if named is None or named.key not in kinds:
        names = ", ".join(rules.name for rules in kinds.values())
        raise InvalidSearch(f"No game here is called {text}; there are {names}.")
    return named


def _period(text: str) -> Span:
    """The first moment of a day, month or year, and its end."""
    if not text:
        return UNBOUNDED
    match = DATE.match(text)
    if match is None:
        raise InvalidSearch(
            f"{text} is no date: write a day, a month or a year, as in 2026-03-31, 2026-03, 2026."
        )
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = datetime(year or 0, month or 1, day or 1, tzinfo=UTC)
        if day:
            return first, first + timedelta(days=1)
        months = first.year * 12 + first.month - 1 + (1 if month else 12)
        return first, first.replace(year=months // 12, month=months % 12 + 1)
    except (ValueError, OverflowError):
        raise InvalidSearch(f"There is no {text} in the calendar.") from None


def _rename_lengths(asked: dict[str, str]) -> None:
    """Put the lengths of the API's older fields, which are counted with them, into those of the page."""
    for old, new, step in (("shortest", "more", -1), ("longest", "fewer", 1)):
        number = _plies(asked.pop(old))
        if number is not None and number + step >= 0:
            asked[new] = asked[new] or str(number + step)


def _plies(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise InvalidSearch(f"A length is a number of moves, as in 40, not {text}.")
    return int(text)


def _option(word: str, kinds: list[Rules]) -> tuple[str, Any]:
    match = OPTION.match(word)
    if match is None:
        raise InvalidSearch(f"An option is a name and a value, as in size=5, not {word}.")
    name, value = match[1].lower(), match[2]
    known = [option for rules in kinds for option in rules.options if option.name == name]
    if not known:
        whose = kinds[0].name if len(kinds) == 1 else "No game here"
        names = ", ".join(sorted({option.name for rules in kinds for option in rules.options})) or "none"
        has = "has no option" if len(kinds) == 1 else "has an option"
        raise InvalidSearch(f"{whose} {has} {name}; the options are {names}.")
    for option in known:
        with suppress(ValueError):
            return name, option.parse(value)
    raise InvalidSearch(f"{name} is {_ranges(name, kinds)}, not {value}.")


def _ranges(name: str, kinds: list[Rules]) -> str:
    """Return the values of an option, by game where they differ."""
    games: dict[str, list[str]] = {}
    for rules in kinds:
        for option in rules.options:
            if option.name == name:
                games.setdefault(option.range, []).append(rules.name)
    if len(games) == 1:
        return next(iter(games))
    return join_words([f"{values} in {join_words(names)}" for values, names in games.items()], "or")
