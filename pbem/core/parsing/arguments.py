"""Parsers of the words after a command, which return arguments, or None if the line is no such command."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.preferences.letter_kinds import CATEGORY_WORDS
from pbem.core.preferences.preferences import SHAPES
from rules import find, find_near

Arguments = Mapping[str, Any]
Parser = Callable[[str], Arguments | None]


def no_arguments(rest: str) -> Arguments | None:
    return None if rest else {}


def by_pattern(pattern: str, *names: str) -> Parser:
    """Make a parser from a pattern's groups, unused ones "". A name with `#` gives a number or None."""
    shape = re.compile(pattern, re.IGNORECASE)

    def parse(rest: str) -> Arguments | None:
        match = shape.fullmatch(rest)
        if match is None:
            return None
        found = zip(names, match.groups(), strict=True)
        return {
            name.rstrip("#"): text or "" if "#" not in name else int(text) if text else None
            for name, text in found
        }

    return parse


show_words = by_pattern(r"(?:#?(\d{1,4}))?", "ply#")
maybe_a_game = by_pattern(r"(?:(?:game )?#?(\d{1,9}))?", "number")
_LEARN = by_pattern(
    r"(?:([a-z][\w-]{0,30}(?: thing)?)(?: #?(\d{1,2})| (again))?)?", "game", "number#", "again"
)
optional_number = by_pattern(r"(?:(?:seek |challenge )?#?(\d{1,9}))?", "number#")
take = by_pattern(r"(?:seek |challenge )?#?(\d{1,9})", "number#")
resign = by_pattern(r"(yes)?", "yes")
category = by_pattern(rf"({'|'.join(CATEGORY_WORDS)})(?: letters)?", "category")
_OFFER = by_pattern(r"(?:#?(\d{1,9})|(draw|annul|undo|pause|challenge))?", "number#", "offer")


def answer(rest: str) -> Arguments | None:
    return _OFFER(rest.lower())


def register(rest: str) -> Arguments | None:
    """Parse the requested name, or "", without quotes, brackets and a full stop. `Ada bot` is a program."""
    words = rest.removeprefix(":").split()
    if words and words[0].lower() in ("as", "me"):
        words = words[1:]
    name = " ".join(words).strip('.,!"<> ')
    if len(words) == 2 and name.lower().endswith(" bot"):  # a program, as `core.players` knows by the name
        name = re.sub(r"(?:-bot)? bot\Z", "-bot", name, flags=re.IGNORECASE)
    return {"name": name} if re.fullmatch(r"(?:[^\s,;:!?]{1,60}(?: [^\s,;:!?]{1,60}){0,2})?", name) else None


guess = by_pattern(r"((?:game )?#?\d{1,9} \S.{0,190}|none|[^\s\d]*\d\S*(?: [^\s\d]*\d\S*){0,9})", "move")
"""A move without the game's number has a digit in each word: other lines after `guess` are prose."""


SMALL_WORDS = frozenset({"to", "at", "in", "for", "a", "game", "of"})
NOT_PLAYERS = frozenset("accepted is was has me you to for the a an from with on".split())
"""Words that follow `challenge` in prose."""
SEATS = frozenset({"first", "second", "random"})
BOTH_SEATS = "both"
"""The seats of a challenge to two games, one with each seat."""
PACE = re.compile(
    r"\d{1,3}[dh](?:/\w{2,5}|(?:\+\d{1,3}[dh])?(?:<=\d{1,3}[dh])?)|none|brisk|normal|leisure|postal"
)
_WEEKENDS = re.compile(r" (?:(?:no|without|free) )?weekends?(?: (?:off|free))?(?= |\Z)", re.IGNORECASE)
OPTION = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,30})=(\S{1,80})")


_NAME = re.compile(r"[A-Za-z][\w-]{1,30}")
_WELCOME = re.compile(r"\b(?:with )?bots?(\d?) welcome\b", re.IGNORECASE)
_is_bot = re.compile(r"bot\d{0,3}", re.IGNORECASE).fullmatch


