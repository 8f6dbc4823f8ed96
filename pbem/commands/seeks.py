"""The commands `seek`, `play`, `seeks` and `take`, and seeks that bots take."""

from dataclasses import replace

from pbem.commands.challenges import check_words, start_game
from pbem.commands.context import Context, Request, handlers, handles
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import bot_level, bot_name
from pbem.duties.permissions import check_not_barred, check_own_limits, check_take, count_games
from pbem.duties.strength import seeks_near, too_far_sentence
from pbem.store import bots, challenges, limits, locks


@handles("seek")
def _seek(request: Request) -> list[Letter]:
    seek = _add_seek(request)
    return request.answer("seek", about=seek.id, seek=seek)


def _add_seek(request: Request) -> Seek:
    ctx, player = request.ctx, request.player
    words = "" if request.block.said else request.block.comment  # `say` speaks in a game
    check_not_barred(player)
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    waiting = challenges.own_seeks(ctx.db, ctx.app.games_by_key, player, ctx.now)
    room, days = count_games(ctx.app, ctx.db, player), lobby_challenges.SEEK_DAYS
    wish = lobby_challenges.seek_for(player, request.args, ctx.app.offered, room, ctx.now, days)
    wish = lobby_challenges.add_terms_of_seek(wish, request.args)
    lobby_challenges.check_new_seek(wish, waiting)
    check_own_limits(ctx.db, player, wish.rules)
    check_words(words, wish.rules, wish.options)
    wish = replace(wish, comment=words, bots=_welcome_bot(ctx, request.args.get("welcome", "")))
    return challenges.add_challenge(ctx.db, wish)


def _welcome_bot(ctx: Context, name: str) -> int:
    """Return the bot's level that `bots welcome` means, or 0."""
    level = bot_level(name, ctx.app.config.bots) if name else 0
    if level and level not in ctx.app.config.bots:
        raise Refusal(lobby_challenges.no_bot_sentence(bot_name(level), ctx.app.config.bots))
    return level or 0


def take_for_bots(ctx: Context, after: int) -> tuple[int, list[Letter]]:
    """Start one seek's game that bots may take, after `after`. Returns its number or 0, and letters."""
    levels, since = ctx.app.config.bots, ctx.now - lobby_challenges.BOTS_TAKE_AFTER
    seek = challenges.next_seek_for_bots(ctx.db, ctx.app.games_by_key, ctx.now, since, after, levels)
    if seek is None:
        return 0, []
    full = bots.count_running(ctx.db, seek.seeker) >= lobby_challenges.MAX_BOT_GAMES
    if full or seek.seeker.gone or seek.seeker.barred:
        return seek.id, []
    bot = bots.find_bot(ctx.db, seek.bots, ctx.now)
    terms = {**vars(seek), "rated": False}
    letters = start_game(ctx, Challenge(**terms, challenged=bot, sought=True), bot, "")
    challenges.set_taker(ctx.db, seek, bot)
    return seek.id, letters


@handles("play")
def _play(request: Request) -> list[Letter]:
    """Answer with the offers that wait, or else make the player's own; challenge a player who is named."""
    if request.args.get("player"):
        return handlers()["challenge"](request)
    ctx, player, known = request.ctx, request.player, request.ctx.app.games_by_key
    rules = lobby_challenges.find_rules(request.args["game"], ctx.app.offered)
    own = challenges.own_seeks(ctx.db, known, player, ctx.now)
    mine = [seek for seek in own if seek.rules.key == rules.key]
    others = seeks_near(ctx.db, _seeks_of_others(request, rules.key), player, ctx.now)
    if not (mine or others):
        mine = [_add_seek(request)]
    bot = bool(ctx.app.config.bots)
    return request.answer("play", rules=rules, waiting=others, mine=mine, bot=bot)


def _seeks_of_others(request: Request, key: str = "") -> list[Seek]:
    ctx, player, known = request.ctx, request.player, request.ctx.app.games_by_key
    apart = {player.id, *limits.blocked_player_ids(ctx.db, player)}
    waiting = challenges.open_seeks(ctx.db, known, ctx.now, rules=key)
    return [seek for seek in waiting if seek.seeker.id not in apart]


@handles("seeks")
def _seeks(request: Request) -> list[Letter]:
    ctx, player, known = request.ctx, request.player, request.ctx.app.games_by_key
    mine, others = challenges.own_seeks(ctx.db, known, player, ctx.now), _seeks_of_others(request)
    whys = [(seek, too_far_sentence(ctx.db, seek, player, ctx.now)) for seek in others]
    waiting, far = [seek for seek, why in whys if not why], [each for each in whys if each[1]]
    return request.answer("seeks", waiting=waiting, far=far, mine=mine)


@handles("take")
def _take(request: Request) -> list[Letter]:
    ctx, player, number = request.ctx, request.player, request.args["number"]
    _check_not_a_move(request)
    seek, state, taker = challenges.lock_seek(ctx.db, ctx.app.games_by_key, number)
    if seek is not None and state == "accepted" and taker == player.id:
        raise Refusal(f"You have taken seek {number} before; `games` lists your games.")
    if seek is not None and taker is not None and state == "open":
        seek = None  # a challenge to one player, who must `accept` it
    wanted = check_take(ctx.db, seek, state, number, player, ctx.now)
    challenge = Challenge(**vars(wanted), challenged=player, sought=True)
    letters = start_game(ctx, challenge, player, request.block.comment)
    if not wanted.up_to:
        challenges.set_taker(ctx.db, wanted, player)
    return letters


def _check_not_a_move(request: Request) -> None:
    """Raise Refusal for a `take` that may be a move. The mail's game then waits for `take` or `put`."""
    sender, block = request.sender, request.block
    answered = sender.game_id if sender.since is not None or sender.bundle is not None else None
    own = request.ctx.own_game(answered if block.game is None else block.game, request.player)
    if own and lobby_challenges.begins_with_a_word_and_cell(own[0]):
        number, example = request.args["number"], own[0].state.position.examples()[0]
        raise Refusal(
            f"Game {own[0].id} waits for a hex, such as {example}, so no seek was taken; write "
            f"`take {number}` in answer to a letter that is about no game, such as the one that `seeks` "
            "brings."
        )
