"""Webhooks of mail providers: proofs made with our own keys."""

from __future__ import annotations

import hmac
import json
import logging
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.mail.addresses import Token
from pbem.store import inbox
from pbem.web import create_app
from tests.amount import some
from tests.quickness import quick
from tests.web.library import PUBLIC

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAY = "play@pbem.example.org"
NOBODY = "nobody@pbem.example.org"
MAIL = b"From: bill@example.org\r\nTo: play@pbem.example.org\r\nMessage-ID: <1@x>\r\n\r\nhelp \xe9\xff\r\n"
TEXT = MAIL.replace(b" \xe9\xff", b"")
"""The same for providers whose JSON holds text, not bytes."""
GUN, HOOK, LOGIN = "key-of-mailgun-0123456789", "h" * 32, "postmark:correct-horse-battery"
KEYS = {
    "PBEM_MAILGUN_KEY": GUN,
    "PBEM_POSTMARK_LOGIN": LOGIN,
    "PBEM_WEBHOOK_KEY": HOOK,
}


@dataclass
class Desk:
    """The server's web app with its own clock."""

    app: App
    client: FlaskClient

    def kept(self) -> list[tuple[str, str, bytes]]:
        """Sender, recipient and bytes of every new mail."""
        with self.app.store.read() as db:
            return [(kept.sender, kept.recipient, kept.raw) for kept in inbox.mails_in_state(db, "new")]

    def duplicates(self) -> int:
        with self.app.store.read() as db:
            return len(inbox.mails_in_state(db, "duplicate"))

    def post(self, message: Post) -> int:
        return self.client.post(message.path, data=message.body, headers=message.headers).status_code


@dataclass(frozen=True)
class Post:
    """One post as a provider makes it."""

    path: str
    body: bytes
    headers: Mapping[str, str]


def open_desk(folder: Path, url: str, **settings: str) -> Desk:
    environ = {"PBEM_VAR": str(folder), "PBEM_DATABASE": url, "PBEM_SECRET": "s" * 32} | PUBLIC | settings
    app = open_app(config_from(environ), clock=lambda: NOW)
    return Desk(app, create_app(app).test_client())


@pytest.fixture
def ctx(tmp_path: Path, database_url: str) -> Iterator[Desk]:
    desk = open_desk(tmp_path, database_url, **KEYS)
    yield desk
    desk.app.close()


def stamp(at: datetime) -> str:
    return str(int(at.timestamp()))


def sealed(key: str, text: bytes) -> str:
    return hmac.new(key.encode(), text, sha256).hexdigest()


def multipart(fields: Mapping[str, bytes]) -> tuple[bytes, str]:
    parts = [
        b'--xx\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value)
        for name, value in fields.items()
    ]
    return b"".join(parts) + b"--xx--\r\n", "multipart/form-data; boundary=xx"


def by_mailgun(
    raw: bytes = MAIL,
    to: str = PLAY,
    at: datetime = NOW,
    key: str = GUN,
    token: str = "t" * 50,
    **more: bytes,
) -> Post:
    fields = {
        "recipient": to.encode(),
        "sender": b"bill@example.org",
        "timestamp": stamp(at).encode(),
        "token": token.encode(),
        "signature": sealed(key, f"{stamp(at)}{token}".encode()).encode(),
        "body-mime": raw,
        **more,
    }
    body, kind = multipart(fields)
    return Post("/mail/mailgun/mime", body, {"Content-Type": kind})


def by_postmark(raw: bytes = TEXT, to: str = PLAY, key: str = LOGIN) -> Post:
    told = {"RawEmail": raw.decode(), "OriginalRecipient": to, "TextBody": "help"}
    headers = {
        "Content-Type": "application/json",
        "Authorization": "Basic " + b64encode(key.encode()).decode(),
    }
    return Post("/mail/postmark", json.dumps(told).encode(), headers)


def by_our_own(
    raw: bytes = MAIL, to: str = PLAY, at: datetime = NOW, key: str = HOOK, sender: str = "bill@example.org"
) -> Post:
    head = f"{stamp(at)}\n{quote(sender)}\n{quote(to)}\n".encode()
    headers = {
        "Content-Type": "message/rfc822",
        "X-PBEM-Timestamp": stamp(at),
        "X-PBEM-Sender": quote(sender),
        "X-PBEM-Recipient": quote(to),
        "X-PBEM-Signature": sealed(key, head + raw),
    }
    return Post("/mail/signed", raw, headers)


