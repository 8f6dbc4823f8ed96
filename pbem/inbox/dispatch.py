"""Steps 5 to 7: a mail's commands, and the settings page's. The mail's are done game by game.

A command that fails becomes a sentence in a letter; the commands of one game succeed or fail together.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain
from operator import or_

from pbem.actions import boards, play, preferences, which_game
from pbem.actions.context import HOUR, Context, Disposition, KnownPlayer, Part, Request, handlers
from pbem.actions.decisions import ask_about_move
from pbem.actions.examples import examples_for, running_game
from pbem.app import App
from pbem.core.clock.mail_times import same_moment
from pbem.core.errors import Refusal
from pbem.core.game import journal, letter_kinds
from pbem.core.game.view import view
from pbem.core.letters.boards import lines_between_boards
from pbem.core.letters.letter import Letter, ReplyTo, about_game
from pbem.core.lobby.limits import MAX_WORDS
from pbem.core.parsing import commands, mail_orders, reply_text
from pbem.core.parsing.director_acts import unread_act
from pbem.core.parsing.hints import hint, hint_for_absence, hint_to_begin, is_cells_only
from pbem.core.parsing.inbound import Inbound
from pbem.core.parsing.line import Command, any_reader, read_line
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.parsing.seen_move import seen_move
from pbem.core.parsing.yes_no import is_polite, without_closing
from pbem.core.play import decide
from pbem.core.play.unsent_words import add_unsent_notice
from pbem.core.players import Player
from pbem.core.redact import without_secrets
from pbem.inbox import asked
from pbem.outbox.write import queue_letters
from pbem.store import limits, players
from pbem.store.inbox import Code

ANSWER_KINDS = tuple(name for name, kind in letter_kinds.KINDS.items() if kind.answers)
MAILED = frozenset({"address", "newaddress", "forget", "report", "start", "directask"})
"""Kinds of letters that no page can replace: those with a question, and the first of a game."""

Order = tuple[str, str]
"""A command's word, and the text after it."""


class RefusedOrder(Refusal):
    """The refusal of one of a page's orders. `read` says if it was understood."""

    def __init__(self, sentence: str, order: Order, *, read: bool = True) -> None:
        super().__init__(sentence)
        self.order, self.read = order, read


def handle_player(ctx: Context, sender: KnownPlayer) -> Disposition:
    if ctx.inbound.kind == "refused":
        return Part(ctx, sender, GameBlock(None)).refuse([ctx.inbound.reason])
    meant = (
        sender if sender.game_id is not None else replace(sender, game_id=which_game.game_meant(ctx, sender))
    )
    written = ctx.orders(meant.game_id)
    orders = asked.spell_out(ctx, sender, written)
    told = sender.since is not None or sender.bundle is not None or orders is not written
    if told or not any(_begins_another(Part(ctx, meant, block)) for block in orders.blocks):
        return carry_out(ctx, meant, orders)
    begins = any(command.verb in START_COMMANDS for command in orders.commands)
    apart = ctx.orders(None if begins else meant.game_id, one=False)
    return carry_out(ctx, replace(sender, game_id=None), apart)


def _begins_another(part: Part) -> bool:
    """True if a block is about a future or declined game. A move below it is not for a running game."""
    lobby = [command for command in part.block.commands if command.verb in LOBBY_COMMANDS]
    return part.block.game is None and not all(_is_of_game(part, command) for command in lobby)


def limit_answers(ctx: Context, address: str, outcome: Disposition) -> Disposition:
    """Drop a disposition's answers beyond an address's limit of an hour. A machine loses no move by that."""
    if ctx.count_letters(address, *ANSWER_KINDS, within=HOUR) < ctx.app.config.letters_per_hour:
        return outcome
    letters = tuple(
        each for each in outcome.letters if each.address != address or each.kind not in ANSWER_KINDS
    )
    return replace(outcome, letters=letters, code=outcome.code | Code.UNANSWERED)


