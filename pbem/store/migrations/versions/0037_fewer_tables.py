"""Drop what nobody asked for: names of blobs, guessers, tours, preferences"""

import sqlalchemy as sa
from alembic import op

from pbem.core.errors import Refusal

revision = "0037"
down_revision = "0036"

MOVED = b"\0z@"
"""How the name of a blob begins, in the place of bytes."""


def upgrade() -> None:
    """Drop these tables and columns. Raises Refusal where rows still name blobs, and then changes nothing."""
    if number := sum(_count_moved(name) for name in ("messages_in", "outbox")):
        raise Refusal(
            f"PBEM_BLOBS has the bytes of mails and letters ({number:,}), which this version cannot read, so "
            "nothing was changed. Bring them back with the version before and PBEM_BLOBS as it was: "
            "CHANGELOG.md has the lines to type, which undo migration 0036 and make it again."
        )
    op.drop_table("released_blobs")
    op.drop_table("guess_counts")
    op.drop_table("tour_points")
    with op.batch_alter_table("guesses") as guesses:
        for name in ("rules", "choices", "settled_at"):
            guesses.drop_column(name)
    _drop_preferences(op.get_bind())


def _count_moved(name: str) -> int:
    rows = sa.table(name, sa.column("raw", sa.LargeBinary))
    begins = sa.func.substr(rows.c.raw, 1, len(MOVED), type_=sa.LargeBinary)
    query = sa.select(sa.func.count()).select_from(rows).where(begins == sa.literal(MOVED, sa.LargeBinary))
    return op.get_bind().execute(query).scalar_one()


def _drop_preferences(db: sa.Connection) -> None:
    players = sa.table("players", sa.column("id", sa.Integer), sa.column("wishes", sa.JSON))
    for id, wishes in db.execute(sa.select(players.c.id, players.c.wishes)).all():
        kept = {
            key: value
            for key, value in wishes.items()
            if key not in ("coordinates", "greetings") and (key, value) != ("format", "html")
        }
        if kept != wishes:
            db.execute(players.update().where(players.c.id == id).values(wishes=kept))
