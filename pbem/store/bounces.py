"""Bounced letters, suspended addresses, and letters held for them.

Each letter has one row, so a repeated bounce counts once. A row without points is forgiven: the player has
written since. A held letter stays in the outbox, where no sender claims it.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, delete, func, or_, select, update

from pbem.core.players import Player, same_address
from pbem.store import outbox_delivery
from pbem.store.engine import upsert
from pbem.store.tables import addresses, bounces, outbox, players

HELD, DROPPED = "held", "dropped"
"""Letter states: written to a suspended address; never sent, as a newer one was."""


@dataclass(frozen=True)
class BouncedLetter:
    """A letter that may have bounced; `sent_at` falls back to its creation."""

    id: int
    recipient: str
    kind: str
    player_id: int | None
    sent_at: datetime


def letters_from(db: Connection, envelope_from: str) -> list[BouncedLetter]:
    """Return the letters with this envelope sender. There is one, unless two 48-bit numbers collide."""
    query = select(
        outbox.c.id,
        outbox.c.recipient,
        outbox.c.kind,
        outbox.c.player_id,
        func.coalesce(outbox.c.sent_at, outbox.c.created_at, type_=outbox.c.sent_at.type),
    ).where(outbox.c.envelope_from == envelope_from)
    return [BouncedLetter(*row) for row in db.execute(query.order_by(outbox.c.id))]


def add_bounce(db: Connection, letter: int, address: str, points: int, status: str, now: datetime) -> bool:
    """Record a bounce; True if it adds points. The worst report counts."""
    row = upsert(db, bounces).values(
        outbox_id=letter, address=same_address(address), at=now, points=points, status=status[:200]
    )
    worse = and_(bounces.c.points > 0, bounces.c.points < row.excluded.points)
    statement = row.on_conflict_do_update(
        index_elements=["outbox_id"],
        set_={"points": row.excluded.points, "status": row.excluded.status},
        where=worse,
    )
    kept = db.execute(statement.returning(bounces.c.outbox_id)).first() is not None
    if kept:
        outbox_delivery.keep_bounced_secrets(db, letter, now)
    return kept


def status_of_bounce(db: Connection, letter: int) -> str | None:
    """Return the status with which a letter came back, or None if it did not."""
    return db.execute(select(bounces.c.status).where(bounces.c.outbox_id == letter)).scalar_one_or_none()


@dataclass(frozen=True)
class BouncedGameLetter:
    """A letter about a game, or a digest of all games, which has no `game`."""

    kind: str
    game: int | None
    player: int


DIGEST = "digest"


def game_of_letter(db: Connection, letter: int) -> BouncedGameLetter | None:
    """Return the kind, game and player of a letter about a game or of a digest, or None."""
    query = select(outbox.c.kind, outbox.c.game_id, outbox.c.player_id).where(outbox.c.id == letter)
    row = db.execute(query).first()
    if row is None or row.player_id is None or (row.game_id is None and row.kind != DIGEST):
        return None
    return BouncedGameLetter(*row)


_BY_POLICY = and_(bounces.c.points == 0, bounces.c.status.like("_.7.%"))
"""A refusal by policy. A forgiven bounce has no points either, but another status."""


def is_unheard(db: Connection, game: int, player: Player) -> bool:
    """True if a policy refused the newest letter that brought the game to the player, or a digest."""
    left, about = outbox.c.state.in_(("sent", "failed")), outbox.c.game_id == game
    if player.has_digest:
        about = or_(about, outbox.c.kind == DIGEST)
    mine = (about, outbox.c.player_id == player.id, left)
    newest = select(func.max(outbox.c.id)).where(*mine).scalar_subquery()
    query = select(bounces.c.outbox_id).where(bounces.c.outbox_id == newest, _BY_POLICY)
    return db.execute(query).first() is not None


def has_arrived(db: Connection, player: int, since: datetime, before: datetime) -> bool:
    """True if a letter to the player left between two moments and has not come back."""
    left = (outbox.c.player_id == player, outbox.c.state == "sent")
    then = (outbox.c.sent_at > since, outbox.c.sent_at <= before)
    came_back = select(bounces.c.outbox_id).where(bounces.c.outbox_id == outbox.c.id).exists()
    query = select(outbox.c.id).where(*left, *then, ~came_back).limit(1)
    return db.execute(query).first() is not None


def policy_refusals(db: Connection, since: datetime) -> list[tuple[str, str]]:
    """List refusals by policy as (address, status), oldest first. Strangers are left out."""
    query = select(bounces.c.address, bounces.c.status).where(_BY_POLICY, bounces.c.at > since)
    query = query.join(addresses, addresses.c.address == bounces.c.address)
    return [(row.address, row.status) for row in db.execute(query.order_by(bounces.c.at))]


def bounce_points(db: Connection, address: str, since: datetime) -> int:
    these = (bounces.c.address == same_address(address), bounces.c.at > since)
    return int(db.execute(select(func.coalesce(func.sum(bounces.c.points), 0)).where(*these)).scalar_one())


def suspend_address(db: Connection, address: str, now: datetime) -> int | None:
    """Suspend an address, hold its letters and return its player; None if nobody's or already suspended."""
    this = (addresses.c.address == same_address(address), addresses.c.suspended_at.is_(None))
    change = update(addresses).where(*this).values(suspended_at=now).returning(addresses.c.player_id)
    player: int | None = db.execute(change).scalar_one_or_none()
    if player is not None:
        waiting = and_(outbox.c.state == "queued", func.lower(outbox.c.recipient) == same_address(address))
        letters = update(outbox).where(outbox.c.player_id == player, waiting)
        db.execute(letters.values(state=HELD, next_at=None))
    return player


