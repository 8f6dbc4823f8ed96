"""The undo window: what waits beside a game's journal"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    with op.batch_alter_table("games") as change:
        change.add_column(sa.Column("held", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("games") as change:
        change.drop_column("held")
