"""Unverified senders: newcomers, and people who answer a question of ours.

A question to an unconfirmed address has nothing of the writer's in it; the answer from there is the proof.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.actions import addresses, decisions, forget, help
from pbem.actions.context import DAY, Context, Disposition, KnownPlayer, Part, UnknownSender, UnverifiedPlayer
from pbem.actions.which_game import allowed_game
from pbem.core.bounces import STRANGER_PAUSE
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby.challenges import CONFIRM_DAYS, check_can_register
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, repeat_commands
from pbem.core.players import Player, same_address
from pbem.inbox.dispatch import UNSENT, ask_about_orders, carry_out
from pbem.store import bounces, engine, limits, locks, players
from pbem.store.players import Confirmation


def handle_answer(ctx: Context, question: Confirmation) -> Disposition:
    """Handle an answer to a question: it counts once, in time, and with the word asked for."""
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
        return _confirm_registration(ctx, question, words, orders.comment)
    if question.purpose == "newaddress":
        return _confirm_new_address(ctx, question, words)
    if owner is None:
        return Disposition("refused", "nobody is registered there any more")
    if not _has_verb(words, "confirm"):
        return _carry_out_other(ctx, question, owner)
    players.use_confirmation(ctx.db, question, ctx.now)
    comment = "" if ctx.inbound.is_silent else orders.comment
    outcome = CONFIRM_ACTIONS[question.purpose](ctx, question, owner, comment)
    if comment != orders.comment:
        outcome = replace(outcome, letters=(*outcome.letters, *_refuse_owner(ctx, owner, UNSENT).letters))
    return _carry_out_rest(ctx, question, orders, outcome, owner)


def _has_verb(commands: Sequence[Command], *verbs: str) -> bool:
    return any(command.verb in verbs for command in commands)


def _confirmed_commands(orders: MailCommands) -> list[Command]:
    """The commands of an answer. `confirm` counts only at the top: below it may be a broken quoted line."""
    commands = [command for block in orders.blocks for command in block.commands]
    first = orders.blocks[0] if orders.blocks else None
    if first is not None and _has_verb(first.commands[:1], "confirm") and not first.above:
        return commands
    return [command for command in commands if command.verb != "confirm"]


def _carry_out_rest(
    ctx: Context, question: Confirmation, orders: MailCommands, outcome: Disposition, owner: Player
) -> Disposition:
    """Carry out other commands in an answer. The question's own word again changes nothing."""
    done = {"confirm", "resign"} if question.purpose == "resign" else {"confirm"}
    rest = (
        GameBlock(block.game, tuple(command for command in block.commands if command.verb not in done))
        for block in orders.blocks
    )
    blocks = tuple(block for block in rest if block.commands)
    now = players.player_by_id(ctx.db, owner.id) or owner
    if not blocks or now.gone:
        return outcome
    sender = KnownPlayer(now, outcome.game_id, bound=allowed_game(ctx, outcome.game_id))
    more = carry_out(ctx, sender, MailCommands(blocks))
    return replace(outcome, letters=(*outcome.letters, *more.letters))


def _already_confirmed(ctx: Context, question: Confirmation, owner: Player | None) -> Disposition:
    if owner is None:
        return Disposition("done", "confirmed before")
    if question.purpose == "register":
        return Disposition("done", "confirmed before", (help.welcome(ctx, owner, again=True),), owner)
    return _refuse_owner(ctx, owner, "This was confirmed before; nothing was done a second time.")


def _answer_late(ctx: Context, question: Confirmation, owner: Player | None) -> Disposition:
    if owner is not None:
        problem = (
            f"This question is not open any more: it was good for {CONFIRM_DAYS} days, or until all your "
            "reply addresses were renewed. Nothing was done."
        )
        return _refuse_owner(ctx, owner, problem)
    if question.purpose != "register":
        return Disposition("refused", "the question had expired")
    again = ctx.ask("register", question.address, question.data)
    return _ask_again(ctx, replace(question, id=again.id), "The letter you answered was too old.")


