"""A player's deadlines: reminders and the calendar.

A reminder is recorded in the transaction that queues its letter, so a crash neither loses nor doubles it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.view import view_for_reader
from pbem.core.letters.boards import MAX_BOARDS, Boards, letter_with_boards
from pbem.core.letters.letter import Letter, about_game
from pbem.core.play.clock_events import WaitingTurn
from pbem.core.players import Player
from pbem.core.preferences import reminders
from pbem.duties import boards
from pbem.mail.addresses import BadAddress, Token
from pbem.mail.outbound.calendar import ics_feed
from pbem.outbox.send import is_waiting_for
from pbem.outbox.write import queue_letters
from pbem.store import bundles, games, locks, players
from pbem.store import reminders as reminder_rows
from pbem.store.engine import Connection
from pbem.store.reminders import HandledReminder


class _Waiting(NamedTuple):
    game: Game
    reminder: reminders.Reminder

    @property
    def told(self) -> HandledReminder:
        return HandledReminder(self.game.id, reminders.turn_entry(self.game), self.reminder.which)


def remind(app: App, db: Connection, game: Game, by: datetime, now: datetime) -> None:
    """Send the reminder that was due `by` now, unless already sent. The game is locked."""
    due = reminders.newest_due(reminders.reminders(game, game.clock), by)
    if due is None or game.clock.running is None or game.pending is not None:
        return
    player = game.seats[game.clock.running]
    locks.advisory_lock(db, f"reminders of {player.id}")
    first = _Waiting(game, due)
    if reminders.reminder_sent(due, reminder_rows.handled_reminders(db, game.id, first.told.entry)):
        return
    last = reminder_rows.last_reminder_at(db, player)
    soon = not due.last and last is not None and now - last < reminders.LETTER_INTERVAL
    if soon or not player.reachable:
        reminder_rows.record_reminders(db, player, [first.told], now, None)
        return
    waiting = [first, *_other_reminders(app, db, player, game.id, now)][:MAX_BOARDS]
    letter, about = _letter(app, db, player, waiting, now), f"p{player.id}.{now:%Y%m%d%H%M%S}"
    queued = queue_letters(app, db, [letter], now, about=about)
    app.step("remind")
    key = queued[0].key if queued else None
    reminder_rows.record_reminders(db, player, [each.told for each in waiting], now, key)


def _other_reminders(
    app: App, db: Connection, player: Player, besides: int, now: datetime
) -> Iterator[_Waiting]:
    """The player's other games with a reminder due soon or just now."""
    for number in bundles.waiting_game_ids(db, player):
        game = boards.load_if_readable(app, db, number) if number != besides else None
        if game is None or not is_waiting_for(game, player, now):
            continue
        if now - game.clock.since < reminders.MIN_TURN_AGE:
            continue
        told = reminder_rows.handled_reminders(db, number, reminders.turn_entry(game))
        soon = (
            each
            for each in reminders.reminders(game, game.clock)
            if now - reminders.REMINDER_LIFETIME <= each.at <= now + reminders.LETTER_INTERVAL
        )
        reminder = next((each for each in soon if not reminders.reminder_sent(each, told)), None)
        if reminder is not None:
            yield _Waiting(game, reminder)


def _letter(app: App, db: Connection, player: Player, waiting: Sequence[_Waiting], now: datetime) -> Letter:
    """A letter in the game's thread, or one with several boards. The most urgent comes first."""
    views = [view_for_reader(each.game, player, app.config.host) for each in waiting]
    views.sort(key=lambda view: (view.deadline is None, view.deadline or view.game.started_at, view.game.id))
    turns = running_turns(db, (view.game for view in views)) if player.preferences.calendar else []
    if len(views) == 1:
        return about_game("reminder", views[0], turns=turns)
    bundle = bundles.add_bundle(db, player, {view.game.id: view.entry for view in views}, now)
    return letter_with_boards("reminders", player, Boards(views, bundle=bundle), turns=turns)


def feed_address(app: App, player: Player) -> str:
    """The address of the player's feed. `address renew` makes it void, as it does reply addresses."""
    token = app.addressing.sign_token(Token("calendar", (player.id, player.epoch)))
    return f"{app.config.site}/calendar/{token}.ics"


def calendar_feed(app: App, sealed: str) -> bytes | None:
    try:
        token = app.addressing.read_token(sealed)
    except BadAddress:
        return None
    if token.use != "calendar":
        return None
    player_id, epoch = token.numbers
    with app.store.read() as db:
        player = players.player_by_id(db, player_id)
        if player is None or player.epoch != epoch:
            return None
        numbers = bundles.waiting_game_ids(db, player)
        waiting = (games.load_game(db, app.games_by_key, number) for number in numbers)
        turns = running_turns(db, (game for game in waiting if game is not None))
    return ics_feed(turns, app.config.host, app.config.site)


def running_turns(db: Connection, waiting: Iterable[Game]) -> list[WaitingTurn]:
    return [WaitingTurn(game, *games.deadline_changes(db, game.id)) for game in waiting]
