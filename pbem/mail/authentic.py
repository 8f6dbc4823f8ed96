"""What the mail server in front found out about a sender: Authentication-Results, RFC 8601.

Only results under the configured name count (RFC 8601 5: anyone can write the header), and of
several the worst.
"""

from __future__ import annotations

import re
from enum import Enum

from pbem.mail.opening import Inbound

RESULT = re.compile(r"\bdmarc\s{0,5}=\s{0,5}([a-z]{1,12})\b", re.IGNORECASE)


class Verdict(Enum):
    """Whether the From is known to be genuine, known to be forged, or neither."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


def verdict(inbound: Inbound, authserv: str | None) -> Verdict:
    """The worst DMARC result that the server named `authserv` wrote into the mail."""
    if not authserv:
        return Verdict.UNKNOWN
    found = set()
    for header in inbound.auth_results:
        name, semicolon, results = header.strip().partition(";")
        words = name.split()
        if semicolon and words and words[0].lower() == authserv.lower():
            found |= {result.lower() for result in RESULT.findall(results[:4000])}
    if "fail" in found:
        return Verdict.FAIL
    return Verdict.PASS if found == {"pass"} else Verdict.UNKNOWN
