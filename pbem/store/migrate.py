"""Migrates a database to the shape of `tables`, by Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.store.engine import Store


class TooOld(Exception):
    """The database is older than the oldest migration; the text says what to do."""


def migrate(store: Store) -> None:
    """Run every missing migration. Raises TooOld, and then changes nothing."""
    revision = revision_of(store)
    if _is_too_old(revision):
        raise TooOld(migration_problem(store))
    with store.write() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def migration_problem(store: Store) -> str | None:
    """Return why this code cannot work with the database, and what to do; None where it can."""
    revision, newest = revision_of(store), newest_revision()
    if _is_too_old(revision):
        return (
            f"the database is at revision {revision}, older than this version can upgrade: "
            f"upgrade it first to {_script().get_base()} with an earlier version of pbem"
        )
    if revision != newest:
        return f"the database is at {revision or 'nothing'}, this version needs {newest}: run pbem migrate"
    return None


def revision_of(store: Store) -> str | None:
    """Return the database's migration, None for an empty one."""
    with store.read() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """Return the migration that this code needs."""
    return str(_script().get_current_head())


def _is_too_old(revision: str | None) -> bool:
    return revision is not None and revision < str(_script().get_base())


def _script() -> ScriptDirectory:
    return ScriptDirectory.from_config(alembic_config())


def alembic_config() -> Config:
    """Return the settings of Alembic; a `connection` goes into their attributes."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    return config
