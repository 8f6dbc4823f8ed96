"""Steps 5 to 7 for a player: the mail's commands, game by game.

A command that fails becomes a sentence in a letter; the commands of one game succeed or fail together.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from pbem.actions import boards, play, preferences, report, which_game
from pbem.actions.context import HOUR, Context, Disposition, KnownPlayer
from pbem.actions.refusals import Result, refuse
from pbem.core.errors import Refusal
from pbem.core.game import journal, letter_kinds
from pbem.core.game.view import view
from pbem.core.letters.boards import Bundle, lines_between_boards
from pbem.core.letters.letter import ReplyTo, about_game
from pbem.core.parsing import mail_orders, reply_text
from pbem.core.parsing.hints import hint, is_cells_only
from pbem.core.parsing.line import Command, any_reader, read_line
from pbem.core.play import decide
from pbem.core.play.unsent_words import add_unsent_notice
from pbem.core.players import Player
from pbem.store.inbox import Code

ANSWERS = tuple(name for name, kind in letter_kinds.KINDS.items() if kind.answers)


def handle_player(ctx: Context, sender: KnownPlayer) -> Disposition:
    return limit_answers(ctx, sender.player.address, _handle_commands(ctx, sender))


def _handle_commands(ctx: Context, sender: KnownPlayer) -> Disposition:
    if ctx.inbound.kind == "refused":
        return refuse(ctx, sender, [ctx.inbound.reason])
    meant = (
        sender if sender.game_id is not None else replace(sender, game_id=which_game.game_meant(ctx, sender))
    )
    orders = ctx.orders(meant.game_id)
    told = sender.since is not None or sender.bundle is not None
    if told or not any(_begins_another(ctx, meant, block) for block in orders.blocks):
        return carry_out(ctx, meant, orders)
    begins = any(command.verb in START_COMMANDS for block in orders.blocks for command in block.commands)
    apart = ctx.orders(None if begins else meant.game_id, one=False)
    return carry_out(ctx, replace(sender, game_id=None), apart)


def _begins_another(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock) -> bool:
    """True if a block is about a future or declined game. A move below it is not for a running game."""
    lobby = [command for command in block.commands if command.verb in COMMENT_COMMANDS | {"seek"}]
    return block.game is None and not all(_is_of_game(ctx, sender, block, command) for command in lobby)


def limit_answers(ctx: Context, address: str, outcome: Disposition) -> Disposition:
    """The disposition without answers if its address had the most of an hour: a machine loses no move."""
    if ctx.count_letters(address, *ANSWERS, within=HOUR) < ctx.app.config.letters_per_hour:
        return outcome
    letters = tuple(each for each in outcome.letters if each.address != address or each.kind not in ANSWERS)
    return replace(outcome, letters=letters, code=outcome.code | Code.UNANSWERED)


def carry_out(ctx: Context, sender: KnownPlayer, orders: mail_orders.MailCommands) -> Disposition:
    """Carry out orders block by block; each game's stand or fall by themselves."""
    ctx.app.step("read")
    problem = _missing_number_problem(ctx, sender, orders)
    if problem:
        hints = orders.remarks or _hints(ctx, sender, nothing_read=orders.nothing_read)
        outcome = refuse(ctx, sender, [problem, *hints])
        told = add_unsent_notice(
            outcome.letters, sender.player, mail_orders.GameBlock(None), ctx.inbound.signature_text
        )
        return replace(outcome, letters=tuple(told))
    blocks = orders.blocks
    if sender.bundle is not None:
        blocks = tuple(each for each in blocks if each.commands or each.said or each.comment) or blocks[:1]
    results = [
        _carry_out_block(ctx, sender, block, ctx.inbound.signature_text if block is blocks[-1] else "")
        for block in blocks
    ]
    ctx.app.step("decide")
    result = _together(results)
    letters = boards.merge_answers(ctx, sender.player, preferences.merge_settings_letters(result.letters))
    state, detail = "done" if result.done else "refused", " / ".join(result.problems)
    return Disposition(state, detail, tuple(letters), sender.player, sender.game_id, result.code)


def _hints(ctx: Context, sender: KnownPlayer, *, nothing_read: bool) -> list[str]:
    """Hints for a mail without orders. Moves count only in a game of the mail."""
    if unknown := [
        number for number in mail_orders.named_games(ctx.inbound.words) if ctx.game(number) is None
    ]:
        return [f"There is no game {unknown[0]}."]
    if not nothing_read:
        return []
    if sender.game_id is None and is_cells_only(ctx.inbound.words):
        return [which_game.no_game_sentence(ctx, sender.player)]
    return list(filter(None, [hint(ctx.inbound.words, next(iter(ctx.app.offered), "bipod"))]))


def _missing_number_problem(ctx: Context, sender: KnownPlayer, orders: mail_orders.MailCommands) -> str:
    """A sentence on why the commands cannot be carried out, or "".

    A move below a quoted board may be for that one or for the game named earlier, so it is not played at all.
    """
    bundle = sender.bundle
    if bundle is None or bundle.only_game is not None or (orders.problem and not orders.nothing_read):
        return orders.problem
    below = lines_between_boards(ctx.inbound.text)
    if not orders.problem and not (below and _has_bundle_command(ctx, bundle, below)):
        return ""
    return (
        f"The letter you answered is about several games, so a line such as `game {min(bundle.entries)}` "
        "must stand before each move, and the move on the line below it."
    )


