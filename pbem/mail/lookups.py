"""Asking DNS and the web for what `pbem check` judges: short waits, and trouble as a word, never raised."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import dns.exception
import dns.resolver
from dns.rdata import Rdata

from pbem.mail.spf import Answer, Look
from pbem.spelling import Listen

PATIENCE_SECONDS = 5.0
PAGE_MOST = 64 * 1024  # RFC 8461 3.2


def asker(server: Listen | None = None, patience: float = PATIENCE_SECONDS) -> Look:
    """Asks the name servers of this machine, or one by its address; each question once.

    Gives no records for a name that is not there, trouble where nobody answers (RFC 2308 7).
    """
    resolver = dns.resolver.Resolver(configure=server is None)
    if server is not None:
        resolver.nameservers, resolver.port = [server.host], server.port
    resolver.lifetime = patience

    @cache
    def look(name: str, kind: str) -> Answer:
        try:
            found = resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return Answer()
        except dns.resolver.LifetimeTimeout:
            return Answer(trouble=f"no answer within {patience:g} s")
        except dns.resolver.NoNameservers:
            return Answer(trouble="every name server failed (SERVFAIL)")
        except dns.exception.DNSException as error:
            return Answer(trouble=type(error).__name__)
        return Answer(tuple(_text(record, kind) for record in found))

    return look


def _text(record: Rdata, kind: str) -> str:
    """A record as the judges want it: strings joined, names lower-case and without the last dot."""
    if kind == "TXT":
        return b"".join(record.strings).decode("utf-8", "replace")  # type: ignore[attr-defined]
    if kind in ("MX", "PTR", "CNAME"):
        return record.to_text().lower().rstrip(".") or "."
    return record.to_text().lower()


class _Stay(HTTPRedirectHandler):
    """RFC 8461 3.3: a redirect is not followed."""

    def redirect_request(self, *_args: object) -> None:
        return None


def fetcher(patience: float = PATIENCE_SECONDS) -> Callable[[str], Answer]:
    """Reads a page over https, its certificate checked."""
    opener = build_opener(_Stay())

    def fetch(url: str) -> Answer:
        try:
            with opener.open(Request(url), timeout=patience) as page:
                return Answer((page.read(PAGE_MOST).decode("utf-8", "replace"),))
        except URLError as error:
            return Answer(trouble=str(error.reason))
        except (OSError, ValueError) as error:
            return Answer(trouble=str(error) or type(error).__name__)

    return fetch
