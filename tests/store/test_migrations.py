"""Migrations to the tables in the code and back, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from pbem.store.columns import metadata
from pbem.store.engine import Store, open_store
from pbem.store.migrate import downgrade, migrate, newest_revision, revision_of
from pbem.store.tables import ONLY

pytestmark = pytest.mark.each_database


def table_names(store: Store) -> set[str]:
    with store.read() as db:
        return set(inspect(db).get_table_names()) - {"alembic_version"}


@pytest.mark.filterwarnings("ignore:.*expression-based index:UserWarning")
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_migrations_and_models_agree(database_url: str) -> None:
    store = open_store(database_url)
    with store.read() as db:
        here = {None, db.dialect.name}

        def is_here(item: Any, _name: object, kind: str, *_: object) -> bool:
            return kind != "index" or item.info.get(ONLY) in here

        opts = {"compare_type": True, "include_object": is_here}
        context = MigrationContext.configure(db, opts=opts)
        assert [] == compare_metadata(context, metadata)
    store.close()


def test_every_index_is_there_those_of_expressions_too(database_url: str) -> None:
    store = open_store(database_url)
    with store.read() as db:
        listed = "sqlite_master WHERE type = 'index'" if db.dialect.name == "sqlite" else "pg_indexes"
        column = "name" if db.dialect.name == "sqlite" else "indexname"
        found = set(db.scalars(text(f"SELECT {column} FROM {listed}")))
        wanted = {
            index.name
            for table in metadata.tables.values()
            for index in table.indexes
            if index.info.get(ONLY) in (None, db.dialect.name)
        }
    assert set() == wanted - found
    store.close()


def test_migrations_go_up_and_down_again(empty_database_url: str) -> None:
    store = open_store(empty_database_url)
    assert revision_of(store) is None
    migrate(store)
    assert newest_revision() == revision_of(store)
    assert set(metadata.tables) == table_names(store)
    downgrade(store, "base")
    assert set() == table_names(store)
    migrate(store)
    assert set(metadata.tables) == table_names(store)
    store.close()


def test_migrating_twice_changes_nothing(database_url: str) -> None:
    store = open_store(database_url)
    migrate(store)
    assert newest_revision() == revision_of(store)
    store.close()


FILED = {
    "took back a ply that nobody else had seen": (1, "took back a ply that nobody else had seen"),
    "more mails in an hour than are answered": (2, ""),
    "No such word. / took back a ply that nobody else had seen / more mails in an hour than are answered": (
        3,
        "No such word. / took back a ply that nobody else had seen",
    ),
    "No line is a move.": (0, "No line is a move."),
    "": (0, ""),
}


def test_codes_are_made_of_the_sentences_that_mails_were_filed_with(database_url: str) -> None:
    store = open_store(database_url)
    downgrade(store, "0016")
    columns = "received_at, sender, recipient, raw, sha256, state, attempts, detail"
    add = text(
        f"INSERT INTO messages_in ({columns}) VALUES ('2026-01-01', '', '', '', '', :state, 1, :detail)"
    )
    with store.write() as db:
        db.execute(add, [{"state": "done", "detail": detail} for detail in FILED])
        db.execute(add, [{"state": "new", "detail": "Traceback"}])
    migrate(store)
    with store.read() as db:
        rows = db.execute(text("SELECT code, detail FROM messages_in ORDER BY id")).all()
        found = [tuple(row) for row in rows]
    assert [*FILED.values(), (4, "Traceback")] == found
    downgrade(store, "0016")
    with store.read() as db:
        assert [*FILED, "Traceback"] == list(db.scalars(text("SELECT detail FROM messages_in ORDER BY id")))
    store.close()
