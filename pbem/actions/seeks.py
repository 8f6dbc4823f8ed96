"""The commands `seek`, `seeks`, `take` and `withdraw`."""

from dataclasses import replace

from pbem.actions.challenges import check_not_barred, check_own_limits, count_games, start_game
from pbem.actions.context import Handlers, Request
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.store import challenges, limits, locks


def _seek(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    check_not_barred(player)
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    waiting = challenges.own_seeks(ctx.db, ctx.app.games_by_key, player, ctx.now)
    room = count_games(ctx, player)
    wish = lobby_challenges.new_seek(player, request.args, ctx.app.offered, room, waiting, ctx.now)
    check_own_limits(ctx, player, wish.rules)
    seek = challenges.add_challenge(ctx.db, wish)
    return request.answer("seek", about=seek.id, seek=seek)


def _seeks(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    apart = {player.id, *limits.blocked_player_ids(ctx.db, player)}
    waiting = challenges.open_seeks(ctx.db, ctx.app.games_by_key, ctx.now)
    mine = challenges.own_seeks(ctx.db, ctx.app.games_by_key, player, ctx.now)
    return request.answer(
        "seeks", waiting=[seek for seek in waiting if seek.seeker.id not in apart], mine=mine
    )


def _take(request: Request) -> list[Letter]:
    ctx, player, number = request.ctx, request.player, request.args["number"]
    _check_not_a_move(request)
    seek, state, taker = challenges.lock_seek(ctx.db, ctx.app.games_by_key, number)
    if seek is not None and state == "accepted" and taker == player.id:
        raise Refusal(f"You have taken seek {number} before; `games` lists your games.")
    if seek is not None and taker is not None and state == "open":
        seek = None  # a challenge to one player, who must `accept` it
    wanted = lobby_challenges.check_can_take(seek, state, number, player, ctx.now)
    challenge = Challenge(**vars(wanted), challenged=player, sought=True)
    letters = start_game(ctx, challenge, player, request.block.comment)
    challenges.set_taker(ctx.db, wanted, player)
    return letters


def _check_not_a_move(request: Request) -> None:
    """Raise Refusal for a `take` in a mail to a game that waits for `take` or `put`: it may be a move."""
    sender, block = request.sender, request.block
    answered = sender.game_id if sender.since is not None or sender.bundle is not None else None
    own = request.ctx.own_game(answered if block.game is None else block.game, request.player)
    if own and lobby_challenges.expects_take_or_put(own[0]):
        number, example = request.args["number"], own[0].state.position.examples()[0]
        raise Refusal(
            f"Game {own[0].id} waits for a hex, such as {example}, so no seek was taken; write "
            f"`take {number}` in answer to a letter that is about no game, such as the one that `seeks` "
            "brings."
        )


def _withdraw(request: Request) -> list[Letter]:
    db, now, player, known = request.ctx.db, request.ctx.now, request.player, request.ctx.app.games_by_key
    check_not_barred(player)
    locks.advisory_lock(db, f"challenges of {player.id}")
    wishes = challenges.open_challenges(db, known, player, now, lock=True)
    mine: dict[int, Seek] = {seek.id: seek for seek in challenges.own_seeks(db, known, player, now)}
    mine |= {wish.id: wish for wish in wishes if wish.challenger.id == player.id}
    wish = lobby_challenges.choose_withdrawal(mine, request.args["number"], request.sender.about)
    if not isinstance(wish, Challenge) and challenges.lock_seek(db, known, wish.id)[1] != "open":
        raise Refusal(f"Seek {wish.id} has just been taken.")
    challenges.close_challenge(db, wish.id, "withdrawn")
    letters = [replace(letter, needed=True) for letter in request.answer("withdrawn", wish=wish, mine=True)]
    if isinstance(wish, Challenge):
        letters.append(to_player("withdrawn", wish.challenged, wish=wish, mine=False))
    return letters


COMMANDS: Handlers = {"seek": _seek, "seeks": _seeks, "take": _take, "withdraw": _withdraw}
