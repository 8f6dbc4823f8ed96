"""Steps 5 to 7 for a player: the mail's commands, game by game.

Loads what a command needs, lets `pbem.core` decide, and stores the decision. A command that fails becomes a
sentence in a letter; the commands of one game succeed or fail together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import reduce
from operator import or_

from pbem.actions.boards import one_answer
from pbem.actions.context import Context, Disposition, KnownPlayer
from pbem.actions.play import _play, _refused_block, _run_handler
from pbem.actions.preferences import merge_settings_letters
from pbem.actions.refusals import Result, _refusal
from pbem.actions.report import ALONE, stands_alone
from pbem.actions.which_game import game_for, game_of_block, no_game_sentence, since_in
from pbem.actions.which_offer import answers_game, must_choose, offered_in_game
from pbem.core.errors import Refusal
from pbem.core.game.journal import LASTS
from pbem.core.game.view import view
from pbem.core.letters.boards import Bundle, between_boards
from pbem.core.letters.letter import KINDS, ReplyTo, about_game
from pbem.core.parsing.doubts import is_silent
from pbem.core.parsing.hints import hint, is_move
from pbem.core.parsing.line import Command, any_of, read_line
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, games_named
from pbem.core.parsing.repeated_orders import repeated, too_much, words_below
from pbem.core.parsing.reply_text import first_lines
from pbem.core.play import decide
from pbem.core.play.unsent_words import telling
from pbem.store import outbox
from pbem.store.inbox import Code

HOUR = timedelta(hours=1)
ANSWERS = tuple(name for name, kind in KINDS.items() if kind.answers)


def attend_person(ctx: Context, sender: KnownPlayer) -> Disposition:
    """Do what a player's mail asks for."""
    return within_ration(ctx, sender.player.address, _attend(ctx, sender))


def _attend(ctx: Context, sender: KnownPlayer) -> Disposition:
    if ctx.inbound.kind == "refused":
        return _refusal(ctx, sender, [ctx.inbound.reason])
    meant = sender if sender.game_id is not None else replace(sender, game_id=game_for(ctx, sender))
    orders = ctx.orders(meant.game_id)
    told = sender.since is not None or sender.bundle is not None
    if told or not any(_begins_another(ctx, meant, block) for block in orders.blocks):
        return carry_out(ctx, meant, orders)
    begins = any(command.verb in BEGINNERS for block in orders.blocks for command in block.commands)
    apart = ctx.orders(None if begins else meant.game_id, one=False)
    return carry_out(ctx, replace(sender, game_id=None), apart)


def _begins_another(ctx: Context, sender: KnownPlayer, block: GameBlock) -> bool:
    """True if a block is about a future or declined game. A move below it is not for a running game."""
    lobby = [command for command in block.commands if command.verb in CARRIERS | {"seek"}]
    return block.game is None and not all(_is_of_game(ctx, sender, block, command) for command in lobby)


def within_ration(ctx: Context, address: str, filing: Disposition) -> Disposition:
    """What was done for an address, without answers where it has had as many within the hour as anybody gets.

    So a machine that writes for a player uses up answers, but loses none of the player's moves.
    """
    sent = outbox.count_letters(ctx.db, address, ctx.now - HOUR, ANSWERS)
    if sent < ctx.app.config.letters_per_hour:
        return filing
    letters = tuple(each for each in filing.letters if each.address != address or each.kind not in ANSWERS)
    return replace(filing, letters=letters, code=filing.code | Code.UNANSWERED)


def carry_out(ctx: Context, sender: KnownPlayer, orders: MailCommands) -> Disposition:
    """Carry out orders block by block; each game's stand or fall by themselves."""
    ctx.app.step("read")
    problem = _without_number(ctx, sender, orders)
    if problem:
        filing = _refusal(
            ctx,
            sender,
            [problem, *(orders.remarks or _hints(ctx, sender, nothing_read=orders.nothing_read))],
        )
        told = telling(filing.letters, sender.player, GameBlock(None), ctx.inbound.below)
        return replace(filing, letters=tuple(told))
    blocks = [block for block in orders.blocks if sender.bundle is None or _asks(block)] or orders.blocks[:1]
    results = [
        _carry_out_block(ctx, sender, block, ctx.inbound.below if block is blocks[-1] else "")
        for block in blocks
    ]
    ctx.app.step("decide")
    result = _together(results)
    letters = one_answer(ctx, sender.player, merge_settings_letters(result.letters))
    state, detail = "done" if result.done else "refused", " / ".join(result.problems)
    return Disposition(state, detail, tuple(letters), sender.player, sender.game_id, result.code)


def _hints(ctx: Context, sender: KnownPlayer, *, nothing_read: bool) -> list[str]:
    """What may have been meant by a mail without orders; the moves of a game that is none are no moves."""
    if unknown := [number for number in games_named(ctx.inbound.words) if ctx.game(number) is None]:
        return [f"There is no game {unknown[0]}."]
    if not nothing_read:
        return []
    if sender.game_id is None and is_move(ctx.inbound.words):
        return [no_game_sentence(ctx, sender.player)]
    return list(filter(None, [hint(ctx.inbound.words, next(iter(ctx.app.offered), "bipod"))]))


def _asks(block: GameBlock) -> bool:
    """True if anything stands below a game's number. A reply to a bundle may leave games out."""
    return bool(block.commands or block.said or block.comment)


