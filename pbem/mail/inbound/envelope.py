"""The lines that mail hosts write above a mail: the envelope and Received (RFC 5321 4.4)."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from email.message import Message
from email.utils import format_datetime
from ipaddress import ip_address, ip_network

from pbem.mail.addresses import BadAddress
from pbem.mail.inbound.headers import date_of, header_value, header_values
from pbem.mail.inbound.mime import headers_of, split_head, trim_mail

UNKNOWN_SENDER = "unknown"
"""An envelope sender that no header shows; only the null sender has a meaning here."""
DELIVERED_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")
"""Headers in order: the first with one of our addresses names the recipients."""
MAX_ADDRESSES = 64
MAX_RECIPIENTS = 50  # as many as the listeners accept


def envelope_sender(raw: bytes) -> str:
    """Return the envelope sender. "" is null, UNKNOWN_SENDER means that no header shows it."""
    headers = headers_of(raw)
    if headers is None or "Return-Path" not in headers:
        return UNKNOWN_SENDER
    return header_value(headers, "Return-Path").strip("<> ")


def envelope_recipients(raw: bytes, known: Callable[[str], object]) -> list[str]:
    """Return our addresses that a mail is for. `known` raises BadAddress for others."""
    headers = headers_of(raw)
    if headers is None:
        return []
    for name in DELIVERED_TO:
        ours: dict[str, str] = {}
        for address in addresses_in(headers, name):
            if len(ours) < MAX_RECIPIENTS and address.lower() not in ours:
                with suppress(BadAddress):
                    known(address)
                    ours[address.lower()] = address
        if ours:
            return list(ours.values())
    return []


def addresses_in(headers: Message, name: str) -> Iterator[str]:
    """Yield all pieces with an @ between commas or angle brackets, unchecked."""
    for line in header_values(headers, name):
        for piece in line.replace(">", ",").replace("<", ",").split(",")[: MAX_ADDRESSES * 2]:
            if "@" in piece:
                yield piece.strip(" \t\"'")


MAX_TRANSIT = timedelta(days=5)
"""Longest time in transit: servers give up after this (RFC 5321 4.5.4.1)."""
MAX_LINE = 2000
_TOPMOST = re.compile(rb"^received:(.*(?:\r?\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_BY = re.compile(r"(?:^|\s)by\s+([^\s;()]+)", re.IGNORECASE)
_CLIENT = re.compile(r"\[(?:IPv6:)?([0-9A-Fa-f:.]{2,45})\]", re.IGNORECASE)
_HELO = re.compile(r"helo=\S{0,300}", re.IGNORECASE)
"""The name a client gives itself, which may contain any address."""


def acceptance_time(
    raw: bytes, now: datetime, *, trusted: str | None, kept: datetime | None = None
) -> datetime:
    """Return when the host `trusted` took a mail, else the mailbox's time `kept`, else `now`."""
    told = received_line_time(raw, trusted) if trusted else None
    return min(now, max(told or kept or now, now - MAX_TRANSIT))


def received_line_time(raw: bytes, trusted: str) -> datetime | None:
    """Return the topmost Received line's time in UTC, None unless `trusted` wrote the line."""
    topmost = _TOPMOST.search(split_head(trim_mail(raw))[0])
    if topmost is None:
        return None
    line, _, date = topmost[1][:MAX_LINE].decode("ascii", "replace").rpartition(";")
    by = _BY.search(line)
    ours = by is not None and by[1].rstrip(".").lower() == trusted.lower()
    return date_of(date.strip()) if ours else None


def client_network(received: Sequence[str], hops: int = 0) -> str:
    """Return the client's /24 or /48, or "" if not public.

    `received` is from top to bottom; our own servers wrote the first `hops` (at least one).
    """
    own = received[: max(hops, 1)]
    found = _CLIENT.findall(_HELO.sub("", own[-1].partition(" by ")[0])) if own else []
    if not found or not is_public_address(found[-1]):
        return ""
    address = ip_address(found[-1])
    address = getattr(address, "ipv4_mapped", None) or address
    return str(ip_network((address, 24 if address.version == 4 else 48), strict=False))


def is_public_address(text: str) -> bool:
    try:
        return ip_address(text).is_global
    except ValueError:
        return False


def add_client_line(raw: bytes, client: str, host: str, now: datetime) -> bytes:
    """Add our Received line, if `client` is a public IP address."""
    if not is_public_address(client):
        return raw
    line = f"Received: from client ([{client}]) by {host}; {format_datetime(now)}\n"
    return line.encode("ascii", "replace") + trim_mail(raw)
