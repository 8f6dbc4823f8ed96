"""Seeks by rating, standing seeks, letters about new seeks, and watched players"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("challenges", sa.Column("near", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("challenges", sa.Column("up_to", sa.SmallInteger, nullable=False, server_default="0"))
    op.add_column("challenges", sa.Column("standing", Id))
    op.create_index("ix_challenges_standing", "challenges", ["standing"])
    op.create_table(
        "seek_letters",
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("told", Id, nullable=False),
        sa.Column("next_at", Moment, nullable=False),
    )
    op.create_index("ix_seek_letters_next_at", "seek_letters", ["next_at"])
    op.create_table(
        "watched_players",
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("watched_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("last_game", Id, nullable=False),
        sa.Column("since", Moment, nullable=False),
    )
    op.create_index("ix_watched_players_watched_id", "watched_players", ["watched_id"])
    op.add_column("watches", sa.Column("by_player", Id))
