"""Answer `register` and `confirm` from a player who is registered."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player


def _register(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    return [welcome(ctx, sender.player, again=True)]


def welcome(ctx: Context, player: Player, *, again: bool) -> Letter:
    offered = list(ctx.app.offered.values())
    return to_player("welcome", player, name=player.name, again=again, offered=offered)


def _confirm(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    raise Refusal("There is nothing to confirm here; answer the letter that asked you to.")


COMMANDS: Mapping[str, Handler] = {"register": _register, "confirm": _confirm}
