"""Count letters that came back, and tell the operator and the opponents."""

import logging
from dataclasses import replace
from datetime import datetime

from pbem.app import App
from pbem.core import bounces as core_bounces
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player
from pbem.store import bounces, engine, games, inbox, locks, players
from pbem.store.games import RunningGame

log = logging.getLogger("pbem.mail")


def severity_text(points: int, status: str) -> str:
    return f"{'hard' if points == core_bounces.HARD else 'soft'}{f', {status}' if status else ''}"


def record_bounce(
    app: App, db: engine.Connection, letter: int, address: str, points: int, status: str, now: datetime
) -> tuple[Letter, ...]:
    """Record a bounce. Returns letters to opponents if it suspends the address."""
    locks.advisory_lock(db, address)
    if not bounces.add_bounce(db, letter, address, points, status, now):
        return ()
    app.counts.add("bounces")
    recent = bounces.bounce_points(db, address, now - core_bounces.BOUNCE_WINDOW)
    if recent < core_bounces.SUSPENSION_POINTS:
        return ()
    number = bounces.suspend_address(db, address, now)
    player = players.player_by_id(db, number) if number is not None else None
    if player is None:
        return ()
    log.warning("letters to player %d come back and are held from now on", player.id)
    return () if player.reachable else _tell_opponents(app, db, player, now)


def _tell_opponents(app: App, db: engine.Connection, player: Player, now: datetime) -> tuple[Letter, ...]:
    across: dict[str, list[RunningGame]] = {}
    for game in games.running_of_player(db, app.games_by_key, player):
        theirs = replace(game, opponent=player.name, your_turn=not game.your_turn)
        across.setdefault(game.opponent, []).append(theirs)
    letters = []
    for name, running in across.items():
        opponent = players.player_by_name(db, name)
        if opponent is None:
            continue
        # once a day: players could otherwise cause such letters by bounces of their own
        if inbox.claim_nonce(db, "unreachable", f"{player.id} to {opponent.id}", now):
            letters.append(to_player("unreachable", opponent, name=player.name, running=running))
    return tuple(letters)
