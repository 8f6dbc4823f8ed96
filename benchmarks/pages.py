"""Pages of the archive with a million games stored, and by turns with ten thousand; bytes over the wire.

Pages are asked for in process. The floor is one row by its key, through the database's own driver, and a
page of twenty constant rows made by Flask and Jinja, in the same run.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from flask import Flask, render_template_string
from flask.testing import FlaskClient
from sqlalchemy import insert, text

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.core.game.fold import fold
from pbem.core.game.journal import PLY, RESIGN, Entry
from pbem.core.lobby.challenges import opening_entry
from pbem.store import challenges, game_counts, games, tables
from pbem.store import players as player_rows
from pbem.store.engine import Connection, is_sqlite
from pbem.store.migrate import migrate
from pbem.web import create_app
from rules import RULES
from rules.contract import Rules
from tests.databases import postgres_server
from tests.people import SEED_GAME

MANY, FEW = 1_000_000, 10_000
A_PLAYERS = 40
"""Games of each player, about."""
ROUNDS = 25
SHOWN = 42
"""The game whose page is asked for: 19 plies, as in the tests."""
BEGAN = datetime(2026, 3, 1, tzinfo=UTC)

SERIES = {
    "sqlite": "(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i + 1 < {n}) "
    "SELECT i FROM s)",
    "postgresql": "(SELECT i FROM generate_series(0, {n} - 1) AS i)",
}
SECONDS_LATER = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%S.000000', '{began:%Y-%m-%d %H:%M:%S}', ({seconds}) || ' seconds')",
    "postgresql": "TIMESTAMPTZ '{began:%Y-%m-%d %H:%M:%S}+00' + ({seconds}) * INTERVAL '1 second'",
}
PLAYERS = """
INSERT INTO players (name, name_key, address, epoch, stopped, created_at, wishes)
SELECT 'Player' || i, 'player' || i, 'p' || i || '@example.org', 0, '[]', {joined}, '{{}}'
FROM {players} AS s ORDER BY i
"""
ADDRESSES = """
INSERT INTO addresses (address, player_id, proven_at)
SELECT address, id, created_at FROM players
"""

GAMES = """
INSERT INTO games (rules, rules_version, options, seed, first_id, second_id, rated, pace, soft, started_at,
  changed_at, entries, plies, to_play, ended_at, ended_by, winner, reason)
SELECT {key}, {version}, {options}, '0', (i % {people}) + 1, ((i + 1 + i / {people}) % {people}) + 1,
  TRUE, 'none', FALSE, {began}, {changed}, 1, 5 + (i % 100000 * 7919) % 97,
  CASE WHEN i % 50 = 0 THEN 0 END, CASE WHEN i % 50 <> 0 THEN {changed} END,
  CASE WHEN i % 50 = 0 THEN NULL WHEN i % 1000 = 7 THEN 'void' WHEN i % 37 = 5 THEN 'agreement'
    WHEN i % 4 = 3 THEN 'resignation' WHEN i % 11 = 6 THEN 'timeout' ELSE 'rules' END,
  CASE WHEN i % 50 <> 0 AND i % 1000 <> 7 AND i % 37 <> 5 THEN (i * 31 / 7) % 2 END,
  CASE WHEN i % 50 <> 0 THEN 'Joao resigned' END
