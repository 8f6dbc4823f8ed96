"""Clubs of players: their names, and who may enter."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.errors import Refusal
from pbem.core.parsing.commands import ROWS, WORDS
from pbem.core.parsing.reach import Reach

OPEN, ASKING, CLOSED = "open", "asking", "closed"
ENTRIES = (OPEN, ASKING, CLOSED)
"""Ways into a club: anybody joins, an organiser lets them in, or only who is invited."""
MIN_NAME, MAX_NAME = 3, 40
MAX_MADE = 3
"""Clubs that one player may make."""
MAX_MEMBERS = 200
SAID_A_WEEK = 5
ASKS_AGAIN = timedelta(days=30)
"""The time in which whoever was put out of a club enters it only as an organiser says."""
_NAME = re.compile(r"[A-Za-z][\w-]*(?: [\w-]+)*", re.ASCII)
_TOWN = re.compile(r"[^\W\d_][\w' .-]{0,39}")


@dataclass(frozen=True)
class Club:
    """A club. `maker` made it and counts for `MAX_MADE`, None once they are forgotten."""

    id: int
    name: str
    key: str
    town: str
    entry: str
    maker: int | None
    made_at: datetime

    @property
    def path(self) -> str:
        return f"/clubs/{self.key}"


@dataclass(frozen=True)
class ClubMember:
    """A member's number and name, with the office."""

    player: int
    name: str
    since: datetime
    organiser: bool


def club_key(name: str) -> str:
    """Return the name as addresses of pages have it: `tuesday-evening`."""
    return "-".join(re.split(r"[\s_-]+", name.strip().lower()))


def check_club_name(name: str) -> None:
    if not MIN_NAME <= len(name) <= MAX_NAME or not _NAME.fullmatch(name):
        raise Refusal(
            f"{name} cannot be the name of a club: it has {MIN_NAME} to {MAX_NAME} letters, digits, - or _, "
            "in one word or several, and begins with a letter."
        )
    words = name.split()
    if any(_is_order(words[n:]) for n in range(len(words))):
        raise Refusal(f"{name} cannot be the name of a club, for a line of a mail that says so is an order.")


def _is_order(words: list[str]) -> bool:
    """True if a line of these words would be a command that does more than read."""
    verb = words[0].lower()
    found = WORDS[verb](" ".join(words[1:])) if verb in WORDS else None
    row = ROWS.get(verb)
    return found is not None and row is not None and row.reach is not Reach.READS and not row.looks


def check_town(town: str) -> None:
    if not _TOWN.fullmatch(town):
        raise Refusal(f"{town} cannot be a town here: it has up to 40 letters, and begins with one.")
