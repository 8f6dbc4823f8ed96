"""The command `export`: a player's own games as files in a letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.which_game import number_to_look_at
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.records.files import MAX_GAMES, export_files
from pbem.keys.record_keys import record_signer
from pbem.store import games, notes


def _export(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    number = None if command.args["every"] else number_to_look_at(sender, block)
    found, all_there_are = (
        _single_game(ctx, sender, number) if number is not None else _newest_games(ctx, sender)
    )
    own = notes.notes_of_player(ctx.db, sender.player, [game.id for game in found])
    sign = record_signer(ctx.app.config).sign
    attached, count = export_files(found, own, ctx.site, command.args["format"], sign)
    told = to_player(
        "export",
        sender.player,
        shown=[(game.id, game.title) for game in found[:count]],
        noted=sum(note.game in {game.id for game in found[:count]} for note in own),
        left_out=all_there_are - count,
        format=command.args["format"],
    )
    return [replace(told, attached=attached)]


def _single_game(ctx: Context, sender: KnownPlayer, number: int) -> tuple[Sequence[Game], int]:
    game = ctx.game(number)
    if game is None:
        raise Refusal(f"There is no game {number}.")
    if game.seat_of(sender.player) is None:
        site = ctx.app.config.site
        raise Refusal(
            f"You do not play in game {number}, and an export is of your own games; anybody finds its record "
            f"at {site}/games/{number}.game"
        )
    return [game], 1


def _newest_games(ctx: Context, sender: KnownPlayer) -> tuple[Sequence[Game], int]:
    numbers = games.list_game_ids(ctx.db, sender.player)[::-1]
    loaded = [
        ctx.games.get(id) or games.load_game(ctx.db, ctx.app.games_by_key, id) for id in numbers[:MAX_GAMES]
    ]
    # without games whose rules are not installed any more
    found = [game for game in loaded if game is not None]
    return found, len(numbers) - len(loaded) + len(found)


COMMANDS: Mapping[str, Handler] = {"export": _export}
