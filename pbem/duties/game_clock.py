"""Clock events in a game. A mail about the game or the worker decides, stores and tells them like moves."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.clock.vacation import Vacation
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter
from pbem.core.play import clock_events, undo_window
from pbem.core.players import Player
from pbem.duties import outages, reminders
from pbem.outbox.drain import log_failure, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import bounces, engine, games, inbox, locks, vacations

log = logging.getLogger("pbem.clock")

WORKER_DELAY = timedelta(minutes=1)
"""The worker's delay after a flag. By then all mail accepted before it is stored."""
MAX_GAMES_LOADED = 50
"""Games handled before the list of due ones is loaded again."""
RETRY_DELAY = timedelta(minutes=10)
"""The delay before a failed game is tried again, without delaying other games."""
WAIT_DELAY = timedelta(seconds=10)
"""The delay for a game with waiting mail or mailbox."""


class EarlierMailPending(Exception):
    pass


def advance_clock(
    app: App, db: engine.Connection, game: Game, by: datetime, *, besides: int | None = None
) -> tuple[Game, list[Letter]]:
    """Do a game's clock events up to `by`; returns game and letters.

    Nothing is done while a mail waits that may be about the game and was accepted before the flag fell, here
    or in a mailbox. For mail number `besides` that raises EarlierMailPending, so that nobody moves after a
    flag unnoticed. A mailbox that does not answer delays no mail: in the end it gives its time back to all
    clocks.
    """
    let_go: list[Letter] = []
    happened: list[clock_events.FlagEvent] = []
    before = game
    while (due := clock_events.next_event(game)) is not None and due <= by:
        if _is_too_early(app, db, game, due, besides):
            break
        if game.pending is not None and due == game.pending.until:
            before, let_go = release_pending(app, db, game, due)
            game = before
            continue
        fresh = games.with_current_stops(db, game)  # nobody else can take a day off now
        if fresh is not game:  # a day taken for another game covers this flag too
            game = fresh
            games.reschedule(db, game, app.now())
            continue
        taken, days_off = _vacations(db, game)
        unheard = bounces.is_unheard(db, game.id, _player_to_move(game))
        event = clock_events.next_flag_event(game, by, taken, days_off=days_off, unheard=unheard)
        if event is None:
            break
        game = _store_event(app, db, game, event)
        happened.append(event)
    more = False
    if game.state.to_play is not None and any(event.vacation for event in happened):
        taken, days_off = _vacations(db, game)
        more = clock_events.vacation_day_follows(game, taken, days_off=days_off)
    letters = clock_events.letters_for_clock_events(before, game, happened, app.config.host, more=more)
    return game, let_go + letters


def release_pending(app: App, db: engine.Connection, game: Game, at: datetime) -> tuple[Game, list[Letter]]:
    """Make a locked game's pending move, if any, as of `at` or, if earlier, of the end of its wait."""
    if game.pending is None:
        return game, []
    decision = undo_window.decide_release(game, min(at, game.pending.until), app.config.host)
    game = games.set_pending_move(db, game, None)
    return games.append_entries(db, game, decision.state, decision.entries), list(decision.letters)


def _is_too_early(app: App, db: engine.Connection, game: Game, due: datetime, besides: int | None) -> bool:
    """True if an event cannot be judged yet. Raises EarlierMailPending if mail `besides` waits for it."""
    looked = outages.mail_fetched_until(app, db)
    if looked <= due and app.now() - looked > outages.patience(app):
        return game.pending is None
    early = (
        looked <= due
        or inbox.first_waiting_mail(db, due, besides, game) is not None
        # somebody else takes this player's days off: two flags could use the same day twice
        or not locks.try_advisory_lock(db, locks.vacation_lock_name(_player_to_move(game)))
    )
    if early and besides is not None:
        raise EarlierMailPending
    return early


def _player_to_move(game: Game) -> Player:
    assert game.state.to_play is not None
    return game.seats[game.state.to_play]


def _vacations(db: engine.Connection, game: Game) -> tuple[Sequence[Vacation], bool]:
    """Return the vacations of the player to move. True if the clock may take more of them."""
    player = _player_to_move(game)
    return vacations.vacations_of_players(db, [player.id])[player.id], player.preferences.days_off


def _store_event(app: App, db: engine.Connection, game: Game, event: clock_events.FlagEvent) -> Game:
    if event.entry is not None:
        after = game.with_entries([event.entry])
        games.append_entries(db, game, after.state, [event.entry])
        return after
    assert event.vacation is not None
    player_id = game.seats[event.seat].id
    vacations.store_vacation(db, player_id, event.vacation)
    later = games.with_current_stops(db, game)
    games.reschedule(db, later, app.now())
    locks.wake_player_clocks(db, player_id, app.now(), besides=game.id)
    return later


def check_due_games(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Check locked games with due events until `until()`; returns their number."""
    seen: set[int] = set()
    while not until():
        with app.store.read() as db:
            due = games.due_game_ids(db, app.now() - WORKER_DELAY, MAX_GAMES_LOADED)
        waiting = [id for id in due if id not in seen]
        for id in waiting:
            if until():
                break
            _check_game(app, id)
            seen.add(id)
        if not waiting or len(due) < MAX_GAMES_LOADED:
            break
    return len(seen)


def _check_game(app: App, id: int) -> None:
    """Do the due events of one game; its failure delays no other."""
    with log_failure(log, "game %d: the clock could not be looked at", id):
        with app.store.write() as db:
            game = games.load_game(db, app.games_by_key, id, lock=True)
            if game is None:  # its rules are not installed now
                games.set_next_check(db, id, app.now() + RETRY_DELAY)
                return
            now = app.now()
            by = now - WORKER_DELAY
            after, letters = advance_clock(app, db, game, by)
            if after is game:  # a reminder is due, a pause has moved the flag, or a mail waits in time
                reminders.remind(app, db, game, by, now)
                games.reschedule(db, game, now, by)
                games.delay_check(db, id, by, by + WAIT_DELAY)
            queue_letters(app, db, letters, now, about="clock")
            app.step("clock")
        return
    with app.store.write() as db:
        games.set_next_check(db, id, app.now() + RETRY_DELAY)
