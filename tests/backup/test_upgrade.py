"""A server of the last commit before the baseline is upgraded with all it holds, and its players go on.

That commit made the files in `tests/data`: its SQLite file, the same rows as PostgreSQL dumped them, and a
backup. They hold games of all kinds in every state, events, guesses and puzzles; Dora's game with Emil, a
note, and a seek.
"""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, select

from pbem.app import App
from pbem.backup import archive
from pbem.backup.files import SETTINGS_FILE, places_for
from pbem.backup.restore import check_backup
from pbem.cli.check import check_stored
from pbem.config.load import config_from
from pbem.store import revisions
from pbem.store.engine import Store, open_store
from pbem.store.tables.columns import metadata
from tests.apps import Clock, ask, last_letter, moves, register, reply, writes
from tests.backup.servers import bring_back, reopened
from tests.cli.program import run

DATA = Path(__file__).parents[1] / "data"
BACKUP = DATA / "0036.tar.gz"
DORA, EMIL = "dora@example.org", "emil@example.org"
NEXT_DAY = datetime(2026, 4, 1, 12, tzinfo=UTC)
GAMES = 24


@pytest.fixture
def environ(empty_database_url: str, tmp_path: Path) -> dict[str, str]:
    return {"PBEM_VAR": str(tmp_path / "var"), "PBEM_DATABASE": empty_database_url}


def as_it_was(environ: dict[str, str]) -> Store:
    """Put the old server's database and files in place."""
    store = open_store(environ["PBEM_DATABASE"])
    if store.file:
        store.file.write_bytes(gzip.decompress((DATA / "0036.sqlite.gz").read_bytes()))
    else:
        with store.write() as db:
            db.exec_driver_sql(gzip.decompress((DATA / "0036.postgresql.sql.gz").read_bytes()).decode())
    with BACKUP.open("rb") as file:
        made = check_backup(file).made
        contents = archive.read_files(file)
    del contents[SETTINGS_FILE]
    places_for(contents, config_from(environ), environ, Path()).put(made)
    return store


def rows_by_table(store: Store) -> dict[str, list[dict[str, Any]]]:
    """All rows as the database has them."""
    there = MetaData()
    with store.read() as db:
        there.reflect(db)
        return {
            name: [dict(row) for row in db.execute(select(table)).mappings()]
            for name, table in there.tables.items()
        }


def in_columns(rows: list[dict[str, Any]], names: list[str]) -> list[list[Any]]:
    """The values of these columns, sorted."""
    return sorted(([row[name] for name in names] for row in rows), key=repr)


def goes_on(app: App) -> None:
    """Play Dora's game with Emil on, and use what was there before."""
    assert (GAMES, []) == check_stored(app, quiet=True)
    assert ["f2", "e5"] == moves(app, GAMES)
    assert "done" == writes(app, DORA, f"game {GAMES}\nf6")
    assert "done" == reply(app, EMIL, last_letter(app, EMIL), "g1")
    assert ["f2", "e5", "f6", "g1"] == moves(app, GAMES)
    assert "e5 was good" in ask(app, DORA, "notes")
    assert "Emil seeks Begird, 5 days" in ask(app, DORA, "seeks")
    assert "done" == writes(app, DORA, "learn bipod")
    register(app, "finn@example.org", "Finn")
    assert "done" == writes(app, "finn@example.org", "challenge Dora bounders")
    assert (GAMES, []) == check_stored(app, quiet=True)


@pytest.mark.each_database
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_a_filled_server_loses_nothing_that_stays_and_is_played_on(environ: dict[str, str]) -> None:
    store = as_it_was(environ)
    assert "0036" == revisions.revision_of(store)
    before = rows_by_table(store)
    done = run(["migrate"], environ | {"PBEM_SECRET": ""})
    assert f"The database went from 0036 to {revisions.newest_revision()}.\n".encode() == done.stdout
    after = rows_by_table(store)
    store.close()
    assert set(metadata.tables) == set(after) - {"alembic_version"}
    for name in set(metadata.tables) & set(before):
        table = metadata.tables[name]
        there = {column for row in before[name][:1] for column in row}
        names = [column.name for column in table.columns if column.name in there]
        assert in_columns(before[name], names) == in_columns(after[name], names), name
    app = reopened(environ, Clock(NEXT_DAY))
    goes_on(app)
    app.close()


def test_its_backup_is_migrated_as_it_is_restored(environ: dict[str, str]) -> None:
    bring_back(BACKUP, environ, NEXT_DAY)
    app = reopened(environ, Clock(NEXT_DAY + timedelta(hours=1)))
    goes_on(app)
    app.close()
