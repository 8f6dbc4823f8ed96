"""No blobs any more: the bytes of all mails and letters are in their rows"""

import sqlalchemy as sa
from alembic import op

from pbem.core.errors import Refusal
from pbem.store.columns import Id

revision = "0037"
down_revision = "0036"

MOVED = b"\0z@"
"""How the name of a blob begins, in the place of bytes."""


def upgrade() -> None:
    """Drop what blobs needed. Raises Refusal where rows still name blobs, and then changes nothing."""
    if number := sum(_count_moved(name) for name in ("messages_in", "outbox")):
        raise Refusal(
            f"PBEM_BLOBS has the bytes of mails and letters ({number:,}), which this version cannot read, so "
            "nothing was changed. With the version before and PBEM_BLOBS as it was, undo migration 0036, "
            "which brings them back (CHANGELOG.md has the lines to type); or set PBEM_BLOB_DAYS=36500 there, "
            "and upgrade once `pbem check` tells of no blobs."
        )
    op.drop_table("released_blobs")


def downgrade() -> None:
    op.create_table(
        "released_blobs",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )


def _count_moved(name: str) -> int:
    rows = sa.table(name, sa.column("raw", sa.LargeBinary))
    begins = sa.func.substr(rows.c.raw, 1, len(MOVED), type_=sa.LargeBinary)
    query = sa.select(sa.func.count()).select_from(rows).where(begins == sa.literal(MOVED, sa.LargeBinary))
    return op.get_bind().execute(query).scalar_one()
