"""The second check for automatic mail, with sender and game known."""

from pbem.actions.context import Answering, Context, KnownPlayer, Sender, Unsubscribing, UnverifiedPlayer
from pbem.actions.which_game import game_meant
from pbem.core.parsing.doubts import settle_doubts
from pbem.core.parsing.inbound import Inbound
from pbem.mail.addresses import Address


def settle_automatic(ctx: Context, sender: Sender, address: Address) -> Inbound:
    if not ctx.inbound.doubts:
        return ctx.inbound
    own = address.token is not None and isinstance(sender, KnownPlayer | Answering | Unsubscribing)
    return settle_doubts(ctx.inbound, ctx.orders(_game(ctx, sender, address)), own=own)


def _game(ctx: Context, sender: Sender, address: Address) -> int | None:
    if address.token is not None and address.token.use == "game":
        return address.token.numbers[0]
    match sender:
        case KnownPlayer():
            return sender.game_id if sender.game_id is not None else game_meant(ctx, sender)
        case Answering(confirmation):
            number: int | None = confirmation.data.get("game")
            return number
        case UnverifiedPlayer():
            return sender.game_id
        case _:
            return None
