"""SPF as receivers evaluate it (RFC 7208), to judge our own record.

Pure: `look` answers for DNS. Macros and `ptr` are not evaluated; where they would decide, the result is
unsure.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

MAX_LOOKUPS = 10
"""RFC 7208 4.6.4: a record that needs more is a permanent error."""

IP = IPv4Address | IPv6Address
RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
COSTLY = frozenset({"include", "a", "mx", "ptr", "exists", "redirect"})
_TERM = re.compile(r"([-+~?]?)([A-Za-z][A-Za-z0-9_.-]*)(?:([:=])([^/]*))?((?:/\d{1,3})?(?://\d{1,3})?)\Z")


@dataclass(frozen=True)
class Answer:
    """DNS records for one name and type, or `trouble` without an answer."""

    records: tuple[str, ...] = ()
    trouble: str = ""


DnsLookup = Callable[[str, str], Answer]
"""(name, type) -> records; names are lower-case without final dot, MX as `10 mail.example.org`."""


class BadRecord(ValueError):
    """A record that is a permanent error for receivers; `str()` says why."""


@dataclass(frozen=True)
class Term:
    """One mechanism or modifier: `~all` is ("~", "all", "", "")."""

    sign: str
    name: str
    value: str
    mask: str


def records_of(look: DnsLookup, domain: str) -> tuple[str, ...]:
    """Return a domain's SPF records; there should be one."""
    texts = look(domain, "TXT").records
    return tuple(text for text in texts if text.lower() == "v=spf1" or text.lower().startswith("v=spf1 "))


def terms(record: str) -> list[Term]:
    """Parse the terms of a record in order; raises BadRecord."""
    found = []
    for word in record.split()[1:]:
        match = _TERM.match(word)
        if not match:
            raise BadRecord(f"{word} is no term of SPF")
        sign, name, _, value, mask = match.groups()
        found.append(Term(sign, name.lower(), value or "", mask or ""))
    return found


@dataclass
class SpfEvaluation:
    """One evaluation: `result` judges an address, `cost` counts DNS look-ups."""

    look: DnsLookup
    ip: IP | None
    cost: int = 0
    unsure: bool = False
    """A term was met that this reader does not evaluate."""
    seen: list[str] = field(default_factory=list)

    def result(self, domain: str) -> str:
        """Return `pass`, `fail`, `softfail`, `neutral` or `none`. Raises BadRecord for a permanent error."""
        if domain in self.seen:
            raise BadRecord(f"{domain} leads back to itself")
        self.seen.append(domain)
        try:
            return self._result(domain)
        finally:
            self.seen.pop()

    def _result(self, domain: str) -> str:
        found = records_of(self.look, domain)
        if len(found) > 1:
            raise BadRecord(f"{domain} has {len(found)} SPF records")
        if not found:
            return "none"
        said = terms(found[0])
        result = ""
        for term in said:
            self._count(term)
            if not result and self._matches(term, domain):
                result = RESULTS[term.sign or "+"]
                if self.ip is not None:
                    return result
        redirect = next((term.value for term in said if term.name == "redirect"), "")
        if redirect and not any(term.name == "all" for term in said):
            return self.result(redirect)
        return result or "neutral"

    def _count(self, term: Term) -> None:
        self.cost += term.name in COSTLY
        if self.cost > MAX_LOOKUPS:
            raise BadRecord(f"it takes more than {MAX_LOOKUPS} DNS look-ups")

    def _matches(self, term: Term, domain: str) -> bool:
        """Say if a mechanism covers the address.

        Without an address only includes are evaluated, to count look-ups.
        """
        if "%" in term.value or term.name in ("ptr", "exists"):
            self.unsure = True
            return False
        if term.name == "include":
            inner = self.result(term.value)
            if inner == "none":
                raise BadRecord(f"it includes {term.value}, which has no SPF record")
            return inner == "pass"
        if self.ip is None:
            return False
        if term.name in ("ip4", "ip6"):
            return _is_in_network(self.ip, term.value + term.mask)
        if term.name == "a":
            return self._matches_hosts([term.value or domain], term.mask)
        if term.name == "mx":
            return self._matches_hosts(mail_hosts(self.look, term.value or domain), term.mask)
        return term.name == "all"

    def _matches_hosts(self, hosts: list[str], mask: str) -> bool:
        four, _, six = mask.partition("//")
        for host in hosts:
            for address in addresses(self.look, host):
                length = (f"/{six}" if six else "") if ":" in address else four
                if self.ip is not None and _is_in_network(self.ip, address + length):
                    return True
        return False


def _is_in_network(ip: IP, network: str) -> bool:
    try:
        return ip in ip_network(network, strict=False)
    except (ValueError, TypeError):
        raise BadRecord(f"{network} is no address") from None


def mail_hosts(look: DnsLookup, domain: str) -> list[str]:
    """Return the hosts of a domain's MX records, the preferred first."""
    pairs = [record.partition(" ") for record in look(domain, "MX").records]
    return [host for _preference, _, host in sorted(pairs, key=lambda pair: int(pair[0]))]


def addresses(look: DnsLookup, host: str) -> list[str]:
    return [*look(host, "A").records, *look(host, "AAAA").records]


def evaluate_addresses(look: DnsLookup, domain: str, addresses: list[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield (address, result, sure) for each address that sends letters."""
    for address in addresses:
        reading = SpfEvaluation(look, ip_address(address))
        result = reading.result(domain)
        yield address, result, not reading.unsure
