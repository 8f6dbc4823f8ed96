"""One whole game of each kind to look at: the examples that come with the rules, stored as played here."""

from __future__ import annotations

from datetime import timedelta

from pbem.core.folding import fold
from pbem.core.game import Game
from pbem.core.journal import PLY, Entry
from pbem.core.lobby import opening
from pbem.office import Office
from pbem.store import games
from pbem.templates import find
from rules import RULES, record
from tests.web.library import NOON, player


def example(key: str) -> record.Replay:
    """The game that comes with the rules of `key`."""
    return record.replay(record.read(find(f"rules/{key}.game").read_text(encoding="utf-8")))


def stored(office: Office, key: str, upto: int | None = None) -> Game:
    """That game between Bill and Joao, all of it or its first plies."""
    played = example(key)
    seats = player(office, "Bill"), player(office, "Joao")
    with office.store.write() as db:
        options = played.position.options
        game = games.add(db, RULES[key], options, 0, seats, True, NOON)
        entries = [opening(game), *_plies(game, played, upto)]
        begun = game.with_entries(entries)
        games.append(db, game, fold(begun), entries, None)
    return begun


def _plies(game: Game, played: record.Replay, upto: int | None) -> list[Entry]:
    position = game.rules.begin(game.options, game.seed)
    entries = []
    for n, move in enumerate(played.moves[:upto], start=2):
        at = NOON + timedelta(hours=5 * n)
        entries.append(Entry(n, at, PLY, position.to_play, {"move": move}))
        position = position.play(position.read(move))
    return entries