def carry_out(ctx: Context, sender: KnownPlayer, orders: mail_orders.MailCommands) -> Disposition:
    """Carry out orders block by block. A game's orders stand or fall together."""
    ctx.app.step("read")
    problem = _missing_number_problem(ctx, sender, orders)
    if orders.nothing_read and sender.player.director and (unread := unread_act(ctx.inbound.words)):
        return Part(ctx, sender, GameBlock(None)).refuse([unread], board=False)
    if problem:
        hints = orders.remarks or _hints(ctx, sender, nothing_read=orders.nothing_read)
        part = Part(ctx, sender, GameBlock(None))
        seen = "" if orders.remarks or not orders.empty else _seen_move(part)
        board = bool(seen) or not _is_about_account(ctx.inbound.words)
        again = asked.ask_again(ctx, sender) if orders.nothing_read else ""
        outcome = part.refuse([again or problem, *hints], board=board, seen_move=seen)
        if seen and sender.since is not None and not again:
            since, letter = sender.since, outcome.letters[0]
            asked_letter = ask_about_move(ctx, sender.player, part.number, since, letter, seen)
            outcome = replace(outcome, letters=(asked_letter,))
        elif board and orders.nothing_read and not (again or orders.remarks or seen) and _may_be_sent(part):
            outcome = replace(outcome, letters=tuple(_offer_to_send(part, outcome.letters[0], hints)))
        below = ctx.inbound.signature_text
        told = add_unsent_notice(outcome.letters, sender.player, GameBlock(None), below)
        return replace(outcome, letters=tuple(told))
    blocks = orders.blocks
    if sender.bundle is not None:
        blocks = tuple(each for each in blocks if each.commands or each.said or each.comment) or blocks[:1]
    parts, below = [Part(ctx, sender, block) for block in blocks], ctx.inbound.signature_text
    ended = [_carry_out_block(part, below if part is parts[-1] else "") for part in parts]
    ctx.app.step("decide")
    whole = _together(ended)
    letters = boards.merge_answers(ctx, sender.player, preferences.merge_settings_letters(whole.letters))
    return replace(whole, letters=tuple(letters), player=sender.player, game_id=sender.game_id)


def _is_about_account(words: str) -> bool:
    """Say if words are one line like a command about no game. An example is `stop nonsense`."""
    line = words.strip()
    return "\n" not in line and line.lower().partition(" ")[0] in commands.WORDS.keys() - decide.VERBS.keys()


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
    examples = examples_for(ctx, sender.player, sender.game_id)
    if ctx.inbound.is_away:
        return [hint_for_absence(examples)]
    if not sender.once and (sender.about or sender.since is not None):
        examples.pop("offered", None)  # the letter offers nothing
    said = hint(ctx.inbound.words, examples)
    begins = sender.game_id is None and not sender.about and running_game(ctx, sender.player) is None
    if not said and begins:
        said = hint_to_begin(examples)
    if not said and (game := ctx.game(sender.game_id) if sender.game_id else None):
        said = next(
            (f"{seat.name} is a computer, and reads no words." for seat in game.seats if seat.bot), ""
        )
    return list(filter(None, [said]))


def _may_be_sent(part: Part) -> bool:
    """Say if a part has only words that can reach the other. It must answer a letter of a game."""
    ctx, sender, own = part.ctx, part.sender, part.own
    if sender.since is None or own is None or ctx.inbound.is_silent or ctx.inbound.is_away:
        return False
    if any(player.bot for player in own[0].seats):
        return False
    blocked = part.player.barred or limits.blocked(ctx.db, *own[0].seats)
    return not (blocked or asked.says_send(ctx)) and len(ctx.inbound.words) <= MAX_WORDS


def _offer_to_send(part: Part, letter: Letter, hints: Sequence[str]) -> list[Letter]:
    """The letter that shows words alone, which its answer sends."""
    ctx, words = part.ctx, without_secrets(part.ctx.inbound.words).strip("\n")
    data = {"game": part.number, "since": part.sender.since, "words": words}
    question = ctx.ask("words", part.player.address, data)
    facts = {**letter.facts, "problems": hints, "found": words.split("\n"), "to_send": True}
    return [replace(letter, facts=facts, reply=question)]


def _seen_move(part: Part) -> str:
    """Return the one move in a mail's words. Without words the subject counts."""
    if part.own is None:
        return ""
    (game, seat), inbound = part.own, part.ctx.inbound
    state = game.as_seen_by(seat).state
    words = inbound.words if inbound.words.strip() else inbound.subject.replace(game.title, "")
    return seen_move(words, state.position) if state.to_play == seat else ""


