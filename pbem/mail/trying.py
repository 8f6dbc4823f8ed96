"""What this server would make of a mail: for `pbem try`. No database, no settings, nothing stored.

The envelope, which a file does not hold, is taken from Return-Path and the headers that hosts add on
delivery; a mail to any host is read, and a letter of any game server is a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.message import Message
from typing import Any

from pbem.core.inbound import Envelope, Inbound
from pbem.core.orders import NOTHING, ONLY_WORDS, Orders, Reader, read_orders
from pbem.mail.headers import value
from pbem.mail.opening import open_mail
from pbem.mail.parts import TooMuch, check_headers, halves, parse_headers, trimmed
from rules import RULES, find

UNKNOWN_SENDER = "unknown"
"""Stands for an envelope sender that a file does not tell; only the null sender has a meaning here."""
DELIVERED_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "To")


def explain(raw: bytes, game: str | None = None) -> dict[str, Any]:
    """`kind`, `reason`, `orders`, `comment` and `text` of a mail, as plain JSON data.

    `game` names whose notation counts as a move, on its default board; without it no moves are
    recognised. `orders` holds the player's texts; what stands behind `say` or after the orders is
    `comment`, `text` the player's own words. Raises LookupError for a game that is not there.
    """
    return told(*tried(raw, game))


def tried(raw: bytes, game: str | None = None) -> tuple[Inbound, Orders]:
    """The mail, opened, and its orders (none where no person wrote it)."""
    reader = reader_of(game) if game else None
    inbound = open_mail(raw, envelope_of(raw))
    if inbound.kind != "person":
        return inbound, Orders(problem=inbound.reason)
    return inbound, read_orders(inbound.words, marked=inbound.marked, reader=reader)


def told(inbound: Inbound, orders: Orders) -> dict[str, Any]:
    """The JSON data for what `tried` gives."""
    return {
        "kind": inbound.kind,
        "reason": _reason(inbound, orders),
        "orders": orders.texts,
        "comment": orders.comment,
        "text": inbound.words,
    }


def _reason(inbound: Inbound, orders: Orders) -> str:
    if inbound.kind != "person":
        return inbound.reason
    if not orders.texts:
        return orders.problem or (ONLY_WORDS if orders.comment else NOTHING)
    errors = (command.error for block in orders.blocks for command in block.commands)
    return next((str(error) for error in errors if error), "")


def lines(inbound: Inbound, orders: Orders) -> list[str]:
    """The same for people: what each step made of the mail, a line each."""
    found = told(inbound, orders)
    steps = [
        f"open       from {inbound.sender or '(no safe sender)'}, subject {inbound.subject or '(none)'}",
        f"kind       {inbound.kind}" + (f": {found['reason']}" if found["reason"] else ""),
    ]
    if inbound.kind != "person":
        return steps
    steps.append(f"marker     {'found' if inbound.marked else 'not found'}")
    steps += _listed("words", found["text"].split("\n"))
    steps += _listed("orders", found["orders"])
    return steps + _listed("comment", found["comment"].split("\n"))


def _listed(label: str, texts: Sequence[str]) -> list[str]:
    shown = [text for text in texts if text.strip()] or ["(none)"]
    return [f"{label if number == 0 else '':10} {text}" for number, text in enumerate(shown)]


def reader_of(game: str) -> Reader:
    """How the game called `game` reads moves, on its default board; raises LookupError."""
    rules = find(game)
    if rules is None:
        raise LookupError(f"no game is called {game}; there are {', '.join(RULES)}")
    return rules.start().read


def envelope_of(raw: bytes) -> Envelope:
    """The envelope as far as the headers of a delivered mail tell it."""
    headers = _headers(raw)
    if headers is None:
        return Envelope(UNKNOWN_SENDER, "")
    sender = value(headers, "Return-Path").strip("<> ") if "Return-Path" in headers else UNKNOWN_SENDER
    addresses = (_bare(value(headers, name)) for name in DELIVERED_TO)
    return Envelope(sender, next(filter(None, addresses), ""))


def _headers(raw: bytes) -> Message | None:
    head, _body = halves(trimmed(raw))
    try:
        check_headers(head)
    except TooMuch:
        return None
    return parse_headers(head)


def _bare(text: str) -> str:
    """The first address of a header, without its name."""
    first = text.partition(",")[0]
    return (first.rpartition("<")[2] if "<" in first else first).strip('<>" ')


__all__ = ["explain", "lines", "reader_of", "told", "tried"]
