"""The network of a mail's sender, by our Received line (RFC 5321 4.4)."""

import re
from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from ipaddress import ip_address, ip_network

from pbem.mail.inbound.mime import trim_mail

_CLIENT = re.compile(r"\[(?:IPv6:)?([0-9A-Fa-f:.]{2,45})\]", re.IGNORECASE)
_HELO = re.compile(r"helo=\S{0,300}", re.IGNORECASE)
"""The name a client gives itself, which may contain any address."""


def client_network(received: Sequence[str], hops: int = 0) -> str:
    """Return the client's /24 or /48, "" if unknown or not public.

    `received`: the Received lines from top to bottom. Our own servers wrote the first `hops` (at least one);
    the mail came in by the lowest of them.
    """
    own = received[: max(hops, 1)]
    if not own:
        return ""
    found = _CLIENT.findall(_HELO.sub("", own[-1].partition(" by ")[0]))
    try:
        address = ip_address(found[-1]) if found else None
    except ValueError:
        return ""
    if address is None or not address.is_global:
        return ""
    address = getattr(address, "ipv4_mapped", None) or address
    return str(ip_network((address, 24 if address.version == 4 else 48), strict=False))


def add_client_line(raw: bytes, client: str, host: str, now: datetime) -> bytes:
    """Add our Received line, if `client` is a public IP address."""
    try:
        if not ip_address(client).is_global:
            return raw
    except ValueError:
        return raw
    line = f"Received: from client ([{client}]) by {host}; {format_datetime(now)}\n"
    return line.encode("ascii", "replace") + trim_mail(raw)
