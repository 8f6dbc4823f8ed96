"""Game searches as conditions that an index can follow.

A list walks along one index, in its order. Other conditions are checked row by row, in at most
`MAX_SEARCHED` rows, so that no search costs more than a page may, however many games are stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    false,
    func,
    literal,
    select,
    tuple_,
    union_all,
)

from pbem.store.tables import RUNNING, UNDECIDED, games

MAX_SEARCHED = 10_000
"""Maximum games searched for one page or one count."""

Condition = ColumnElement[bool]
Key = ColumnElement[Any]
Span = tuple[datetime | None, datetime | None]
"""From the first moment until before the second; None leaves an end open."""


def _without_index(column: Key) -> Key:
    """Hide a column from the indexes; the walk keeps to its own."""
    return func.coalesce(column, column)


ENDED_BY = _without_index(games.c.ended_by)

STATES: Mapping[str, Condition] = {
    "running": RUNNING,
    "finished": _without_index(games.c.ended_at).is_not(None),
    "first": games.c.winner == 0,
    "second": games.c.winner == 1,
    "draw": and_(UNDECIDED, ENDED_BY != "void"),
    "void": and_(UNDECIDED, ENDED_BY == "void"),
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

BY_START: tuple[Key, ...] = (games.c.started_at, games.c.id)


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
        """Say if the game counts of this kind and outcome match."""
        if self.rules not in ("", rules) or (self.goes_by == "ended" and outcome == "running"):
            return False
        return self.state in ("", outcome) or (self.state == "finished" and outcome != "running")


EVERY_GAME = GameQuery()


@dataclass(frozen=True)
class IndexPath:
    """A condition set that one index knows, and the remaining conditions."""

    known: tuple[Condition, ...]
    rest: tuple[Condition, ...] = ()

    def query(self, *columns: Key, rest: bool = True) -> Select[Any]:
        return select(*columns).where(*self.known, *(self.rest if rest else ()))


@dataclass(frozen=True)
class Walk:
    """A walk along a list from some place; `back` reverses its order."""

    ways: tuple[IndexPath, ...]
    keys: tuple[Key, ...]
    back: bool = False
    bounds: tuple[Condition, ...] = ()

    def numbers(self, most: int) -> Select[Any]:
        return self._along(most).limit(most)

    def sorted(self, query: Select[Any], keys: Sequence[Key] = ()) -> Select[Any]:
        """Sort the query's rows in the order of the walk."""
        return query.order_by(*(key if self.back else key.desc() for key in keys or self.keys))

    def bounded(self, db: Connection) -> tuple[Walk, int | None]:
        """Return the walk within its limit. A longer one comes with its last game."""
        if not any(way.rest for way in self.ways):  # an index excludes all unwanted games
            return self, None
        edge = db.execute(self._along(MAX_SEARCHED + 1, rest=False).offset(MAX_SEARCHED - 1).limit(2)).all()
        if len(edge) < 2:
            return self, None
        return self._between(edge[0], inclusive=True), edge[0].id

    def counts(self) -> Select[Any]:
        """Select the counts of all games (`every`) and ended ones. `MAX_SEARCHED` is about the limit."""
        parts = [
            way.query(games.c.id, games.c.ended_at).where(*self.bounds).limit(MAX_SEARCHED + 1)
            for way in self.ways
        ]
        found = _join_selections(parts)
        columns: tuple[Key, ...] = (func.count().label("every"), func.count(found.c.ended_at).label("ended"))
        return select(*columns).select_from(found)

    def beyond(self, db: Connection, id: int) -> Walk:
        """Return the walk after game `id`. An unknown number begins at its place."""
        if self.keys == ORDERS["begun"]:
            return self._between((id,), inclusive=False)
        row = db.execute(select(*self.keys).where(games.c.id == id)).first()
        return self if row is None or None in row else self._between(row, inclusive=False)

    def _between(self, row: Sequence[Any], *, inclusive: bool) -> Walk:
        """Limit the walk to end at this row (`inclusive`), or start after."""
        keys = tuple_(*self.keys)
        place = tuple_(*(literal(value, key.type) for key, value in zip(self.keys, row, strict=True)))
        if inclusive:
            bound = keys <= place if self.back else keys >= place
        else:
            bound = keys > place if self.back else keys < place
        return replace(self, bounds=(*self.bounds, bound))

    def _along(self, most: int, *, rest: bool = True) -> Select[Any]:
        """Select the keys of the next games in walk order."""
        parts = [self.sorted(way.query(*self.keys, rest=rest).where(*self.bounds)) for way in self.ways]
        if len(parts) == 1:
            return parts[0]
        both = _join_selections([part.limit(most) for part in parts])
        return self.sorted(select(both), tuple(both.c))


