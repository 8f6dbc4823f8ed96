"""Sealed guesses at others' moves, and the counts of guessers"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "guesses",
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("move", sa.String(200), nullable=False),
        sa.Column("choices", sa.Integer, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("right", sa.Boolean),
        sa.Column("settled_at", Moment),
    )
    op.create_index("ix_guesses_player_id", "guesses", ["player_id"])
    op.create_table(
        "guess_counts",
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("rules", sa.String(40), primary_key=True),
        sa.Column("guesses", sa.Integer, nullable=False),
        sa.Column("right", sa.Integer, nullable=False),
        sa.Column("weight", sa.BigInteger, nullable=False),
        sa.Column("right_weight", sa.BigInteger, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_index("ix_guess_counts_rules", "guess_counts", ["rules"])
