"""Searching on SQLite: what is asked of most games on the way stands in the index"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

BEFORE = {"ix_games_rules_id": ["rules", "id"], "ix_games_ended_by": ["ended_by", "id"]}
AFTER = {
    "ix_games_rules_options": (["rules", "id", "options"], None),
    "ix_games_ended_by_options": (["ended_by", "id", "plies", "rules", "options"], "ended_by IS NOT NULL"),
}


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for name in BEFORE:
        op.drop_index(name, "games")
    for name, (columns, part) in AFTER.items():
        op.create_index(name, "games", columns, sqlite_where=sa.text(part) if part else None)


def downgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for name in AFTER:
        op.drop_index(name, "games")
    for name, columns in BEFORE.items():
        op.create_index(name, "games", columns)
