"""Answers about several games: the command `boards`, and a mail's answers in one letter."""

from collections.abc import Sequence

from pbem.commands.context import Context, Request, handles
from pbem.core.letters.boards import MERGED_KINDS, Boards, letter_with_boards, several_games
from pbem.core.letters.letter import Letter
from pbem.core.players import Player
from pbem.duties.boards import gather_boards


@handles("boards")
def _boards(request: Request) -> list[Letter]:
    every = bool(request.args["every"])
    boards = waiting_boards(request.ctx, request.player, every=every)
    return [letter_with_boards("bundle", request.player, boards, every=every)]


def merge_answers(ctx: Context, player: Player, letters: Sequence[Letter]) -> list[Letter]:
    """Return the letters, with the player's own answers merged into one if several games are concerned."""
    own = (each for each in letters if each.player is not None and each.player.id == player.id)
    mine = [each for each in own if each.kind in MERGED_KINDS]
    if not any(letter.wanted for letter in mine) or not several_games(mine):
        return list(letters)
    others = [letter for letter in letters if letter not in mine]
    return [letter_with_boards("receipts", player, waiting_boards(ctx, player), items=mine), *others]


def waiting_boards(ctx: Context, player: Player, *, every: bool = False) -> Boards:
    return gather_boards(ctx.app, ctx.db, player, ctx.now, known=ctx.games, every=every)