def _carry_out_other(ctx: Context, question: Confirmation, owner: Player) -> Disposition:
    """Carry out other commands in an answer: they come from the same person. The question stays open."""
    number, since = question.data.get("game"), question.data.get("since")
    orders = ctx.orders(number)
    if not orders.problem:
        return carry_out(ctx, KnownPlayer(owner, number, since, bound=allowed_game(ctx, number)), orders)
    problem = "There was no order and no `confirm` in your answer, so nothing was done."
    outcome = _refuse_owner(ctx, owner, problem)
    reply = ReplyTo("confirm", question.id)
    return replace(outcome, letters=tuple(replace(letter, reply=reply) for letter in outcome.letters))


def _refuse_owner(ctx: Context, owner: Player, problem: str) -> Disposition:
    return Part(ctx, KnownPlayer(owner), GameBlock(None)).refuse([problem])


def _confirm_registration(
    ctx: Context, question: Confirmation, words: Sequence[Command], comment: str
) -> Disposition:
    """Register the sender: `confirm` takes the name that was asked for, `register <name>` another."""
    names = [command.args["name"] for command in words if command.verb == "register"]
    name = [question.data["name"], *names][-1]
    if not _has_verb(words, "confirm", "register"):
        return _ask_again(ctx, question, "Your answer had neither `confirm` nor `register` in it.")
    if not name:
        return _ask_again(ctx, question, "No name is chosen yet.")
    try:
        owner = players.player_by_address(ctx.db, question.address)
        check_can_register(name, KEYWORDS, players.player_by_name(ctx.db, name), owner)
        with ctx.db.begin_nested():
            player = players.add_player(ctx.db, name, question.address, ctx.now)
    except Refusal as refusal:
        return _ask_again(ctx, question, str(refusal))
    except engine.Conflict:
        return _ask_again(ctx, question, f"The name {name} was taken a moment ago; please choose another.")
    players.use_confirmation(ctx.db, question, ctx.now)
    letters = [help.welcome(ctx, player, again=False)]
    rest = tuple(command for command in words if command.verb not in ("confirm", "register"))
    if rest:
        orders = MailCommands((GameBlock(None, rest, comment),))
        letters += carry_out(ctx, KnownPlayer(player), orders).letters
    return Disposition("done", f"registered {player.name}", tuple(letters), player)


def _ask_again(ctx: Context, question: Confirmation, problem: str, kind: str = "confirm") -> Disposition:
    """Ask at an address without a player once more, within the daily limit."""
    reply = ReplyTo("confirm", question.id)
    letter = Letter(kind, question.address, None, reply, facts={"problem": problem})
    enough = ctx.count_letters(question.address) >= ctx.app.config.unproven_per_day
    return Disposition("refused", problem, () if enough else (letter,))


def _confirm_resignation(ctx: Context, question: Confirmation, owner: Player, comment: str) -> Disposition:
    data = question.data
    game = ctx.game(data["game"])
    if game is None:
        return Disposition("refused", "the game is gone", (), owner)
    seat = game.seat_of(owner)
    if seat is None or seat != data["seat"]:
        return _refuse_owner(ctx, owner, f"You do not play in game {game.id} any more, so nothing was done.")
    blocked = limits.blocked(ctx.db, *game.seats)
    words = "" if blocked else "\n".join(filter(None, (data.get("comment", ""), comment)))
    refused, letters = decisions.resign(ctx, game, seat, words, data.get("since"), data.get("move", ""))
    return Disposition("refused" if refused else "done", refused, tuple(letters), owner, game.id)


def _confirm_change(ctx: Context, question: Confirmation, owner: Player, comment: str) -> Disposition:
    try:
        letters = addresses.apply_address_change(ctx, question, owner)
    except Refusal as refusal:
        return _refuse_owner(ctx, owner, str(refusal))
    return Disposition("done", f"address {question.data['change']}", tuple(letters), owner)


def _confirm_new_address(ctx: Context, question: Confirmation, words: Sequence[Command]) -> Disposition:
    """Add the new address that answers with `confirm`; without that word, ask it again."""
    if not _has_verb(words, "confirm"):
        return _ask_again(ctx, question, "a new address answered without confirm", "newaddress")
    players.use_confirmation(ctx.db, question, ctx.now)
    player, letters = addresses.add_confirmed_address(ctx, question)
    if letters:
        return Disposition("done", "a new address", tuple(letters), player)
    return Disposition("refused", "a new address that is taken, or was asked for too long ago", (), player)


