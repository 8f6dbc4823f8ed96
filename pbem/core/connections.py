"""Connections by network, and the choice of one to close. Addresses are text; moments are growing numbers."""

from collections import Counter
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeVar

Key = TypeVar("Key")


def ip_address_of(text: str) -> IPv4Address | IPv6Address | None:
    """The IP address in any spelling. An IPv4 client on a [::] listener appears as a mapped address."""
    bare = text[1:].partition("]")[0] if text.startswith("[") else text.partition("%")[0]
    bare = bare.partition(":")[0] if bare.count(":") == 1 else bare  # a proxy may add the port
    try:
        address = ip_address(bare)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_of(text: str) -> str:
    address = ip_address_of(text)
    return address.exploded[:19] if isinstance(address, IPv6Address) else str(address or text)


def connection_to_close(here: Mapping[Key, tuple[str, float]]) -> Key:
    """The oldest connection of the network with the most. `here` holds (network, since) by key."""
    crowds = Counter(network for network, _since in here.values())
    return min(here, key=lambda key: (-crowds[here[key][0]], here[key][1]))
