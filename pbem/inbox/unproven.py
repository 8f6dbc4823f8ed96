"""Asks the owner about orders that need a proof of their writer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.commands.context import DAY, Context, KnownPlayer, MailOutcome, MailPart, UnverifiedPlayer
from pbem.commands.which_game import entries_known_to_letter, is_of_game
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.parsing.commands import LOBBY
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock, exceeds_letter, repeat_commands
from pbem.core.play.unproven import needs_proof
from pbem.core.players import Player
from pbem.store import locks, players

OFTEN, WEEK = 3, timedelta(days=7)
"""Letters in a week after which a player is told how to be asked no more."""


def split_by_reach(parts: Sequence[MailPart]) -> tuple[list[MailPart], list[MailPart]]:
    """Split parts into what needs no proof, and what does."""
    within: list[MailPart] = []
    beyond: list[MailPart] = []
    for part in parts:
        asked = _commands_to_ask_about(part)
        if part.sender.games is None or not (asked or _speaks_elsewhere(part)):
            within.append(part)
            continue
        rest = tuple(command for command in part.block.commands if command not in asked)
        if not rest or _speaks_elsewhere(part):
            beyond.append(part)
            continue
        within.append(replace(part, block=replace(part.block, commands=rest)))
        beyond.append(replace(part, block=GameBlock(part.block.game, asked)))
    return within, beyond


def _commands_to_ask_about(part: MailPart) -> tuple[Command, ...]:
    games = _games(part)
    return tuple(
        command
        for command in part.block.commands
        if needs_proof(command, _game_of(part, command), games, lobby=_answers_letter(part, command))
    )


def _games(part: MailPart) -> frozenset[int]:
    """The games that the letter answered is about. In a watched one its reader only guesses."""
    sender = part.sender
    watched = {sender.game_id} if sender.watched is not None and part.own is None else set()
    return (sender.games or frozenset()) | {game for game in watched if game is not None}


def _game_of(part: MailPart, command: Command) -> int | None:
    """The game that a command is about. `hint 7` and `mute 7` name their own; `accept 7` is about none."""
    if command.verb in ("accept", "decline") and not is_of_game(part, command):
        return None
    named = command.args.get("number") if command.verb in ("hint", "mute", "unmute") else None
    return int(named) if named else part.number


def _answers_letter(part: MailPart, command: Command) -> bool:
    """True if the command answers the challenge in the letter."""
    if command.verb not in ("accept", "decline") or is_of_game(part, command):
        return False
    about = part.sender.about
    return bool(about) and command.args["number"] in (None, about) and command.args["offer"] != "draw"


def _speaks_elsewhere(part: MailPart) -> bool:
    """True if a part has words for people outside the letter's games."""
    block, games = part.block, _games(part)
    if not (block.comment or block.said):
        return False
    carriers = [command for command in block.commands if command.verb in LOBBY]
    carriers = [each for each in carriers if not _answers_letter(part, each) and not is_of_game(part, each)]
    others_game = part.own is not None and part.number not in games
    return bool(carriers) or (others_game and (block.said or not block.commands))


def ask_about_parts(ctx: Context, sender: KnownPlayer, parts: Sequence[MailPart]) -> MailOutcome:
    """Ask the owner about all these parts in one letter."""
    number = sender.game_id
    words = "\n".join(line for part in parts for line in _lines(part.block))
    shown = repeat_commands(ctx.read(words, True, number))
    known = {part.number: _known(part) for part in parts if part.number is not None}
    data = {
        "marked": True,
        "known": {str(game): entries for game, entries in known.items() if entries is not None},
    }
    question = ask_about_orders(ctx, sender.player, words, number, sender.since, shown, data)
    often = ctx.count_letters(sender.player.address, "proof", within=WEEK) >= OFTEN - 1
    letter = to_player("proof", sender.player, words=shown if question else [], answers=True, often=often)
    letter = replace(letter, reply=question or letter.reply)
    return MailOutcome("refused", "asked about orders that need a proof", (letter,), sender.player, number)


def _known(part: MailPart) -> int | None:
    game = part.ctx.game(part.number)
    return None if game is None else entries_known_to_letter(part.ctx, part.sender, game)


def _lines(block: GameBlock) -> list[str]:
    """The lines of a mail with this block alone."""
    header = [] if block.game is None else [f"game {block.game}"]
    notes = [f"note {each.args['words']}" for each in block.commands if each.verb == "note"]
    orders = [each.text for each in block.commands if each.verb != "note"]
    words = [f"say {block.comment}"] if block.said else ["", block.comment] if block.comment else []
    return [*header, *orders, *words, *notes]


def ask_about_orders(
    ctx: Context,
    player: Player,
    words: str,
    game: int | None,
    since: int | None,
    shown: list[str],
    more: Mapping[str, object],
) -> ReplyTo | None:
    """Store the question if orders are meant. The lines `shown` must not be too long for a letter."""
    if exceeds_letter(shown):
        return None
    return ctx.ask(
        "orders", player.address, {"words": words, "game": game, "since": since, "shown": shown, **more}
    )


def ask_for_proof(ctx: Context, who: UnverifiedPlayer) -> MailOutcome:
    """Ask a registered address's owner, once a day. The letter shows all that waits for the answer."""
    player, inbound, address = who.player, ctx.inbound, who.player.address
    locks.advisory_lock(ctx.db, address)
    since = ctx.now - DAY
    told = ctx.count_letters(address, "proof")
    told -= players.count_confirmations(ctx.db, "orders", since, address, answered=True)
    if told > 0 or inbound.kind == "refused":
        return MailOutcome("stranger", "no reply address, and asked for proof already", (), player)
    orders = ctx.orders(who.game_id)
    words = repeat_commands(orders)
    reply = None
    if not orders.problem:
        marked = {"marked": inbound.marked}
        reply = ask_about_orders(ctx, player, inbound.words, who.game_id, who.since, words, marked)
    if reply is None:
        letter = to_player("proof", player, words=[], answers=False, often=False)
        return MailOutcome("stranger", "no reply address, and no orders to ask about", (letter,), player)
    letter = Letter("proof", address, player, reply, facts={"words": words, "answers": False, "often": False})
    return MailOutcome("stranger", "no reply address: asked for proof", (letter,), player)
