"""The tables of bots; `migrations/` brings a database to this shape."""

from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Index, Integer, String

from pbem.store.tables.columns import UtcDateTime, numbered_table, table

bot_turns = table(
    "bot_turns",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("entries", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("leased_until", UtcDateTime, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("told", Boolean, nullable=False),
    Column("expected", String(100), nullable=False),
)
"""A bot's games: the journal's length that was last looked at, and who looks at it now, by a lease.

`tries` counts failures there; `told` is True once the player heard of a delay; `expected` is the answer that
the bot expects to its last move.
"""

bot_usage = table(
    "bot_usage",
    Column("day", String(10), primary_key=True),
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("seconds", Double, nullable=False),
)
"""The seconds that bots thought in a day for each player, and as 0 for nobody."""

bot_jobs = numbered_table(
    "bot_jobs",
    Column("kind", String(20), nullable=False),
    Column("key", String(80), nullable=False),
    Column("data", JSON, nullable=False),
    Column("player_id", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("leased_until", UtcDateTime, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("result", JSON),
    Index("ix_bot_jobs_kind_key", "kind", "key", unique=True),
    Index("ix_bot_jobs_done_leased_until", "done", "leased_until"),
)
"""What bots work out beside games, each once, for `player_id` or as 0 for nobody."""

hints = table(
    "hints",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index("ix_hints_player_id_at", "player_id", "at"),
)
"""The hints that players asked for: the entry of the ply before, and the number of the ply to make."""

moments = numbered_table(
    "moments",
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("positions", JSON, nullable=False),
    Column("said", JSON, nullable=False),
    Index("ix_moments_player_id_game_id", "player_id", "game_id"),
)
"""Three positions of a player's finished game as puzzles, and by their numbers what the player answered."""
