"""Mail that waits: for which a player's clock stands, and what a mailbox does not give"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Moment

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("games", sa.Column("stands", sa.JSON(), nullable=True))
    op.create_table(
        "unfetched",
        sa.Column("mailbox", sa.String(20), nullable=False),
        sa.Column("uid", sa.String(40), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("since", Moment(timezone=True), nullable=False),
        sa.Column("next_at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("mailbox", "uid", name="pk_unfetched"),
    )


def downgrade() -> None:
    op.drop_table("unfetched")
    op.drop_column("games", "stands")
