"""The tables that migrations make, on both databases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import LargeBinary, Table, func, inspect, select, text, type_coerce, update

from pbem.core.errors import Refusal
from pbem.core.exercises.puzzle import Puzzle
from pbem.store import transfer
from pbem.store.engine import Store, open_store
from pbem.store.migrate import WrongVersion, alembic_config, migrate, upgrade
from pbem.store.puzzles import add_puzzle
from pbem.store.revisions import REVISIONS, newest_revision, revision_of
from pbem.store.tables import games, messages_in, outbox
from pbem.store.tables.bots import bot_jobs
from pbem.store.tables.columns import metadata
from pbem.store.tables.learning import puzzle_tries, puzzles
from pbem.store.unfetched import unfetched
from tests.people import NOON
from tests.store.test_packed import LONG, fill

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.each_database,
    pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index"),
]

ASPECTS = ("columns", "pk_constraint", "foreign_keys", "unique_constraints", "check_constraints")
INDEXES = {
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
    "postgresql": "SELECT indexdef FROM pg_indexes WHERE tablename <> 'alembic_version' ORDER BY indexname",
}
AUTOINCREMENT = "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name"


PLAYER = (
    "INSERT INTO players (name, name_key, address, epoch, created_at, stopped, wishes, barred, director)"
    " VALUES (:name, :key, :key, 0, :now, '[]', '{}', '', false)"
)
GAME = (
    "INSERT INTO games (rules, rules_version, options, seed, first_id, second_id, rated, pace, soft,"
    " started_at, changed_at, entries, plies)"
    " VALUES ('begird', '1', '{}', '0', 1, 2, false, 'none', false, :now, :now, 1, 9)"
)
PUZZLE = (
    "INSERT INTO puzzles (game_id, ply, rules, answer, line, replies, created_at, tried, solved)"
    " VALUES (1, :ply, 'begird', 'a1', '[\"a1\"]', '{}', :now, 0, 0)"
)
TRY = "INSERT INTO puzzle_tries (puzzle_id, player_id, at) VALUES (2, 1, :now)"
"""Rows as a database of the version before has them."""


def shape(store: Store) -> dict[str, Any]:
    """Everything that two databases' tables may differ in, but the order of columns."""
    with store.read() as db:
        inspector = inspect(db)
        found: dict[str, Any] = {"indexes": list(db.scalars(text(INDEXES[db.dialect.name])))}
        if db.dialect.name == "sqlite":
            found["autoincrement"] = list(db.scalars(text(AUTOINCREMENT)))
        for name in set(inspector.get_table_names()) - {"alembic_version"}:
            for aspect in ASPECTS:
                told = getattr(inspector, f"get_{aspect}")(name)
                found[f"{name} {aspect}"] = sorted(map(str, told)) if isinstance(told, list) else told
    return found


def test_migrations_make_exactly_the_tables_of_the_models(
    database_url: str, request: pytest.FixtureRequest
) -> None:
    kind = database_url.partition(":")[0].partition("+")[0]
    migrated = open_store(database_url)
    made = open_store(request.getfixturevalue(f"empty_{kind}_url"))
    assert {games, bot_jobs, unfetched} <= {*metadata.tables.values()}
    with made.write() as db:
        metadata.create_all(db)
    assert shape(made) == shape(migrated)
    for store in (made, migrated):
        store.close()


def test_the_names_of_files_say_what_alembic_reads_in_them() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    read = [each.revision for each in script.walk_revisions()]
    assert list(REVISIONS) == read[::-1]
    assert (script.get_base(), script.get_current_head()) == (REVISIONS[0], newest_revision())


def test_migrating_makes_the_tables_once(empty_database_url: str) -> None:
    store = open_store(empty_database_url)
    assert revision_of(store) is None
    for _ in range(2):
        migrate(store)
        assert newest_revision() == revision_of(store)
    store.close()


def test_a_database_from_before_the_oldest_migration_stays_as_it_is(database_url: str) -> None:
    store = open_store(database_url)
    with store.write() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '0016'"))
    before = shape(store)
    with pytest.raises(WrongVersion, match="is at revision 0016, older than this version can upgrade"):
        migrate(store)
    assert ("0016", before) == (revision_of(store), shape(store))
    store.close()


def test_a_database_of_a_newer_version_stays_as_it_is(database_url: str) -> None:
    store = open_store(database_url)
    with store.write() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(WrongVersion, match="is at revision 9999, newer than this version knows"):
        migrate(store)
    assert "9999" == revision_of(store)
    store.close()


def test_a_copy_of_the_rows_leaves_out_no_table(sqlite_url: str) -> None:
    """In a process that has nothing else loaded: a backup must not depend on what else runs."""
    program = "from pbem.store import transfer; print(*sorted(transfer.metadata.tables))"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    store = open_store(sqlite_url)
    there = {*inspect(store.engine).get_table_names()} - {transfer.VERSION_TABLE}
    store.close()
    assert sorted(there) == ran.stdout.split()


@pytest.mark.parametrize("moved", [messages_in, outbox], ids=str)
def test_no_migration_takes_the_names_of_blobs_away_while_rows_have_them(
    empty_database_url: str, moved: Table
) -> None:
    store = open_store(empty_database_url)
    with store.write() as db:
        upgrade(db, "0036")
    fill(store)
    raw = type_coerce(moved.c.raw, LargeBinary)
    named = b"\0z@2026-11-26/m1-0a1b2c3d"
    with store.write() as db:
        db.execute(update(moved).values(raw=type_coerce(named, LargeBinary)))
    before = shape(store)
    with pytest.raises(Refusal, match=r"PBEM_BLOBS has the bytes .*\(1\).*undo migration 0036"):
        migrate(store)
    assert ("0036", before) == (revision_of(store), shape(store))
    with store.write() as db:
        assert named == bytes(db.scalars(select(raw)).one())
        db.execute(update(moved).values(raw=LONG))  # as the version before brings them back
    migrate(store)
    assert newest_revision() == revision_of(store)
    with store.read() as db:
        assert [LONG] == list(db.scalars(select(moved.c.raw)))
    store.close()


def test_puzzles_and_their_tries_stay_where_the_table_is_made_anew(empty_database_url: str) -> None:
    store = open_store(empty_database_url)
    with store.write() as db:
        upgrade(db, "0040")
        for name in ("Bill", "Joao"):
            names = {"name": name, "key": name.lower(), "now": NOON}
            db.execute(text(PLAYER), names)
        db.execute(text(GAME), {"now": NOON})
        for ply in (3, 5, 7):
            db.execute(text(PUZZLE), {"ply": ply, "now": NOON})
        db.execute(text(TRY), {"now": NOON})
        db.execute(text("DELETE FROM puzzles WHERE id = 3"))
    migrate(store)
    with store.write() as db:
        assert [(1, 1, 3), (2, 1, 5)] == [
            (each.id, each.game_id, each.ply) for each in db.execute(select(puzzles))
        ]
        assert [(2, 1)] == [(each.puzzle_id, each.player_id) for each in db.execute(select(puzzle_tries))]
        puzzle = Puzzle(0, 0, 0, "begird", "a1", ("a1",), {}, setup={"options": {}, "seed": 0, "moves": []})
        add_puzzle(db, puzzle, NOON)
        assert 4 == db.scalar(select(func.max(puzzles.c.id)))
    store.close()
