"""Add who is on a game's page, and agreements to play on at once"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "live",
        sa.Column("game_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("first_seen", TIME, nullable=True),
        sa.Column("second_seen", TIME, nullable=True),
        sa.Column("offered_by", sa.SmallInteger(), nullable=True),
        sa.Column("offered_at", TIME, nullable=True),
        sa.Column("agreed_at", TIME, nullable=True),
        sa.Column("entry", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_live_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_live")),
    )
    agreed = sa.text("agreed_at IS NOT NULL")
    op.create_index("ix_live_agreed_at", "live", ["agreed_at"], sqlite_where=agreed, postgresql_where=agreed)