def _is_short_game(word: str) -> bool:
    """True if one letter names a game, as `y` does; any other single letter is prose."""
    return len(word) == 1 and find(word) is not None


def with_game(pattern: str, *names: str) -> Parser:
    """Make a parser by a pattern, with `GAME` for a game's words."""
    parse = by_pattern(pattern.replace("GAME", r"([A-Za-z][\w-]{0,30}(?: thing)?)"), *names)

    def parse_game(rest: str) -> Arguments | None:
        found = parse(rest)
        word = found["game"] if found else ""
        return None if len(word) == 1 and not _is_short_game(word) else found

    return parse_game


def event(pattern: str, *more: str, before: tuple[str, ...] = ()) -> Parser:
    """Make a parser by a pattern with `GAME` and `KIND`. `more` and `before` name the other groups."""
    parse = with_game(pattern.replace("KIND", "(league|ladder)"), *before, "game", "kind", *more)

    def parse_event(rest: str) -> Arguments | None:
        return parse(rest.lower())

    return parse_event


_LADDER = with_game(
    r"(?:#?(\d{1,9})|GAME)(?: (?:against )?([A-Za-z][\w-]{1,30})(?: (yes|no))?)?",
    *("number", "game", "player", "answer"),
)


def ladder(rest: str) -> Arguments | None:
    """Parse `<game or number> [<player> [yes|no]]`. Other lines with that word are prose."""
    found = _LADDER(rest)
    known = found is not None and (found["number"] or find_near(found["game"]) is not None)
    return found if known else None


_NUMBERED_BOT = re.compile(r"\A(bot) (\d)(?= )", re.IGNORECASE)
"""`bot 5`, a bot's name with a superfluous space."""


def challenge(rest: str) -> Arguments | None:
    """Parse `<player> <game> [option=value …] [time] [weekends] [rated] [first] [bots welcome]`.

    `said_rated`: the word `rated` is there, which only a game against a bot needs.
    """
    found, welcome = _challenge(_WELCOME.sub(" ", rest)), _WELCOME.search(rest)
    if found is None and _TO_ADDRESS.match(rest):
        asked = invite(rest)
        return {**asked, "player": ""} if asked and asked["address"] and asked["game"] else None
    if found is None:
        return None
    if _is_bot(found["game"]) and find(found["player"]) is not None:  # `challenge bipod bot`
        found |= {"player": found["game"], "game": found["player"]}
    return {**found, "welcome": f"bot{welcome[1]}"} if welcome else found


def pair(rest: str) -> Arguments | None:
    """Parse `<player> <game> …` as a challenge to two games with the seats changed."""
    found = challenge(rest)
    if found is None or found["seats"] != "random" or "welcome" in found:
        return None
    known = (find_near(found["game"]), find_near(found["player"]))
    return None if known == (None, None) else {**found, "seats": BOTH_SEATS}


def _challenge(rest: str) -> dict[str, Any] | None:
    bare = _WEEKENDS.sub(" ", rest)
    found = _with_terms(bare)
    if found is not None and bare != rest:
        found["pace"] = f"{found['pace']} weekends".lstrip()
    return found


def _with_terms(rest: str) -> dict[str, Any] | None:
    words = re.sub(r"\s*=\s*", "=", _NUMBERED_BOT.sub(r"\1\2", rest)).split()
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
            found |= {"said_rated": True} if small == "rated" else {}
        elif small == "soft" and len(names) > 1:
            found["soft"] = True
        elif PACE.fullmatch(small):
            found["pace"] = small
        elif not (names and small in SMALL_WORDS):
            names.append(word)
    if not 2 <= len(names) <= 3 or not all(_NAME.fullmatch(name) or _is_short_game(name) for name in names):
        return None
    return {"player": names[0], "game": " ".join(names[1:]), **found}


