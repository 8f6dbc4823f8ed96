"""SPF as a receiver reads it (RFC 7208), for judging our own record: which addresses may send for a domain.

Pure: `look` answers for DNS. Macros and `ptr` are not followed; where they would decide, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

LOOKUPS_MOST = 10
"""RFC 7208 4.6.4: a record that needs more is a permanent error."""

IP = IPv4Address | IPv6Address
RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
COSTLY = frozenset({"include", "a", "mx", "ptr", "exists", "redirect"})
_TERM = re.compile(r"([-+~?]?)([A-Za-z][A-Za-z0-9_.-]*)(?:([:=])([^/]*))?((?:/\d{1,3})?(?://\d{1,3})?)\Z")


@dataclass(frozen=True)
class Answer:
    """What DNS says for one name and type: the records, none, or `trouble` where it said nothing."""

    records: tuple[str, ...] = ()
    trouble: str = ""


Look = Callable[[str, str], Answer]
"""(name, type) -> the records: names lower-case without a dot at the end, MX as `10 mail.example.org`."""


class BadRecord(ValueError):
    """A record that receivers take for a permanent error; `str()` says why."""


@dataclass(frozen=True)
class Term:
    """One mechanism or modifier: `~all` is ("~", "all", "", "")."""

    sign: str
    name: str
    value: str
    mask: str


def records_of(look: Look, domain: str) -> tuple[str, ...]:
    """The SPF records of a domain, of which there should be one."""
    texts = look(domain, "TXT").records
    return tuple(text for text in texts if text.lower() == "v=spf1" or text.lower().startswith("v=spf1 "))


def terms(record: str) -> list[Term]:
    """The terms of a record in order; raises BadRecord for one that is none."""
    found = []
    for word in record.split()[1:]:
        match = _TERM.match(word)
        if not match:
            raise BadRecord(f"{word} is no term of SPF")
        sign, name, _, value, mask = match.groups()
        found.append(Term(sign, name.lower(), value or "", mask or ""))
    return found


@dataclass
class Reading:
    """One evaluation: `result` for an address; `cost` counts the DNS look-ups it took."""

    look: Look
    ip: IP | None
    cost: int = 0
    unsure: bool = False
    """Whether a term was met that this reader does not follow."""
    seen: list[str] = field(default_factory=list)

    def result(self, domain: str) -> str:
        """`pass`, `fail`, `softfail`, `neutral` or `none`; BadRecord for a permanent error."""
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
        if self.cost > LOOKUPS_MOST:
            raise BadRecord(f"it takes more than {LOOKUPS_MOST} DNS look-ups")

    def _matches(self, term: Term, domain: str) -> bool:
        """Whether a mechanism covers the address; without one only includes are walked, to count."""
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
            return _within(self.ip, term.value + term.mask)
        if term.name == "a":
            return self._hosts([term.value or domain], term.mask)
        if term.name == "mx":
            return self._hosts(mail_hosts(self.look, term.value or domain), term.mask)
        return term.name == "all"

    def _hosts(self, hosts: list[str], mask: str) -> bool:
        four, _, six = mask.partition("//")
        for host in hosts:
            for address in addresses(self.look, host):
                length = (f"/{six}" if six else "") if ":" in address else four
                if self.ip is not None and _within(self.ip, address + length):
                    return True
        return False


def _within(ip: IP, network: str) -> bool:
    try:
        return ip in ip_network(network, strict=False)
    except (ValueError, TypeError):
        raise BadRecord(f"{network} is no address") from None


def mail_hosts(look: Look, domain: str) -> list[str]:
    """The names in a domain's MX records, the most wanted first."""
    pairs = [record.partition(" ") for record in look(domain, "MX").records]
    return [host for _preference, _, host in sorted(pairs, key=lambda pair: int(pair[0]))]


def addresses(look: Look, host: str) -> list[str]:
    """Every A and AAAA of a name."""
    return [*look(host, "A").records, *look(host, "AAAA").records]


def covered(look: Look, domain: str, addresses: list[str]) -> Iterator[tuple[str, str, bool]]:
    """(address, result, whether the reader was sure) for each address that letters leave from."""
    for address in addresses:
        reading = Reading(look, ip_address(address))
        result = reading.result(domain)
        yield address, result, not reading.unsure
