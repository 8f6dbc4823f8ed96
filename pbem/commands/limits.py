"""The commands `limit`, `block` and `unblock`, with their answer."""

from pbem.commands import watch
from pbem.commands.context import Request, handles
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import find_rules
from pbem.core.lobby.limits import read_limit
from pbem.store import limits, locks


@handles("limit")
def _limit(request: Request) -> list[Letter]:
    if not request.args["game"]:
        return _limits_letter(request)
    rules = find_rules(request.args["game"], request.ctx.app.offered)
    locks.advisory_lock(request.ctx.db, f"games of {request.player.id}")
    limits.set_limit(request.ctx.db, request.player, rules.key, read_limit(request.args))
    return _limits_letter(request, rules.key)


@handles("block")
def _block(request: Request) -> list[Letter]:
    if not request.args["name"]:
        return _limits_letter(request)
    other = watch.named_player(request)
    if other.id == request.player.id:
        raise Refusal("That is your own name.")
    locks.advisory_lock(request.ctx.db, f"games of {request.player.id}")
    limits.block_player(request.ctx.db, request.player, other, request.ctx.now)
    watch.end_watch_of_player(request.ctx.db, request.player, other)
    watch.end_watch_of_player(request.ctx.db, other, request.player)
    return _limits_letter(request, other.name)


@handles("unblock")
def _unblock(request: Request) -> list[Letter]:
    other = watch.named_player(request)
    if other.name not in limits.limits_of_player(request.ctx.db, request.player).blocked_names:
        raise Refusal(f"You have not blocked {other.name}.")
    limits.unblock_player(request.ctx.db, request.player, other)
    return _limits_letter(request, other.name)


def _limits_letter(request: Request, changed: str = "") -> list[Letter]:
    db, known = request.ctx.db, request.ctx.app.games_by_key
    now = limits.limits_of_player(db, request.player)
    shown = [
        (known[key], most, limits.count_running_of_kind(db, request.player, key))
        for key, most in sorted(now.limits.items())
        if key in known
    ]
    return request.answer("bounds", limits=shown, blocked=now.blocked_names, changed=changed)
