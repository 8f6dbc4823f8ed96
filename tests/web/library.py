"""Stored games for tests, on a database of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem.app import App
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, RESIGN, SAY, Entry
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games, players
from rules import RULES
from tests.apps import ANNA, BILL, JOAO, Clock, add_game, an_office, load, player
from tests.people import NOON, SEED_GAME
from tests.snapshots import once

PUBLIC = {
    "PBEM_HOST": "pbem.example.org",
    "PBEM_SITE": "https://pbem.example.org",
    "PBEM_UNDO_MINUTES": "0",
    "PBEM_RELAY": "smtp://127.0.0.1:1",
    "PBEM_SECRET": "s" * 32,
}
"""Settings of a public server; its relay is never used."""

ADDRESSES = {"Bill": BILL, "Joao": JOAO, "Anna": ANNA}


def open_library(folder: Path, url: str, **settings: str) -> App:
    """An app context with Bill, Joao and Anna, without a game."""
    app = open_again(folder, url, **settings)
    with app.store.write() as db:
        for name, address in ADDRESSES.items():
            players.add_player(db, name, address, NOON)
    return app


def open_again(folder: Path, url: str, **settings: str) -> App:
    """An app context over an existing database."""
    environ = {"PBEM_VAR": str(folder), "PBEM_DATABASE": url, "PBEM_SECRET": "s" * 32} | settings
    return an_office(environ, Clock(NOON + timedelta(days=30)))


def begin(
    app: App, first: str = "Bill", second: str = "Joao", *, key: str = "bipod", seed: int = 0, **options: str
) -> Game:
    """A game between two players, without a ply."""
    rules = RULES[key]
    seats = player(app, first), player(app, second)
    with app.store.write() as db:
        game = add_game(db, rules, rules.start(options, seed).options, seed, seats, True, NOON)
        begun = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(begun), [opening_entry(game)])
    return begun


def add(app: App, game: Game, kind: str, seat: int | None, data: Mapping[str, Any]) -> Game:
    """Add an entry, an hour after the last."""
    number = len(game.journal) + 1
    entry = Entry(number, NOON + timedelta(hours=number), kind, seat, data)  # type: ignore[arg-type]
    after = game.with_entries([entry])
    with app.store.write() as db:
        games.append_entries(db, game, fold(after), [entry])
    return after


def play(app: App, game: Game, moves: Sequence[str], comments: Mapping[int, str] | None = None) -> Game:
    """Play the plies in turn; `comments` are by number of ply."""
    for text in moves:
        position = game.state.position
        data = {"move": str(position.read(text))}
        if comment := (comments or {}).get(position.ply + 1):
            data["comment"] = comment
        game = add(app, game, PLY, position.to_play, data)
    return game


def the_seeds_game(app: App, comments: Mapping[int, str] | None = None, said: str = "") -> Game:
    """Bill - Joao of June 2004, resigned after ply 19. Bill says something after ply 8."""
    once(app, ("the seed's game", repr(comments), said), lambda: _the_seeds_game(app, comments, said))
    with app.store.read() as db:
        number = games.list_game_ids(db)[-1]
    return load(app, number)


def _the_seeds_game(app: App, comments: Mapping[int, str] | None, said: str) -> Game:
    game = play(app, begin(app), SEED_GAME[:8], comments)
    if said:
        game = add(app, game, SAY, 0, {"words": said})
    game = play(app, game, SEED_GAME[8:], comments)
    return add(app, game, RESIGN, 1, {"comment": "Well played."})


BLOCKED = ("e1 q1 f2", "h2 j2", "n2 p2", "adopt")
"""A whole game on a small board; whoever adopts wins at once."""
SMALL = {"size": "3", "middle": "3", "rows": "4"}


def a_short_game(app: App, first: str = "Bill", second: str = "Anna") -> Game:
    """A game ended by its rules: `second` wins as Blocker."""
    return play(app, begin(app, first, second, **SMALL), BLOCKED)
