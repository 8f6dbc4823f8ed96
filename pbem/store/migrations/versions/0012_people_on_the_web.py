"""Web sign-in and rate limits"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "signins",
        sa.Column("id", Id, nullable=False),
        sa.Column("asked", sa.String(254), nullable=False),
        sa.Column("asked_at", Moment(timezone=True), nullable=False),
        sa.Column("seal", sa.String(64)),
        sa.Column("player_id", Id),
        sa.Column("epoch", sa.Integer()),
        sa.Column("expires_at", Moment(timezone=True)),
        sa.Column("used_at", Moment(timezone=True)),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_signins_player_id_players"),
        sa.PrimaryKeyConstraint("id", name="pk_signins"),
        sa.UniqueConstraint("seal", name="uq_signins_seal"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_signins_asked_at", "signins", ["asked_at"])
    op.create_index("ix_signins_player_id", "signins", ["player_id"])
    op.create_table(
        "sessions",
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("begun_at", Moment(timezone=True), nullable=False),
        sa.Column("expires_at", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_sessions_player_id_players"),
        sa.PrimaryKeyConstraint("seal", name="pk_sessions"),
    )
    op.create_index("ix_sessions_player_id", "sessions", ["player_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_table(
        "attempts",
        sa.Column("what", sa.String(120), nullable=False),
        sa.Column("since", Moment(timezone=True), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("what", name="pk_attempts"),
    )
    op.create_index("ix_attempts_since", "attempts", ["since"])


def downgrade() -> None:
    for table in ("attempts", "sessions", "signins"):
        op.drop_table(table)
