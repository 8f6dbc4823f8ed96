"""The commands `limit`, `block` and `unblock`, with their answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges
from pbem.core.lobby.limits import read_limit
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player
from pbem.store import limits as limit_rows
from pbem.store import locks, outbox, players


def _limit(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    if not command.args["game"]:
        return [_limits_letter(ctx, sender.player)]
    rules = challenges.find_rules(command.args["game"], ctx.app.offered)
    locks.advisory_lock(ctx.db, f"games of {sender.player.id}")
    limit_rows.set_limit(ctx.db, sender.player, rules.key, read_limit(command.args))
    return [_limits_letter(ctx, sender.player, rules.key)]


def _block(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    if not command.args["name"]:
        return [_limits_letter(ctx, sender.player)]
    other = _player_named(ctx, command.args["name"])
    if other.id == sender.player.id:
        raise Refusal("That is your own name.")
    locks.advisory_lock(ctx.db, f"games of {sender.player.id}")
    limit_rows.block_player(ctx.db, sender.player, other, ctx.now)
    return [_limits_letter(ctx, sender.player, other.name)]


def _unblock(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    other = _player_named(ctx, command.args["name"])
    if other.name not in limit_rows.limits_of_player(ctx.db, sender.player).names:
        raise Refusal(f"You have not blocked {other.name}.")
    limit_rows.unblock_player(ctx.db, sender.player, other)
    return [_limits_letter(ctx, sender.player, other.name)]


def _player_named(ctx: Context, name: str) -> Player:
    other = players.player_by_name(ctx.db, name)
    if other is None or other.gone:
        raise Refusal(challenges.unknown_player_sentence(name, players.names_like(ctx.db, name)))
    return other


def _limits_letter(ctx: Context, player: Player, changed: str = "") -> Letter:
    """The letter with the player's limits and blocks. `changed` is the game or player in question."""
    now = limit_rows.limits_of_player(ctx.db, player)
    known = ctx.app.games_by_key
    limits = [
        (known[key], most, limit_rows.count_running_of_kind(ctx.db, player, key))
        for key, most in sorted(now.limits.items())
        if key in known
    ]
    return to_player("bounds", player, limits=limits, blocked=now.names, changed=changed)


COMMANDS: Mapping[str, Handler] = {
    "limit": _limit,
    "block": _block,
    "unblock": _unblock,
}

HOUR = timedelta(hours=1)


def exceeds_letter_limit(ctx: Context, player: Player, other: Player) -> bool:
    sent = outbox.count_caused(ctx.db, player.id, other.address, ctx.now - HOUR)
    return sent >= ctx.app.config.letters_per_hour
