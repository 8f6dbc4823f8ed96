"""Received mails and queued letters: `messages_in` and the outbox.

A row without `next_at` is due at once, whatever the clock says; others are due at that time. `delivery` sends
the letters.
"""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from enum import IntFlag
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from pbem.core.game.game import Game
from pbem.core.players import Player
from pbem.store.engine import upsert
from pbem.store.tables import IS_NEW, games, has_seat, messages_in, nonces, outbox
from pbem.store.tables.columns import UtcDateTime

MAX_WAIT = timedelta(hours=1)
"""Longest delay of a mail; a longer one was set by a fast clock."""
LOCK_NAPS_SECONDS = (0.0, 0.005, 0.02, 0.1, 0.5)
"""Waits before each try to lock a mail: a claim holds the lock for milliseconds, other work for longer."""
STATES = ("new", "done", "refused", "robot", "bounce", "loop", "stranger", "duplicate", "shunted")
"""The states of a mail; each ends in one of these except `new`."""


class Code(IntFlag):
    """A code about a mail's end or last attempt. Decisions depend on it."""

    NONE = 0
    UNSEEN = 1
    """The mail took back a ply that nobody else had seen; the game keeps no trace of that."""
    UNANSWERED = 2
    """The mail's writer had as many answers within the hour as anybody gets."""
    FAILED = 4
    """An attempt failed, and the mail is tried again."""


def in_words(detail: str, code: Code) -> str:
    """A mail's end for the operator."""
    unanswered = "more mails in an hour than are answered" if Code.UNANSWERED in code else ""
    return " / ".join(filter(None, (detail, unanswered)))


@dataclass(frozen=True)
class StoredMail:
    id: int
    received_at: datetime
    sender: str
    recipient: str
    raw: bytes
    state: str
    attempts: int
    detail: str = ""
    filed_at: datetime | None = None
    """The time when the mail was last filed; a `new` mail with this time is to be handled again."""
    code: Code = Code.NONE

    @property
    def key(self) -> str:
        """The mail's name in logs and for people: `m17`."""
        return f"m{self.id}"

    @property
    def disposition(self) -> str:
        return in_words(self.detail, self.code)


_KEPT_ONCE = {
    name: dialect.insert(messages_in)
    .on_conflict_do_nothing(index_elements=["dedupe"])
    .returning(messages_in.c.id)
    for name, dialect in (("postgresql", postgresql), ("sqlite", sqlite))
}
"""The insert of a mail that is not there yet, by dialect."""


def store_mail(
    db: Connection,
    *,
    raw: bytes,
    sender: str,
    recipient: str,
    sha256: str,
    dedupe: str,
    now: datetime,
    at: datetime | None = None,
    about_game: int | None = None,
    whose: str | None = None,
) -> tuple[int, bool]:
    """Store a mail for one recipient; returns (number, is new).

    `at` is when it was accepted, if not now; for `about_game` and `whose` see the table. `dedupe` stands for
    recipient, Message-ID and body. A second mail with the same value becomes a duplicate at once, without
    bytes, since they are stored already. The unique column decides, so two deliveries at the same moment
    cannot both be new.
    """
    people: dict[str, Any] = {"sender": sender[:320], "recipient": recipient[:320]}
    people |= {"about_game": about_game, "whose": whose if whose is None else whose[:320]}
    values: dict[str, Any] = {"received_at": at or now, "raw": raw, "sha256": sha256, **people}
    first = {**values, "dedupe": dedupe, "state": "new", "next_at": None}
    id = db.execute(_KEPT_ONCE[db.dialect.name], first).scalar_one_or_none()
    if id is not None:
        return id, True
    again = {**values, "raw": b"", "state": "duplicate", "filed_at": now}
    return db.execute(insert(messages_in).returning(messages_in.c.id), again).scalar_one(), False


def claim_nonce(
    db: Connection, channel: str, nonce: str, now: datetime, kept: timedelta = timedelta(days=1)
) -> bool:
    """Record a nonce on a channel; True if unused. `kept` is longer than a webhook stays valid."""
    db.execute(delete(nonces).where(nonces.c.way == channel, nonces.c.seen_at < now - kept))
    statement = upsert(db, nonces).values(way=channel, nonce=nonce, seen_at=now).on_conflict_do_nothing()
    return db.execute(statement.returning(nonces.c.nonce)).first() is not None


def is_nonce_claimed(db: Connection, channel: str, nonce: str) -> bool:
    """True if `claim_nonce` has recorded this nonce on its channel."""
    found = select(nonces.c.nonce).where(nonces.c.way == channel, nonces.c.nonce == nonce)
    return db.execute(found).first() is not None


_COLUMNS = [messages_in.c[field.name] for field in fields(StoredMail)]


