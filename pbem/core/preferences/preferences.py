"""Preferences, one row each. Commands, letters and the settings page are made from them."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.players import TOKEN, Player
from pbem.core.preferences.reminders import read_quiet
from rules import find
from rules.notation import join_words

Zones = Collection[str]

Value = Any
"""True or False for a switch, a number or None for `undo`, else a text."""


def _in_words(value: Value) -> str:
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Preference:
    """One preference. `read` makes the stored value of a text, or raises Refusal.

    The settings page shows `label` in its form `form`, with `choices` (value and words) or a text field with
    its `hint`; "" shows it nowhere. `values` is the pattern of what may follow the word, by default one
    short word; anything else is prose. `field` names its field of `Preferences`, if the word does not;
    `category` letters that it stops or starts instead. `reminds` says that reminders move with it.
    """

    read: Callable[[str, Zones], Value]
    examples: tuple[str, str]
    help: str
    label: str = ""
    form: str = ""
    aliases: tuple[str, ...] = ()
    default: Value = None
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    values: str = r"\S{1,20}"
    field: str = ""
    category: str = ""
    reminds: bool = False
    bare: str = ""
    """The value that the word alone means, "" where it means nothing."""
    show: Callable[[Value], str] = _in_words

    def value(self, word: str, player: Player) -> Value:
        if self.category:
            return self.category not in player.stopped
        own, name = player.preferences, self.field or word
        return getattr(own, name) if hasattr(own, name) else own.more.get(word, self.default)


ALL_SEEKS, NO_SEEKS = "on", "off"
"""The values of the preference `seeks` for all games and for none; others are keys of games."""


def _games(value: str, zones: Zones) -> str:
    """The keys of games named in a text, or `on` or `off`."""
    small = value.lower().strip(" .,!")
    if small in (*ON, "all", "any", "every"):
        return ALL_SEEKS
    if small in OFF:
        return NO_SEEKS
    words, found = re.findall(r"[\w-]+", small), dict[str, None]()
    while words:
        two, one = find(" ".join(words[:2])), find(words[0])
        game = two or one
        if game is not None:
            found[game.key] = None
        elif words[0] != "and":
            ways = _ways("seeks", ("on", "bipod bounders", "off"))
            raise Refusal(f"No game is called {words[0]}: write {ways}.")
        words = words[2 if two else 1 :]
    return " ".join(found)


ON, OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0", "none")


def _ways(key: str, values: Iterable[str]) -> str:
    return join_words([f"`set {key} {value}`" for value in values], "or")


def _switch(key: str, help: str, **more: Any) -> Preference:
    def read(value: str, zones: Zones) -> bool:
        small = value.lower()
        if small not in ON + OFF:
            raise Refusal(f"`{key}` is on or off, not {value}: write `set {key} on` or `set {key} off`.")
        return small in ON

    return Preference(read, ("on", "off"), help, choices=(("on", "yes"), ("off", "no")), **more)


def _choice(key: str, **synonyms: str) -> Callable[[str, Zones], str]:
    def read(value: str, zones: Zones) -> str:
        for choice, others in synonyms.items():
            if value.lower() in (choice, *others.split()):
                return choice
        raise Refusal(f"`{key}` cannot be {value}: write {_ways(key, synonyms)}.")

    return read


_FIXED = re.compile(r"Etc/GMT([+-])(\d{1,2})")
_OFFSET = re.compile(r"(?:utc|gmt|z)?\s?([+-])\s?(\d{1,2})(?::?(\d\d))?", re.IGNORECASE)
UTC_NAMES = frozenset({"utc", "gmt", "z", "zulu", "greenwich", "none", "off"})
FARTHEST_EAST, FARTHEST_WEST = 14, 12
"""In hours from Greenwich, as far as the IANA names go."""
NOT_PLACES = frozenset("factory posixrules localtime leap-seconds".split())


def find_zone(text: str, zones: Zones) -> str:
    """Return the IANA name for `Berlin` or `UTC+2`, or raise Refusal. `UTC+2` is `Etc/GMT-2` in POSIX."""
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
        raise Refusal(f"There is more than one {text}: write {_ways('zone', cities[:3])}.")
    cities_by_name = {name.rpartition("/")[2]: zone for name, zone in by_name.items()}
    near = get_close_matches(wanted, cities_by_name, 2, 0.75) or get_close_matches(wanted, by_name, 2, 0.75)
    if near:
        found = list(dict.fromkeys(cities_by_name.get(name) or by_name[name] for name in near))
        raise Refusal(f"No time zone is called {text}. Did you mean {_ways('zone', found)}?")
    raise Refusal(
        f"No time zone is called {text}. Write the large city nearest to you whose clocks go as yours do: "
        f"{_ways('zone', ['Europe/Berlin', 'New York', 'UTC+2'])}."
    )


HOUR = timedelta(hours=1)
BY_MAIL = "zone_by_mail"
"""The key of a flag: True if the zone comes from the player's mails, False if the player has set one."""


