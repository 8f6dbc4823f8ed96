"""A bounce read: RFC 3464's report where there is one, else what flufl.bounce knows of older forms.

Nothing here raises, whatever the bytes; what cannot be read is no report. The limits of opening hold:
flufl.bounce gets a mail only after it was found to be of a size and depth that is soon read.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from flufl.bounce import all_failures

from pbem.core.returns import Report
from pbem.mail.headers import value
from pbem.mail.parts import Part, TooMuch, check_headers, halves, leaves, parse_headers, trimmed

READ_MOST = 64 * 1024
"""Bytes: a report stands before the letter that it returns."""
RECIPIENTS_MOST = 20
BOUNDARIES_MOST = 200
REPORTS = ("message/delivery-status", "message/global-delivery-status")  # RFC 3464; RFC 6533

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it tells of every rule it tries


def read_bounce(raw: bytes) -> list[Report]:
    """What a bounce says of each recipient; empty where it says nothing that can be read."""
    data = trimmed(raw)[:READ_MOST]
    head, body = halves(data)
    try:
        check_headers(head)
        parts = list(leaves(parse_headers(head), body))
    except TooMuch:
        return []
    found = [report for part in parts if part.type in REPORTS for report in _reported(part)]
    return found or _by_form(data)


def _reported(part: Part) -> Iterator[Report]:
    """The blocks of a delivery report: one about the mail, then one a recipient (RFC 3464 2.1)."""
    blocks = part.decoded().replace(b"\r\n", b"\n").strip(b"\n").split(b"\n\n")
    for block in blocks[: RECIPIENTS_MOST + 1]:
        fields = parse_headers(block.lstrip(b"\n"))
        addresses = frozenset(filter(None, (_address(fields, name) for name in _RECIPIENTS)))
        if addresses:
            action = value(fields, "Action").strip().lower()[:40]
            yield Report(
                addresses, action, value(fields, "Status")[:80], value(fields, "Diagnostic-Code")[:200]
            )


_RECIPIENTS = ("Final-Recipient", "Original-Recipient", "X-Actual-Recipient")


def _address(fields: Message, name: str) -> str:
    """`rfc822; bill@example.org` without its type, and without the brackets that some hosts put on."""
    text = value(fields, name)
    return text.rpartition(";")[2].strip().strip("<>").strip()[:320]


def _by_form(data: bytes) -> list[Report]:
    """What flufl.bounce makes of a bounce without a report; it raises on some, as on a mail without From.

    What it calls temporary are warnings that a letter is late, so no failure.
    """
    if data.count(b"\n--") > BOUNDARIES_MOST:
        return []
    try:
        late, failed = all_failures(message_from_bytes(data, policy=compat32))
    except Exception:
        return []
    told = [(address, "failed") for address in failed] + [(address, "delayed") for address in late]
    return [
        Report(frozenset({address.decode("utf-8", "replace")}), action, "")
        for address, action in sorted(told)[:RECIPIENTS_MOST]
    ]
