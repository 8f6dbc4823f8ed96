"""Options of games: their reading, their values, and their words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Fit = Callable[[Any, Mapping[str, Any]], str | None] | None
"""A function that returns why a value does not fit the options read before it, or None if it does."""


@dataclass(frozen=True)
class Option:
    """One setting of a game: `size=5`."""

    name: str
    help: str
    default: Any
    """A value, or a function of the options before this one. None leaves the option out."""
    parse: Callable[[str], Any]
    """A player's text -> the typed value, or ValueError for a text that is no value."""
    range: str
    """The allowed values, in words, for every error."""
    fits: Fit = None
    rated: tuple[int, int] | None = None
    """The least and the greatest size of a rated game, if the option is a size."""
    usual: str = ""
    """The usual value in words, for an option without a default."""


def number_option(
    name: str,
    help: str,
    default: Any,
    low: int,
    high: int,
    fits: Fit = None,
    rated: tuple[int, int] | None = None,
    usual: str = "",
) -> Option:
    """Return an option for a whole number from `low` to `high`, both included."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 6 and low <= int(text) <= high):
            raise ValueError(text)
        return int(text)

    return Option(name, help, default, parse, f"{low} to {high}", fits, rated, usual)


def choice_option(name: str, help: str, default: Any, choices: Iterable[str]) -> Option:
    """Return an option for one of a few words, read in any case."""
    allowed = tuple(choices)

    def parse(text: str) -> str:
        return allowed[allowed.index(text.lower())]  # raises ValueError

    return Option(name, help, default, parse, " or ".join(allowed))


def sizes_option(
    name: str, help: str, default: int, sizes: Iterable[int], rated: tuple[int, int] | None = None
) -> Option:
    """Return an option for one of a few whole numbers."""
    allowed = {str(size): size for size in sizes}

    def parse(text: str) -> int:
        if text not in allowed:
            raise ValueError(text)
        return allowed[text]

    return Option(name, help, default, parse, " or ".join(allowed), rated=rated)
