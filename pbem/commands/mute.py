"""The commands `mute` and `unmute`: no letters of one game but its end."""

from collections.abc import Collection

from pbem.commands.context import Request, handles
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter
from pbem.core.letters.muted import MUTED, muted_games
from pbem.store import locks, players, watches


@handles("mute")
def _mute(request: Request) -> list[Letter]:
    number = _number(request)
    if number is None:
        return _answer(request, _still_muted(request))
    game = request.ctx.existing_game(number)
    if game.state.ending is not None:
        raise Refusal(f"Game {number} is over, so no more letters of it come.")
    watched = watches.watched_by_player(request.ctx.db, request.player)
    if game.seat_of(request.player) is None and number not in watched:
        raise Refusal(f"You neither play in game {number} nor watch it, so no letters of it come to you.")
    return _store(request, {*_still_muted(request), number}, game, on=True)


@handles("unmute")
def _unmute(request: Request) -> list[Letter]:
    number, muted = _number(request), _still_muted(request)
    if number is None and len(muted) == 1:
        number = next(iter(muted))
    if number is None or number not in muted:
        which = "You have muted no game" if number is None else f"You have not muted game {number}"
        raise Refusal(f"{which}; `mute` alone lists what you have.")
    return _store(request, muted - {number}, request.ctx.existing_game(number), on=False)


def _number(request: Request) -> int | None:
    return int(request.args["number"]) if request.args["number"] else request.number


def _still_muted(request: Request) -> set[int]:
    """Return the muted games that still run, of the player's row as it is now."""
    ctx = request.ctx
    locks.advisory_lock(ctx.db, f"games of {request.player.id}")
    player = players.player_by_id(ctx.db, request.player.id) or request.player
    games = (ctx.game(number) for number in muted_games(player))
    return {game.id for game in games if game is not None and game.state.ending is None}


def _store(request: Request, muted: Collection[int], game: Game, *, on: bool) -> list[Letter]:
    players.set_preference(request.ctx.db, request.player, MUTED, sorted(muted))
    return _answer(request, muted, game, on=on)


def _answer(
    request: Request, muted: Collection[int], game: Game | None = None, *, on: bool = False
) -> list[Letter]:
    found = (request.ctx.existing_game(number) for number in sorted(muted))
    own = game is not None and game.seat_of(request.player) is not None
    return request.answer("muted", game=game, on=on, own=own, muted=list(found))
