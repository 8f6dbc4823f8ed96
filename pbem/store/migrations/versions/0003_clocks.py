"""Clocks: a pace for challenges and games, vacations, outages, the heartbeat"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for table in ("games", "challenges"):
        with op.batch_alter_table(table) as change:
            change.add_column(sa.Column("pace", sa.String(40), nullable=False, server_default="none"))
            change.add_column(sa.Column("soft", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "vacations",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("begins_at", Moment(timezone=True), nullable=False),
        sa.Column("ends_at", Moment(timezone=True), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_vacations_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_vacations_player_begins", "vacations", ["player_id", "begins_at"])
    op.create_table(
        "outages",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("begins_at", Moment(timezone=True), nullable=False),
        sa.Column("ends_at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outages"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outages_begins_at", "outages", ["begins_at"])
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeats"),
    )


def downgrade() -> None:
    op.drop_table("heartbeats")
    op.drop_table("outages")
    op.drop_table("vacations")
    for table in ("games", "challenges"):
        with op.batch_alter_table(table) as change:
            change.drop_column("soft")
            change.drop_column("pace")
