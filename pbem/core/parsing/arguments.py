"""Parsers of the words after a command: text -> arguments, None if it is no such command."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.game.letter_kinds import CATEGORY_WORDS
from pbem.core.game.preferences import SHAPES

Arguments = Mapping[str, Any]
Parser = Callable[[str], Arguments | None]


def no_arguments(rest: str) -> Arguments | None:
    return None if rest else {}


def by_pattern(pattern: str, *names: str) -> Parser:
    """A parser by the groups of a pattern; unused groups are ""."""
    shape = re.compile(pattern, re.IGNORECASE)

    def parse(rest: str) -> Arguments | None:
        match = shape.fullmatch(rest)
        return dict(zip(names, (group or "" for group in match.groups()), strict=True)) if match else None

    return parse


def show_words(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(?:#?(\d{1,4}))?", rest)
    return {"ply": int(match[1]) if match[1] else None} if match else None


def resign(rest: str) -> Arguments | None:
    return {"yes": bool(rest)} if rest.lower() in ("", "yes") else None


def answer(rest: str) -> Arguments | None:
    """The target of `accept` and `decline`: a number, an offer, or neither."""
    match = re.fullmatch(r"(?:#?(\d{1,9})|(draw|undo|pause|challenge))?", rest, re.IGNORECASE)
    if not match:
        return None
    return {"number": int(match[1]) if match[1] else None, "offer": (match[2] or "").lower()}


def register(rest: str) -> Arguments | None:
    """The requested name, or ""; removes quotes, brackets and a full stop."""
    words = rest.removeprefix(":").split()
    if words and words[0].lower() in ("as", "me"):
        words = words[1:]
    name = " ".join(words).strip('.,!"<> ')
    return {"name": name} if re.fullmatch(r"(?:[^\s,;:!?]{1,60}(?: [^\s,;:!?]{1,60}){0,2})?", name) else None


SMALL_WORDS = frozenset({"to", "at", "in", "for", "a", "game", "of"})
"""Words that people put between the player's name and the game's."""

NOT_PLAYERS = frozenset("accepted is was has me you to for the a an from with on".split())
"""Words that follow `challenge` in prose."""
SEATS = frozenset({"first", "second", "random"})
PACE = re.compile(
    r"\d{1,3}[dh](?:/\w{2,5}|(?:\+\d{1,3}[dh])?(?:<=\d{1,3}[dh])?)|none|brisk|normal|leisure|postal"
)
OPTION = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,30})=(\S{1,60})")


def challenge(rest: str) -> Arguments | None:
    """Parse `<player> <game> [option=value …] [time] [rated/unrated] [first/second/random]`."""
    words = re.sub(r"\s*=\s*", "=", rest).split()
    if len(words) > 20 or (words and words[0].lower() in NOT_PLAYERS):
        return None
    options: dict[str, str] = {}
    found: dict[str, Any] = {"options": options, "pace": "", "rated": True, "seats": "random"}
    names: list[str] = []
    for word in words:
        small = word.lower()
        if match := OPTION.fullmatch(word):
            name, value = match[1].lower(), match[2]
            before = options.get(name, value)
            # no option has such a value as the second
            options[name] = value if before == value else f"{before} and {name}={value}"
        elif small in SEATS and len(names) > 1:
            found["seats"] = small
        elif small in ("rated", "unrated"):
            found["rated"] = small == "rated"
        elif small == "soft" and len(names) > 1:
            found["soft"] = True
        elif PACE.fullmatch(small):
            found["pace"] = small
        elif not (names and small in SMALL_WORDS):
            names.append(word)
    if not 2 <= len(names) <= 3 or not all(re.fullmatch(r"[A-Za-z][\w-]{1,30}", name) for name in names):
        return None
    return {"player": names[0], "game": " ".join(names[1:]), **found}


def seek(rest: str) -> Arguments | None:
    """A challenge to anybody: the game and its terms."""
    found = None if set(rest.lower().split()) & NOT_PLAYERS else challenge(f"anybody {rest}")
    return None if found is None else {key: value for key, value in found.items() if key != "player"}


def optional_number(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(?:(?:seek |challenge )?#?(\d{1,9}))?", rest, re.IGNORECASE)
    return {"number": int(match[1]) if match[1] else None} if match else None


def take(rest: str) -> Arguments | None:
    found = optional_number(rest)
    return found if found and found["number"] is not None else None


def optional_name(rest: str) -> Arguments | None:
    """One player's name, or "". Words that prose has there give None."""
    found = by_pattern(r"([A-Za-z][\w-]{1,30})?", "name")(rest)
    return None if rest.lower() in NOT_PLAYERS else found


