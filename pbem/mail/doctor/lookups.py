"""DNS and web requests for `pbem check`, with short waits. Errors are texts; only `ask` raises."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import dns.exception
import dns.resolver
from dns.rdata import Rdata

from pbem.config.parsers import Listen
from pbem.mail.transport.https import fetch_page

PATIENCE_SECONDS = 5.0


class DnsAnswer(NamedTuple):
    """The DNS records for one name and type. A page is one record. `trouble` says why there is no answer."""

    records: tuple[str, ...] = ()
    trouble: str = ""


DnsLookup = Callable[[str, str], DnsAnswer]
"""(name, type) -> records; names are lower-case without final dot, MX as `10 mail.example.org`."""
Fetch = Callable[[str], DnsAnswer]
"""A web address -> the page as one record, or the error."""


class DnsTrouble(Exception):
    """DNS did not answer; `str()` says why."""


def ask(look: DnsLookup, name: str, kind: str) -> tuple[str, ...]:
    """Return DNS records; raises DnsTrouble."""
    answer = look(name, kind)
    if answer.trouble:
        raise DnsTrouble(answer.trouble)
    return answer.records


def mail_hosts(look: DnsLookup, domain: str) -> list[str]:
    """Return the hosts of a domain's MX records, the preferred first."""
    pairs = [record.partition(" ") for record in look(domain, "MX").records]
    return [host for _preference, _, host in sorted(pairs, key=lambda pair: int(pair[0]))]


def addresses(look: DnsLookup, host: str) -> list[str]:
    return [*look(host, "A").records, *look(host, "AAAA").records]


def make_dns_lookup(server: Listen | None = None, patience: float = PATIENCE_SECONDS) -> DnsLookup:
    """Return a function that asks each DNS question once. A server may be given."""
    resolver = dns.resolver.Resolver(configure=server is None)
    if server is not None:
        resolver.nameservers, resolver.port = [server.host], server.port
    resolver.lifetime = patience

    @cache
    def look(name: str, kind: str) -> DnsAnswer:
        try:
            found = resolver.resolve(name, kind, search=False, raise_on_no_answer=False)
        except dns.resolver.NXDOMAIN:
            return DnsAnswer()
        except dns.resolver.LifetimeTimeout:
            return DnsAnswer(trouble=f"no answer within {patience:g} s")
        except dns.resolver.NoNameservers:
            return DnsAnswer(trouble="every name server failed (SERVFAIL)")
        except dns.exception.DNSException as error:
            return DnsAnswer(trouble=type(error).__name__)
        return DnsAnswer(tuple(_text(record, kind) for record in found))

    return look


def _text(record: Rdata, kind: str) -> str:
    """Return a record as text: strings joined, names lower-case without final dot."""
    if kind == "TXT":
        return b"".join(record.strings).decode("utf-8", "replace")  # type: ignore[attr-defined]
    return record.to_text().lower().rstrip(".") or "."


def read_page(url: str, patience: float = PATIENCE_SECONDS) -> DnsAnswer:
    """Read an HTTPS page as one record, without redirects (RFC 8461 3.3)."""
    try:
        return DnsAnswer((fetch_page(url, patience).decode("utf-8", "replace"),))
    except (OSError, ValueError) as error:
        return DnsAnswer(trouble=str(getattr(error, "reason", error)) or type(error).__name__)
