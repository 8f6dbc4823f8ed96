"""Names of blobs that were to be deleted: bytes of old mails and letters lay outside the database"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_table(
        "released_blobs",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("released_blobs")
