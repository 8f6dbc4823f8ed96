"""A newcomer's first game against a bot, whose board is in the first letter; a move confirms.

The newcomer moves first, so nothing is computed for anybody who has not confirmed their address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.commands.challenges import challenge_bot
from pbem.commands.context import Context, KnownPlayer
from pbem.commands.which_game import games_of_letter
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import find_rules
from pbem.core.lobby.newcomers import read_kept
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, read_orders
from pbem.core.parsing.seen_move import seen_move
from pbem.core.players import Player, bot_level, usual_bot
from pbem.inbox.dispatch import carry_out
from pbem.store import players
from pbem.store.players import Confirmation
from rules.contract import BadOption, Position

BESIDE_A_MOVE = frozenset({"move", "confirm", "register"})
"""The orders that may stand in an answer with a first move."""


@dataclass(frozen=True)
class Wanted:
    """A newcomer's order that a bot can meet at once, and the bot's level."""

    order: Command
    level: int

    @property
    def terms(self) -> Mapping[str, Any]:
        return {**self.order.args, "seats": "first"}


def _find_wanted(ctx: Context, orders: Sequence[Command]) -> Wanted | None:
    levels = ctx.app.config.bots
    for order in orders:
        level = usual_bot(levels) if order.verb == "play" else bot_level(order.args.get("player", ""), levels)
        if level in levels and order.args["seats"] != "second":
            return Wanted(order, level)
    return None


def first_position(ctx: Context, orders: Sequence[Command], seed: int) -> Position | None:
    """Return the position for a newcomer's first move, where there are bots."""
    wanted = _find_wanted(ctx, orders)
    if wanted is None:
        return None
    word, options = wanted.terms["game"], wanted.terms["options"]
    try:
        rules = find_rules(word, ctx.app.offered)
        position = rules.begin(rules.complete_for(word, options), seed)
    except (Refusal, BadOption):
        return None
    return position if position.to_play == 0 else None


def _asked_position(ctx: Context, asked: Mapping[str, Any]) -> Position | None:
    """Return the position in the letter that asked, or None without a board."""
    if asked.get("seed") is None:
        return None
    return first_position(ctx, list(read_kept(asked["orders"])), asked["seed"])


def first_move(ctx: Context, asked: Mapping[str, Any]) -> GameBlock | None:
    """Return the first move, legal or not, of an answer without orders of another kind."""
    position = _asked_position(ctx, asked)
    if position is None:
        return None
    found = read_orders(ctx.inbound.words, marked=ctx.inbound.marked, reader=position.read)
    verbs = {command.verb for command in found.commands}
    if "move" not in verbs or not verbs <= BESIDE_A_MOVE:
        return None
    return GameBlock(None, tuple(command for command in found.commands if command.verb == "move"))


def see_move(ctx: Context, asked: Mapping[str, Any]) -> str:
    """Return the one first move an answer seems to mean, or ""."""
    position = _asked_position(ctx, asked)
    return "" if position is None else seen_move(ctx.inbound.words, position)


def begins_by_yes(ctx: Context, asked: Mapping[str, Any]) -> bool:
    """True if a yes begins the game on the board. Whoever asked for a name alone is only shown it."""
    return not asked.get("shown") and _asked_position(ctx, asked) is not None


def begin(
    ctx: Context, player: Player, question: Confirmation, move: GameBlock | None = None
) -> Sequence[Letter]:
    """Start the game against the bot, and play the move; returns letters.

    A bot that has gone since the question was asked is refused in a letter.
    """
    orders = list(read_kept(question.data["orders"]))
    wanted = _find_wanted(ctx, orders)
    assert wanted is not None
    letters = tuple(challenge_bot(ctx, player, wanted.terms, wanted.level, question.data["seed"]))
    number = next(letter.view.game.id for letter in letters if letter.view is not None)
    players.change_confirmation(ctx.db, question, {**question.data, "game": number})
    if move is not None:
        block = GameBlock(number, move.commands)
        letters = carry_out(ctx, KnownPlayer(player, number), MailCommands((block,))).letters
    also = wanted.order.verb == "play" and move is None  # a yes looks for people too
    rest = tuple(order for order in orders if order is not wanted.order or also)
    if not rest:
        return letters
    more = carry_out(ctx, KnownPlayer(player), MailCommands((GameBlock(None, rest),)))
    return (*letters, *more.letters)


def answer_again(ctx: Context, player: Player, asked: Mapping[str, Any]) -> Sequence[Letter]:
    """Answer a second mail to the letter with the board, like a mail to the game's first letter."""
    game = asked.get("game")
    if game is None:
        return ()
    found = ctx.orders(game)
    if not any(command.verb == "move" for command in found.commands):
        return ()
    sender = KnownPlayer(player, game, 1, games=games_of_letter(ctx, game))
    return carry_out(ctx, sender, found).letters
