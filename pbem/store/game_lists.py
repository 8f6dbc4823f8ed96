"""Game lists and counts for the public pages and downloads.

Read only. A list continues from the last game shown, never from a page number. Finished games go by number,
for downloads in batches.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    false,
    func,
    literal,
    select,
    tuple_,
    union,
)

from pbem.core.clock.time_control import NONE
from pbem.core.game.game import Game
from pbem.core.game.journal import REPLACE
from pbem.core.game.state import result_word
from pbem.core.ratings.glicko import Rating
from pbem.core.ratings.results import GameRating
from pbem.store.game_counts import count_by_outcome
from pbem.store.game_search import EVERY_GAME, ORDERS, Condition, GameQuery, Key, conditions
from pbem.store.games import GamesByKey, load_game
from pbem.store.tables import addresses, games, has_seat, journal, players
from pbem.store.tables.events import event_games
from pbem.store.tables.ratings import ratings
from pbem.store.tables.ratings import results as ended
from rules.contract import Rules, Seat

MAX_COUNTED = 10_000
"""More games than these are not counted one by one."""
_LISTED = "id rules plies to_play started_at changed_at ended_at ended_by winner reason entries"
_ERASED_PLAYERS = select(func.count()).where(players.c.address == "").correlate(games)
_REPLACED_PLAYER = and_(journal.c.kind == REPLACE, journal.c.data["was"].as_integer() == players.c.id)
REVISIONS = (
    _ERASED_PLAYERS.where(players.c.id.in_((games.c.first_id, games.c.second_id))).scalar_subquery()
    + _ERASED_PLAYERS.where(journal.c.game_id == games.c.id, _REPLACED_PLAYER).scalar_subquery()
    + games.c.revised
)
"""Count of forgotten players, replaced ones too, of hidden words and of renamings: none is an entry."""

_FIRST, _SECOND = players.alias("first"), players.alias("second")
_RATED = "value deviation volatility at".split()
_SEATS = tuple(
    (word, ratings.alias(f"{word}_rating"), column)
    for word, column in (("first", games.c.first_id), ("second", games.c.second_id))
)
_ROWS: Select[Any] = (
    select(
        *(games.c[name] for name in f"{_LISTED} first_id second_id".split()),
        games.c.deadline_at.label("deadline"),
        _FIRST.c.name.label("first_name"),
        _SECOND.c.name.label("second_name"),
        case((games.c.ended_at.is_not(None), REVISIONS), else_=0).label("gone"),
        func.coalesce(and_(ended.c.short, games.c.rated), false()).label("short"),
        *(rated.c[name].label(f"{word}_{name}") for word, rated, _ in _SEATS for name in _RATED),
    )
    .join_from(games, _FIRST, _FIRST.c.id == games.c.first_id)
    .join(_SECOND, _SECOND.c.id == games.c.second_id)
    .outerjoin(ended, ended.c.game_id == games.c.id)
)
for _, _rated, _player in _SEATS:
    _seated = (_rated.c.rules == games.c.rules, _rated.c.player_id == _player, _rated.c.rated > 0)
    _ROWS = _ROWS.outerjoin(_rated, and_(*_seated))
"""The columns of a game list, with the players' names and ratings."""


@dataclass(frozen=True)
class ListedGame:
    """A game in a list: its row, without its journal."""

    id: int
    rules: Rules
    ids: tuple[int, int]
    names: tuple[str, str]
    plies: int
    to_play: Seat | None
    started_at: datetime
    changed_at: datetime
    ended_at: datetime | None
    ended_by: str | None
    winner: Seat | None
    reason: str | None
    deadline: datetime | None = None
    entries: int = 0
    gone: int = 0
    """As in `GameVersion`; not counted while the game runs."""
    short: bool = False
    """The game was to be rated, but ended after too few plies."""
    ratings: tuple[GameRating | None, GameRating | None] = (None, None)
    """The players' ratings now, None for those with no rated game."""

    @property
    def ended(self) -> bool:
        return self.ended_at is not None

    @property
    def tag(self) -> str:
        """The `GameVersion` tag of a game that has ended."""
        return _tag(self.entries, self.gone)

    @property
    def turn(self) -> str | None:
        """The name of the player to move, None after the end."""
        return None if self.to_play is None else self.names[self.to_play]

    @property
    def won(self) -> str | None:
        """The winner's name, None for running games and draws."""
        return None if self.winner is None else self.names[self.winner]

    @property
    def result(self) -> str:
        """The result of a finished game in one word."""
        return result_word(self.ended_by or "", self.winner)

    @property
    def stamp(self) -> str:
        """A value that changes with a finished game and its players' names."""
        gone = f".{self.gone}" if self.gone else ""
        changed = f"{self.entries}.{self.changed_at:%Y%m%d%H%M%S}"
        return f"{self.rules.key}.{self.ids[0]}.{self.ids[1]}.{changed}.{'.'.join(self.names)}{gone}"


@dataclass(frozen=True)
class GamesPage:
    """One page of a list, with the games before and after."""

    games: tuple[ListedGame, ...]
    older: int | None
    newer: int | None
    whole: bool = False
    """The page has all wanted games."""


