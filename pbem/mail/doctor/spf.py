"""SPF as receivers evaluate it (RFC 7208). With macros, `ptr` and `exists` it is unsure."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import NamedTuple

from pbem.mail.doctor.lookups import DnsLookup, addresses, mail_hosts

MAX_LOOKUPS = 10
"""RFC 7208 4.6.4: a record that needs more is a permanent error."""

RESULTS = {"": "pass", "+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}
COSTLY = frozenset({"include", "a", "mx", "ptr", "exists", "redirect"})
_TERM = re.compile(r"([-+~?]?)([A-Za-z][A-Za-z0-9_.-]*)(?:[:=]([^/]*))?((?:/\d{1,3})?(?://\d{1,3})?)\Z")


class BadRecord(ValueError):
    """A record that is a permanent error for receivers; `str()` says why."""


class Term(NamedTuple):
    """One mechanism or modifier: `~all` is ("~", "all", "", "")."""

    sign: str
    name: str
    value: str
    mask: str


def spf_records(look: DnsLookup, domain: str) -> list[str]:
    """Return a domain's SPF records; there should be one."""
    return [text for text in look(domain, "TXT").records if f"{text} ".lower().startswith("v=spf1 ")]


def terms(record: str) -> list[Term]:
    """Parse the terms of a record in order; raises BadRecord."""
    found = []
    for word in record.split()[1:]:
        match = _TERM.match(word)
        if not match:
            raise BadRecord(f"{word} is no term of SPF")
        sign, name, value, mask = match.groups("")
        found.append(Term(sign, name.lower(), value, mask))
    return found


@dataclass
class SpfEvaluation:
    """One evaluation. Without an address only included records are evaluated, to count look-ups."""

    look: DnsLookup
    ip: IPv4Address | IPv6Address | None
    cost: int = 0
    unsure: bool = False
    """A term was met that is not evaluated here."""

    def result(self, domain: str, above: tuple[str, ...] = ()) -> str:
        """Return `pass`, `fail`, `softfail`, `neutral` or `none`. Raises BadRecord for a permanent error."""
        if domain in above:
            raise BadRecord(f"{domain} leads back to itself")
        found, above = spf_records(self.look, domain), (*above, domain)
        if len(found) > 1:
            raise BadRecord(f"{domain} has {len(found)} SPF records")
        if not found:
            return "none"
        said, result = terms(found[0]), ""
        for term in said:
            self.cost += term.name in COSTLY
            if self.cost > MAX_LOOKUPS:
                raise BadRecord(f"it takes more than {MAX_LOOKUPS} DNS look-ups")
            if not result and self._matches(term, domain, above):
                result = RESULTS[term.sign]
                if self.ip is not None:
                    return result
        redirect = next((term.value for term in said if term.name == "redirect"), "")
        if redirect and not any(term.name == "all" for term in said):
            return self.result(redirect, above)
        return result or "neutral"

    def _matches(self, term: Term, domain: str, above: tuple[str, ...]) -> bool:
        if "%" in term.value or term.name in ("ptr", "exists"):
            self.unsure = True
            return False
        if term.name == "include":
            inner = self.result(term.value, above)
            if inner == "none":
                raise BadRecord(f"it includes {term.value}, which has no SPF record")
            return inner == "pass"
        if self.ip is None:
            return False
        if term.name in ("ip4", "ip6"):
            return self._is_in(term.value + term.mask)
        if term.name not in ("a", "mx"):
            return term.name == "all"
        host = term.value or domain
        hosts = [host] if term.name == "a" else mail_hosts(self.look, host)
        four, _, six = term.mask.partition("//")
        found = [address for host in hosts for address in addresses(self.look, host)]
        return any(self._is_in(each + (six and f"/{six}" if ":" in each else four)) for each in found)

    def _is_in(self, network: str) -> bool:
        try:
            return self.ip in ip_network(network, strict=False)
        except ValueError:
            raise BadRecord(f"{network} is no address") from None