def zone_of_mail(player: Player, offset: timedelta | None) -> str:
    """Return the new zone of a player whose mail has this distance from UTC, "" to leave it."""
    own, flag = player.preferences.zone, player.preferences.more.get(BY_MAIL)
    chosen = flag is False or (flag is None and own != "UTC")
    if chosen or offset is None or offset % HOUR or not -FARTHEST_WEST <= offset // HOUR <= FARTHEST_EAST:
        return ""
    hours = offset // HOUR
    zone = _by_offset("-" if hours < 0 else "+", abs(hours), 0)
    return zone if zone != own else ""


def _by_offset(sign: str, hours: int, minutes: int) -> str:
    most = FARTHEST_EAST if sign == "+" else FARTHEST_WEST
    if minutes or hours > most:
        raise Refusal(
            "A zone by its distance from UTC goes by whole hours, from `set zone UTC-12` to "
            "`set zone UTC+14`; write a city such as `set zone Kolkata` instead."
        )
    return f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours else "UTC"


MAX_WAIT = 60


def _minutes(value: str, zones: Zones) -> int:
    small = value.lower()
    match = re.fullmatch(r"(\d{1,3}) ?(?:m|min|mins|minutes?)?", small)
    minutes = 0 if small in OFF else int(match[1]) if match else None
    if minutes is None or minutes > MAX_WAIT:
        raise Refusal(
            f"`undo` is the minutes in which you can take a move back, from 0 to {MAX_WAIT}, not {value}: "
            "write `set undo 10m` or `set undo off`."
        )
    return minutes


_PHRASE = r"\S{1,40}(?: \S{1,20}){0,2}"
_LISTED = r"(?:on|off|yes|no|true|false|table|drawn|text|plain|pre|html|ascii|words?|braille)\.?"
"""The values of words that prose has too, as in `set stones down`."""

