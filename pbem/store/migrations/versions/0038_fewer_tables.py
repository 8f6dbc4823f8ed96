"""Drop the counts of guessers, what they needed of each guess, and the points of tours"""

from alembic import op

revision = "0038"
down_revision = "0036"


def upgrade() -> None:
    op.drop_table("guess_counts")
    op.drop_table("tour_points")
    with op.batch_alter_table("guesses") as guesses:
        for name in ("rules", "choices", "settled_at"):
            guesses.drop_column(name)
