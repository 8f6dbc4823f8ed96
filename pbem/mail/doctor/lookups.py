"""DNS and web requests for `pbem check`: short waits, and errors as text. Nothing here raises."""

from collections.abc import Callable
from functools import cache
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import dns.exception
import dns.resolver
from dns.rdata import Rdata

from pbem.config.parsers import Listen
from pbem.mail.doctor.spf import Answer, DnsLookup

PATIENCE_SECONDS = 5.0
MAX_PAGE = 64 * 1024  # RFC 8461 3.2


def make_dns_lookup(server: Listen | None = None, patience: float = PATIENCE_SECONDS) -> DnsLookup:
    """Return a function that asks DNS, each question once.

    It asks the name servers of this machine, or one server by its address. A missing name gives no records; a
    failing server gives `trouble` (RFC 2308 7).
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
    """Return a record as text: strings joined, names lower-case without final dot."""
    if kind == "TXT":
        return b"".join(record.strings).decode("utf-8", "replace")  # type: ignore[attr-defined]
    if kind in ("MX", "PTR", "CNAME"):
        return record.to_text().lower().rstrip(".") or "."
    return record.to_text().lower()


class _RefuseRedirects(HTTPRedirectHandler):
    """Follows no redirect (RFC 8461 3.3)."""

    def redirect_request(self, *_args: object) -> None:
        return None


def make_page_fetcher(patience: float = PATIENCE_SECONDS) -> Callable[[str], Answer]:
    """Return a function that reads HTTPS pages and checks their certificates."""
    opener = build_opener(_RefuseRedirects())

    def fetch(url: str) -> Answer:
        try:
            with opener.open(Request(url), timeout=patience) as page:
                return Answer((page.read(MAX_PAGE).decode("utf-8", "replace"),))
        except URLError as error:
            return Answer(trouble=str(error.reason))
        except (OSError, ValueError) as error:
            return Answer(trouble=str(error) or type(error).__name__)

    return fetch
