"""One whole game of each kind, from the front page or the games on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem.app import App
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, Entry
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games
from pbem.web.templating import example_game
from rules import RULES, record
from tests.apps import add_game, player
from tests.people import NOON


def example(key: str) -> record.Replay:
    """The example game of these rules, or the game on record."""
    golden = Path(__file__).parents[1] / f"rules/golden/{key}.game"
    return example_game(key, None) or record.replay(record.read(golden.read_text(encoding="utf-8")))


def stored(app: App, key: str, upto: int | None = None) -> Game:
    """The example between Bill and Joao, or its first plies."""
    played = example(key)
    return recorded(app, key, played.position.options, 0, played.moves[:upto])


def recorded(
    app: App,
    key: str,
    options: Mapping[str, Any],
    seed: int,
    moves: Sequence[str],
    comments: Mapping[int, str] | None = None,
) -> Game:
    """A game between Bill and Joao, one ply every five hours. `comments` are by the number of the ply."""
    rules = RULES[key]
    seats = player(app, "Bill"), player(app, "Joao")
    with app.store.write() as db:
        game = add_game(db, rules, rules.complete(options), seed, seats, True, NOON)
        entries = [opening_entry(game), *_plies(game, moves, comments or {})]
        whole = game.with_entries(entries)
        games.append_entries(db, game, fold(whole), entries)
    return whole


def _plies(game: Game, moves: Sequence[str], comments: Mapping[int, str]) -> Iterator[Entry]:
    position = game.rules.begin(game.options, game.seed)
    for n, move in enumerate(moves, start=1):
        said = {"comment": comments[n]} if n in comments else {}
        at = NOON + timedelta(hours=5 * n + 5)
        yield Entry(n + 1, at, PLY, position.to_play, {"move": move, **said})
        position = position.play(position.read(move))
