"""Read-only mailboxes for the mailroom: an address's letters and mails."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, and_, case, func, select

from pbem.store.tables import addresses, challenges, games, messages_in, outbox, players


@dataclass(frozen=True)
class Mailbox:
    """An address with mails or letters; `name` is its player's, or ""."""

    address: str
    name: str
    letters: int
    began_at: datetime


@dataclass(frozen=True)
class MailroomLetter:
    """One of our letters in a mailbox. `mail_id` is the mail that it answers."""

    id: int
    kind: str
    recipient: str
    game_id: int | None
    mail_id: int | None
    at: datetime
    raw: bytes


_COLUMNS = "id kind recipient game_id mail_id raw"
_SENT = outbox.c.state != "dropped"
_LETTER = select(*(outbox.c[name] for name in _COLUMNS.split()), outbox.c.created_at.label("at")).where(_SENT)


def list_mailboxes(db: Connection, most: int = 100) -> list[Mailbox]:
    """Return the newest `most` mailboxes, by their first mail or letter."""
    letters = _group(db, outbox.c.recipient, outbox.c.created_at, _SENT)
    mails = _group(db, messages_in.c.sender, messages_in.c.received_at)
    names = _names(db, letters.keys() | mails.keys())
    found = []
    for address in filter(None, letters.keys() | mails.keys()):  # a null sender is no mailbox
        began = min(rows[address].first for rows in (letters, mails) if address in rows)
        number = letters[address].number if address in letters else 0
        found.append(Mailbox(address, names.get(address, ""), number, began))
    return sorted(found, key=lambda box: (box.began_at, box.address))[-most:]


def awaited_letters(db: Connection) -> dict[str, int]:
    """Return the newest letter awaiting an answer, by address in lower case."""
    address, newest = func.lower(outbox.c.recipient), func.max(outbox.c.id)
    to_play = case((games.c.to_play == 0, games.c.first_id), else_=games.c.second_id)
    due = and_(games.c.id == outbox.c.game_id, games.c.ended_at.is_(None), games.c.to_play.is_not(None))
    turns = select(address, newest).join(games, due).join(players, players.c.id == to_play)
    asked = and_(outbox.c.kind == "challenge", challenges.c.state == "open")
    offers = select(address, newest).join(players, func.lower(players.c.address) == address)
    offers = offers.join(challenges, and_(challenges.c.to_id == players.c.id, asked))
    mine = turns.where(func.lower(players.c.address) == address)
    rows = [*db.execute(offers.group_by(address)), *db.execute(mine.group_by(address))]
    return {row[0]: row[1] for row in rows}


def _group(
    db: Connection, address: Column[str], at: Column[datetime], *where: ColumnElement[bool]
) -> dict[str, Row[Any]]:
    """Return the number and first time of rows by address."""
    key = func.lower(address).label("address")
    query = select(key, func.count().label("number"), func.min(at).label("first")).group_by(key)
    return {row.address: row for row in db.execute(query.where(*where))}


def _names(db: Connection, wanted: Iterable[str]) -> dict[str, str]:
    query = (
        select(addresses.c.address, players.c.name)
        .join(players, players.c.id == addresses.c.player_id)
        .where(addresses.c.address.in_(tuple(wanted)))
    )
    return {row.address: row.name for row in db.execute(query)}


def letters_to(db: Connection, address: str, most: int = 60, game: int | None = None) -> list[MailroomLetter]:
    """Return the letters to an address, newest first. With `game` only those about it."""
    query = _LETTER.where(func.lower(outbox.c.recipient) == address.lower())
    if game is not None:
        query = query.where(outbox.c.game_id == game)
    return [_letter(row) for row in db.execute(query.order_by(outbox.c.id.desc()).limit(most))]


def games_of(db: Connection, address: str) -> list[tuple[int, str]]:
    """Return number and kind of games with letters to an address."""
    query = select(games.c.id, games.c.rules).join(outbox, outbox.c.game_id == games.c.id).distinct()
    rows = db.execute(query.where(func.lower(outbox.c.recipient) == address.lower()).order_by(games.c.id))
    return [(row.id, row.rules) for row in rows]


def letter(db: Connection, id: int) -> MailroomLetter | None:
    row = db.execute(_LETTER.where(outbox.c.id == id)).first()
    return None if row is None else _letter(row)


def _letter(row: Any) -> MailroomLetter:
    return MailroomLetter(**row._mapping)


def letters_caused_by(db: Connection, mail_id: int) -> list[MailroomLetter]:
    """Return the letters caused by a mail, in the order written."""
    query = _LETTER.where(outbox.c.mail_id == mail_id).order_by(outbox.c.id)
    return [_letter(row) for row in db.execute(query)]


def player_names(db: Connection, most: int = 20) -> list[str]:
    """Return players' names, newest first."""
    return list(db.scalars(select(players.c.name).order_by(players.c.id.desc()).limit(most)))
