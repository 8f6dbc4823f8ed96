"""Explains a mail for `pbem try`, without database, settings or stored data.

A file does not hold the envelope, so it comes from Return-Path and the headers that hosts add on delivery. A
mail to any host is read, and a letter of any game server is a loop.
"""

from typing import Any

from pbem.core.parsing.doubts import settle_doubts
from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.core.parsing.line import MoveReader
from pbem.core.parsing.mail_orders import NO_WORDS, ONLY_WORDS, MailCommands, read_orders
from pbem.mail.doctor.explain_steps import Step, explain_steps, hide_token
from pbem.mail.inbound.envelope import UNKNOWN_SENDER
from pbem.mail.inbound.headers import header_value
from pbem.mail.inbound.mime import headers_of
from pbem.mail.inbound.parse import parse_mail
from rules import RULES, find

DELIVERED_TO = ("X-Original-To", "Delivered-To", "Envelope-To", "To")


def explain(raw: bytes, game: str | None = None) -> dict[str, Any]:
    """Return a mail's `kind`, `reason`, `orders`, `comment` and `text` as JSON data.

    `game` names the rules whose notation counts as a move, on the default board; without it no moves are
    recognised. `orders` has the player's commands. `comment` is the text behind `say` or after the commands,
    `text` the player's own words. Raises LookupError for an unknown game.
    """
    return mail_as_json(*read_mail(raw, game))


def read_mail(
    raw: bytes, game: str | None = None, reader: MoveReader | None = None
) -> tuple[Inbound, MailCommands]:
    """Parse the mail and its commands (none in automatic mail)."""
    reader = move_reader_of(game) if game else reader
    envelope = envelope_of(raw)
    opened = parse_mail(raw, envelope)
    orders = read_orders(opened.words, marked=opened.marked, reader=reader)
    inbound = settle_doubts(opened, orders, own=hide_token(envelope.recipient) != envelope.recipient)
    return inbound, orders if inbound.kind == "person" else MailCommands(problem=inbound.reason)


def steps_of(raw: bytes, reader: MoveReader | None = None) -> list[Step]:
    inbound, orders = read_mail(raw, reader=reader)
    return list(explain_steps(raw, *guess_envelope(raw), inbound, orders, reader))


def mail_as_json(inbound: Inbound, orders: MailCommands) -> dict[str, Any]:
    return {
        "kind": inbound.kind,
        "reason": _reason(inbound, orders),
        "orders": orders.texts,
        "comment": orders.comment,
        "text": inbound.words,
    }


def _reason(inbound: Inbound, orders: MailCommands) -> str:
    if inbound.kind != "person":
        return inbound.reason
    if not orders.texts:
        return orders.problem or (ONLY_WORDS if orders.comment else NO_WORDS)
    errors = (command.error for block in orders.blocks for command in block.commands)
    return next((str(error) for error in errors if error), "")


def move_reader_of(game: str) -> MoveReader:
    """Return a game's move reader on its default board; raises LookupError."""
    rules = find(game)
    if rules is None:
        raise LookupError(f"no game is called {game}; there are {', '.join(RULES)}")
    return rules.start().read


def envelope_of(raw: bytes) -> Envelope:
    """Guess the envelope from the headers of a delivered mail."""
    return guess_envelope(raw)[0]


def guess_envelope(raw: bytes) -> tuple[Envelope, tuple[str, str]]:
    """Return the envelope, and the headers that gave its sender and recipient."""
    headers = headers_of(raw)
    if headers is None:
        return Envelope(UNKNOWN_SENDER, ""), ("nothing tells", "nothing tells")
    sender, by = UNKNOWN_SENDER, "no Return-Path tells"
    if "Return-Path" in headers:
        sender, by = header_value(headers, "Return-Path").strip("<> "), "by Return-Path"
    found = ((_first_address(header_value(headers, name)), f"by {name}") for name in DELIVERED_TO)
    recipient, named = next((each for each in found if each[0]), ("", "nothing tells"))
    return Envelope(sender, recipient), (by, named)


def _first_address(text: str) -> str:
    """Return the first address of a header, without its name."""
    first = text.partition(",")[0]
    return (first.rpartition("<")[2] if "<" in first else first).strip('<>" ')
