"""The bot that takes a seek after a day"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("challenges", sa.Column("bots", sa.SmallInteger, nullable=False, server_default="0"))
