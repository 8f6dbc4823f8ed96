"""The journal of a game: the kinds of its entries, and what an entry holds.

Entries are only ever added. What may change in one: the name of somebody who is forgotten or renamed, and
whether the operator has hidden its words ("hidden": true, beside whatever else it has). Whatever else is
stored about a game can be made from them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from rules.contract import Seat

START, PLY, SAY, RESIGN = "start", "ply", "say", "resign"
OFFER, DECLINE, AGREE = "offer", "decline", "agree"
"""A draw offered, declined, agreed to."""
GRACE, TIMEOUT = "grace", "timeout"
"""A flag fell: the turn got more time, or the game ended."""
ASK, STAND, UNDO = "ask", "stand", "undo"
"""To take a ply back: asked of the other, declined, done."""
PLAN = "plan"
"""What a player will answer to moves not made yet."""

HIDDEN = frozenset({PLAN})
"""Entries for the eyes of one player alone. Whatever others see is numbered without them, or the gaps
would tell."""
SEATS: tuple[Seat, Seat] = (0, 1)
FLAG, CLAIM, CLOSE = "flag", "claim", "close"
"""A soft clock's flag fell; the other claimed a win, a draw or a void game; or nobody did anything."""
GIVE, ASK_PAUSE, PAUSE = "give", "ask-pause", "pause"
"""Time was given to the other; a pause was asked for; both have agreed to it."""
TALK = frozenset({SAY, OFFER, ASK, GIVE, ASK_PAUSE})
"""What one may send to the other at any time, so that it is rationed; a ply, an answer or an end never is."""
LAPSE = "lapse"
"""An offer was not answered in time."""
WARN = "warn"
"""Both were told that a game without a clock is closed if it stays silent."""
BY_CLOCK = frozenset({GRACE, TIMEOUT, FLAG, CLOSE, LAPSE, WARN})
"""What nobody did: the clock wrote it."""

HIDDEN_WORDS = "[hidden by the operator]"
"""What everybody reads in place of words that the operator has hidden."""
SPOKEN = ("words", "comment")
"""Where an entry of a player has words to others."""

LASTS = {"draw": timedelta(days=14), "pause": timedelta(days=7), "undo": timedelta(days=7)}
"""How long an offer waits for its answer."""


def as_shown(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of an entry as everybody sees it: marked as hidden, its words are kept and not shown."""
    if not data.get("hidden"):
        return data
    return {key: HIDDEN_WORDS if key in SPOKEN else value for key, value in data.items()}


@dataclass(frozen=True)
class Entry:
    """One line of a journal: the `n`-th thing that happened (from 1), at `at` (UTC, whole seconds).

    `data` by kind: ply {"move", "comment"?, "auto"?, "standing"?, "plan"?, "made"?}, say {"words"}, resign
    {"comment"?, "auto"?}, agree {"auto"?}, start {}, grace {"seconds"}, timeout {"flag", "void"?},
    flag {"flag"}, claim {"result"}, close {}, warn {}, give {"seconds"}, ask-pause {"days"}, pause {"until"},
    decline and lapse {"offer"?: a draw where none is named, "auto"?}, plan {"plan"}, ask, stand and undo
    {"to"}: the journal entry of the first ply that is to go, declined to go, or gone. "flag" and "until" are
    moments in ISO 8601; `seat` of what the clock wrote is whose flag fell, or whose offer lapsed. "auto"
    marks what the server did by the seat's standing orders or plan; "standing" are the orders given with
    a ply, "plan" is what is planned after it (`plans.data_of`), both for its player's eyes alone. `at` is
    when others could first see an entry; "made", in any that a player made, when its mail was accepted, where
    that was earlier. A director's entries have a "reason": extend {"seconds"}, halt {"until"?}, go {},
    rollback {"ply", "entry"}, adjudicate {"result"}, replace {"player", "name", "was", "old", "turn"},
    notice {}.
    """

    n: int
    at: datetime
    kind: str
    seat: Seat | None
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Held:
    """What the player at `seat` has done, and nobody else is to see before `until`.

    The entries are numbered for the journal as it was then, so by whoever takes them up.
    """

    seat: Seat
    until: datetime
    entries: tuple[Entry, ...]

    @property
    def open(self) -> int:
        """How many entries there are that are not hidden."""
        return sum(entry.kind not in HIDDEN for entry in self.entries)
