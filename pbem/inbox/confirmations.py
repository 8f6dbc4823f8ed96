"""Unverified senders: newcomers, and people who answer a question of ours.

To an unconfirmed address goes at most a question, with nothing of the writer's in it; the answer, sent from
that address to the secret in the question, is the proof.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.actions.addresses import add_confirmed_address, apply_address_change, new_address_letter
from pbem.actions.context import Answering, Context, Disposition, KnownPlayer
from pbem.actions.decisions import commit, release_pending
from pbem.actions.forget import forget_player
from pbem.actions.registration import welcome
from pbem.actions.which_game import allowed_game
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby import challenges
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.doubts import is_silent
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, repeat_commands
from pbem.core.parsing.reply_text import first_lines
from pbem.core.play import decide
from pbem.core.players import Player
from pbem.inbox.dispatch import UNSENT, carry_out, limit_answers
from pbem.inbox.strangers import DAY, WRITE_AGAIN
from pbem.store import confirmations, limits, outbox, players
from pbem.store.engine import Conflict
from rules.contract import Seat


def handle_answer(ctx: Context, sender: Answering) -> Disposition:
    """A question is answered: once, in time, and with the word it asks for."""
    return limit_answers(ctx, sender.confirmation.address, _check_answer(ctx, sender))


def _check_answer(ctx: Context, sender: Answering) -> Disposition:
    question = sender.confirmation
    owner = players.player_by_address(ctx.db, question.address)
    if question.used_at is not None:
        return _already_confirmed(ctx, question, owner)
    if ctx.now > question.expires_at:
        return _answer_late(ctx, question, owner)
    if ctx.inbound.kind == "refused" and owner is not None:
        return _refuse_owner(ctx, owner, ctx.inbound.reason)
    orders = ctx.words_alone()
    words = _confirmed_commands(orders)
    if question.purpose == "register":
        return _confirm_registration(ctx, sender, words, orders.comment)
    if question.purpose == "newaddress":
        return _confirm_new_address(ctx, question, words)
    if owner is None:
        return Disposition("refused", "nobody is registered there any more")
    if not any(command.verb == "confirm" for command in words):
        return _carry_out_other(ctx, question, owner)
    confirmations.use_confirmation(ctx.db, question, ctx.now)
    comment = "" if is_silent(ctx.inbound) else orders.comment
    outcome = CONFIRM_ACTIONS[question.purpose](ctx, question, owner, comment)
    if comment != orders.comment:
        outcome = replace(outcome, letters=(*outcome.letters, *_refuse_owner(ctx, owner, UNSENT).letters))
    return _carry_out_rest(ctx, outcome, owner, _other_blocks(orders, question.purpose))


def _confirmed_commands(orders: MailCommands) -> list[Command]:
    """The commands of an answer; `confirm` counts only at the top.

    Only a greeting may stand above it. Below other words it may be part of somebody else's sentence, which a
    mail program broke off a quoted line.
    """
    commands = [command for block in orders.blocks for command in block.commands]
    first = orders.blocks[0] if orders.blocks else None
    if first is not None and first.commands and first.commands[0].verb == "confirm" and not first.above:
        return commands
    return [command for command in commands if command.verb != "confirm"]


def _other_blocks(orders: MailCommands, purpose: str) -> tuple[GameBlock, ...]:
    """Other commands in an answer. The question's own word again changes nothing."""
    done = {"confirm", "resign" if purpose == "resign" else "confirm"}
    rest = ([command for command in block.commands if command.verb not in done] for block in orders.blocks)
    blocks = zip(orders.blocks, rest, strict=True)
    return tuple(GameBlock(block.game, tuple(commands)) for block, commands in blocks if commands)


