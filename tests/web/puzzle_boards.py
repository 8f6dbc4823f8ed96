"""A finished game with puzzles in it, stored as the bots store them."""

from __future__ import annotations

from functools import cache

from pbem.app import App
from pbem.bots.puzzling import FoundPuzzle, find_puzzles
from pbem.core.exercises.puzzle import Puzzle
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games, puzzles
from rules import RULES
from tests.apps import add_game, player
from tests.people import NOON
from tests.web.library import add

MOVES = ("d1", "swap", "b1", "d4", "d3", "d2", "a1", "c2", "c1", "c3")
"""A small Begird, played by chance to its end."""
OPTIONS = {"islands": "3", "side": "4"}


@cache
def found_puzzles() -> tuple[FoundPuzzle, ...]:
    position = RULES["begird"].start(OPTIONS)
    positions = [position]
    for text in MOVES:
        positions.append(position := position.play(position.read(text)))
    return tuple(find_puzzles(positions, 60.0))


def add_puzzle_game(app: App) -> Game:
    """A game of Bill and Joao, ended by its rules, with its puzzles."""
    rules = RULES["begird"]
    seats = player(app, "Bill"), player(app, "Joao")
    with app.store.write() as db:
        game = add_game(db, rules, rules.start(OPTIONS).options, 0, seats, False, NOON)
        begun = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(begun), [opening_entry(game)])
    game = begun
    for text in MOVES:
        game = add(app, game, PLY, game.state.position.to_play, {"move": text})
    with app.store.write() as db:
        for each in found_puzzles():
            head = (0, game.id, each.ply, rules.key, each.line[0])
            puzzles.add_puzzle(db, Puzzle(*head, each.line, each.replies), app.now())
    return game


def stored_puzzles(app: App) -> list[Puzzle]:
    """All of them, the newest first."""
    with app.store.read() as db:
        return puzzles.newest_puzzles(db, list(RULES), 100, None)