@dataclass(frozen=True)
class GameCounts:
    """Counts of matching games and running ones; not `exact`: lower bounds."""

    every: int
    running: int
    exact: bool = True

    @property
    def finished(self) -> int:
        return self.every - self.running


@dataclass(frozen=True)
class GameVersion:
    """Values that show if a page about a game is still current."""

    entries: int
    changed_at: datetime
    ended: bool
    unreachable: str = ""
    """Number and last time of the players' suspended addresses, for which the journal has no entry."""
    ticks: bool = False
    """True for a running game with clocks, even stopped ones."""
    deadline: datetime | None = None
    gone: int = 0
    """As counted by `REVISIONS`; it changes with the shown names and words."""
    rules: str = ""
    ids: tuple[int, int] = (0, 0)

    @property
    def tag(self) -> str:
        """A tag that changes with all that is shown but the time."""
        return _tag(self.entries, self.gone, self.unreachable)


def _tag(entries: int, gone: int, unreachable: str = "") -> str:
    away = f".{unreachable}" if unreachable else ""
    return f"{entries}{away}{f'.gone{gone}' if gone else ''}"


def page_of_games(
    db: Connection,
    games_by_key: GamesByKey,
    wanted: GameQuery,
    *,
    before: int | None = None,
    after: int | None = None,
    most: int = 20,
) -> GamesPage:
    """Return a page of wanted games, newest first. `before` and `after` say where it begins or ends."""
    place, back = before if after is None else after, after is not None
    keys = ORDERS[wanted.goes_by]
    query = select(games.c.id).where(*conditions(wanted))
    if place is not None:
        query = query.where(*_beyond(db, keys, place, back=back))
    order = [key if back else key.desc() for key in keys]
    met = query.order_by(*order).limit(most + 1).subquery()
    rows = db.execute(_ROWS.join(met, games.c.id == met.c.id).order_by(*order)).all()
    more, rows = len(rows) > most, rows[:most]
    ahead = rows[-1].id if more else None
    behind = rows[0].id if rows and place is not None else None
    found = tuple(_listed_game(games_by_key, row) for row in rows if row.rules in games_by_key)
    if after is None:
        return GamesPage(found, older=ahead, newer=behind, whole=place is None and not more)
    return GamesPage(found[::-1], older=behind, newer=ahead)


def _beyond(db: Connection, keys: Sequence[Key], id: int, *, back: bool) -> list[Condition]:
    """Return the condition of what follows a game in a list."""
    if len(keys) == 1:
        return [games.c.id > id if back else games.c.id < id]
    row = db.execute(select(*keys).where(games.c.id == id)).first()
    if row is None or None in row:
        return []
    place = tuple_(*(literal(value, key.type) for key, value in zip(keys, row, strict=True)))
    return [tuple_(*keys) > place if back else tuple_(*keys) < place]


def newest_running(db: Connection, games_by_key: GamesByKey, most: int) -> tuple[ListedGame, ...]:
    return page_of_games(db, games_by_key, GameQuery(state="running"), most=most).games


def newest_results(db: Connection, games_by_key: GamesByKey, most: int) -> tuple[ListedGame, ...]:
    wanted = GameQuery(order="ended", with_people=True)
    return page_of_games(db, games_by_key, wanted, most=most).games


def results_of_event(
    db: Connection, games_by_key: GamesByKey, event: int, most: int
) -> tuple[ListedGame, ...]:
    """Return the finished games of an event, the newest end first."""
    return _newest_ends(db, games_by_key, most, games.c.id.in_(_games_of_event(event)))


def results_between(
    db: Connection, games_by_key: GamesByKey, ids: Collection[int], most: int
) -> tuple[ListedGame, ...]:
    """Return the finished games in which both seats are of these players, the newest end first."""
    return _newest_ends(db, games_by_key, most, games.c.first_id.in_(ids), games.c.second_id.in_(ids))


def _newest_ends(
    db: Connection, games_by_key: GamesByKey, most: int, *where: ColumnElement[bool]
) -> tuple[ListedGame, ...]:
    query = _ROWS.where(*where, games.c.ended_at.is_not(None))
    rows = db.execute(query.order_by(games.c.ended_at.desc(), games.c.id.desc()).limit(most))
    return tuple(_listed_game(games_by_key, row) for row in rows if row.rules in games_by_key)


def _games_of_event(event: int) -> Select[tuple[int]]:
    return select(event_games.c.game_id).where(event_games.c.event_id == event)


