"""Results, ratings and the figures that are counted of them; `pbem rebuild-ratings` fills them"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id, Moment

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("game_id", Id, nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("ended_at", Moment(timezone=True), nullable=False),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("second_id", Id, nullable=False),
        sa.Column("how", sa.String(20), nullable=False),
        sa.Column("winner", sa.SmallInteger()),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("opening", sa.String(60), nullable=False),
        sa.Column("first_turns", sa.Integer(), nullable=False),
        sa.Column("second_turns", sa.Integer(), nullable=False),
        sa.Column("first_late", sa.Integer(), nullable=False),
        sa.Column("second_late", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_results_game_id_games"),
        sa.ForeignKeyConstraint(["first_id"], ["players.id"], name="fk_results_first_id_players"),
        sa.ForeignKeyConstraint(["second_id"], ["players.id"], name="fk_results_second_id_players"),
        sa.PrimaryKeyConstraint("game_id", name="pk_results"),
    )
    op.create_index("ix_results_rules_ended", "results", ["rules", "ended_at", "game_id"])
    op.create_table(
        "rating_steps",
        sa.Column("game_id", Id, nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        *_rating("before", "value", "deviation", "volatility"),
        sa.Column("lost_on_time", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rating_steps_game_id_games"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_rating_steps_player_id_players"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_rating_steps"),
    )
    op.create_index("ix_rating_steps_player", "rating_steps", ["player_id", "rules", "at", "game_id"])
    op.create_index("ix_rating_steps_rules_at", "rating_steps", ["rules", "at", "game_id"])
    op.create_table(
        "ratings",
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        *_rating("value", "deviation", "volatility"),
        *(sa.Column(name, Moment(timezone=True)) for name in ("at", "lost_on_time", "sure_until")),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("rated", "won", "drawn", "lost", "turns", "late")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id_players"),
        sa.PrimaryKeyConstraint("rules", "player_id", name="pk_ratings"),
    )
    op.create_index("ix_ratings_player", "ratings", ["player_id"])
    op.create_index("ix_ratings_rules_value", "ratings", ["rules", "value"])
    op.create_table(
        "summaries",
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("what", sa.String(10), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("rules", "what", "label", name="pk_summaries"),
    )
    op.create_index("ix_summaries_most", "summaries", ["rules", "what", "n"])


def _rating(*names: str) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Double(), nullable=False) for name in names]


def downgrade() -> None:
    for table in ("summaries", "ratings", "rating_steps", "results"):
        op.drop_table(table)
