"""Phrases with gaps, such as `{n} in a row`: reading of a text against a list of them, and what was expected.

The forms are ours alone. A text of a file is matched against them and is never a pattern or a format itself.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

SHOWN = 40
"""The most characters of a text that an error repeats."""


class Slip(ValueError):
    """A text that cannot be taken. `str()` says what was expected, without the line's number."""


def shown(text: str) -> str:
    """Return a text as an error quotes it: cut, on one line, and without signs that cannot be printed."""
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return f'"{text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."}"'


def either(items: Sequence[str]) -> str:
    """Return `a`, `a or b`, `a, b or c`."""
    return " or ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


@dataclass(frozen=True)
class Gap:
    """One place of a form, and the texts that may stand there."""

    pattern: str
    value: Callable[[str], Any]
    """The text -> its value. Raises Slip if the text has the form and is none all the same."""
    expected: str
    """What may stand there, behind a colon."""


@dataclass(frozen=True)
class Form:
    """One phrase, with the names of gaps in braces, and what it makes of their values."""

    text: str
    make: Callable[..., Any]

    @cached_property
    def pieces(self) -> list[str]:
        """Return words and gaps by turns; the gaps have odd places."""
        return re.split(r"\{(\w+)\}", self.text)

    def pattern(self, gaps: Mapping[str, Gap], loose: bool = False) -> re.Pattern[str]:
        parts = [
            (r"(\S+)" if loose else f"({gaps[piece].pattern})") if place % 2 else re.escape(piece)
            for place, piece in enumerate(self.pieces)
        ]
        return re.compile("".join(parts))

    @property
    def shown(self) -> str:
        """Return the phrase as a person reads it: `N in a row`."""
        return "".join(each.upper() if place % 2 else each for place, each in enumerate(self.pieces))


@dataclass(frozen=True)
class Forms:
    """All phrases of a word, and the gaps in them."""

    forms: tuple[Form, ...]
    gaps: Mapping[str, Gap]

    @cached_property
    def patterns(self) -> list[tuple[Form, re.Pattern[str], re.Pattern[str]]]:
        return [(form, form.pattern(self.gaps), form.pattern(self.gaps, loose=True)) for form in self.forms]

    @property
    def expected(self) -> str:
        return either([f'"{form.shown}"' for form in self.forms])

    def read(self, phrase: str) -> Any:
        """Return what a phrase makes. Raise Slip with what was expected."""
        text = " ".join(phrase.split()).lower()
        for form, strict, _ in self.patterns:
            if found := strict.fullmatch(text):
                names = form.pieces[1::2]
                values = [
                    self.gaps[name].value(each) for name, each in zip(names, found.groups(), strict=True)
                ]
                return form.make(*values)
        raise Slip(self._fault(text))

    def _fault(self, text: str) -> str:
        for form, _, loose in self.patterns:
            if found := loose.fullmatch(text):
                for name, each in zip(form.pieces[1::2], found.groups(), strict=True):
                    if not re.fullmatch(self.gaps[name].pattern, each):
                        return f"{shown(each)} cannot stand there; expected {self.gaps[name].expected}"
        near = get_close_matches(text, [form.shown.lower() for form in self.forms], 1, 0.5)
        nearest = next((form.shown for form in self.forms if near and form.shown.lower() == near[0]), "")
        return f"{shown(text)} is unknown; " + (
            f'the nearest is "{nearest}"' if nearest else f"expected {self.expected}"
        )
