"""The daily letter, and in the same transaction its next date.

Due times are in `players.digest_at`. Any number of processes may run this at once, and one that dies half-way
has done nothing: letter and next date are committed together.
"""

import logging
from collections.abc import Callable, Collection
from datetime import datetime

from pbem.actions.boards import gather_boards, views_of
from pbem.actions.context import Handlers, Request
from pbem.actions.which_game import challenges_to
from pbem.app import App
from pbem.core.clock.schedule import next_digest, previous_digest, read_hour, zone_of
from pbem.core.errors import Refusal
from pbem.core.letters.boards import News, entries_until, letter_with_boards
from pbem.core.letters.letter import Letter
from pbem.core.players import Player
from pbem.outbox.drain import drain_rows, never_stop
from pbem.outbox.write import letter_key, queue_letters
from pbem.store import bundles, digests, outbox, players
from pbem.store.engine import Connection

log = logging.getLogger("pbem.digests")

NOT_AN_HOUR = "A digest comes at a full hour: write `digest 7`, `digest 19:00` or `digest off`."
KIND, CATEGORY = "digest", "digests"


def _digest(request: Request) -> list[Letter]:
    """Store `digest 7` or `digest off`, or report the state."""
    ctx, word, player = request.ctx, request.args["hour"].lower(), request.player
    hour, zone = player.preferences.digest, player.preferences.zone
    if word:
        hour = None if word in ("off", "none") else read_hour(word)
        if hour is None and word not in ("off", "none"):
            raise Refusal(NOT_AN_HOUR)
    elif CATEGORY in player.stopped:
        hour = None  # it is set, but stopped
    due = None if hour is None else next_digest(ctx.now, hour, zone_of(zone))
    if word:
        digests.set_digest(ctx.db, player, hour, due)
    if word and hour is not None:
        players.set_category_stopped(ctx.db, player, CATEGORY, stop=False)
    return request.answer("daily", hour=hour, due=due, zone=zone, stopped="turns" in player.stopped)


def send_digests(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Queue the digests that are due; returns their number."""

    def take(db: Connection, tried: Collection[int]) -> tuple[int, datetime] | None:
        return digests.take_digest(db, app.now(), tried)

    return drain_rows(app, "digest", take, _write, until)


def _write(app: App, db: Connection, player_id: int, due: datetime) -> bool:
    """Queue one player's digest if it has news; set the next date."""
    player, now = players.player_by_id(db, player_id), app.now()
    hour = player.preferences.digest if player is not None else None
    if player is None or hour is None:
        digests.move_digest(db, player_id, None)
        return False
    zone = zone_of(player.preferences.zone)
    digests.move_digest(db, player_id, next_digest(now, hour, zone))
    if CATEGORY in player.stopped or not player.reachable:
        return False
    since = digests.last_digest_at(db, player, previous_digest(due, hour, zone))
    cause = f"p{player.id}.{due.astimezone(zone).date()}"
    letter = _letter(app, db, player, since, now)
    if letter is None or outbox.has_key(db, letter_key(letter, cause, 1)):
        return False
    queue_letters(app, db, [letter], now, about=cause)
    log.info("%s digest", cause)
    return True


def _letter(app: App, db: Connection, player: Player, since: datetime, now: datetime) -> Letter | None:
    """Events after `since` and waiting boards, or None for neither."""
    boards = gather_boards(app, db, player, now)
    shown = {view.game.id for view in boards.views}  # these boards include their moves and words
    changed = [number for number in bundles.changed_game_ids(db, player, since) if number not in shown]
    seen = views_of(app, db, player, changed)
    news = [told for view in seen if (told := News(view, entries_until(view.game.journal, since))).told]
    to_you = challenges_to(app, db, player, now)
    if not (news or to_you or boards.views):
        return None
    return letter_with_boards(KIND, player, boards, news=news, to_you=to_you, now=now)


COMMANDS: Handlers = {"digest": _digest}
