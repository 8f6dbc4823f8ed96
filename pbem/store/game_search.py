"""Game searches: their fields and orders, and the conditions of a SELECT."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, false, or_

from pbem.store.tables import BOTS_ALONE, RUNNING, UNDECIDED, games, has_seat

Condition = ColumnElement[bool]
Key = ColumnElement[Any]
Span = tuple[datetime | None, datetime | None]
"""From the first moment until before the second; None leaves an end open."""

STATES: Mapping[str, Condition] = {
    "running": RUNNING,
    "finished": games.c.ended_at.is_not(None),
    "first": games.c.winner == 0,
    "second": games.c.winner == 1,
    "draw": and_(UNDECIDED, games.c.ended_by != "void"),
    "void": and_(UNDECIDED, games.c.ended_by == "void"),
}
"""Conditions of `GameQuery.state` for any game: running, finished, or its result."""

PLAYERS_STATES = {"won": (0, 1), "lost": (1, 0)}
"""The winner's seat if the player sits first, and if second."""

ORDERS: Mapping[str, tuple[Key, ...]] = {
    "begun": (games.c.id,),
    "ended": (games.c.ended_at, games.c.id),
    "length": (games.c.plies, games.c.id),
}
"""Orders of a list: newest or longest first. Only ended games have an order by end."""


@dataclass(frozen=True)
class GameQuery:
    """A game search with its order; empty fields match everything.

    `player` and `against` are players' numbers, or 0 for an unknown name (then no game is found). `options`
    are typed as `Rules.complete` types them. Without `order` the list goes by the end of games if the search
    asks for it, else by their start.
    """

    rules: str = ""
    player: int | None = None
    against: int | None = None
    state: str = ""
    ended_by: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    begun: Span = (None, None)
    ended: Span = (None, None)
    plies: tuple[int | None, int | None] = (None, None)
    order: str = ""
    with_people: bool = False
    """True leaves out games of bots alone."""

    @property
    def goes_by(self) -> str:
        """The key in `ORDERS` of this list's order."""
        return self.order or ("ended" if any(self.ended) else "begun")

    @property
    def is_counted(self) -> bool:
        """True if the game counts alone can count these games."""
        plain = GameQuery(rules=self.rules, state=self.state, order=self.order)
        return self == plain and self.state not in PLAYERS_STATES

    def takes(self, rules: str, outcome: str) -> bool:
        """True if the game counts of this kind and outcome match."""
        if self.rules not in ("", rules) or (self.goes_by == "ended" and outcome == "running"):
            return False
        return self.state in ("", outcome) or (self.state == "finished" and outcome != "running")


EVERY_GAME = GameQuery()


def conditions(wanted: GameQuery) -> list[Condition]:
    """Return the conditions of the wanted games."""
    found = [
        *_of_player(wanted),
        *_within(games.c.started_at, wanted.begun),
        *_within(games.c.ended_at, wanted.ended),
        *_from_to(games.c.plies, wanted.plies),
        *(_has_option(name, value) for name, value in wanted.options),
    ]
    if wanted.rules:
        found.append(games.c.rules == wanted.rules)
    if wanted.state in STATES:
        found.append(STATES[wanted.state])
    if wanted.ended_by:
        found.append(games.c.ended_by == wanted.ended_by)
    if wanted.with_people:
        found.append(~BOTS_ALONE)
    if wanted.goes_by == "ended":
        found.append(games.c.ended_at.is_not(None))
    return found


def _of_player(wanted: GameQuery) -> list[Condition]:
    """Return the conditions on the players, and on which of them won."""
    if wanted.player is None:
        return [false()] if wanted.state in PLAYERS_STATES else []
    found = [has_seat(wanted.player)]
    if wanted.against is not None:
        found.append(has_seat(wanted.against))
    if wanted.state in PLAYERS_STATES:
        first, second = PLAYERS_STATES[wanted.state]
        sits_first = and_(games.c.first_id == wanted.player, games.c.winner == first)
        sits_second = and_(games.c.second_id == wanted.player, games.c.winner == second)
        found.append(or_(sits_first, sits_second))
    return found


def _within(column: Key, span: Span) -> tuple[Condition, ...]:
    since, until = span
    return (() if since is None else (column >= since,)) + (() if until is None else (column < until,))


def _from_to(column: Key, span: tuple[int | None, int | None]) -> tuple[Condition, ...]:
    least, most = span
    return (() if least is None else (column >= least,)) + (() if most is None else (column <= most,))


def _has_option(name: str, value: Any) -> Condition:
    """Match a JSON option, where numbers and text differ."""
    kept = games.c.options[name]
    if isinstance(value, bool):
        return kept.as_boolean() == value
    return kept.as_integer() == value if isinstance(value, int) else kept.as_string() == str(value)
