"""Bounces as hosts write them: RFC 3464 reports, older forms, and garbage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.bounces import HARD, NONE, SOFT, points_of
from pbem.mail.inbound.bounce_report import read_bounce
from tests.mail.corpus import CORPUS
from tests.quickness import quick

BILL = "bill@example.org"
BOUNCES = {name: case.raw for name, case in CORPUS.items() if "bounce" in name}

RETURNED = "From: <play@games.example.org>\nTo: bill@example.org\nSubject: Bipod #42\n\nYour turn.\n"


def dsn(blocks: str, *, kind: str = "message/delivery-status", report: str = "delivery-status") -> bytes:
    """Return a bounce with a delivery report, like Postfix, Exchange and Gmail."""
    return (
        "From: MAILER-DAEMON@mail.example.org (Mail Delivery System)\n"
        "To: bounce+00@games.example.org\nSubject: Undelivered Mail Returned to Sender\n"
        f'MIME-Version: 1.0\nContent-Type: multipart/report; report-type={report}; boundary="d"\n\n'
        "--d\nContent-Type: text/plain\n\nThis is the mail system.\n\n"
        f"--d\nContent-Type: {kind}\n\nReporting-MTA: dns; mail.example.org\n\n{blocks}\n"
        f"--d\nContent-Type: message/rfc822\n\n{RETURNED}\n--d--\n"
    ).encode()


def block(status: str, action: str = "failed", address: str = BILL, more: str = "") -> str:
    return f"Final-Recipient: rfc822; {address}\n{more}Action: {action}\nStatus: {status}\n"


def old(words: str, subject: str, sender: str = "MAILER-DAEMON@mail.example.org", more: str = "") -> bytes:
    """Return a bounce older than reports: plain words."""
    return f"From: {sender}\nTo: bounce+00@games.example.org\nSubject: {subject}\n{more}\n{words}".encode()


QMAIL = """\
Hi. This is the qmail-send program at mail.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<bill@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <bounce+00@games.example.org>
"""
EXIM = """\
This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  bill@example.org
    Unrouteable address
"""
GMAIL_LATE = """\
This is an automatically generated Delivery Status Notification

THIS IS A WARNING MESSAGE ONLY.

YOU DO NOT NEED TO RESEND YOUR MESSAGE.

Delivery to the following recipient has been delayed:

     bill@example.org