def _missing_number_problem(ctx: Context, sender: KnownPlayer, orders: mail_orders.MailCommands) -> str:
    """A sentence on why the commands cannot be carried out, or "".

    A move below a quoted board may be for that one or for the game named earlier, so it is not played at all.
    A move above the first `game N` is for the first board, or for any.
    """
    bundle = sender.bundle
    if bundle is None or bundle.only_game is not None or (orders.problem and not orders.nothing_read):
        return orders.problem
    if not orders.problem:
        lines = list(lines_between_boards(ctx.inbound.text))
        lines += [line.strip() for block in orders.blocks for line in block.above.split("\n") if line.strip()]
        readers = [reader for number in sorted(bundle.entries) if lines and (reader := ctx.reader(number))]
        if all(read_line(line, any_reader(readers)) is None for line in lines):
            return ""
    return (
        f"The letter you answered is about several games, so a line such as `game {min(bundle.entries)}` "
        "must come before each move, and the move on the line below it."
    )


def _together(parts: Sequence[Disposition]) -> Disposition:
    """Join the parts. A letter about what was refused says if something else was done."""
    state = "done" if any(part.state == "done" for part in parts) else "refused"
    letters = chain.from_iterable(part.letters for part in parts)
    return Disposition(
        state,
        " / ".join(part.detail for part in parts if part.detail),
        tuple(
            replace(each, facts={**each.facts, "beside": True})
            if each.kind == "refused" and state == "done"
            else each
            for each in letters
        ),
        code=reduce(or_, (part.code for part in parts), Code.NONE),
    )


START_COMMANDS = frozenset({"challenge", "rematch", "accept", "take"})
COMMENT_COMMANDS = START_COMMANDS | {"decline"}
"""Lobby commands that carry a comment."""
LOBBY_COMMANDS = COMMENT_COMMANDS | {"seek", "play"}

BOARD_COMMANDS = frozenset({"hint"})
"""Commands of this module about a writer's own game: their refusal has its board."""

ALONE = {
    "report": "`report` goes to the operator with the words below it, so nothing else can be in that mail; ",
    "direct": "The words below `direct` are your reason, so nothing else can be in that mail; ",
}
"""Commands that take the words below them, and what is said of others in the same mail."""
WORD_TAKERS = LOBBY_COMMANDS | ALONE.keys() | (decide.VERBS.keys() - decide.READ_ONLY_COMMANDS) | {"note"}
"""Commands that do something with the words below them."""
UNSENT = (
    "The subject of your mail is that of an automatic reply, so none of its words went to anybody; "
    "moves and commands are carried out. Please write the words again under another subject."
)


def _carry_out_block(part: Part, below: str) -> Disposition:
    part = replace(part, block=_with_greeting(part))
    outcome = _carry_out_commands(part)
    unread = "" if part.ctx.inbound.is_silent else _words_nobody_gets(part)
    told = add_unsent_notice(outcome.letters, part.player, part.block, below, unread)
    return replace(outcome, letters=tuple(told))


def _words_nobody_gets(part: Part) -> str:
    """Return the words below commands that take none. One may be a `set` with a slip."""
    block, names = part.block, (part.player.name, part.ctx.inbound.sender_name)
    takers = [each for each in block.commands if each.verb in WORD_TAKERS and not each.args.get("proved")]
    takes_words = block.said or bool(takers) or not block.commands
    words = "" if takes_words else without_closing(f"-\n{block.comment}", names).partition("\n")[2]
    return "" if is_polite(words.strip(" ,.!\n")) else words


def _with_greeting(part: Part) -> GameBlock:
    """Add a greeting above the move to the words below."""
    block = part.block
    if not any(command.verb == "move" for command in block.commands):
        return replace(block, greeting="")
    short = "\n" not in block.above and len(block.above) <= mail_orders.MAX_GREETING
    greeting, above = (block.above, "") if short and not block.greeting else (block.greeting, block.above)
    comment = "\n\n".join(filter(None, (greeting, block.comment)))
    return replace(block, comment=comment, greeting="", above=above)


