"""Who is connected, by network; and who has to go where there is no room for one more.

Values only: addresses are text, moments are numbers that grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeVar

Key = TypeVar("Key")


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """An address however it is dressed; mapped: what a listener on [::] says of one of IPv4."""
    bare = text[1:].partition("]")[0] if text.startswith("[") else text.partition("%")[0]
    bare = bare.partition(":")[0] if bare.count(":") == 1 else bare  # a proxy may tell the port too
    try:
        address = ip_address(bare)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_of(text: str) -> str:
    """An address of IPv4, or the first half of one of IPv6."""
    address = address_of(text)
    return address.exploded[:19] if isinstance(address, IPv6Address) else str(address or text)


def one_to_leave(here: Mapping[Key, tuple[str, float]]) -> Key:
    """Of the network with the most connections whoever has been here longest: (network, since when) by key.

    So nobody can fill the room but for themselves, and who comes and goes quickly is never the oldest.
    """
    crowds = Counter(network for network, _since in here.values())
    return min(here, key=lambda key: (-crowds[here[key][0]], here[key][1]))
