"""The tables in SQLAlchemy Core; `migrations/` brings a database to this shape.

`journal` and `messages_in.raw` are the truth about games; `players`, `addresses`, `challenges` and
`confirmations` are registers. All other columns, those of results and ratings too, can be rebuilt from those.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    Select,
    SmallInteger,
    String,
    Text,
    and_,
    false,
    func,
    or_,
    select,
    text,
)

from pbem.core.players import BOT_HOST, BOT_LEVELS, bot_name
from pbem.store.tables import bots, clubs, events, finding, learning, operation, ratings
from pbem.store.tables.columns import Id, Packed, UtcDateTime, metadata, numbered_table, required, table

__all__ = ["bots", "clubs", "events", "finding", "learning", "metadata", "operation", "ratings"]
"""Importing one table brings them all, so that `metadata` has every one."""

players = numbered_table(
    "players",
    Column("name", String(20), nullable=False),
    Column("name_key", String(20), nullable=False, unique=True),
    Column("address", String(254), nullable=False),
    Column("epoch", Integer, nullable=False, default=0),
    Column("stopped", JSON, nullable=False, default=list),
    Column("created_at", UtcDateTime, nullable=False),
    Column("wishes", JSON, nullable=False, default=dict, server_default="{}"),
    Column("digest_at", UtcDateTime, index=True),
    Column("barred", Text, nullable=False, default="", server_default=""),
    Column("director", Boolean, nullable=False, default=False, server_default=false()),
)

addresses = table(
    "addresses",
    Column("address", String(254), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("proven_at", UtcDateTime, nullable=False),
    Column("suspended_at", UtcDateTime),
)

bounces = table(
    "bounces",
    Column("outbox_id", ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
    Column("address", String(254), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("points", SmallInteger, nullable=False),
    Column("status", String(200), nullable=False, default=""),
    Index("ix_bounces_address_at", "address", "at"),
)
"""Bounced letters: one row a letter, however many reports come."""

bundles = numbered_table(
    "bundles",
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("entries", JSON, nullable=False),
)
"""Letters with boards of several games; `entries`: journal lengths by game number."""

nonces = table(
    "nonces",
    Column("way", String(20), primary_key=True),
    Column("nonce", String(100), primary_key=True),
    Column("seen_at", UtcDateTime, nullable=False, index=True),
)
"""Words that a webhook accepts once, and notices sent once a day."""

confirmations = numbered_table(
    "confirmations",
    Column("purpose", String(20), nullable=False),
    Column("address", String(254), nullable=False),
    Column("data", JSON, nullable=False),
    *required(UtcDateTime, "created_at", "expires_at"),
    Column("used_at", UtcDateTime),
    Index("ix_confirmations_address_created", "address", "created_at"),
    Index("ix_confirmations_purpose_created", "purpose", "created_at"),
)

games = numbered_table(
    "games",
    Column("rules", String(40), nullable=False),
    Column("rules_version", String(10), nullable=False),
    Column("options", JSON, nullable=False),
    Column("seed", String(40), nullable=False),
    Column("first_id", ForeignKey("players.id"), nullable=False),
    Column("second_id", ForeignKey("players.id"), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("pace", String(40), nullable=False, default="none", server_default="none"),
    Column("soft", Boolean, nullable=False, default=False, server_default=false()),
    *required(UtcDateTime, "started_at", "changed_at"),
    Column("entries", Integer, nullable=False, default=0),
    Column("plies", Integer, nullable=False, default=0),
    Column("to_play", SmallInteger),
    Column("ended_at", UtcDateTime),
    Column("ended_by", String(20)),
    Column("winner", SmallInteger),
    Column("reason", Text),
    Column("next_event_at", UtcDateTime, index=True),
    Column("deadline_at", UtcDateTime),
    Column("deadline_moves", Integer, nullable=False, default=0, server_default="0"),
    Column("deadline_moved_at", UtcDateTime),
    Column("held", JSON(none_as_null=True)),
    Column("revised", Integer, nullable=False, default=0, server_default="0"),
    Column("restored_entries", Integer),
    Column("stands", JSON(none_as_null=True)),
    CheckConstraint("first_id <> second_id", name="two_players"),
    Index("ix_games_first_running", "first_id", "ended_at"),
    Index("ix_games_second_running", "second_id", "ended_at"),
    Index("ix_games_first_id", "first_id", "id"),
    Index("ix_games_second_id", "second_id", "id"),
    Index("ix_games_changed", "changed_at"),
    Index("ix_games_started", "started_at", "id"),
    Index("ix_games_ended", "ended_at", "id"),
    Index("ix_games_rules_ended", "rules", "ended_at", "id"),
    Index("ix_games_plies", "plies", "id"),
    Index("ix_games_rules_plies", "rules", "plies", "id"),
)

UNDECIDED = games.c.ended_at.is_not(None) & games.c.winner.is_(None)
RUNNING = games.c.ended_at.is_(None)
for only, name, known, part in (
    (None, "ix_games_running", "id", RUNNING),
    (None, "ix_games_rules_running", "rules id", RUNNING),
    (None, "ix_games_undecided", "id", UNDECIDED),
    ("postgresql", "ix_games_rules_id", "rules id", None),
    ("postgresql", "ix_games_ended_by", "ended_by id", None),
    # The SQLite indexes include often-filtered columns; else each would cost a page read.
    ("sqlite", "ix_games_rules_options", "rules id options", None),
    ("sqlite", "ix_games_ended_by_options", "ended_by id plies rules options", games.c.ended_by.is_not(None)),
):
    keys = (games.c[column] for column in known.split())
    Index(name, *keys, sqlite_where=part, postgresql_where=part).ddl_if(dialect=only)


def _bot_ids(levels: Iterable[int]) -> Select[tuple[int]]:
    names = [bot_name(level) for level in levels]
    of_bot = players.c.address.endswith(f"@{BOT_HOST}", autoescape=True)
    return select(players.c.id).where(players.c.name_key.in_(names), of_bot)


def has_bot(levels: Iterable[int]) -> ColumnElement[bool]:
    """Return the condition that a bot of these levels plays the game."""
    ids = _bot_ids(levels)
    return or_(games.c.first_id.in_(ids), games.c.second_id.in_(ids))


BOT_IDS = _bot_ids(BOT_LEVELS)
HAS_BOT = has_bot(BOT_LEVELS)
BOTS_ALONE = and_(games.c.first_id.in_(BOT_IDS), games.c.second_id.in_(BOT_IDS))
"""The condition that two bots play the game, for visitors to look at."""


def has_seat(player: Any) -> ColumnElement[bool]:
    """Return the condition that a player plays in the game."""
    return or_(games.c.first_id == player, games.c.second_id == player)


moderation = numbered_table(
    "moderation",
    Column("kind", String(10), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("by", String(60), nullable=False),
    Column("reason", Text, nullable=False),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("game_id", ForeignKey("games.id"), index=True),
    Column("entry", Integer),
    Column("data", JSON, nullable=False, default=dict, server_default="{}"),
)
"""The operator's acts on words and players, their reversals, and reports."""

