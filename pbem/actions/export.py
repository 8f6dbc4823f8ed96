"""The command `export`: a player's own games as files in a letter."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.actions import context, which_game
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter
from pbem.core.records.files import MAX_GAMES, export_files
from pbem.keys.record_keys import record_signer
from pbem.store import games, notes


def _export(request: context.Request) -> list[Letter]:
    ctx, format = request.ctx, request.args["format"]
    number = None if request.args["every"] else which_game.number_to_look_at(request.sender, request.block)
    found, count_all = _newest_games(request) if number is None else (_single_game(request, number), 1)
    own = notes.notes_of_player(ctx.db, request.player, [game.id for game in found])
    attached, count = export_files(found, own, ctx.site, format, record_signer(ctx.app.config).sign)
    shown = [(game.id, game.title) for game in found[:count]]
    noted = sum(note.game in dict(shown) for note in own)
    letters = request.answer("export", shown=shown, noted=noted, left_out=count_all - count, format=format)
    return [replace(letter, attached=attached) for letter in letters]


def _single_game(request: context.Request, number: int) -> Sequence[Game]:
    game = request.ctx.existing_game(number)
    if game.seat_of(request.player) is None:
        site = request.ctx.app.config.site
        raise Refusal(
            f"You do not play in game {number}, and an export is of your own games; anybody finds its record "
            f"at {site}/games/{number}.game"
        )
    return [game]


def _newest_games(request: context.Request) -> tuple[Sequence[Game], int]:
    """The newest games, and the count of all, without those whose rules are not installed any more."""
    ctx = request.ctx
    numbers = games.list_game_ids(ctx.db, request.player)[::-1]
    newest = numbers[:MAX_GAMES]
    loaded = (ctx.games.get(id) or games.load_game(ctx.db, ctx.app.games_by_key, id) for id in newest)
    found = [game for game in loaded if game is not None]
    return found, len(numbers) - len(newest) + len(found)


COMMANDS: context.Handlers = {"export": _export}
