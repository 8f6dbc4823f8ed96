"""Pages about players and standings with a million finished games, beside the same with ten thousand.

What such a page costs is to be the same however many games are stored. Twenty games to a
player, but one player has a game in five hundred. CPU time, on SQLite.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from flask.testing import FlaskClient
from sqlalchemy import text

from benchmarks.clock import ADDRESSES, PLAYERS, SERIES
from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.store import ratings
from pbem.store.engine import Connection
from pbem.store.migrate import migrate
from pbem.web import create_app
from rules import RULES

MANY, FEW = 1_000_000, 10_000
TIMES = 30
BEGAN, NOW = datetime(2025, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)
YEAR = 365 * 86_400
PAGES = ("/players", "/players/Player0", "/players/Player7", "/standings", "/standings/bipod")

GAMES = """
INSERT INTO games (rules, rules_version, options, seed, first_id, second_id, rated, pace, soft, started_at,
  changed_at, entries, plies, to_play, ended_at, ended_by, winner, reason, deadline_moves)
SELECT 'bipod', '{version}', '{options}', '0',
  CASE WHEN i % 500 = 0 THEN 1 ELSE (i * 7919) % {people} + 2 END,
  (i * 7919 + 1 + i % 97) % {people} + 2,
  TRUE, '7d', FALSE, {began}, {began}, 3, 1, NULL, {began}, 'resignation', (i * 31 / 7) % 2,
  'Somebody resigned', 0
FROM {games} AS s ORDER BY i
"""
JOURNAL = """
INSERT INTO journal (game_id, n, at, kind, seat, data)
SELECT id, {n}, started_at, '{kind}', 0, {data} FROM games
"""
OPENING = "char(97 + id % 13) || (1 + id / 13 % 9)"
MOVE = f"""'{{"move": "' || {OPENING} || '"}}'"""
STEP = """
INSERT INTO rating_steps (game_id, seat, rules, player_id, at, before, value, deviation, volatility,
  lost_on_time)
SELECT id, {seat}, 'bipod', {player}, ended_at, 1500, 1200 + (id * 31 + {player}) % 600, 80, 0.06,
  FALSE FROM games
"""
RESULTS = """
INSERT INTO results (game_id, rules, ended_at, first_id, second_id, how, winner, rated, plies, opening,
  first_turns, second_turns, first_late, second_late)
SELECT id, 'bipod', ended_at, first_id, second_id, 'resignation', winner, TRUE, plies + id % 40, {opening},
  1, 0, 0, 0 FROM games
"""
RATINGS = """
INSERT INTO ratings (rules, player_id, value, deviation, volatility, at, sure_until, rated, won, drawn, lost,
  turns, late)
SELECT 'bipod', id, 1200 + (id * 7919) % 600, 60 + id % 100, 0.06, created_at,
  CASE WHEN id % 5 < 3 THEN '2027-01-01 00:00:00.000000' END, 20, 10, 0, 10, 20, 1 FROM players
"""
SUMMARY = """
INSERT INTO summaries (rules, what, label, n)
SELECT 'bipod', '{what}', {label}, count(*) FROM results GROUP BY 3
"""
COUNTED = (
    RESULTS,
    STEP.replace("{seat}", "0").replace("{player}", "first_id"),
    STEP.replace("{seat}", "1").replace("{player}", "second_id"),
    RATINGS,
    SUMMARY.replace("{what}", "opening").replace("{label}", "opening"),
    SUMMARY.replace("{what}", "length").replace("{label}", "CAST(plies AS VARCHAR)"),
    SUMMARY.replace("{what}", "month").replace("{label}", "substr(ended_at, 1, 7)"),
    SUMMARY.replace("{what}", "result").replace(
        "{label}", "CASE winner WHEN 0 THEN 'first' ELSE 'second' END"
    ),
)
"""What was counted of the games, near enough: of a million it would take long to rate them one by one."""


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with (
        tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder,
        _app(Path(folder), FEW) as (few, seconds),
        _app(Path(folder), MANY) as (many, _),
    ):
        yield ("/rules/bipod, that asks no database", f"{_of(few, '/rules/bipod') * 1e3:.1f} ms", "")
        yield (f"all ratings made again, {FEW:,} games", f"{seconds:,.1f} s", "")
        for page in PAGES:
            rounds = [(_answered(few, page), _answered(many, page)) for _ in range(TIMES)]
            less, more = median(a for a, _ in rounds), median(b for _, b in rounds)
            yield (
                f"{page}, {MANY:,} games",
                f"{more * 1e3:.1f} ms",
                f"{less * 1e3:.1f} ms with {FEW:,} games: {more / less:.2f} x",
            )


def _of(client: FlaskClient, page: str) -> float:
    return median(_answered(client, page) for _ in range(TIMES))


def _answered(client: FlaskClient, page: str) -> float:
    """Seconds of CPU time: what else the machine does is no matter of the page's."""
    begins = time.process_time()
    answer = client.get(page)
    took = time.process_time() - begins
    assert answer.status_code == 200, page
    return took


@contextmanager
def _app(folder: Path, games: int) -> Iterator[tuple[FlaskClient, float]]:
    """The pages of a server with so many finished games, and how long it took to rate them all."""
    url = f"sqlite:///{folder / str(games)}.sqlite"
    app = open_app(config_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": url}), clock=lambda: NOW)
    migrate(app.store)
    yield create_app(app).test_client(), _fill(app, games)
    app.close()


def _fill(app: App, games: int) -> float:
    """So many games and what was counted of them; how long it takes to count and rate the few anew."""
    with app.store.write() as db:
        db.execute(text("PRAGMA cache_size = -1500000"))  # or the index pages go to the disk and back
        people = games // 20
        _run(db, PLAYERS, players=SERIES["sqlite"].format(n=people + 2), joined=_at("0"))
        _run(db, ADDRESSES)
        rules = RULES["bipod"]
        facts = {"version": rules.version, "options": json.dumps(dict(rules.start().options))}
        began = _at(f"CAST(i * {YEAR / games} AS INTEGER)")
        _run(db, GAMES, **facts, people=people, began=began, games=SERIES["sqlite"].format(n=games))
        for statement in COUNTED:
            _run(db, statement, opening=OPENING)
    if games > FEW:
        return 0.0
    with app.store.write() as db:
        for n, kind, data in ((1, "start", "'{}'"), (2, "ply", MOVE), (3, "resign", "'{}'")):
            _run(db, JOURNAL, n=n, kind=kind, data=data)
    begins = time.process_time()
    with app.store.write() as db:
        ratings.rebuild_ratings(db)
    return time.process_time() - begins


def _at(seconds: str) -> str:
    return f"strftime('%Y-%m-%d %H:%M:%S.000000', '{BEGAN:%Y-%m-%d %H:%M:%S}', ({seconds}) || ' seconds')"


def _run(db: Connection, statement: str, **facts: object) -> None:
    db.execute(text(statement.format(**facts).replace(":", r"\:")))
