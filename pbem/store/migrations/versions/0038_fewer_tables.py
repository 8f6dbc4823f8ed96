"""Drop the counts of guessers, and what only they needed of each guess"""

from alembic import op

revision = "0038"
down_revision = "0036"


def upgrade() -> None:
    op.drop_table("guess_counts")
    with op.batch_alter_table("guesses") as guesses:
        for name in ("rules", "choices", "settled_at"):
            guesses.drop_column(name)
