"""What a player can set: the table of keys, the words each takes, and what they mean.

A value is read generously and kept in one form; what cannot be read is refused with values that can.
The names of time zones are passed in, for they come from the machine. Values only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pbem.core.letters import CATEGORIES
from pbem.core.lobby import Refusal
from pbem.core.people import Player
from pbem.core.reminders import read_quiet
from rules.notation import listed

Zones = Collection[str]
"""IANA names: `Europe/Berlin`."""

RECEIPTS = "receipts"
"""The key that is a category of letters too: there is one truth about it, `Player.stopped`."""


AUTOVACATION = "autovacation"
"""Whether a fallen flag takes days off."""
FIELDS: Mapping[str, str] = {AUTOVACATION: "days_off"}
"""The fields of `Wishes` that are not called as their keys are."""


@dataclass(frozen=True)
class Key:
    """One thing to set: how its value is read, and two values that show what it takes."""

    read: Callable[[str, Zones], Any]
    examples: tuple[str, str]


ON, OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0", "none")

FORMATS = {
    **dict.fromkeys(("text", "plain", "plaintext", "ascii", "txt"), "text"),
    **dict.fromkeys(("html", "rich", "htm"), "html"),
    **dict.fromkeys(("both", "multipart", "all"), "both"),
}
BOARDS = {
    **dict.fromkeys(("table", "html", "drawn"), "table"),
    **dict.fromkeys(("text", "plain", "pre", "ascii"), "text"),
}


def _switch(key: str) -> Callable[[str, Zones], bool]:
    def read(value: str, zones: Zones) -> bool:
        small = value.lower()
        if small not in ON + OFF:
            raise Refusal(f"`{key}` is on or off, not {value}: write `set {key} on` or `set {key} off`.")
        return small in ON

    return read


def _choice(key: str, words: Mapping[str, str]) -> Callable[[str, Zones], str]:
    def read(value: str, zones: Zones) -> str:
        small = value.lower()
        if small not in words:
            choices = list(dict.fromkeys(words.values()))
            ways = listed([f"`set {key} {choice}`" for choice in choices], "or")
            raise Refusal(f"`{key}` cannot be {value}: write {ways}.")
        return words[small]

    return read


# ----------------------------------------------------------------------------------------- zones

_FIXED = re.compile(r"Etc/GMT([+-])(\d{1,2})")
_OFFSET = re.compile(r"(?:utc|gmt|z)?\s?([+-])\s?(\d{1,2})(?::?(\d\d))?", re.IGNORECASE)
UTC_NAMES = frozenset({"utc", "gmt", "z", "zulu", "greenwich", "none", "off"})
FARTHEST_EAST, FARTHEST_WEST = 14, 12
"""Hours from Greenwich; the IANA names of whole hours go so far."""
NOT_PLACES = frozenset("factory posixrules localtime leap-seconds".split())


def find_zone(text: str, zones: Zones) -> str:
    """The IANA name that `Berlin`, `europe/berlin` or `UTC+2` means; raises Refusal for what means none.

    A zone by its distance from UTC is `Etc/GMT-2` for `UTC+2`: the sign of those names is the other way
    round (POSIX counts westwards).
    """
    wanted = re.sub(r"\s+", "_", text.strip().strip(".,\"'").lower())
    if wanted in UTC_NAMES:
        return "UTC"
    if match := _OFFSET.fullmatch(wanted.replace("_", " ")):
        return _by_offset(match[1], int(match[2]), int(match[3] or 0))
    by_name = {zone.lower(): zone for zone in zones if zone.lower() not in NOT_PLACES}
    if wanted in by_name:
        return by_name[wanted]
    cities = [zone for name, zone in sorted(by_name.items()) if name.rpartition("/")[2] == wanted]
    if len({zone.partition("/")[0] for zone in cities}) == 1:
        return max(cities, key=lambda zone: zone.count("/"))  # older names of one place are kept beside it
    if cities:
        raise Refusal(f"There is more than one {text}: write {_ways(cities)}.")
    raise Refusal(_no_zone(text, wanted, by_name))


def _by_offset(sign: str, hours: int, minutes: int) -> str:
    most = FARTHEST_EAST if sign == "+" else FARTHEST_WEST
    if minutes or hours > most:
        raise Refusal(
            "A zone by its distance from UTC goes by whole hours, from `set zone UTC-12` to "
            "`set zone UTC+14`; write a city such as `set zone Kolkata` instead."
        )
    return f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours else "UTC"


def _no_zone(text: str, wanted: str, by_name: Mapping[str, str]) -> str:
    """Why there is no such zone, with the nearest ones, else a few that are sure to be there."""
    cities = {name.rpartition("/")[2]: zone for name, zone in by_name.items()}
    near = get_close_matches(wanted, cities, 2, 0.75) or get_close_matches(wanted, by_name, 2, 0.75)
    if near:
        found = list(dict.fromkeys(cities.get(name) or by_name[name] for name in near))
        return f"No time zone is called {text}. Did you mean {_ways(found)}?"
    return (
        f"No time zone is called {text}. Write the large city nearest to you whose clocks go as yours do: "
        f"{_ways(['Europe/Berlin', 'New York', 'UTC+2'])}."
    )


def _ways(zones: Collection[str]) -> str:
    return listed([f"`set zone {zone}`" for zone in list(zones)[:3]], "or")


LONGEST_WAIT = 60
"""Minutes that a ply can be made to wait."""


def _minutes(value: str, zones: Zones) -> int:
    small = value.lower()
    match = re.fullmatch(r"(\d{1,3}) ?(?:m|min|mins|minutes?)?", small)
    minutes = 0 if small in OFF else int(match[1]) if match else None
    if minutes is None or minutes > LONGEST_WAIT:
        raise Refusal(
            f"`undo` is the minutes in which you can take a ply back, from 0 to {LONGEST_WAIT}, not {value}: "
            "write `set undo 10m` or `set undo off`."
        )
    return minutes


def _quiet(value: str, zones: Zones) -> str:
    return read_quiet(value)


# ------------------------------------------------------------------------------------- the table

KEYS: Mapping[str, Key] = {
    "zone": Key(find_zone, ("Berlin", "America/New_York")),
    "format": Key(_choice("format", FORMATS), ("text", "both")),
    "board": Key(_choice("board", BOARDS), ("table", "text")),
    "coordinates": Key(_switch("coordinates"), ("on", "off")),
    "stones": Key(_switch("stones"), ("on", "off")),
    "quiet": Key(_quiet, ("22-7", "off")),
    "calendar": Key(_switch("calendar"), ("on", "off")),
    RECEIPTS: Key(_switch(RECEIPTS), ("on", "off")),
    "undo": Key(_minutes, ("10m", "off")),
    AUTOVACATION: Key(_switch(AUTOVACATION), ("on", "off")),
}
"""What can be set, in the order in which it is told. All but receipts are fields of `Wishes`."""

ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("timezone", "tz", "time-zone"), "zone"),
    **dict.fromkeys(("coords", "coordinate"), "coordinates"),
    "stone": "stones",
    "receipt": RECEIPTS,
    "auto-vacation": AUTOVACATION,
}


def read_wish(key: str, value: str, zones: Zones) -> tuple[str, Any]:
    """The key's own name and the value as it is kept; raises Refusal for what cannot be set so."""
    name = key_of(key)
    if not value:
        raise Refusal(f"To set {name}, write what it shall be: {_examples(name)}.")
    return name, KEYS[name].read(value, zones)


