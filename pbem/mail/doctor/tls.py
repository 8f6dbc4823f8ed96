"""Checks of inbound TLS: MTA-STS and TLS-RPT."""

from pbem.mail.doctor.findings import Fetch, Finding, MailHostSetup, dns_failure, parse_tags
from pbem.mail.doctor.spf import DnsLookup, addresses, mail_hosts
from pbem.mail.outbound.dkim_sign import zone_line


def mta_sts(setup: MailHostSetup, look: DnsLookup, fetch: Fetch) -> list[Finding]:
    """Check that senders are told to require TLS (RFC 8461)."""
    name, policy_host = f"_mta-sts.{setup.host}", f"mta-sts.{setup.host}"
    answer = look(name, "TXT")
    if answer.trouble:
        return dns_failure("MTA-STS", answer)
    if not any(
        parse_tags(text).get("v") == "STSv1" and parse_tags(text).get("id") for text in answer.records
    ):
        line = zone_line(name, "v=STSv1; id=1")
        return [
            Finding("hint", "MTA-STS", "not offered", f"{line}, and a policy at {_policy_url(policy_host)}")
        ]
    if not addresses(look, policy_host):
        return [
            Finding(
                "wrong", "MTA-STS", f"{policy_host} has no address", f"{policy_host}. IN A …the web server…"
            )
        ]
    page = fetch(_policy_url(policy_host))
    if page.trouble:
        return [
            Finding(
                "hint", "MTA-STS", f"the policy could not be read: {page.trouble}", _policy_url(policy_host)
            )
        ]
    return [_sts_policy(page.records[0], mail_hosts(look, setup.host), policy_host)]


def _policy_url(host: str) -> str:
    return f"https://{host}/.well-known/mta-sts.txt"


def _sts_policy(page: str, hosts: list[str], policy_host: str) -> Finding:
    """Judge the policy (RFC 8461 3.2).

    It needs version, mode, max_age, and a pattern for every name in our MX records.
    """
    pairs = [line.partition(":")[::2] for line in page.splitlines() if ":" in line]
    said = {name.strip(): value.strip() for name, value in pairs}
    patterns = [value.strip() for name, value in pairs if name.strip() == "mx"]
    example = "version: STSv1, mode: enforce, max_age: 604800, " + ", ".join(f"mx: {host}" for host in hosts)
    if said.get("version") != "STSv1" or said.get("mode") not in ("enforce", "testing", "none"):
        return Finding(
            "wrong", "MTA-STS", f"the policy at {policy_host} cannot be read", f"A line each: {example}"
        )
    missing = [host for host in hosts if not any(_fits(host, pattern) for pattern in patterns)]
    if missing and said["mode"] == "enforce":
        return Finding(
            "wrong", "MTA-STS", f"the policy shuts out {', '.join(missing)}", f"A line each: {example}"
        )
    if said["mode"] != "enforce":
        return Finding(
            "hint", "MTA-STS", f"the policy is in mode {said['mode']}", "Once all is well: mode: enforce"
        )
    return Finding("ok", "MTA-STS", f"enforced for {', '.join(patterns)}")


def _fits(host: str, pattern: str) -> bool:
    """Match a host; `*` stands for the leftmost label only (RFC 8461 4.1)."""
    if pattern.startswith("*."):
        return host.partition(".")[2] == pattern[2:].lower()
    return host == pattern.lower()


def tls_rpt(setup: MailHostSetup, look: DnsLookup) -> list[Finding]:
    """Check that senders may report trouble with TLS (RFC 8460)."""
    name = f"_smtp._tls.{setup.host}"
    answer = look(name, "TXT")
    if answer.trouble:
        return dns_failure("TLS-RPT", answer)
    for text in answer.records:
        if parse_tags(text).get("v") == "TLSRPTv1" and parse_tags(text).get("rua"):
            return [Finding("ok", "TLS-RPT", f"reports go to {parse_tags(text)['rua']}")]
    return [
        Finding(
            "hint", "TLS-RPT", "not asked for", zone_line(name, f"v=TLSRPTv1; rua=mailto:{setup.reports}")
        )
    ]
