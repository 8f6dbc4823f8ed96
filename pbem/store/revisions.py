"""The migration of a database, and whether this code can use it.

This is apart from `migrate`, as Alembic takes 8 MiB of each server process.
"""

from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from pbem.store.engine import Store

VERSION_TABLE = "alembic_version"
REVISIONS = tuple(
    sorted(path.name.split("_")[0] for path in Path(__file__).parent.glob("migrations/versions/[0-9]*.py"))
)
"""The migrations that this code knows, oldest first: each file's name begins with its own."""


def migration_problem(store: Store) -> str | None:
    """Return why this code cannot use the database, or None. The text says what to do."""
    revision, newest = revision_of(store), newest_revision()
    if is_too_old(revision):
        return (
            f"the database is at revision {revision}, older than this version can upgrade: "
            f"upgrade it first to {REVISIONS[0]} with an earlier version of pbem"
        )
    if revision is not None and not is_known(revision):
        return (
            f"the database is at revision {revision}, newer than this version knows ({newest}): "
            "install the version that it had, or restore a backup from before"
        )
    if revision != newest:
        return f"the database is at {revision or 'nothing'}, this version needs {newest}: run pbem migrate"
    return None


def revision_of(store: Store) -> str | None:
    """Return the database's migration, None for an empty one."""
    with store.read() as db:
        return revision_in(db)


def revision_in(db: Connection) -> str | None:
    """Return the database's migration as this transaction sees it; None for an empty database."""
    if not inspect(db).has_table(VERSION_TABLE):
        return None
    return db.scalar(select(column("version_num")).select_from(table(VERSION_TABLE)))


def newest_revision() -> str:
    """Return the migration that this code needs."""
    return REVISIONS[-1]


def is_known(revision: str) -> bool:
    return revision in REVISIONS


def is_too_old(revision: str | None) -> bool:
    return revision is not None and revision < REVISIONS[0]
