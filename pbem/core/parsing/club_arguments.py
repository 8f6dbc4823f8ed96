"""Parsers of `club`, `league`, `match`, `ladder` and `simul`. A club's name stands last, behind `in`."""

import re
from collections.abc import Mapping
from typing import Any

from pbem.core.parsing import arguments
from pbem.core.parsing.arguments import Arguments, challenge, invite
from rules import find_near

CLUB = r"[A-Za-z][\w -]{1,60}"
"""A club's name as a pattern without groups; `pbem.core.lobby.clubs` says which can be one."""
_PLAYER = r"[A-Za-z][\w-]{1,30}"
_PLAYERS = rf"{_PLAYER}(?:(?:,? and |, ?| ){_PLAYER}){{0,29}}"
_IN = rf"(?: in (?:the club )?(?P<club>{CLUB}?))?"
_ACTS = {
    act: re.compile(shape, re.IGNORECASE)
    for act, shape in {
        "list": r"",
        "new": r"new (?P<name>[^,]{1,80}?)(?:, ?(?P<words>[^,]{1,80}))?",
        "join": rf"join (?:the club )?(?P<club>{CLUB})",
        "invite": rf"invite (?P<name>{_PLAYERS}?){_IN}",
        "organiser": rf"organi[sz]er (?P<name>{_PLAYER}){_IN}",
        "remove": rf"remove (?P<name>{_PLAYER}){_IN}(?P<yes> yes)?",
        "town": rf"set town (?P<words>.{{1,80}}?){_IN}",
        "set": rf"set (?P<name>open|asking|closed){_IN}",
        "say": r"say(?::? (?P<words>\S.{0,3999}))?",
        "unfinished": r"(?P<name>new|join|organi[sz]er|remove|set town|set)",
    }.items()
}
_BEHIND_IN = re.compile(rf" in (?:the club )?({CLUB}?)(?= for |\Z)", re.IGNORECASE)
_BEHIND_FOR = re.compile(rf" for ({_PLAYERS}?)(?= in |\Z)", re.IGNORECASE)
_BOARDS = re.compile(r"(\d{1,2})(?: (?:boards?|games?)(?: of)?)?(?: |\Z)", re.IGNORECASE)
_DOUBLE = re.compile(r"\bdouble\b", re.IGNORECASE)
_START = re.compile(rf"start (?P<game>{_PLAYER}(?: thing)?){_IN}", re.IGNORECASE)
_AGAINST = re.compile(
    rf"new (?P<terms>.{{1,80}}?) (?:against|versus|vs\.?) (?:the club )?(?P<other>{CLUB}?)"
    rf"(?P<in> in (?:the club )?{CLUB})?",
    re.IGNORECASE,
)
_START_MATCH = re.compile(r"start (?:the )?(?:match )?#?(?P<number>\d{1,9})", re.IGNORECASE)
_STRANGERS = re.compile(r"invite(?: (?P<whom>(?:\d|.*@|(?:a |my )?friends?\b).*?))??" + _IN, re.IGNORECASE)
_ADDRESSES = re.compile(r"(?:[^\s@]+@[^\s@]+[ ,]+(?:and )?){2}")
_BLANK = {"name": "", "club": "", "words": "", "yes": ""}


def club(rest: str) -> Arguments | None:
    """Parse nothing, or an act of a club. Other lines with that word are prose."""
    if found := _STRANGERS.fullmatch(rest):
        return _strangers(found["whom"] or "", found["club"] or "")
    for act, shape in _ACTS.items():
        if found := shape.fullmatch(rest):
            given = {name: (text or "").strip() for name, text in found.groupdict().items()}
            return {"act": act, **_BLANK, **given}
    return None


def _strangers(whom: str, club: str) -> Arguments | None:
    """Parse a number of friends or one address, and perhaps a game with its terms."""
    if _ADDRESSES.match(f"{whom} "):
        return {"act": "several", **_BLANK}
    found = invite(whom)
    if found is None or found.get("player"):
        return None
    return {"act": "strangers", **_BLANK, **found, "club": club}


def league(rest: str) -> Arguments | None:
    """Parse `new <game> [double] [terms] [for <players>] [in <club>]`, or `start <game> [in <club>]`."""
    if found := _START.fullmatch(rest):
        return {"act": "start", "game": found["game"], "club": found["club"] or ""}
    word, _, terms = rest.partition(" ")
    return _new_league(f" {terms}") if word.lower() == "new" else None


def _new_league(terms: str) -> Mapping[str, Any] | None:
    bare, asked = _asked(terms)
    wanted = challenge(f"anybody {_DOUBLE.sub(' ', bare)}")
    if wanted is None or wanted.get("soft") or wanted["seats"] != "random":
        return None
    return {"act": "new", **wanted, **asked, "double": bool(_DOUBLE.search(bare))}


def match(rest: str) -> Arguments | None:
    """Parse `new <game> [terms] against <club> [in <club>]`, or `start <number>`."""
    if found := _START_MATCH.fullmatch(rest):
        return {"act": "start", "number": found["number"]}
    against = _AGAINST.fullmatch(rest)
    wanted = _new_league(f" {against['terms']}{against['in'] or ''}") if against else None
    if against is None or wanted is None or wanted["players"] or wanted["double"]:
        return None
    return {**wanted, "other": against["other"]}


def simul(rest: str) -> Arguments | None:
    """Parse `[8] <game> [terms] [for <players>] [in <club>]`."""
    number = _BOARDS.match(rest)
    bare, asked = _asked(f" {rest[number.end() :] if number else rest}")
    wanted = challenge(f"anybody {bare}")
    if wanted is None or find_near(wanted["game"]) is None or bare.split()[-1].lower() == "for":
        return None
    return {**wanted, **asked, "most": int(number[1]) if number else 0}


def ladder(rest: str) -> Arguments | None:
    """Parse `new <game> [terms] [in <club>]`, or what `arguments.ladder` does, with the act in `act`."""
    word, _, terms = rest.partition(" ")
    if word.lower() != "new":
        found = arguments.ladder(rest)
        return None if found is None else {"act": "", **found}
    bare, asked = _asked(f" {terms}")
    wanted = challenge(f"anybody {bare}")
    if wanted is None or wanted.get("soft") or wanted["seats"] != "random" or asked["players"]:
        return None
    return {"act": "new", "answer": "", **wanted, **asked} if find_near(wanted["game"]) else None


def _asked(terms: str) -> tuple[str, dict[str, Any]]:
    """Return terms without the players behind `for` and the club behind `in`, and those two."""
    behind_for, behind_in = _BEHIND_FOR.search(terms), _BEHIND_IN.search(terms)
    bare = _BEHIND_IN.sub(" ", _BEHIND_FOR.sub(" ", terms, count=1), count=1)
    names = re.split(r",? and |, ?| ", behind_for[1]) if behind_for else []
    return bare, {"players": names, "club": behind_in[1] if behind_in else ""}