def _has_bundle_command(ctx: Context, bundle: Bundle, lines: Sequence[str]) -> bool:
    readers = [reader for number in sorted(bundle.entries) if (reader := ctx.reader(number))]
    return any(read_line(line, any_reader(readers)) is not None for line in lines)


def _together(results: Sequence[Result]) -> Result:
    return Result(
        [letter for result in results for letter in result.letters],
        [problem for result in results for problem in result.problems],
        any(result.done for result in results),
        reduce(or_, (result.code for result in results), Code.NONE),
    )


START_COMMANDS = frozenset({"challenge", "accept", "take"})
COMMENT_COMMANDS = START_COMMANDS | {"decline"}
"""Lobby commands that carry a comment."""

UNSENT = (
    "The subject of your mail is that of an automatic reply, so none of its words went to anybody; "
    "moves and commands are carried out. Please write the words again under another subject."
)


def _carry_out_without_words(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock) -> Result:
    bare = replace(block, comment="", said=False)
    done = _carry_out_block(ctx, sender, bare, "") if block.commands else Result([], [], False)
    untold = play.refuse_block(ctx, sender, block, UNSENT, reply_text.first_lines(block.comment))
    return _together([done, untold])


def _carry_out_block(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock, below: str) -> Result:
    result = _carry_out_commands(ctx, sender, block)
    return replace(result, letters=add_unsent_notice(result.letters, sender.player, block, below))


def _carry_out_commands(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock) -> Result:
    if asked := _ask_about_other_game(ctx, sender, block):
        return asked
    if block.comment and ctx.inbound.is_silent:
        return _carry_out_without_words(ctx, sender, block)
    if problem := _block_problem(ctx, sender, block):
        return play.refuse_block(ctx, sender, block, problem, [command.text for command in block.commands])
    about_game = [command for command in block.commands if _is_of_game(ctx, sender, block, command)]
    elsewhere = [command for command in block.commands if command not in about_game]
    parts: list[Result] = []
    spoken = block.said and not any(command.verb in COMMENT_COMMANDS for command in elsewhere)
    if about_game or spoken:
        parts.append(play.play_block(ctx, sender, block, about_game))
    parts += [play.run_handler(ctx, sender, block, command) for command in elsewhere]
    if not parts:
        problem = f"There was no move or command for game {block.game} in your mail. {hint(block.comment)}"
        if block.game is not None and ctx.game(block.game) is None:
            problem = f"There is no game {block.game}."
        return play.refuse_block(ctx, sender, block, problem.strip(), [])
    return _together(parts)


def _block_problem(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock) -> str:
    """The reason why no command of a block can be carried out, "" if there is none."""
    if not report.is_report_alone(block):
        return report.ALONE
    try:
        for command in block.commands:
            if command.verb in decide.ANSWERS and not (command.args["number"] or command.args["offer"]):
                which_game.refuse_ambiguous_answer(ctx, sender, block, command.verb)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _ask_about_other_game(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock) -> Result | None:
    """The question about commands for another game than the reply address's, or None.

    A person with one forwarded letter of a game must not play in all games of its owner.
    """
    if sender.bound is None or block.game in (None, sender.bound):
        return None
    own = ctx.own_game(block.game, sender.player)
    acts = any(command.verb in decide.VERBS.keys() - decide.READ_ONLY_COMMANDS for command in block.commands)
    if own is None or not (acts or block.comment):
        return None
    game, seat = own
    words = mail_orders.words_below(ctx.inbound.words, game.id)
    shown = mail_orders.repeat_commands(ctx.read(words, ctx.inbound.marked, game.id))
    since = which_game.entries_known_to_letter(ctx, sender, game)
    question = ask_about_orders(ctx, sender.player, words, game.id, since, shown)
    seen = view(game.as_seen_by(seat), seat, ctx.site)
    letter = about_game("elsewhere", seen, other=sender.bound, words=shown if question else [])
    letter = replace(letter, reply=question or letter.reply)
    return Result([letter], [f"asked about game {game.id}, below the address of game {sender.bound}"], False)


def ask_about_orders(
    ctx: Context, player: Player, words: str, game: int | None, since: int | None, shown: list[str]
) -> ReplyTo | None:
    """Store the question if orders are meant, unless the lines `shown` are too long for a letter."""
    if mail_orders.exceeds_letter(shown):
        return None
    data = {"words": words, "marked": ctx.inbound.marked, "game": game, "since": since, "shown": shown}
    return ctx.ask("orders", player.address, data)


def _is_of_game(ctx: Context, sender: KnownPlayer, block: mail_orders.GameBlock, command: Command) -> bool:
    """True if a command is about a game. `accept` and `decline` are if that game has an open offer."""
    if command.verb not in COMMENT_COMMANDS:
        return command.verb in decide.VERBS
    if command.verb in ("challenge", "take") or command.args["number"]:
        return False
    if command.args["offer"] and command.args["offer"] not in journal.OFFER_LIFETIMES:
        return False
    if command.args["offer"] or which_game.answers_game(sender, block):
        return ctx.own_game(which_game.number_meant(sender, block), sender.player) is not None
    return bool(which_game.open_offers(ctx, sender, block)) and not sender.about
