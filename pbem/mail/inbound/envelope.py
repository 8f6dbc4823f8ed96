"""The envelope of a delivered mail, read from its headers.

Hosts write Return-Path on delivery (RFC 5321 4.4), and the recipient in one of several usual headers.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from email.message import Message

from pbem.mail.addresses import BadAddress
from pbem.mail.inbound.headers import header_value, header_values
from pbem.mail.inbound.mime import headers_of

UNKNOWN_SENDER = "unknown"
"""An envelope sender that no header shows; only the null sender has a meaning here."""
DELIVERED_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")
"""Headers in order: the first with one of our addresses names the recipients."""
MAX_ADDRESSES = 64
MAX_RECIPIENTS = 50
"""Our own addresses in one mail, as many as the listeners accept."""


def envelope_sender(raw: bytes) -> str:
    """Return the envelope sender: "" for null, UNKNOWN_SENDER where no header shows it."""
    headers = headers_of(raw)
    if headers is None or "Return-Path" not in headers:
        return UNKNOWN_SENDER
    return header_value(headers, "Return-Path").strip("<> ")


def envelope_recipients(raw: bytes, known: Callable[[str], object]) -> list[str]:
    """Return our addresses that a mail is for; `known` raises BadAddress for others."""
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
    """Yield all pieces with an @ between commas or angle brackets; nobody has checked them."""
    for line in header_values(headers, name):
        for piece in line.replace(">", ",").replace("<", ",").split(",")[: MAX_ADDRESSES * 2]:
            if "@" in piece:
                yield piece.strip(" \t\"'")
