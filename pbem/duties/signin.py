"""Signing in on the web: a mailed link, then a session.

Everybody gets the same page in the same time: the worker finds out later if anybody gets a letter.
"""

from base64 import b32encode
from collections.abc import Callable, Collection
from datetime import timedelta

from pbem.app import App
from pbem.core.letters.letter import to_player
from pbem.core.players import Player
from pbem.outbox import drain, write
from pbem.store import engine, outbox, players, sessions

LINK_LASTS = timedelta(minutes=15)
SESSION_LASTS = timedelta(days=30)
LINKS_PER_HOUR = 5
"""Maximum sign-in letters to a player, whoever requests them."""
MAX_ADDRESS = 254
"""The longest mail address (RFC 5321 4.5.3.1.3)."""


def request_link(app: App, who: str) -> None:
    with app.store.write() as db:
        sessions.store_link_request(db, who.strip()[:MAX_ADDRESS], app.now())
    app.wake()


def send_links(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Write to known people who asked; returns the number of requests. Safe in any number of processes."""

    def take(db: engine.Connection, tried: Collection[int]) -> tuple[int, str] | None:
        return sessions.lock_link_request(db, app.now() - LINK_LASTS, tried)

    return drain.drain_rows(app, "signin", take, _answer, until)


def _answer(app: App, db: engine.Connection, number: int, who: str) -> int:
    player = players.player_by_address(db, who) if "@" in who else players.player_by_name(db, who)
    now = app.now()
    since = now - timedelta(hours=1)
    sent = outbox.count_letters(db, player.address, since, ("signin",)) if player is not None else 0
    if player is None or player.gone or sent >= LINKS_PER_HOUR:
        sessions.drop_link_request(db, number)
        return 1
    secret = _secret(app)
    sessions.store_link(db, number, player, secret, now + LINK_LASTS)
    link, minutes = f"{app.config.site}/settings/in/{secret}", LINK_LASTS // timedelta(minutes=1)
    letter = to_player("signin", player, link=link, minutes=minutes)
    write.queue_letters(app, db, [letter], now, about=f"i{number}")
    return 1


def _secret(app: App) -> str:
    """A secret of 160 random bits that no mail program breaks."""
    return b32encode(app.rng.getrandbits(160).to_bytes(20, "big")).decode().lower()


def sign_in(app: App, secret: str, before: str) -> str | None:
    """Use a link up for a new session, or return None. The session `before` ends."""
    now, fresh = app.now(), _secret(app)
    with app.store.write() as db:
        found = sessions.find_link(db, secret, now, lock=True)
        if found is None:
            return None
        number, player = found
        sessions.use_link(db, number, now)
        sessions.end_session(db, before)
        sessions.add_session(db, player, fresh, now, SESSION_LASTS)
    return fresh


def sign_out(app: App, secret: str, player: Player, *, everywhere: bool) -> None:
    with app.store.write() as db:
        sessions.end_session(db, secret)
        if everywhere:
            sessions.end_all_sessions(db, player)
