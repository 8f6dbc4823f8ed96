"""A SHA-256 chain over a game's setup and plies. Each is canonical JSON (RFC 8785)."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pbem.core.game.game import Game
from pbem.core.game.state import Ply
from rules.contract import SEAT_NAMES, Seat


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def iso(moment: datetime) -> str:
    """A moment as `2004-06-20T07:04:00Z`: UTC, whole seconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def setup_data(game: Game) -> dict[str, Any]:
    return {
        "game": game.rules.key,
        "rules": game.rules_version,
        "options": dict(game.options),
        "seed": str(game.seed),
    }


def fingerprint(game: Game, plies: Iterable[Ply], site: str) -> str:
    """Return 64 hex digits for a game up to `plies`. `site` is its host."""
    setup = {
        **setup_data(game),
        "site": site,
        "id": game.id,
        "start": iso(game.started_at),
        "players": list(game.founders),
    }
    return chain(setup, ((ply.seat, ply.move) for ply in plies))


def chain(setup: Mapping[str, Any], plies: Iterable[tuple[Seat, str]]) -> str:
    """64 hex digits for a setup and its plies. The plies are pairs of seat and canonical move."""
    digest = sha256(canonical(setup)).digest()
    for n, (seat, move) in enumerate(plies, 1):
        digest = _after_ply(digest, n, seat, move)
    return digest.hex()


@lru_cache(4096)  # each letter of a game has the chain of the one before it
def _after_ply(digest: bytes, n: int, seat: Seat, move: str) -> bytes:
    return sha256(digest + canonical({"n": n, "seat": SEAT_NAMES[seat], "move": move})).digest()
