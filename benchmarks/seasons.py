"""A league of 1,000 divisions of ten players: how its season starts, a beat while it runs, its pages.

CPU time, on SQLite. The floor of the start builds the same letters from ready text with EmailMessage, and
inserts letters, games and pairings with `sqlite3`, in as many durable commits. It decides nothing.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from statistics import median

from sqlalchemy import text

from benchmarks.clock import ADDRESSES, BEGAN, PLAYERS, SERIES, later, run
from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.inbox.seasons import check_events
from pbem.mail.person.mailbox import Letter
from pbem.store import event_entries, tour
from pbem.store.migrate import migrate
from pbem.store.tables import outbox
from pbem.web import create_app

MANY, FEW, STARTED = 1_000, 20, 40
"""Divisions: of the pages, by turns; and of one start."""
TIMES, STARTS = 20, 3
PAGES = ("/events", "/events/1", "/api/events/1", "/tour", "/api/tour/2026")
NOW = BEGAN + timedelta(days=20)
RESULTS = """
UPDATE event_games SET state = 3, score = CASE n % 3 WHEN 0 THEN '1-0' WHEN 1 THEN '0-1' ELSE '1/2' END
WHERE n % 2 = 0
"""
TABLES = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
CREATE TABLE games (id INTEGER PRIMARY KEY, first INTEGER, second INTEGER, began TEXT, entries TEXT);
CREATE TABLE pairings (division INTEGER, n INTEGER, game INTEGER, PRIMARY KEY (division, n));
CREATE TABLE outbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, raw BLOB);
"""

Ready = list[tuple[dict[str, str], str, str]]
"""Headers, text and HTML of letters."""


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        starts = [_started(Path(folder) / str(n)) for n in range(STARTS)]
        ours, floor, beat, games = (median(each[part] for each in starts) for part in range(4))
        yield (
            "a division starts: 15 games, 40 letters",
            f"{ours * 1e3:.1f} ms",
            f"{ours / floor:.2f} x the floor",
        )
        yield (
            "of that, until its games have begun",
            f"{games * 1e3:.1f} ms",
            f"{games / floor:.2f} x the floor",
        )
        yield "its floor", f"{floor * 1e3:.1f} ms", ""
        yield "a beat while nothing has ended", f"{beat * 1e3:.2f} ms", ""
        yield from _pages(Path(folder))


def _pages(folder: Path) -> Iterator[tuple[str, str, str]]:
    with closing(_running(folder / "few", FEW)) as few, closing(_running(folder / "many", MANY)) as many:
        clients = [create_app(app).test_client() for app in (few, many)]
        for page in PAGES:
            spent: list[list[float]] = [[], []]
            for _ in range(TIMES):
                for client, times in zip(clients, spent, strict=True):
                    begins = time.process_time()
                    assert client.get(page).status_code == 200, page
                    times.append(time.process_time() - begins)
            less, more = map(median, spent)
            against = f"{less * 1e3:.1f} ms with {FEW}: {more / less:.2f} x"
            yield f"{page}, {MANY:,} divisions", f"{more * 1e3:.1f} ms", against


def _season(folder: Path, divisions: int) -> App:
    """A server where a season of so many divisions is due to start."""
    folder.mkdir()
    url = f"sqlite:///{folder / 'bench.sqlite'}"
    app = open_app(config_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": url}), clock=lambda: NOW)
    migrate(app.store)
    with app.store.write() as db:
        run(db, PLAYERS, players=SERIES["sqlite"].format(n=10 * divisions), joined=later(db, "0"))
        run(db, ADDRESSES)
        number = event_entries.add_event(db, "bipod", 1, Settings(size=10), BEGAN)
        event_entries.append(db, number, "open", BEGAN, starts=BEGAN + timedelta(days=14), next=NOW)
        everybody = list(range(1, 10 * divisions + 1))
        event_entries.append(db, number, "join", BEGAN, players=everybody, state=league.CONFIRMED)
        event_entries.append(db, number, "ask", BEGAN, players=[], next=NOW)
    return app


def _started(folder: Path) -> tuple[float, float, float, float]:
    """Seconds for the start of a division, its floor, a beat in which nothing is due, and its games alone."""
    with closing(_season(folder, STARTED)) as app:
        begins = time.process_time()
        _begin_all(app, STARTED)
        games = time.process_time() - begins
        assert check_events(app) == STARTED
        ours = time.process_time() - begins
        begins = time.process_time()
        assert check_events(app) == 0
        beat = time.process_time() - begins
        with app.store.read() as db:
            letters = [Letter(raw) for raw in db.scalars(outbox.select().with_only_columns(outbox.c.raw))]
    parts = [_ready(letter) for letter in letters]
    begins = time.process_time()
    _floor(folder, parts)
    return ours / STARTED, (time.process_time() - begins) / STARTED, beat, games / STARTED


def _begin_all(app: App, divisions: int) -> None:
    """Begin the games of a season that is due; the letters about them are left."""
    left = iter(range(2 * (1 + divisions)))  # asked before each round, and before each step
    check_events(app, lambda: next(left, None) is None)


def _ready(letter: Letter) -> tuple[dict[str, str], str, str]:
    named = {name: str(value) for name, value in letter.message.items()}
    headers = {name: value for name, value in named.items() if not name.startswith(("Content", "MIME"))}
    return headers, letter.text, letter.html


def _floor(folder: Path, letters: Ready) -> None:
    """Two durable commits for each division: one with its games, one with its letters."""
    each = len(letters) // STARTED
    with closing(sqlite3.connect(folder / "floor.sqlite", isolation_level=None)) as db:
        db.executescript(TABLES)
        for division in range(STARTED):
            db.execute("BEGIN IMMEDIATE")
            for n in range(15):
                row = db.execute("INSERT INTO games VALUES (NULL, 1, 2, ?, ?)", (str(NOW), '{"start": 1}'))
                db.execute("INSERT INTO pairings VALUES (?, ?, ?)", (division, n, row.lastrowid))
            db.execute("COMMIT")
            db.execute("BEGIN IMMEDIATE")
            for headers, words, html in letters[division * each : (division + 1) * each]:
                mail = EmailMessage()
                for name, value in headers.items():
                    mail[name] = value
                mail.set_content(words)
                mail.add_alternative(html, subtype="html")
                key = headers["Message-ID"]
                db.execute("INSERT INTO outbox VALUES (NULL, ?, ?)", (key, mail.as_bytes()))
            db.execute("COMMIT")


def _running(folder: Path, divisions: int) -> App:
    """A server where a season of so many divisions runs, with half of its results; games have no letters."""
    app = _season(folder, divisions)
    _begin_all(app, divisions)
    with app.store.write() as db:
        db.execute(text("UPDATE events SET state = 'running', begun = 2 * divisions, next_at = ends_at"))
        db.execute(text(RESULTS))
        tour.rebuild_tours(db)
    return app
