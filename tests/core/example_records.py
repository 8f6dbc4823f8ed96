"""Random finished games of all kinds, for tests of their records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Any

from pbem.core.game.game import Game
from pbem.core.game.journal import ADJUDICATE, AGREE, OFFER, PLY, RESIGN, TIMEOUT, Entry
from tests.people import NOON, SEED_GAME, a_game

ENDS: Mapping[str, tuple[str, int | None, Mapping[str, Any]]] = {
    "resignation": (RESIGN, 1, {"comment": "Well played."}),
    "timeout": (TIMEOUT, 0, {"flag": "2026-03-20T12:00:00+00:00"}),
    "agreement": (AGREE, 0, {}),
    "director": (ADJUDICATE, None, {"result": "second", "reason": "Left the club."}),
    "decided-draw": (ADJUDICATE, None, {"result": "draw", "reason": "By the rules of the event."}),
    "void": (ADJUDICATE, None, {"result": "void", "reason": "Played twice by mistake."}),
    "flag": (TIMEOUT, 1, {"flag": "2026-03-20T12:00:00+00:00", "void": True}),
}
"""Ends by the server or a director, with the entry of each."""


def with_entry(game: Game, kind: str, seat: int | None, data: Mapping[str, Any], hours: int = 1) -> Game:
    """The game with one more entry, `hours` after the last."""
    at = game.journal[-1].at + timedelta(hours=hours)
    return game.with_entries([Entry(len(game.journal) + 1, at, kind, seat, data)])  # type: ignore[arg-type]


def ended(game: Game, how: str) -> Game:
    """The game with an end of `ENDS` after it."""
    if how == "agreement":
        game = with_entry(game, OFFER, 1, {})
    return with_entry(game, *ENDS[how])


def chance_game(key: str, seed: int, most: int = 2000, **options: str) -> Game:
    """A random game of `key`, to its end or to `most` plies."""
    rng = Random(seed)
    game = a_game(key=key, **options)
    entries = list(game.journal)
    position = game.state.position
    while position.outcome is None and position.ply < most:
        move, _ = position.split(position.sample(rng))
        at = NOON + timedelta(minutes=7 * len(entries))
        entries.append(Entry(len(entries) + 1, at, PLY, position.to_play, {"move": str(move)}))
        position = position.follow(move)
    return game.with_entries(entries[1:])


def the_seeds_game() -> Game:
    return ended(a_game(SEED_GAME), "resignation")
