"""Rows of letters: queued, sent, and found again by key."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, or_, select, update

from pbem.store.tables import messages_in, outbox


@dataclass(frozen=True)
class OutboundLetter:
    """A finished letter for the outbox; its times and bytes are final."""

    key: str
    kind: str
    player_id: int | None
    game_id: int | None
    entry: int | None
    mail_id: int | None
    envelope_from: str
    recipient: str
    message_id: str
    raw: bytes
    held: bool = False
    """Wait until the address accepts mail again."""
    next_at: datetime | None = None
    """The earliest time to send it; None for now."""


def put_in_outbox(db: Connection, letters: Sequence[OutboundLetter], now: datetime) -> None:
    """Put finished letters into the outbox, to be sent from `now` on."""
    if letters:
        db.execute(_QUEUED, [_row(letter, now) for letter in letters])


def _row(letter: OutboundLetter, now: datetime) -> dict[str, Any]:
    values = {**vars(letter), "created_at": now}
    return {**values, "state": "held" if values.pop("held") else "queued"}


@dataclass(frozen=True)
class GameLetter:
    """A game letter to one player, with fields for threading and numbering."""

    game_id: int
    player_id: int | None
    kind: str
    entry: int | None
    message_id: str
    key: str
    created_at: datetime


# What every turn asks; building a statement takes SQLAlchemy as long as running it.
_QUEUED = insert(outbox)
_OF_GAMES = (
    select(*(outbox.c[field.name] for field in fields(GameLetter)))
    .where(outbox.c.game_id.in_(bindparam("ids", expanding=True)))
    .order_by(outbox.c.id)
)
_OF_MAIL = select(func.count()).where(outbox.c.mail_id == bindparam("mail"))
_TO_ADDRESS = select(func.count()).where(
    outbox.c.recipient == bindparam("address"), outbox.c.created_at > bindparam("since")
)
_BY_KIND = _TO_ADDRESS.add_columns(outbox.c.kind).group_by(outbox.c.kind)
_KNOWN = select(outbox.c.id).where(
    or_(outbox.c.message_id == bindparam("message_id"), outbox.c.key == bindparam("key"))
)


def letters_of_games(db: Connection, numbers: Collection[int]) -> dict[int, list[GameLetter]]:
    """Return every letter of these games so far, by game, oldest first."""
    found: dict[int, list[GameLetter]] = {game: [] for game in numbers}
    for row in db.execute(_OF_GAMES, {"ids": numbers}):
        found[row.game_id].append(GameLetter(*row))
    return found


def answered_letter(db: Connection, message_ids: Sequence[str]) -> tuple[int | None, int | None]:
    """Return (game, journal entry) of the latest of these letters. (None, None) where none is known."""
    query = (
        select(outbox.c.game_id, outbox.c.entry)
        .where(outbox.c.message_id.in_(tuple(message_ids)), outbox.c.game_id.is_not(None))
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    row = db.execute(query).first()
    return (None, None) if row is None else (row.game_id, row.entry)


def answered_kind(db: Connection, message_ids: Sequence[str]) -> str:
    """Return the kind of the latest of these letters, or ""."""
    query = select(outbox.c.kind).where(outbox.c.message_id.in_(tuple(message_ids)))
    return db.execute(query.order_by(outbox.c.id.desc()).limit(1)).scalar() or ""


def newest_envelope_from(db: Connection) -> str:
    """Return the envelope sender of the newest letter, or ""; this signed address is never blanked."""
    return db.scalars(select(outbox.c.envelope_from).order_by(outbox.c.id.desc()).limit(1)).first() or ""


def letters_to(db: Connection, address: str) -> list[bytes]:
    """Return every letter to an address, as bytes, oldest first."""
    query = select(outbox.c.raw).where(outbox.c.recipient == address).order_by(outbox.c.id)
    return list(db.scalars(query))


def drop_waiting_receipt(db: Connection, game_id: int, player_id: int) -> bool:
    """Drop a receipt in a game that waits still; True if there was one."""
    waits = (
        outbox.c.game_id == game_id,
        outbox.c.player_id == player_id,
        outbox.c.kind == "receipt",
        outbox.c.state == "queued",
        outbox.c.next_at.is_not(None),
        outbox.c.attempts == 0,
    )
    why = {"state": "dropped", "next_at": None, "detail": "another letter tells the same"}
    return bool(db.execute(update(outbox).where(*waits).values(**why)).rowcount)


def letters_of_mail(db: Connection, mail_id: int) -> int:
    return db.execute(_OF_MAIL, {"mail": mail_id}).scalar_one()


def is_letter_known(db: Connection, message_id: str, key: str) -> bool:
    """True if a letter with this Message-ID or key was ever queued."""
    return db.execute(_KNOWN, {"message_id": message_id, "key": key}).first() is not None


def letter_id(db: Connection, key: str) -> int | None:
    return db.execute(select(outbox.c.id).where(outbox.c.key == key)).scalar_one_or_none()


def has_key(db: Connection, key: str) -> bool:
    return letter_id(db, key) is not None


def count_letters(db: Connection, address: str, since: datetime, kinds: Iterable[str] | None = None) -> int:
    to = {"address": address, "since": since}
    if kinds is None:
        return db.execute(_TO_ADDRESS, to).scalar_one()
    counts = {kind: number for number, kind in db.execute(_BY_KIND, to)}
    return sum(counts.get(kind, 0) for kind in set(kinds))


def count_caused(db: Connection, player_id: int, address: str, since: datetime) -> int:
    """Count letters to an address since `since` that a player's mails caused."""
    query = _TO_ADDRESS.join_from(outbox, messages_in, messages_in.c.id == outbox.c.mail_id)
    caused = query.where(messages_in.c.player_id == player_id)
    return db.execute(caused, {"address": address, "since": since}).scalar_one()
