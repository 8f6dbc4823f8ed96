"""Add the zones that players had before"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "zones",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_zones_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_zones")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_zones_player_until", "zones", ["player_id", "until"])
