"""Leagues whose results players get each week"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "watched_leagues",
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("rules", sa.String(40), primary_key=True),
        sa.Column("told_at", Moment, nullable=False),
        sa.Column("due_at", Moment, nullable=False),
    )
    op.create_index("ix_watched_leagues_due_at", "watched_leagues", ["due_at"])
