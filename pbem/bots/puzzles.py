"""Jobs that look for puzzles in finished games, once a game, in at most half of the bots' time."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.app import App
from pbem.bots.puzzling import find_puzzles
from pbem.core.exercises.puzzle import Puzzle, show_puzzle
from pbem.core.game.game import Game
from pbem.core.game.state import board_states
from pbem.duties import budget
from pbem.store import bot_jobs, games, puzzles
from pbem.store.bot_jobs import Job
from pbem.store.engine import Connection

KIND = "puzzles"
MAX_QUEUED = 20


def queue_searches(app: App) -> bool:
    """Queue the search for puzzles in ended games; False without any."""
    now = app.clock()
    with app.store.write() as db:
        if not budget.has_time(app, db, now, budget.SHARE_OF_JOBS):
            return False
        ended = puzzles.unsearched_games(db, list(app.games_by_key), MAX_QUEUED)
        for id, ended_at in ended:
            bot_jobs.add_job(db, KIND, str(id), {"game": id}, now)
            puzzles.mark_searched(db, id, ended_at)
    return bool(ended)


def compute_puzzles(app: App, job: Job) -> list[Mapping[str, Any]]:
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, job.data["game"])
    if game is None or game.state.ending is None:
        return []
    positions = [state.position for state in board_states(game.state)]
    found = find_puzzles(positions, float(app.config.bot_seconds[0]))
    return [{"ply": each.ply, "line": list(each.line), "replies": dict(each.replies)} for each in found]


def deliver_puzzles(
    app: App, db: Connection, job: Job, result: list[Mapping[str, Any]], now: datetime
) -> None:
    game = games.load_game(db, app.games_by_key, job.data["game"], lock=True)
    for each in result if game is not None else ():
        assert game is not None
        puzzle = _puzzle(game, each)
        if show_puzzle(puzzle, game) is not None:
            puzzles.add_puzzle(db, puzzle, now)


def _puzzle(game: Game, found: Mapping[str, Any]) -> Puzzle:
    line = tuple(found["line"])
    return Puzzle(0, game.id, found["ply"], game.rules.key, line[0], line, found["replies"])
