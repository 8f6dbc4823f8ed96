"""The tables of events; `migrations/` brings a database to this shape.

`event_journal` is the truth about an event, together with the games that it names; the other rows are made of
both.
"""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, SmallInteger, String, text

from pbem.core.events.league import ENDED, TO_REPLACE, TO_VOID
from pbem.store.tables.columns import Id, UtcDateTime, numbered_table, table

events = numbered_table(
    "events",
    Column("kind", String(10), nullable=False),
    Column("rules", String(40), nullable=False),
    Column("season", Integer, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("previous_id", Id),
    Column("state", String(10), nullable=False),
    Column("starts_at", UtcDateTime),
    Column("ends_at", UtcDateTime),
    Column("asked", Boolean, nullable=False),
    Column("divisions", Integer, nullable=False),
    Column("begun", Integer, nullable=False),
    Column("next_at", UtcDateTime, index=True),
    Column("entries", Integer, nullable=False),
    Column("club_id", Id, index=True),
    Column("rival_id", Id, index=True),
    Index("ix_events_rules_state", "rules", "state"),
)
"""Seasons of leagues, ladders, and matches, by `kind`. `asked`: players were asked to confirm.

`begun` counts divisions: those that have their games, then besides those that have the letter of the start,
then that of half time, then that of the end. Boards of a match count as divisions. `club_id` is the club
whose members alone play, and `rival_id` the other one of a match, also when the club is no more.
"""

event_journal = table(
    "event_journal",
    Column("event_id", ForeignKey("events.id"), primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("data", JSON, nullable=False),
)

event_players = table(
    "event_players",
    Column("event_id", ForeignKey("events.id"), primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("n", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("division", SmallInteger),
    Column("place", SmallInteger),
    Index("ix_event_players_player", "player_id"),
    Index("ix_event_players_division", "event_id", "division", "place"),
)
"""Players of events. `n`: the entry of the journal by which they came; `place`: their place at the start.

In a match `place` is the club, 1 or 2, and `division` the board, None for whoever has none.
"""

event_games = table(
    "event_games",
    Column("event_id", ForeignKey("events.id"), primary_key=True, autoincrement=False),
    Column("division", SmallInteger, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("first_id", ForeignKey("players.id"), nullable=False),
    Column("second_id", ForeignKey("players.id"), nullable=False),
    Column("game_id", ForeignKey("games.id"), unique=True),
    Column("score", String(4)),
    Column("forced", Boolean, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Index("ix_event_games_pair", "event_id", "first_id", "second_id"),
)
"""Pairings of events. `forced`: the score is a forfeit or a director's, whatever the game brings.

On a ladder `n` is the challenge's entry in the journal; whoever is challenged has the first seat.
"""

TO_DO = text(f"state IN ({ENDED}, {TO_VOID}, {TO_REPLACE})")  # SQLite finds the index by literals alone
Index(
    "ix_event_games_to_do",
    event_games.c.event_id,
    event_games.c.division,
    sqlite_where=TO_DO,
    postgresql_where=TO_DO,
)
