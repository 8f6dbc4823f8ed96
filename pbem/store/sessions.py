"""Web sign-in: requests for links, links sent, sessions. Only digests of secrets are stored."""

from collections.abc import Collection
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection, and_, delete, insert, select, update

from pbem.core.players import Player
from pbem.store import players as player_rows
from pbem.store.tables import players, sessions, signins


def secret_digest(secret: str) -> str:
    return sha256(b"pbem session: " + secret.encode()).hexdigest()


def store_link_request(db: Connection, who: str, now: datetime) -> None:
    db.execute(insert(signins).values(asked=who, asked_at=now))


def lock_link_request(db: Connection, since: datetime, without: Collection[int]) -> tuple[int, str] | None:
    """Lock the next request for a link, if any. Skips `without`, and those from before `since`."""
    open = (signins.c.seal.is_(None), signins.c.asked_at >= since, signins.c.id.not_in(list(without)))
    query = select(signins.c.id, signins.c.asked).where(*open).order_by(signins.c.id)
    row = db.execute(query.limit(1).with_for_update(skip_locked=True)).first()
    return None if row is None else (row.id, row.asked)


def drop_link_request(db: Connection, id: int) -> None:
    db.execute(delete(signins).where(signins.c.id == id))


def store_link(db: Connection, id: int, player: Player, secret: str, until: datetime) -> None:
    """Store a link for a request, and delete the typed text."""
    values = {"asked": "", "player_id": player.id, "epoch": player.epoch, "expires_at": until}
    change = update(signins).where(signins.c.id == id)
    db.execute(change.values(seal=secret_digest(secret), **values))


def find_link(db: Connection, secret: str, now: datetime, *, lock: bool = False) -> tuple[int, Player] | None:
    """Return a valid link's number and player; None if the link is old, used, or unknown."""
    good = (signins.c.seal == secret_digest(secret), signins.c.used_at.is_(None), signins.c.expires_at > now)
    query = select(signins.c.id, signins.c.player_id, signins.c.epoch).where(*good)
    row = db.execute(query.with_for_update() if lock else query).first()
    player = player_rows.player_by_id(db, row.player_id) if row is not None else None
    if row is None or player is None or player.epoch != row.epoch:
        return None
    return row.id, player


def use_link(db: Connection, id: int, now: datetime) -> None:
    db.execute(update(signins).where(signins.c.id == id).values(used_at=now))


def add_session(db: Connection, player: Player, secret: str, now: datetime, lasts: timedelta) -> None:
    """Store a new session, and delete expired ones."""
    db.execute(delete(sessions).where(sessions.c.expires_at <= now))
    values = {"seal": secret_digest(secret), "player_id": player.id, "epoch": player.epoch}
    db.execute(insert(sessions).values(**values, begun_at=now, expires_at=now + lasts))


def session_player(db: Connection, secret: str, now: datetime) -> Player | None:
    """Return a session's player; renewed reply addresses end the session."""
    query = select(sessions.c.player_id).join(
        players, and_(players.c.id == sessions.c.player_id, players.c.epoch == sessions.c.epoch)
    )
    found = db.execute(
        query.where(sessions.c.seal == secret_digest(secret), sessions.c.expires_at > now)
    ).scalar()
    return player_rows.player_by_id(db, found) if found is not None else None


def session_starts(db: Connection, player: Player, now: datetime) -> list[datetime]:
    """Return the start of each of a player's sessions, newest first."""
    mine = (sessions.c.player_id == player.id, sessions.c.epoch == player.epoch, sessions.c.expires_at > now)
    return list(db.scalars(select(sessions.c.begun_at).where(*mine).order_by(sessions.c.begun_at.desc())))


def end_session(db: Connection, secret: str) -> None:
    db.execute(delete(sessions).where(sessions.c.seal == secret_digest(secret)))


def end_all_sessions(db: Connection, player: Player) -> None:
    """End a player's sessions and open links."""
    db.execute(delete(sessions).where(sessions.c.player_id == player.id))
    db.execute(delete(signins).where(signins.c.player_id == player.id))
