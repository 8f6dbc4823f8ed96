"""Lessons that players have tried and solved"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Moment

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "lesson_tries",
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("rules", sa.String(40), primary_key=True),
        sa.Column("lesson", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("answer", sa.String(200), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
