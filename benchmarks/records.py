"""`pbem export`: games a second at the first run and at one with no change, against folding them alone.

A few hundred games of all kinds, played by chance to sixty plies or their end, on SQLite. CPU time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from pbem.app import App, open_app
from pbem.archive_export.publish import publish
from pbem.config.load import config_from
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, RESIGN, Entry
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games, players
from pbem.store.migrate import migrate
from rules import RULES
from rules.contract import Rules
from tests.apps import add_game

GAMES, PLIES = 300, 60
BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def measure() -> Iterator[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        var = Path(folder)
        app = open_app(config_from({"PBEM_VAR": folder, "PBEM_DATABASE": f"sqlite:///{var}/games.sqlite"}))
        migrate(app.store)
        kept = _fill(app)
        floor = _seconds(lambda: [fold(game) for game in kept])
        first = _seconds(lambda: publish(app, var / "out"))
        again = _seconds(lambda: publish(app, var / "out"))
        app.close()
    yield "export: fold the games alone", f"{GAMES / floor:.0f} games/s", "the floor"
    yield "export: first run", f"{GAMES / first:.0f} games/s", f"{first / floor:.1f} of the floor's time"
    yield (
        "export: nothing has changed",
        f"{GAMES / again:.0f} games/s",
        f"{again / floor:.2f} of the floor's time",
    )


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _fill(app: App) -> list[Game]:
    with app.store.write() as db:
        seats = (
            players.add_player(db, "Bill", "bill@example.org", BEGAN),
            players.add_player(db, "Joao", "j@example.net", BEGAN),
        )
    kept = []
    for n in range(GAMES):
        rules = list(RULES.values())[n % len(RULES)]
        with app.store.write() as db:
            game = add_game(db, rules, rules.complete({}), 0, seats, True, BEGAN)
            entries = [opening_entry(game), *_plies(rules, n)]
            state = fold(game.with_entries(entries))
            if state.ending is None:
                entries.append(Entry(len(entries) + 1, BEGAN + timedelta(days=30), RESIGN, state.to_play, {}))
            done = game.with_entries(entries)
            games.append_entries(db, game, fold(done), entries)
        kept.append(done)
    return kept


def _plies(rules: Rules, seed: int) -> Iterator[Entry]:
    rng, position = Random(seed), rules.start()
    while position.outcome is None and position.ply < PLIES:
        move, _ = position.split(position.sample(rng))
        at = BEGAN + timedelta(hours=position.ply)
        yield Entry(position.ply + 2, at, PLY, position.to_play, {"move": str(move)})
        position = position.follow(move)
