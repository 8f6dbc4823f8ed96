"""Wishes, suspended addresses, bounces, bundles and what webhooks said once"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("players") as change:
        change.add_column(sa.Column("wishes", sa.JSON(), nullable=False, server_default="{}"))
        change.add_column(sa.Column("digest_at", Moment(timezone=True), nullable=True))
        change.create_index("ix_players_digest_at", ["digest_at"])
    with op.batch_alter_table("addresses") as change:
        change.add_column(sa.Column("suspended_at", Moment(timezone=True), nullable=True))
    op.create_table(
        "bounces",
        sa.Column("outbox_id", Id, autoincrement=False, nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.Column("points", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.String(200), nullable=False),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name="fk_bounces_outbox_id_outbox"),
        sa.PrimaryKeyConstraint("outbox_id", name="pk_bounces"),
    )
    op.create_index("ix_bounces_address_at", "bounces", ["address", "at"])
    op.create_table(
        "bundles",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("created_at", Moment(timezone=True), nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_bundles_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_bundles"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bundles_player_id", "bundles", ["player_id"])
    op.create_table(
        "nonces",
        sa.Column("way", sa.String(20), nullable=False),
        sa.Column("nonce", sa.String(100), nullable=False),
        sa.Column("seen_at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("way", "nonce", name="pk_nonces"),
    )
    op.create_index("ix_nonces_seen_at", "nonces", ["seen_at"])


def downgrade() -> None:
    op.drop_table("nonces")
    op.drop_table("bundles")
    op.drop_table("bounces")
    with op.batch_alter_table("addresses") as change:
        change.drop_column("suspended_at")
    with op.batch_alter_table("players") as change:
        change.drop_index("ix_players_digest_at")
        change.drop_column("digest_at")
        change.drop_column("wishes")
