"""Steps 5 to 7: a mail's commands, and the settings page's. The mail's are done game by game.

A command that fails becomes a sentence in a letter; the commands of one game succeed or fail together.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain
from operator import or_

from pbem.app import App
from pbem.commands import boards, play, preferences, which_game
from pbem.commands.context import HOUR, Context, KnownPlayer, MailOutcome, MailPart, Request, handlers
from pbem.commands.examples import examples_for
from pbem.core.clock.mail_times import same_moment
from pbem.core.errors import Refusal
from pbem.core.letters.boards import lines_between_boards
from pbem.core.letters.letter import Letter
from pbem.core.parsing import commands, mail_orders, reply_text
from pbem.core.parsing.director_acts import unread_act
from pbem.core.parsing.inbound import Mail
from pbem.core.parsing.line import Command, any_reader, read_line
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.parsing.suggestions import suggest
from pbem.core.parsing.yes_no import is_polite, without_closing
from pbem.core.play import decide
from pbem.core.play.unsent_words import add_unsent_notice
from pbem.core.players import Player
from pbem.core.preferences import letter_kinds
from pbem.inbox import asked, doubts, habits, unproven, unread
from pbem.outbox.write import queue_letters
from pbem.store import clubs, players
from pbem.store.inbox import Code

ANSWER_KINDS = tuple(name for name, kind in letter_kinds.KINDS.items() if kind.answers)
MAILED = frozenset(
    {"address", "newaddress", "forget", "report", "start", "directask", "invitation", "clubask"}
)
"""Kinds of letters that no page can replace: those with a question, and the first of a game."""

Order = tuple[str, str]
"""A command's word, and the text after it."""


class RefusedOrder(Refusal):
    """The refusal of one of a page's orders. `read` says if it was understood."""

    def __init__(self, sentence: str, order: Order, *, read: bool = True) -> None:
        super().__init__(sentence)
        self.order, self.read = order, read


def handle_player(ctx: Context, sender: KnownPlayer) -> MailOutcome:
    """Carry out a player's mail, and take the zone of its Date for the player's own."""
    outcome, learned = _handle(ctx, sender), habits.learn_zone(ctx, sender)
    at = next((n for n, each in enumerate(outcome.letters) if each.address == sender.player.address), None)
    if not learned or at is None:
        return outcome
    letter = outcome.letters[at]
    told = replace(letter, untold=replace(letter.untold, asides=(*letter.untold.asides, learned)))
    return replace(outcome, letters=(*outcome.letters[:at], told, *outcome.letters[at + 1 :]))


def _handle(ctx: Context, sender: KnownPlayer) -> MailOutcome:
    if ctx.inbound.kind == "refused":
        return MailPart(ctx, sender, GameBlock(None)).refuse([ctx.inbound.reason])
    meant = (
        sender if sender.game_id is not None else replace(sender, game_id=which_game.game_meant(ctx, sender))
    )
    written = ctx.orders(meant.game_id)
    orders = asked.spell_out(ctx, sender, written)
    told = sender.since is not None or sender.bundle is not None or orders is not written
    if told or not any(_begins_another(MailPart(ctx, meant, block)) for block in orders.blocks):
        return carry_out(ctx, meant, orders)
    begins = any(command.verb in commands.BEGINS for command in orders.commands)
    apart = ctx.orders(None if begins else meant.game_id, one=False)
    return carry_out(ctx, replace(sender, game_id=None), apart)


def _begins_another(part: MailPart) -> bool:
    """True if a block is about a future or declined game. A move below it is not for a running game."""
    lobby = [command for command in part.block.commands if command.verb in commands.LOBBY]
    return part.block.game is None and not all(which_game.is_of_game(part, command) for command in lobby)


def limit_answers(ctx: Context, address: str, outcome: MailOutcome) -> MailOutcome:
    """Drop a disposition's answers beyond an address's limit of an hour. A machine loses no move by that."""
    if ctx.count_letters(address, *ANSWER_KINDS, within=HOUR) < ctx.app.config.letters_per_hour:
        return outcome
    letters = tuple(
        each for each in outcome.letters if each.address != address or each.kind not in ANSWER_KINDS
    )
    return replace(outcome, letters=letters, code=outcome.code | Code.UNANSWERED)


