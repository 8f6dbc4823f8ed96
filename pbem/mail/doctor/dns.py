"""Checks of a mail host's DNS, with records that mend each fault."""

import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Literal, NamedTuple

from pbem.mail.authentication.results import domain_of, is_aligned
from pbem.mail.doctor.lookups import DnsLookup, DnsTrouble, Fetch, addresses, ask, mail_hosts
from pbem.mail.doctor.spf import MAX_LOOKUPS, BadRecord, SpfEvaluation, spf_records, terms
from pbem.mail.outbound.dkim_sign import zone_line

PRIVATE_NETWORKS = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
    *("::1/128", "fc00::/7", "fe80::/10"),
)
"""Addresses that nobody outside can reach."""

COMMON_SELECTORS = (
    *("pbem", "mail", "default", "dkim", "email", "mta", "smtp", "key1", "k1"),
    *("s1", "selector1", "s2", "selector2", "2024", "2025", "2026"),
)
"""Selectors under which a key may stand by mistake."""

Level = Literal["ok", "hint", "wrong"]
"""`wrong`: mail is lost or looks forged. `hint`: something could be better, or could not be checked."""
Note = tuple[Level, str, str]
"""Level, observation, and advice or record to publish."""


class Finding(NamedTuple):
    """One line of a check."""

    level: Level
    about: str
    found: str
    mend: str = ""
    """Advice, or the record to publish."""


class MailHostSetup(NamedTuple):
    """The configured host, relay and DKIM record.

    The relay is "" on this machine, the record "" without signing.
    """

    host: str
    relay: str = ""
    selector: str = "pbem"
    dkim: str = ""
    operator: str = ""

    @property
    def reports(self) -> str:
        """The address for reports about our mail."""
        return self.operator or f"postmaster@{self.host}"


def check_dns(setup: MailHostSetup, look: DnsLookup, fetch: Fetch) -> list[Finding]:
    checks: dict[str, Callable[[MailHostSetup, DnsLookup], list[Note]]] = {
        "MX": check_mx,
        "SPF": check_spf,
        "DKIM": check_dkim,
        "DMARC": check_dmarc,
        "reports": check_reports,
        "PTR": check_reverse_dns,
        "MTA-STS": partial(check_mta_sts, fetch),
        "TLS-RPT": check_tls_reports,
    }
    return [
        Finding(level, about, found, mend)
        for about, check in checks.items()
        for level, found, mend in _notes(check, setup, look)
    ]


def _notes(check: Callable[..., list[Note]], *args: object) -> list[Note]:
    try:
        return check(*args)
    except DnsTrouble as trouble:
        return [("hint", f"DNS did not say: {trouble}", "Ask again later.")]


