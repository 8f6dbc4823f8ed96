"""Personal tokens, with which a program moves in its player's games. Only a digest is kept."""

import hmac
import re
from base64 import b32encode
from hashlib import sha256

from pbem.app import App
from pbem.core.players import TOKEN, TOKEN_DIGEST, Player
from pbem.store import players
from pbem.store.engine import Connection

_SPELLING = re.compile(r"token_([1-9][0-9]{0,11})_([a-z2-7]{32})")


def is_personal(text: str) -> bool:
    """True for a text spelled like a personal token, good or not."""
    return _SPELLING.fullmatch(text) is not None


def new_token(app: App, db: Connection, player: Player) -> str:
    """Return a new token of 160 random bits; the one before it ends."""
    secret = b32encode(app.rng.getrandbits(160).to_bytes(20, "big")).decode().lower()
    players.set_preference(db, player, TOKEN, True)
    players.set_preference(db, player, TOKEN_DIGEST, _digest(player, secret))
    return f"token_{player.id}_{secret}"


def end_token(db: Connection, player: Player) -> None:
    players.set_preference(db, player, TOKEN, False)
    players.set_preference(db, player, TOKEN_DIGEST, "")


def player_of_token(db: Connection, text: str) -> Player | None:
    """Return whose token this is. Renewed reply addresses end the token."""
    spelled = _SPELLING.fullmatch(text)
    player = players.player_by_id(db, int(spelled[1])) if spelled else None
    if spelled is None or player is None:
        return None
    kept = player.preferences.more.get(TOKEN_DIGEST) or ""
    return player if hmac.compare_digest(kept, _digest(player, spelled[2])) else None


def _digest(player: Player, secret: str) -> str:
    return sha256(f"pbem token: {player.id} {player.epoch} {secret}".encode()).hexdigest()