PREFERENCES: Mapping[str, Preference] = {
    "zone": Preference(
        find_zone,
        ("Berlin", "America/New_York"),
        "Write `set zone` and a large city whose clocks go as yours do, such as `set zone Berlin`, or "
        "`set zone UTC+2` for clocks that never change.",
        label="Time zone",
        form="letters",
        aliases=("timezone", "tz", "time-zone"),
        hint="The large city nearest to you, or UTC+2",
        values=_PHRASE,
        reminds=True,
        show=lambda zone: zone_in_words(zone),
    ),
    "format": Preference(
        _choice("format", text="plain plaintext ascii txt", both="multipart all"),
        ("text", "both"),
        "With `set format text` letters are plain text, with `set format both` your mail program chooses "
        "between text and HTML.",
        label="Format",
        form="letters",
        choices=(("both", "text and HTML, your program chooses"), ("text", "text alone")),
    ),
    "board": Preference(
        _choice(
            "board", table="html drawn", text="plain pre ascii", picture="image png", words="word braille"
        ),
        ("table", "picture"),
        "With `set board table` the HTML letter has the board as a table, with `set board picture` as a "
        "picture, with `set board text` as in the plain text. With `set board words` there is no drawing in "
        "either part: words tell the board, in lines of at most 40 signs, as for braille.",
        label="Board in letters",
        form="letters",
        choices=(
            ("table", "a table in HTML"),
            ("picture", "a picture in HTML"),
            ("text", "in signs, as in text"),
            ("words", "in words, for ears and braille"),
        ),
        values=_LISTED,
    ),
    "stones": _switch(
        "stones",
        "With `set stones off` the list of stones below the board is left out, with `set stones on` it is "
        "there, for screen readers above all.",
        label="A list of the stones below the board",
        form="letters",
        aliases=("stone",),
        values=_LISTED,
    ),
    "receipts": _switch(
        "receipts",
        "With `set receipts off` a move that is simply made brings no answer, with `set receipts on` it "
        "does. What cannot be done is always answered.",
        aliases=("receipt",),
        category="receipts",
    ),
    "moments": _switch(
        "moments",
        "With `set moments on` you get three moments of a game of yours the morning after it has ended, as "
        "puzzles; with `set moments off` you do not.",
        aliases=("moment",),
        category="moments",
    ),
    "puzzles": Preference(
        _choice("puzzles", daily="on yes day", off="no none never"),
        ("daily", "off"),
        "With `set puzzles daily` you get a puzzle every morning, with `set puzzles off` you do not. "
        "`puzzle` brings one at any time.",
        label="A puzzle every morning",
        form="kinds",
        choices=(("off", "no"), ("daily", "yes")),
        default="off",
    ),
    "paper": Preference(
        _choice("paper", on="yes true 1 weekly saturday", off="no false 0 none never"),
        ("on", "off"),
        "With `set paper on` you get the Saturday paper: what happened here in the week. With "
        "`set paper off` you do not.",
        label="The Saturday paper",
        form="kinds",
        aliases=("newspaper",),
        choices=(("off", "no"), ("on", "yes")),
        default="off",
    ),
    "seeks": Preference(
        _games,
        ("on", "bipod bounders"),
        "With `set seeks on` you get a letter when somebody seeks a game, with `set seeks bipod bounders` "
        "for these games alone, with `set seeks off` for none. It comes once a day at most, or in a digest.",
        label="Letters when somebody seeks a game",
        form="kinds",
        aliases=("seek",),
        default=NO_SEEKS,
        hint="on, off, or games, such as bipod bounders",
        values=r"[\w-]{1,20}(?:(?:, ?| )(?:and )?[\w-]{1,20}){0,9}[.,!]?",
    ),
    "capitals": Preference(
        _choice("capitals", ask="on yes", small="off no none"),
        ("small", "ask"),
        "With `set capitals small` a move whose capital a phone may have made is read with a small letter, "
        "with `set capitals ask` we ask which you mean where both can be played.",
        label="A capital that my phone may have made",
        form="letters",
        choices=(("ask", "asks me which move I mean"), ("small", "is read as a small letter")),
        default="ask",
    ),
    "forced": _switch(
        "forced",
        "With `set forced on` your move is made at once where the rules leave you only one, with "
        "`set forced off` you make it yourself.",
        label="Make a move at once where only one is possible",
        form="letters",
        default=False,
    ),
    "undo": Preference(
        _minutes,
        ("10m", "off"),
        "With `set undo 10m` a move of yours waits ten minutes before anybody else sees it, and `undo` takes "
        "it back until then; with `set undo off` it is made at once.",
        label="Minutes in which a move can be taken back",
        form="letters",
        hint="0 to 60; usual here: {usual}",
        values=_PHRASE,
        show=lambda minutes: "as is usual here" if minutes is None else f"{minutes} minutes",
    ),
    "autovacation": _switch(
        "autovacation",
        "With `set autovacation on` a day of your vacation is taken where your time for a move is over, five "
        "days in a row at most; with `set autovacation off` none is.",
        label="Take a day by itself when my time is over",
        form="autovacation",
        aliases=("auto-vacation",),
        field="days_off",
    ),
    "quiet": Preference(
        lambda value, zones: read_quiet(value),
        ("22-7", "off"),
        "Between these hours of your zone no reminder comes: `set quiet 22-7` and `set quiet off` are "
        "examples. When reminders come, `remind` tells and changes.",
        label="Hours without reminders",
        form="reminders",
        hint="in your zone, such as 22-7, or off",
        values=_PHRASE,
        reminds=True,
    ),
    "calendar": _switch(
        "calendar",
        "With `set calendar on` a reminder brings its deadline for your calendar, with `set calendar off` it "
        "does not.",
        label="Reminders bring the deadline for my calendar",
        form="reminders",
    ),
    TOKEN: _switch(
        TOKEN,
        "`set token` brings a token, shown once, with which a program of yours moves in your games, and does "
        "nothing else; with `set token off` it ends.",
        aliases=("tokens",),
        default=False,
        bare="on",
    ),
}

