"""Games too short to count; games without a clock that fall silent; what the operator hides, who is barred

Ratings and figures are forgotten here: `pbem migrate` and `pbem serve` make them again of the journals.
"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0015"
down_revision = "0014"

MADE_AGAIN = ("rating_steps", "ratings", "summaries", "results")


def upgrade() -> None:
    with op.batch_alter_table("results") as table:
        table.add_column(sa.Column("short", sa.Boolean(), nullable=False, server_default=sa.false()))
    _forget_ratings()
    op.execute(
        "UPDATE games SET next_event_at = changed_at"
        " WHERE ended_at IS NULL AND pace = 'none' AND next_event_at IS NULL"
    )
    with op.batch_alter_table("players") as table:
        table.add_column(sa.Column("barred", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("revised", sa.Integer(), nullable=False, server_default="0"))
    _make_moderation()


def downgrade() -> None:
    op.drop_table("moderation")
    op.drop_column("players", "barred")
    op.drop_column("games", "revised")
    _forget_ratings()
    op.execute("UPDATE games SET next_event_at = NULL WHERE pace = 'none'")
    op.drop_column("results", "short")


def _forget_ratings() -> None:
    for name in MADE_AGAIN:
        op.execute(f"DELETE FROM {name}")


def _make_moderation() -> None:
    op.create_table(
        "moderation",
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.Column("by", sa.String(60), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("player_id", Id),
        sa.Column("game_id", Id),
        sa.Column("entry", sa.Integer()),
        sa.Column("data", sa.JSON(), nullable=False, server_default="{}"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_moderation_player_id_players"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_moderation_game_id_games"),
        sa.PrimaryKeyConstraint("id", name="pk_moderation"),
        sqlite_autoincrement=True,
    )
    for column in ("player_id", "game_id"):
        op.create_index(f"ix_moderation_{column}", "moderation", [column])
