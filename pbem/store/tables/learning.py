"""The tables of lessons, puzzles, guesses and the paper. `migrations/` brings a database to this shape."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, String

from pbem.store.tables.columns import UtcDateTime, numbered_table, table

lesson_tries = table(
    "lesson_tries",
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("rules", String(40), primary_key=True),
    Column("lesson", Integer, primary_key=True, autoincrement=False),
    Column("answer", String(200), nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)
"""The last answers of players to lessons, numbered from 1; once solved a lesson stays so."""

proof_tries = table(
    "proof_tries",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("state", String(10), nullable=False),
    Column("at", UtcDateTime, nullable=False),
)
"""Claims of proved wins: `open` while the proof is looked for since `at`, `failed` if there was none."""

puzzles = numbered_table(
    "puzzles",
    Column("game_id", ForeignKey("games.id")),
    Column("ply", Integer, nullable=False),
    Column("rules", String(40), nullable=False),
    Column("answer", String(200), nullable=False),
    Column("line", JSON, nullable=False),
    Column("replies", JSON, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("setup", JSON(none_as_null=True)),
    Index("ix_puzzles_game_id_ply", "game_id", "ply", unique=True),
    Index("ix_puzzles_rules_id", "rules", "id"),
)
"""Positions of finished games after `ply` with one winning move; `tried` counts all who answered.

A puzzle of the laboratory has no game here, and a `setup` instead.
"""

puzzle_games = table(
    "puzzle_games",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("ended_at", UtcDateTime, nullable=False),
    Index("ix_puzzle_games_ended_at", "ended_at"),
)
"""Finished games that puzzles were looked for in, with their ends at that time."""

puzzle_tries = table(
    "puzzle_tries",
    Column("puzzle_id", ForeignKey("puzzles.id"), primary_key=True, autoincrement=False),
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("answer", String(200)),
    Column("right", Boolean),
    Index("ix_puzzle_tries_player_id", "player_id"),
)
"""Puzzles that players have been given, with their first answers."""

daily_puzzles = table(
    "daily_puzzles",
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("due_at", UtcDateTime, nullable=False),
    Index("ix_daily_puzzles_due_at", "due_at"),
)
"""Players who get a puzzle a day, and when the next is due."""

guesses = table(
    "guesses",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("move", String(200), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("right", Boolean),
    Index("ix_guesses_player_id", "player_id"),
)
"""Guesses at move `ply` of a game, spelled as in the journal. `right` is NULL until that move is there."""

papers = table(
    "papers",
    Column("week", String(8), primary_key=True),
    Column("made_at", UtcDateTime, nullable=False),
    Column("issue", JSON, nullable=False),
)
"""What the paper of each week says, by numbers of rows; `{}` where there is nothing to say."""

paper_readers = table(
    "paper_readers",
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("due_at", UtcDateTime, nullable=False),
    Index("ix_paper_readers_due_at", "due_at"),
)
"""Players who get the paper, and when the next is due."""
