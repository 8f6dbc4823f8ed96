"""Tables of watched players and leagues, seek letters, and invitations. `migrations/` makes their shape."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, SmallInteger, String

from pbem.store.tables.columns import Id, UtcDateTime, numbered_table, required, table

seek_letters = table(
    "seek_letters",
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("told", Id, nullable=False),
    Column("next_at", UtcDateTime, nullable=False),
    Index("ix_seek_letters_next_at", "next_at"),
)
"""Players who hear of new seeks: `told` is the newest seek they know of, `next_at` when to look again."""

watched_players = table(
    "watched_players",
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("watched_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("last_game", Id, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Index("ix_watched_players_watched_id", "watched_id"),
)
"""Players whose games others watch; `last_game` is the newest game that was looked at."""

watched_leagues = table(
    "watched_leagues",
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("rules", String(40), primary_key=True),
    Column("told_at", UtcDateTime, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Index("ix_watched_leagues_due_at", "due_at"),
)
"""Leagues whose results players get each week. `told_at`: they know the results before this moment."""

invitations = numbered_table(
    "invitations",
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("terms", JSON, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("friends", SmallInteger, nullable=False),
    Column("digest", String(64)),
    *required(UtcDateTime, "created_at", "expires_at"),
    Index("ix_invitations_player_created", "player_id", "created_at"),
)
"""Invitations to a game, for so many friends; `digest`: that of the one address written to, if any."""

invited = numbered_table(
    "invited",
    Column("digest", String(64), nullable=False, unique=True),
    Column("at", UtcDateTime, nullable=False),
    Column("never", Boolean, nullable=False),
)
"""Addresses that had an invitation, as keyed digests, for good. `never`: no other letter goes there."""
