"""Jobs that evaluate finished games, and choose three moments of each player.

The jobs work in parts of about a second, and each part leaves its data in the job for the next. So moves and
hints wait for no long analysis, and a killed process loses one part. The moments wait for the player's next
morning; their key is a player and a day, so that nobody gets two such letters on one day.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zlib import crc32

from pbem.app import App
from pbem.bots.judging import judge
from pbem.core.clock.dates import next_digest, zone_of
from pbem.core.exercises import analysis
from pbem.core.exercises.analysis import ANALYSIS, MIN_PLIES, analysis_key, key_of_ended
from pbem.core.game.game import Game
from pbem.core.game.state import board_states
from pbem.core.game.view import view
from pbem.core.letters.letter import ReplyTo, to_player
from pbem.core.players import Player
from pbem.outbox.write import queue_letters
from pbem.store import bot_jobs, games, moments, players
from pbem.store.bot_jobs import Job
from pbem.store.engine import Connection
from rules.contract import Position, Seat

MOMENTS = "moments"
GAME_SECONDS, MOST_SECONDS = 10.0, 0.3
"""The time to evaluate a game, and the most for one of its positions."""
MOMENT_SECONDS = 0.5
"""The time to judge each of three positions: before a move, after it, and after the best one."""
PART_SECONDS = 1.0
NEWS = timedelta(days=3)
"""Games that ended longer ago are not evaluated any more."""
MORNING, EVENING = 8, 20
"""The hour of moments in the player's zone, and the hour from which late ones wait for the next morning."""
ANSWERED_WITHIN = timedelta(days=60)


def queue_analyses(app: App, since: datetime) -> int:
    """Queue the evaluation of games that ended since then; returns their number."""
    with app.store.read() as db:
        found = games.ended_since(db, list(app.games_by_key), since, MIN_PLIES)
        keys = {key_of_ended(id, ended_at): id for id, ended_at in found}
        known = bot_jobs.known_keys(db, ANALYSIS, list(keys))
    new = {key: id for key, id in keys.items() if key not in known}
    if new:
        with app.store.write() as db:
            for key, id in new.items():
                bot_jobs.add_job(db, ANALYSIS, key, {"game": id, "values": []}, app.now())
    return len(new)


def compute_analysis(app: App, job: Job) -> Mapping[str, Any] | None:
    """Compute a game's next values; None if the game was opened again, or is gone."""
    game = _load(app, job.data["game"])
    if game is None or analysis_key(game) != job.key:
        return None
    states, values = board_states(game.state), list(job.data["values"])
    seconds, end = min(MOST_SECONDS, GAME_SECONDS / len(states)), time.monotonic() + PART_SECONDS
    while len(values) < len(states):
        position = states[len(values)].position
        values.append(round(judge(position, _seed(game, len(values)), seconds).value, 3))
        if time.monotonic() > end:
            break
    return {"values": values}


def deliver_analysis(app: App, db: Connection, job: Job, result: Any, now: datetime) -> None:
    """Go on with the next part. At the end, queue the moments of both players."""
    game = None if result is None else games.load_game(db, app.games_by_key, job.data["game"])
    if game is None:
        return
    if len(result["values"]) <= len(game.state.plies):
        bot_jobs.continue_job(db, job, {**job.data, **result}, now)
        return
    for seat in (0, 1):
        _queue_moments(db, game, seat, result["values"], now)


def _queue_moments(db: Connection, game: Game, seat: Seat, values: Sequence[float], now: datetime) -> None:
    player = game.seats[seat]
    if not _wants_moments(player) or not analysis.candidates(game, seat, values):
        return
    zone = zone_of(player.preferences.zone)
    due = next_digest(now, MORNING, zone)
    data = {"game": game.id, "seat": seat, "values": list(values), "judged": []}
    bot_jobs.add_job(db, MOMENTS, f"{player.id}.{due.astimezone(zone).date()}", data, due, player.id)


def _by_day(player: Player, now: datetime) -> datetime:
    """Return `now` if it is day for the player, else their morning."""
    zone = zone_of(player.preferences.zone)
    by_day = MORNING <= now.astimezone(zone).hour < EVENING
    return now if by_day else next_digest(now, MORNING, zone)


def _wants_moments(player: Player) -> bool:
    return not (player.bot or player.gone or MOMENTS in player.stopped) and player.reachable


def compute_moment(app: App, job: Job) -> Mapping[str, Any] | None:
    """Judge a player's next move that may be a moment; return None if the game has changed."""
    game, data = _load(app, job.data["game"]), job.data
    if game is None or game.state.ending is None or len(data["values"]) != len(game.state.plies) + 1:
        return None
    judged, plies = list(data["judged"]), analysis.candidates(game, data["seat"], data["values"])
    if len(judged) < len(plies):
        judged.append(judge_ply(game, plies[len(judged)]))
    return {"judged": judged, "whole": len(judged) >= len(plies)}


def judge_ply(game: Game, n: int) -> Mapping[str, Any]:
    """Return the data of a moment: the player's chances after the best move and after their own.

    The player's own move is returned as the best if the one found is not better.
    """
    states, ply = board_states(game.state), game.state.plies[n - 1]
    before, seed = states[n - 1].position, _seed(game, n)
    found = judge(before, seed, MOMENT_SECONDS)
    own = judge(states[n].position, seed, MOMENT_SECONDS)
    after = judge(_after(before, found.best), seed, MOMENT_SECONDS)
    value, played = (round(each.value if ply.seat == 0 else 1 - each.value, 3) for each in (after, own))
    told = {"ply": n, "played": ply.move, "after": played, "proved": after.proved and own.proved}
    if value <= played or analysis.is_same_move(before, found.best, ply.move):
        return {**told, "best": ply.move, "value": played, "expected": own.best}
    return {**told, "best": found.best, "value": value, "expected": after.best}


def _after(position: Position, move: str) -> Position:
    return position.follow(position.read_ply(move))


def deliver_moment(app: App, db: Connection, job: Job, result: Any, now: datetime) -> None:
    """Go on with the next part; at the end send the letter."""
    game = None if result is None else games.load_game(db, app.games_by_key, job.data["game"])
    player = None if game is None else game.seats[job.data["seat"]]
    if game is None or player is None or player.id != job.player_id or not _wants_moments(player):
        return
    due = _by_day(player, now) if result["whole"] else now
    if due > now or not result["whole"]:
        bot_jobs.continue_job(db, job, {**job.data, "judged": result["judged"]}, due)
        return
    chosen = analysis.choose_moments(result["judged"])
    number = moments.add_moments(db, player, game.id, chosen, now)
    question = players.add_confirmation(
        db, MOMENTS, player.address, {"moments": number}, now, now + ANSWERED_WITHIN
    )
    seen = view(game, job.data["seat"], app.config.host)
    asked = to_player(MOMENTS, player, seen=seen, items=analysis.moments_of(seen, chosen, {}))
    letter = replace(asked, reply=ReplyTo("confirm", question.id))
    queue_letters(app, db, [letter], now, about=f"k{number}")


def _load(app: App, id: int) -> Game | None:
    with app.store.read() as db:
        return games.load_game(db, app.games_by_key, id)


def _seed(game: Game, n: int) -> int:
    return crc32(f"{game.seed} {n}".encode())
