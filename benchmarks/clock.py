"""The metronome's beat with a million running games of which none, ten or a thousand are due.

Beside it the same with ten thousand games: what a beat costs is to grow with what is due, not with what
runs. Each game is one journal entry old, at the usual pace, ten to a player.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from sqlalchemy import text

from pbem.actions.digest import send_digests
from pbem.actions.game_clock import WORKER_DELAY, check_due_games
from pbem.actions.outages import record_heartbeat
from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.process import work_through
from pbem.outbox.send import send_due
from pbem.store.engine import Connection
from pbem.store.migrate import migrate
from rules import RULES
from tests.databases import postgres_server

MANY, FEW = 1_000_000, 10_000
IDLE = 50
DUE = {0: -IDLE, 10: 9, 1000: 1009}
"""How many games are due at which second: of game i at second i."""
BEGAN = datetime(2026, 3, 1, tzinfo=UTC)
BANK = timedelta(days=7)

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
  changed_at, entries, plies, to_play, next_event_at)
SELECT 'bipod', '{version}', '{options}', '0', (i % {people}) + 1,
  ((i + 1 + i / {people}) % {people}) + 1, TRUE,
  '7d+1d<=14d', FALSE, {began}, {began}, 1, 0, 0, {due}
FROM {games} AS s ORDER BY i
"""
JOURNAL = (
    "INSERT INTO journal (game_id, n, at, kind, data) SELECT id, 1, started_at, 'start', '{}' FROM games"
)


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with postgres_server() as server, tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        for name in ("SQLite", "PostgreSQL"):
            files = (Path(folder) / str(games) for games in (FEW, MANY))
            urls = [
                f"sqlite:///{file}.sqlite" if name == "SQLite" else server.url(server.create())
                for file in files
            ]
            with _app(Path(folder), urls[0], FEW) as few, _app(Path(folder), urls[1], MANY) as many:
                yield from _compared(name, few, many)


def _compared(name: str, few: App, many: App) -> Iterator[tuple[str, str, str]]:
    """The same beats with few games and with many, by turns, so that both meet the same company."""
    for due, at in DUE.items():
        beats = [(_beat(few, at + n, due), _beat(many, at + n, due)) for n in range(1 if due else IDLE)]
        less, more = median(beat[0] for beat in beats), median(beat[1] for beat in beats)
        yield (
            f"{name}, a beat, {MANY:,} games, {due:,} due",
            f"{more * 1e3:,.2f} ms",
            f"{less * 1e3:,.2f} ms with {FEW:,} games: {more / less:.2f} x",
        )


@contextmanager
def _app(folder: Path, url: str, games: int) -> Iterator[App]:
    """A server with so many running games."""
    app = open_app(config_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": url}))
    migrate(app.store)
    _fill(app, games)
    yield app
    app.close()


def _fill(app: App, games: int) -> None:
    """Game i is due at BEGAN + BANK + i seconds, and that is when its flag falls."""
    with app.store.write() as db:
        people = games // 10
        run(db, PLAYERS, players=series(db, people), joined=later(db, "0"))
        run(db, ADDRESSES)
        began, due = later(db, "i"), later(db, f"i + {int(BANK.total_seconds())}")
        bipod = {
            "version": RULES["bipod"].version,
            "options": json.dumps(dict(RULES["bipod"].start().options)),
        }
        run(db, GAMES, games=series(db, games), people=people, began=began, due=due, **bipod)
        db.execute(text(JOURNAL))
    with app.store.engine.connect() as db:  # what autovacuum does on a server that has run for long
        db.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))


def run(db: Connection, statement: str, **parts: object) -> None:
    db.execute(text(statement.format(**parts).replace(":", r"\:")))


def series(db: Connection, length: int) -> str:
    return SERIES[db.dialect.name].format(n=length)


def later(db: Connection, seconds: str) -> str:
    return SECONDS_LATER[db.dialect.name].format(began=BEGAN, seconds=seconds)


def _beat(app: App, second: int, due: int) -> float:
    """Seconds of a beat as a worker makes it, this many seconds after the first flag could be looked at.

    Without the letters' way to the relay, which `letters` measures.
    """
    moment = BEGAN + BANK + WORKER_DELAY + timedelta(seconds=second)
    app = replace(app, clock=lambda: moment)
    begin = time.perf_counter()
    record_heartbeat(app)
    work_through(app)
    assert check_due_games(app) >= due  # a day off has the other games of its player looked at
    send_digests(app)
    if not due:
        assert send_due(app) == 0
    return time.perf_counter() - begin