def carry_out(ctx: Context, sender: KnownPlayer, orders: mail_orders.MailCommands) -> MailOutcome:
    """Carry out orders block by block. A game's orders stand or fall together."""
    ctx.app.step("read")
    problem = _missing_number_problem(ctx, sender, orders)
    if orders.nothing_read and _is_director(ctx, sender) and (wrong := unread_act(ctx.inbound.words)):
        return MailPart(ctx, sender, GameBlock(None)).refuse([wrong], board=False)
    if problem:
        meant = unread.read_meant(ctx, sender, orders) or unread.read_words(ctx, sender, orders)
        orders, problem = meant or orders, "" if meant else problem
    if problem:
        return unread.answer(ctx, sender, orders, problem)
    blocks = orders.blocks
    if sender.bundle is not None:
        blocks = tuple(each for each in blocks if each.commands or each.said or each.comment) or blocks[:1]
    blocks, signature = habits.without_signature(ctx, sender.player, blocks)
    parts, beyond = unproven.split_by_reach([MailPart(ctx, sender, block) for block in blocks])
    below = "\n\n".join(filter(None, (signature, ctx.inbound.signature_text)))
    ended = [_carry_out_block(part, below if part is parts[-1] else "") for part in parts]
    ended += [unproven.ask_about_parts(ctx, sender, beyond)] if beyond else []
    ctx.app.step("decide")
    whole = _together(ended)
    letters = boards.merge_answers(ctx, sender.player, preferences.merge_settings_letters(whole.letters))
    return replace(whole, letters=tuple(letters), player=sender.player, game_id=sender.game_id)


def _is_director(ctx: Context, sender: KnownPlayer) -> bool:
    """True if a writer may direct something."""
    return sender.player.director or bool(clubs.clubs_of_player(ctx.db, sender.player.id, organised=True))


def _missing_number_problem(ctx: Context, sender: KnownPlayer, orders: mail_orders.MailCommands) -> str:
    """A sentence on why the commands cannot be carried out, or "".

    A move below a quoted board may be for that one or for the game named earlier, so it is not played at all.
    A move above the first `game N` is for the first board, or for any.
    """
    bundle = sender.bundle
    if bundle is None or bundle.only_game is not None or (orders.problem and not orders.nothing_read):
        return orders.problem
    if not orders.problem:
        lines = list(lines_between_boards(ctx.inbound.text, sender.game_id))
        lines += [line.strip() for block in orders.blocks for line in block.above.split("\n") if line.strip()]
        readers = [reader for number in sorted(bundle.entries) if lines and (reader := ctx.reader(number))]
        if all(read_line(line, any_reader(readers)) is None for line in lines):
            return ""
    return (
        f"The letter you answered is about several games, so a line such as `game {min(bundle.entries)}` "
        "must come before each move, and the move on the line below it."
    )


def _together(parts: Sequence[MailOutcome]) -> MailOutcome:
    """Join the parts. A letter about what was refused says if something else was done."""
    state = "done" if any(part.state == "done" for part in parts) else "refused"
    letters = chain.from_iterable(part.letters for part in parts)
    return MailOutcome(
        state,
        " / ".join(part.detail for part in parts if part.detail),
        tuple(
            each.telling(beside=True) if each.kind == "refused" and state == "done" else each
            for each in letters
        ),
        code=reduce(or_, (part.code for part in parts), Code.NONE),
    )


BOARD_COMMANDS = frozenset({"hint"})
"""Commands of this module about a writer's own game: their refusal has its board."""

ALONE = {
    "report": "`report` goes to the operator with the words below it, so nothing else can be in that mail; ",
    "direct": "The words below `direct` are your reason, so nothing else can be in that mail; ",
}
"""Commands that take the words below them, and what is said of others in the same mail."""
_OF_GAME = decide.VERBS.keys() - decide.READ_ONLY_COMMANDS
WORD_TAKERS = commands.LOBBY | ALONE.keys() | _OF_GAME | {"note", "club"}
"""Commands that do something with the words below them."""
UNSENT = (
    "The subject of your mail is that of an automatic reply, so none of its words went to anybody; "
    "moves and commands are carried out. Please write the words again under another subject."
)


def _carry_out_block(part: MailPart, below: str) -> MailOutcome:
    part = replace(part, block=_with_greeting(part))
    outcome = _carry_out_commands(part)
    ungot = "" if part.ctx.inbound.is_silent else _words_nobody_gets(part)
    files = part.ctx.inbound.attachments
    told = add_unsent_notice(outcome.letters, part.player, part.block, below, ungot, files)
    return replace(outcome, letters=tuple(told))


def _words_nobody_gets(part: MailPart) -> str:
    """Return the words below commands that take none; such a word may be a `set` with a slip."""
    block, names = part.block, (part.player.name, part.ctx.inbound.sender_name)
    takers = [each for each in block.commands if _takes_words(each)]
    takes_words = block.said or bool(takers) or not block.commands
    words = "" if takes_words else without_closing(f"-\n{block.comment}", names).partition("\n")[2]
    return "" if is_polite(words.strip(" ,.!\n")) else words


