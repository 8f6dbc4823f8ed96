"""Invitations of friends, and the addresses that had one"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("friends", sa.SmallInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("expires_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_invitations_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_invitations_player_created", "invitations", ["player_id", "created_at"])
    op.create_table(
        "invited",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("never", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invited")),
        sa.UniqueConstraint("digest", name=op.f("uq_invited_digest")),
        sqlite_autoincrement=True,
    )
    op.add_column("challenges", sa.Column("invitation", Id, nullable=True))
    op.create_index("ix_challenges_invitation", "challenges", ["invitation"])
