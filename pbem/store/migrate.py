"""Migrates a database to the shape of `tables`, by Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.store.engine import Store


def migrate(store: Store, revision: str = "head") -> None:
    """Run every missing migration up to `revision`."""
    with store.write() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def downgrade(store: Store, revision: str) -> None:
    """Revert migrations down to `revision` (`base` for an empty database)."""
    with store.write() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


def revision_of(store: Store) -> str | None:
    """Return the database's migration, None for an empty one."""
    with store.read() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """Return the migration that this code needs."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    return config
