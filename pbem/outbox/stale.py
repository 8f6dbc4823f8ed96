"""Drop reminders of turns that are over before they leave."""

from datetime import datetime

from pbem.app import App
from pbem.core.clock.intervals import interval_at
from pbem.core.game.game import Game
from pbem.core.game.reminders import turn_entry
from pbem.core.players import Player
from pbem.store import engine, games, outbox_delivery, players
from pbem.store import reminders as reminder_rows

CATEGORY = "reminders"
KINDS = frozenset({"reminder", "reminders"})


def is_waiting_for(game: Game, player: Player, now: datetime) -> bool:
    """True if the game's clock runs for the player. A pending move of theirs makes it False."""
    seat = game.clock.running
    if seat is None or game.pending is not None or game.seats[seat].id != player.id:
        return False
    return interval_at(game.stops.of(seat), now) is None


def obsolete_reason(app: App, db: engine.Connection, letter: outbox_delivery.ClaimedLetter) -> str:
    if letter.kind not in KINDS:
        return ""
    now = app.now()
    for number, entry, player_id in reminder_rows.reminded_turns(db, letter.id):
        game, player = games.load_game(db, app.games_by_key, number), players.player_by_id(db, player_id)
        if game is None or player is None or turn_entry(game) != entry:
            continue
        if CATEGORY not in player.stopped and is_waiting_for(game, player, now):
            return ""
    return "it reminds of turns that are over"