def check_mx(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Judge the MX records, which must name hosts with addresses (RFC 5321 5.1)."""
    line = f"{setup.host}. IN MX 10 mail.{setup.host}."
    if ask(look, setup.host, "MX"):
        hosts = mail_hosts(look, setup.host)
        return [note for host in hosts for note in _notes(_check_mail_host, host, look, line)]
    if addresses(look, setup.host):  # the implicit MX
        return [("hint", f"none: mail goes to the address of {setup.host} itself", line)]
    return [("wrong", "none: no mail can come in", line)]


def _check_mail_host(host: str, look: DnsLookup, line: str) -> list[Note]:
    if host in ("", "."):  # RFC 7505
        return [("wrong", "says that no mail is taken here", line)]
    if alias := look(host, "CNAME").records:
        return [("wrong", f"{host} is an alias of {alias[0]}", "Name the host itself (RFC 2181 10.3).")]
    found = ", ".join(addresses(look, host))
    if found and all(map(_is_private, addresses(look, host))):
        mend = f"{host}. IN A …an address that the world can reach…"
        return [("wrong", f"{host} is {found}: nobody outside gets there", mend)]
    if found or ask(look, host, "A") or ask(look, host, "AAAA"):
        return [("ok", f"{host} ({found})", "")]
    return [("wrong", f"{host} has no address", f"{host}. IN A …the address of the mail server…")]


def _is_private(address: str) -> bool:
    return any(ip_address(address) in ip_network(network) for network in PRIVATE_NETWORKS)


def check_mta_sts(fetch: Fetch, setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Check that senders are told to require TLS (RFC 8461)."""
    name, policy_host = f"_mta-sts.{setup.host}", f"mta-sts.{setup.host}"
    url = f"https://{policy_host}/.well-known/mta-sts.txt"
    records = map(parse_tags, ask(look, name, "TXT"))
    if not any(tags.get("v") == "STSv1" and tags.get("id") for tags in records):
        return [("hint", "not offered", f"{zone_line(name, 'v=STSv1; id=1')}, and a policy at {url}")]
    if not addresses(look, policy_host):
        return [("wrong", f"{policy_host} has no address", f"{policy_host}. IN A …the web server…")]
    page = fetch(url)
    if page.trouble:
        return [("hint", f"the policy could not be read: {page.trouble}", url)]
    return [_judge_policy(page.records[0], mail_hosts(look, setup.host), policy_host)]


def _judge_policy(page: str, hosts: list[str], policy_host: str) -> Note:
    """Judge the policy: version, mode, and patterns for our MX names. RFC 8461 3.2 asks for them."""
    lines = [line.partition(":") for line in page.splitlines()]
    pairs = [(name.strip(), value.strip()) for name, _, value in lines]
    said = dict(pairs)
    patterns = [value for name, value in pairs if name == "mx"]
    example = ", ".join(["version: STSv1, mode: enforce, max_age: 604800", *(f"mx: {h}" for h in hosts)])
    if said.get("version") != "STSv1" or said.get("mode") not in ("enforce", "testing", "none"):
        return "wrong", f"the policy at {policy_host} cannot be read", f"A line each: {example}"
    if said["mode"] != "enforce":
        return "hint", f"the policy is in mode {said['mode']}", "Once all is well: mode: enforce"
    covered = {pattern.lower() for pattern in patterns}  # `*` stands for the leftmost label only (4.1)
    if missing := [host for host in hosts if not covered & {host, f"*.{host.partition('.')[2]}"}]:
        return "wrong", f"the policy shuts out {', '.join(missing)}", f"A line each: {example}"
    return "ok", f"enforced for {', '.join(patterns)}", ""


def check_tls_reports(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Check that senders may report trouble with TLS (RFC 8460)."""
    name = f"_smtp._tls.{setup.host}"
    for tags in map(parse_tags, ask(look, name, "TXT")):
        if tags.get("v") == "TLSRPTv1" and tags.get("rua"):
            return [("ok", f"reports go to {tags['rua']}", "")]
    return [("hint", "not asked for", zone_line(name, f"v=TLSRPTv1; rua=mailto:{setup.reports}"))]


def sending_addresses(setup: MailHostSetup, look: DnsLookup) -> list[str]:
    """List the addresses that send our letters: the relay's, else the MX hosts', else our own."""
    hosts = [setup.relay] if setup.relay else mail_hosts(look, setup.host) or [setup.host]
    found: list[str] = []
    for host in hosts:
        try:
            found.append(str(ip_address(host)))
        except ValueError:
            found += addresses(look, host)
    return [address for address in dict.fromkeys(found) if not _is_private(address)]


def check_spf(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Judge the record of hosts allowed to send our mail (RFC 7208)."""
    out = sending_addresses(setup, look)
    usual = zone_line(setup.host, f"v=spf1 {' '.join(map(_spf_term, out)) or 'mx'} -all")
    ask(look, setup.host, "TXT")
    found = spf_records(look, setup.host)
    if not found:
        return [("wrong", "no record: our letters look like anyone's", usual)]
    if len(found) > 1:
        return [("wrong", f"{len(found)} records, so none counts", f"Keep one: {usual}")]
    try:
        evaluation = SpfEvaluation(look, None)
        evaluation.result(setup.host)
        faults = [*_spf_ending(found[0], usual), *_spf_reach(setup, look, out)]
    except BadRecord as wrong:
        return [("wrong", f"{found[0]}: {wrong}", usual)]
    cost = f"{evaluation.cost} of {MAX_LOOKUPS} look-ups"
    return faults or [("ok", f"{found[0]} ({cost}; covers {', '.join(out) or 'nothing we know of'})", "")]


def _spf_term(address: str) -> str:
    return f"ip{6 if ':' in address else 4}:{address}"


def _spf_ending(record: str, usual: str) -> Iterator[Note]:
    signs = {term.name: term.sign or "+" for term in reversed(terms(record))}
    sign = signs.get("all", "")
    if "redirect" in signs:
        return
    if sign == "":
        yield "hint", f"{record}: says nothing about everybody else", f"End it with -all: {usual}"
    elif sign == "+":
        yield "wrong", f"{record}: lets everybody send in our name", usual
    elif sign == "?":
        yield "hint", f"{record}: ?all protects from nothing", f"End it with ~all or -all: {usual}"


def _spf_reach(setup: MailHostSetup, look: DnsLookup, out: list[str]) -> Iterator[Note]:
    for address in out:
        evaluation = SpfEvaluation(look, ip_address(address))
        result = evaluation.result(setup.host)
        if result != "pass" and not evaluation.unsure:
            found = f"{address} gets {result}, and letters seem to leave from there"
            mend = f"Add {_spf_term(address)} before the all, or include: what your relay names."
            yield _level_of_sender(setup), found, mend


def _level_of_sender(setup: MailHostSetup) -> Level:
    """Return the level of a sending address's fault. Only a relay elsewhere knows which addresses it has."""
    return "hint" if setup.relay else "wrong"


def check_dkim(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Judge the published key that verifies our letters (RFC 6376 3.6.1)."""
    if not setup.dkim:
        mend = "Let the relay sign them, or: pbem dkim, and set PBEM_DKIM_KEY."
        return [("hint", "letters are not signed here", mend)]
    name = f"{setup.selector}._domainkey.{setup.host}"
    line, records = zone_line(name, setup.dkim), ask(look, name, "TXT")
    if not records:
        return [_judge_missing_key(setup, name, line, look)]
    if len(records) > 1:
        return [("wrong", f"{len(records)} records at {name}, so chance decides", f"Keep: {line}")]
    return [_judge_key(name, parse_tags(records[0]), parse_tags(setup.dkim), line)]


def _judge_missing_key(setup: MailHostSetup, name: str, line: str, look: DnsLookup) -> Note:
    """Name the place of our key where it was published under another name."""
    host, ours = setup.host, parse_tags(setup.dkim)
    for selector in COMMON_SELECTORS:
        other = f"{selector}._domainkey.{host}"
        if any(_is_same_key(parse_tags(record), ours) for record in look(other, "TXT").records):
            found = f"our key is at {other}, but our letters name the selector {setup.selector}"
            return "wrong", found, f"Set PBEM_DKIM_SELECTOR={selector}, or publish: {line}"
    for wrong in (f"{setup.selector}._domainkey.{host.partition('.')[2]}", f"{name}.{host}"):
        if any(_is_same_key(parse_tags(record), ours) for record in look(wrong, "TXT").records):
            return "wrong", f"our key is at {wrong}, and nothing at {name}", line
    return "wrong", f"nothing at {name}: no signature of ours is believed", line


def _is_same_key(theirs: dict[str, str], ours: dict[str, str]) -> bool:
    return theirs.get("k", "rsa") == ours["k"] and _bytes(theirs.get("p", "")) == _bytes(ours["p"])


def _judge_key(name: str, theirs: dict[str, str], ours: dict[str, str], line: str) -> Note:
    if "p" not in theirs or theirs.get("v", "DKIM1") != "DKIM1":
        return "wrong", f"{name} holds no key", line
    if not theirs["p"]:
        return "wrong", f"the key at {name} is revoked (p= is empty)", line
    if not _is_same_key(theirs, ours):
        return "wrong", f"{name} holds another key than PBEM_DKIM_KEY", line
    if "y" in theirs.get("t", "").split(":"):
        return "hint", f"{name} says it is on trial (t=y)", f"Once all is well: {line}"
    if ours["k"] == "ed25519":
        return "hint", f"{name} is our key; many receivers read RSA alone", "pbem dkim --kind rsa FILE"
    return "ok", f"{name} is our key ({ours['k']})", ""


def _bytes(key: str) -> bytes:
    try:
        return b64decode("".join(key.split()), validate=True)
    except ValueError:
        return b""


def check_dmarc(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Judge the policy for mail forged in our name (RFC 7489)."""
    line = zone_line(f"_dmarc.{setup.host}", f"v=DMARC1; p=quarantine; rua=mailto:{setup.reports}")
    domain, records = _dmarc_records(setup.host, look)
    name = f"_dmarc.{domain}"
    if not records:
        return [("wrong", f"nothing at {name}; large receivers ask for it", line)]
    if len(records) > 1:
        return [("wrong", f"{len(records)} records at {name}, so none counts", f"Keep: {line}")]
    return [_judge_dmarc(name, records[0], line, own=domain == setup.host)]


def _dmarc_records(host: str, look: DnsLookup) -> tuple[str, list[str]]:
    """Return the domain whose DMARC policy counts (the host or a parent domain), and its records."""
    labels = host.split(".")
    for n in range(max(1, len(labels) - 1)):  # the host and its parent domains, but no top-level domain
        domain = ".".join(labels[n:])
        records = [text for text in ask(look, f"_dmarc.{domain}", "TXT") if _is_dmarc(text)]
        if records:
            return domain, records
    return host, []


def _is_dmarc(text: str) -> bool:
    return re.match(r"v\s*=\s*DMARC1\s*(;|$)", text) is not None


def check_reports(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """List domains that must still allow DMARC reports (RFC 7489 7.1)."""
    domain, records = _dmarc_records(setup.host, look)
    if len(records) != 1:
        return []
    return [
        note
        for receiver in _report_domains(records[0])
        if not is_aligned(receiver, domain)
        for note in _notes(_check_receiver, domain, receiver, look)
    ]


def _report_domains(record: str) -> list[str]:
    """Return the domains of the addresses in `rua`, each once."""
    uris = [uri.strip().partition("!")[0] for uri in parse_tags(record).get("rua", "").split(",")]
    return list(
        dict.fromkeys(domain_of(uri) for uri in uris if uri.lower().startswith("mailto:") and "@" in uri)
    )


def _check_receiver(domain: str, receiver: str, look: DnsLookup) -> list[Note]:
    name = f"{domain}._report._dmarc.{receiver}"
    if any(map(_is_dmarc, ask(look, name, "TXT"))):
        return []
    found = f"none about our mail come to {receiver} until it publishes a record"
    return [("hint", found, f"{zone_line(name, 'v=DMARC1')}, or rua= at _dmarc.{domain} without {receiver}")]


def _judge_dmarc(name: str, record: str, line: str, *, own: bool) -> Note:
    said = parse_tags(record)
    policy = said.get("p", "") if own else said.get("sp", said.get("p", ""))
    if policy.lower() not in ("none", "quarantine", "reject"):
        return "wrong", f"{name} has no policy: {record}", line
    if policy.lower() == "none":
        return "hint", f"{name}: {record}: forged mail is let through", f"Once all is well: {line}"
    return "ok", f"{name}: {record}", ""


def parse_tags(record: str) -> dict[str, str]:
    """Parse `v=DKIM1; k=rsa` to a mapping (RFC 6376 3.2)."""
    pairs = (part.partition("=") for part in record.split(";"))
    return {name.strip(): value.strip() for name, equals, value in pairs if equals}


def check_reverse_dns(setup: MailHostSetup, look: DnsLookup) -> list[Note]:
    """Check the reverse DNS name of each sending address."""
    found = sending_addresses(setup, look)
    return [note for address in found for note in _notes(_check_name, address, _level_of_sender(setup), look)]


def _check_name(address: str, worst: Level, look: DnsLookup) -> list[Note]:
    names = ask(look, ip_address(address).reverse_pointer, "PTR")
    if not names:
        return [(worst, f"{address} has no name", "Ask who gave you the address for a PTR record.")]
    for name in names:
        if ip_address(address) in map(ip_address, addresses(look, name)):
            return [("ok", f"{address} is {name}, and {name} is {address}", "")]
    mend = f"{names[0]}. IN {'AAAA' if ':' in address else 'A'} {address}"
    return [(worst, f"{address} is {names[0]}, but {names[0]} is not {address}", mend)]