_NEAR = re.compile(
    r"\b(?:(?:about|near|around|of|at) )?my (?:own )?(?:strength|level|rating)\b", re.IGNORECASE
)
_UP_TO = re.compile(r"\bup to (\d{1,3})(?: games?)?(?: at (?:a time|once))?(?= |\Z)", re.IGNORECASE)


def seek(rest: str) -> Arguments | None:
    """Parse `<game> …` as in a challenge. `about my strength` is `near`, and `up to 3` is `up_to`."""
    near, up_to = _NEAR.search(rest), _UP_TO.search(rest)
    terms = " ".join(_UP_TO.sub(" ", _NEAR.sub(" ", rest)).split())
    found = None if set(terms.lower().split()) & NOT_PLAYERS else challenge(f"anybody {terms}")
    if found is None:
        return None
    more: dict[str, Any] = {"near": True} if near else {}
    more |= {"up_to": int(up_to[1])} if up_to else {}
    return {key: value for key, value in found.items() if key != "player"} | more


_WITH = re.compile(r"\b(?:with|against|versus|vs\.?) ([A-Za-z][\w-]{1,30})(?= |\Z)", re.IGNORECASE)


def play(rest: str) -> Arguments | None:
    """Parse `<game> …` as `seek` does, or `<game> with <player> …` as a challenge. `play f2` is prose."""
    if (other := _WITH.search(rest)) is not None and other[1].lower() not in NOT_PLAYERS:
        found = challenge(f"{other[1]} {_WITH.sub(' ', rest)}")
    else:
        found = seek(rest)
    return found if found is not None and find_near(found["game"]) is not None else None


_A_GAME = with_game(r"(?:GAME)?", "game")


def suggest(rest: str) -> Arguments | None:
    """Parse nothing or `<game>`. `suggest something` is prose."""
    found = _A_GAME(rest)
    return found if found is None or not found["game"] or find_near(found["game"]) is not None else None


_PLAYER = rf"((?!(?:{'|'.join(NOT_PLAYERS)})\Z)[A-Za-z][\w-]{{1,30}})"
one_name = by_pattern(_PLAYER, "name")
_NOT_WATCHED = "out it this that him her them us your my game games player closely".split()
watched = with_game(
    rf"(?:(?:game )?#?(\d{{1,9}})|(?:the )?GAME league"
    rf"|(?:player )?(?!(?:{'|'.join(_NOT_WATCHED)})\Z){_PLAYER})?",
    *("number", "game", "name"),
)
"""A game by its number, a league by its game, a player by name, or neither."""
muted = by_pattern(r"(?:game )?(?:#?(\d{1,9}))?", "number")
optional_name = by_pattern(f"{_PLAYER}?", "name")


def give(rest: str) -> Arguments | None:
    match = re.fullmatch(r"(\d{1,3}) ?(d|h|days?|hours?)", rest, re.IGNORECASE)
    return {"time": f"{match[1]}{match[2][0].lower()}"} if match else None


def learn(rest: str) -> Arguments | None:
    """Parse nothing, or `<game>` with a lesson's number or `again`. `learn more` is prose."""
    found = _LEARN(rest)
    return found if found is None or not found["game"] or find_near(found["game"]) is not None else None


_FRIENDS = re.compile(r"(\d{1,2})(?: (?:friends?|people))?(?= |\Z)", re.IGNORECASE)
_TO_ADDRESS = re.compile(
    r"(?:mailto:|<)?([^\s<>]{1,250}@[^\s<>@]{1,250}?)>?(?: ?[<(\[]mailto:[^\s<>]{1,500}[>)\]])?"
    r"[,.:;]?(?= |\Z)",
    re.IGNORECASE,
)


_A_FRIEND = re.compile(r"(?:(?:an? |my )?friends?(?: |\Z))?(?:(?:to|for) )?", re.IGNORECASE)


