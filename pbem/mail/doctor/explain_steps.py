"""Explains the ten steps of one mail, for `pbem try`.

Decides nothing: it asks the functions that handle mail. Steps that need the app context (the owner of an
address, the answer) are explained in `pbem.cli.try_mail`.
"""

from collections.abc import Iterator, Sequence
from email.message import Message
from itertools import groupby
from typing import NamedTuple

from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.core.parsing.line import Command, MoveReader, ParsedLine
from pbem.core.parsing.mail_orders import MailCommands, parsed_lines
from pbem.core.parsing.reply_text import OWN, classify_lines
from pbem.core.redact import without_secrets
from pbem.mail.inbound.body import TEXT_READERS, UnreadableMail, is_attachment, readable_parts
from pbem.mail.inbound.charsets import decode_with_codec
from pbem.mail.inbound.headers import header_value
from pbem.mail.inbound.mime import (
    MAX_HEADER_BLOCK,
    MAX_HEADERS,
    MAX_PARSED,
    LimitExceeded,
    Part,
    check_headers,
    limit_parsed,
    parse_headers,
    split_head,
    trim_mail,
)
from pbem.mail.inbound.parse import dedupe_key

UNKNOWN_WITHOUT_APP = "unknown without the server (--here)"
LINES_SHOWN = 12


class Step(NamedTuple):
    """One of the ten: its number, its name, and its lines as (label, text)."""

    number: int
    name: str
    told: Sequence[tuple[str, str]]


UNDONE_STEPS = (
    Step(9, "commit", [("kept", "nothing: `try` does nothing")]),
    Step(10, "send", [("sent", "nothing")]),
)


def explain_steps(
    raw: bytes,
    envelope: Envelope,
    guessed: tuple[str, str],
    inbound: Inbound,
    orders: MailCommands,
    reader: MoveReader | None,
) -> Iterator[Step]:
    """Yield all ten steps, as far as the mail alone shows them.

    `guessed`: the sources of the envelope's sender and recipient.
    """
    yield Step(1, "receive", list(_receive_lines(raw, envelope, guessed)))
    yield Step(2, "keep", [("one mail by", _dedupe_text(raw, envelope, inbound))])
    yield Step(3, "open", list(_parse_lines(raw, inbound)))
    yield Step(
        4,
        "recognise",
        [("sent to", hide_token(envelope.recipient)), ("which is", _kind_of(envelope.recipient))],
    )
    yield Step(
        5,
        "load",
        [("game", "known" if reader else "none named (--game): no moves are known")],
    )
    if inbound.kind == "person":
        yield Step(6, "read", list(_read_lines(inbound, orders, reader)))
    machine = inbound.kind not in ("person", "refused")
    yield Step(
        7, "decide", [("answer", f"none: filed as {inbound.kind}" if machine else UNKNOWN_WITHOUT_APP)]
    )
    yield Step(8, "write", [("letters", "none" if machine else UNKNOWN_WITHOUT_APP)])
    yield from UNDONE_STEPS


def _receive_lines(raw: bytes, envelope: Envelope, guessed: tuple[str, str]) -> Iterator[tuple[str, str]]:
    yield "size", f"{len(raw):,} bytes"
    yield "from", f"{hide_token(envelope.sender) or '<> (a bounce)'}  ({guessed[0]})"
    yield "for", f"{hide_token(envelope.recipient) or '(nobody)'}  ({guessed[1]})"


def _dedupe_text(raw: bytes, envelope: Envelope, inbound: Inbound) -> str:
    key = dedupe_key(raw, envelope.recipient)[:12]
    by = (
        f"recipient, {inbound.message_id} and body"
        if inbound.message_id
        else "recipient and all but trace headers"
    )
    return f"{by} ({key}…)"


def hide_token(address: str) -> str:
    local, at, host = address.partition("@")
    mailbox, sign, secret = next(
        (parts for sign in "+-.=" if len((parts := local.partition(sign))[2]) >= 16), (local, "", "")
    )
    return f"{mailbox}{sign}{secret[:4]}…{at}{host}" if secret else address


def _kind_of(address: str) -> str:
    local = address.partition("@")[0].lower()
    if hide_token(address) == address:
        return "the address without a token" if local == "play" else "no address that letters of ours have"
    whose = (
        "the address of a letter of ours for its bounces" if local.startswith("bounce") else "a reply address"
    )
    return f"{whose}; of what, only the key of the server tells (--here)"


def _parse_lines(raw: bytes, inbound: Inbound) -> Iterator[tuple[str, str]]:
    whole = trim_mail(raw)
    head, body = split_head(limit_parsed(whole))
    yield "limits", f"{min(len(whole), MAX_PARSED):,} of {len(whole):,} bytes read; {_header_limits(head)}"
    yield (
        "writer",
        f"{inbound.sender_name} <{inbound.sender}>".strip()
        if inbound.sender
        else "no one safe mailbox in From",
    )
    yield "subject", without_secrets(inbound.subject) or "(none)"
    yield "taken for", f"{inbound.kind}{f': {inbound.reason}' if inbound.reason else ''}"
    if inbound.kind in ("person", "refused") and inbound.sender:
        yield from _part_lines(head, body)
    if inbound.kind == "person":
        yield "marker", "found" if inbound.marked else "not found"
        yield from _text_lines(inbound.text)


def _header_limits(head: bytes) -> str:
    try:
        check_headers(head)
    except LimitExceeded as excess:
        return str(excess)
    headers: Message = parse_headers(head)
    return f"headers {len(head):,} of {MAX_HEADER_BLOCK:,} bytes, {len(headers)} of {MAX_HEADERS}"


def _part_lines(head: bytes, body: bytes) -> Iterator[tuple[str, str]]:
    try:
        parts = readable_parts(parse_headers(head), body)
    except (LimitExceeded, UnreadableMail) as problem:
        yield "parts", str(problem)
        return
    chosen = _chosen_part(parts)
    for number, part in enumerate(parts, 1):
        yield (
            f"part {number}",
            f"{part.type}, {len(part.body):,} bytes: {_part_verdict(part, part is chosen)}",
        )


def _chosen_part(parts: Sequence[Part]) -> Part | None:
    """Return the part whose text was read, as `body_text` chooses."""
    for kind, text_in in TEXT_READERS.items():
        for part in parts:
            try:
                if part.type == kind and not is_attachment(part) and text_in(part).strip():
                    return part
            except UnreadableMail:
                return part
    return None


def _part_verdict(part: Part, chosen: bool) -> str:
    if chosen:
        codec, _ = decode_with_codec(part.decode_body(), part.charset)
        encoding = header_value(part.headers, "Content-Transfer-Encoding").strip().lower() or "7bit"
        flowed = ", unfolded" if part.parameter("format").lower() == "flowed" else ""
        return f"read, as {codec} (declared: {part.charset or 'nothing'}), {encoding}{flowed}"
    if is_attachment(part):
        return "an attachment, never opened"
    return "not needed or empty" if part.type in TEXT_READERS else "no kind of text that is read"


def _text_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines in runs of one kind; long runs are cut."""
    sorted_out, _ = classify_lines(text)
    at = 1
    for why, run in groupby(sorted_out, key=lambda line: line[1]):
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


def _read_lines(
    inbound: Inbound, orders: MailCommands, reader: MoveReader | None
) -> Iterator[tuple[str, str]]:
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
    names = [_name(command) for command in line.commands] + ["say"] * (line.said is not None)
    return ", ".join(names)


def _name(command: Command) -> str:
    return "wrong move" if command.error is not None else command.verb
