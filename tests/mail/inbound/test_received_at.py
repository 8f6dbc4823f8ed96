"""The acceptance time comes from our own server, never the sender."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.inbound.envelope import MAX_TRANSIT, acceptance_time, received_line_time

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OURS = "mx.club.example"
POSTFIX = (
    b"Received: from laptop (host.isp.example [192.0.2.1])\r\n"
    b"\tby mx.club.example (Postfix) with ESMTPS id 4abc\r\n"
    b"\tfor <play@club.example>; Sun,  1 Mar 2026 12:50:00 +0100 (CET)\r\n"
)
ELSEWHERE = POSTFIX.replace(b"mx.club.example", b"mail.isp.example").replace(b"12:50", b"09:00")
REST = b"Date: Sat, 28 Feb 2026 00:00:00 +0000\r\nFrom: bill@example.org\r\n\r\nhelp\r\n"


def test_the_topmost_line_of_our_own_server_says_when() -> None:
    assert NOW - 10 * MINUTE == acceptance_time(POSTFIX + ELSEWHERE + REST, NOW, trusted=OURS)
    assert NOW - 10 * MINUTE == acceptance_time(POSTFIX.replace(b"mx.", b"MX.") + REST, NOW, trusted=OURS)


@pytest.mark.parametrize(
    "raw",
    [
        ELSEWHERE + POSTFIX + REST,
        REST,
        b"Date: Sat, 28 Feb 2026 00:00:00 +0000\r\n\r\n" + POSTFIX,
        POSTFIX.replace(b"; Sun", b", Sun") + REST,
        POSTFIX.replace(b"1 Mar", b"31 Feb") + REST,
        b"Received: by mail.isp.example (by mx.club.example); Sun, 1 Mar 2026 11:50:00 +0000\n\n",
        b"Received:\n\n",
        b"",
    ],
    ids=[
        "another on top",
        "none",
        "in the words",
        "no date",
        "no day",
        "ours in a remark",
        "empty",
        "nothing",
    ],
)
def test_where_another_wrote_it_or_nobody_it_is_when_we_have_it(raw: bytes) -> None:
    assert NOW == acceptance_time(raw, NOW, trusted=OURS)
    assert NOW - MINUTE == acceptance_time(raw, NOW, trusted=OURS, kept=NOW - MINUTE)


def test_without_a_name_to_trust_no_line_is_believed() -> None:
    assert NOW == acceptance_time(POSTFIX + REST, NOW, trusted=None)


def test_a_server_whose_clock_is_fast_accepts_nothing_in_the_future() -> None:
    assert NOW - 11 * MINUTE == acceptance_time(POSTFIX + REST, NOW - 11 * MINUTE, trusted=OURS)
    assert NOW == acceptance_time(REST, NOW, trusted=None, kept=NOW + MINUTE)


def test_nothing_is_longer_underway_than_a_server_tries() -> None:
    assert NOW - MAX_TRANSIT == acceptance_time(
        REST, NOW, trusted=None, kept=datetime(1970, 1, 1, tzinfo=UTC)
    )


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail(junk: bytes) -> None:
    received_line_time(b"Received: " + junk, OURS)
    received_line_time(b"Received: by mx.club.example; " + junk, OURS)
    assert (
        NOW - MAX_TRANSIT
        <= acceptance_time(b"Received: by mx.club.example; " + junk, NOW, trusted=OURS)
        <= NOW
    )