def _carry_out_rest(
    ctx: Context, outcome: Disposition, owner: Player, blocks: tuple[GameBlock, ...]
) -> Disposition:
    """Carry out the orders beside `confirm`, for the player as stored now."""
    now = players.player_by_id(ctx.db, owner.id) or owner
    if not blocks or now.gone:
        return outcome
    sender = KnownPlayer(now, outcome.game_id, bound=allowed_game(ctx, outcome.game_id))
    more = carry_out(ctx, sender, MailCommands(blocks))
    return replace(outcome, letters=(*outcome.letters, *more.letters))


def _already_confirmed(
    ctx: Context, question: confirmations.Confirmation, owner: Player | None
) -> Disposition:
    if owner is None:
        return Disposition("done", "confirmed before")
    if question.purpose == "register":
        return Disposition("done", "confirmed before", (welcome(ctx, owner, again=True),), owner)
    return _refuse_owner(ctx, owner, "This was confirmed before; nothing was done a second time.")


def _answer_late(ctx: Context, question: confirmations.Confirmation, owner: Player | None) -> Disposition:
    if owner is None and question.purpose == "register":
        again = ctx.ask("register", question.address, question.data)
        return _ask_again(ctx, replace(question, id=again), "The letter you answered was too old.")
    if owner is None:
        return Disposition("refused", "the question had expired")
    problem = (
        f"This question is not open any more: it was good for {challenges.CONFIRM_DAYS} days, or until all "
        "your reply addresses were renewed. Nothing was done."
    )
    return _refuse_owner(ctx, owner, problem)


def _carry_out_other(ctx: Context, question: confirmations.Confirmation, owner: Player) -> Disposition:
    """An answer that asks for something else: it is carried out, for it comes from the same person."""
    number, since = question.data.get("game"), question.data.get("since")
    orders = ctx.orders(number)
    if orders.problem:
        return _not_confirmed(ctx, question, owner)
    return carry_out(ctx, KnownPlayer(owner, number, since, bound=allowed_game(ctx, number)), orders)


def _not_confirmed(ctx: Context, question: confirmations.Confirmation, owner: Player) -> Disposition:
    """An answer without `confirm`: nothing is done, and the question stays open."""
    outcome = _refuse_owner(
        ctx, owner, "There was no order and no `confirm` in your answer, so nothing was done."
    )
    (letter,) = outcome.letters
    return replace(outcome, letters=(replace(letter, reply=ReplyTo("confirm", question.id)),))


def _refuse_owner(ctx: Context, owner: Player, problem: str) -> Disposition:
    found = first_lines(ctx.inbound.words)
    letter = to_player("refused", owner, problems=[problem], read=[], found=found)
    return Disposition("refused", problem, (letter,), owner)


def _confirm_registration(
    ctx: Context, sender: Answering, words: Sequence[Command], comment: str
) -> Disposition:
    """`confirm` takes the name that was asked for, `register <name>` another.

    The answer is proof of the address. Other commands in the mail are carried out for the new player.
    """
    question = sender.confirmation
    name = question.data["name"]
    for command in words:
        name = command.args["name"] if command.verb == "register" else name
    if not any(command.verb in ("confirm", "register") for command in words):
        return _ask_again(ctx, question, "Your answer had neither `confirm` nor `register` in it.")
    if not name:
        return _ask_again(ctx, question, "No name is chosen yet.")
    try:
        challenges.check_can_register(
            name,
            KEYWORDS,
            players.player_by_name(ctx.db, name),
            players.player_by_address(ctx.db, question.address),
        )
        with ctx.db.begin_nested():
            player = players.add_player(ctx.db, name, question.address, ctx.now)
    except Refusal as refusal:
        return _ask_again(ctx, question, str(refusal))
    except Conflict:
        return _ask_again(ctx, question, f"The name {name} was taken a moment ago; please choose another.")
    confirmations.use_confirmation(ctx.db, question, ctx.now)
    letters = [welcome(ctx, player, again=False)]
    rest = tuple(command for command in words if command.verb not in ("confirm", "register"))
    if rest:
        letters += carry_out(
            ctx, KnownPlayer(player), MailCommands((GameBlock(None, rest, comment),))
        ).letters
    return Disposition("done", f"registered {player.name}", tuple(letters), player)


