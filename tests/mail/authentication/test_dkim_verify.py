"""Our own DKIM and DMARC checks, against fake name servers."""

from __future__ import annotations

from itertools import count

import pytest

from pbem.mail.authentication.dkim_verify import check_signatures
from pbem.mail.authentication.results import Verdict
from pbem.mail.person.mailbox import new_mail
from tests.mail.zone import SIGNED, Zone, sign_for_domain
from tests.quickness import quick

BILL = "bill@example.org"
PLAIN = new_mail(BILL, "play@localhost", "games")


@pytest.fixture
def zone() -> Zone:
    zone = Zone()
    zone.publish("example.org")
    return zone


def test_a_signature_of_the_senders_domain_is_a_pass(zone: Zone) -> None:
    assert Verdict.PASS == check_signatures(sign_for_domain(PLAIN, "example.org"), BILL, zone)


def test_a_signature_is_a_pass_where_the_domain_has_no_policy_too(zone: Zone) -> None:
    del zone.records["_dmarc.example.org"]
    assert Verdict.PASS == check_signatures(sign_for_domain(PLAIN, "example.org"), BILL, zone)


def test_unsigned_mail_of_a_domain_with_a_policy_is_a_fail_even_with_p_none(zone: Zone) -> None:
    assert Verdict.FAIL == check_signatures(PLAIN, BILL, zone)
    zone.publish("example.org", "p=none")
    assert Verdict.FAIL == check_signatures(PLAIN, BILL, zone)


def test_unsigned_mail_of_a_domain_without_a_policy_tells_nothing() -> None:
    assert Verdict.UNKNOWN == check_signatures(PLAIN, BILL, Zone())


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"games", b"resign"), (b"Subject: Games", b"Subject: #42"), (b"From: bill@", b"From: will@")],
)
def test_what_was_changed_after_signing_is_a_fail(zone: Zone, before: bytes, after: bytes) -> None:
    raw = sign_for_domain(PLAIN, "example.org").replace(before, after)
    sender = "will@example.org" if b"will" in after else BILL
    assert Verdict.FAIL == check_signatures(raw, sender, zone)


def test_the_signature_of_another_domain_proves_nothing(zone: Zone) -> None:
    zone.publish("evil.example.com")
    assert Verdict.FAIL == check_signatures(sign_for_domain(PLAIN, "evil.example.com"), BILL, zone)
    assert "sel._domainkey.evil.example.com" not in zone.asked


def test_a_subdomain_may_sign_unless_the_policy_is_strict(zone: Zone) -> None:
    zone.publish("mail.example.org", "")
    raw = sign_for_domain(PLAIN, "mail.example.org")
    assert Verdict.PASS == check_signatures(raw, BILL, zone)
    zone.publish("example.org", "p=reject; adkim=s")
    assert Verdict.FAIL == check_signatures(raw, BILL, zone)


def test_one_good_signature_among_bad_ones_is_enough(zone: Zone) -> None:
    zone.publish("list.example.net", "")
    bad = sign_for_domain(PLAIN.replace(b"games", b"other"), "example.org").partition(b"From:")[0]
    assert Verdict.PASS == check_signatures(bad + sign_for_domain(PLAIN, "example.org"), BILL, zone)


@pytest.mark.parametrize("name", ["_dmarc.example.org", "sel._domainkey.example.org"])
def test_silence_of_the_name_servers_is_neither_pass_nor_fail(zone: Zone, name: str) -> None:
    zone.silent.add(name)
    assert Verdict.UNKNOWN == check_signatures(sign_for_domain(PLAIN, "example.org"), BILL, zone)


def test_a_signature_over_the_beginning_of_the_body_counts_for_nothing(zone: Zone) -> None:
    raw = sign_for_domain(PLAIN, "example.org", length=True) + b"resign yes\r\n"
    assert Verdict.FAIL == check_signatures(raw, BILL, zone)


def test_a_key_that_is_only_tried_out_counts_for_nothing(zone: Zone) -> None:
    zone.publish("example.org", flags="t=y:s; ")
    assert Verdict.FAIL == check_signatures(sign_for_domain(PLAIN, "example.org"), BILL, zone)


def test_a_key_that_was_withdrawn_or_is_not_the_one_signed_with_is_a_fail(zone: Zone) -> None:
    raw = sign_for_domain(PLAIN, "example.org")
    zone.publish("example.org", number=1)
    assert Verdict.FAIL == check_signatures(raw, BILL, zone)
    zone.records["sel._domainkey.example.org"] = ["v=DKIM1; p="]
    assert Verdict.FAIL == check_signatures(raw, BILL, zone)
    del zone.records["sel._domainkey.example.org"]
    assert Verdict.FAIL == check_signatures(raw, BILL, zone)


def test_a_second_from_above_or_below_the_signed_one_is_no_pass(zone: Zone) -> None:
    raw = sign_for_domain(new_mail("mallory@example.org", "play@localhost", "games"), "example.org")
    for forged in (
        b"From: bill@example.org\r\n" + raw,
        raw.replace(b"\r\n\r\n", b"\r\nFrom: bill@example.org\r\n\r\n", 1),
    ):
        assert Verdict.FAIL == check_signatures(forged, BILL, zone)