IS_DUE = and_(
    IS_NEW,
    or_(
        messages_in.c.next_at.is_(None),
        messages_in.c.next_at <= bindparam("now", type_=UtcDateTime),
        messages_in.c.next_at > bindparam("wrong", type_=UtcDateTime),
    ),
)
_NUMBER = messages_in.c.id == bindparam("mail")
_FIRST = messages_in.c.id.not_in(bindparam("besides", expanding=True))
_MAIL = select(*_COLUMNS).where(_NUMBER)
_OF_ID = update(messages_in).where(_NUMBER)
_NEW = _MAIL.where(IS_NEW).with_for_update(skip_locked=True)
_STILL_NEW = select(messages_in.c.id).where(_NUMBER, IS_NEW)


def _claiming(which: ColumnElement[bool]) -> Executable:
    """Return the statement that finds, locks and claims the oldest due mail."""
    due = select(messages_in.c.id).where(IS_DUE, which).order_by(messages_in.c.id).limit(1)
    claim = {"attempts": messages_in.c.attempts + 1, "next_at": bindparam("until", type_=UtcDateTime)}
    found = due.with_for_update(skip_locked=True).scalar_subquery()
    return update(messages_in).where(messages_in.c.id == found).values(claim).returning(*_COLUMNS)


_CLAIM, _CLAIM_FIRST = _claiming(_NUMBER), _claiming(_FIRST)


def claim_mail(db: Connection, id: int, now: datetime, until: datetime) -> StoredMail | None:
    """Claim a mail to handle until `until`; None if another process has it, or if it is not yet due.

    The attempt is counted in advance, so that an attempt that kills the process counts too.
    """
    return _claimed(db, _CLAIM, now, until, mail=id)


def claim_oldest_mail(
    db: Connection, now: datetime, until: datetime, besides: Collection[int] = ()
) -> StoredMail | None:
    """Claim the oldest due mail as `claim_mail` does, or return None. Skips `besides`."""
    return _claimed(db, _CLAIM_FIRST, now, until, besides=tuple(besides))


def _claimed(
    db: Connection, claim: Executable, now: datetime, until: datetime, **which: Any
) -> StoredMail | None:
    moments = {"now": now, "wrong": now + MAX_WAIT, "until": until}
    return _stored_mail(db.execute(claim, {**which, **moments}).first())


def waiting_mail_ids(db: Connection, now: datetime, among: Collection[int] | None = None) -> list[int]:
    """Return the numbers of due new mails, oldest first. With `among` only those."""
    query = select(messages_in.c.id).where(IS_DUE).order_by(messages_in.c.id)
    if among is not None:
        query = query.where(messages_in.c.id.in_(tuple(among)))
    return list(db.scalars(query, {"now": now, "wrong": now + MAX_WAIT}))


def lock_mail(db: Connection, id: int) -> StoredMail | None:
    """Lock a new mail for this transaction. Return None if another process has it.

    The lock is tried again for a moment, because a claim on PostgreSQL may briefly lock a row that it then
    skips: the claim locks the newest version, and only then sees that the mail is claimed already.
    """
    for nap in LOCK_NAPS_SECONDS:
        if nap:  # even zero seconds let other threads go first
            time.sleep(nap)
        if (row := db.execute(_NEW, {"mail": id}).first()) is not None:
            return _stored_mail(row)
        if db.execute(_STILL_NEW, {"mail": id}).first() is None:
            break
    return None


def mail_by_id(db: Connection, id: int) -> StoredMail | None:
    return _stored_mail(db.execute(_MAIL, {"mail": id}).first())


def newest_mail_id(db: Connection) -> int:
    return db.execute(select(func.coalesce(func.max(messages_in.c.id), 0))).scalar_one()


def mails_after(db: Connection, id: int, most: int = 100) -> list[StoredMail]:
    """Return the mails that came after one, oldest first."""
    query = select(*_COLUMNS).where(messages_in.c.id > id).order_by(messages_in.c.id).limit(most)
    return [_stored_mail(row) for row in db.execute(query)]


def mail_id_by_dedupe(db: Connection, dedupe: str) -> int | None:
    return db.execute(select(messages_in.c.id).where(messages_in.c.dedupe == dedupe)).scalar_one_or_none()


def _stored_mail(row: Any) -> Any:
    return None if row is None else StoredMail(**{**row._mapping, "code": Code(row.code)})


