"""Mails and letters are compressed as they are stored; those of before stay as they are, and are read so"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import PACKED, unpacked

revision = "0034"
down_revision = "0033"

SLICE = 200


def upgrade() -> None:
    """Change nothing: the number alone keeps programs away that cannot read what is compressed."""


def downgrade() -> None:
    """Store every mail and letter as it was, in slices."""
    for name in ("messages_in", "outbox"):
        _unpack(op.get_bind(), sa.table(name, sa.column("id", sa.Integer), sa.column("raw", sa.LargeBinary)))


def _unpack(db: sa.Connection, table: sa.TableClause) -> None:
    last = 0
    while rows := db.execute(
        sa.select(table).where(table.c.id > last).order_by(table.c.id).limit(SLICE)
    ).all():
        for id, raw in rows:
            if bytes(raw).startswith(PACKED):
                db.execute(table.update().where(table.c.id == id).values(raw=unpacked(bytes(raw))))
        last = rows[-1].id
