"""Letters between outbox and relay, and the secrets of sent ones.

A claim moves a letter's `next_at` ahead by a lease, which a live process renews. If the process dies, the
claim ends with the lease; until then no other process takes the letter.

A sent letter about no game is never sent again. The newest letter of a game to each player may be sent again
unchanged after a bounce; a bounce counts within a month.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, case, func, or_, select, update

from pbem.core.bounces import BOUNCE_ADDRESS_LIFETIME
from pbem.core.redact import without_secrets
from pbem.store.tables import outbox


@dataclass(frozen=True)
class ClaimedLetter:
    id: int
    envelope_from: str
    recipient: str
    raw: bytes
    attempts: int
    created_at: datetime
    kind: str
    faults: int = 0


RELAY, OURS, LATE = "relay", "ours", "late"
"""Troubles for the operator: the relay refuses us, our fault, a long delay."""
AWAY = "away"
"""The trouble of a letter that waits for a silent relay, which may pass without the operator."""
WARM = "warm"
"""The trouble of a letter beyond the day's ceiling of its provider."""
PASSING = ("", AWAY, WARM)
"""Troubles that pass by themselves."""


def may_be_sent(now: Any) -> ColumnElement[bool]:
    """Return the condition that a letter is due at a moment."""
    return and_(outbox.c.state == "queued", or_(outbox.c.next_at.is_(None), outbox.c.next_at <= now))


def claim_letters(
    db: Connection,
    now: datetime,
    lease: timedelta,
    most: int,
    besides: Collection[str] = (),
    in_hand: Collection[int] = (),
    last: Collection[str] = (),
) -> list[ClaimedLetter]:
    """Lease up to `most` due letters, those of the kinds `last` after others.

    Skips letters to `besides` and those `in_hand`.
    """
    may = [may_be_sent(now), outbox.c.recipient.not_in(tuple(besides)), outbox.c.id.not_in(tuple(in_hand))]
    first = [case((outbox.c.kind.in_(tuple(last)), 1), else_=0)] if last else []
    oldest = select(outbox.c.id).where(*may).order_by(*first, outbox.c.id).limit(most)
    due = oldest.with_for_update(skip_locked=True).cte()  # alone a planner may run it more than once
    change = (
        update(outbox)
        .where(outbox.c.id.in_(select(due.c.id)))
        .values(next_at=now + lease, attempts=outbox.c.attempts + 1)
        .returning(*(outbox.c[field.name] for field in fields(ClaimedLetter)))
    )
    return sorted((ClaimedLetter(*row) for row in db.execute(change)), key=lambda letter: letter.id)


def record_sent(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """Record that the relay accepted these letters."""
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(state="sent", sent_at=now, next_at=None, detail="", trouble=""))
    set_blank_times(db, ids, now)


def renew_claims(db: Connection, ids: Iterable[int], until: datetime) -> None:
    """Keep these claimed letters from others until then."""
    mine = (outbox.c.id.in_(tuple(ids)), outbox.c.state == "queued")
    db.execute(update(outbox).where(*mine).values(next_at=until))


def release_claims(db: Connection, ids: Sequence[int]) -> None:
    """Make letters due again at once that the relay was never offered."""
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(next_at=None, attempts=outbox.c.attempts - 1))


def put_off(db: Connection, ids: Sequence[int], until: datetime, detail: str) -> None:
    """Have claimed letters wait as if they were written then; the relay was never offered them."""
    later = {"next_at": until, "created_at": until, "detail": detail, "trouble": WARM}
    change = update(outbox).where(outbox.c.id.in_(ids))
    db.execute(change.values(attempts=outbox.c.attempts - 1, **later))


def put_off_recipients(db: Connection) -> list[str]:
    """Return the recipient of each letter that was put off."""
    waits = (outbox.c.state == "queued", outbox.c.trouble == WARM)
    return list(db.scalars(select(outbox.c.recipient).where(*waits)))


def record_delay(db: Connection, id: int, next_at: datetime, detail: str, trouble: str = "") -> None:
    """Record a temporary refusal; the next try is at `next_at`."""
    change = update(outbox).where(outbox.c.id == id)
    db.execute(change.values(next_at=next_at, detail=without_secrets(detail), trouble=trouble))


def bring_forward(db: Connection, after: datetime) -> int:
    """Make letters due that wait for the relay; returns their number.

    Letters that wait no longer than `after` are left alone, as they may be in hand.
    """
    waits = (outbox.c.state == "queued", outbox.c.trouble.in_((RELAY, AWAY)), outbox.c.next_at > after)
    return db.execute(update(outbox).where(*waits).values(next_at=None)).rowcount


def count_fault(db: Connection, id: int) -> None:
    db.execute(update(outbox).where(outbox.c.id == id).values(faults=outbox.c.faults + 1))


def record_final_failure(db: Connection, id: int, detail: str, trouble: str = "") -> None:
    """Record a final refusal or timeout. `trouble` means that the operator must act."""
    values = {"state": "failed", "next_at": None, "detail": without_secrets(detail), "trouble": trouble}
    db.execute(update(outbox).where(outbox.c.id == id).values(values))


