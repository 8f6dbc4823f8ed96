"""Migrates a database to the shape of `tables`, by Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from pbem.store.engine import Store
from pbem.store.locks import advisory_lock


class WrongVersion(Exception):
    """Raised for a database of an unknown version. The text says what to do."""


def migrate(store: Store) -> None:
    """Run every missing migration. Raises WrongVersion, and then changes nothing."""
    revision = revision_of(store)
    if revision is not None and not is_known(revision):
        raise WrongVersion(migration_problem(store))
    with store.write() as db:
        upgrade(db)


def upgrade(db: Connection, revision: str = "head") -> None:
    """Run missing migrations up to `revision`, one process at a time."""
    advisory_lock(db, "migrate")
    config = alembic_config()
    config.attributes["connection"] = db
    command.upgrade(config, revision)


def migration_problem(store: Store) -> str | None:
    """Return why this code cannot use the database, or None. The text says what to do."""
    revision, newest = revision_of(store), newest_revision()
    if is_too_old(revision):
        return (
            f"the database is at revision {revision}, older than this version can upgrade: "
            f"upgrade it first to {_script().get_base()} with an earlier version of pbem"
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
    """Return the same as this transaction sees it."""
    return MigrationContext.configure(db).get_current_revision()


def newest_revision() -> str:
    """Return the migration that this code needs."""
    return str(_script().get_current_head())


def is_known(revision: str) -> bool:
    return any(each.revision == revision for each in _script().walk_revisions())


def is_too_old(revision: str | None) -> bool:
    return revision is not None and revision < str(_script().get_base())


def _script() -> ScriptDirectory:
    return ScriptDirectory.from_config(alembic_config())


def alembic_config() -> Config:
    """Return the settings of Alembic; a `connection` goes into their attributes."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    return config
