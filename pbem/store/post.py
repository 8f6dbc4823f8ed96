"""Mail kept and letters queued: `messages_in` and the outbox.

A row whose `next_at` is empty is due at once, whatever the clock says; others when their time has
come. How letters are sent stands in `delivery`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntFlag
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pbem.store.engine import is_sqlite
from pbem.store.tables import Moment, messages_in, nonces, outbox

LONGEST_WAIT = timedelta(hours=1)
"""No mail is put off for longer; one that seems to be was put off by a clock that was ahead."""
STATES = ("new", "done", "refused", "robot", "bounce", "loop", "stranger", "duplicate", "shunted")
"""What can become of a mail; every one ends in one of these but `new`."""


class Code(IntFlag):
    """Facts about a mail's end or its last attempt, on which something depends."""

    NONE = 0
    UNSEEN = 1
    """It took back a ply that nobody else had seen; the game keeps no trace of that."""
    UNANSWERED = 2
    """Its writer had as many answers within the hour as anybody gets."""
    FAILED = 4
    """An attempt failed, and it is tried again."""


def in_words(detail: str, code: Code) -> str:
    """A mail's end for the operator."""
    unanswered = "more mails in an hour than are answered" if Code.UNANSWERED in code else ""
    return " / ".join(filter(None, (detail, unanswered)))


@dataclass(frozen=True)
class Kept:
    """A mail as it was kept."""

    id: int
    received_at: datetime
    sender: str
    recipient: str
    raw: bytes
    state: str
    attempts: int
    detail: str = ""
    filed_at: datetime | None = None
    """When it was filed last; where it is `new`, it was filed before and is to be handled again."""
    code: Code = Code.NONE

    @property
    def key(self) -> str:
        """What people and logs call it: `m17`."""
        return f"m{self.id}"


@dataclass(frozen=True)
class Queued:
    """A finished letter to be put into the outbox; times and bytes are fixed from here on."""

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
    """Not to be sent before its address is known to take mail again."""


def _keep_once(upsert: Any) -> Any:
    """An insert that gives the new row's number, or nothing where its `dedupe` is there already."""
    return upsert(messages_in).on_conflict_do_nothing(index_elements=["dedupe"]).returning(messages_in.c.id)


_KEEP = {"sqlite": _keep_once(sqlite.insert), "postgresql": _keep_once(postgresql.insert)}
_KEEP_AGAIN = insert(messages_in).returning(messages_in.c.id)


def keep(
    db: Connection,
    *,
    raw: bytes,
    sender: str,
    recipient: str,
    sha256: str,
    dedupe: str,
    now: datetime,
    at: datetime | None = None,
) -> tuple[int, bool]:
    """Keep a mail for one recipient; (its number, whether it is new).

    `at` is when it was accepted, if not now. `dedupe` stands for recipient, Message-ID and body: a second
    mail with the same is filed as a duplicate at once, without its bytes: they are there already. The
    unique column decides, so two deliveries at the same moment cannot both be new.
    """
    values: dict[str, Any] = {
        "received_at": at or now,
        "sender": sender[:320],
        "recipient": recipient[:320],
        "raw": raw,
        "sha256": sha256,
        "attempts": 0,
        "detail": "",
    }
    first = {**values, "dedupe": dedupe, "state": "new", "next_at": None}
    id = db.execute(_KEEP[db.dialect.name], first).scalar_one_or_none()
    if id is not None:
        return id, True
    again = {**values, "raw": b"", "state": "duplicate", "filed_at": now}
    return db.execute(_KEEP_AGAIN, again).scalar_one(), False


_NONCES_KEPT = timedelta(days=1)
"""Longer than any of a webhook's could be used anyway."""


def first_time(db: Connection, way: str, nonce: str, now: datetime, kept: timedelta = _NONCES_KEPT) -> bool:
    """Note that `nonce` was used on a way in; whether it never was before, as far as that is `kept`."""
    db.execute(delete(nonces).where(nonces.c.way == way, nonces.c.seen_at < now - kept))
    upsert = sqlite.insert if is_sqlite(db) else postgresql.insert
    statement = upsert(nonces).values(way=way, nonce=nonce, seen_at=now).on_conflict_do_nothing()
    return db.execute(statement.returning(nonces.c.nonce)).first() is not None


