"""Jobs that prove claimed wins: a search outside transactions, then check and end of game in one."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from pbem.app import App
from pbem.bots.proving import find_proof
from pbem.commands.proved_claims import proving_letter
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter
from pbem.core.play.proved import MAX_PROOF, claimed_moves, decide_proved
from pbem.duties import game_clock
from pbem.outbox.write import queue_letters
from pbem.store import games, proofs
from pbem.store.bot_jobs import Job
from pbem.store.engine import Connection
from rules.search.proof import BadProof


def compute_proof(app: App, job: Job) -> Mapping[str, str]:
    """Return the proof of a claimed win; "" without one, or if the board has changed since the claim."""
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, job.data["game"])
    if game is None or not _is_open(game, job):
        return {"proof": ""}
    seat = job.data["seat"]
    text = find_proof(game.as_seen_by(seat).state.position, seat, float(app.config.bot_seconds[0]))
    return {"proof": text if len(text) <= MAX_PROOF else ""}


def _is_open(game: Game, job: Job) -> bool:
    """True if the game goes on, with the claim's player and board."""
    seat = job.data["seat"]
    if game.state.ending is not None or game.seats[seat].id != job.player_id:
        return False
    return claimed_moves(game, seat) == job.data["moves"]


def deliver_proof(app: App, db: Connection, job: Job, result: Mapping[str, str], now: datetime) -> None:
    """End the game if the proof holds; else tell the player alone."""
    game = games.load_game(db, app.games_by_key, job.data["game"], lock=True)
    if game is None:
        return
    letters: list[Letter] = []
    if result["proof"] and _is_open(game, job):
        game, letters = _bring_up_to_date(app, db, game, now)
    letters += _answer(app, db, game, job, result["proof"], now)
    queue_letters(app, db, letters, now, about=f"p{job.id}")


def _bring_up_to_date(app: App, db: Connection, game: Game, now: datetime) -> tuple[Game, list[Letter]]:
    """Do what the clock and a waiting move have to do first."""
    game, letters = game_clock.advance_clock(app, db, game, now - game_clock.WORKER_DELAY)
    game, made = game_clock.release_pending(app, db, game, now)
    return game, [*letters, *made]


def _answer(app: App, db: Connection, game: Game, job: Job, proof: str, now: datetime) -> list[Letter]:
    seat, site = job.data["seat"], app.config.host
    if not _is_open(game, job):
        proofs.forget_try(db, game.id, job.player_id)
        seated = game.seats[seat].id == job.player_id
        return [proving_letter(game, seat, site, "changed")] if seated and not game.state.ending else []
    try:
        decision = decide_proved(game, seat, proof, now, site)
    except BadProof:  # "" too
        proofs.store_try(db, game.id, job.player_id, proofs.FAILED, now)
        return [proving_letter(game, seat, site, "failed")]
    games.append_entries(db, game, decision.state, decision.entries)
    proofs.forget_try(db, game.id, job.player_id)
    return [replace(each, needed=True) for each in decision.letters]
