"""Checks of a mail host's DNS, with records that mend each fault.

Pure: `look` answers for DNS, a `MailHostSetup` for everything else.
"""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from pbem.mail.doctor.findings import Fetch, Finding, Level, MailHostSetup, dns_failure, parse_tags
from pbem.mail.doctor.spf import (
    MAX_LOOKUPS,
    Answer,
    BadRecord,
    DnsLookup,
    SpfEvaluation,
    addresses,
    evaluate_addresses,
    mail_hosts,
    records_of,
    terms,
)
from pbem.mail.doctor.tls import mta_sts, tls_rpt
from pbem.mail.outbound.dkim_sign import zone_line

PRIVATE_NETWORKS = tuple(
    ip_network(network)
    for network in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
"""Addresses that nobody outside can reach."""


def check_dns(setup: MailHostSetup, look: DnsLookup, fetch: Fetch) -> list[Finding]:
    """Judge everything that DNS says about our mail."""
    found: list[Finding] = []
    for judge in (check_mx, check_spf, check_dkim_record, check_dmarc, check_reverse_dns):
        found += judge(setup, look)
    return [*found, *mta_sts(setup, look, fetch), *tls_rpt(setup, look)]


# ------------------------------------------------------------------------------------- mail in


def check_mx(setup: MailHostSetup, look: DnsLookup) -> list[Finding]:
    """Judge the MX records: they must name hosts with addresses (RFC 5321 5.1)."""
    answer = look(setup.host, "MX")
    line = f"{setup.host}. IN MX 10 mail.{setup.host}."
    if answer.trouble:
        return dns_failure("MX", answer)
    hosts = mail_hosts(look, setup.host)
    if not hosts:
        if addresses(look, setup.host):  # the implicit MX
            return [Finding("hint", "MX", f"none: mail goes to the address of {setup.host} itself", line)]
        return [Finding("wrong", "MX", "none: no mail can come in", line)]
    return [_mail_host(host, look, line) for host in hosts]


def _mail_host(host: str, look: DnsLookup, line: str) -> Finding:
    if host in ("", "."):  # RFC 7505
        return Finding("wrong", "MX", "says that no mail is taken here", line)
    if alias := look(host, "CNAME").records:
        return Finding(
            "wrong", "MX", f"{host} is an alias of {alias[0]}", "Name the host itself (RFC 2181 10.3)."
        )
    found = addresses(look, host)
    if found and all(map(_is_private, found)):
        mend = f"{host}. IN A …an address that the world can reach…"
        return Finding("wrong", "MX", f"{host} is {', '.join(found)}: nobody outside gets there", mend)
    if found:
        return Finding("ok", "MX", f"{host} ({', '.join(found)})")
    trouble = look(host, "A").trouble or look(host, "AAAA").trouble
    if trouble:
        return dns_failure("MX", Answer(trouble=trouble))[0]
    return Finding("wrong", "MX", f"{host} has no address", f"{host}. IN A …the address of the mail server…")


# ------------------------------------------------------------------------------------ mail out


def sending_addresses(setup: MailHostSetup, look: DnsLookup) -> list[str]:
    """List the addresses that send our letters: the relay's, else the MX's, else ours."""
    hosts = [setup.relay] if setup.relay else mail_hosts(look, setup.host) or [setup.host]
    found = [address for host in hosts for address in _addresses_of(host, look)]
    return [address for address in dict.fromkeys(found) if not _is_private(address)]


def _is_private(address: str) -> bool:
    return any(ip_address(address) in network for network in PRIVATE_NETWORKS)


def _addresses_of(host: str, look: DnsLookup) -> list[str]:
    try:
        return [str(ip_address(host))]
    except ValueError:
        return addresses(look, host)


def check_spf(setup: MailHostSetup, look: DnsLookup) -> list[Finding]:
    """Judge the record of hosts allowed to send our mail (RFC 7208)."""
    answer = look(setup.host, "TXT")
    out = sending_addresses(setup, look)
    named = " ".join(f"ip{6 if ':' in address else 4}:{address}" for address in out) or "mx"
    usual = zone_line(setup.host, f"v=spf1 {named} -all")
    if answer.trouble:
        return dns_failure("SPF", answer)
    found = records_of(look, setup.host)
    if not found:
        return [Finding("wrong", "SPF", "no record: our letters look like anyone's", usual)]
    if len(found) > 1:
        return [Finding("wrong", "SPF", f"{len(found)} records, so none counts", f"Keep one: {usual}")]
    try:
        reading = SpfEvaluation(look, None)
        reading.result(setup.host)
        ending = _spf_ending(found[0], usual)
        reach = list(_spf_reach(setup, look, out))
    except BadRecord as wrong:
        return [Finding("wrong", "SPF", f"{found[0]}: {wrong}", usual)]
    if ending or reach:
        return [*ending, *reach]
    cost = f"{reading.cost} of {MAX_LOOKUPS} look-ups"
    return [Finding("ok", "SPF", f"{found[0]} ({cost}; covers {', '.join(out) or 'nothing we know of'})")]


def _spf_ending(record: str, usual: str) -> list[Finding]:
    """Judge the end of the record: its rule for everybody else."""
    said = terms(record)
    if any(term.name == "redirect" for term in said):
        return []
    signs = [term.sign or "+" for term in said if term.name == "all"]
    if not signs:
        return [
            Finding(
                "hint", "SPF", f"{record}: says nothing about everybody else", f"End it with -all: {usual}"
            )
        ]
    if signs[0] == "+":
        return [Finding("wrong", "SPF", f"{record}: lets everybody send in our name", usual)]
    if signs[0] == "?":
        return [
            Finding(
                "hint", "SPF", f"{record}: ?all protects from nothing", f"End it with ~all or -all: {usual}"
            )
        ]
    return []


def _spf_reach(setup: MailHostSetup, look: DnsLookup, out: list[str]) -> Iterator[Finding]:
    """Yield a finding for each known sending address outside the record."""
    for address, result, sure in evaluate_addresses(look, setup.host, out):
        if result != "pass" and sure:
            version = 6 if ":" in address else 4
            yield Finding(
                "hint" if setup.relay else "wrong",  # only a relay elsewhere knows its sending addresses
                "SPF",
                f"{address} gets {result}, and letters seem to leave from there",
                f"Add ip{version}:{address} before the all, or include: what your relay names.",
            )


def check_dkim_record(setup: MailHostSetup, look: DnsLookup) -> list[Finding]:
    """Judge the published key that verifies our letters (RFC 6376 3.6.1)."""
    if not setup.dkim:
        found = "letters are not signed here"
        return [
            Finding("hint", "DKIM", found, "Let the relay sign them, or: pbem dkim, and set PBEM_DKIM_KEY.")
        ]
    name = f"{setup.selector}._domainkey.{setup.host}"
    answer = look(name, "TXT")
    line = zone_line(name, setup.dkim)
    if answer.trouble:
        return dns_failure("DKIM", answer)
    if not answer.records:
        return [Finding("wrong", "DKIM", f"nothing at {name}: no signature of ours is believed", line)]
    if len(answer.records) > 1:
        return [
            Finding(
                "wrong",
                "DKIM",
                f"{len(answer.records)} records at {name}, so chance decides",
                f"Keep: {line}",
            )
        ]
    return [_dkim_record(name, parse_tags(answer.records[0]), parse_tags(setup.dkim), line)]


def _dkim_record(name: str, theirs: dict[str, str], ours: dict[str, str], line: str) -> Finding:
    published = re.sub(r"\s", "", theirs.get("p", "")) if "p" in theirs else None
    if published is None or theirs.get("v", "DKIM1") != "DKIM1":
        return Finding("wrong", "DKIM", f"{name} holds no key", line)
    if not published:
        return Finding("wrong", "DKIM", f"the key at {name} is revoked (p= is empty)", line)
    if theirs.get("k", "rsa") != ours["k"] or _bytes(published) != _bytes(ours["p"]):
        return Finding("wrong", "DKIM", f"{name} holds another key than PBEM_DKIM_KEY", line)
    if "y" in theirs.get("t", "").split(":"):
        return Finding("hint", "DKIM", f"{name} says it is on trial (t=y)", f"Once all is well: {line}")
    if ours["k"] == "ed25519":
        return Finding(
            "hint", "DKIM", f"{name} is our key; many receivers read RSA alone", "pbem dkim --kind rsa FILE"
        )
    return Finding("ok", "DKIM", f"{name} is our key ({ours['k']})")


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NotBase64, ValueError):
        return b""


