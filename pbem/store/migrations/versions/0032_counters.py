"""Counts of letters sent, deferred and given up, of bounces and faults"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_table(
        "counters",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
