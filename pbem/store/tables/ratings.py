"""The tables of results and ratings, made from the games."""

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, SmallInteger, String, false

from pbem.store.tables.columns import UtcDateTime, numbered_table, required, table

tallies = numbered_table(
    "tallies",
    Column("rules", String(40), nullable=False),
    Column("outcome", String(10), nullable=False),
    Column("games", Integer, nullable=False),
)
"""Changes in the number of games of a kind and outcome; their sum counts."""

results = table(
    "results",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("rules", String(40), nullable=False),
    Column("ended_at", UtcDateTime, nullable=False),
    Column("first_id", ForeignKey("players.id"), nullable=False),
    Column("second_id", ForeignKey("players.id"), nullable=False),
    Column("how", String(20), nullable=False),
    Column("winner", SmallInteger),
    Column("rated", Boolean, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("opening", String(60), nullable=False),
    *required(Integer, "first_turns", "second_turns", "first_late", "second_late"),
    Column("short", Boolean, nullable=False, default=False, server_default=false()),
    Index("ix_results_rules_ended", "rules", "ended_at", "game_id"),
)
"""The result of each ended game, made from its journal.

`rated`: the game may be rated. `short`: too few plies for the statistics.
"""

rating_steps = table(
    "rating_steps",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("rules", String(40), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    *required(Double, "before", "value", "deviation", "volatility"),
    Column("lost_on_time", Boolean, nullable=False),
    Index("ix_rating_steps_player", "player_id", "rules", "at", "game_id"),
    Index("ix_rating_steps_rules_at", "rules", "at", "game_id"),
)
"""Both players' ratings after each rated game; `before` is the earlier value."""

ratings = table(
    "ratings",
    Column("rules", String(40), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    *required(Double, "value", "deviation", "volatility"),
    Column("at", UtcDateTime),
    Column("lost_on_time", UtcDateTime),
    Column("sure_until", UtcDateTime),
    *required(Integer, "rated", "won", "drawn", "lost", "turns", "late"),
    Index("ix_ratings_player", "player_id"),
    Index("ix_ratings_rules_value", "rules", "value"),
)
"""Each player's current rating in each game, and sums over `results`."""

summaries = table(
    "summaries",
    Column("rules", String(40), primary_key=True),
    Column("what", String(10), primary_key=True),
    Column("label", String(60), primary_key=True),
    Column("n", Integer, nullable=False),
    Index("ix_summaries_most", "rules", "what", "n"),
)
"""Counts of results by winner, length, month and opening."""