def check_dmarc(setup: MailHostSetup, look: DnsLookup) -> list[Finding]:
    """Judge the policy for mail forged in our name (RFC 7489)."""
    line = zone_line(f"_dmarc.{setup.host}", f"v=DMARC1; p=quarantine; rua=mailto:{setup.reports}")
    for domain in _parent_domains(setup.host):
        answer = look(f"_dmarc.{domain}", "TXT")
        if answer.trouble:
            return dns_failure("DMARC", answer)
        found = [text for text in answer.records if re.match(r"v\s*=\s*DMARC1\s*(;|$)", text)]
        if len(found) > 1:
            return [
                Finding(
                    "wrong",
                    "DMARC",
                    f"{len(found)} records at _dmarc.{domain}, so none counts",
                    f"Keep: {line}",
                )
            ]
        if found:
            return [_dmarc_policy(domain, found[0], line, own=domain == setup.host)]
    return [Finding("wrong", "DMARC", f"nothing at _dmarc.{setup.host}; large receivers ask for it", line)]


def _parent_domains(host: str) -> Iterator[str]:
    """Yield the host and its parent domains, without the top-level domain."""
    labels = host.split(".")
    for n in range(max(1, len(labels) - 1)):
        yield ".".join(labels[n:])


def _dmarc_policy(domain: str, record: str, line: str, *, own: bool) -> Finding:
    said = parse_tags(record)
    policy = said.get("p", "").lower() if own else said.get("sp", said.get("p", "")).lower()
    if policy not in ("none", "quarantine", "reject"):
        return Finding("wrong", "DMARC", f"_dmarc.{domain} has no policy: {record}", line)
    if policy == "none":
        return Finding(
            "hint",
            "DMARC",
            f"_dmarc.{domain}: {record}: forged mail is let through",
            f"Once all is well: {line}",
        )
    return Finding("ok", "DMARC", f"_dmarc.{domain}: {record}")


def check_reverse_dns(setup: MailHostSetup, look: DnsLookup) -> list[Finding]:
    """Check the reverse DNS name of each sending address."""
    return [_check_reverse_name(address, setup, look) for address in sending_addresses(setup, look)]


def _check_reverse_name(address: str, setup: MailHostSetup, look: DnsLookup) -> Finding:
    worst: Level = "hint" if setup.relay else "wrong"
    answer = look(ip_address(address).reverse_pointer, "PTR")
    if answer.trouble:
        return dns_failure("PTR", answer)[0]
    if not answer.records:
        return Finding(
            worst, "PTR", f"{address} has no name", "Ask who gave you the address for a PTR record."
        )
    for name in answer.records:
        if ip_address(address) in map(ip_address, addresses(look, name)):
            return Finding("ok", "PTR", f"{address} is {name}, and {name} is {address}")
    name = answer.records[0]
    kind = "AAAA" if ":" in address else "A"
    return Finding(
        worst, "PTR", f"{address} is {name}, but {name} is not {address}", f"{name}. IN {kind} {address}"
    )
