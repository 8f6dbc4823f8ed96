"""Causes of failed letters, removal times of secrets, restores; indexes"""

from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Moment

revision = "0016"
down_revision = "0015"

INDICES: dict[str, tuple[str, list[Any]]] = {
    "ix_outbox_player": ("outbox", ["player_id"]),
    "ix_outbox_recipient_lower": ("outbox", [sa.text("lower(recipient)")]),
    "ix_outbox_kind_created": ("outbox", ["kind", "created_at"]),
    "ix_outbox_blank_at": ("outbox", ["blank_at"]),
    "ix_messages_in_player": ("messages_in", ["player_id"]),
    "ix_messages_in_sender_lower": ("messages_in", [sa.text("lower(sender)")]),
    "ix_confirmations_purpose_created": ("confirmations", ["purpose", "created_at"]),
}
NEWEST = "SELECT max(id) FROM outbox WHERE game_id IS NOT NULL GROUP BY game_id, player_id"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("trouble", sa.String(10), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("faults", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("blank_at", Moment(timezone=True)))
    op.add_column("games", sa.Column("restored_entries", sa.Integer()))
    op.create_table(
        "restores",
        sa.Column("epoch", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("epoch", name="pk_restores"),
    )
    for name, (table, columns) in INDICES.items():
        op.create_index(name, table, columns)
    op.execute(f"UPDATE outbox SET blank_at = sent_at WHERE state = 'sent' AND id NOT IN ({NEWEST})")
    _blank_later("state = 'sent' AND blank_at IS NULL", timedelta(days=30))
    _blank_later(f"id IN ({NEWEST}) AND id IN (SELECT outbox_id FROM bounces)", timedelta(days=365))


def _blank_later(which: str, span: timedelta) -> None:
    """Set removal times: a month for the newest game letter, a year after a bounce."""
    sent_at = sa.column("sent_at", Moment(timezone=True))
    outbox = sa.table("outbox", sent_at, sa.column("blank_at", Moment(timezone=True)))
    last = op.get_bind().scalar(sa.select(sa.func.max(sent_at, type_=sent_at.type)).select_from(outbox))
    if last is not None:
        op.execute(outbox.update().where(sa.text(which)).values(blank_at=last + span))


def downgrade() -> None:
    for name, (table, _columns) in INDICES.items():
        op.drop_index(name, table)
    op.drop_table("restores")
    op.drop_column("games", "restored_entries")
    for column in ("blank_at", "faults", "trouble"):
        op.drop_column("outbox", column)
