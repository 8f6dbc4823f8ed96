"""Alembic's environment: the given connection, with batch mode on SQLite."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    render_as_batch=connection.dialect.name == "sqlite",
    transaction_per_migration=False,
)
context.run_migrations()
