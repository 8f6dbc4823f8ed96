"""Claims of proved wins, and puzzles from the archive"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "proof_tries",
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_table(
        "puzzles",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("answer", sa.String(200), nullable=False),
        sa.Column("line", sa.JSON, nullable=False),
        sa.Column("replies", sa.JSON, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzles_game_id_ply", "puzzles", ["game_id", "ply"], unique=True)
    op.create_index("ix_puzzles_rules_id", "puzzles", ["rules", "id"])
    op.create_table(
        "puzzle_games",
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), primary_key=True, autoincrement=False),
        sa.Column("ended_at", Moment, nullable=False),
    )
    op.create_index("ix_puzzle_games_ended_at", "puzzle_games", ["ended_at"])
    op.create_table(
        "puzzle_tries",
        sa.Column("puzzle_id", Id, sa.ForeignKey("puzzles.id"), primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("answer", sa.String(200)),
        sa.Column("right", sa.Boolean),
    )
    op.create_index("ix_puzzle_tries_player_id", "puzzle_tries", ["player_id"])
    op.create_table(
        "daily_puzzles",
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("due_at", Moment, nullable=False),
    )
    op.create_index("ix_daily_puzzles_due_at", "daily_puzzles", ["due_at"])
