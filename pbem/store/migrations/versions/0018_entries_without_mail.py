"""A journal entry names no mail: nothing was ever written there"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.drop_column("journal", "mail_id")


def downgrade() -> None:
    mail_id = sa.Column("mail_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True)
    op.add_column("journal", mail_id)