_DUE = or_(
    messages_in.c.next_at.is_(None),
    messages_in.c.next_at <= bindparam("now", type_=Moment),
    messages_in.c.next_at > bindparam("wrong", type_=Moment),
)
_WAITING = (
    select(messages_in.c.id)
    .where(messages_in.c.state == "new", _DUE, messages_in.c.id.not_in(bindparam("besides", expanding=True)))
    .order_by(messages_in.c.id)
    .limit(bindparam("most"))
)


def waiting(db: Connection, now: datetime, most: int = 100, besides: Sequence[int] = ()) -> list[int]:
    """The numbers of mails kept but not filed whose time has come, oldest first, those `besides` left out."""
    moments = {"now": now, "wrong": now + LONGEST_WAIT, "most": most, "besides": tuple(besides)}
    return list(db.scalars(_WAITING, moments))


_NEW = select(messages_in).where(messages_in.c.id == bindparam("id"), messages_in.c.state == "new")
_TAKE = _NEW.with_for_update(skip_locked=True)
_BEGIN = (
    update(messages_in)
    .where(
        messages_in.c.id.in_(
            select(messages_in.c.id)
            .where(messages_in.c.id == bindparam("mail"), messages_in.c.state == "new", _DUE)
            .with_for_update(skip_locked=True)
        )
    )
    .values(attempts=messages_in.c.attempts + 1, next_at=bindparam("until", type_=Moment))
    .returning(messages_in)
)


def begin(db: Connection, id: int, now: datetime, until: datetime) -> Kept | None:
    """A mail that is to be filed, with this attempt counted before it is made.

    Whoever dies of the mail has counted it too. Nobody else begins with it before `until`; None if another
    has, or if its time has not come.
    """
    row = db.execute(_BEGIN, {"mail": id, "now": now, "wrong": now + LONGEST_WAIT, "until": until}).first()
    return None if row is None else _kept(row)


def take(db: Connection, id: int) -> Kept | None:
    """A mail still to be filed, its row locked until the transaction ends; None if another has it."""
    row = db.execute(_TAKE, {"id": id}).first()
    return None if row is None else _kept(row)


_MAIL = select(messages_in).where(messages_in.c.id == bindparam("id"))


def mail(db: Connection, id: int) -> Kept | None:
    """A mail by number, in whatever state."""
    row = db.execute(_MAIL, {"id": id}).first()
    return None if row is None else _kept(row)


def known_by(db: Connection, dedupe: str) -> int | None:
    """The number of the first mail with this Message-ID and body to this recipient, None where none came."""
    return db.execute(select(messages_in.c.id).where(messages_in.c.dedupe == dedupe)).scalar_one_or_none()


def _kept(row: Any) -> Kept:
    return Kept(
        row.id,
        row.received_at,
        row.sender,
        row.recipient,
        row.raw,
        row.state,
        row.attempts,
        row.detail,
        row.filed_at,
        Code(row.code),
    )


