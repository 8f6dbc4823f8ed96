"""The players of the simulated year and their calendars: time controls, outages, preferences."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from rules.contract import Position
from tests.e2e.match import DAY, HOUR, Time
from tests.e2e.nudges import Taste

PLAYERS = 200
NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
YEAR = 365 * DAY
BOARD = {"islands": "3", "side": "5"}
ZONES = ("Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Tehran", "America/St_Johns")
PACES = {
    "1d/move": Time(DAY, again=True),
    "3d/move": Time(3 * DAY, again=True),
    "36h+12h<=3d": Time(36 * HOUR, 12 * HOUR, 3 * DAY),
    "7d+1d<=14d": Time(7 * DAY, DAY, 14 * DAY),
    "4d": Time(4 * DAY),
}
OUTAGES = tuple((day * DAY + 7 * HOUR, day * DAY + (7 + hours) * HOUR) for day, hours in
                ((20, 2), (86, 30), (87, 0), (151, 5), (152, 9), (300, 61)) if hours)  # fmt: skip
HANGS = tuple((day * DAY, day * DAY + 9 * HOUR) for day in range(11, 365, 29))
"""When the worker looks at clocks and files no mail."""
REMIND = {1: "48h 12h", 3: "off", 5: "30h 20h 6h"}
QUIET = {2: "off", 4: "0-6"}
DIGESTS = {2: 2, 4: 2, 5: 1, 6: 2, 8: 19}
"""Readers of daily letters, one a zone, and the hour of each: four at one that some night does not have."""
STEPS = ("receive", "keep", "open", "authenticate", "read", "decide", "write", "commit")
BEATS = ("clock", "remind")
DEADLY = 0.02
"""How often a process is killed over a mail, and half as often over a beat."""


class Trouble(Exception):
    """A fault that happens once."""


@dataclass
class Play:
    """A game as its players know it: they count plies, not entries of a journal."""

    seats: tuple[int, int]
    pace: str
    position: Position
    plies: list[str] = field(default_factory=list)
    most: int = 0
    waits: tuple[str, str] | None = None
    """A ply that waits, with what was planned in the same mail."""
    plans: dict[int, str] = field(default_factory=dict)
    """What a seat will answer at once, whatever the other plays."""

    def makes(self, move: str) -> None:
        self.position = self.position.play(self.position.read(move))
        self.plies.append(move)

    def answers(self, seat: int) -> str:
        """The answer of a seat's conditional moves, which is removed by that."""
        answer = self.plans.pop(seat, "")
        return answer if self.position.outcome is None and answer in map(str, self.position.moves()) else ""

    @property
    def winning(self) -> str:
        """A move that ends the game; "" if there is none, or if it is too early to look for one."""
        moves = map(str, self.position.moves()) if len(self.plies) > 4 else ()
        after = ((move, self.position.play(self.position.read(move)).outcome) for move in moves)
        return next((move for move, outcome in after if outcome is not None), "")

    def goes_back(self, nth: int, start: Position) -> None:
        """Return to the state after `nth` plies, without any conditional moves."""
        kept, self.plies, self.position, self.waits = self.plies[:nth], [], start, None
        self.plans.clear()
        for move in kept:
            self.makes(move)


@dataclass(order=True)
class Happening:
    at: int
    nth: int
    what: str = field(compare=False)
    about: tuple[Any, ...] = field(compare=False)


def moment(second: int) -> datetime:
    return NEW_YEAR + timedelta(seconds=second)


def seconds(when: datetime) -> int:
    """Seconds from the beginning of the year to a moment."""
    return int((when - NEW_YEAR).total_seconds())


def midnight(day: date, zone: ZoneInfo) -> int:
    """The beginning of a day in a zone, in seconds since the year began."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int(begins.timestamp() - NEW_YEAR.timestamp())


def quiet(player: int) -> bool:
    """True if a player wants no letters of turns and results."""
    return player % 5 < 2


def window(player: int) -> int:
    """Minutes of a player's undo window."""
    return {4: 10, 8: 60}.get(player % 11, 0)


def taste(player: int) -> Taste:
    """A player's settings for reminders."""
    hours = REMIND.get(player % 8)
    own = None if hours is None else tuple(int(each[:-1]) for each in hours.split() if each != "off")
    begin, _, end = QUIET.get(player % 6, "22-7").partition("-")
    quiet_hours = (int(begin), int(end)) if end else None
    return Taste(ZoneInfo(ZONES[player % len(ZONES)]), own, quiet_hours, player % 13 != 0)


def address(player: int) -> str:
    return f"p{player}@example.org"


def written(sender: str, to: str, words: str, number: int) -> bytes:
    """A mail like one of `pbem.mail.person.mailbox.new_mail`, made in a tenth of the time.

    `number` makes it different from all others.
    """
    head = f"From: {sender}\nTo: {to}\nSubject: Games\nMessage-ID: <{number}.{sender}>\n"
    kind = 'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: 7bit\nMIME-Version: 1.0\n'
    return f"{head}{kind}\n{words}\n".replace("\n", "\r\n").encode()
