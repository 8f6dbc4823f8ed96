"""The tables of the Saturday paper. `migrations/` brings a database to this shape."""

from sqlalchemy import JSON, Column, Index, Integer, String

from pbem.store.columns import Moment, table

papers = table(
    "papers",
    Column("week", String(8), primary_key=True),
    Column("made_at", Moment, nullable=False),
    Column("issue", JSON, nullable=False),
)
"""What the paper of each week says, by numbers of rows; `{}` where there is nothing to say."""

paper_readers = table(
    "paper_readers",
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("due_at", Moment, nullable=False),
    Index("ix_paper_readers_due_at", "due_at"),
)
"""Players who get the paper, and when the next is due."""