def _confirm_orders(ctx: Context, question: Confirmation, owner: Player, comment: str) -> Disposition:
    data = question.data
    orders = ctx.read(data["words"], data["marked"], data["game"])
    if repeat_commands(orders) != data["shown"]:
        problem = (
            "What you were asked about would be read differently now; nothing was done. Please write it "
            "again, in answer to this letter."
        )
        return _refuse_owner(ctx, owner, problem)
    return carry_out(ctx, KnownPlayer(owner, data["game"], data.get("since")), orders)


def _confirm_forgetting(ctx: Context, question: Confirmation, owner: Player, comment: str) -> Disposition:
    return Disposition("done", "a player is forgotten", tuple(forget.forget_player(ctx, owner)))


CONFIRM_ACTIONS: Mapping[str, Callable[[Context, Confirmation, Player, str], Disposition]] = {
    "resign": _confirm_resignation,
    "orders": _confirm_orders,
    "address": _confirm_change,
    "forget": _confirm_forgetting,
}
"""The action of `confirm` for each purpose. The last argument holds the words beside it."""


def ask_for_proof(ctx: Context, who: UnverifiedPlayer) -> Disposition:
    """Ask the owner of a registered address, once a day, showing every command and word that waits for it."""
    player, inbound, address = who.player, ctx.inbound, who.player.address
    locks.advisory_lock(ctx.db, address)
    since = ctx.now - DAY
    told = ctx.count_letters(address, "proof")
    told -= players.count_confirmations(ctx.db, "orders", since, address, answered=True)
    if told > 0 or inbound.kind == "refused":
        return Disposition("stranger", "no reply address, and asked for proof already", (), player)
    orders = ctx.orders(who.game_id)
    words = repeat_commands(orders)
    reply = None
    if not orders.problem:
        reply = ask_about_orders(ctx, player, inbound.words, who.game_id, who.since, words)
    if reply is None:
        letter = to_player("proof", player, words=[])
        return Disposition("stranger", "no reply address, and no orders to ask about", (letter,), player)
    letter = Letter("proof", address, player, reply, facts={"words": words})
    return Disposition("stranger", "no reply address: asked for proof", (letter,), player)


def handle_stranger(ctx: Context, sender: UnknownSender) -> Disposition:
    """Answer `register` with nothing of the writer's in it, and others with a proven address once a day."""
    address = same_address(sender.address)
    commands = (command for block in ctx.words_alone().blocks for command in block.commands)
    wish = next((command for command in commands if command.verb == "register"), None)
    if ctx.inbound.kind == "refused" or (wish is None and not sender.proven):
        return Disposition("stranger", "not registered, and no wish to be")
    locks.advisory_lock(ctx.db, "register" if wish else address)
    if wish is None and ctx.count_letters(address, "newcomer", "confirm"):
        return Disposition("stranger", "not registered, and told how to within a day")
    if wish and players.count_confirmations(ctx.db, "register", ctx.now - DAY, address):
        return Disposition("stranger", "asked to confirm within a day already")
    if wish and bounces.bounce_points(ctx.db, address, ctx.now - STRANGER_PAUSE):
        return Disposition("stranger", "a letter to this address came back within a day")
    if not addresses.count_stranger(ctx, address, proven=sender.proven):
        detail = "more strangers from there, or from everywhere, than are written to in an hour"
        return Disposition("stranger", detail)
    if wish is None:
        return Disposition("stranger", "not registered: told how to", (Letter("newcomer", address, None),))
    name, problem = wish.args["name"], ""
    try:
        check_can_register(name, KEYWORDS, players.player_by_name(ctx.db, name), None)
    except Refusal:
        name, problem = "", "The name that was asked for is missing, is taken, or cannot be a name here."
    question = ctx.ask("register", address, {"name": name})
    letter = Letter("confirm", address, None, question, facts={"problem": problem})
    return Disposition("done", "asked to confirm the registration", (letter,))
