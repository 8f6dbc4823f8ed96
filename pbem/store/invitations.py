"""Rows of invitations, and of the addresses that had one."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from pbem.core.lobby.invitations import Invitation
from pbem.core.players import Player
from pbem.store import players
from pbem.store.tables import challenges
from pbem.store.tables.finding import invitations, invited


def add_invitation(db: Connection, new: Invitation, digest: str = "") -> int:
    """Store an invitation, perhaps to the address with this digest; returns its number."""
    values = {"player_id": new.inviter.id, "terms": dict(new.terms), "seed": new.seed, "friends": new.friends}
    values |= {"digest": digest or None, "created_at": new.created_at, "expires_at": new.expires_at}
    return db.execute(insert(invitations).values(values).returning(invitations.c.id)).scalar_one()


def find_invitation(db: Connection, id: int, *, lock: bool = False) -> Invitation | None:
    query = select(invitations).where(invitations.c.id == id)
    row = db.execute(query.with_for_update() if lock else query).first()
    inviter = players.player_by_id(db, row.player_id) if row is not None else None
    if row is None or inviter is None:
        return None
    return Invitation(row.id, inviter, row.terms, row.seed, row.friends, row.created_at, row.expires_at)


def newest_code(db: Connection, player: Player) -> int | None:
    """Return the number of the player's newest invitation by code."""
    mine = (invitations.c.player_id == player.id, invitations.c.digest.is_(None))
    return db.execute(select(func.max(invitations.c.id)).where(*mine)).scalar_one()


def count_codes(db: Connection, player: Player, now: datetime) -> int:
    """Count the player's invitations by code that are not too old."""
    mine = (invitations.c.player_id == player.id, invitations.c.digest.is_(None))
    return db.execute(select(func.count()).where(*mine, invitations.c.expires_at > now)).scalar_one()


def count_addresses(db: Connection, player: Player, since: datetime) -> int:
    """Count the player's invitations to addresses since then."""
    mine = (invitations.c.player_id == player.id, invitations.c.digest.is_not(None))
    return db.execute(select(func.count()).where(*mine, invitations.c.created_at > since)).scalar_one()


def has_invited(db: Connection, player: Player, digests: Sequence[str], now: datetime) -> bool:
    """True if an invitation of the player to an address with one of these digests is open."""
    mine = (invitations.c.player_id == player.id, invitations.c.digest.in_(digests))
    return (
        db.execute(select(invitations.c.id).where(*mine, invitations.c.expires_at > now)).first() is not None
    )


def _games_of_friends(db: Connection, id: int) -> dict[int, int]:
    """Return the games that an invitation brought, by the friend's number."""
    columns = (challenges.c.to_id, challenges.c.game_id)
    query = select(*columns).where(challenges.c.invitation == id, challenges.c.state == "accepted")
    return {row.to_id: row.game_id for row in db.execute(query)}


def friends_of(db: Connection, invitation: Invitation) -> dict[int, int]:
    """Return the friends whom an invitation brought, with their games; 0 is for one into a club alone."""
    return dict.fromkeys(invitation.terms.get("joined", ()), 0) | _games_of_friends(db, invitation.id)


def add_friend(db: Connection, invitation: Invitation, friend: int) -> None:
    """Store that a locked invitation has brought a friend into its club."""
    terms = {**invitation.terms, "joined": [*invitation.terms.get("joined", ()), friend]}
    db.execute(update(invitations).where(invitations.c.id == invitation.id).values(terms=terms))


def find_address(db: Connection, digests: Sequence[str]) -> tuple[int, bool] | None:
    """Return the number of an address that had an invitation, and True if it wants no other, or None."""
    row = db.execute(select(invited.c.id, invited.c.never).where(invited.c.digest.in_(digests))).first()
    return None if row is None else (row.id, row.never)


def add_address(db: Connection, digest: str, now: datetime) -> int:
    """Store that an address has an invitation; returns its number."""
    new = insert(invited).values(digest=digest, at=now, never=False).returning(invited.c.id)
    return db.execute(new).scalar_one()


def is_never(db: Connection, number: int) -> bool | None:
    """True if an address wants no invitation; None for an unknown number."""
    return db.execute(select(invited.c.never).where(invited.c.id == number)).scalar()


def never_again(db: Connection, number: int) -> None:
    db.execute(update(invited).where(invited.c.id == number).values(never=True))