def _storable(text: str) -> str:
    """Text without what PostgreSQL does not store: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


_FILE = update(messages_in).where(messages_in.c.id == bindparam("mail"))


def file(
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
    """Say what became of a mail."""
    assert state in STATES
    values = {
        "state": state,
        "code": int(code),
        "detail": _storable(detail),
        "filed_at": now,
        "player_id": player_id,
        "game_id": game_id,
    }
    db.execute(_FILE, {"mail": id, "next_at": None, **values})


def failed(db: Connection, id: int, detail: str, next_at: datetime) -> None:
    """Note why an attempt at a mail failed, which was counted when it began; the next is at `next_at`."""
    change = update(messages_in).where(messages_in.c.id == id, messages_in.c.state == "new")
    db.execute(change.values(code=int(Code.FAILED), detail=_storable(detail), next_at=next_at))


def again(db: Connection, ids: Iterable[int], now: datetime) -> int:
    """Put mails back to `new`, to be run again from the start; how many there were. `filed_at` stays.

    A duplicate stays one: it has no bytes of its own to run. Nor has a mail so old that they are forgotten.
    """
    change = update(messages_in).where(
        messages_in.c.id.in_(tuple(ids)),
        messages_in.c.state.not_in(("new", "duplicate")),
        func.length(messages_in.c.raw) > 0,
    )
    return db.execute(change.values(state="new", attempts=0, code=0, detail="", next_at=None)).rowcount


def in_state(db: Connection, state: str, most: int = 1000) -> list[Kept]:
    query = select(messages_in).where(messages_in.c.state == state).order_by(messages_in.c.id).limit(most)
    return [_kept(row) for row in db.execute(query)]


def count_by_state(db: Connection) -> dict[str, dict[str, int]]:
    """How many mails and letters are in which state."""
    found: dict[str, dict[str, int]] = {}
    for name, table in (("mail in", messages_in), ("letters out", outbox)):
        rows = db.execute(select(table.c.state, func.count()).group_by(table.c.state))
        found[name] = dict(sorted((state, count) for state, count in rows))
    return found


_QUEUE = insert(outbox)


def queue(db: Connection, letters: Sequence[Queued], now: datetime) -> None:
    """Put finished letters into the outbox, to be sent from `now` on."""
    if letters:
        db.execute(_QUEUE, [_row(letter, now) for letter in letters])


def _row(letter: Queued, now: datetime) -> dict[str, Any]:
    values = {**vars(letter), "created_at": now, "next_at": None}
    return {**values, "state": "held" if values.pop("held") else "queued"}


@dataclass(frozen=True)
class Sent:
    """A letter of one game to one player, as far as threading and numbering need it."""

    player_id: int | None
    kind: str
    entry: int | None
    message_id: str
    created_at: datetime


_OF_GAME = (
    select(outbox.c.player_id, outbox.c.kind, outbox.c.entry, outbox.c.message_id, outbox.c.created_at)
    .where(outbox.c.game_id == bindparam("game"))
    .order_by(outbox.c.id)
)
_OF_MAIL = select(func.count()).where(outbox.c.mail_id == bindparam("mail"))
_TO_ADDRESS = select(func.count()).where(
    outbox.c.recipient == bindparam("address"), outbox.c.created_at > bindparam("since")
)
_OF_KINDS = _TO_ADDRESS.where(outbox.c.kind.in_(bindparam("kinds", expanding=True)))
_KNOWN = select(outbox.c.id).where(
    or_(outbox.c.message_id == bindparam("message_id"), outbox.c.key == bindparam("key"))
)
_CAUSED = (
    select(func.count())
    .select_from(outbox)
    .join(messages_in, messages_in.c.id == outbox.c.mail_id)
    .where(
        messages_in.c.player_id == bindparam("player"),
        outbox.c.recipient == bindparam("address"),
        outbox.c.created_at > bindparam("since"),
    )
)


def letters_of_game(db: Connection, game_id: int) -> list[Sent]:
    """Every letter of a game so far, oldest first."""
    return [Sent(*row) for row in db.execute(_OF_GAME, {"game": game_id})]


def letter_answered(db: Connection, message_ids: Sequence[str]) -> tuple[int | None, int | None]:
    """(game, journal entry) of the latest letter known among these ids; (None, None) where none is."""
    query = (
        select(outbox.c.game_id, outbox.c.entry)
        .where(outbox.c.message_id.in_(tuple(message_ids)), outbox.c.game_id.is_not(None))
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    row = db.execute(query).first()
    return (None, None) if row is None else (row.game_id, row.entry)


def letters_to(db: Connection, address: str) -> list[bytes]:
    """Every letter to an address, as bytes, oldest first."""
    query = select(outbox.c.raw).where(outbox.c.recipient == address).order_by(outbox.c.id)
    return list(db.scalars(query))


def letters_of_mail(db: Connection, mail_id: int) -> int:
    """How many letters came of a mail so far: more than none only where it is handled once more."""
    return db.execute(_OF_MAIL, {"mail": mail_id}).scalar_one()


def is_known(db: Connection, message_id: str, key: str) -> bool:
    """Whether a letter with this Message-ID or this key was ever queued."""
    return db.execute(_KNOWN, {"message_id": message_id, "key": key}).first() is not None


def has_key(db: Connection, key: str) -> bool:
    """Whether a letter with this key was ever queued."""
    return db.execute(select(outbox.c.id).where(outbox.c.key == key)).first() is not None


def count_letters(db: Connection, address: str, since: datetime, kinds: Iterable[str] | None = None) -> int:
    """How many letters went to an address since `since`, of some kinds or all."""
    to = {"address": address, "since": since}
    if kinds is None:
        return db.execute(_TO_ADDRESS, to).scalar_one()
    return db.execute(_OF_KINDS, {**to, "kinds": tuple(kinds)}).scalar_one()


def count_caused(db: Connection, player_id: int, address: str, since: datetime) -> int:
    """How many letters went to an address since `since` for mails that a player wrote."""
    caused = {"player": player_id, "address": address, "since": since}
    return db.execute(_CAUSED, caused).scalar_one()


def unseen_since(db: Connection, game_id: int, player_id: int, since: datetime) -> datetime | None:
    """When a player last took a ply back in a game that nobody else had seen, if it was after `since`."""
    query = select(func.max(outbox.c.created_at)).join(messages_in, messages_in.c.id == outbox.c.mail_id)
    there = (outbox.c.game_id == game_id, outbox.c.player_id == player_id, outbox.c.kind == "undo")
    return db.execute(
        query.where(*there, outbox.c.created_at > since, messages_in.c.code.bitwise_and(int(Code.UNSEEN)) > 0)
    ).scalar()


_WAITS = (
    select(messages_in.c.id)
    .where(messages_in.c.state == "new", messages_in.c.received_at < bindparam("moment"))
    .order_by(messages_in.c.id)
    .limit(1)
)
_WAITS_FOR = _WAITS.where(messages_in.c.filed_at.is_(None), messages_in.c.id != bindparam("besides"))


def waits_before(db: Connection, moment: datetime, besides: int | None = None) -> bool:
    """Tell whether mail accepted before `moment` is still to be filed; arguments as of `first_waiting`."""
    return first_waiting(db, moment, besides) is not None


def first_waiting(db: Connection, moment: datetime, besides: int | None = None) -> int | None:
    """The number of a mail accepted before `moment` and still to be filed, of several the oldest.

    With `besides`, one that mail number `besides` has to wait for. That is never a mail that was filed before
    and is handled again: no clock waited for it either. So mails wait only for those of a first attempt, and
    those, asking about a moment no later than their own, only for still older ones: never in a circle.
    """
    if besides:
        return db.execute(_WAITS_FOR, {"moment": moment, "besides": besides}).scalar_one_or_none()
    return db.execute(_WAITS, {"moment": moment}).scalar_one_or_none()


def put_off(db: Connection, id: int, next_at: datetime | None) -> None:
    """Handle a mail at `next_at`, or at once; that it was not handled now counts as no attempt after all."""
    change = update(messages_in).where(messages_in.c.id == id, messages_in.c.state == "new")
    fewer = case((messages_in.c.attempts > 0, messages_in.c.attempts - 1), else_=0)
    db.execute(change.values(attempts=fewer, next_at=next_at))


def oldest_waiting(db: Connection) -> tuple[datetime | None, datetime | None]:
    """When the oldest unfiled mail came and the oldest unsent letter was written."""
    mail_query = select(func.min(messages_in.c.received_at)).where(messages_in.c.state == "new")
    letter_query = select(func.min(outbox.c.created_at)).where(outbox.c.state == "queued")
    return db.execute(mail_query).scalar_one(), db.execute(letter_query).scalar_one()
