"""Bounce reports of RFC 3464, and of older forms in small mails."""

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import compat32

from flufl.bounce import all_failures

from pbem.core.bounces import BounceReport
from pbem.mail.inbound.headers import header_value
from pbem.mail.inbound.mime import Part, UnreadableMail, leaf_parts, parse_head, parse_headers, trim_mail

MAX_READ = 64 * 1024
"""Bytes: a report stands before the letter that it returns."""
MAX_RECIPIENTS = 20
MAX_BOUNDARIES = 200
RECIPIENTS = ("Final-Recipient", "Original-Recipient", "X-Actual-Recipient")
REPORTS = ("message/delivery-status", "message/global-delivery-status")  # RFC 3464; RFC 6533

_POLICY_IN_WORDS = re.compile(rb"(?:\b5[0-9]{2}[ -]#?|\(#)(5\.7\.[0-9]{1,3})\b")
"""A server's refusal by policy in the words of an older report, such as `550 5.7.1` or `(#5.7.1)`."""

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs every rule it tries


def read_bounce(raw: bytes) -> list[BounceReport]:
    """Return a bounce's reports, one a recipient, or none if unreadable."""
    data = trim_mail(raw)[:MAX_READ]
    try:
        parts = list(leaf_parts(*parse_head(data)))
    except UnreadableMail:
        return []
    found = [report for part in parts if part.type in REPORTS for report in _parse_report(part)]
    return found or _parse_old_bounce(data)


def _parse_report(part: Part) -> Iterator[BounceReport]:
    """Yield a delivery report's recipients. A mail block comes first, then one each (RFC 3464 2.1)."""
    blocks = part.decode_body().replace(b"\r\n", b"\n").strip(b"\n").split(b"\n\n")
    for block in blocks[: MAX_RECIPIENTS + 1]:
        fields = parse_headers(block.lstrip(b"\n"))
        action, status, cause = (
            header_value(fields, name) for name in ("Action", "Status", "Diagnostic-Code")
        )
        named = (header_value(fields, name).rpartition(";")[2] for name in RECIPIENTS)
        if addresses := frozenset(text.strip().strip("<>").strip()[:320] for text in named) - {""}:
            yield BounceReport(addresses, action.strip().lower()[:40], status[:80], cause[:200])


def _parse_old_bounce(data: bytes) -> list[BounceReport]:
    """Return the reports that flufl.bounce finds. A temporary failure means that a letter is late."""
    if data.count(b"\n--") > MAX_BOUNDARIES:
        return []
    try:
        late, failed = all_failures(message_from_bytes(data, policy=compat32))
    except Exception:
        return []
    policy = _POLICY_IN_WORDS.search(data)
    status = policy[1].decode() if policy is not None else ""
    told = [(address, "failed") for address in failed] + [(address, "delayed") for address in late]
    return [
        BounceReport(frozenset({address.decode("utf-8", "replace")}), action, status)
        for address, action in sorted(told)[:MAX_RECIPIENTS]
    ]