def _storable(text: str) -> str:
    """Replace what PostgreSQL cannot store: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def set_disposition(
    db: Connection,
    id: int,
    state: str,
    detail: str,
    now: datetime,
    *,
    code: Code = Code.NONE,
    player_id: int | None = None,
    game_id: int | None = None,
) -> None:
    assert state in STATES
    values = {
        "state": state,
        "code": int(code),
        "detail": _storable(detail),
        "filed_at": now,
        "next_at": None,
    }
    db.execute(_OF_ID, {"mail": id, "player_id": player_id, "game_id": game_id, **values})


def record_failed_attempt(db: Connection, id: int, detail: str, next_at: datetime) -> None:
    """Record a failed attempt at a mail; the next is at `next_at`. The attempt was counted at its start."""
    change = update(messages_in).where(messages_in.c.id == id, messages_in.c.state == "new")
    db.execute(change.values(code=int(Code.FAILED), detail=_storable(detail), next_at=next_at))


def reopen_mails(db: Connection, ids: Iterable[int]) -> int:
    """Handle mails that have bytes again from the start; returns their number."""
    change = update(messages_in).where(
        messages_in.c.id.in_(tuple(ids)),
        messages_in.c.state.not_in(("new", "duplicate")),
        func.length(messages_in.c.raw) > 0,
    )
    return db.execute(change.values(state="new", attempts=0, code=0, detail="", next_at=None)).rowcount


def mails_from_address(db: Connection, address: str, most: int = 60) -> list[StoredMail]:
    """Return the mails from an address, in any case, newest first."""
    query = select(*_COLUMNS).where(func.lower(messages_in.c.sender) == address.lower())
    return [_stored_mail(row) for row in db.execute(query.order_by(messages_in.c.id.desc()).limit(most))]


def kept_mails_of(db: Connection, player: Player, before: int, most: int) -> list[StoredMail]:
    """Return a player's mails with bytes and numbers below `before`, newest first."""
    kept = (messages_in.c.player_id == player.id, func.length(messages_in.c.raw) > 0)
    query = select(*_COLUMNS).where(*kept, messages_in.c.id < before).order_by(messages_in.c.id.desc())
    return [_stored_mail(row) for row in db.execute(query.limit(most))]


def mails_in_state(db: Connection, state: str, most: int = 1000) -> list[StoredMail]:
    query = select(*_COLUMNS).where(messages_in.c.state == state).order_by(messages_in.c.id).limit(most)
    return [_stored_mail(row) for row in db.execute(query)]


def count_by_state(db: Connection) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for name, table in (("mail in", messages_in), ("letters out", outbox)):
        rows = db.execute(select(table.c.state, func.count()).group_by(table.c.state))
        found[name] = dict(sorted((state, count) for state, count in rows))
    return found


def last_unseen_takeback(db: Connection, game_id: int, player_id: int, since: datetime) -> datetime | None:
    """Return when a player last took back an unseen ply, after `since`."""
    query = select(func.max(outbox.c.created_at)).join(messages_in, messages_in.c.id == outbox.c.mail_id)
    there = (outbox.c.game_id == game_id, outbox.c.player_id == player_id, outbox.c.kind == "undo")
    unseen = messages_in.c.code.bitwise_and(int(Code.UNSEEN)) > 0
    return db.execute(query.where(*there, outbox.c.created_at > since, unseen)).scalar_one()


def first_waiting_mail(
    db: Connection, moment: datetime, besides: int | None = None, game: Game | None = None
) -> int | None:
    """Return the oldest waiting mail from before `moment`; `game` narrows the search.

    A mail counts for `game` if an address of the game's players is its sender or recipient, as such a mail
    may name the game.

    With `besides`, the search is for a mail that mail number `besides` must wait for. Mails that are handled
    again are left out, because no clock waits for them. So mails wait only for first attempts, and first
    attempts only for older ones (with a moment no later than their own): never in a circle.
    """
    query = select(messages_in.c.id).where(IS_NEW, messages_in.c.received_at < moment)
    if game is not None:
        query = query.where(_may_be_about(game))
    if besides:
        query = query.where(messages_in.c.filed_at.is_(None), messages_in.c.id != besides)
    return db.execute(query.order_by(messages_in.c.id).limit(1)).scalar_one_or_none()


def _may_be_about(game: Game) -> ColumnElement[bool]:
    about, whose, seats = messages_in.c.about_game, messages_in.c.whose, game.seats
    ids = [player.id for player in seats]
    names = {*map(str, ids), *(address for player in seats for address in player.addresses)}
    other = select(games.c.id).where(games.c.id == about, or_(*(has_seat(id) for id in ids)))
    unknown = and_(about.is_(None), whose.is_(None))
    return or_(unknown, about == game.id, whose.in_(names), other.exists())


def delay_mail(db: Connection, id: int, next_at: datetime | None) -> None:
    """Put a mail off until `next_at` (None makes it due), and count one attempt less."""
    change = update(messages_in).where(messages_in.c.id == id, messages_in.c.state == "new")
    fewer = case((messages_in.c.attempts > 0, messages_in.c.attempts - 1), else_=0)
    db.execute(change.values(attempts=fewer, next_at=next_at))


def oldest_waiting_times(db: Connection) -> tuple[datetime | None, datetime | None]:
    mail_query = select(func.min(messages_in.c.received_at)).where(messages_in.c.state == "new")
    letter_query = select(func.min(outbox.c.created_at)).where(outbox.c.state == "queued")
    return db.execute(mail_query).scalar_one(), db.execute(letter_query).scalar_one()
