"""Players whom the operator has named directors"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.add_column("players", sa.Column("director", sa.Boolean, nullable=False, server_default=sa.false()))
