"""Count letters that came back, and tell the operator and the opponents."""

import logging
from dataclasses import replace
from datetime import datetime

from pbem.app import App
from pbem.core import bounces as core_bounces
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.players import RETURNED, Player, same_address
from pbem.core.preferences.letter_kinds import KINDS
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
    _note_return(db, address, now)
    recent = bounces.bounce_points(db, address, now - core_bounces.BOUNCE_WINDOW)
    if recent < core_bounces.SUSPENSION_POINTS:
        return ()
    number = bounces.suspend_address(db, address, now)
    player = players.player_by_id(db, number) if number is not None else None
    if player is None:
        return ()
    if player.reachable:
        return ()
    if player.spare and player.spare not in player.suspended:
        return _use_spare(db, player, now)
    log.warning("letters to player %d come back and are held from now on", player.id)
    return _tell_opponents(app, db, player, now)


def _note_return(db: engine.Connection, address: str, now: datetime) -> None:
    player = players.player_by_address(db, address)
    if player is not None:
        players.set_preference(db, player, RETURNED, now.isoformat())


def returned_at(db: engine.Connection, player: Player, now: datetime) -> datetime | None:
    """Return when a letter to the player came back, unless a later one has arrived."""
    at, before = player.returned_at, now - core_bounces.ARRIVED_AFTER
    arrived = at is not None and at < before and bounces.has_arrived(db, player.id, at, before)
    return None if arrived else at


def _use_spare(db: engine.Connection, player: Player, now: datetime) -> tuple[Letter, ...]:
    """Have a player's letters go to the spare address, with those that came back. Both mailboxes are told."""
    players.set_letter_address(db, player, player.spare)
    moved = replace(player, address=player.spare)
    sent = bounces.release_held(db, moved, now, missed_at=player.address)
    log.warning("letters to player %d come back; the spare address has %d of them now", player.id, sent)
    others = sorted(moved.addresses - {player.spare})
    changed, here = same_address(player.address), player.spare
    told = to_player("addresses", moved, here=here, spare="", others=others, done="fallback", changed=changed)
    # whoever reads the mailbox from which letters come back must not learn the others, nor get a secret
    first = replace(told.telling(here="", others=[]), address=player.address, reply=ReplyTo())
    return told, replace(first, player=replace(moved, suspended=frozenset()))


def record_refusal(
    app: App, db: engine.Connection, letter: int, address: str, status: str, now: datetime
) -> tuple[Letter, ...]:
    """Record that a policy refuses a letter, which suspends nobody. Returns a letter to an opponent."""
    locks.advisory_lock(db, address)
    if not bounces.add_bounce(db, letter, address, core_bounces.NONE, status, now):
        return ()
    app.counts.add("policy_refusals")
    _note_return(db, address, now)
    log.warning("o%d: %s refuses it by policy (%s)", letter, address.rpartition("@")[2], status)
    return _tell_unheard(app, db, letter, now)


def _tell_unheard(app: App, db: engine.Connection, letter: int, now: datetime) -> tuple[Letter, ...]:
    """Tell the opponents in games whose newest letter was refused. Answers to the player bring no news."""
    this = bounces.game_of_letter(db, letter)
    player = None if this is None or KINDS[this.kind].answers else players.player_by_id(db, this.player)
    if this is None or player is None:
        return ()
    about = [this.game] if this.game is not None else []
    if this.game is None:
        about = [game.id for game in games.running_of_player(db, app.games_by_key, player)]
    unheard = [id for id in about if bounces.is_unheard(db, id, player)]
    return tuple(told for id in unheard for told in _tell_opponents(app, db, player, now, "unheard", id))


def _tell_opponents(
    app: App,
    db: engine.Connection,
    player: Player,
    now: datetime,
    kind: str = "unreachable",
    only: int | None = None,
) -> tuple[Letter, ...]:
    """Tell a player's opponents in running games, or that of game `only`."""
    across: dict[str, list[RunningGame]] = {}
    for game in games.running_of_player(db, app.games_by_key, player):
        if only not in (None, game.id):
            continue
        theirs = replace(game, opponent=player.name, your_turn=not game.your_turn)
        across.setdefault(game.opponent, []).append(theirs)
    letters = []
    for name, running in across.items():
        opponent = players.player_by_name(db, name)
        if opponent is None or opponent.bot:
            continue
        # once a day: players could otherwise cause such letters by bounces of their own
        if inbox.claim_nonce(db, kind, f"{player.id} to {opponent.id}", now):
            letters.append(to_player(kind, opponent, name=player.name, running=running))
    return tuple(letters)