WAYS: dict[str, Callable[..., Post]] = {
    "mailgun": by_mailgun,
    "postmark": by_postmark,
    "signed": by_our_own,
}
SENT = {way: (TEXT if way == "postmark" else MAIL) for way in WAYS}
WRONG_KEYS: dict[str, Any] = {
    "mailgun": "another-key-of-mailgun-1",
    "postmark": "postmark:correct-horse-batterY",
    "signed": "i" * 32,
}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, ctx: Desk) -> str:
    return str(request.param)


def test_a_mail_is_kept_as_it_was_sent(ctx: Desk, way: str) -> None:
    assert 200 == ctx.post(WAYS[way]())
    ((sender, recipient, raw),) = ctx.kept()
    assert (PLAY, SENT[way]) == (recipient, raw)
    assert ("unknown" if way == "postmark" else "bill@example.org") == sender


def test_a_wrong_key_is_refused_and_nothing_kept(ctx: Desk, way: str) -> None:
    assert 403 == ctx.post(WAYS[way](key=WRONG_KEYS[way]))
    assert [] == ctx.kept()


def test_no_proof_at_all_is_refused_and_nothing_kept(ctx: Desk, way: str) -> None:
    sent = WAYS[way]()
    bare = {name: value for name, value in sent.headers.items() if name == "Content-Type"}
    body = b"" if way == "mailgun" else sent.body
    assert 403 == ctx.post(replace(sent, headers=bare, body=body))
    assert [] == ctx.kept()


def test_a_body_that_was_changed_is_refused(ctx: Desk) -> None:
    sent = by_our_own(TEXT)
    changed = sent.body.replace(b"help", b"game")
    assert sent.body != changed
    assert 403 == ctx.post(replace(sent, body=changed))
    assert [] == ctx.kept()


@pytest.mark.parametrize("way", ["mailgun", "signed"])
@pytest.mark.parametrize("off", [timedelta(days=-4), timedelta(days=4)])
def test_a_proof_of_another_time_is_refused(ctx: Desk, way: str, off: timedelta) -> None:
    assert 403 == ctx.post(WAYS[way](at=NOW + off))
    assert [] == ctx.kept()


@pytest.mark.parametrize("way", ["mailgun", "signed"])
def test_five_minutes_are_fresh_and_a_second_more_is_not(ctx: Desk, way: str) -> None:
    assert 403 == ctx.post(WAYS[way](at=NOW - timedelta(seconds=301)))
    assert 200 == ctx.post(WAYS[way](at=NOW - timedelta(seconds=300)))


def test_a_token_of_mailguns_is_good_for_one_mail(ctx: Desk) -> None:
    other = MAIL.replace(b"help", b"register Mallory")
    assert [200, 403, 403] == [ctx.post(by_mailgun(raw)) for raw in (MAIL, MAIL, other)]
    assert [MAIL] == [raw for _sender, _recipient, raw in ctx.kept()]
    assert 200 == ctx.post(by_mailgun(other, token="u" * 50))


@pytest.mark.parametrize("way", ["postmark", "signed"])
def test_a_post_that_is_replayed_is_a_duplicate(ctx: Desk, way: str) -> None:
    sent = WAYS[way]()
    assert [200, 200] == [ctx.post(sent), ctx.post(sent)]
    assert (1, 1) == (len(ctx.kept()), ctx.duplicates())


def test_a_token_is_not_used_up_by_a_mail_that_could_not_be_kept(tmp_path: Path, sqlite_url: str) -> None:
    desk = open_desk(tmp_path, sqlite_url, **KEYS)
    with desk.app.store.engine.begin() as db:
        db.exec_driver_sql("ALTER TABLE messages_in RENAME TO elsewhere")
    assert 500 == desk.post(by_mailgun())
    with desk.app.store.engine.begin() as db:
        db.exec_driver_sql("ALTER TABLE elsewhere RENAME TO messages_in")
    assert 200 == desk.post(by_mailgun())
    assert 1 == len(desk.kept())
    desk.app.close()


def test_a_database_that_does_not_answer_is_a_503(tmp_path: Path) -> None:
    desk = open_desk(tmp_path, "postgresql://nobody@127.0.0.1:1/none", **KEYS)
    assert 503 == desk.post(by_our_own())
    desk.app.close()


def test_a_mail_for_nobody_here_is_dropped_and_not_asked_for_again(ctx: Desk, way: str) -> None:
    assert 200 == ctx.post(WAYS[way](to=NOBODY))
    assert [] == ctx.kept()


def test_a_mail_for_two_of_ours_is_kept_for_both(ctx: Desk) -> None:
    turn = ctx.app.addressing.reply(Token("game", (42, 1, 7, 0)))
    assert 200 == ctx.post(by_mailgun(to=f"{turn}, {NOBODY}, {PLAY}"))
    assert [turn, PLAY] == [recipient for _sender, recipient, _raw in ctx.kept()]


