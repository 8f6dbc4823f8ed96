"""Letters about new seeks: at most one daily, or in the digest."""

from collections.abc import Callable
from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.clock.dates import next_digest, zone_of
from pbem.core.letters.letter import to_player
from pbem.core.lobby.challenges import Seek
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import DIGESTS, SEEKS
from pbem.core.preferences.preferences import ALL_SEEKS, NO_SEEKS, PREFERENCES
from pbem.core.preferences.reminders import QuietHours, quiet_hours
from pbem.duties.permissions import can_take, count_games
from pbem.outbox import drain, write
from pbem.store import challenges, players, seek_letters
from pbem.store.engine import Connection

KIND, CATEGORY = "newseeks", SEEKS.name
MAX_SHOWN = 20


def schedule(db: Connection, player: Player, value: str, now: datetime) -> None:
    """Send a player letters about seeks from now on, or stop them."""
    seek_letters.set_wanted(db, player.id, None if value == NO_SEEKS else now)


def find_new_seeks(app: App, db: Connection, player: Player, now: datetime) -> list[Seek]:
    """Return new seeks that a player likes and can take, and mark them as known to the player."""
    known = seek_letters.newest_known(db, player.id)
    if known is None or CATEGORY in player.stopped:
        return []
    waiting = challenges.open_seeks(db, app.games_by_key, now, after=known)
    if waiting and count_games(app, db, player).full:
        return []
    seek_letters.record_told(db, player.id, max(known, seek_letters.newest_seek(db)))
    games = str(PREFERENCES[CATEGORY].value(CATEGORY, player))
    wanted = list(app.offered) if games == ALL_SEEKS else games.split()
    found = [seek for seek in waiting if seek.rules.key in wanted and can_take(app, db, seek, player, now)]
    return found[:MAX_SHOWN]


def send_seek_letters(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Queue letters about new seeks; returns their number. Safe in any number of processes."""
    return drain.drain_rows(
        app, "seeks", lambda db, tried: seek_letters.take_due(db, app.now(), tried), _send, until
    )


def _send(app: App, db: Connection, player_id: int, known: int) -> int:
    player, now = players.player_by_id(db, player_id), app.now()
    if player is None:
        return 0
    if (later := _wait_until(player, now)) is not None:
        seek_letters.delay(db, player_id, later)
        return 0
    found = find_new_seeks(app, db, player, now)
    if found or seek_letters.newest_known(db, player_id) == known:  # told now, or there is no room
        seek_letters.delay(db, player_id, now + timedelta(days=1))
    if not found or not player.reachable:
        return 0
    letter = to_player(KIND, player, seeks=found)
    about = f"p{player_id}.s{found[-1].id}"
    return len(write.queue_letters(app, db, [letter], now, about=about))


def _wait_until(player: Player, now: datetime) -> datetime | None:
    """Return when to look again, or None for now. Quiet hours or the digest delay it."""
    preferences = player.preferences
    if (preferences.digest is not None and DIGESTS.name not in player.stopped) or CATEGORY in player.stopped:
        return now + timedelta(days=1)
    zone, hours = zone_of(preferences.zone), quiet_hours(preferences.quiet)
    if hours is None or QuietHours(hours, zone).before(now) == now:
        return None
    return next_digest(now, hours[1], zone)
