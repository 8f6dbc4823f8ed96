"""All tables as of 0018, from one frozen SQL file per database; later migrations build on it"""

from pathlib import Path

from alembic import op

revision = "0018"
down_revision = None


def upgrade() -> None:
    db = op.get_bind()
    sql = Path(__file__).parents[1] / f"baseline.{db.dialect.name}.sql"
    for statement in sql.read_text().split(";\n"):
        db.exec_driver_sql(statement)
