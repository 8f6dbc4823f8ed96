"""The weight of a bounce: its status, the relay's answer, its recipient."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.core.bounces import (
    HARD,
    NONE,
    SOFT,
    SUSPENSION_POINTS,
    BounceReport,
    bounce_counts,
    points_of,
    points_of_answer,
    points_of_status,
    policy_of,
    policy_of_answer,
)
from tests.people import NOON

BILL = "bill@example.org"


def report(status: str, action: str = "failed", *addresses: str) -> BounceReport:
    return BounceReport(frozenset(addresses or (BILL,)), action, status)


@pytest.mark.parametrize(
    ("status", "points"),
    [
        ("5.1.1", HARD),
        ("5.1.1 (bad destination mailbox address)", HARD),
        ("5.0.0", HARD),
        ("5.2.1", HARD),
        ("5.4.6", HARD),
        ("5.2.2", SOFT),
        ("5.7.1", NONE),
        ("5.6.3", NONE),
        ("5.4.1", SOFT),
        ("4.4.7", SOFT),
        ("4.2.2", SOFT),
        ("2.0.0", NONE),
        ("", HARD),
        ("smtp; 550 no", HARD),
    ],
)
def test_a_mailbox_that_is_gone_is_hard_and_what_may_pass_is_soft(status: str, points: int) -> None:
    assert points == points_of_status(status)


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded", "", "deferred (4 h)"])
def test_what_is_no_failure_counts_nothing_whatever_its_status(action: str) -> None:
    assert (NONE, "5.1.1") == points_of([report("5.1.1", action)], BILL)


@pytest.mark.parametrize("action", ["failed", "failure", "failed (no such user)", "error"])
def test_failures_are_known_in_the_words_that_hosts_use(action: str) -> None:
    assert (HARD, "5.1.1") == points_of([report("5.1.1", action)], BILL)


def test_only_reports_about_the_letters_own_recipient_count() -> None:
    assert (NONE, "") == points_of([report("5.1.1", "failed", "joao@example.net")], BILL)
    both = [report("5.1.1", "failed", "joao@example.net"), report("4.2.2", "failed", BILL)]
    assert (SOFT, "4.2.2") == points_of(both, BILL)
    assert (NONE, "") == points_of([], BILL)


def test_the_recipient_is_known_in_any_case_and_by_its_original_name() -> None:
    forwarded = report("5.1.1", "failed", "bt@elsewhere.example", "Bill@Example.ORG")
    assert (HARD, "5.1.1") == points_of([forwarded], BILL)


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("550 5.1.1 <bill@example.org> unknown user", HARD),
        ("550 no such user", HARD),
        ("553 no such name", HARD),
        ("550-5.1.1 no such user", HARD),
        ("552 5.2.2 over quota", SOFT),
        ("552 over quota", SOFT),
        ("452 4.2.2 no room", SOFT),
        ("450 busy", SOFT),
        ("554 no", NONE),
        ("550 5.7.1 relaying denied", NONE),
        ("554 5.7.1 looks like spam", NONE),
        ("550 5.3.4 too large", NONE),
        ("451 4.7.1 greylisted", NONE),
        ("421 closing", NONE),
        ("421 4.4.2 closing", NONE),
        ("[Errno 111] Connection refused", NONE),
        ("the relay takes no addresses with letters beyond ASCII", NONE),
        ("550 5.6.0 content", NONE),
        ("450 4.6.0 content", NONE),
        ("after the text: 550 no", NONE),
        ("after the text: 552 no", NONE),
        ("after the text: 554 5.6.0 no", NONE),
        ("given up after 5 days: after the text: 451 busy", NONE),
        ("after the text: 550 5.1.1 unknown user", HARD),
        ("after the text: 552 5.2.2 over quota", SOFT),
        ("5500 no", NONE),
        ("", NONE),
    ],
)
def test_a_relay_that_refuses_the_address_counts_and_one_that_refuses_us_does_not(
    answer: str, points: int
) -> None:
    assert points == points_of_answer(answer)


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("smtp; 554 rejected", NONE),
        ("SMTP;552 message refused", NONE),
        ("smtp; 550 no such user", HARD),
        ("", HARD),
    ],
)
def test_a_report_without_a_reason_counts_unless_the_remote_server_spoke_of_the_text(
    answer: str, points: int
) -> None:
    found = BounceReport(frozenset({BILL}), "failed", "5.0.0", answer)
    assert points == points_of([found], BILL)[0]


@pytest.mark.parametrize(
    ("status", "answer", "action", "policy"),
    [
        ("5.7.26", "smtp; 550-5.7.26 unauthenticated", "failed", "5.7.26"),
        ("5.7.515 (access denied)", "", "failed", "5.7.515"),
        ("5.0.0", "smtp; 550-5.7.26 Your email has been blocked", "failed", "5.7.26"),
        ("5.0.0", "smtp; 550 see 5.7.26", "failed", ""),
        ("4.7.0", "smtp; 421 4.7.0 [TSS04]", "failed", "4.7.0"),
        ("4.7.0", "smtp; 421 4.7.0 [TSS04]", "delayed", ""),
        ("2.7.0", "", "failed", ""),
        ("5.1.1", "smtp; 550 5.1.1 5.7.1", "failed", ""),
        ("5.6.0", "", "failed", ""),
        ("", "", "failed", ""),
    ],
)
def test_a_final_refusal_by_policy_is_known_by_its_status_or_the_remote_servers(
    status: str, answer: str, action: str, policy: str
) -> None:
    reports = [BounceReport(frozenset({BILL}), action, status, answer)]
    assert policy == policy_of(reports, BILL)
    assert "" == policy_of(reports, "joao@example.net")
    assert not policy or NONE == points_of(reports, BILL)[0]


@pytest.mark.parametrize(
    ("answer", "policy"),
    [
        ("550 5.7.1 relaying denied", "5.7.1"),
        ("after the text: 554 5.7.9 not accepted for policy reasons", "5.7.9"),
        ("given up after 5 days: 451 4.7.1 greylisted", "4.7.1"),
        ("554 no such luck (#5.7.1)", "5.7.1"),
        ("554 no", ""),
        ("550 5.1.1 unknown user", ""),
    ],
)
def test_a_relays_refusal_by_policy_is_known_by_its_status(answer: str, policy: str) -> None:
    assert policy == policy_of_answer(answer)


def test_two_hard_or_four_soft_are_too_much() -> None:
    assert [False, True] == [HARD * letters >= SUSPENSION_POINTS for letters in (1, 2)]
    assert [False, True] == [SOFT * letters >= SUSPENSION_POINTS for letters in (3, 4)]


def test_a_bounce_address_counts_for_30_days() -> None:
    assert bounce_counts(NOON, NOON + timedelta(days=30))
    assert not bounce_counts(NOON, NOON + timedelta(days=30, seconds=1))
