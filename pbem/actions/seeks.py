"""The commands `seek`, `seeks`, `take` and `withdraw`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.start_game import count_games, start_game
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import seeks
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.lobby.limits import barred_sentence, limit_reached, own_limit_sentence
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.store import challenges, limits, locks
from pbem.store import seeks as seek_rows


def _seek(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    player, games_by_key = sender.player, ctx.app.games_by_key
    if player.barred:
        raise Refusal(barred_sentence(player))
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    waiting = seek_rows.own_seeks(ctx.db, games_by_key, player, ctx.now)
    offered = ctx.app.offered
    wish = seeks.new_seek(player, command.args, offered, count_games(ctx, player), waiting, ctx.now)
    own = limits.limits_of_player(ctx.db, player)
    if limit_reached(own, wish.rules, limits.count_running_of_kind(ctx.db, player, wish.rules.key)):
        raise Refusal(own_limit_sentence(wish.rules, own))
    seek = seek_rows.insert_seek(ctx.db, wish)
    return [to_player("seek", player, about=seek.id, seek=seek)]


def _seeks(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    apart = limits.blocked_player_ids(ctx.db, sender.player)
    waiting = seek_rows.open_seeks(ctx.db, ctx.app.games_by_key, ctx.now)
    mine = seek_rows.own_seeks(ctx.db, ctx.app.games_by_key, sender.player, ctx.now)
    open_ = [seek for seek in waiting if seek.seeker.id not in {sender.player.id, *apart}]
    return [to_player("seeks", sender.player, waiting=open_, mine=mine)]


def _take(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    number = command.args["number"]
    _check_not_a_move(ctx, sender, block, number)
    seek, state, taker = seek_rows.lock_seek(ctx.db, ctx.app.games_by_key, number)
    if seek is not None and state == "accepted" and taker == sender.player.id:
        raise Refusal(f"You have taken seek {number} before; `games` lists your games.")
    if seek is not None and taker is not None and state == "open":
        seek = None  # a challenge to one player, who must `accept` it
    wanted = seeks.check_can_take(seek, state, number, sender.player, ctx.now)
    challenge = Challenge(**vars(wanted), challenged=sender.player, sought=True)
    letters = start_game(ctx, challenge, sender.player, block.comment)
    seek_rows.set_taker(ctx.db, wanted, sender.player)
    return letters


def _check_not_a_move(ctx: Context, sender: KnownPlayer, block: GameBlock, number: int) -> None:
    """Raise Refusal if `take` may be a move.

    A mail to the address of a game that waits for `take` or `put` takes no seek.
    """
    answered = sender.game_id if sender.since is not None or sender.bundle is not None else None
    id = block.game if block.game is not None else answered
    game = ctx.game(id) if id is not None else None
    if game is not None and game.seat_of(sender.player) is not None and seeks.expects_take_or_put(game):
        raise Refusal(
            f"Game {game.id} waits for a hex, such as {game.state.position.examples()[0]}, so no seek was "
            f"taken; write `take {number}` in answer to a letter that is about no game, such as the one that "
            "`seeks` brings."
        )


def _withdraw(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    player, games_by_key = sender.player, ctx.app.games_by_key
    if player.barred:
        raise Refusal(barred_sentence(player))
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    wishes = challenges.open_challenges(ctx.db, games_by_key, player, ctx.now, lock=True)
    mine: dict[int, Seek] = {
        seek.id: seek for seek in seek_rows.own_seeks(ctx.db, games_by_key, player, ctx.now)
    }
    mine |= {wish.id: wish for wish in wishes if wish.challenger.id == player.id}
    wish = seeks.choose_withdrawal(mine, command.args["number"], sender.about)
    public = not isinstance(wish, Challenge)
    if public and seek_rows.lock_seek(ctx.db, games_by_key, wish.id)[1] != "open":
        raise Refusal(f"Seek {wish.id} has just been taken.")
    challenges.close_challenge(ctx.db, wish.id, "withdrawn")
    told = to_player("withdrawn", player, wish=wish, mine=True)
    letters = [replace(told, needed=True)]
    if isinstance(wish, Challenge):
        letters.append(to_player("withdrawn", wish.challenged, wish=wish, mine=False))
    return letters


COMMANDS: Mapping[str, Handler] = {
    "seek": _seek,
    "seeks": _seeks,
    "take": _take,
    "withdraw": _withdraw,
}
