"""Answers a mail without orders by a letter with its likely meaning, or with a way to send its words."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.commands import which_game
from pbem.commands.context import Context, KnownPlayer, MailOutcome, MailPart
from pbem.commands.decisions import ask_about_move, ask_meant
from pbem.commands.examples import examples_for
from pbem.core.letters.letter import Letter, ReplyTo
from pbem.core.lobby.limits import MAX_WORDS
from pbem.core.parsing import commands, mail_orders
from pbem.core.parsing.mail_orders import GameBlock, MailCommands
from pbem.core.parsing.reach import Reach
from pbem.core.parsing.seen_move import seen_move
from pbem.core.parsing.suggestions import (
    Suggestion,
    is_cells_only,
    suggest,
    suggest_absence,
)
from pbem.core.play import decide
from pbem.core.play.unproven import reach_of
from pbem.core.play.unsent_words import add_unsent_notice
from pbem.core.redact import without_secrets
from pbem.inbox import asked
from pbem.store import limits

NOT_UNDERSTOOD = "I did not understand {what}."
_FEW_WORDS = re.compile(r"[\w ',-]{1,40}")


def read_meant(ctx: Context, sender: KnownPlayer, orders: MailCommands) -> MailCommands | None:
    """Return the order that words about no game surely mean, where it only brings a letter; else None."""
    if not _is_outside_games(sender, orders) or orders.remarks:
        return None
    meant = _suggestion(ctx, sender, nothing_read=True)
    found = ctx.read(meant.order, True, None) if meant.order else MailCommands(problem=meant.text)
    reads = all(reach_of(command) in (Reach.READS, Reach.ASKS) for command in found.commands)
    return found if found.commands and reads else None


def read_words(ctx: Context, sender: KnownPlayer, orders: MailCommands) -> MailCommands | None:
    """Return the words that answer a letter of words alone, as ones to send; None for any other mail."""
    part = MailPart(ctx, sender, GameBlock(None))
    if (
        not orders.nothing_read
        or orders.remarks
        or not (which_game.answers_words(ctx) and _may_be_sent(part))
    ):
        return None
    if _suggestion(ctx, sender, nothing_read=True).text or _seen_move(part) or asked.ask_again(ctx, sender):
        return None
    return MailCommands((GameBlock(None, comment=_words(part), said=True),))


def _is_outside_games(sender: KnownPlayer, orders: MailCommands) -> bool:
    """True if a mail with words alone answers no letter about a game or a challenge."""
    return orders.nothing_read and sender.since is None and sender.bundle is None and not sender.about


def answer(ctx: Context, sender: KnownPlayer, orders: MailCommands, problem: str) -> MailOutcome:
    """Refuse a mail without orders, and ask about the one order or move that is likely meant."""
    part = MailPart(ctx, sender, GameBlock(None))
    meant = Suggestion() if orders.remarks else _suggestion(ctx, sender, nothing_read=orders.nothing_read)
    hints = orders.remarks or list(filter(None, [meant.text]))
    seen = "" if orders.remarks or not orders.empty else _seen_move(part)
    outside = _is_outside_games(sender, orders) and not seen
    board = bool(seen) or not (outside or _is_about_account(ctx.inbound.words))
    again = asked.ask_again(ctx, sender) if orders.nothing_read else ""
    if outside:
        said = ctx.inbound.words.strip()
        problem = NOT_UNDERSTOOD.format(what=f"*{said}*" if _FEW_WORDS.fullmatch(said) else "this")
    outcome = part.refuse([again or problem, *hints], board=board, seen_move=seen)
    letter = outcome.letters[0]
    if outside and not meant.text:
        letter = letter.telling(begins=next(iter(ctx.app.offered), ""))
    if seen and sender.since is not None and not again:
        letter = ask_about_move(ctx, sender.player, part.number, sender.since, letter, seen)
    elif orders.nothing_read and not (again or orders.remarks or seen):
        if meant.order:
            letter = _ask_about_order(part, letter, meant)
        elif board and _may_be_sent(part):
            letter = _offer_to_send(part, letter, hints)
    told = add_unsent_notice([letter], sender.player, GameBlock(None), ctx.inbound.signature_text)
    return replace(outcome, letters=tuple(told))


def _suggestion(ctx: Context, sender: KnownPlayer, *, nothing_read: bool) -> Suggestion:
    """Return the likely meaning of a mail without orders, with moves only in a game of the mail."""
    if unknown := [
        number for number in mail_orders.named_games(ctx.inbound.words) if ctx.game(number) is None
    ]:
        return Suggestion(f"There is no game {unknown[0]}.")
    if not nothing_read:
        return Suggestion()
    if sender.game_id is None and is_cells_only(ctx.inbound.words):
        return Suggestion(which_game.no_game_sentence(ctx, sender.player))
    examples = examples_for(ctx, sender.player, sender.game_id)
    if ctx.inbound.is_away:
        return Suggestion(suggest_absence(examples))
    if not sender.once and (sender.about or sender.since is not None):
        examples.pop("offered", None)  # the letter offers nothing
    meant = suggest(ctx.inbound.words, examples)
    if meant.text:
        return meant
    game = ctx.game(sender.game_id) if sender.game_id and sender.since is not None else None
    bots = [seat.name for seat in game.seats if seat.bot] if game else []
    return Suggestion(f"{bots[0]} is a computer, and reads no words." if bots else "")


def _may_be_sent(part: MailPart) -> bool:
    """True if a part answers a game's letter and has only words that may go to the other player."""
    ctx, sender, own = part.ctx, part.sender, part.own
    if sender.since is None or own is None or ctx.inbound.is_silent or ctx.inbound.is_away:
        return False
    if any(player.bot for player in own[0].seats):
        return False
    blocked = part.player.barred or limits.blocked(ctx.db, *own[0].seats)
    return not (blocked or asked.says_send(ctx)) and len(ctx.inbound.words) <= MAX_WORDS


def _ask_about_order(part: MailPart, letter: Letter, meant: Suggestion) -> Letter:
    """Ask in a letter about the one order likely meant, or whether to send the mail's words instead."""
    words = _words(part) if letter.view is not None and _may_be_sent(part) else ""
    found = _words(part).split("\n")
    told = letter.telling(problems=(), found=found, guess=meant, to_send=bool(words))
    return replace(told, reply=_ask(part, [meant.order], words))


def _offer_to_send(part: MailPart, letter: Letter, hints: Sequence[str]) -> Letter:
    """Show in a letter words without orders, which the answer to the letter sends."""
    words = _words(part)
    told = letter.telling(problems=hints, found=words.split("\n"), to_send=True)
    return replace(told, reply=_ask(part, [], words))


def _ask(part: MailPart, orders: Sequence[str], words: str) -> ReplyTo:
    sender = part.sender
    return ask_meant(
        part.ctx, sender.player, part.number, sender.since, orders, words=words, about=sender.about
    )


def _words(part: MailPart) -> str:
    return without_secrets(part.ctx.inbound.words).strip("\n")


def _seen_move(part: MailPart) -> str:
    """Return the one move in a mail's words."""
    if part.own is None:
        return ""
    game, seat = part.own
    state = game.as_seen_by(seat).state
    return seen_move(part.ctx.inbound.words, state.position) if state.to_play == seat else ""


def _is_about_account(words: str) -> bool:
    """True if words are one line like a command about no game, such as `stop nonsense`."""
    line = words.strip()
    return "\n" not in line and line.lower().partition(" ")[0] in commands.WORDS.keys() - decide.VERBS.keys()