def _ask_again(ctx: Context, question: confirmations.Confirmation, problem: str) -> Disposition:
    letter = Letter(
        "confirm", question.address, None, ReplyTo("confirm", question.id), facts={"problem": problem}
    )
    since = ctx.now - DAY
    if outbox.count_letters(ctx.db, question.address, since) >= ctx.app.config.unproven_per_day:
        return Disposition("refused", problem)
    return Disposition("refused", problem, (letter,))


def _confirm_resignation(
    ctx: Context, question: confirmations.Confirmation, owner: Player, comment: str
) -> Disposition:
    data = question.data
    game = ctx.game(data["game"])
    if game is None:
        return Disposition("refused", "the game is gone", (), owner)
    seat: Seat = 1 if data["seat"] else 0
    if game.seat_of(owner) != seat:
        return _refuse_owner(ctx, owner, f"You do not play in game {game.id} any more, so nothing was done.")
    words = "\n".join(filter(None, (data.get("comment", ""), comment)))
    made: list[Letter] = []
    if game.pending is not None:
        game, made = release_pending(ctx.app, ctx.db, game, ctx.now)
    words = "" if limits.blocked(ctx.db, *game.seats) else words
    since = data.get("since")
    move = data.get("move", "")
    decision = decide.decide_confirmed(game, seat, words, ctx.when, ctx.site, since, move)
    letters = made + commit(ctx, game, seat, decision)
    state = "refused" if decision.refused else "done"
    return Disposition(state, decision.refused, tuple(letters), owner, game.id)


def _confirm_change(
    ctx: Context, question: confirmations.Confirmation, owner: Player, comment: str
) -> Disposition:
    try:
        letters = apply_address_change(ctx, question, owner)
    except Refusal as refusal:
        return _refuse_owner(ctx, owner, str(refusal))
    return Disposition("done", f"address {question.data['change']}", tuple(letters), owner)


def _confirm_new_address(
    ctx: Context, question: confirmations.Confirmation, words: Sequence[Command]
) -> Disposition:
    """The new address answers: with `confirm` it is the player's, without it is asked again."""
    if not any(command.verb == "confirm" for command in words):
        told = outbox.count_letters(ctx.db, question.address, ctx.now - DAY)
        again = (new_address_letter(question.address, question.id),)
        enough = told >= ctx.app.config.unproven_per_day
        return Disposition("refused", "a new address answered without confirm", () if enough else again)
    confirmations.use_confirmation(ctx.db, question, ctx.now)
    player, letters = add_confirmed_address(ctx, question)
    if not letters:
        return Disposition(
            "refused", "a new address that is taken, or was asked for too long ago", (), player
        )
    return Disposition("done", "a new address", tuple(letters), player)


def _confirm_orders(
    ctx: Context, question: confirmations.Confirmation, owner: Player, comment: str
) -> Disposition:
    data = question.data
    orders = ctx.read(data["words"], data["marked"], data["game"])
    if repeat_commands(orders) != data["shown"]:
        return _refuse_owner(
            ctx, owner, "What you were asked about would be read differently now; " + WRITE_AGAIN
        )
    return carry_out(ctx, KnownPlayer(owner, data["game"], data.get("since")), orders)


CONFIRM_ACTIONS: Mapping[str, Callable[[Context, confirmations.Confirmation, Player, str], Disposition]] = {
    "resign": _confirm_resignation,
    "orders": _confirm_orders,
    "address": _confirm_change,
    "forget": lambda ctx, question, owner, comment: Disposition(
        "done", "a player is forgotten", tuple(forget_player(ctx, owner))
    ),
}
"""The action of `confirm` for each purpose. The last argument holds the words beside it."""