def test_a_mail_over_the_size_is_refused(ctx: Desk, way: str) -> None:
    large = b"From: bill@example.org\r\n\r\n" + b"words\r\n" * 160_000
    assert 413 == ctx.post(WAYS[way](large))
    assert 413 == ctx.post(WAYS[way](large * 5))
    assert [] == ctx.kept()


def test_a_mail_just_under_the_size_is_kept(ctx: Desk, way: str) -> None:
    large = b"From: bill@example.org\r\n\r\n" + b"words\r\n" * 149_000
    assert 200 == ctx.post(WAYS[way](large))
    assert [large] == [raw for _sender, _recipient, raw in ctx.kept()]


def test_a_way_without_its_setting_is_not_there(tmp_path: Path, sqlite_url: str) -> None:
    desk = open_desk(tmp_path, sqlite_url)
    assert {404} == {desk.post(make()) for make in WAYS.values()}
    assert 404 == desk.client.post("/mail/elsewhere").status_code
    desk.app.close()


def test_looking_at_a_way_in_does_nothing(ctx: Desk) -> None:
    assert {405} == {ctx.client.get(f"/mail/{way}").status_code for way in WAYS}


def test_a_bounce_with_the_null_sender_comes_with_the_null_sender(ctx: Desk) -> None:
    assert 200 == ctx.post(by_our_own(sender=""))
    assert 200 == ctx.post(by_mailgun(MAIL + b"x\r\n", sender=b""))
    assert 200 == ctx.post(by_postmark(b"Return-Path: <>\r\n" + TEXT))
    assert ["", "", ""] == [sender for sender, _recipient, _raw in ctx.kept()]


def test_mailgun_may_post_a_plain_form(ctx: Desk) -> None:
    at, token = stamp(NOW), "t" * 50
    fields = {
        "recipient": PLAY,
        "sender": "bill@example.org",
        "timestamp": at,
        "token": token,
        "signature": sealed(GUN, f"{at}{token}".encode()),
        "body-mime": MAIL,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert 200 == ctx.post(Post("/mail/mailgun/mime", urlencode(fields).encode(), headers))
    assert [MAIL] == [raw for _sender, _recipient, raw in ctx.kept()]


NONSENSE = (b"", b"\xff\xfe", b"--xx\r\n", b"--xx\r\n\r\n--xx--", b"{" * 100_000, b"[]", b"--xx--\r\n" * 1000)
CALLED = ("multipart/form-data; boundary=xx", "multipart/form-data", "text/plain", "")


@pytest.mark.parametrize(("kind", "body"), some(product(CALLED, NONSENSE), 7, itemgetter(0), itemgetter(1)))
def test_nonsense_is_refused_whatever_it_is_called(ctx: Desk, way: str, body: bytes, kind: str) -> None:
    assert ctx.post(Post(f"/mail/{way}", body, {"Content-Type": kind})) in (400, 403)
    assert [] == ctx.kept()


@pytest.mark.parametrize("name", ["body-mime", "token", "%" * 100])
def test_four_million_percent_signs_cost_nothing_before_the_proof(ctx: Desk, name: str) -> None:
    body = f"timestamp=1&signature=2&{name}={'%' * 4_000_000}".encode()
    post = Post("/mail/mailgun/mime", body, {"Content-Type": "application/x-www-form-urlencoded"})
    assert quick(0.3, lambda: ctx.post(post)) in (400, 403)
    assert [] == ctx.kept()


# Logs.


def test_no_token_of_an_address_is_in_any_log_line(
    ctx: Desk, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    turn = ctx.app.addressing.reply(Token("game", (42, 1, 7, 0)))
    forged = turn.replace("play+", "play+b")
    raw = f"To: {turn}\r\n\r\nf2\r\n".encode()
    posts = [WAYS[way](raw, to=turn), WAYS[way](raw, to=forged), WAYS[way](raw, to=turn, key=WRONG_KEYS[way])]
    for sent in posts:
        ctx.post(sent)
    with ctx.app.store.engine.begin() as db:
        db.exec_driver_sql("ALTER TABLE messages_in RENAME TO elsewhere")
    more = {"token": "v" * 50} if way == "mailgun" else {}
    assert 500 == ctx.post(WAYS[way](raw, to=turn, **more))
    assert "a page failed" in caplog.text
    assert turn.partition("+")[2].partition("@")[0] not in caplog.text.lower()
