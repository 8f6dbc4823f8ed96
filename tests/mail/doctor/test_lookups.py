"""DNS over the network: the server answers, fails, or is silent."""

from __future__ import annotations

from pbem.config.parsers import Listen
from pbem.mail.doctor.lookups import DnsAnswer, make_dns_lookup, read_page
from pbem.mail.outbound.dkim_sign import dkim_record, new_key
from tests.mail.zones import SERVFAIL, SILENT, Zone, name_server

LONG = dkim_record(new_key("rsa"))
ZONE: Zone = {
    ("example.org", "MX"): ["10 Mail.Example.org", "20 b.example.org"],
    ("example.org", "A"): ["203.0.113.25"],
    ("example.org", "AAAA"): ["2001:db8::25"],
    ("long.example.org", "TXT"): [LONG],
    ("25.113.0.203.in-addr.arpa", "PTR"): ["mail.example.org"],
    ("broken.example.org", "TXT"): SERVFAIL,
    ("silent.example.org", "TXT"): SILENT,
}


def test_what_a_name_server_says_reaches_the_judges() -> None:
    with name_server(ZONE) as port:
        look = make_dns_lookup(Listen("127.0.0.1", port), patience=1)
        assert {"10 mail.example.org", "20 b.example.org"} == set(look("example.org", "MX").records)
        assert DnsAnswer(("203.0.113.25",)) == look("example.org", "A")
        assert DnsAnswer(("2001:db8::25",)) == look("example.org", "AAAA")
        assert DnsAnswer((LONG,)) == look("long.example.org", "TXT")  # in strings of 255, joined again
        assert DnsAnswer(("mail.example.org",)) == look("25.113.0.203.in-addr.arpa", "PTR")
        assert DnsAnswer() == look("nobody.example.org", "TXT")
        assert DnsAnswer() == look("example.org", "TXT")
        assert "every name server failed (SERVFAIL)" == look("broken.example.org", "TXT").trouble
        assert "no answer within 1 s" == look("silent.example.org", "TXT").trouble


def test_a_name_that_is_no_name_is_trouble_and_no_crash() -> None:
    look = make_dns_lookup(Listen("127.0.0.1", 9), patience=0.2)
    assert look("a" * 64 + ".example.org", "A").trouble
    assert look("a..b", "A").trouble


def test_a_page_that_cannot_be_had_is_trouble() -> None:
    assert read_page("https://127.0.0.1:1/x", 1).trouble
