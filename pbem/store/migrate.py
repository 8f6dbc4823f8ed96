"""Migrates a database to the shape of `tables`, by Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from pbem.store.engine import Store
from pbem.store.locks import advisory_lock
from pbem.store.revisions import is_known, migration_problem, revision_of


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


def alembic_config() -> Config:
    """Return the settings of Alembic; a `connection` goes into their attributes."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    return config
