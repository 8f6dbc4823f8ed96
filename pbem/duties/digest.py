"""The daily letter, and in the same transaction its next date. Safe in any number of processes."""

import logging
from collections.abc import Callable
from datetime import datetime

from pbem.app import App
from pbem.core.clock.dates import next_digest, previous_digest, zone_of
from pbem.core.letters.boards import News, entries_until, letter_with_boards
from pbem.duties.boards import gather_boards, views_of
from pbem.duties.seek_letters import find_new_seeks
from pbem.outbox import drain, write
from pbem.store import bundles, challenges, engine, outbox, players

log = logging.getLogger("pbem.digests")

CATEGORY = "digests"


def send_digests(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    return drain.drain_rows(
        app, "digest", lambda db, tried: bundles.take_digest(db, app.now(), tried), _write, until
    )


def _write(app: App, db: engine.Connection, player_id: int, due: datetime) -> bool:
    player, now = players.player_by_id(db, player_id), app.now()
    hour = player.preferences.digest if player is not None else None
    if player is None or hour is None:
        bundles.move_digest(db, player_id, None)
        return False
    zone = zone_of(player.preferences.zone)
    bundles.move_digest(db, player_id, next_digest(now, hour, zone))
    if CATEGORY in player.stopped or not player.reachable:
        return False
    since = bundles.last_digest_at(db, player, previous_digest(due, hour, zone))
    cause = f"p{player.id}.{due.astimezone(zone).date()}"
    boards = gather_boards(app, db, player, now)
    shown = {view.game.id for view in boards.views}  # these boards include their moves and words
    changed = [number for number in bundles.changed_game_ids(db, player, since) if number not in shown]
    seen = views_of(app, db, player, changed)
    news = [told for view in seen if (told := News(view, entries_until(view.game.journal, since))).told]
    to_you = challenges.challenges_to(db, app.games_by_key, player, now)
    seeks = find_new_seeks(app, db, player, now)
    letter = letter_with_boards("digest", player, boards, news=news, to_you=to_you, seeks=seeks, now=now)
    empty = not (news or to_you or boards.views or seeks)
    if empty or outbox.has_key(db, write.letter_key(letter, cause, 1)):
        return False
    write.queue_letters(app, db, [letter], now, about=cause)
    log.info("%s digest", cause)
    return True