def key_of(key: str) -> str:
    """The key that a word means; raises Refusal, with the nearest, where it means none."""
    small = key.lower()
    if (name := ALIASES.get(small, small)) in KEYS:
        return name
    near = get_close_matches(small, KEYS, 1, 0.6)
    hint = f"Did you mean {_examples(near[0])}?" if near else "The one word `set` brings all that there is."
    raise Refusal(f"There is nothing called {key} to set. {hint}")


def field_of(name: str) -> str:
    """The field of `Wishes` in which a key is kept."""
    return FIELDS.get(name, name)


def _examples(name: str) -> str:
    return listed([f"`set {name} {value}`" for value in KEYS[name].examples], "or")


def settings_of(player: Player) -> Mapping[str, Any]:
    """The value of every key: words, or True and False for what is on or off."""
    fields = {key: getattr(player.wishes, field_of(key)) for key in KEYS if key != RECEIPTS}
    return {**fields, "zone": zone_in_words(player.wishes.zone), RECEIPTS: RECEIPTS not in player.stopped}


def zone_in_words(zone: str) -> str:
    """The zone as it may be written in a mail: `UTC+2` for `Etc/GMT-2`."""
    match = _FIXED.fullmatch(zone)
    return f"UTC{'+' if match[1] == '-' else '-'}{match[2]}" if match else zone


# ------------------------------------------------------------------------------------ categories

_SINGULAR: Mapping[str, str] = {
    **{category.removesuffix("s"): category for category in CATEGORIES},
    **{category: category for category in CATEGORIES},
    **dict.fromkeys(("words", "messages", "talk", "chats"), "chat"),
    "watching": "watched",
}


def categories_of(word: str) -> tuple[str, ...]:
    """The categories of letters that a word means, `all` of them; raises Refusal where it means none."""
    return CATEGORIES if word.lower() in ("all", "everything") else (category_of(word),)


def category_of(word: str) -> str:
    """The category of letters that a word means; raises Refusal where it means none."""
    if (found := _SINGULAR.get(word.lower())) is not None:
        return found
    ways = listed([f"`stop {category}`" for category in CATEGORIES], "or")
    raise Refusal(f"There are no letters called {word}: write {ways}.")
