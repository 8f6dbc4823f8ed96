"""Hints that players asked for, and moments of their finished games"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "hints",
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_index("ix_hints_player_id_at", "hints", ["player_id", "at"])
    op.create_table(
        "moments",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("positions", sa.JSON, nullable=False),
        sa.Column("said", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_moments_player_id_game_id", "moments", ["player_id", "game_id"])