MOST_USED = ("zone", "format", "receipts", "undo", "quiet", "seeks")
"""Preferences that `set` tells; `set all` tells every one."""

_COORDINATES = "The letters and numbers round the board are always there now, so `coordinates` is no setting."
GONE: Mapping[str, str] = {
    **dict.fromkeys(("coordinates", "coordinate", "coords"), _COORDINATES),
    "greetings": "A greeting above your move always goes with the move now, so `greetings` is no setting.",
}
"""Preferences that there were, with what holds now."""

ALIASES: Mapping[str, str] = {
    alias: word for word, preference in PREFERENCES.items() for alias in preference.aliases
}

_SETS = r"(?: to | ?[=:] ?| )"


def _spellings(word: str) -> str:
    return "|".join(re.escape(each) for each in (word, *PREFERENCES[word].aliases))


SHAPES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for word, preference in PREFERENCES.items()
    for pattern in (rf"({_spellings(word)})", rf"({_spellings(word)}){_SETS}({preference.values})")
)
"""Patterns of the text after `set`, for each word alone and with a value."""


def read_preference(key: str, value: str, zones: Zones) -> tuple[str, Any]:
    """The key and the value in stored form. Raises Refusal for an impossible value."""
    name = preference_key(key)
    value = value or PREFERENCES[name].bare
    if not value:
        raise Refusal(f"To set {name}, write what it shall be: {_ways(name, PREFERENCES[name].examples)}.")
    return name, PREFERENCES[name].read(value, zones)


def preference_key(key: str) -> str:
    """The key that a word means. Raises Refusal with the nearest one."""
    small = key.lower()
    if (name := ALIASES.get(small, small)) in PREFERENCES:
        return name
    if small in GONE:
        raise Refusal(GONE[small])
    near = get_close_matches(small, PREFERENCES, 1, 0.6)
    hint = "`set all` brings all that there is."
    for name in near:
        hint = f"Did you mean {_ways(name, PREFERENCES[name].examples)}?"
    raise Refusal(f"There is nothing called {key} to set. {hint}")


def preference_values(player: Player) -> Mapping[str, Value]:
    """The value of every preference, with True and False for switches."""
    found = {word: row.value(word, player) for word, row in PREFERENCES.items()}
    return {**found, "zone": zone_in_words(player.preferences.zone)}


def zone_in_words(zone: str) -> str:
    """The zone as players write it: `UTC+2` for `Etc/GMT-2`."""
    match = _FIXED.fullmatch(zone)
    return f"UTC{'+' if match[1] == '-' else '-'}{match[2]}" if match else zone