def _join_selections(parts: Sequence[Select[Any]]) -> FromClause:
    """Join selections as one table. Each has its own order and limit."""
    tables = [part.subquery() for part in parts]
    return tables[0] if len(tables) == 1 else union_all(*map(select, tables)).subquery()


def walk_of(wanted: GameQuery, *, back: bool = False) -> Walk:
    """Return the walk along all wanted games, in list order or reversed."""
    keys = ORDERS[wanted.goes_by]
    if wanted.player is not None:
        ways = _ways_of_players(wanted)
    else:
        known, rest = _split_by_index(wanted)
        if keys == ORDERS["begun"] and known and any(wanted.begun):
            keys = BY_START
        ways = [IndexPath(known, rest)]
    if wanted.state in PLAYERS_STATES and wanted.player is None:
        ways = [IndexPath((false(),))]
    return Walk(tuple(ways), keys, back)


def _split_by_index(wanted: GameQuery) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """Return the conditions that an index knows, and the rest."""
    rules = (games.c.rules == wanted.rules,) if wanted.rules else ()
    by = wanted.goes_by
    if by == "ended":
        ends = (games.c.ended_at.is_not(None), *_within(games.c.ended_at, wanted.ended))
        return (*rules, *ends), _rest(wanted, "rules", "ended")
    if by == "length":
        return (*rules, *_from_to(games.c.plies, wanted.plies)), _rest(wanted, "rules", "plies")
    if any(wanted.begun):
        return _within(games.c.started_at, wanted.begun), _rest(wanted, "begun")
    if wanted.ended_by:
        return (games.c.ended_by == wanted.ended_by,), _rest(wanted, "ended_by")
    if wanted.state in ("draw", "void"):
        return (UNDECIDED,), _rest(wanted)
    if wanted.state == "running":
        return (*rules, RUNNING), _rest(wanted, "rules", "state")
    return rules, _rest(wanted, "rules")


def _ways_of_players(wanted: GameQuery) -> list[IndexPath]:
    """Return a way for games with the player in each seat."""
    seats, found = (games.c.first_id, games.c.second_id), []
    for seat, own in enumerate(seats):
        known: list[Condition] = [own == wanted.player]
        rest = _rest(wanted, "state") if wanted.state == "running" else _rest(wanted)
        if wanted.state == "running":
            known.append(RUNNING)
        if wanted.against is not None:
            known.append(seats[1 - seat] == wanted.against)
        if wanted.state in PLAYERS_STATES:
            rest = (*rest, games.c.winner == PLAYERS_STATES[wanted.state][seat])
        if wanted.goes_by == "ended":
            known.append(games.c.ended_at.is_not(None))
        found.append(IndexPath(tuple(known), rest))
    return found


def _rest(wanted: GameQuery, *known: str) -> tuple[Condition, ...]:
    """Return the conditions of all other fields, without use of an index."""
    every: dict[str, Sequence[Condition]] = {
        "rules": [_without_index(games.c.rules) == wanted.rules] if wanted.rules else [],
        "state": [STATES[wanted.state]] if wanted.state in STATES else [],
        "ended_by": [ENDED_BY == wanted.ended_by] if wanted.ended_by else [],
        "options": [_has_option(name, value) for name, value in wanted.options],
        "begun": _within(_without_index(games.c.started_at), wanted.begun),
        "ended": _within(_without_index(games.c.ended_at), wanted.ended),
        "plies": _from_to(_without_index(games.c.plies), wanted.plies),
    }
    return tuple(one for field, all_of_it in every.items() if field not in known for one in all_of_it)


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