def _takes_words(command: Command) -> bool:
    """True if a command does something with the words below it."""
    if command.verb == "club":
        return command.args["act"] == "say"
    return command.verb in WORD_TAKERS and not command.args.get("proved")


def _with_greeting(part: MailPart) -> GameBlock:
    """Add a greeting above the move to the words below."""
    block = part.block
    if not any(command.verb == "move" for command in block.commands):
        return replace(block, greeting="")
    short = "\n" not in block.above and len(block.above) <= mail_orders.MAX_GREETING
    greeting, above = (block.above, "") if short and not block.greeting else (block.greeting, block.above)
    comment = "\n\n".join(filter(None, (greeting, block.comment)))
    return replace(block, comment=comment, greeting="", above=above)


def _carry_out_commands(part: MailPart) -> MailOutcome:
    block = part.block
    if doubted := doubts.ask_if_meant(part):
        return doubted
    if block.comment and part.ctx.inbound.is_silent:
        bare = replace(part, block=replace(block, comment="", said=False))
        done = [_carry_out_block(bare, "")] if block.commands else []
        return _together([*done, part.refuse([UNSENT], reply_text.first_lines(block.comment))])
    if problem := _block_problem(part):
        return part.refuse([problem], [command.text for command in block.commands])
    about_game = [command for command in block.commands if which_game.is_of_game(part, command)]
    elsewhere = [command for command in block.commands if command not in about_game]
    ended: list[MailOutcome] = []
    spoken = block.said and not any(command.verb in commands.SPEAKS for command in elsewhere)
    if about_game or spoken:
        ended.append(play.play_part(part, about_game))
    ended += [_run_handler(part, command) for command in elsewhere]
    if not ended:
        meant = suggest(block.comment, examples_for(part.ctx, part.player, part.number)).text
        problem = f"There was no move or command for game {block.game} in your mail. {meant}"
        if block.game is not None and part.ctx.game(block.game) is None:
            problem = f"There is no game {block.game}."
        return part.refuse([problem.strip()])
    return _together(ended)


def _run_handler(part: MailPart, command: Command) -> MailOutcome:
    try:
        letters = handlers()[command.verb](Request(part.ctx, part.sender, part.block, command))
    except Refusal as refusal:
        return _about_board(part, command).refuse(
            [str(refusal)], [command.text], board=command.verb in BOARD_COMMANDS
        )
    return MailOutcome("done", letters=tuple(letters))


def _about_board(part: MailPart, command: Command) -> MailPart:
    """Return the part about the game that a command like `hint 7` names."""
    named = command.args.get("number") if command.verb in BOARD_COMMANDS else None
    return replace(part, block=replace(part.block, game=int(named))) if named else part


def _block_problem(part: MailPart) -> str:
    verbs = [command.verb for command in part.block.commands]
    alone = next((word for word in ALONE if word in verbs), "")
    if alone and (len(verbs) > 1 or part.block.said):
        return ALONE[alone] + "nothing was done. Please send the rest in a mail of its own."
    try:
        for command in part.block.commands:
            if command.verb in decide.OFFER_ANSWERS and not (command.args["number"] or command.args["offer"]):
                which_game.refuse_ambiguous_answer(part, command.verb)
    except Refusal as refusal:
        return str(refusal)
    return ""


def run_commands(app: App, player: Player, orders: Sequence[Order], words: str = "") -> None:
    """Carry out commands from a page. Only questions and others' letters are mailed. Raises Refusal."""
    now, mailed = app.now(), []
    with app.store.write() as db:
        known = players.player_by_id(db, player.id)
        if known is None or not known.address:
            raise Refusal("There is no such player any more.")
        ctx = Context(app, db, Mail("person", sender=known.address), same_moment(now))
        for order in orders:
            for letter in _run_order(ctx, known, order, words):
                if letter.kind in MAILED or (letter.player is not None and letter.player.id != known.id):
                    mailed.append(letter)
        queue_letters(app, db, mailed, now, about=f"w{app.rng.getrandbits(64):x}")
    app.wake()


def _run_order(ctx: Context, known: Player, order: Order, words: str) -> Sequence[Letter]:
    """Carry out one order of a page. Raises RefusedOrder."""
    verb, rest = order
    text = " ".join(f"{verb} {rest}".split())
    args = commands.WORDS[verb](text.removeprefix(verb).lstrip())
    if args is None:
        raise RefusedOrder(f"`{text}` cannot be read here; nothing was changed.", order, read=False)
    command = Command(verb, text, args)
    sender = KnownPlayer(players.player_by_id(ctx.db, known.id) or known)
    try:
        return handlers()[verb](Request(ctx, sender, GameBlock(None, (command,), words), command))
    except Refusal as refusal:
        raise RefusedOrder(str(refusal), order) from None
