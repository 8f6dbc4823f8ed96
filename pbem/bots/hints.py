"""Jobs of `hint`: they think, then send a letter if mail asked."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zlib import crc32

from pbem.app import App
from pbem.bots.judging import HINT_SECONDS, find_hint
from pbem.commands.hint import hint_key, hint_letter
from pbem.core.game.game import Game
from pbem.outbox.write import queue_letters
from pbem.store import bot_jobs, games
from pbem.store.bot_jobs import Job
from pbem.store.engine import Connection


def compute_hint(app: App, job: Job) -> Mapping[str, Any] | None:
    """A move and a sentence; None if the game has gone on."""
    with app.store.read() as db:
        game = _unchanged_game(app, db, job)
    if game is None:
        return None
    seed, seconds = crc32(f"{game.seed} {job.key}".encode()), min(HINT_SECONDS, app.config.bot_seconds[0])
    return dict(vars(find_hint(game.state.position, seed, seconds)))


def deliver_hint(app: App, db: Connection, job: Job, result: Any, now: datetime) -> None:
    game = _unchanged_game(app, db, job)
    known = bot_jobs.find_job(db, job.kind, job.key, now)
    if result and game is not None and known is not None and known.data["mail"]:  # it may be new
        letter = hint_letter(game, job.data["seat"], app.config.host, result)
        queue_letters(app, db, [letter], now, about=f"h{job.id}")


def _unchanged_game(app: App, db: Connection, job: Job) -> Game | None:
    """Return the game if its player must still make the job's ply."""
    game, seat = games.load_game(db, app.games_by_key, job.data["game"]), job.data["seat"]
    if game is None or game.seats[seat].id != job.player_id or game.state.to_play != seat:
        return None
    return game if hint_key(game, seat) == job.key else None
