"""The words of a seek, for whoever takes it"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("challenges", sa.Column("comment", sa.Text, nullable=False, server_default=""))