def _carry_out_commands(part: Part) -> Disposition:
    block = part.block
    if asked := _ask_about_other_game(part):
        return asked
    if block.comment and part.ctx.inbound.is_silent:
        bare = replace(part, block=replace(block, comment="", said=False))
        done = [_carry_out_block(bare, "")] if block.commands else []
        return _together([*done, part.refuse([UNSENT], reply_text.first_lines(block.comment))])
    if problem := _block_problem(part):
        return part.refuse([problem], [command.text for command in block.commands])
    about_game = [command for command in block.commands if _is_of_game(part, command)]
    elsewhere = [command for command in block.commands if command not in about_game]
    ended: list[Disposition] = []
    spoken = block.said and not any(command.verb in COMMENT_COMMANDS for command in elsewhere)
    if about_game or spoken:
        ended.append(play.play_part(part, about_game))
    ended += [_run_handler(part, command) for command in elsewhere]
    if not ended:
        meant = hint(block.comment, examples_for(part.ctx, part.player, part.number))
        problem = f"There was no move or command for game {block.game} in your mail. {meant}"
        if block.game is not None and part.ctx.game(block.game) is None:
            problem = f"There is no game {block.game}."
        return part.refuse([problem.strip()])
    return _together(ended)


def _run_handler(part: Part, command: Command) -> Disposition:
    try:
        letters = handlers()[command.verb](Request(part.ctx, part.sender, part.block, command))
    except Refusal as refusal:
        return _about_board(part, command).refuse(
            [str(refusal)], [command.text], board=command.verb in BOARD_COMMANDS
        )
    return Disposition("done", letters=tuple(letters))


def _about_board(part: Part, command: Command) -> Part:
    """Return the part about the game that a command like `hint 7` names."""
    named = command.args.get("number") if command.verb in BOARD_COMMANDS else None
    return replace(part, block=replace(part.block, game=int(named))) if named else part


def _block_problem(part: Part) -> str:
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


def _ask_about_other_game(part: Part) -> Disposition | None:
    """Ask about commands for another game than the reply address's.

    A person with one forwarded letter of a game must not play in all games of its owner.
    """
    ctx, sender, block = part.ctx, part.sender, part.block
    if sender.bound is None or block.game in (None, sender.bound):
        return None
    acts = any(command.verb in decide.VERBS.keys() - decide.READ_ONLY_COMMANDS for command in block.commands)
    if part.own is None or not (acts or block.comment):
        return None
    game, seat = part.own
    words = mail_orders.words_below(ctx.inbound.words, game.id)
    shown = mail_orders.repeat_commands(ctx.read(words, ctx.inbound.marked, game.id))
    since = which_game.entries_known_to_letter(ctx, sender, game)
    question = ask_about_orders(ctx, sender.player, words, game.id, since, shown)
    seen = view(game.as_seen_by(seat), seat, ctx.site)
    letter = about_game("elsewhere", seen, other=sender.bound, words=shown if question else [])
    letter = replace(letter, reply=question or letter.reply)
    detail = f"asked about game {game.id}, below the address of game {sender.bound}"
    return Disposition("refused", detail, (letter,))


def ask_about_orders(
    ctx: Context, player: Player, words: str, game: int | None, since: int | None, shown: list[str]
) -> ReplyTo | None:
    """Store the question if orders are meant. The lines `shown` must not be too long for a letter."""
    if mail_orders.exceeds_letter(shown):
        return None
    data = {"words": words, "marked": ctx.inbound.marked, "game": game, "since": since, "shown": shown}
    return ctx.ask("orders", player.address, data)


def _is_of_game(part: Part, command: Command) -> bool:
    """True if a command is about a game. `accept` and `decline` are if that game has an open offer."""
    if command.verb not in COMMENT_COMMANDS:
        return command.verb in decide.VERBS
    if command.verb in ("challenge", "rematch", "take") or command.args["number"]:
        return False
    if command.args["offer"] and command.args["offer"] not in journal.OFFER_LIFETIMES:
        return False
    if command.args["offer"] or which_game.answers_game(part):
        return part.own is not None
    return bool(which_game.open_offers(part)) and not part.sender.about


def run_commands(app: App, player: Player, orders: Sequence[Order], words: str = "") -> None:
    """Carry out commands from a page. Only questions and others' letters are mailed. Raises Refusal."""
    now, mailed = app.now(), []
    with app.store.write() as db:
        known = players.player_by_id(db, player.id)
        if known is None or not known.address:
            raise Refusal("There is no such player any more.")
        ctx = Context(app, db, Inbound("person", sender=known.address), same_moment(now))
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
