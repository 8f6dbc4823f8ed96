"""Blobs with the bytes of old mails and letters, and those of them that are to be deleted"""

import sqlalchemy as sa
from alembic import op

from pbem.store.blobs import whole_bytes
from pbem.store.columns import MOVED, Id, Moved, packed

revision = "0036"
down_revision = "0035"

SLICE = 200


def upgrade() -> None:
    op.create_table(
        "released_blobs",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Bring all bytes back into their rows, which needs PBEM_BLOBS where some are there."""
    for name in ("messages_in", "outbox"):
        _bring_back(
            op.get_bind(), sa.table(name, sa.column("id", sa.Integer), sa.column("raw", sa.LargeBinary))
        )
    op.drop_table("released_blobs")


def _bring_back(db: sa.Connection, table: sa.TableClause) -> None:
    last = 0
    while rows := db.execute(
        sa.select(table).where(table.c.id > last).order_by(table.c.id).limit(SLICE)
    ).all():
        for id, raw in rows:
            if bytes(raw).startswith(MOVED):
                whole = whole_bytes(db, Moved(bytes(raw)[len(MOVED) :]))
                if not whole:
                    raise LookupError("a blob is missing: is PBEM_BLOBS where it was?")
                db.execute(table.update().where(table.c.id == id).values(raw=packed(whole)))
        last = rows[-1].id