FROM {games} AS s ORDER BY i
"""
JOURNAL = (
    "INSERT INTO journal (game_id, n, at, kind, data) SELECT id, 1, started_at, 'start', '{}' FROM games"
)

PAGES = {
    "front page": "/",
    "list of games": "/games",
    "list, from the middle": "/games?before={middle}",
    "games of Bipod": "/games?game=bipod",
    "running games": "/games?state=running",
    "games ended in one month": "/games?from=2026-03&to=2026-03&dated=ended",
    "longest games": "/games?order=length",
    "a player's games": "/games?player=Player77",
    "games of two players": "/games?player=Player77+against+Player78",
    "search: size=8 and void, none like that": "/games?options=size%3D8&ended_by=void&shortest=50",
    "a player": "/players/Player77",
    "a game": f"/games/{SHOWN}",
    "a poll of a game's page": f"/games/{SHOWN}/since/1",
    "API, list of games": "/api/games",
    "API, from the middle": "/api/games?before={middle}",
    "API, games of two players": "/api/games?player=Player77+against+Player78",
    "API, search that finds nothing": "/api/games?options=size%3D8&ended_by=void&shortest=50",
    "API, a game": f"/api/games/{SHOWN}",
    "API, the board after a ply": f"/api/games/{SHOWN}/positions/9",
    "API, a player": "/api/players/Player77",
}

Row = tuple[str, str, str]


def measure() -> Iterator[Row]:
    """Rows of the table: figure, measured, against what."""
    with postgres_server() as server, tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        for name in ("SQLite", "PostgreSQL"):
            sqlite = (f"sqlite:///{folder}/{games}.sqlite" for games in (FEW, MANY))
            urls = list(sqlite) if name == "SQLite" else [server.url(server.create()) for _ in range(2)]
            with ExitStack() as both:
                few, many = (
                    both.enter_context(_app(Path(folder), url, games))
                    for url, games in zip(urls, (FEW, MANY), strict=True)
                )
                yield from _compared(name, few, many)


def _compared(name: str, few: App, many: App) -> Iterator[Row]:
    """Each page by turns with few games and with many, so that both meet the same company."""
    small, large = create_app(few).test_client(), create_app(many).test_client()
    with _floor(few) as ask:
        floor, cpu = _median([_timed(ask) for _ in range(ROUNDS)])
    yield f"{name}, floor", f"{floor:.2f} ms", f"{cpu:.2f} ms CPU; one row by key, twenty constant rows"
    for page, path in PAGES.items():
        paths = [path.format(middle=games // 2) for games in (FEW, MANY)]
        if large.get(paths[1]).status_code != 200:
            continue
        small.get(paths[0])
        spent = [(_timed(_asking(small, paths[0])), _timed(_asking(large, paths[1]))) for _ in range(ROUNDS)]
        (less, _), (more, cpu) = (_median([one[n] for one in spent]) for n in range(2))
        wire = len(large.get(paths[1], headers={"Accept-Encoding": "gzip"}).data) / 1000
        yield (
            f"{name}, {page}",
            f"{more:.2f} ms",
            f"{cpu:.1f} ms CPU; {more / less:.2f} x fewer; {more / floor:.1f} x floor; {wire:.1f} kB",
        )


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds by the clock and of this process; PostgreSQL's own work is in the first alone."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3


def _median(spent: list[tuple[float, float]]) -> tuple[float, float]:
    return median(one[0] for one in spent), median(one[1] for one in spent)


def _asking(client: FlaskClient, path: str) -> Callable[[], object]:
    return lambda: client.get(path, headers={"Accept-Encoding": "gzip"})


@contextmanager
def _app(folder: Path, url: str, games: int) -> Iterator[App]:
    """A server with so many games, of which one in fifty runs."""
    app = open_app(config_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": url}))
    migrate(app.store)
    with app.store.write() as db:
        _fill(db, games)
        _play_one(db)
        _seek(app, db)
        game_counts.rebuild_tallies(db)
    with app.store.engine.connect() as db:  # what autovacuum does on a server that has run for long
        db.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))
    yield app
    app.close()


def _fill(db: Connection, many: int) -> None:
    """Game i began i minutes after the first and ended within a month; all five kinds in turn."""
    players = many * 2 // A_PLAYERS
    _run(db, PLAYERS, players=_series(db, players), joined=_later(db, "0"))
    _run(db, ADDRESSES)
    own = {
        "key": _of_each_kind(lambda rules: rules.key),
        "version": _of_each_kind(lambda rules: rules.version),
        "options": _json(db, _of_each_kind(lambda rules: json.dumps(dict(rules.start().options)))),
        "began": _later(db, "i * 60"),
        "changed": _later(db, "i * 60 + (i % 100000 * 7919) % 2592000"),
    }
    with _without_indices(db):
        _run(db, GAMES, games=_series(db, many), people=players, **own)
    db.execute(text(JOURNAL))


def _run(db: Connection, statement: str, **parts: object) -> None:
    db.execute(text(statement.format(**parts).replace(":", r"\:")))


def _series(db: Connection, length: int) -> str:
    return SERIES[db.dialect.name].format(n=length)


def _later(db: Connection, seconds: str) -> str:
    return SECONDS_LATER[db.dialect.name].format(began=BEGAN, seconds=seconds)


def _of_each_kind(value: Callable[[Rules], str]) -> str:
    """An SQL expression: what game i has of this by its kind."""
    cases = " ".join(f"WHEN {n} THEN '{value(rules)}'" for n, rules in enumerate(RULES.values()))
    return f"CASE i % {len(RULES)} {cases} END"


def _json(db: Connection, expression: str) -> str:
    return expression if is_sqlite(db) else f"CAST({expression} AS JSON)"


@contextmanager
def _without_indices(db: Connection) -> Iterator[None]:
    """A million rows go in faster before the indices than with them."""
    indices = sorted(tables.games.indexes, key=lambda index: str(index.name))
    for index in indices:
        index.drop(db)
    yield
    for index in indices:
        index.create(db)


def _play_one(db: Connection) -> None:
    """One game with a whole journal, the others have but their first entry."""
    games_by_key = RULES
    game = games.load_game(db, games_by_key, SHOWN)
    assert game is not None
    rules = RULES["bipod"]
    change = "UPDATE games SET rules = :rules, rules_version = :version, options = :options WHERE id = :id"
    options = json.dumps(dict(rules.start().options))
    db.execute(text(change), {"rules": "bipod", "version": rules.version, "options": options, "id": SHOWN})
    db.execute(tables.journal.delete().where(tables.journal.c.game_id == SHOWN))
    game = games.load_game(db, games_by_key, SHOWN)
    assert game is not None
    kinds = [(PLY, n % 2, {"move": move, "comment": "A word."}) for n, move in enumerate(SEED_GAME)]
    entries = [opening_entry(game)]
    for kind, seat, data in (*kinds, (RESIGN, 1, {})):
        entries.append(Entry(len(entries) + 1, BEGAN, kind, 1 if seat else 0, data))
    games.append_entries(db, game, fold(game.with_entries(entries)), entries)


def _seek(app: App, db: Connection) -> None:
    """A few people wait for a game."""
    seeker = player_rows.player_by_name(db, "Player77")
    assert seeker is not None
    now = app.now()
    row: dict[str, Any] = {
        "from_id": seeker.id, "rules": "bipod", "options": RULES["bipod"].complete({}), "seats": "random",
        "rated": True, "state": "open", "created_at": now, "expires_at": now.replace(year=now.year + 1),
    }  # fmt: skip
    db.execute(insert(tables.challenges), [row] * 5)
    assert challenges.count_open_seeks(db, now) == 5


CONSTANT = """<!doctype html><title>Floor</title><ul>{% for n in range(20) %}
<li><a href="/games/{{ n }}">Bill – Joao</a> <span>Bill won: Joao resigned</span>
<span>Bipod #{{ n }} · 20 plies · 20 June 2004, 07:04</span></li>{% endfor %}</ul>"""


@contextmanager
def _floor(app: App) -> Iterator[Callable[[], object]]:
    """A page that shows one row, with as little round it as Flask allows."""
    url = app.store.engine.url
    database = str(url.database)
    with app.store.read() as db:
        place = database if is_sqlite(db) else f"dbname={database} user=postgres host={url.query['host']}"
        driver: Any = sqlite3.connect(place) if is_sqlite(db) else psycopg.connect(place)
    flask_app = Flask("floor")

    @flask_app.get("/")
    def page() -> str:
        driver.execute(f"SELECT * FROM games WHERE id = {SHOWN}").fetchone()
        return render_template_string(CONSTANT)

    client = flask_app.test_client()
    client.get("/")
    with closing(driver):
        yield lambda: client.get("/")
