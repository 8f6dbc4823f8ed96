"""Signed mail in the wrong hands, which gives no power.

Bill writes or has written. Joao has the signed mail, and adds text above it or where nothing is signed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email.utils import format_datetime

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail, reply_mail
from tests.apps import BILL, JOAO, NO_DEVELOPMENT, PLAY, Clock, a_game, letters, mail, moves, writes
from tests.mail.zone import SIGNED, Zone, sign_for_domain
from tests.people import NOON

Vouch = Callable[[bytes], bytes]
DATE = format_datetime(NOON).encode()
MORE = (*SIGNED, b"mime-version", b"content-type")


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": "mx.localhost"}


@pytest.fixture(params=["here", "in front"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def app(app: App, way: str) -> App:
    return replace(app, lookup=Zone()) if way == "here" else app


@pytest.fixture
def vouched(app: App, way: str) -> Vouch:
    """The header of the checking mail server, or a key to check."""
    if way == "in front":
        top = b"Authentication-Results: mx.localhost; dmarc=pass\r\nReceived: from x by mx.localhost\r\n"
        return lambda raw: top + raw

    def published(raw: bytes) -> bytes:
        assert isinstance(app.lookup, Zone)
        app.lookup.publish("example.org")
        return raw

    return published


def written(
    to: str, words: str, *more: bytes, date: bytes = DATE, headers: tuple[bytes, ...] = MORE
) -> bytes:
    """A signed mail of Bill's."""
    top = b"".join(line + b"\r\n" for line in (b"Date: " + date, *more))
    return sign_for_domain(top + new_mail(BILL, to, words), "example.org", headers=headers)


@pytest.mark.parametrize(
    "added",
    [
        b"To: play@localhost\r\n",
        b"To: play@localhost\r\nSubject: #1\r\n",
        b"Cc: play@localhost\r\n",
    ],
)
def test_a_mail_to_somebody_else_is_not_made_one_to_us(app: App, vouched: Vouch, added: bytes) -> None:
    a_game(app)
    private = vouched(added + written(JOAO, "f2"))
    assert "stranger" == mail(app, JOAO, private)
    assert [] == moves(app)
    assert ".proof." in letters(app, BILL)[-1].header("Message-ID")


@pytest.mark.parametrize(
    "added",
    [
        b"Subject: #1",
        b"In-Reply-To: <x@example.org>\r\nIn-Reply-To: <y@example.org>",
        b"References: <x@example.org>\r\nReferences: <y@example.org>",
        b"Date: " + DATE,
        b"Message-ID: <x@example.org>",
        b"Content-Type: multipart/mixed; boundary=X",
        b"Content-Transfer-Encoding: base64",
        b"MIME-Version: 1.0",
    ],
)
def test_a_header_that_stands_twice_proves_nothing(app: App, vouched: Vouch, added: bytes) -> None:
    a_game(app)
    assert "stranger" == mail(app, JOAO, vouched(added + b"\r\n" + written(PLAY, "f2")))
    assert [] == moves(app)


@pytest.mark.parametrize("left_out", [b"to", b"subject", b"date", b"cc", b"in-reply-to", b"references"])
def test_what_the_signature_does_not_cover_may_be_anyones(app: App, vouched: Vouch, left_out: bytes) -> None:
    a_game(app)
    headers = tuple(name for name in MORE if name != left_out)
    more = () if left_out in (b"to", b"subject", b"date") else (left_out + b": <x@example.org>",)
    assert "stranger" == mail(app, JOAO, vouched(written(PLAY, "f2", *more, headers=headers)))
    assert [] == moves(app)
    assert ".proof." in letters(app, BILL)[-1].header("Message-ID")


def test_a_mail_that_came_from_the_domains_own_host_was_not_passed_on(app: App, way: str) -> None:
    a_game(app)
    raw = written(PLAY, "f2", headers=(b"from", b"date", b"subject"))
    top = (
        b"Authentication-Results: mx.localhost; dmarc=pass; spf=pass smtp.mailfrom=bill@example.org\r\n"
        b"Received: from x by mx.localhost; today\r\n"
    )
    assert "done" == mail(app, BILL, top + raw)
    assert ["f2"] == moves(app)


