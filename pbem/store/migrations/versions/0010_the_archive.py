"""Searching the archive: tallies of games, and an index for each order of a list"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id

revision = "0010"
down_revision = "0007"

INDICES = {
    "ix_games_first_id": ["first_id", "id"],
    "ix_games_second_id": ["second_id", "id"],
    "ix_games_started": ["started_at", "id"],
    "ix_games_rules_ended": ["rules", "ended_at", "id"],
    "ix_games_plies": ["plies", "id"],
    "ix_games_rules_plies": ["rules", "plies", "id"],
    "ix_games_ended_by": ["ended_by", "id"],
}
RUNNING, UNDECIDED = "ended_at IS NULL", "ended_at IS NOT NULL AND winner IS NULL"
PARTIAL = {
    "ix_games_running": (["id"], RUNNING),
    "ix_games_rules_running": (["rules", "id"], RUNNING),
    "ix_games_undecided": (["id"], UNDECIDED),
}
COUNT = """
INSERT INTO tallies (rules, outcome, games)
SELECT rules, CASE WHEN ended_at IS NULL THEN 'running' WHEN winner = 0 THEN 'first'
  WHEN winner = 1 THEN 'second' WHEN ended_by = 'void' THEN 'void' ELSE 'draw' END AS outcome, count(*)
FROM games GROUP BY 1, 2
"""


def upgrade() -> None:
    for name, columns in INDICES.items():
        op.create_index(name, "games", columns)
    for name, (columns, part) in PARTIAL.items():
        op.create_index(name, "games", columns, sqlite_where=sa.text(part), postgresql_where=sa.text(part))
    op.create_table(
        "tallies",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tallies"),
        sqlite_autoincrement=True,
    )
    op.execute(COUNT)


def downgrade() -> None:
    op.drop_table("tallies")
    for name in (*INDICES, *PARTIAL):
        op.drop_index(name, "games")
