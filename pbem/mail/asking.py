"""Questions to the name servers. Silence and a failing server raise; only a plain no is a no."""

from __future__ import annotations

from dns import exception, resolver

from pbem.mail.signatures import Unanswered

SECONDS = 3.0
"""For one question: a mail asks five at most, and others wait behind it."""


def text_records(name: str) -> list[str]:
    """The TXT records of a name, each with its strings joined (RFC 7208 3.3); raises Unanswered."""
    try:
        answer = resolver.resolve(f"{name}.", "TXT", lifetime=SECONDS, search=False)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return []
    except exception.DNSException as trouble:
        raise Unanswered(type(trouble).__name__) from None
    return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