@pytest.mark.parametrize(
    "date", ["Mon, 02 Mar 2020 12:00:00 +0000", "Sun, 08 Mar 2037 12:00:00 +0000", "soon"]
)
def test_a_mail_of_another_time_proves_nothing(app: App, vouched: Vouch, date: str) -> None:
    a_game(app)
    assert "stranger" == mail(app, JOAO, vouched(written(PLAY, "f2", date=date.encode())))
    assert [] == moves(app)


@pytest.mark.parametrize("days", [0, 4])
def test_a_mail_that_was_under_way_for_some_days_is_believed(
    app: App, vouched: Vouch, clock: Clock, days: int
) -> None:
    a_game(app)
    raw = written(PLAY, "f2")
    clock.pass_by(days=days)
    assert "done" == mail(app, BILL, vouched(raw))


@pytest.mark.parametrize("changed", [b"", b"Message-ID: <other@example.org>", b"blanks"])
def test_the_same_mail_counts_once_whoever_brings_it(
    app: App, vouched: Vouch, clock: Clock, changed: bytes
) -> None:
    """Its Message-ID may be unsigned, and trailing blanks always are."""
    a_game(app)
    raw = written(PLAY, "say well played", headers=(b"from", b"to", b"subject", b"date"))
    assert "done" == mail(app, BILL, vouched(raw))
    heard = len(letters(app, JOAO))
    own = raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0]
    again = raw.replace(b"well played\r\n", b"well  played \r\n\r\n") if changed == b"blanks" else raw
    again = again.replace(own, b"<other@example.org>") if changed else again
    clock.pass_by(days=4)
    assert "duplicate" == mail(app, JOAO, vouched(again))
    assert heard == len(letters(app, JOAO))


def test_a_mail_to_a_reply_address_is_not_done_again_without_it(app: App, vouched: Vouch) -> None:
    bills, _ = a_game(app)
    raw = b"Date: " + DATE + b"\r\n" + reply_mail(bills, BILL, "say well played")
    raw = sign_for_domain(raw.replace(b"To: ", f"Cc: {JOAO}\r\nTo: ".encode(), 1), "example.org")
    assert "done" == mail(app, BILL, vouched(raw), bills.header("Reply-To"))
    assert "duplicate" == mail(app, JOAO, vouched(raw))


def test_the_same_words_sent_again_are_another_mail(app: App, vouched: Vouch, clock: Clock) -> None:
    a_game(app)
    assert "done" == mail(app, BILL, vouched(written(PLAY, "show")))
    clock.pass_by(seconds=1)
    later = format_datetime(clock.now).encode()
    assert "done" == mail(app, BILL, vouched(written(PLAY, "show", date=later)))


def test_a_move_in_a_mail_that_answers_no_letter_is_for_the_board_of_its_date(
    app: App, vouched: Vouch, clock: Clock
) -> None:
    a_game(app)
    old = written(PLAY, "game 1\ng1")
    clock.pass_by(hours=1)
    assert "done" == reply_unsigned(app, BILL, "f2")
    assert "done" == reply_unsigned(app, JOAO, "f4")
    assert "refused" == mail(app, JOAO, vouched(old))
    assert ["f2", "f4"] == moves(app)


def test_a_clock_that_is_minutes_slow_keeps_nobody_from_playing(
    app: App, vouched: Vouch, clock: Clock
) -> None:
    a_game(app)
    clock.pass_by(minutes=10)
    reply_unsigned(app, BILL, "f2")
    reply_unsigned(app, JOAO, "f4")
    assert "done" == mail(app, BILL, vouched(written(PLAY, "game 1\ng1")))


def reply_unsigned(app: App, who: str, words: str) -> str:
    """A reply address needs no signature, so DNS is not asked yet."""
    return writes(app, who, words)
