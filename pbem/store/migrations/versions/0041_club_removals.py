"""Players whom organisers have put out of clubs"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "club_removals",
        sa.Column("club_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("player_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name=op.f("fk_club_removals_club_id_clubs")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_club_removals_player_id_players")
        ),
        sa.PrimaryKeyConstraint("club_id", "player_id", name=op.f("pk_club_removals")),
    )
    op.create_index("ix_club_removals_player", "club_removals", ["player_id"])