Message will be retried for 2 more day(s)
"""
AWAY = "I am away until Monday. Please write to joao@example.net meanwhile.\n"


@pytest.mark.parametrize(
    ("raw", "points"),
    [
        (dsn(block("5.1.1")), HARD),
        (dsn(block("5.1.1")).replace(b"\n", b"\r\n"), HARD),
        (dsn(block("5.2.2")), SOFT),
        (dsn(block("4.4.7")), SOFT),
        (dsn(block("4.4.1", "delayed")), NONE),
        (dsn(block("2.0.0", "delivered")), NONE),
        (dsn(block("2.0.0", "relayed")), NONE),
        (dsn(block("5.1.1", address="joao@example.net")), NONE),
        (dsn(block("5.1.1", address="joao@example.net") + "\n" + block("4.2.2")), SOFT),
        (dsn(block("5.1.1", address="bt@x.example", more=f"Original-Recipient: rfc822;{BILL}\n")), HARD),
        (dsn(block("5.1.1", address=f"<{BILL}>")), HARD),
        (dsn(f"Final-Recipient: {BILL}\nAction: failed\nStatus: 5.1.1\n"), HARD),
        (dsn("Final-Recipient: RFC822;Bill@EXAMPLE.org\nAction: Failed\nStatus: 5.1.1 (gone)\n"), HARD),
        (dsn("Final-Recipient: rfc822;\n bill@example.org\nAction: failed\nStatus: 5.0.0\n"), HARD),
        (dsn(f"Final-Recipient: rfc822; {BILL}\nAction: failed\n"), HARD),
        (dsn(block("5.1.1"), kind="message/global-delivery-status"), HARD),
        (dsn(block("5.1.1")).replace(b"; report-type=delivery-status", b""), HARD),
        (dsn("Status: 5.1.1\nAction: failed\n"), NONE),
        (dsn(""), NONE),
        (old(QMAIL, "failure notice"), HARD),
        (old(QMAIL.replace("(#5.1.1)", "(#5.7.1)"), "failure notice"), NONE),
        (old(EXIM, "Mail delivery failed", more=f"X-Failed-Recipients: {BILL}\n"), HARD),
        (
            old(
                EXIM.replace("Unrouteable address", "host mx.example.org: 550 5.7.26 unauthenticated"),
                "Mail delivery failed",
                more=f"X-Failed-Recipients: {BILL}\n",
            ),
            NONE,
        ),
        (old(EXIM, "Mail delivery failed", more="X-Failed-Recipients: joao@example.net\n"), NONE),
        (old(GMAIL_LATE, "Delivery Status Notification (Delay)"), NONE),
        (old(AWAY, "Out of office", sender=BILL), NONE),
        (old("Your mail could not be delivered.\n", "Undeliverable"), NONE),
        (QMAIL.encode(), NONE),
        (b"", NONE),
    ],
)
def test_bounces_count_as_their_report_says_or_their_form(raw: bytes, points: int) -> None:
    assert points == points_of(read_bounce(raw), BILL)[0]


def test_a_report_inside_the_returned_letter_is_none() -> None:
    inner = dsn(block("5.1.1")).replace(b'boundary="d"', b'boundary="e"').replace(b"--d", b"--e")
    raw = dsn(block("4.4.1", "delayed")).replace(RETURNED.encode(), inner)
    assert NONE == points_of(read_bounce(raw), BILL)[0]


def test_of_a_hundred_recipients_the_first_twenty_are_read() -> None:
    raw = dsn("\n".join(block("5.1.1", address=f"n{n}@example.org") for n in range(100)))
    assert 20 == len(read_bounce(raw))


HOSTILE = {
    "parts": dsn("x").replace(b"--d\n", b"--d\n\n" * 20_000),
    "levels": b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(1500)
    ),
    "nested mails": b"From: x@x\nContent-Type: message/rfc822\n\n" * 3000,
    "headers": b"X: y\n" * 40_000,
    "brackets": old("<" * 250_000, "failure notice"),
    "spaces": old(" " * 250_000 + "@", "failure notice"),
    "one line": old("a" * 250_000 + "@example.org", "failure notice"),
    "many addresses": old(QMAIL + "<bill@example.org>:\n" * 10_000, "failure notice"),
    "many ats": old(EXIM + "  a@" * 60_000, "Mail delivery failed"),
    "no from": QMAIL.encode().join([b"Subject: failure notice\n\n", b""]),
    "nul": old("\0" * 200_000, "\0"),
    "8-bit": "From: ü\nSubject: \udcff\n\n".encode("utf-8", "surrogateescape") + b"\xff\xfe" * 90_000,
    "a bad charset": dsn(block("5.1.1")).replace(
        b"Content-Type: text/plain", b"Content-Type: text/plain; charset=\xff"
    ),
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_hostile_bounces_are_read_soon_or_not_at_all(raw: bytes) -> None:
    quick(1, lambda: points_of(read_bounce(raw), BILL))


@given(st.sampled_from(sorted(BOUNCES)), st.randoms(use_true_random=False))
def test_bounces_of_the_corpus_cut_and_mixed_raise_nothing(name: str, rng) -> None:
    raw = bytearray(BOUNCES[name])
    for _ in range(rng.randrange(12)):
        at = rng.randrange(len(raw) + 1)
        raw[at : at + rng.randrange(30)] = rng.randbytes(rng.randrange(10))
    read_bounce(bytes(raw))


def test_the_reports_of_the_corpus_are_found() -> None:
    reports = {name: read_bounce(raw) for name, raw in BOUNCES.items() if name.startswith("bounce-")}
    assert {"bounce-postfix", "bounce-exchange", "bounce-no-envelope"} <= {
        name for name, found in reports.items() if points_of(found, BILL)[0]
    }
