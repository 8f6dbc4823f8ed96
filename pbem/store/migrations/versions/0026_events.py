"""Events: leagues and their seasons"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", Id, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("previous_id", Id),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("starts_at", Moment),
        sa.Column("ends_at", Moment),
        sa.Column("asked", sa.Boolean, nullable=False),
        sa.Column("divisions", sa.Integer, nullable=False),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("next_at", Moment),
        sa.Column("entries", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_next_at", "events", ["next_at"])
    op.create_index("ix_events_rules_state", "events", ["rules", "state"])
    op.create_table(
        "event_journal",
        sa.Column("event_id", Id, sa.ForeignKey("events.id"), primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "event_players",
        sa.Column("event_id", Id, sa.ForeignKey("events.id"), primary_key=True, autoincrement=False),
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("division", sa.SmallInteger),
        sa.Column("place", sa.SmallInteger),
    )
    op.create_index("ix_event_players_player", "event_players", ["player_id"])
    op.create_index("ix_event_players_division", "event_players", ["event_id", "division", "place"])
    op.create_table(
        "event_games",
        sa.Column("event_id", Id, sa.ForeignKey("events.id"), primary_key=True, autoincrement=False),
        sa.Column("first_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("second_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("division", sa.SmallInteger, nullable=False),
        sa.Column("n", sa.SmallInteger, nullable=False),
        sa.Column("game_id", Id, sa.ForeignKey("games.id"), unique=True),
        sa.Column("score", sa.String(4)),
        sa.Column("forced", sa.Boolean, nullable=False),
        sa.Column("state", sa.SmallInteger, nullable=False),
    )
    op.create_index("ix_event_games_division", "event_games", ["event_id", "division", "n"])
    to_do = sa.text("state IN (2, 4, 5)")
    op.create_index(
        "ix_event_games_to_do",
        "event_games",
        ["event_id", "division"],
        sqlite_where=to_do,
        postgresql_where=to_do,
    )
