"""The Saturday paper, and who gets it"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Moment

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "papers",
        sa.Column("week", sa.String(8), primary_key=True),
        sa.Column("made_at", Moment, nullable=False),
        sa.Column("issue", sa.JSON, nullable=False),
    )
    op.create_table(
        "paper_readers",
        sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("due_at", Moment, nullable=False),
    )
    op.create_index("ix_paper_readers_due_at", "paper_readers", ["due_at"])
