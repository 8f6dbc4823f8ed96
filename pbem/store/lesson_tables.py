"""The table of lessons; `migrations/` brings a database to this shape."""

from sqlalchemy import Boolean, Column, Integer, String

from pbem.store.columns import Moment, table

lesson_tries = table(
    "lesson_tries",
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("rules", String(40), primary_key=True),
    Column("lesson", Integer, primary_key=True, autoincrement=False),
    Column("answer", String(200), nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", Moment, nullable=False),
)
"""The last answers of players to lessons, numbered from 1; once solved a lesson stays so."""
