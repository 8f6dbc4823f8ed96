"""Ladders: two players may meet several times in one event"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.drop_index("ix_event_games_division", "event_games")
    op.drop_index("ix_event_games_to_do", "event_games")
    with op.batch_alter_table("event_games") as games:
        games.alter_column("n", existing_type=sa.SmallInteger, type_=sa.Integer, existing_nullable=False)
        games.drop_constraint("pk_event_games", type_="primary")
        games.create_primary_key("pk_event_games", ["event_id", "division", "n"])
    op.create_index("ix_event_games_pair", "event_games", ["event_id", "first_id", "second_id"])
    to_do = sa.text("state IN (2, 4, 5)")
    op.create_index(
        "ix_event_games_to_do",
        "event_games",
        ["event_id", "division"],
        sqlite_where=to_do,
        postgresql_where=to_do,
    )
