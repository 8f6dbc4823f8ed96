"""Watching others' games by mail: `watch`, `unwatch`, and their letters.

Once a minute a round checks the watched games. So every change of a game is told, by a clock too, and the
code that plays need not know.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from pbem.actions.boards import load_if_readable
from pbem.actions.context import Handlers, Request
from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.view import view_for_reader
from pbem.core.letters.letter import Letter
from pbem.core.play.show import letter_to_reader
from pbem.outbox.drain import drain_rows, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import games, players, watches
from pbem.store.engine import Connection
from rules.notation import join_words

MAX_WATCHED = 20
"""Maximum games that one player may watch."""
CATEGORY = "watched"


def _watch(request: Request) -> list[Letter]:
    """Answer `watch 42`, `watch` below `game 42`, or `watch` for the list."""
    ctx, player, number = request.ctx, request.player, _number(request)
    if number is None:
        return _list(request)
    watched = watches.watched_by_player(ctx.db, player)
    game = _watchable_game(request, number)
    if number not in watched:
        if len(watched) >= MAX_WATCHED:
            raise Refusal(f"You watch {MAX_WATCHED} games, as many as one can; `unwatch` one of them first.")
        watches.add_watch(ctx.db, player, number, len(game.state.plies), ctx.now)
    return _list(request, boards=[view_for_reader(game, player, ctx.site)])


def _watchable_game(request: Request, number: int) -> Game:
    game = request.ctx.existing_game(number)
    if game.seat_of(request.player) is not None:
        raise Refusal(f"You play in game {number} yourself, so you are told of it anyway.")
    if game.state.ending is not None:
        site = request.ctx.app.config.site
        raise Refusal(f"Game {number} is over; it is played through at {site}/games/{number}")
    return game


def _unwatch(request: Request) -> list[Letter]:
    """Answer `unwatch 42`; without a number, end the only watch."""
    watched = watches.watched_by_player(request.ctx.db, request.player)
    number = _number(request)
    if number is None and len(watched) == 1:
        number = watched[0]
    if number is None:
        ways = join_words([f"`unwatch {game}`" for game in watched], "or")
        raise Refusal(f"You watch {len(watched)} games; write {ways}." if watched else "You watch no game.")
    if number not in watched:
        raise Refusal(f"You do not watch game {number}.")
    watches.remove_watch(request.ctx.db, request.player.id, number)
    return _list(request, ended=number)


def _number(request: Request) -> int | None:
    text = request.args["number"]
    return int(text) if text else request.block.game


def _list(request: Request, **changed: Any) -> list[Letter]:
    ctx, player = request.ctx, request.player
    numbers = watches.watched_by_player(ctx.db, player)
    loaded = (ctx.games.get(id) or load_if_readable(ctx.app, ctx.db, id) for id in numbers)
    watched = [view_for_reader(game, player, ctx.site) for game in loaded if game is not None]
    facts = {"boards": [], "ended": None, **changed}
    return request.answer("watching", watched=watched, stopped=CATEGORY in player.stopped, **facts)


COMMANDS: Handlers = {"watch": _watch, "unwatch": _unwatch}


def send_watched(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Queue letters to those who watch games; returns their number. Safe in any number of processes."""
    return drain_rows(app, "watched", watches.lock_watch, _write, until, key=itemgetter(0, 1))


def _write(app: App, db: Connection, player_id: int, number: int, seen: int) -> int:
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
    letter = letter_to_reader("watched", now, new=new)
    return len(queue_letters(app, db, [letter], app.now(), about="watch"))
