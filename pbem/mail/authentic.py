"""What the mail server in front found out about a sender: Authentication-Results, RFC 8601.

Only results under the configured name count (RFC 8601 5: anyone can write the header), and of
several the worst.
"""

from __future__ import annotations

import re
from enum import Enum

from pbem.mail.opening import Inbound

QUOTED = re.compile(r'"(?:[^"\\]|\\.){0,998}"')
COMMENT = re.compile(r"\([^()]{0,998}\)")
RESULT = re.compile(r"\s*dmarc\s*=\s*([a-z]{1,12})(?![\w.@-])", re.IGNORECASE)
"""A result begins with its method (RFC 8601 2.2): `dmarc=pass` inside another one's words is no result."""
HEADER_MOST = 4000


class Verdict(Enum):
    """Whether the From is known to be genuine, known to be forged, or neither."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


def verdict(inbound: Inbound, authserv: str | None) -> Verdict:
    """The worst DMARC result that the server named `authserv` wrote into the mail."""
    if not authserv:
        return Verdict.UNKNOWN
    found: set[str] = set()
    for header in inbound.auth_results:
        parts = COMMENT.sub(" ", QUOTED.sub('""', header[:HEADER_MOST])).split(";")
        name = parts[0].split()
        if len(parts) > 1 and name and name[0].lower() == authserv.lower():
            found |= {match[1].lower() for part in parts[1:] if (match := RESULT.match(part))}
    if "fail" in found:
        return Verdict.FAIL
    return Verdict.PASS if found == {"pass"} else Verdict.UNKNOWN
