"""Reminders that were sent; a running turn's deadline beside its game"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    with op.batch_alter_table("games") as change:
        change.add_column(sa.Column("deadline_at", Moment(timezone=True)))
        change.add_column(sa.Column("deadline_moves", sa.Integer(), nullable=False, server_default="0"))
        change.add_column(sa.Column("deadline_moved_at", Moment(timezone=True)))
    op.execute("UPDATE games SET deadline_at = next_event_at, deadline_moved_at = changed_at")
    op.create_table(
        "reminders",
        sa.Column("game_id", Id, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("which", sa.String(10), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.Column("letter", sa.String(400)),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_reminders_game_id_games"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_reminders_player_id_players"),
        sa.PrimaryKeyConstraint("game_id", "entry", "which", name="pk_reminders"),
    )
    op.create_index("ix_reminders_player_at", "reminders", ["player_id", "at"])
    op.create_index("ix_reminders_letter", "reminders", ["letter"])


def downgrade() -> None:
    op.drop_table("reminders")
    with op.batch_alter_table("games") as change:
        change.drop_column("deadline_moved_at")
        change.drop_column("deadline_moves")
        change.drop_column("deadline_at")