def suspended_addresses(db: Connection) -> list[tuple[str, str, datetime]]:
    """List suspended addresses as (player, address, since when), the oldest first."""
    query = select(players.c.name, addresses.c.address, addresses.c.suspended_at)
    query = query.join(players, players.c.id == addresses.c.player_id)
    found = db.execute(query.where(addresses.c.suspended_at.is_not(None)).order_by(addresses.c.suspended_at))
    return [(row.name, row.address, row.suspended_at) for row in found]


def lift_suspensions(db: Connection, player: Player) -> datetime | None:
    """Lift a player's suspensions; returns the earliest suspension, or None."""
    mine = addresses.c.player_id == player.id
    since: datetime | None = db.execute(
        select(func.min(addresses.c.suspended_at, type_=addresses.c.suspended_at.type)).where(mine)
    ).scalar_one()
    db.execute(update(addresses).where(mine).values(suspended_at=None))
    return since


def release_held(db: Connection, player: Player, now: datetime, missed_at: str = "") -> int:
    """Queue the newest missed letter of each game; returns the count.

    Letters that were `missed_at` another address of the player's go to the present one. The newest letter of
    a game is sent unchanged if it was held, was refused or bounced. Where a later letter reached the player,
    nothing of the game is sent. Other held letters are dropped, and bounces are forgiven.
    """
    mine = outbox.c.player_id == player.id
    newest = (
        select(func.max(outbox.c.id)).where(mine, outbox.c.game_id.is_not(None)).group_by(outbox.c.game_id)
    )
    address = same_address(missed_at or player.address)
    returned = select(bounces.c.outbox_id).where(bounces.c.address == address, bounces.c.points > 0)
    missed = or_(outbox.c.state == HELD, outbox.c.id.in_(returned))
    here = func.lower(outbox.c.recipient) == address
    blank = and_(outbox.c.state == "sent", outbox.c.blank_at.is_(None))
    whole = and_(func.length(outbox.c.raw) > 0, ~blank)  # its bytes and secrets still exist
    again = update(outbox).where(mine, here, missed, whole, outbox.c.id.in_(newest))
    fresh = {"attempts": 0, "faults": 0, "trouble": "", "next_at": None, "created_at": now}
    there = {"recipient": player.address} if missed_at else {}
    again = again.values(state="queued", **there, **fresh)
    sent = list(db.scalars(again.returning(outbox.c.id)))
    if missed_at:  # nobody has had those about no game
        apart = update(outbox).where(mine, here, outbox.c.state == HELD, outbox.c.game_id.is_(None))
        db.execute(apart.values(state="queued", **there, **fresh))
    db.execute(update(outbox).where(mine, outbox.c.state == HELD).values(state=DROPPED))
    db.execute(delete(bounces).where(bounces.c.outbox_id.in_(sent)))
    every = select(outbox.c.id).where(mine)
    db.execute(update(bounces).where(bounces.c.outbox_id.in_(every)).values(points=0))
    return len(sent)
