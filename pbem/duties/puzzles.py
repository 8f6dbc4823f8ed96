"""Puzzles for players, and one a day for who wants it."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.app import App
from pbem.core.clock.dates import next_digest, zone_of
from pbem.core.exercises.puzzle import LABORATORY, Puzzle, ShownPuzzle, laboratory_game, show_puzzle
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player
from pbem.core.preferences.reminders import quiet_hours
from pbem.duties.questions import ask
from pbem.outbox import drain, write
from pbem.resources import find_template
from pbem.store import games, players, puzzles
from pbem.store.engine import Connection
from pbem.store.locks import advisory_lock

KIND, CATEGORY = "puzzle", "puzzles"
PURPOSE = "puzzle"
DAILY = "daily"
SHIPPED = "rules/puzzles.jsonl"
"""The file of the laboratory's puzzles, among the templates."""
MORNING = 7
"""The hour of the daily puzzle, or else the end of the player's quiet hours, if any."""


def schedule_daily(db: Connection, player: Player, value: str, now: datetime) -> None:
    """Have the next daily puzzle due, or none."""
    puzzles.DAILY.set_due(db, player.id, next_morning(player, now) if value == DAILY else None)


def next_morning(player: Player, now: datetime) -> datetime:
    """Return the player's next morning, at the end of their quiet hours."""
    quiet = quiet_hours(player.preferences.quiet)
    return next_digest(now, MORNING if quiet is None else quiet[1], zone_of(player.preferences.zone))


def find_unseen(app: App, db: Connection, player: Player, keys: Collection[str]) -> ShownPuzzle | None:
    """Return the newest puzzle that the player has not seen, and remove puzzles whose game has changed."""
    while (puzzle := puzzles.unseen_puzzle(db, player, keys)) is not None:
        if shown := load_shown(app, db, puzzle):
            return shown
        puzzles.remove_puzzle(db, puzzle.id)
    return None


def load_shown(app: App, db: Connection, puzzle: Puzzle | None) -> ShownPuzzle | None:
    game = None if puzzle is None else _game_of(app, db, puzzle)
    return None if puzzle is None or game is None else show_puzzle(puzzle, game)


def _game_of(app: App, db: Connection, puzzle: Puzzle) -> Game | None:
    if puzzle.setup is None:
        return games.load_game(db, app.games_by_key, puzzle.game_id)
    rules = app.games_by_key.get(puzzle.rules)
    return None if rules is None else laboratory_game(rules, puzzle.setup)


def add_shipped(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Store the laboratory's puzzles on a server that has no puzzles; returns how many were stored."""
    with app.store.read() as db:
        if puzzles.are_there_any(db):
            return 0
    shipped = [each for each in read_shipped(find_template(SHIPPED)) if each.rules in app.games_by_key]
    with app.store.write() as db:
        advisory_lock(db, SHIPPED)
        if puzzles.are_there_any(db):
            return 0
        for each in shipped:
            puzzles.add_puzzle(db, each, app.now())
    return len(shipped)


def read_shipped(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file that `pbem puzzles` has written, a puzzle a line."""
    return [_read_puzzle(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _read_puzzle(data: Mapping[str, Any]) -> Puzzle:
    line, setup = tuple(data["line"]), {name: data[name] for name in ("options", "seed", "moves")}
    head = (0, LABORATORY, len(data["moves"]), data["game"], line[0], line, data["replies"])
    return Puzzle(*head, setup=setup)


def give(
    app: App, db: Connection, shown: ShownPuzzle, player: Player, now: datetime, *, is_daily: bool
) -> Letter:
    """The letter with a puzzle; its reply address takes the answer."""
    puzzles.give_puzzle(db, shown.puzzle.id, player, now)
    question = ask(db, PURPOSE, player.address, {"puzzle": shown.puzzle.id}, now)
    letter = to_player(KIND, player, shown=shown, daily=is_daily, moves=())
    return replace(letter, reply=question, needed=not is_daily)


def send_daily(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Queue the daily puzzles that are due; returns their number. Safe in any number of processes."""
    return drain.drain_rows(
        app, "puzzle", lambda db, tried: puzzles.DAILY.take(db, app.now(), tried), _send, until
    )


def _send(app: App, db: Connection, player_id: int, due: datetime) -> int:
    player, now = players.player_by_id(db, player_id), app.now()
    if player is None or player.preferences.more.get(CATEGORY) != DAILY:
        puzzles.DAILY.set_due(db, player_id, None)
        return 0
    puzzles.DAILY.set_due(db, player_id, next_morning(player, now))
    shown = find_unseen(app, db, player, list(app.games_by_key))
    if shown is None or CATEGORY in player.stopped or not player.reachable:
        return 0
    letter = give(app, db, shown, player, now, is_daily=True)
    return len(write.queue_letters(app, db, [letter], now, about=f"p{player.id}.{due:%Y%m%d%H}"))