def drop_letter(db: Connection, id: int, why: str) -> None:
    values = {"state": "dropped", "next_at": None, "detail": why, "trouble": ""}
    db.execute(update(outbox).where(outbox.c.id == id).values(values))


def accepted_others(db: Connection, letter: ClaimedLetter) -> bool:
    """True if the relay accepted a later letter to somebody else."""
    later = (outbox.c.state == "sent", outbox.c.id > letter.id, outbox.c.recipient != letter.recipient)
    return db.execute(select(outbox.c.id).where(*later).limit(1)).first() is not None


@dataclass(frozen=True)
class FailingLetter:
    """A letter that was not accepted, and its reason."""

    id: int
    state: str
    trouble: str
    detail: str
    whole: bool
    """The letter's bytes still exist."""

    @property
    def key(self) -> str:
        return f"o{self.id}"


def _failing(*where: ColumnElement[bool]) -> Select[Any]:
    whole = func.length(outbox.c.raw) > 0
    columns = (outbox.c.id, outbox.c.state, outbox.c.trouble, outbox.c.detail, whole)
    return select(*columns).where(*where).order_by(outbox.c.id)


def letters_in_trouble(db: Connection, most: int = 1000) -> list[FailingLetter]:
    """Return letters refused by the relay or given up, oldest first."""
    open = (outbox.c.state.in_(("queued", "failed")), outbox.c.trouble.not_in(PASSING))
    return [FailingLetter(*row) for row in db.execute(_failing(*open).limit(most))]


def letters_by_ids(db: Connection, ids: Iterable[int]) -> dict[int, FailingLetter]:
    """Return the existing letters of these numbers."""
    found = db.execute(_failing(outbox.c.id.in_(tuple(ids))))
    return {row.id: FailingLetter(*row) for row in found}


def resendable_ids(db: Connection) -> list[int]:
    """Return the numbers of failed or delayed letters that have their bytes."""
    put_off = and_(outbox.c.state == "queued", outbox.c.detail != "")
    whole = func.length(outbox.c.raw) > 0
    return list(db.scalars(select(outbox.c.id).where(or_(outbox.c.state == "failed", put_off), whole)))


def requeue_letters(db: Connection, ids: Iterable[int], now: datetime) -> int:
    """Queue failed or waiting letters as if written now; returns their number."""
    change = update(outbox).where(outbox.c.id.in_(tuple(ids)), outbox.c.state.in_(("queued", "failed")))
    fresh = {"attempts": 0, "faults": 0, "trouble": "", "detail": "", "next_at": None, "created_at": now}
    return db.execute(change.values(state="queued", **fresh)).rowcount


MAX_BOUNCED_AGE = timedelta(days=365)
"""Time that a bounced letter waits for its player to write again."""

_OLDER = (
    update(outbox)
    .where(
        outbox.c.game_id == bindparam("of_game"),
        outbox.c.player_id == bindparam("to_player"),
        outbox.c.id < bindparam("newer"),
        outbox.c.state == "sent",
        outbox.c.blank_at > bindparam("moment"),
    )
    .values(blank_at=bindparam("moment"))
)


def set_blank_times(db: Connection, ids: Sequence[int], now: datetime) -> None:
    """Set when these letters lose their secrets; older ones to the player about the game lose them now."""
    until = case((outbox.c.game_id.is_(None), now), else_=now + BOUNCE_ADDRESS_LIFETIME)
    these = update(outbox).where(outbox.c.id.in_(ids)).values(blank_at=until)
    found = db.execute(these.returning(outbox.c.id, outbox.c.game_id, outbox.c.player_id)).all()
    newest = {(row.game_id, row.player_id): row.id for row in sorted(found) if row.game_id is not None}
    older = [
        {"of_game": game, "to_player": player, "newer": id, "moment": now}
        for (game, player), id in newest.items()
    ]
    if older:
        db.execute(_OLDER, older)


def keep_bounced_secrets(db: Connection, id: int, now: datetime) -> None:
    """Keep a bounced game letter; it is resent when its player writes."""
    of_a_game = (outbox.c.id == id, outbox.c.game_id.is_not(None))
    db.execute(update(outbox).where(*of_a_game).values(blank_at=now + MAX_BOUNCED_AGE))


def letters_to_blank(db: Connection, now: datetime, most: int) -> dict[int, bytes]:
    """Return letters whose secrets are no longer needed, by number."""
    query = select(outbox.c.id, outbox.c.raw).where(outbox.c.blank_at <= now, outbox.c.state == "sent")
    rows = db.execute(query.order_by(outbox.c.blank_at).limit(most))
    return {row.id: row.raw for row in rows}


def store_blanked(db: Connection, blanked: Mapping[int, bytes], now: datetime) -> None:
    """Store these letters without secrets, unless they may be sent again."""
    due = and_(outbox.c.state == "sent", outbox.c.blank_at <= now)
    change = update(outbox).where(outbox.c.id == bindparam("letter"), due)
    change = change.values(raw=bindparam("text"), blank_at=None)
    db.execute(change, [{"letter": id, "text": raw} for id, raw in blanked.items()])
