"""Tables of players' clubs. `migrations/` makes their shape."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String

from pbem.store.tables.columns import Id, UtcDateTime, numbered_table, table

clubs = numbered_table(
    "clubs",
    Column("name", String(40), nullable=False),
    Column("key", String(40), nullable=False, unique=True),
    Column("town", String(40), nullable=False),
    Column("entry", String(10), nullable=False),
    Column("maker_id", Id, index=True),
    Column("made_at", UtcDateTime, nullable=False),
)
"""Clubs; a club without members is deleted. `key` is the name as it stands in addresses of pages."""

club_members = table(
    "club_members",
    Column("club_id", ForeignKey("clubs.id"), primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("since", UtcDateTime, nullable=False),
    Column("organiser", Boolean, nullable=False),
    Index("ix_club_members_player", "player_id"),
)

club_removals = table(
    "club_removals",
    Column("club_id", ForeignKey("clubs.id"), primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Index("ix_club_removals_player", "player_id"),
)
"""Players whom an organiser has put out, until they are in the club again."""