journal = table(
    "journal",
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("seat", SmallInteger),
    Column("data", JSON, nullable=False),
    CheckConstraint("n >= 1", name="counts_from_one"),
)

live = table(
    "live",
    Column("game_id", ForeignKey("games.id"), primary_key=True, autoincrement=False),
    Column("first_seen", UtcDateTime),
    Column("second_seen", UtcDateTime),
    Column("offered_by", SmallInteger),
    Column("offered_at", UtcDateTime),
    Column("agreed_at", UtcDateTime),
    Column("entry", Integer, nullable=False, default=0, server_default="0"),
)
"""Games whose players were on their page: when, and their agreement to play on while letters wait."""
AGREED = live.c.agreed_at.is_not(None)
Index("ix_live_agreed_at", live.c.agreed_at, sqlite_where=AGREED, postgresql_where=AGREED)

challenges = numbered_table(
    "challenges",
    Column("from_id", ForeignKey("players.id"), nullable=False),
    Column("to_id", ForeignKey("players.id")),
    Column("rules", String(40), nullable=False),
    Column("options", JSON, nullable=False),
    Column("seats", String(10), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("pace", String(40), nullable=False, default="none", server_default="none"),
    Column("soft", Boolean, nullable=False, default=False, server_default=false()),
    Column("state", String(10), nullable=False),
    *required(UtcDateTime, "created_at", "expires_at"),
    Column("game_id", ForeignKey("games.id")),
    Column("comment", Text, nullable=False, default="", server_default=""),
    Column("bots", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("near", Boolean, nullable=False, default=False, server_default=false()),
    Column("up_to", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("standing", Id),
    Column("invitation", Id),
    Index("ix_challenges_to_state", "to_id", "state"),
    Index("ix_challenges_from_state", "from_id", "state"),
    Index("ix_challenges_standing", "standing"),
    Index("ix_challenges_invitation", "invitation"),
)
"""Challenges, and seeks, which have no `to_id` until taken; both are numbered in one sequence.

`comment`: a seeker's words for whoever takes the seek, until it is closed. `bots`: the level of the bot that
takes the seek after a day, or 0. `near`: only players about as strong as the seeker may take it. `up_to`: the
games that may run of a standing seek, or 0; each game of it has a row whose `standing` is the seek's number.
`invitation`: the invitation that a challenge comes of, if any.
"""

blocks = table(
    "blocks",
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("blocked_id", ForeignKey("players.id"), primary_key=True, autoincrement=False, index=True),
    Column("created_at", UtcDateTime, nullable=False),
)
"""Blocks between players."""

limits = table(
    "limits",
    Column("player_id", ForeignKey("players.id"), primary_key=True, autoincrement=False),
    Column("rules", String(40), primary_key=True),
    Column("most", SmallInteger, nullable=False),
)
"""Players' limits on running games of a kind."""

notes = numbered_table(
    "notes",
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("words", Text, nullable=False),
    Index("ix_notes_player_game", "player_id", "game_id"),
)
"""Players' private notes about a game after a ply."""

watches = table(
    "watches",
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game_id", ForeignKey("games.id"), primary_key=True, index=True),
    Column("seen", Integer, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("by_player", Id),
)
"""Spectators of games; `seen`: plies already reported to them.

`by_player`: the player whose games they watch, None where they asked for the game itself.
"""

vacations = numbered_table(
    "vacations",
    Column("player_id", ForeignKey("players.id"), nullable=False),
    *required(UtcDateTime, "begins_at", "ends_at"),
    Column("automatic", Boolean, nullable=False),
    Index("ix_vacations_player_begins", "player_id", "begins_at"),
)
"""Days that stop a player's clocks; a fallen flag adds `automatic` ones."""

zones = numbered_table(
    "zones",
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("until", UtcDateTime, nullable=False),
    Column("zone", String(40), nullable=False),
    Index("ix_zones_player_until", "player_id", "until"),
)
"""Zones that players had until they set others; the present one is a preference."""

outages = numbered_table(
    "outages",
    Column("begins_at", UtcDateTime, nullable=False, index=True),
    Column("ends_at", UtcDateTime, nullable=False),
)
"""Server outages: every clock gets that time back."""

heartbeats = table(
    "heartbeats",
    Column("name", String(20), primary_key=True),
    Column("at", UtcDateTime, nullable=False),
)
"""Last heartbeats of the worker."""

reminders = table(
    "reminders",
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("which", String(10), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("letter", String(400), index=True),
    Index("ix_reminders_player_at", "player_id", "at"),
)
"""Handled reminders: `entry` began the turn, `letter` is a letter's key, if any."""

IS_NEW = text("state = 'new'")  # SQLite finds the index by literals alone
messages_in = numbered_table(
    "messages_in",
    Column("received_at", UtcDateTime, nullable=False),
    *required(String(320), "sender", "recipient"),
    Column("raw", Packed, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("dedupe", String(64), unique=True),
    Column("state", String(10), nullable=False),
    Column("code", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("detail", Text, nullable=False, default=""),
    Column("attempts", Integer, nullable=False, default=0),
    Column("next_at", UtcDateTime),
    Column("filed_at", UtcDateTime),
    Column("player_id", ForeignKey("players.id")),
    Column("game_id", ForeignKey("games.id")),
    Column("about_game", BigInteger),
    Column("whose", String(320)),
    Index("ix_messages_in_state_next", "state", "next_at"),
    Index("ix_messages_in_player", "player_id"),
    Index("ix_messages_in_new", "id", sqlite_where=IS_NEW, postgresql_where=IS_NEW),
)
"""Mails.

`about_game`: the game of its reply address. `whose`: the number of the player of its reply address, or the
address in its From. No clock has decided anything by these; where both are NULL, any game may be meant.
"""
Index("ix_messages_in_sender_lower", func.lower(messages_in.c.sender))

outbox = numbered_table(
    "outbox",
    Column("key", String(400), nullable=False, unique=True),
    Column("kind", String(20), nullable=False),
    Column("player_id", ForeignKey("players.id")),
    Column("game_id", ForeignKey("games.id")),
    Column("entry", Integer),
    Column("mail_id", Id),
    Column("envelope_from", String(320), nullable=False),
    Column("recipient", String(254), nullable=False),
    Column("message_id", String(320), nullable=False, unique=True),
    Column("raw", Packed, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("next_at", UtcDateTime),
    Column("sent_at", UtcDateTime),
    Column("detail", Text, nullable=False, default=""),
    Column("trouble", String(10), nullable=False, default="", server_default=""),
    Column("faults", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("blank_at", UtcDateTime),
    Index("ix_outbox_state_next", "state", "next_at"),
    Index("ix_outbox_recipient_created", "recipient", "created_at"),
    Index("ix_outbox_game_player", "game_id", "player_id"),
    Index("ix_outbox_mail", "mail_id"),
    Index("ix_outbox_envelope_from", "envelope_from"),
    Index("ix_outbox_player", "player_id"),
    Index("ix_outbox_kind_created", "kind", "created_at"),
    Index("ix_outbox_blank_at", "blank_at"),
)
"""Letters.

`trouble`: the cause of a refusal that the operator must handle. `faults`: failures that were our fault.
`blank_at`: when the secrets are removed, since it is not sent again.
"""
Index("ix_outbox_recipient_lower", func.lower(outbox.c.recipient))

restores = table(
    "restores",
    Column("epoch", BigInteger, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
)
"""Restores from a backup; `epoch`: the number in letters from then on."""

signins = numbered_table(
    "signins",
    Column("asked", String(254), nullable=False),
    Column("asked_at", UtcDateTime, nullable=False, index=True),
    Column("seal", String(64), unique=True),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("epoch", Integer),
    Column("expires_at", UtcDateTime),
    Column("used_at", UtcDateTime),
)
"""Requests for sign-in links; `seal`: the digest of the link's secret, once written."""

sessions = table(
    "sessions",
    Column("seal", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("epoch", Integer, nullable=False),
    Column("begun_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False, index=True),
)
"""Web sessions; `seal`: the digest of the browser's secret."""

attempts = table(
    "attempts",
    Column("what", String(120), primary_key=True),
    Column("since", UtcDateTime, nullable=False, index=True),
    Column("number", Integer, nullable=False),
)
"""Counts of requests since a moment."""
