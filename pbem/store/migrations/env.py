"""Alembic's environment: the given connection, with batch mode on SQLite."""

from alembic import context

from pbem.store.tables.columns import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,  # for the names of constraints
    render_as_batch=connection.dialect.name == "sqlite",
    transaction_per_migration=False,
)
context.run_migrations()