def count_wanted(
    db: Connection, games_by_key: GamesByKey, wanted: GameQuery = EVERY_GAME, page: GamesPage | None = None
) -> GameCounts:
    """Count all wanted games. A `page` that shows all of them is counted without another search.

    Exact where the game counts are enough, and up to `MAX_COUNTED` games; else a lower bound. Games whose
    rules are not installed are never listed, but only the game counts leave them out.
    """
    if wanted.rules and wanted.rules not in games_by_key:
        return GameCounts(0, 0)
    if wanted.is_counted:
        tally = Counter[bool]()
        for (rules, outcome), number in count_by_outcome(db).items():
            if rules in games_by_key and wanted.takes(rules, outcome):
                tally[outcome == "running"] += number
        return GameCounts(tally.total(), tally[True])
    if page and page.whole:
        running = sum(not game.ended for game in page.games)
        return GameCounts(len(page.games), running)
    one = select(games.c.ended_at).where(*conditions(wanted)).limit(MAX_COUNTED + 1).subquery()
    every, ended = db.execute(select(func.count(), func.count(one.c.ended_at)).select_from(one)).one()
    counted = min(every, MAX_COUNTED)
    return GameCounts(counted, min(every - ended, MAX_COUNTED), exact=every == counted)


def freshness(db: Connection, id: int) -> GameVersion | None:
    """Return the version of game `id`, from one short row."""
    seated = addresses.c.player_id.in_((games.c.first_id, games.c.second_id))
    when = addresses.c.suspended_at
    suspended, last = (
        select(each).where(seated, when.is_not(None)).scalar_subquery()
        for each in (func.count(), func.max(when, type_=when.type))
    )
    columns = (games.c.entries, games.c.changed_at, games.c.ended_at, games.c.deadline_at, games.c.pace)
    seats = (games.c.rules, games.c.first_id, games.c.second_id)
    query = select(
        *columns, *seats, suspended.label("suspended"), last.label("last"), REVISIONS.label("gone")
    )
    row = db.execute(query.where(games.c.id == id)).first()
    if row is None:
        return None
    ended = row.ended_at is not None
    ticks = not ended and row.pace != str(NONE)
    away = "" if ended or not row.suspended else f"{row.suspended}.{row.last.timestamp():.0f}"
    return GameVersion(
        row.entries,
        row.changed_at,
        ended,
        away,
        ticks,
        row.deadline_at,
        row.gone,
        row.rules,
        (row.first_id, row.second_id),
    )


def newest_game_id(db: Connection) -> int:
    """Return the highest game number, 0 without games."""
    return db.execute(select(func.max(games.c.id))).scalar_one() or 0


def changed_by_number(
    db: Connection, games_by_key: GamesByKey, first: int, last: int
) -> list[tuple[int, datetime]]:
    """List games from number `first` until before `last`, with their last change."""
    here = (games.c.id >= first, games.c.id < last, games.c.rules.in_(list(games_by_key)))
    rows = db.execute(select(games.c.id, games.c.changed_at).where(*here).order_by(games.c.id))
    return [(row.id, row.changed_at) for row in rows]


def last_change_at(db: Connection) -> datetime | None:
    return db.execute(select(func.max(games.c.changed_at))).scalar_one()


def _rating(
    value: float | None, deviation: float, volatility: float, at: datetime | None
) -> GameRating | None:
    return None if value is None else GameRating(Rating(value, deviation, volatility), at)


def _listed_game(games_by_key: GamesByKey, row: Row[Any]) -> ListedGame:
    same = dict(row._mapping)
    ids, names = ((same.pop(f"first_{word}"), same.pop(f"second_{word}")) for word in ("id", "name"))
    ratings = tuple(_rating(*(same.pop(f"{word}_{name}") for name in _RATED)) for word, *_ in _SEATS)
    more = {"rules": games_by_key[row.rules], "ids": ids, "names": names, "ratings": ratings}
    return ListedGame(**same | more)


def finished_rows(
    db: Connection,
    games_by_key: GamesByKey,
    *,
    after: int = 0,
    most: int = 500,
    rules: str | None = None,
    player: int | None = None,
    event: int | None = None,
) -> tuple[ListedGame, ...]:
    """Return the first finished games with a number above `after`, oldest first."""
    query = (
        _ROWS.where(games.c.ended_at.is_not(None), games.c.id > after)
        .where(games.c.rules.in_([rules] if rules else list(games_by_key)))
        .order_by(games.c.id)
        .limit(most)
    )
    if player is not None:
        query = query.where(has_seat(player))
    if event is not None:
        query = query.where(games.c.id.in_(_games_of_event(event)))
    return tuple(_listed_game(games_by_key, row) for row in db.execute(query))


def finished_players(db: Connection, games_by_key: GamesByKey) -> list[tuple[int, str]]:
    """Return numbers and names of players with a finished game, by number."""
    seats = (games.c.first_id, games.c.second_id)
    ended = games.c.ended_at.is_not(None) & games.c.rules.in_(list(games_by_key))
    seated = union(*(select(seat.label("id")).where(ended) for seat in seats)).subquery()
    query = select(players.c.id, players.c.name).join(seated, seated.c.id == players.c.id)
    return [(row.id, row.name) for row in db.execute(query.order_by(players.c.id))]


def load_finished(db: Connection, games_by_key: GamesByKey, rows: Sequence[ListedGame]) -> Iterator[Game]:
    """Load these games with journals; games reopened meanwhile are left out."""
    for row in rows:
        game = load_game(db, games_by_key, row.id)
        if game is not None and game.state.ending is not None:
            yield game
