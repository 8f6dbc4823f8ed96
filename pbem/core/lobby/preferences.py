"""Preferences: the table of keys, their allowed words, and their meaning.

Many spellings are read and one form is stored; an unreadable value is refused with examples. Time zone names
are an argument, since they come from the machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.game.reminders import read_quiet
from pbem.core.players import Player
from rules.notation import listed

Zones = Collection[str]
"""IANA names such as `Europe/Berlin`."""

RECEIPTS = "receipts"
"""The key that is also a letter category in `Player.stopped`."""


AUTOVACATION = "autovacation"
"""The key that lets a fallen flag take vacation."""
FIELD_NAMES: Mapping[str, str] = {AUTOVACATION: "days_off"}
"""Fields of `Preferences` that differ from their keys."""


@dataclass(frozen=True)
class PreferenceKey:
    """One preference: its reader, and two example values."""

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


# Zones.

_FIXED = re.compile(r"Etc/GMT([+-])(\d{1,2})")
_OFFSET = re.compile(r"(?:utc|gmt|z)?\s?([+-])\s?(\d{1,2})(?::?(\d\d))?", re.IGNORECASE)
UTC_NAMES = frozenset({"utc", "gmt", "z", "zulu", "greenwich", "none", "off"})
FARTHEST_EAST, FARTHEST_WEST = 14, 12
"""In hours from Greenwich, as far as the IANA names go."""
NOT_PLACES = frozenset("factory posixrules localtime leap-seconds".split())


def find_zone(text: str, zones: Zones) -> str:
    """The IANA name for `Berlin`, `europe/berlin` or `UTC+2`.

    Raises Refusal. `UTC+2` is `Etc/GMT-2`: the sign in those names is the other way round (POSIX counts
    westwards).
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
        return max(cities, key=lambda zone: zone.count("/"))  # older names of one place are listed too
    if cities:
        raise Refusal(f"There is more than one {text}: write {_zone_examples(cities)}.")
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
    """A sentence about an unknown zone, with the nearest or safe examples."""
    cities = {name.rpartition("/")[2]: zone for name, zone in by_name.items()}
    near = get_close_matches(wanted, cities, 2, 0.75) or get_close_matches(wanted, by_name, 2, 0.75)
    if near:
        found = list(dict.fromkeys(cities.get(name) or by_name[name] for name in near))
        return f"No time zone is called {text}. Did you mean {_zone_examples(found)}?"
    return (
        f"No time zone is called {text}. Write the large city nearest to you whose clocks go as yours do: "
        f"{_zone_examples(['Europe/Berlin', 'New York', 'UTC+2'])}."
    )


def _zone_examples(zones: Collection[str]) -> str:
    return listed([f"`set zone {zone}`" for zone in list(zones)[:3]], "or")


MAX_WAIT = 60
"""Maximum undo window, in minutes."""


def _minutes(value: str, zones: Zones) -> int:
    small = value.lower()
    match = re.fullmatch(r"(\d{1,3}) ?(?:m|min|mins|minutes?)?", small)
    minutes = 0 if small in OFF else int(match[1]) if match else None
    if minutes is None or minutes > MAX_WAIT:
        raise Refusal(
            f"`undo` is the minutes in which you can take a ply back, from 0 to {MAX_WAIT}, not {value}: "
            "write `set undo 10m` or `set undo off`."
        )
    return minutes


def _quiet(value: str, zones: Zones) -> str:
    return read_quiet(value)


# The table.

KEYS: Mapping[str, PreferenceKey] = {
    "zone": PreferenceKey(find_zone, ("Berlin", "America/New_York")),
    "format": PreferenceKey(_choice("format", FORMATS), ("text", "both")),
    "board": PreferenceKey(_choice("board", BOARDS), ("table", "text")),
    "coordinates": PreferenceKey(_switch("coordinates"), ("on", "off")),
    "stones": PreferenceKey(_switch("stones"), ("on", "off")),
    "quiet": PreferenceKey(_quiet, ("22-7", "off")),
    "calendar": PreferenceKey(_switch("calendar"), ("on", "off")),
    RECEIPTS: PreferenceKey(_switch(RECEIPTS), ("on", "off")),
    "undo": PreferenceKey(_minutes, ("10m", "off")),
    AUTOVACATION: PreferenceKey(_switch(AUTOVACATION), ("on", "off")),
}
"""All preferences, in display order. All but receipts are fields of `Preferences`."""

ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("timezone", "tz", "time-zone"), "zone"),
    **dict.fromkeys(("coords", "coordinate"), "coordinates"),
    "stone": "stones",
    "receipt": RECEIPTS,
    "auto-vacation": AUTOVACATION,
}


def read_preference(key: str, value: str, zones: Zones) -> tuple[str, Any]:
    """The key and the value in stored form. Raises Refusal for an impossible value."""
    name = preference_key(key)
    if not value:
        raise Refusal(f"To set {name}, write what it shall be: {_examples(name)}.")
    return name, KEYS[name].read(value, zones)


def preference_key(key: str) -> str:
    """The key that a word means. Raises Refusal with the nearest one."""
    small = key.lower()
    if (name := ALIASES.get(small, small)) in KEYS:
        return name
    near = get_close_matches(small, KEYS, 1, 0.6)
    hint = f"Did you mean {_examples(near[0])}?" if near else "The one word `set` brings all that there is."
    raise Refusal(f"There is nothing called {key} to set. {hint}")


def preference_field(name: str) -> str:
    """The field of `Preferences` for a key."""
    return FIELD_NAMES.get(name, name)


def _examples(name: str) -> str:
    return listed([f"`set {name} {value}`" for value in KEYS[name].examples], "or")


def preference_values(player: Player) -> Mapping[str, Any]:
    """The value of every key, with True and False for switches."""
    fields = {key: getattr(player.preferences, preference_field(key)) for key in KEYS if key != RECEIPTS}
    return {
        **fields,
        "zone": zone_in_words(player.preferences.zone),
        RECEIPTS: RECEIPTS not in player.stopped,
    }


def zone_in_words(zone: str) -> str:
    """The zone as players write it: `UTC+2` for `Etc/GMT-2`."""
    match = _FIXED.fullmatch(zone)
    return f"UTC{'+' if match[1] == '-' else '-'}{match[2]}" if match else zone
