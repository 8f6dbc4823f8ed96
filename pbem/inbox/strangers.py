"""Answer senders who are not registered or not proven."""

from datetime import timedelta

from pbem.actions.context import Context, Disposition, UnknownSender, UnverifiedPlayer
from pbem.actions.stranger_limits import count_stranger
from pbem.core.bounces import STRANGER_PAUSE
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby import challenges
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.mail_orders import exceeds_letter, repeat_commands
from pbem.core.players import same_address
from pbem.store import bounces, confirmations, locks, outbox, players

DAY = timedelta(days=1)
TOO_MANY = "more strangers from there, or from everywhere, than are written to in an hour"
WRITE_AGAIN = "nothing was done. Please write it again, in answer to this letter."


def ask_for_proof(ctx: Context, who: UnverifiedPlayer) -> Disposition:
    """Ask the owner of a registered address, once a day or again after a confirmation.

    The letter shows every command and word, since all of them will
    be carried out; if that is too much, it asks for an answer to one of our letters instead.
    """
    player, inbound = who.player, ctx.inbound
    locks.advisory_lock(ctx.db, player.address)
    since = ctx.now - DAY
    told = outbox.count_letters(ctx.db, player.address, since, ("proof",))
    told -= confirmations.count_confirmations(ctx.db, "orders", since, player.address, answered=True)
    if told > 0 or inbound.kind == "refused":
        return Disposition("stranger", "no reply address, and asked for proof already", (), player)
    orders = ctx.orders(who.game_id)
    words = repeat_commands(orders)
    if orders.problem or exceeds_letter(words):
        letter = to_player("proof", player, words=[])
        return Disposition("stranger", "no reply address, and no orders to ask about", (letter,), player)
    data = {
        "words": inbound.words,
        "marked": inbound.marked,
        "game": who.game_id,
        "since": who.since,
        "shown": words,
    }
    question = ctx.ask("orders", player.address, data)
    letter = Letter("proof", player.address, player, ReplyTo("confirm", question), facts={"words": words})
    return Disposition("stranger", "no reply address: asked for proof", (letter,), player)


def handle_stranger(ctx: Context, sender: UnknownSender) -> Disposition:
    """`register` gets one letter with nothing of the writer's in it; anything else one where the address
    is proven, once a day."""
    address = same_address(sender.address)
    orders = ctx.words_alone()
    wish = next(
        (c for block in orders.blocks for c in block.commands if c.verb == "register"),
        None,
    )
    if ctx.inbound.kind == "refused" or (wish is None and not sender.proven):
        return Disposition("stranger", "not registered, and no wish to be")
    if wish is None:
        return _explain_registration(ctx, address)
    locks.advisory_lock(ctx.db, "register")
    since = ctx.now - DAY
    if confirmations.count_confirmations(ctx.db, "register", since, address):
        return Disposition("stranger", "asked to confirm within a day already")
    if bounces.has_bounced_since(ctx.db, address, ctx.now - STRANGER_PAUSE):
        return Disposition("stranger", "a letter to this address came back within a day")
    if not count_stranger(ctx, address, proven=sender.proven):
        return Disposition("stranger", TOO_MANY)
    name, problem = wish.args["name"], ""
    try:
        challenges.check_can_register(name, KEYWORDS, players.player_by_name(ctx.db, name), None)
    except Refusal:
        name, problem = "", "The name that was asked for is missing, is taken, or cannot be a name here."
    question = ctx.ask("register", address, {"name": name})
    letter = Letter("confirm", address, None, ReplyTo("confirm", question), facts={"problem": problem})
    return Disposition("done", "asked to confirm the registration", (letter,))


def _explain_registration(ctx: Context, address: str) -> Disposition:
    """Explain how to register to a proven sender, once a day."""
    locks.advisory_lock(ctx.db, address)
    if outbox.count_letters(ctx.db, address, ctx.now - DAY, ("newcomer", "confirm")):
        return Disposition("stranger", "not registered, and told how to within a day")
    if not count_stranger(ctx, address, proven=True):
        return Disposition("stranger", TOO_MANY)
    return Disposition("stranger", "not registered: told how to", (Letter("newcomer", address, None),))