def test_two_policies_are_none(zone: Zone) -> None:
    zone.records["_dmarc.example.org"] = ["v=DMARC1; p=reject", "v=DMARC1; p=none"]
    assert Verdict.UNKNOWN == check_signatures(PLAIN, BILL, zone)


@pytest.mark.parametrize("policy", ["p", "p=reject; sp", ";;;", "p="])
def test_a_policy_that_cannot_be_read_is_none(zone: Zone, policy: str) -> None:
    zone.publish("example.org", policy)
    assert Verdict.FAIL != check_signatures(PLAIN, BILL, zone) or "p=reject" in policy


def test_the_policy_of_the_organisation_holds_for_its_subdomains(zone: Zone) -> None:
    assert Verdict.FAIL == check_signatures(PLAIN, "bill@dept.example.org", zone)


def test_an_organisation_is_asked_once_for_its_policy_and_a_subdomain_then_for_its_organisations() -> None:
    zone = Zone()
    check_signatures(PLAIN, BILL, zone)
    assert ["_dmarc.example.org"] == zone.asked
    check_signatures(PLAIN, "bill@dept.example.org", zone)
    assert ["_dmarc.dept.example.org", "_dmarc.example.org"] == zone.asked[1:]


def test_to_ask_for_the_policies_of_many_domains_takes_no_time(zone: Zone) -> None:
    check_signatures(PLAIN, BILL, zone)  # load the public suffixes once
    numbers = count()
    quick(
        0.02, lambda: [check_signatures(PLAIN, f"bill@a{next(numbers)}.example.org", zone) for _ in range(10)]
    )


def test_spf_of_the_server_in_front_is_as_good_as_a_signature(zone: Zone) -> None:
    assert Verdict.PASS == check_signatures(PLAIN, BILL, zone, sent_by_domain=True)


@pytest.mark.parametrize("sender", ["bill@bücher.example", "bill@" + "ü" * 62 + ".org", "bill@a..b", "@", ""])
def test_odd_domains_raise_nothing(zone: Zone, sender: str) -> None:
    assert Verdict.UNKNOWN == check_signatures(PLAIN, sender, zone)


@pytest.mark.parametrize(
    "header",
    [
        b"DKIM-Signature: \r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=sel; h=from; bh=!!; b=!!\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=sel; h=from; b=" + b" " * 150 + b"!\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=\xff; h=from; bh=YQ==; b=YQ==\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha1; d=example.org; s=sel; h=from; bh=YQ==; b=YQ==\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; c=x/y; d=example.org; s=sel; h=from; bh=YQ==; b=YQ==\r\n",
        b"DKIM-Signature: v=1; d=example.org; d=example.org; h=from\r\n",
        b"DKIM-Signature: " + b"a" * 5000 + b"\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=sel; h=from; bh=YQ==; b=YQ==\r\n" * 40,
    ],
)
def test_hostile_signatures_raise_nothing_and_cost_few_questions(zone: Zone, header: bytes) -> None:
    assert Verdict.FAIL == check_signatures(header + PLAIN, BILL, zone)
    assert len(zone.asked) <= 5


@pytest.mark.parametrize(
    "body",
    [
        b" " * 1_000_000,
        (b" " * 199 + b"x") * 5_000,
        b"\r\n" * 400_000,
        b"\n" * 900_000,
        b"\r" * 900_000,
        b"x" * 1_000_000,
        b"\t \r\n" * 200_000,
    ],
    ids=["blanks", "short-runs", "crlf", "lf", "cr", "letters", "blank-lines"],
)
def test_a_megabyte_of_anything_is_checked_within_seconds(zone: Zone, body: bytes) -> None:
    head = sign_for_domain(PLAIN, "example.org").partition(b"\r\n\r\n")[0]
    assert Verdict.PASS != quick(5, lambda: check_signatures(head + b"\r\n\r\n" + body, BILL, zone))


@pytest.mark.parametrize("name", [b"to", b"cc", b"subject", b"date", b"in-reply-to", b"references"])
def test_a_signature_that_leaves_out_where_a_mail_belongs_is_neither_pass_nor_fail(
    zone: Zone, name: bytes
) -> None:
    raw = name + b": play@localhost\r\n" + PLAIN
    assert Verdict.PASS == check_signatures(sign_for_domain(raw, "example.org"), BILL, zone)
    without = tuple(each for each in SIGNED if each != name)
    assert Verdict.UNKNOWN == check_signatures(
        sign_for_domain(raw, "example.org", headers=without), BILL, zone
    )


def test_content_type_and_message_id_need_not_be_signed_for_big_providers_do_not(zone: Zone) -> None:
    raw = sign_for_domain(PLAIN, "example.org", headers=(b"from", b"to", b"subject"))
    assert Verdict.PASS == check_signatures(raw, BILL, zone)


def test_one_signature_that_covers_all_is_enough(zone: Zone) -> None:
    both = sign_for_domain(sign_for_domain(PLAIN, "example.org"), "example.org", headers=(b"from",))
    assert Verdict.PASS == check_signatures(both, BILL, zone)
