"""The envelope of a mail that was delivered already, as far as its headers tell it.

A mailbox keeps no envelope. What hosts write on delivery comes close: Return-Path (RFC 5321 4.4), and
for whom it came in one of several headers that became usual, never standard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.mail.addressing import BadAddress, same_mailbox
from pbem.mail.headers import value, values
from pbem.mail.parts import headers_of

UNKNOWN_SENDER = "unknown"
"""Stands for an envelope sender that nothing tells; only the null sender has a meaning here."""
DELIVERED_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To", "Cc")
"""The first of these that names one of our addresses says for whom the mail is."""
ADDRESSES_MOST = 64
RECIPIENTS_MOST = 50
"""Of ours; as many as the listeners take in one mail."""


def sender_of(raw: bytes) -> str:
    """The envelope sender: "" for the null sender, UNKNOWN_SENDER where no header tells it."""
    headers = headers_of(raw)
    if headers is None or "Return-Path" not in headers:
        return UNKNOWN_SENDER
    return value(headers, "Return-Path").strip().strip("<>").strip()


def recipients_of(raw: bytes, known: Callable[[str], None]) -> list[str]:
    """Our addresses that the mail is for; `known` raises BadAddress for one that is not ours."""
    headers = headers_of(raw)
    if headers is None:
        return []
    for name in DELIVERED_TO:
        listed = (address for line in values(headers, name) for address in _addresses(line))
        ours: dict[str, str] = {}
        for address in listed:
            if (
                len(ours) < RECIPIENTS_MOST
                and same_mailbox(address) not in ours
                and _is_known(address, known)
            ):
                ours[same_mailbox(address)] = address
        if ours:
            return list(ours.values())
    return []


def _is_known(address: str, known: Callable[[str], None]) -> bool:
    try:
        known(address)
    except BadAddress:
        return False
    return True


def _addresses(line: str) -> Iterator[str]:
    """Whatever stands between commas or in angle brackets and has an @; `known` is the judge of it."""
    for piece in line.replace(">", ",").replace("<", ",").split(",")[: ADDRESSES_MOST * 2]:
        if "@" in piece:
            yield piece.strip(" \t\"'")
