"""Keep digests of barred addresses, and no reason for a bar of a forgotten player"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.create_table(
        "bars",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_bars")),
    )
    op.execute("UPDATE players SET barred = '' WHERE address = ''")
