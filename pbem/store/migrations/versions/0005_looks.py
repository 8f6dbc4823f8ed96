"""Private notes, and who watches which game"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "notes",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("game_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_notes_game_id_games"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_notes_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notes_player_game", "notes", ["player_id", "game_id"])
    op.create_table(
        "watches",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game_id", Id, nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("since", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_watches_player_id_players"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_watches_game_id_games"),
        sa.PrimaryKeyConstraint("player_id", "game_id", name="pk_watches"),
    )
    op.create_index("ix_watches_game_id", "watches", ["game_id"])


def downgrade() -> None:
    op.drop_table("watches")
    op.drop_table("notes")
