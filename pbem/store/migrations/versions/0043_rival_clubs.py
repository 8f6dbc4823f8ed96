"""Add the second club of a match between two of players' clubs"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("events", sa.Column("rival_id", NUMBER, nullable=True))
    op.create_index("ix_events_rival_id", "events", ["rival_id"])
