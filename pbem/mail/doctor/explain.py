"""Explains a mail's kind and orders for `pbem try`, without effects and without an app context."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pbem.core.parsing.inbound import Envelope, Mail, settle_doubts
from pbem.core.parsing.line import MoveReader, ParsedLine
from pbem.core.parsing.mail_orders import NO_WORDS, ONLY_WORDS, MailCommands, parsed_lines, read_orders
from pbem.core.parsing.reply_text import OWN, classify_lines
from pbem.core.redact import without_secrets
from pbem.mail.inbound import mime
from pbem.mail.inbound.body import TEXT_READERS, has_words, readable_parts
from pbem.mail.inbound.charsets import decode_with_codec
from pbem.mail.inbound.envelope import DELIVERED_TO, UNKNOWN_SENDER, addresses_in, envelope_sender
from pbem.mail.inbound.headers import header_value
from pbem.mail.inbound.parse import dedupe_keys, parse_mail

UNKNOWN_WITHOUT_APP = "unknown without the server (--here)"
LINES_SHOWN = 12

Told = tuple[str, str]
"""A line about a step: label and text."""


class ExplainedStep(NamedTuple):
    number: int
    name: str
    told: Sequence[Told]


def read_mail(raw: bytes, reader: MoveReader | None) -> tuple[Mail, MailCommands]:
    """Parse the mail and its commands (none in automatic mail)."""
    envelope, _ = guess_envelope(raw)
    opened = parse_mail(raw, envelope)
    orders = read_orders(opened.words, marked=opened.marked, reader=reader)
    inbound = settle_doubts(opened, orders, own=hide_token(envelope.recipient) != envelope.recipient)
    return inbound, orders if inbound.kind == "person" else MailCommands(problem=inbound.reason)


def mail_as_json(inbound: Mail, orders: MailCommands) -> dict[str, Any]:
    return {
        "kind": inbound.kind,
        "reason": _reason(inbound, orders),
        "orders": orders.texts,
        "comment": orders.comment,
        "text": inbound.words,
    }


def _reason(inbound: Mail, orders: MailCommands) -> str:
    if inbound.kind != "person":
        return inbound.reason
    if not orders.texts:
        return orders.problem or (ONLY_WORDS if orders.comment else NO_WORDS)
    errors = (command.error for command in orders.commands)
    return next((str(error) for error in errors if error), "")


def guess_envelope(raw: bytes) -> tuple[Envelope, tuple[str, str]]:
    """Guess the envelope by the headers that hosts add. Returns it with those headers."""
    headers = mime.headers_of(raw)
    if headers is None:
        return Envelope(UNKNOWN_SENDER, ""), ("nothing tells", "nothing tells")
    by = "by Return-Path" if "Return-Path" in headers else "no Return-Path tells"
    found = ((each, f"by {name}") for name in DELIVERED_TO for each in addresses_in(headers, name))
    recipient, told = next(found, ("", "nothing tells"))
    return Envelope(envelope_sender(raw), recipient), (by, told)


def hide_token(address: str) -> str:
    """Return an address with four characters of its token."""
    local, at, host = address.partition("@")
    for sign in "+-.=":
        mailbox, _, secret = local.partition(sign)
        if len(secret) >= 16:
            return f"{mailbox}{sign}{secret[:4]}…{at}{host}"
    return address


def steps_of(raw: bytes, reader: MoveReader | None = None) -> Iterator[ExplainedStep]:
    """Yield all ten steps, as far as the mail alone shows them."""
    inbound, orders = read_mail(raw, reader)
    envelope, guessed = guess_envelope(raw)
    to = envelope.recipient
    game = "known" if reader else "none named (--game): no moves are known"
    machine = inbound.kind not in ("person", "refused")
    sender = f"{hide_token(envelope.sender) or '<> (a bounce)'}  ({guessed[0]})"
    recipient = f"{hide_token(to) or '(nobody)'}  ({guessed[1]})"
    yield ExplainedStep(1, "receive", [("size", f"{len(raw):,} bytes"), ("from", sender), ("for", recipient)])
    by = f", {inbound.message_id} and body" if inbound.message_id else " and all but trace headers"
    key = dedupe_keys(raw, [to])[0][:12]
    yield ExplainedStep(2, "keep", [("one mail by", f"recipient{by} ({key}…)")])
    yield ExplainedStep(3, "open", list(_parse_lines(raw, inbound)))
    yield ExplainedStep(4, "authenticate", [("sent to", hide_token(to)), ("which is", _kind_of(to))])
    yield ExplainedStep(5, "load", [("game", game)])
    if inbound.kind == "person":
        yield ExplainedStep(6, "read", list(_read_lines(inbound, orders, reader)))
    answer = f"none: filed as {inbound.kind}" if machine else UNKNOWN_WITHOUT_APP
    yield ExplainedStep(7, "decide", [("answer", answer)])
    yield ExplainedStep(8, "write", [("letters", "none" if machine else UNKNOWN_WITHOUT_APP)])
    yield ExplainedStep(9, "commit", [("kept", "nothing: `try` does nothing")])
    yield ExplainedStep(10, "send", [("sent", "nothing")])


def _kind_of(address: str) -> str:
    local = address.partition("@")[0].lower()
    if hide_token(address) == address:
        return "the address without a token" if local == "play" else "no address that letters of ours have"
    bounce = local.startswith("bounce")
    whose = "the address of a letter of ours for its bounces" if bounce else "a reply address"
    return f"{whose}; of what, only the key of the server tells (--here)"


def _parse_lines(raw: bytes, inbound: Mail) -> Iterator[Told]:
    whole = mime.trim_mail(raw)
    parsed = whole[: mime.MAX_PARSED]
    head, body = mime.split_head(parsed)
    writer = f"{inbound.sender_name} <{inbound.sender}>".strip()
    yield "limits", f"{len(parsed):,} of {len(whole):,} bytes read; {_header_limits(head)}"
    yield "writer", writer if inbound.sender else "no one safe mailbox in From"
    yield "subject", without_secrets(inbound.subject) or "(none)"
    yield "taken for", f"{inbound.kind}{f': {inbound.reason}' if inbound.reason else ''}"
    if inbound.kind in ("person", "refused") and inbound.sender:
        yield from _part_lines(head, body)
    if inbound.kind == "person":
        yield "marker", "found" if inbound.marked else "not found"
        yield from _text_lines(inbound.text)


def _header_limits(head: bytes) -> str:
    try:
        mime.check_headers(head)
    except mime.UnreadableMail as excess:
        return str(excess)
    count = len(mime.parse_headers(head))
    return f"headers {len(head):,} of {mime.MAX_HEADER_BLOCK:,} bytes, {count} of {mime.MAX_HEADERS}"


def _part_lines(head: bytes, body: bytes) -> Iterator[Told]:
    try:
        parts = readable_parts(mime.parse_headers(head), body)
    except mime.UnreadableMail as problem:
        yield "parts", str(problem)
        return
    chosen = _chosen_part(parts)
    for number, part in enumerate(parts, 1):
        yield f"part {number}", f"{part.type}, {len(part.body):,} bytes: {_verdict(part, part is chosen)}"


def _chosen_part(parts: Sequence[mime.Part]) -> mime.Part | None:
    """Return the part whose text was read, as `body_text` chooses."""
    for kind, text_in in TEXT_READERS.items():
        for part in parts:
            try:
                if part.type == kind and not part.is_attachment and has_words(text_in(part)):
                    return part
            except mime.UnreadableMail:
                return part
    return None


def _verdict(part: mime.Part, chosen: bool) -> str:
    if chosen:
        charset = part.parameter("charset")
        codec, _ = decode_with_codec(part.decode_body(), charset)
        encoding = header_value(part.headers, "Content-Transfer-Encoding").strip().lower() or "7bit"
        flowed = ", unfolded" if part.parameter("format").lower() == "flowed" else ""
        return f"read, as {codec} (declared: {charset or 'nothing'}), {encoding}{flowed}"
    if part.is_attachment:
        return "an attachment, never opened"
    return "not needed or empty" if part.type in TEXT_READERS else "no kind of text that is read"


def _text_lines(text: str) -> Iterator[Told]:
    """Yield the lines in runs of one kind; long runs are cut."""
    at = 1
    for why, run in groupby(classify_lines(text)[0], key=lambda line: line[1]):
        lines = [line for line, _ in run]
        where = f"lines {at}-{at + len(lines) - 1}" if len(lines) > 1 else f"line {at}"
        at += len(lines)
        filled = [without_secrets(line.strip())[:100] for line in lines if line.strip()]
        if filled:
            yield where, why or "the player's own"
            most = LINES_SHOWN if why == OWN else 2
            yield from (("", f"  | {line}") for line in filled[:most])
            if len(filled) > most:
                yield "", f"  | … and {len(filled) - most} more"


def _read_lines(inbound: Mail, orders: MailCommands, reader: MoveReader | None) -> Iterator[Told]:
    if len(inbound.words.split("\n")) > LINES_SHOWN * 10:
        yield "lines", "too many to show"
    else:
        for text, line in parsed_lines(inbound.words, reader):
            yield _command_names(line), without_secrets(text)[:100]
    for number, text in enumerate(filter(None, orders.comment.split("\n"))):
        yield "" if number else "comment", text[:100]
    if orders.problem:
        yield "so", f"nothing is done: {orders.problem}"
    for block in orders.blocks:
        about = f"game {block.game}" if block.game is not None else "the game of the letter"
        said = " and words" if block.comment else ""
        yield "so", f"for {about}: {len(block.commands)} order{'s'[: len(block.commands) != 1]}{said}"


def _command_names(line: ParsedLine | None) -> str:
    if line is None:
        return "unread"
    names = ["wrong move" if command.error is not None else command.verb for command in line.commands]
    return ", ".join(names + ["say"] * (line.said is not None))
