"""The game or the player that a waiting mail may be about, and an index of the waiting ones"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("messages_in", sa.Column("about_game", sa.BigInteger))
    op.add_column("messages_in", sa.Column("whose", sa.String(320)))
    new = sa.text("state = 'new'")
    op.create_index("ix_messages_in_new", "messages_in", ["id"], sqlite_where=new, postgresql_where=new)
