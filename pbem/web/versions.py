"""Versions of finished games, for addresses that browsers keep for good: `/games/42/7.svg?v=0123456789`.

A version changes when the game is opened again, when a player in it is erased, and with the program that
draws. Another version, or none, is no error: it gives the current file, to be checked each time.
"""

from hashlib import sha256

from flask import request

from pbem.store.game_lists import GameVersion, ListedGame
from pbem.web.responses import build_id

DIGITS = 10


def version(id: int, fresh: GameVersion | ListedGame) -> str:
    """The version of a finished game's files; "" while it runs."""
    if not fresh.ended:
        return ""
    return sha256(f"{build_id()}-{id}.{fresh.tag}".encode()).hexdigest()[:DIGITS]


def version_query(version: str) -> str:
    """The query to append to a file's address, if any."""
    return f"?v={version}" if version else ""


def is_current_version(version: str) -> bool:
    """True if the requested address names this version."""
    return bool(version) and request.args.get("v") == version
