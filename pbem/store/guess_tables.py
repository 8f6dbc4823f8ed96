"""The tables of guesses. `migrations/` brings a database to this shape."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String

from pbem.store.columns import Moment, table

guesses = table(
    "guesses",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("rules", String(40), nullable=False),
    Column("move", String(200), nullable=False),
    Column("choices", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("right", Boolean),
    Column("settled_at", Moment),
    Index("ix_guesses_player_id", "player_id"),
)
"""Guesses at move `ply` of a game, spelled as in the journal, among `choices` legal ones.

`right` and `settled_at` are NULL while the guess is sealed, until the move stands in the journal.
"""

guess_counts = table(
    "guess_counts",
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("rules", String(40), primary_key=True),
    Column("guesses", Integer, nullable=False),
    Column("right", Integer, nullable=False),
    Column("weight", BigInteger, nullable=False),
    Column("right_weight", BigInteger, nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_guess_counts_rules", "rules"),
)
"""Compared guesses of each player by game, and their weights in millionths; `at` is the last change."""
