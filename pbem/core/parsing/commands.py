"""The table of command words: arguments, and forgiveness of typing errors.

Each parser turns the text after the word into arguments, or returns None. A line counts only if it parses as
a whole, so prose that merely begins with a command word stays prose.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rules import RULES
from rules.notation import one_slip

Arguments = Mapping[str, Any]
Parser = Callable[[str], Arguments | None]


def _words_of_games(behind: str) -> frozenset[str]:
    """Words of the games' plies behind which this stands: "", `cell` or `number`."""
    return frozenset(
        word for rules in RULES.values() for word, follows in rules.words.items() if follows == behind
    )


PLY_WORDS = _words_of_games("")
"""Plies that are words: the game alone knows when they may be played."""

IRREVERSIBLE = PLY_WORDS | frozenset(
    "resign claim accept decline give take address stop confirm forget block draw undo back report".split()
)
"""Irreversible commands. They count only if spelled right, and never directly below prose."""

NOT_MISSPELLED = frozenset({"beck", "drew"})
"""Signatures that are no misspellings of `back` and `draw`."""

MIN_FORGIVEN_LENGTH = 4

GAME = re.compile(r"game\s*#?\s?(\d{1,9})\s*:?", re.IGNORECASE)
"""The line that begins the block of one game."""

SAY = re.compile(r"say(?::|\s)\s*(\S.*)", re.IGNORECASE)


def _no_arguments(rest: str) -> Arguments | None:
    return None if rest else {}


def _by_pattern(pattern: str, *names: str) -> Parser:
    """A parser by the groups of a pattern; unused groups are ""."""
    shape = re.compile(pattern, re.IGNORECASE)

    def parse(rest: str) -> Arguments | None:
        match = shape.fullmatch(rest)
        return dict(zip(names, (group or "" for group in match.groups()), strict=True)) if match else None

    return parse


