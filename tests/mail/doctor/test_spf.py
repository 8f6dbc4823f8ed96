"""SPF records, good and bad, by RFC 7208."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from pbem.mail.doctor.spf import BadRecord, SpfEvaluation
from tests.mail.zones import zone_lookup

OUT, OUT6, ELSEWHERE = "203.0.113.25", "2001:db8::25", "198.51.100.7"
ZONE = {
    ("example.org", "A"): [OUT],
    ("example.org", "MX"): ["20 b.example.org", "10 a.example.org"],
    ("a.example.org", "A"): ["203.0.113.10"],
    ("b.example.org", "AAAA"): [OUT6],
    ("_spf.example.net", "TXT"): ["v=spf1 ip4:203.0.113.0/27 -all"],
    ("none.example.net", "TXT"): ["some other text"],
    ("loop.example.net", "TXT"): ["v=spf1 include:loop.example.net -all"],
}


def reading(record: str, ip: str | None) -> SpfEvaluation:
    zone = {**ZONE, ("x.org", "TXT"): [record]}
    return SpfEvaluation(zone_lookup(zone), ip_address(ip) if ip else None)


def result(record: str, ip: str = OUT) -> str:
    return reading(record, ip).result("x.org")


@pytest.mark.parametrize(
    ("record", "ip", "expected"),
    [
        ("v=spf1 ip4:203.0.113.25 -all", OUT, "pass"),
        ("v=spf1 ip4:203.0.113.0/24 -all", OUT, "pass"),
        ("v=spf1 ip4:203.0.113.0/24 -all", ELSEWHERE, "fail"),
        ("v=spf1 ip4:203.0.113.0/24 ~all", ELSEWHERE, "softfail"),
        ("v=spf1 ip4:203.0.113.0/24 ?all", ELSEWHERE, "neutral"),
        ("v=spf1 ip4:203.0.113.0/24", ELSEWHERE, "neutral"),
        ("v=spf1 ip6:2001:db8::/32 -all", OUT6, "pass"),
        ("v=spf1 ip6:2001:db8::/32 -all", OUT, "fail"),
        ("v=spf1 a:example.org -all", OUT, "pass"),
        ("v=spf1 a:example.org -all", "203.0.113.26", "fail"),
        ("v=spf1 a:example.org/24 -all", "203.0.113.26", "pass"),
        ("v=spf1 mx:example.org -all", "203.0.113.10", "pass"),
        ("v=spf1 mx:example.org//64 -all", "2001:db8::99", "pass"),
        ("v=spf1 mx:example.org -all", OUT, "fail"),
        ("v=spf1 include:_spf.example.net -all", OUT, "pass"),
        ("v=spf1 include:_spf.example.net ~all", ELSEWHERE, "softfail"),
        ("v=spf1 redirect=_spf.example.net", ELSEWHERE, "fail"),
        ("v=spf1 redirect=_spf.example.net", OUT, "pass"),
        ("v=spf1 -ip4:203.0.113.25 +all", OUT, "fail"),
        ("V=SPF1 IP4:203.0.113.25 -ALL", OUT, "pass"),
    ],
)
def test_an_address_gets_what_the_record_says(record: str, ip: str, expected: str) -> None:
    assert expected == result(record, ip)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("v=spf1 ip4:203.0.113.300 -all", "no address"),
        ("v=spf1 !all", "no term"),
        ("v=spf1 include:none.example.net -all", "no SPF record"),
        ("v=spf1 include:loop.example.net -all", "back to itself"),
        ("v=spf1 " + "a:example.org " * 11 + "-all", "more than 10"),
    ],
)
def test_a_record_that_is_wrong_says_why(record: str, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        result(record, ELSEWHERE)


def test_lookups_of_included_records_count_too() -> None:
    walked = reading("v=spf1 include:_spf.example.net a mx -all", None)
    walked.result("x.org")
    assert 3 == walked.cost


def test_where_a_macro_would_decide_the_reader_is_not_sure() -> None:
    walked = reading("v=spf1 exists:%{i}.example.net -all", OUT)
    assert ("fail", True) == (walked.result("x.org"), walked.unsure)
