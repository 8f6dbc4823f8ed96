"""The second check for automatic mail, with sender and game known."""

from __future__ import annotations

from pbem.actions.context import Confirming, Context, Leaving, Person, Unproven, Who
from pbem.actions.which_game import game_for
from pbem.core.parsing.doubts import settled
from pbem.core.parsing.inbound import Inbound
from pbem.mail.addresses import Address


def without_doubt(ctx: Context, who: Who, address: Address) -> Inbound:
    """The mail of this context as a person's or a machine's."""
    if not ctx.inbound.doubts:
        return ctx.inbound
    own = address.token is not None and isinstance(who, Person | Confirming | Leaving)
    return settled(ctx.inbound, ctx.orders(_game(ctx, who, address)), own=own)


def _game(ctx: Context, who: Who, address: Address) -> int | None:
    """The game whose moves count as commands of the mail."""
    if address.token is not None and address.token.use == "game":
        return address.token.numbers[0]
    match who:
        case Person():
            return who.game_id if who.game_id is not None else game_for(ctx, who)
        case Confirming(confirmation):
            number: int | None = confirmation.data.get("game")
            return number
        case Unproven():
            return who.game_id
        case _:
            return None
