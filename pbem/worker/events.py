"""Seasons, ladders and matches go on by themselves. Each step has its own transaction.

A step reads what is there, writes an entry of the event's journal with the letters about it, and says when
the next is due. So a process that dies between two steps loses and doubles nothing. The games of a division
begin together; those of the next division in the next transaction.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from pbem.app import App
from pbem.commands.directing import Decide
from pbem.core.errors import Refusal
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import EventGame
from pbem.core.events.table import FORFEIT_LOSS
from pbem.core.game.game import Game as Stored
from pbem.core.game.journal import RESIGN, SEATS, TIMEOUT, Entry
from pbem.core.play import director
from pbem.core.players import Player
from pbem.core.ratings.results import is_short
from pbem.duties.event_steps import EventStep, step_of
from pbem.inbox.director import decide_as_director
from pbem.outbox.drain import log_failure, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import event_entries, events, games, players
from pbem.store.engine import Connection
from rules.contract import Seat

log = logging.getLogger("pbem.events")


def check_events(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Do all steps that are due; returns their number."""
    done, failed = 0, set[object]()
    while not until():
        with app.store.read() as db:
            due = events.due_events(db, app.now())
            changed = events.divisions_to_do(db)
        steps: list[tuple[object, Callable[[], None]]] = [
            *((each, partial(_advance_division, app, *each)) for each in changed),
            *((id, partial(_advance_event, app, id)) for id in due),
        ]
        steps = [step for step in steps if step[0] not in failed]
        if not steps:
            break
        for what, step in steps:
            if until():
                break
            failed.add(what)
            with log_failure(log, "event %s: a step failed; it is tried again at the next beat", what):
                step()
                failed.discard(what)
                done += 1
    return done


def _step(app: App, db: Connection, id: int) -> EventStep | None:
    event = events.lock_event(db, id)
    return None if event is None else step_of(app, db, event, app.now())


def _advance_event(app: App, id: int) -> None:
    """Do the due step of an event, if it still is due."""
    with app.store.write() as db:
        step = _step(app, db, id)
        if step is None or step.event.next_at is None or step.event.next_at > step.now:
            return
        letters = step.take()
        about = f"v{id}.{step.event.entries}"
        queue_letters(app, db, letters, step.now, about=about)
        app.step("event")
        log.info("event %d: step after entry %d", id, step.event.entries)


# A division in which games have ended, or must be.


def _advance_division(app: App, id: int, division: int) -> None:
    """Handle ended games: losses on time, next games, the season's end."""
    with app.store.write() as db:
        step = _step(app, db, id)
        assert step is not None
        event_entries.settle(db, id, division)
        letters = []
        if step.event.state in (league.STARTING, league.RUNNING) and (
            division <= step.event.begun - step.event.divisions
        ):
            letters = step.after_games(division)
        queue_letters(app, db, letters, step.now, about=f"v{id}.{step.event.entries}.{division}")
        app.step("event")
        left = events.games_in_state(db, id, division, league.TO_VOID, league.TO_REPLACE)
        names = players.players_by_ids(db, {id for game in left for id in game.pair})
        gone = events.journal_of(db, id, "withdraw")
        why = {entry.data["player"]: str(entry.data["why"]) for entry in gone}
    for game in left:
        app.step("event game")
        if game.state == league.TO_VOID:
            _end_of_leaver(app, game, step.event, why)
        else:
            _replace(app, game, step.event, names)


def _end_of_leaver(app: App, game: EventGame, event: Event, why: Mapping[int, str]) -> None:
    """End a game of a player who left, as resigned or on time, or as void if hardly played.

    The event's table counts the game as a forfeit in each case.
    """
    leaver = game.first if game.score == FORFEIT_LOSS else game.second
    reason = f"A player left the {event.title}; the table counts this game as a forfeit"

    def end(found: Stored, now: datetime) -> Entry:
        seat = next((seat for seat in SEATS if found.seats[seat].id == leaver), None)
        if seat is None or is_short(found.state) or found.state.ending is not None:
            return director.adjudicate(found, "void", reason, now)
        if why.get(leaver) == "time":
            return found.next_entry(now, TIMEOUT, seat, {"flag": now.isoformat()})
        return found.next_entry(now, RESIGN, seat, {})

    _decide(app, game, end)


def _replace(app: App, game: EventGame, event: Event, names: dict[int, Player]) -> None:
    """Have the player who got a place go on in a game."""
    assert game.game is not None
    number = game.game
    with app.store.read() as db:
        seated = events.seats_of(db, number)
    for seat, new in zip(SEATS, game.pair, strict=True):
        if new != seated[seat]:
            who = "the computer" if names[new].bot else "the first of the standby list"
            reason = f"A player left the {event.title}; {who} goes on"
            _decide(app, game, partial(_seat_player, seat, names[new], reason))
            app.step("event replaced")
    with app.store.write() as db:
        events.lock_event(db, event.id)
        event_entries.append(db, event.id, "replaced", app.now(), game=number)


def _seat_player(seat: Seat, player: Player, reason: str, game: Stored, now: datetime) -> Entry:
    return director.replace_seated(game, seat, player, reason, now)


def _decide(app: App, game: EventGame, decide: Decide) -> None:
    """Decide as a director, unless the game ended or its pairing changed."""
    number = game.game or 0
    try:
        decide_as_director(app, number, decide, check=partial(_check_unchanged, game))
    except Refusal as refusal:
        with app.store.read() as db:
            if games.end_of_game(db, number) is None and events.pairing_state(db, number) == game.state:
                raise
        log.info("game %d: %s", number, refusal)


def _check_unchanged(game: EventGame, db: Connection) -> None:
    """Raise Refusal if the pairing has changed, as after a director has a player play on."""
    if events.pairing_state(db, game.game or 0) != game.state:
        raise Refusal("The pairing has changed meanwhile.")
