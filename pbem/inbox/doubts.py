"""Asks whether a doubtful order is meant."""

from dataclasses import replace
from typing import Any

from pbem.commands.context import MailOutcome, MailPart
from pbem.commands.decisions import MEANT, ask_meant
from pbem.commands.which_game import is_of_game
from pbem.core.game.view import view
from pbem.core.letters.letter import ReplyTo, about_game, to_player
from pbem.core.lobby.limits import shorten_for_writer
from pbem.core.parsing.commands import PLY_WORDS
from pbem.core.parsing.doubts import PROSE_ABOVE, STRUCK
from pbem.core.parsing.line import Command
from pbem.core.parsing.reach import Reach
from pbem.core.play.unproven import reach_of
from pbem.core.redact import without_secrets

_ENDS = frozenset({"resign", "claim", "undo"})


def ask_if_meant(part: MailPart) -> MailOutcome | None:
    """Ask once about a part's orders; None where nothing makes them doubtful."""
    commands = [command for command in part.block.commands if not _asks_itself(command)]
    acting = [each for each in commands if reach_of(each) != Reach.READS and each.verb != "note"]
    ending = [command for command in commands if _ends_or_gives_away(part, command)]
    doubt = STRUCK if part.ctx.inbound.struck else part.block.doubt
    if part.sender.sure or not doubt or not (ending if doubt == PROSE_ABOVE else acting):
        return None
    return _ask(part, doubt)


def _asks_itself(command: Command) -> bool:
    """True if the command always asks its owner by letter."""
    return reach_of(command) == Reach.ASKS or (command.verb == "leave" and not command.args["yes"])


def _ends_or_gives_away(part: MailPart, command: Command) -> bool:
    if command.verb == "move":
        return command.args["move"].strip().lower() in PLY_WORDS
    if command.verb == "accept":
        return is_of_game(part, command)
    return command.verb in _ENDS or reach_of(command) == Reach.FOR_GOOD


def _ask(part: MailPart, doubt: str) -> MailOutcome:
    ctx, sender, block = part.ctx, part.sender, part.block
    words = without_secrets("\n\n".join(filter(None, (block.greeting, block.above, block.comment)))).strip(
        "\n"
    )
    reply = _store(part, words)
    facts: dict[str, Any] = {"orders": [command.text for command in block.commands], "doubt": doubt}
    facts |= {"words": shorten_for_writer(words), "to_send": bool(words) and _is_for_opponent(part)}
    if part.own is not None:
        letter = about_game(MEANT, view(*part.own, ctx.site), **facts)
    else:
        letter = to_player(MEANT, sender.player, **facts)
    detail = f"asked if it is meant ({doubt})"
    return MailOutcome("refused", detail, (replace(letter, reply=reply),), sender.player, part.number)


def _store(part: MailPart, words: str) -> ReplyTo:
    """Store the question with the orders and words that its answer needs."""
    sender, commands = part.sender, part.block.commands
    orders = [f"note {each.args['words']}" if each.verb == "note" else each.text for each in commands]
    about = sender.about
    return ask_meant(part.ctx, sender.player, part.number, sender.since, orders, words=words, about=about)


def _is_for_opponent(part: MailPart) -> bool:
    """True if the words are for the opponent, a person."""
    of_game = all(is_of_game(part, command) for command in part.block.commands)
    return part.own is not None and of_game and not any(player.bot for player in part.own[0].seats)
