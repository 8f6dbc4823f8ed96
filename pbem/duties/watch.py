"""Letters to those who watch a game or a player. The worker looks for news once a minute."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from operator import itemgetter

from pbem.app import App
from pbem.core.exercises.guesses import may_be_guessed
from pbem.core.game.view import View, view_for_reader
from pbem.core.letters.letter import ReplyTo, about_game
from pbem.core.players import Player
from pbem.outbox import drain, write
from pbem.store import engine, games, guesses, limits, players, watches


def reply_of_watcher(seen: View) -> ReplyTo:
    """Return the reply address of a watcher's letter: one for guesses, if the reader may guess."""
    if not may_be_guessed(seen.game, seen.reader):
        return ReplyTo("player", seen.reader.id)
    return ReplyTo("watch", seen.game.id, entry=len(seen.state.plies))


def watch_games_of(
    db: engine.Connection, player: Player, other: Player, now: datetime, after: int | None = None
) -> None:
    """Watch another player's running games from their next move.

    With `after`, only games with a higher number are added, from their first move. Games are left out in
    which the watcher plays, or a player whom the watcher blocks or who blocks the watcher.
    """
    watched = set(watches.watched_by_player(db, player))
    apart = {player.id, *limits.blocked_player_ids(db, player)}
    for game, plies, *seats in watches.running_games_of(db, other.id, after or 0):
        if game not in watched and not apart.intersection(seats):
            seen = plies if after is None else 0
            watches.add_watch(db, player, game, seen, now, other.id)


def watch_new_games(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Add new games of watched players; returns 0, since no letter is queued."""
    return drain.drain_rows(
        app, "watched player", watches.lock_watched_player, _watch_new, until, key=itemgetter(0, 1)
    )


def _watch_new(app: App, db: engine.Connection, player_id: int, other_id: int, last: int) -> int:
    player, other = players.player_by_id(db, player_id), players.player_by_id(db, other_id)
    if player is None or other is None or player.gone or other.gone:
        watches.unwatch_player(db, player_id, other_id)
        return 0
    watches.record_looked_at(db, player_id, other_id, watches.newest_game_of(db, other_id))
    watch_games_of(db, player, other, app.now(), last)
    return 0


def send_watched(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Queue letters to those who watch games; returns their number. Safe in any number of processes."""
    return drain.drain_rows(app, "watched", watches.lock_watch, _write, until, key=itemgetter(0, 1))


def _write(app: App, db: engine.Connection, player_id: int, number: int, seen: int) -> int:
    player, game = players.player_by_id(db, player_id), games.load_game(db, app.games_by_key, number)
    if player is None or game is None or game.seat_of(player) is not None:  # players get their own letters
        watches.remove_watch(db, player_id, number)
        return 0
    now = view_for_reader(game, player, app.config.host)
    new = now.state.plies[seen:]
    watches.record_reported(db, player_id, number, len(now.state.plies))
    if now.state.ending is not None:
        watches.remove_watch(db, player_id, number)
    if not (new or now.state.ending) or not player.reachable:
        return 0
    own = {each.ply: each for each in guesses.guesses_of(db, player, number, seen) if each.right is not None}
    reply = reply_of_watcher(now)
    letter = about_game("watched", now, new=new, guesses=own, invites=reply.use == "watch")
    letter = replace(letter, reply=reply)
    return len(write.queue_letters(app, db, [letter], app.now(), about="watch"))
