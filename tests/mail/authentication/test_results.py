"""Another server's verdict counts only as a result under the trusted name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.parsing.inbound import Envelope, Mail
from pbem.mail.authentication.results import (
    Verdict,
    is_aligned,
    organisational_domain,
    parse_results_header,
    verdict,
)
from pbem.mail.inbound.parse import parse_mail
from tests.quickness import quick

FROM = "bill@y.org"


def judged(*headers: str, authserv: str | None = "mx.h", sender: str = FROM) -> Verdict:
    results = tuple((header, 0) for header in headers)
    return verdict(Mail("person", sender=sender, auth_results=results, received=("x",)), authserv)


def arrived(head: str, hops: int = 0) -> Verdict:
    """Return the verdict on a mail whose header block begins with this."""
    raw = f"{head}From: {FROM}\r\nTo: play@h\r\n\r\ngames\r\n".encode()
    return verdict(parse_mail(raw, Envelope(FROM, "play@h"), "h"), "mx.h", hops)


def test_a_dmarc_pass_under_the_trusted_name_is_proof() -> None:
    assert Verdict.PASS == judged(
        "mx.h; spf=pass smtp.mailfrom=x@y.org; dmarc=pass (p=reject) header.from=y.org"
    )
    assert Verdict.PASS == judged("MX.H 1; DMARC = Pass header.from=y.org")
    assert Verdict.PASS == judged('"mx.h" 1 (of ours); dmarc/1=pass(p=none)header.from=Y.ORG')
    assert Verdict.PASS == judged('mx.h; arc=fail; dmarc=pass reason="a; b" header.from=y.org')


@pytest.mark.parametrize(
    "header",
    [
        'mx.h; spf=pass smtp.mailfrom="dmarc=pass"@x.org',
        "mx.h; spf=pass smtp.mailfrom=dmarc=pass@x.org",
        "mx.h; dkim=pass header.i=dmarc=pass",
        "mx.h; spf=fail (dmarc=pass)",
        "mx.h; spf=fail (a (b) ; dmarc=pass )",
        "mx.h; spf=fail (a \\) ; dmarc=pass )",
        'mx.h; spf=pass smtp.mailfrom="a; dmarc=pass b"@x.org',
        'mx.h; spf=pass smtp.mailfrom="a\\"; dmarc=pass b"@x.org',
        'mx.h; "dmarc=pass"',
        "mx.h; x dmarc=pass",
        "mx.h; arc=pass; x-dmarc=pass; dmarc-x=pass",
        "mx.h; dmarc=passable",
        "mx.h; dmarc=",
        "mx.h; dmarc=pass header.from=evil.org",
        "mx.h; dmarc=temperror; dkim=pass header.d=y.org",
        "mx.h; spf=pass smtp.mailfrom=a;dmarc=pass;@y.org; dkim=none",
        "mx.h; spf=pass smtp.mailfrom=a;dmarc=pass;x=y@evil.org; dkim=none",
        "mx.h; spf=pass smtp.mailfrom=a;dmarc=pass header.x=@evil.org; dkim=none",
        "mx.h; spf=pass smtp.mailfrom=a;dmarc=pass header.from=@evil.org; dkim=none",
        "mx.h; spf=pass smtp.mailfrom=a;dkim=pass header.d=y.org;@evil.org; dmarc=none",
        "mx.h; none",
        "mx.h",
        "elsewhere; dmarc=pass",
        "mx.h.evil.org; dmarc=pass",
        "(mx.h;) evil.org; dmarc=pass",
        "; dmarc=pass",
        "",
    ],
)
def test_what_only_looks_like_a_pass_is_none(header: str) -> None:
    assert Verdict.UNKNOWN == judged(header)


def test_a_fail_is_seen_whatever_stands_before_it() -> None:
    for before in ("spf=pass smtp.mailfrom=ünï@y", "x y z", "spf=pass (unfinished \\", '""@', "a=b=c =", "("):
        found = judged(f"mx.h; dmarc=fail; {before}; dmarc=pass")
        assert Verdict.FAIL == found
    assert Verdict.FAIL == judged("mx.h; spf=pass smtp.mailfrom=ünï@y; dmarc=fail header.from=y.org")


def test_a_header_that_breaks_off_proves_nothing() -> None:
    assert Verdict.UNKNOWN == judged("mx.h; dmarc=pass header.from=y.org (and so on")
    assert Verdict.UNKNOWN == judged('mx.h; dmarc=pass header.from=y.org; spf=pass smtp.mailfrom="a')
    assert Verdict.UNKNOWN == arrived(f"Authentication-Results: mx.h; dmarc=pass; x=y {'a' * 2500}\r\n")


def test_of_several_the_worst_counts() -> None:
    assert Verdict.FAIL == judged("mx.h; dmarc=pass", "mx.h; dmarc=fail")
    assert Verdict.UNKNOWN == judged("mx.h; dmarc=pass", "mx.h; dmarc=none")
    assert Verdict.UNKNOWN == judged("mx.h; dkim=pass header.d=y.org", "mx.h; none")
    assert Verdict.UNKNOWN == judged("mx.h; dkim=pass header.d=y.org", "mx.h; dkim=none")


def test_with_no_name_trusted_nothing_is_believed() -> None:
    assert Verdict.UNKNOWN == judged("mx.h; dmarc=pass", authserv=None)


def test_without_dmarc_a_signature_of_the_senders_own_domain_is_proof() -> None:
    assert Verdict.PASS == judged("mx.h; dkim=pass (2048-bit key) header.d=y.org header.b=abc/+=")
    assert Verdict.PASS == judged("mx.h; dmarc=none header.from=y.org; dkim=pass header.i=@mail.y.org")
    assert Verdict.PASS == judged("mx.h; dkim=fail header.d=y.org; dkim=pass header.d=y.org")
    assert Verdict.UNKNOWN == judged("mx.h; dkim=pass header.d=x.org")
    assert Verdict.UNKNOWN == judged("mx.h; dkim=pass header.d=co.uk", sender="bill@y.co.uk")
    assert Verdict.UNKNOWN == judged("mx.h; dkim=pass header.d=evil.github.io", sender="bill@github.io")
    assert Verdict.UNKNOWN == judged("mx.h; dkim=fail header.d=y.org")
    assert Verdict.UNKNOWN == judged("mx.h; spf=pass smtp.mailfrom=bill@y.org")


RESULT = "Authentication-Results: mx.h; dmarc=pass header.from=y.org\r\n"
OURS = "Received: from mail.y.org by mx.h; Sun, 1 Mar 2026 12:00:00 +0000\r\n"
THEIRS = "Received: from laptop by mail.y.org; Sun, 1 Mar 2026 11:59:59 +0000\r\n"


def test_results_count_only_above_our_own_received_line() -> None:
    assert Verdict.PASS == arrived(f"{RESULT}{OURS}{THEIRS}")
    assert Verdict.PASS == arrived(f"Return-Path: <x@y>\r\n{RESULT}{OURS}")
    assert Verdict.UNKNOWN == arrived(f"{OURS}{RESULT}{THEIRS}")
    assert Verdict.UNKNOWN == arrived(f"{OURS}{THEIRS}{RESULT}")


@pytest.mark.parametrize("hops", [0, 1])
def test_results_in_a_mail_that_no_server_has_had_in_hand_count_for_nothing(hops: int) -> None:
    assert Verdict.UNKNOWN == arrived(RESULT, hops=hops)
    assert Verdict.PASS == arrived(f"{RESULT}{OURS}", hops=hops)


@pytest.mark.parametrize(
    "header",
    [
        "mx.h; dkim=pass header.i=@y.org header.s=s header.b=aB+/=; spf=pass (mx.h: domain of bill@y.org "
        "designates 192.0.2.1 as permitted sender) smtp.mailfrom=bill@y.org; "
        "dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=y.org",
        "mx.h; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=y.org; dkim=pass (signature was verified) "
        "header.d=y.org;dmarc=pass action=none header.from=y.org;compauth=pass reason=100",
        "mx.h; iprev=pass policy.iprev=192.0.2.1; auth=pass (PLAIN) smtp.auth=bill@y.org; "
        'spf=pass smtp.mailfrom="bill t"@y.org; dmarc=pass(p=reject) header.from=y.org;',
    ],
    ids=["Gmail's way", "Microsoft's way", "others"],
)
def test_results_as_servers_of_the_world_write_them_are_read(header: str) -> None:
    assert Verdict.PASS == judged(header)


def test_with_hops_set_results_may_stand_below_so_many_received_lines_and_no_deeper() -> None:
    assert Verdict.PASS == arrived(f"{OURS}{RESULT}{THEIRS}", hops=1)
    assert Verdict.UNKNOWN == arrived(f"{OURS}{THEIRS}{RESULT}", hops=1)


def test_with_hops_set_a_forged_result_is_outweighed_by_the_true_one() -> None:
    true = RESULT.replace("pass", "fail")
    assert Verdict.FAIL == arrived(f"{OURS}{true}{RESULT}{THEIRS}", hops=1)
    assert Verdict.UNKNOWN == arrived(f"{OURS}{true.replace('fail', 'none')}{RESULT}{THEIRS}", hops=1)


@given(st.text(max_size=300))
def test_junk_raises_nothing_and_proves_nothing(junk: str) -> None:
    parse_results_header(junk)
    assert Verdict.PASS != judged(f"elsewhere; {junk}", f"mx.h; spf=none ({junk}")


@pytest.mark.parametrize("part", ["(", ")", '"', "\\", ";", "=", " ", "a", '"\\', "(\\"])
def test_long_headers_are_read_in_no_time(part: str) -> None:
    quick(2, lambda: parse_results_header("mx.h; dmarc=pass " + part * 100_000))


@pytest.mark.parametrize(
    ("domain", "whole"),
    [
        ("mail.example.co.uk", "example.co.uk"),
        ("Mail.Example.COM", "example.com"),
        ("mail.bill.bank.in", "bill.bank.in"),  # a suffix since 2025
        ("bank.in", "bank.in"),
        ("mail.example.xn--fiqs8s", "example.xn--fiqs8s"),
        ("mail.bücher.de", "bücher.de"),
        ("localhost", "localhost"),
        ("", ""),
        ("..", ".."),
    ],
)
def test_the_domain_of_an_organisation_stands_below_a_public_suffix(domain: str, whole: str) -> None:
    assert whole == organisational_domain(domain)


def test_neighbours_below_a_public_suffix_do_not_speak_for_each_other() -> None:
    assert is_aligned("mail.bill.bank.in", "bill.bank.in")
    assert not is_aligned("joao.bank.in", "bill.bank.in")