def give(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(\d{1,3}) ?(d|h|days?|hours?)", rest, re.IGNORECASE)
    return {"time": f"{match[1]}{match[2][0].lower()}"} if match else None


_DAYS = r"(\d{1,3}) ?(d|days?|weeks?)"
"""Days or weeks, like `10 days` or `2 weeks`."""


def in_days(number: str, unit: str) -> int:
    return int(number) * (7 if unit.lower().startswith("w") else 1)


def pause(rest: str) -> Arguments | None:
    match = re.fullmatch(rf"(?:for )?{_DAYS}", rest, re.IGNORECASE)
    return {"days": in_days(match[1], match[2])} if match else None


def one_name(rest: str) -> Arguments | None:
    return optional_name(rest) if rest else None


_MAILED = re.compile(
    r"(add|drop) (?:mailto:|<)?([^\s<>]{1,250}@[^\s<>]{1,250}?)>?"
    r"(?: ?[<(\[]mailto:[^\s<>]{1,500}[>)\]])?[.,;]?",
    re.IGNORECASE,
)
"""`add bill@work.example`, also with the links that mail programs add."""


def address(rest: str) -> Arguments | None:
    if match := _MAILED.fullmatch(rest):
        return {"change": match[1].lower(), "address": match[2]}
    word = rest.lower() or "list"
    return {"change": word, "address": ""} if word in ("list", "renew") else None


NEARLY_A_SETTING = re.compile(r"([A-Za-z-]{3,14}) (on|off|text|html|both|[A-Z]\w+/\w+)")

_CATEGORY = by_pattern(rf"({'|'.join(CATEGORY_WORDS)})(?: letters)?", "category")


def set_words(rest: str) -> Arguments | None:
    """Parse `set`, `set key` or `set key value`; an unknown key needs a plausible value."""
    if not rest:
        return {"key": "", "value": ""}
    shapes = (*SHAPES, NEARLY_A_SETTING)
    match = next((found for shape in shapes if (found := shape.fullmatch(rest))), None)
    if match is None:
        return None
    key, value = (*match.groups(), "")[:2]
    return {"key": key.lower(), "value": value.rstrip(".,!")}


_DATE = r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|[a-z]{3,9}\.? \d{1,2}(?:,? \d{4})?|" + (
    r"\d{1,2}(?:st|nd|rd|th|\.)? [a-z]{3,9}\.?(?: \d{4})?|today|tomorrow"
)
VACATION = re.compile(
    rf"(cancel)|(?:for )?{_DAYS}|(?:from )?({_DATE})(?: to | until | till | ?- ?)({_DATE})",
    re.IGNORECASE,
)


def vacation(rest: str) -> Arguments | None:
    match = VACATION.fullmatch(rest)
    if rest and match is None:
        return None
    cancel, number, unit, begins, ends = match.groups() if match else (None,) * 5
    days = in_days(number, unit) if number and unit else 0
    return {"cancel": bool(cancel), "days": days, "from": begins or "", "to": ends or ""}


def export(rest: str) -> Arguments | None:
    words = rest.lower().split()
    if (
        len(words) != len(set(words))
        or not set(words) <= {"all", "json", "text"}
        or {"json", "text"} <= set(words)
    ):
        return None
    return {"every": "all" in words, "format": "json" if "json" in words else "text"}


_BEFORE = r"\d{1,4} ?(?:h|d|hours?|days?)"

maybe_a_game = by_pattern(r"(?:(?:game )?#?(\d{1,9}))?", "number")

remind = by_pattern(
    rf"(?:(off|none|never|usual|default|on|{_BEFORE}(?:(?:, ?| )(?:and )?{_BEFORE}){{0,9}})"
    r"(?: before)?)?",
    "times",
)