def invite(rest: str) -> Arguments | None:
    """Parse `[5] [address] [game …]`, the terms as in a challenge, or `<player> to <game>`.

    A friend is first unless a seat is named.
    """
    friends = _FRIENDS.match(rest)
    left = rest[friends.end() :].lstrip() if friends else rest
    address = _TO_ADDRESS.match(left)
    left = left[address.end() :].lstrip() if address else left
    left = _A_FRIEND.sub("", left, count=1)
    more = {"address": address[1] if address else "", "friends": int(friends[1]) if friends else 1}
    if not left:
        return {"game": "", **more}
    words = set(left.lower().split())
    found = None if words & NOT_PLAYERS else _challenge(f"anybody {left}")
    if found is None or find_near(found["game"]) is None:
        named = None if friends or address else _challenge(left)
        return named if named is not None and find_near(named["game"]) is not None else None
    seats = found["seats"] if words & SEATS else "second"
    return {key: value for key, value in found.items() if key != "player"} | {"seats": seats} | more


_DAYS = r"(?:for )?(\d{1,3}) ?(d|days?|weeks?)"
_DATE = r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|[a-z]{3,9}\.? \d{1,2}(?:,? \d{4})?|" + (
    r"\d{1,2}(?:st|nd|rd|th|\.)? [a-z]{3,9}\.?(?: \d{4})?|today|tomorrow"
)


def _with_days(parse: Parser) -> Parser:
    """Make a parser that also reads `days`: days or weeks, or 0."""

    def parse_days(rest: str) -> Arguments | None:
        found = dict(parse(rest) or {})
        if not found:
            return None
        weeks = found.pop("unit").lower().startswith("w")
        return {**found, "days": (found["days"] or 0) * (7 if weeks else 1)}

    return parse_days


pause = _with_days(by_pattern(_DAYS, "days#", "unit"))
vacation = _with_days(
    by_pattern(
        rf"(?:(cancel)|{_DAYS}|(?:from )?({_DATE})(?: to | until | till | ?- ?)({_DATE}))?",
        *("cancel", "days#", "unit", "from", "to"),
    )
)


_MAILED = re.compile(
    r"(add|drop|spare) (?:mailto:|<)?([^\s<>]{1,250}@[^\s<>]{1,250}?)>?"
    r"(?: ?[<(\[]mailto:[^\s<>]{1,500}[>)\]])?[.,;]?",
    re.IGNORECASE,
)
"""`add bill@work.example`, also with the links that mail programs add."""


def address(rest: str) -> Arguments | None:
    if match := _MAILED.fullmatch(rest):
        return {"change": match[1].lower(), "address": match[2]}
    word = rest.lower() or "list"
    if word == "drop spare":
        return {"change": "drop", "address": "spare"}
    return {"change": word, "address": ""} if word in ("list", "renew") else None


NEARLY_A_SETTING = re.compile(r"([A-Za-z-]{3,14}) (on|off|text|html|both|[A-Z]\w+/\w+)")


def set_words(rest: str) -> Arguments | None:
    """Parse `set`, `set all`, `set key` or `set key value`. An unknown key needs a plausible value."""
    if rest.lower() in ("", "all"):
        return {"key": rest.lower(), "value": ""}
    match = next(filter(None, (shape.fullmatch(rest) for shape in (*SHAPES, NEARLY_A_SETTING))), None)
    if match is None:
        return None
    key, value = (*match.groups(), "")[:2]
    return {"key": key.lower(), "value": value.rstrip(".,!")}


def export(rest: str) -> Arguments | None:
    words = rest.lower().split()
    distinct = set(words)
    if len(words) > len(distinct) or not distinct <= {"all", "json", "text"} or {"json", "text"} <= distinct:
        return None
    return {"every": "all" in distinct, "format": "json" if "json" in distinct else "text"}


_BEFORE = r"\d{1,4} ?(?:h|d|hours?|days?)"

remind = by_pattern(
    rf"(?:(off|none|never|usual|default|on|{_BEFORE}(?:(?:, ?| )(?:and )?{_BEFORE}){{0,9}})"
    r"(?: before)?)?",
    "times",
)
