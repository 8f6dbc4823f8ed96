"""Watching others' games by mail. Once a minute a round checks the watched games for news."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from pbem.actions import boards, context
from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.game.view import view_for_reader
from pbem.core.letters.letter import Letter, about_game
from pbem.outbox import drain, write
from pbem.store import engine, games, players, watches
from rules.notation import join_words

MAX_WATCHED = 20


@context.handles("watch")
def _watch(request: context.Request) -> list[Letter]:
    ctx, player, number = request.ctx, request.player, _number(request)
    if number is None:
        return _list(request)
    watched = watches.watched_by_player(ctx.db, player)
    game = ctx.existing_game(number)
    if game.seat_of(player) is not None:
        raise Refusal(f"You play in game {number} yourself, so you get its letters anyway.")
    if game.state.ending is not None:
        site = ctx.app.config.site
        raise Refusal(f"Game {number} is over; you can replay it at {site}/games/{number}")
    if number not in watched:
        if len(watched) >= MAX_WATCHED:
            raise Refusal(f"You watch {MAX_WATCHED} games, as many as one can; `unwatch` one of them first.")
        watches.add_watch(ctx.db, player, number, len(game.state.plies), ctx.now)
    return _list(request, boards=[view_for_reader(game, player, ctx.site)])


@context.handles("unwatch")
def _unwatch(request: context.Request) -> list[Letter]:
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


def _number(request: context.Request) -> int | None:
    text = request.args["number"]
    return int(text) if text else request.block.game


def _list(request: context.Request, **changed: Any) -> list[Letter]:
    ctx, player = request.ctx, request.player
    numbers = watches.watched_by_player(ctx.db, player)
    watched = list(boards.views_of(ctx.app, ctx.db, player, numbers, ctx.games))
    facts = {"boards": [], "ended": None, **changed}
    return request.answer("watching", watched=watched, stopped="watched" in player.stopped, **facts)


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
    letter = about_game("watched", now, new=new)
    return len(write.queue_letters(app, db, [letter], app.now(), about="watch"))
