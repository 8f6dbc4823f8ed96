"""The turns of bots, and the time they think, and their jobs"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "bot_turns",
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("leased_until", Moment, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.Column("expected", sa.String(100), nullable=False),
    )
    op.create_table(
        "bot_usage",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seconds", sa.Double, nullable=False),
    )
    op.create_table(
        "bot_jobs",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("leased_until", Moment, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("result", sa.JSON),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bot_jobs_kind_key", "bot_jobs", ["kind", "key"], unique=True)
    op.create_index("ix_bot_jobs_done_leased_until", "bot_jobs", ["done", "leased_until"])
