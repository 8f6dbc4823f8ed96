"""The offer that `accept` and `decline` answer: in a game, or a challenge.

The named one counts, else the offer of the answered letter, else the only one. If several remain, the player
must choose.
"""

from __future__ import annotations

from pbem.actions.context import Context, KnownPlayer
from pbem.actions.which_game import game_of_block
from pbem.core.errors import Refusal
from pbem.core.game.state import offers_to
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player
from pbem.store import challenges, games


def open_offers(ctx: Context, sender: KnownPlayer, block: GameBlock) -> list[str]:
    """The opponent's open offers in the game of a block: draw, pause, undo."""
    game = game_of_block(ctx, sender, block)
    seat = game.seat_of(sender.player) if game is not None else None
    return [] if game is None or seat is None else offers_to(game.state, seat)


def answers_game(sender: KnownPlayer, block: GameBlock) -> bool:
    """True if an answer is about one game. It answers a letter of that game, or stands below its number."""
    return block.game is not None or (sender.since is not None and sender.bundle is None and not sender.about)


def game_with_offer(ctx: Context, player: Player) -> int | None:
    """The player's first running game with an offer of the other."""
    for listed in games.running_of_player(ctx.db, ctx.app.games_by_key, player):
        game = games.load_game(ctx.db, ctx.app.games_by_key, listed.id)
        seat = game.seat_of(player) if game is not None else None
        if game is not None and seat is not None and offers_to(game.state, seat):
            return listed.id
    return None


def refuse_ambiguous_answer(ctx: Context, sender: KnownPlayer, block: GameBlock, verb: str) -> None:
    """Raise Refusal if a bare `accept` is ambiguous.

    It may mean a game or a challenge. An answer to a letter about a game or a challenge says which. If that
    game has no open offer, a waiting challenge is not meant.
    """
    if sender.about or (sender.bundle is not None and block.game is None):
        return
    offers = open_offers(ctx, sender, block)
    if offers and answers_game(sender, block):
        return
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, sender.player, ctx.now)
    numbers = [str(wish.id) for wish in waiting if wish.challenged.id == sender.player.id]
    choices = " or ".join(f"`{verb} {what}`" for what in [*offers, *numbers])
    if offers and numbers:
        raise Refusal(f"Several offers are open; write {choices}.")
    game = game_of_block(ctx, sender, block)
    if game is not None and numbers and answers_game(sender, block):
        raise Refusal(f"Nothing is on offer in game {game.id}; to answer a challenge, write {choices}.")
