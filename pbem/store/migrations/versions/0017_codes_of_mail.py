"""A code for what a mail's end depends on, where a sentence was searched before"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

UNSEEN = "took back a ply that nobody else had seen"
UNANSWERED = "more mails in an hour than are answered"


def upgrade() -> None:
    op.add_column("messages_in", sa.Column("code", sa.SmallInteger(), nullable=False, server_default="0"))
    op.execute(f"UPDATE messages_in SET code = 1 WHERE detail LIKE '%{UNSEEN}%'")
    op.execute("UPDATE messages_in SET code = 4 WHERE state = 'new' AND detail <> ''")
    rest = f"substr(detail, 1, length(detail) - {len(' / ' + UNANSWERED)})"
    ends = f"UPDATE messages_in SET code = code + 2, detail = {rest} WHERE detail LIKE '% / {UNANSWERED}'"
    op.execute(ends)
    op.execute(f"UPDATE messages_in SET code = 2, detail = '' WHERE detail = '{UNANSWERED}'")


def downgrade() -> None:
    told = f"detail || CASE WHEN detail = '' THEN '' ELSE ' / ' END || '{UNANSWERED}'"
    op.execute(f"UPDATE messages_in SET detail = {told} WHERE code & 2 > 0")
    op.drop_column("messages_in", "code")
