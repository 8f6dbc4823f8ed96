"""Live play as it begins, goes on and ends. The end and the letters about it are one transaction."""

import logging
from collections.abc import Callable, Collection
from datetime import datetime

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.play.live import LivePlay, is_possible, last_letters
from pbem.core.players import Player
from pbem.duties import game_clock
from pbem.outbox.drain import drain_rows, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import games, limits, live
from pbem.store.engine import Connection, unless_unavailable
from rules.contract import Seat

log = logging.getLogger("pbem.clock")


def may_play_on(db: Connection, game: Game) -> bool:
    """True if two people may play on at once. Nobody is shown to a player behind a block."""
    return is_possible(game) and not limits.blocked(db, *game.seats)


def note_presence(app: App, id: int, seat: Seat, play: LivePlay) -> LivePlay:
    """Store that a player is on the game's page, once a minute at most. No page fails for that."""
    now = app.now()
    if not play.is_to_be_noted(seat, now):
        return play
    with unless_unavailable(), app.store.write() as db:
        live.store_presence(db, id, seat, now)
    return play.with_seen(seat, now)


def play_on(app: App, id: int, player: Player) -> None:
    """Offer to play on at once, or agree to the other's offer. Then no move waits to be taken back."""
    with app.store.write() as db:
        game, now = games.load_game(db, app.games_by_key, id, lock=True), app.now()
        seat = game.seat_of(player) if game is not None else None
        if game is None or seat is None or not may_play_on(db, game):
            return
        before = live.live_play(db, id)
        if before.is_over(now):
            before = _end(app, db, game, before, now)
        after = before.wanted_by(seat, now, len(game.journal))
        live.store_play(db, id, after)
        if after.agreed_at is not None and before.agreed_at is None:
            _, letters = game_clock.release_pending(app, db, game, now)
            queue_letters(app, db, letters, now, about="live")
            log.info("game %d: live play begins", id)
    app.wake()


def stop(app: App, id: int, player: Player) -> None:
    """End live play, or take an offer of it off the page."""
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, id, lock=True)
        if game is not None and game.seat_of(player) is not None:
            _end(app, db, game, live.live_play(db, id), app.now())
    app.wake()


def end_due(app: App, until: Callable[[], bool] = never_stop) -> int:
    """End all live play that must end now; returns the number of games."""

    def take(db: Connection, tried: Collection[int]) -> tuple[int] | None:
        return live.first_over(db, app.now(), tried)

    return drain_rows(app, "live", take, _end_if_over, until)


def _end_if_over(app: App, db: Connection, id: int) -> int:
    game, now = games.load_game(db, app.games_by_key, id, lock=True), app.now()
    play = live.live_play(db, id)
    if game is None or not play.is_over(now):
        return 0
    _end(app, db, game, play, now)
    return 1


def _end(app: App, db: Connection, game: Game, play: LivePlay, now: datetime) -> LivePlay:
    """End a locked game's live play; its letters are written only if both had agreed."""
    live.store_play(db, game.id, play.ended)
    if play.agreed_at is not None:
        queue_letters(app, db, last_letters(game, play, app.config.host), now, about="live")
        log.info("game %d: live play ends", game.id)
    return play.ended
