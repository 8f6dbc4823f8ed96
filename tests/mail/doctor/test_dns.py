"""Advice on DNS in `pbem check`: ok for a good setup, a fix for each fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.mail.doctor.dns import MailHostSetup, check_dns
from pbem.mail.doctor.lookups import DnsAnswer
from pbem.mail.outbound.dkim_sign import dkim_record, new_key, zone_line
from tests.mail.zones import SERVFAIL, Zone, zone_lookup

HOST, MAIL = "games.example.org", "mail.example.org"
KEY = dkim_record(new_key("rsa"))
SELECTOR = f"pbem._domainkey.{HOST}"
OUT = "203.0.113.25"
PTR = "25.113.0.203.in-addr.arpa"

GOOD: Zone = {
    (HOST, "MX"): [f"10 {MAIL}"],
    (MAIL, "A"): [OUT],
    (HOST, "TXT"): ["some-site-verification=x", "v=spf1 mx -all"],
    (SELECTOR, "TXT"): [KEY],
    (f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; p=reject"],
    (PTR, "PTR"): [MAIL],
    (f"_mta-sts.{HOST}", "TXT"): ["v=STSv1; id=20261101"],
    (f"mta-sts.{HOST}", "A"): [OUT],
    (f"_smtp._tls.{HOST}", "TXT"): ["v=TLSRPTv1; rua=mailto:op@example.org"],
}
POLICY = f"version: STSv1\nmode: enforce\nmx: {MAIL}\nmax_age: 604800\n"


def found(
    changes: Zone,
    about: str | None = None,
    *,
    policy: DnsAnswer | None = None,
    setup: MailHostSetup | None = None,
) -> list[tuple[str, str]]:
    """Return (level, finding and fix) of faults, or of one whole subject."""
    page = policy or DnsAnswer((POLICY,))
    findings = check_dns(
        setup or MailHostSetup(HOST, dkim=KEY), zone_lookup({**GOOD, **changes}), lambda url: page
    )
    return [
        (finding.level, f"{finding.found} -> {finding.mend}")
        for finding in findings
        if (finding.level != "ok" if about is None else finding.about == about)
    ]


def test_where_all_is_well_nothing_is_to_be_done() -> None:
    assert [] == found({})


ROWS: dict[str, tuple[Zone, str, str, str]] = {
    "no MX": ({(HOST, "MX"): []}, "MX", "wrong", f"{HOST}. IN MX 10 mail.{HOST}."),
    "implicit MX": ({(HOST, "MX"): [], (HOST, "A"): [OUT]}, "MX", "hint", "itself"),
    "null MX": ({(HOST, "MX"): ["0 ."]}, "MX", "wrong", "no mail is taken"),
    "MX to an alias": ({(MAIL, "CNAME"): ["other.example.org"]}, "MX", "wrong", "alias of other.example.org"),
    "MX to nowhere": ({(MAIL, "A"): []}, "MX", "wrong", f"{MAIL} has no address"),
    "MX inside": ({(MAIL, "A"): ["192.168.1.5"]}, "MX", "wrong", "nobody outside"),
    "MX unknown": ({(HOST, "MX"): SERVFAIL}, "MX", "hint", "DNS did not say: SERVFAIL"),
    "no SPF": ({(HOST, "TXT"): []}, "SPF", "wrong", f'{HOST}. IN TXT "v=spf1 ip4:{OUT} -all"'),
    "two SPF": ({(HOST, "TXT"): ["v=spf1 mx -all", "v=spf1 a -all"]}, "SPF", "wrong", "2 records"),
    "SPF of others": ({(HOST, "TXT"): ["v=spf1 ip4:192.0.2.1 -all"]}, "SPF", "wrong", f"{OUT} gets fail"),
    "SPF for all": ({(HOST, "TXT"): ["v=spf1 mx +all"]}, "SPF", "wrong", "lets everybody"),
    "SPF ?all": ({(HOST, "TXT"): ["v=spf1 mx ?all"]}, "SPF", "hint", "protects from nothing"),
    "SPF without all": ({(HOST, "TXT"): ["v=spf1 mx"]}, "SPF", "hint", "everybody else"),
    "SPF too dear": ({(HOST, "TXT"): ["v=spf1 " + "a:x.org " * 11 + "-all"]}, "SPF", "wrong", "more than 10"),
    "SPF misspelt": ({(HOST, "TXT"): ["v=spf1 ip4:999.1.1.1 -all"]}, "SPF", "wrong", "no address"),
    "SPF unknown": ({(HOST, "TXT"): SERVFAIL}, "SPF", "hint", "DNS did not say"),
    "no DKIM": ({(SELECTOR, "TXT"): []}, "DKIM", "wrong", zone_line(SELECTOR, KEY)),
    "two DKIM": ({(SELECTOR, "TXT"): [KEY, KEY]}, "DKIM", "wrong", "2 records"),
    "another key": ({(SELECTOR, "TXT"): [dkim_record(new_key("rsa"))]}, "DKIM", "wrong", "another key"),
    "another kind": ({(SELECTOR, "TXT"): [KEY.replace("rsa", "ed25519")]}, "DKIM", "wrong", "another key"),
    "a key cut short": ({(SELECTOR, "TXT"): [KEY[:255]]}, "DKIM", "wrong", "another key"),
    "no key in it": ({(SELECTOR, "TXT"): ["v=DKIM1; k=rsa"]}, "DKIM", "wrong", "holds no key"),
    "revoked": ({(SELECTOR, "TXT"): ["v=DKIM1; k=rsa; p="]}, "DKIM", "wrong", "revoked"),
    "on trial": ({(SELECTOR, "TXT"): [f"{KEY}; t=y:s"]}, "DKIM", "hint", "on trial"),
    "DKIM unknown": ({(SELECTOR, "TXT"): SERVFAIL}, "DKIM", "hint", "DNS did not say"),
    "no DMARC": ({(f"_dmarc.{HOST}", "TXT"): []}, "DMARC", "wrong", 'IN TXT "v=DMARC1; p=quar'),
    "DMARC p=none": ({(f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; p=none"]}, "DMARC", "hint", "let through"),
    "DMARC no policy": ({(f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; rua=x"]}, "DMARC", "wrong", "no policy"),
    "two DMARC": ({(f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; p=none"] * 2}, "DMARC", "wrong", "2 records"),
    "no PTR": ({(PTR, "PTR"): []}, "PTR", "wrong", f"{OUT} has no name"),
    "PTR elsewhere": ({(PTR, "PTR"): ["x.isp.net"]}, "PTR", "wrong", f"x.isp.net. IN A {OUT}"),
    "PTR unknown": ({(PTR, "PTR"): SERVFAIL}, "PTR", "hint", "DNS did not say"),
    "no MTA-STS": ({(f"_mta-sts.{HOST}", "TXT"): []}, "MTA-STS", "hint", 'IN TXT "v=STSv1; id=1"'),
    "no policy host": ({(f"mta-sts.{HOST}", "A"): []}, "MTA-STS", "wrong", "has no address"),
    "no TLS-RPT": ({(f"_smtp._tls.{HOST}", "TXT"): []}, "TLS-RPT", "hint", '"v=TLSRPTv1; rua=mailto:'),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_what_is_not_well_is_named_with_its_mend(row: str) -> None:
    changes, about, level, words = ROWS[row]
    assert [level] == [each for each, _said in found(changes, about)]
    assert words in found(changes, about)[0][1]


@pytest.mark.parametrize("record", ["v=DKIM1; p={}", "k=rsa;p={}", "v=DKIM1; s=email; n=x; p={}", "p= {}"])
def test_a_record_may_be_spelt_in_other_ways(record: str) -> None:
    spelt = record.format(KEY.partition("p=")[2])
    assert "ok" == found({(SELECTOR, "TXT"): [spelt]}, "DKIM")[0][0]


def test_an_ed25519_key_is_a_hint_because_many_receivers_read_rsa_alone() -> None:
    key = dkim_record(new_key("ed25519"))
    assert "hint" == found({(SELECTOR, "TXT"): [key]}, "DKIM", setup=MailHostSetup(HOST, dkim=key))[0][0]


def test_letters_that_are_not_signed_here_are_a_hint() -> None:
    assert "hint" == found({}, "DKIM", setup=MailHostSetup(HOST))[0][0]


def test_a_policy_of_the_domain_above_counts() -> None:
    above: Zone = {
        (f"_dmarc.{HOST}", "TXT"): [],
        ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=reject; sp=none"],
    }
    assert "hint" == found(above, "DMARC")[0][0]
    above = {**above, ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=reject"]}
    assert "ok" == found(above, "DMARC")[0][0]


ALLOWED = f"{HOST}._report._dmarc.example.net"


@pytest.mark.parametrize(
    ("rua", "changes", "asked"),
    [
        ("mailto:op@example.net", {}, [ALLOWED]),
        ("mailto:op@example.net!10m, mailto:op@example.org", {}, [ALLOWED]),
        (
            "mailto:op@mail.example.net,mailto:op@example.net",
            {(ALLOWED, "TXT"): ["v=DMARC1"]},
            ["mail.example.net"],
        ),
        ("mailto:op@example.net", {(ALLOWED, "TXT"): ["v=spf1 -all"]}, [ALLOWED]),
        ("mailto:op@example.net", {(ALLOWED, "TXT"): ["v=DMARC1; rua=mailto:x@example.net"]}, []),
        ("mailto:op@example.org, mailto:op@mail.example.org", {}, []),
        ("https://example.net/reports", {}, []),
    ],
)
def test_another_domain_must_allow_the_reports_that_go_there(
    rua: str, changes: Zone, asked: list[str]
) -> None:
    records: Zone = {(f"_dmarc.{HOST}", "TXT"): [f"v=DMARC1; p=reject; rua={rua}"], **changes}
    hints = found(records, "reports")
    assert ["hint"] * len(asked) == [level for level, _said in hints]
    assert all(
        f'{name}. IN TXT "v=DMARC1"' in said for name, (_level, said) in zip(asked, hints, strict=True)
    )


def test_the_domain_whose_policy_counts_is_named_to_whoever_gets_its_reports() -> None:
    above: Zone = {
        (f"_dmarc.{HOST}", "TXT"): [],
        ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=reject; rua=mailto:op@example.net"],
    }
    ((level, said),) = found(above, "reports")
    assert "hint" == level
    assert 'example.org._report._dmarc.example.net. IN TXT "v=DMARC1"' in said
    assert HOST not in said


def test_a_name_server_that_does_not_answer_about_reports_is_no_fault_of_the_record() -> None:
    records: Zone = {
        (f"_dmarc.{HOST}", "TXT"): ["v=DMARC1; p=reject; rua=mailto:op@example.net"],
        (ALLOWED, "TXT"): SERVFAIL,
    }
    assert [("hint", "DNS did not say: SERVFAIL -> Ask again later.")] == found(records, "reports")


def test_where_the_relay_is_elsewhere_its_addresses_are_judged_as_hints_alone() -> None:
    relay = "smtp.example.com"
    there: Zone = {(relay, "A"): ["198.51.100.7"]}
    setup = MailHostSetup(HOST, relay=relay, dkim=KEY)
    assert [("SPF", "hint"), ("PTR", "hint")] == [
        (about, level) for about in ("SPF", "PTR") for level, _said in found(there, about, setup=setup)
    ]
    included: Zone = {
        **there,
        (HOST, "TXT"): ["v=spf1 include:_spf.example.com -all"],
        ("_spf.example.com", "TXT"): ["v=spf1 ip4:198.51.100.0/24 -all"],
    }
    assert "ok" == found(included, "SPF", setup=setup)[0][0]


@pytest.mark.parametrize(
    ("page", "level"),
    [
        (DnsAnswer((POLICY,)), "ok"),
        (DnsAnswer((POLICY.replace("mail", "*"),)), "ok"),
        (DnsAnswer((POLICY.replace("\n", "\r\n"),)), "ok"),
        (DnsAnswer((POLICY.replace(MAIL, "other.example.org"),)), "wrong"),
        (DnsAnswer((POLICY.replace(f"mx: {MAIL}", "mx: *.org"),)), "wrong"),
        (DnsAnswer((POLICY.replace("enforce", "testing"),)), "hint"),
        (DnsAnswer(("<html>Not found</html>",)), "wrong"),
        (DnsAnswer(trouble="timed out"), "hint"),
    ],
)
def test_the_policy_of_mta_sts_must_name_our_mail_servers(page: DnsAnswer, level: str) -> None:
    assert [level] == [each for each, _said in found({}, "MTA-STS", policy=page)]


def test_the_operator_is_named_in_the_records_to_publish() -> None:
    setup = MailHostSetup(HOST, dkim=KEY, operator="op@example.org")
    assert "rua=mailto:op@example.org" in found({(f"_dmarc.{HOST}", "TXT"): []}, "DMARC", setup=setup)[0][1]


def test_the_records_that_the_operator_is_told_to_publish_leave_nothing_to_be_done() -> None:
    """Check the block in docs/run/letters-out.md, with a key for the dots."""
    text = (Path(__file__).parents[3] / "docs/run/letters-out.md").read_text()
    zone: dict[tuple[str, str], list[str]] = {}
    for name, kind, value in re.findall(r"(?m)^(\S+)\. +IN (\w+) +(.+)$", text):
        zone.setdefault((name, kind), []).append(value.strip('"').rstrip("."))
    zone[(SELECTOR, "TXT")] = [
        one.replace("p=…", "p=" + KEY.partition("p=")[2]) for one in zone[(SELECTOR, "TXT")]
    ]
    findings = check_dns(MailHostSetup(HOST, dkim=KEY), zone_lookup(zone), lambda url: DnsAnswer((POLICY,)))
    assert ["MX", "SPF", "DKIM", "DMARC", "PTR", "MTA-STS", "TLS-RPT"] == [each.about for each in findings]
    assert [] == [each for each in findings if each.level != "ok"]