def _show(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(?:#?(\d{1,4}))?", rest)
    return {"ply": int(match[1]) if match[1] else None} if match else None


def _resign(rest: str) -> Arguments | None:
    return {"yes": bool(rest)} if rest.lower() in ("", "yes") else None


def _answer(rest: str) -> Arguments | None:
    """The target of `accept` and `decline`: a number, an offer, or neither."""
    match = re.fullmatch(r"(?:#?(\d{1,9})|(draw|undo|pause|challenge))?", rest, re.IGNORECASE)
    if not match:
        return None
    return {"number": int(match[1]) if match[1] else None, "offer": (match[2] or "").lower()}


def _register(rest: str) -> Arguments | None:
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


def _challenge(rest: str) -> Arguments | None:
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


def _seek(rest: str) -> Arguments | None:
    """A challenge to anybody: the game and its terms."""
    found = None if set(rest.lower().split()) & NOT_PLAYERS else _challenge(f"anybody {rest}")
    return None if found is None else {key: value for key, value in found.items() if key != "player"}


def _optional_number(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(?:(?:seek |challenge )?#?(\d{1,9}))?", rest, re.IGNORECASE)
    return {"number": int(match[1]) if match[1] else None} if match else None


def _take(rest: str) -> Arguments | None:
    found = _optional_number(rest)
    return found if found and found["number"] is not None else None


def _optional_name(rest: str) -> Arguments | None:
    """One player's name, or "". Words that prose has there give None."""
    found = _by_pattern(r"([A-Za-z][\w-]{1,30})?", "name")(rest)
    return None if rest.lower() in NOT_PLAYERS else found


def _give(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(\d{1,3}) ?(d|h|days?|hours?)", rest, re.IGNORECASE)
    return {"time": f"{match[1]}{match[2][0].lower()}"} if match else None


_DAYS = r"(\d{1,3}) ?(d|days?|weeks?)"
"""Days or weeks, like `10 days` or `2 weeks`."""


def _in_days(number: str, unit: str) -> int:
    return int(number) * (7 if unit.lower().startswith("w") else 1)


def _pause(rest: str) -> Arguments | None:
    match = re.fullmatch(rf"(?:for )?{_DAYS}", rest, re.IGNORECASE)
    return {"days": _in_days(match[1], match[2])} if match else None


def _one_name(rest: str) -> Arguments | None:
    return _optional_name(rest) if rest else None


_MAILED = re.compile(
    r"(add|drop) (?:mailto:|<)?([^\s<>]{1,250}@[^\s<>]{1,250}?)>?"
    r"(?: ?[<(\[]mailto:[^\s<>]{1,500}[>)\]])?[.,;]?",
    re.IGNORECASE,
)
"""`add bill@work.example`, also with the links that mail programs add."""


def _address(rest: str) -> Arguments | None:
    if match := _MAILED.fullmatch(rest):
        return {"change": match[1].lower(), "address": match[2]}
    word = rest.lower() or "list"
    return {"change": word, "address": ""} if word in ("list", "renew") else None


_SETS = r"(?: to | ?[=:] ?| )"
SETTING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(zone|timezone|tz|time-zone|format|board|coordinates?|coords|stones?|receipts?|quiet|undo|calendar|"
        r"auto-?vacation)",
        rf"(zone|timezone|tz|time-zone|quiet|undo){_SETS}(\S{{1,40}}(?: \S{{1,20}}){{0,2}})",
        rf"(format|coordinates?|coords|receipts?|calendar|auto-?vacation){_SETS}(\S{{1,20}})",
        rf"(board|stones?){_SETS}(on|off|yes|no|true|false|table|drawn|text|plain|pre|html|ascii)\.?",
    )
)
"""The text after `set`. Keys that prose has too (`set stones down`) need one of their values."""
NEARLY_A_SETTING = re.compile(r"([A-Za-z-]{3,14}) (on|off|text|html|both|[A-Z]\w+/\w+)")

_KINDS = (
    "turns? challenges? chats? words messages talk receipts? results? reminders? digests? watched watching "
    "all everything"
)
KINDS_OF_LETTERS = rf"({'|'.join(_KINDS.split())})(?: letters)?"


def _set(rest: str) -> Arguments | None:
    """Parse `set`, `set key` or `set key value`; an unknown key needs a plausible value."""
    if not rest:
        return {"key": "", "value": ""}
    shapes = (*SETTING, NEARLY_A_SETTING)
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


def _vacation(rest: str) -> Arguments | None:
    match = VACATION.fullmatch(rest)
    if rest and match is None:
        return None
    cancel, number, unit, begins, ends = match.groups() if match else (None,) * 5
    days = _in_days(number, unit) if number and unit else 0
    return {"cancel": bool(cancel), "days": days, "from": begins or "", "to": ends or ""}


def _export(rest: str) -> Arguments | None:
    words = rest.lower().split()
    if (
        len(words) != len(set(words))
        or not set(words) <= {"all", "json", "text"}
        or {"json", "text"} <= set(words)
    ):
        return None
    return {"every": "all" in words, "format": "json" if "json" in words else "text"}


_BEFORE = r"\d{1,4} ?(?:h|d|hours?|days?)"

_maybe_a_game = _by_pattern(r"(?:(?:game )?#?(\d{1,9}))?", "number")

WORDS: Mapping[str, Parser] = {
    "resign": _resign,
    "draw": _no_arguments,
    "accept": _answer,
    "decline": _answer,
    "confirm": _no_arguments,
    "address": _address,
    "register": _register,
    "challenge": _challenge,
    "show": _show,
    "moves": _no_arguments,
    "plans": _no_arguments,
    "games": _no_arguments,
    "boards": _by_pattern(r"(all)?", "every"),
    "digest": _by_pattern(r"(?:at )?(off|none|\d{1,2}(?:[:.h]\d\d|h)? ?(?:am|pm)?)?", "hour"),
    "rules": _by_pattern(r"([A-Za-z][\w-]{1,30}(?: thing)?)?", "game"),
    "help": _by_pattern(r"([A-Za-z][\w-]{1,30})?", "topic"),
    "undo": _no_arguments,
    "seeks": _no_arguments,
    "seek": _seek,
    "take": _take,
    "withdraw": _optional_number,
    "watch": _maybe_a_game,
    "unwatch": _maybe_a_game,
    "report": _maybe_a_game,
    "notes": _no_arguments,
    "export": _export,
    "set": _set,
    "vacation": _vacation,
    "back": _no_arguments,
    "remind": _by_pattern(
        rf"(?:(off|none|never|usual|default|on|{_BEFORE}(?:(?:, ?| )(?:and )?{_BEFORE}){{0,9}})"
        r"(?: before)?)?",
        "times",
    ),
    "stop": _by_pattern(KINDS_OF_LETTERS, "category"),
    "start": _by_pattern(KINDS_OF_LETTERS, "category"),
    "forget": _by_pattern(r"(me)", "who"),
    "rating": _optional_name,
    "standings": _by_pattern(r"([A-Za-z][\w-]{1,30}(?: thing)?)?", "game"),
    "limit": _by_pattern(r"(?:([A-Za-z][\w-]{1,30}(?: thing)?) (\d{1,3}|none))?", "game", "most"),
    "block": _optional_name,
    "unblock": _one_name,
    "claim": _by_pattern(r"(?:an? )?(win|draw|void)(?: game)?", "result"),
    "give": _give,
    "pause": _pause,
}
"""Every word of its own; those of games have their places in the games' rules."""

_ELSEWHERE = frozenset({"say", "note", "move", "game", "try", "if"})
"""Words that have their places in `pbem.core.parsing.mail_orders`."""

KEYWORDS = frozenset(WORDS) | PLY_WORDS | _words_of_games("number") | _ELSEWHERE
"""All words that begin a command: nobody can be called so."""

_KNOWN_BY_A_SLIP = tuple(sorted(word for word in KEYWORDS if len(word) >= MIN_FORGIVEN_LENGTH))


def correct_word(word: str) -> str | None:
    """The command word that `word` misspells, or None. None too if its typing errors are not forgiven."""
    found = nearest_word(word)
    return found if found not in IRREVERSIBLE else None


def irreversible_meant(word: str) -> str | None:
    """The irreversible word that `word` misspells, or whose letters it reorders."""
    if (near := nearest_word(word)) is not None or not word.isalpha():
        return near if near in IRREVERSIBLE else None
    small = word.lower()
    same = [
        each
        for each in IRREVERSIBLE
        if small != each and small[0] == each[0] and sorted(small) == sorted(each)
    ]
    return same[0] if same else None


@lru_cache(4096)  # every line of a letter comes here, and most words repeat
def nearest_word(word: str) -> str | None:
    """The one command word that `word` misspells, or None.

    A typing error is one letter wrong or two neighbours swapped; only if no word fits so, one letter missing
    or too many. A correct word gives None too.
    """
    small = word.lower()
    if len(small) < MIN_FORGIVEN_LENGTH or small in KEYWORDS | NOT_MISSPELLED or not small.isalpha():
        return None
    near = [keyword for keyword in _KNOWN_BY_A_SLIP if one_slip(small, keyword)]
    same_length = [keyword for keyword in near if len(keyword) == len(small)]
    found = same_length or near
    return found[0] if len(found) == 1 else None
