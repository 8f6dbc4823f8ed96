"""Agreements: seeks beside challenges, blocks, limits"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with op.batch_alter_table("challenges", table_kwargs={"sqlite_autoincrement": True}) as change:
        change.alter_column("to_id", existing_type=Id, nullable=True)
    op.create_table(
        "blocks",
        sa.Column("player_id", Id, nullable=False, autoincrement=False),
        sa.Column("blocked_id", Id, nullable=False, autoincrement=False),
        sa.Column("created_at", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_blocks_player_id_players"),
        sa.ForeignKeyConstraint(["blocked_id"], ["players.id"], name="fk_blocks_blocked_id_players"),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name="pk_blocks"),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])
    op.create_table(
        "limits",
        sa.Column("player_id", Id, nullable=False, autoincrement=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("most", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_limits_player_id_players"),
        sa.PrimaryKeyConstraint("player_id", "rules", name="pk_limits"),
    )


def downgrade() -> None:
    op.drop_table("limits")
    op.drop_table("blocks")
    op.execute("DELETE FROM challenges WHERE to_id IS NULL")
    with op.batch_alter_table("challenges", table_kwargs={"sqlite_autoincrement": True}) as change:
        change.alter_column("to_id", existing_type=Id, nullable=False)