def _without_number(ctx: Context, sender: KnownPlayer, orders: MailCommands) -> str:
    """A sentence on why the commands cannot be carried out, or "".

    An answer to several boards must name the game of each move. A move below a quoted board may be for that
    one or for the game named earlier, so it is not played at all.
    """
    bundle = sender.bundle
    if bundle is None or bundle.only_game is not None or (orders.problem and not orders.nothing_read):
        return orders.problem
    below = between_boards(ctx.inbound.text)
    if not orders.problem and not (below and _any_order(ctx, bundle, below)):
        return ""
    return (
        f"The letter you answered is about several games, so a line such as `game {min(bundle.entries)}` "
        "must stand before each move, and the move on the line below it."
    )


def _any_order(ctx: Context, bundle: Bundle, lines: Sequence[str]) -> bool:
    """True if a line is a command or the bundle's move."""
    readers = [reader for number in sorted(bundle.entries) if (reader := ctx.reader(number)) is not None]
    return any(read_line(line, any_of(readers)) is not None for line in lines)


def _together(results: Sequence[Result]) -> Result:
    """What came of several blocks, or of the parts of one."""
    return Result(
        [letter for result in results for letter in result.letters],
        [problem for result in results for problem in result.problems],
        any(result.done for result in results),
        reduce(or_, (result.code for result in results), Code.NONE),
    )


BEGINNERS = frozenset({"challenge", "accept", "take"})
CARRIERS = BEGINNERS | {"decline"}
"""Lobby commands that carry a comment."""


UNSENT = (
    "The subject of your mail is that of an automatic reply, so none of its words went to anybody; "
    "moves and commands are carried out. Please write the words again under another subject."
)


def in_silence(ctx: Context, sender: KnownPlayer, block: GameBlock) -> Result:
    """One game's commands without their words, and a letter about it."""
    bare = replace(block, comment="", said=False)
    done = _carry_out_block(ctx, sender, bare, "") if block.commands else Result([], [], False)
    untold = _refused_block(ctx, sender, block, UNSENT, first_lines(block.comment))
    return _together([done, untold])


def _carry_out_block(ctx: Context, sender: KnownPlayer, block: GameBlock, below: str) -> Result:
    """The result of one block, with a notice of unsent words."""
    result = _done(ctx, sender, block)
    return replace(result, letters=telling(result.letters, sender.player, block, below))


def _done(ctx: Context, sender: KnownPlayer, block: GameBlock) -> Result:
    """One game's commands, and those of the lobby that stand among them."""
    if asked := _asked_elsewhere(ctx, sender, block):
        return asked
    if block.comment and is_silent(ctx.inbound):
        return in_silence(ctx, sender, block)
    if problem := _not_at_all(ctx, sender, block):
        return _refused_block(ctx, sender, block, problem, [command.text for command in block.commands])
    about_game = [command for command in block.commands if _is_of_game(ctx, sender, block, command)]
    elsewhere = [command for command in block.commands if command not in about_game]
    parts: list[Result] = []
    spoken = block.said and not any(command.verb in CARRIERS for command in elsewhere)
    if about_game or spoken:
        parts.append(_play(ctx, sender, block, about_game))
    parts += [_run_handler(ctx, sender, block, command) for command in elsewhere]
    if not parts:
        problem = f"There was no move or command for game {block.game} in your mail. {hint(block.comment)}"
        if block.game is not None and ctx.game(block.game) is None:
            problem = f"There is no game {block.game}."
        return _refused_block(ctx, sender, block, problem.strip(), [])
    return _together(parts)


def _not_at_all(ctx: Context, sender: KnownPlayer, block: GameBlock) -> str:
    """Why no command of a block can be carried out, "" where none stands in the way."""
    if not stands_alone(block):
        return ALONE
    try:
        for command in block.commands:
            if command.verb in decide.ANSWERS and not (command.args["number"] or command.args["offer"]):
                must_choose(ctx, sender, block, command.verb)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _asked_elsewhere(ctx: Context, sender: KnownPlayer, block: GameBlock) -> Result | None:
    """The question about commands for another game than the reply address's.

    None if there is none. A person with one forwarded letter of a game must not play in all games of its
    owner. Showing games is allowed.
    """
    if sender.bound is None or block.game in (None, sender.bound):
        return None
    game = ctx.game(block.game) if block.game is not None else None
    seat = game.seat_of(sender.player) if game is not None else None
    acts = any(command.verb in decide.VERBS.keys() - decide.LOOKS for command in block.commands)
    if game is None or seat is None or not (acts or block.comment):
        return None
    words = words_below(ctx.inbound.words, game.id)
    shown = repeated(ctx.read(words, ctx.inbound.marked, game.id))
    seen = view(game.seen_by(seat), seat, ctx.site)
    letter = about_game("elsewhere", seen, other=sender.bound, words=shown)
    if too_much(shown):
        letter = replace(letter, facts={**letter.facts, "words": []})
    else:
        since = since_in(ctx, sender, game)
        data = {
            "words": words,
            "marked": ctx.inbound.marked,
            "game": game.id,
            "since": since,
            "shown": shown,
        }
        letter = replace(letter, reply=ReplyTo("confirm", ctx.ask("orders", sender.player.address, data)))
    return Result([letter], [f"asked about game {game.id}, below the address of game {sender.bound}"], False)


def _is_of_game(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> bool:
    """True if a command is about a game. `accept` and `decline` are if that game has an open offer."""
    if command.verb not in CARRIERS:
        return command.verb in decide.VERBS
    if command.verb in ("challenge", "take") or command.args["number"]:
        return False
    if command.args["offer"]:
        return command.args["offer"] in LASTS and game_of_block(ctx, sender, block) is not None
    if answers_game(sender, block):
        return game_of_block(ctx, sender, block) is not None
    return bool(offered_in_game(ctx, sender, block)) and not sender.about
