"""Private notes: stored with a mail's other changes, listed for their writer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.which_game import number_to_look_at
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.play.notes import MAX_A_GAME, newest_notes, notes_by_game
from pbem.core.players import Player
from pbem.store import notes


def note_limit_sentence(ctx: Context, player: Player, game: Game, commands: Sequence[Command]) -> str:
    if not any(command.verb == "note" for command in commands):
        return ""
    if notes.count_notes(ctx.db, player, game.id) < MAX_A_GAME:
        return ""
    return f"You have {MAX_A_GAME} notes in game {game.id}, and that is as many as are kept."


def _notes(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    number = number_to_look_at(sender, block)
    found = notes.notes_of_player(ctx.db, sender.player, None if number is None else [number])
    shown = newest_notes(found)
    more = len(found) - len(shown)
    return [to_player("notes", sender.player, game=number, noted=notes_by_game(shown), more=more)]


COMMANDS: Mapping[str, Handler] = {"notes": _notes}
