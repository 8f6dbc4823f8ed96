"""Add clubs, their members, and the club of an event"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "clubs",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("town", sa.String(40), nullable=False),
        sa.Column("entry", sa.String(10), nullable=False),
        sa.Column("maker_id", NUMBER, nullable=True),
        sa.Column("made_at", WHEN, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clubs")),
        sa.UniqueConstraint("key", name=op.f("uq_clubs_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_clubs_maker_id"), "clubs", ["maker_id"])
    op.create_table(
        "club_members",
        sa.Column("club_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("player_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("since", WHEN, nullable=False),
        sa.Column("organiser", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name=op.f("fk_club_members_club_id_clubs")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_club_members_player_id_players")
        ),
        sa.PrimaryKeyConstraint("club_id", "player_id", name=op.f("pk_club_members")),
    )
    op.create_index("ix_club_members_player", "club_members", ["player_id"])
    op.add_column("events", sa.Column("club_id", NUMBER, nullable=True))
    op.create_index(op.f("ix_events_club_id"), "events", ["club_id"])
