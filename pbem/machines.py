"""Mail that may be a machine's: told apart once it is known who writes, and about which game."""

from __future__ import annotations

from pbem.core.doubts import settled
from pbem.core.inbound import Inbound
from pbem.desk import Confirming, Desk, Leaving, Person, Unproven, Who
from pbem.mail.addressing import Address
from pbem.which_game import game_for


def without_doubt(desk: Desk, who: Who, address: Address) -> Inbound:
    """The mail on the desk as a person's or a machine's."""
    if not desk.inbound.doubts:
        return desk.inbound
    own = address.token is not None and isinstance(who, Person | Confirming | Leaving)
    return settled(desk.inbound, desk.orders(_game(desk, who, address)), own=own)


def _game(desk: Desk, who: Who, address: Address) -> int | None:
    """The game whose moves count as orders of the mail."""
    if address.token is not None and address.token.use == "game":
        return address.token.numbers[0]
    match who:
        case Person():
            return who.game_id if who.game_id is not None else game_for(desk, who)
        case Confirming(confirmation):
            number: int | None = confirmation.data.get("game")
            return number
        case Unproven():
            return who.game_id
        case _:
            return None
