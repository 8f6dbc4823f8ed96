"""Adding and dropping addresses. Nothing here reveals if an address belongs to somebody else."""

from collections.abc import Sequence

from pbem.core.errors import Refusal
from pbem.core.players import Player, same_address

MAX_ADDRESSES = 8


def check_can_add_address(player: Player, address: str, host: str) -> None:
    """Refuse an address that cannot take letters; the player's own pass."""
    if address.rpartition("@")[2] == host.lower():
        raise Refusal(f"{address} is an address of this server itself; letters cannot go there.")
    if address == same_address(player.address):
        raise Refusal(f"{address} is where your letters go already.")
    if address not in player.addresses and len(player.addresses) >= MAX_ADDRESSES:
        raise Refusal(f"You have {MAX_ADDRESSES} addresses; drop one before you add another.")


def check_can_drop_address(player: Player, address: str) -> None:
    if address not in player.addresses:
        raise Refusal(f"{address} is none of your addresses, so it cannot be dropped.")
    if len(player.addresses) == 1:
        raise Refusal(f"{address} is your only address; add another before you drop it.")


def address_after_drop(player: Player, newest_first: Sequence[str], dropped: str) -> str:
    """The address for letters after a drop: unchanged, else the newest confirmed."""
    if same_address(player.address) != dropped:
        return player.address
    return next(address for address in newest_first if address != dropped)
