"""Watching others' games by mail:

`watch`, `unwatch`, and their letters. The letters are not made with the mail that moves: once a minute a
round checks the watched games. So every change of a game is told, by a clock too, and the code that plays
need not know.
"""

from collections.abc import Callable, Mapping
from operator import itemgetter

from pbem.actions.boards import load_if_readable
from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.view import View, view_for_reader
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.play.show import letter_to_reader
from pbem.core.players import Player
from pbem.outbox.drain import drain_rows, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import games, players, watches
from pbem.store.engine import Connection
from pbem.store.watches import Watch
from rules.notation import join_words

MAX_WATCHED = 20
"""Maximum games that one player may watch."""
CATEGORY = "watched"


def _watch(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    """Answer `watch 42`, `watch` below `game 42`, or `watch` for the list."""
    number = _number(block, command)
    if number is None:
        return [_list(ctx, sender.player)]
    watched = watches.watched_by_player(ctx.db, sender.player)
    game = _watchable_game(ctx, sender.player, number)
    if number not in watched:
        if len(watched) >= MAX_WATCHED:
            raise Refusal(f"You watch {MAX_WATCHED} games, as many as one can; `unwatch` one of them first.")
        watches.add_watch(ctx.db, sender.player, number, len(game.state.plies), ctx.now)
    return [_list(ctx, sender.player, added=view_for_reader(game, sender.player, ctx.site))]


def _watchable_game(ctx: Context, player: Player, number: int) -> Game:
    game = ctx.game(number)
    if game is None:
        raise Refusal(f"There is no game {number}.")
    if game.seat_of(player) is not None:
        raise Refusal(f"You play in game {number} yourself, so you are told of it anyway.")
    if game.state.ending is not None:
        site = ctx.app.config.site
        raise Refusal(f"Game {number} is over; it is played through at {site}/games/{number}")
    return game


def _unwatch(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    """Answer `unwatch 42`; without a number, end the only watch."""
    watched = watches.watched_by_player(ctx.db, sender.player)
    number = _number(block, command)
    if number is None and len(watched) == 1:
        number = watched[0]
    if number is None:
        ways = join_words([f"`unwatch {game}`" for game in watched], "or")
        raise Refusal(f"You watch {len(watched)} games; write {ways}." if watched else "You watch no game.")
    if number not in watched:
        raise Refusal(f"You do not watch game {number}.")
    watches.remove_watch(ctx.db, sender.player.id, number)
    return [_list(ctx, sender.player, ended=number)]


def _number(block: GameBlock, command: Command) -> int | None:
    text = command.args["number"]
    return int(text) if text else block.game


def _list(ctx: Context, player: Player, *, added: View | None = None, ended: int | None = None) -> Letter:
    loaded = (
        ctx.games.get(id) or load_if_readable(ctx.app, ctx.db, id)
        for id in watches.watched_by_player(ctx.db, player)
    )
    return to_player(
        "watching",
        player,
        watched=[view_for_reader(game, player, ctx.site) for game in loaded if game is not None],
        boards=[added] if added else [],
        ended=ended,
        stopped=CATEGORY in player.stopped,
    )


COMMANDS: Mapping[str, Handler] = {
    "watch": _watch,
    "unwatch": _unwatch,
}


def send_watched(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Queue what those who watch games are to be told; how many letters there were.

    Safe in any number of processes. A failure with one letter delays no other.
    """

    def tell(db: Connection, taken: Watch) -> int:
        new = _queue_watch_letter(app, db, taken)
        app.step("watched")
        return new

    trouble = "a letter to somebody who watches failed; it is tried again at the next round"
    return drain_rows(app.store, watches.lock_watch, tell, until, trouble, key=itemgetter(0, 1))


def _queue_watch_letter(app: App, db: Connection, watch: Watch) -> int:
    player_id, number, seen = watch
    player, game = players.player_by_id(db, player_id), games.load_game(db, app.games_by_key, number)
    if player is None or game is None or game.seat_of(player) is not None:  # players get their own letters
        watches.remove_watch(db, player_id, number)
        return 0
    now = view_for_reader(game, player, app.config.host)
    new = now.state.plies[seen:]
    watches.record_reported(db, player_id, number, len(now.state.plies))
    if now.ending is not None:
        watches.remove_watch(db, player_id, number)
    if not (new or now.ending) or not player.reachable:
        return 0
    letter = letter_to_reader("watched", now, new=new)
    return len(queue_letters(app, db, [letter], app.now(), about="watch"))
