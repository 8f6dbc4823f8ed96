"""Webhooks of mail providers: proofs made with our own keys."""

from __future__ import annotations

import hmac
import json
import logging
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID
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
TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail"
CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem"
GRID_KEY = ec.generate_private_key(ec.SECP256R1())
GRID = b64encode(
    GRID_KEY.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
).decode()
AMAZON = rsa.generate_private_key(65537, 2048)
KEYS = {
    "PBEM_MAILGUN_KEY": GUN,
    "PBEM_SENDGRID_KEY": GRID,
    "PBEM_POSTMARK_LOGIN": LOGIN,
    "PBEM_WEBHOOK_KEY": HOOK,
    "PBEM_SES_TOPIC": TOPIC,
}


@dataclass
class Desk:
    """The server's web app with its own clock, fetching only from `pages`."""

    app: App
    client: FlaskClient
    pages: dict[str, bytes] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)

    def fetch(self, url: str) -> bytes:
        self.fetched.append(url)
        return self.pages[url]

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
    flask_app = create_app(app)
    desk = Desk(app, flask_app.test_client())
    flask_app.extensions["fetch"] = desk.fetch
    return desk


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


def by_sendgrid(raw: bytes = MAIL, to: str = PLAY, at: datetime = NOW, key: Any = GRID_KEY) -> Post:
    envelope = json.dumps({"to": [to], "from": "bill@example.org"}).encode()
    body, kind = multipart({"email": raw, "envelope": envelope, "subject": b"x"})
    signature = b64encode(key.sign(stamp(at).encode() + body, ec.ECDSA(hashes.SHA256()))).decode()
    headers = {
        "Content-Type": kind,
        "X-Twilio-Email-Event-Webhook-Timestamp": stamp(at),
        "X-Twilio-Email-Event-Webhook-Signature": signature,
    }
    return Post("/mail/sendgrid", body, headers)


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


def certificate(key: rsa.RSAPrivateKey = AMAZON, until: datetime = NOW + timedelta(days=9)) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(7).not_valid_before(NOW - timedelta(days=99)).not_valid_after(until)
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def from_amazon(
    told: Mapping[str, Any], names: str, key: rsa.RSAPrivateKey = AMAZON, version: str = "2"
) -> Post:
    text = "".join(f"{name}\n{told[name]}\n" for name in names.split() if name in told)
    algorithm: hashes.HashAlgorithm = hashes.SHA256() if version == "2" else hashes.SHA1()
    signature = b64encode(key.sign(text.encode(), padding.PKCS1v15(), algorithm)).decode()
    whole = {"SigningCertURL": CERTIFICATE, "SignatureVersion": version, "Signature": signature, **told}
    return Post("/mail/ses", json.dumps(whole).encode(), {"Content-Type": "text/plain; charset=UTF-8"})


def by_ses(
    raw: bytes = MAIL,
    to: str = PLAY,
    at: datetime = NOW,
    key: rsa.RSAPrivateKey = AMAZON,
    version: str = "2",
    **more: str,
) -> Post:
    message = {
        "notificationType": "Received",
        "mail": {"source": "bill@example.org"},
        "receipt": {"recipients": [to], "action": {"type": "SNS", "encoding": "BASE64"}},
        "content": b64encode(raw).decode(),
    }
    told = {
        "Type": "Notification",
        "MessageId": "22b8",
        "TopicArn": TOPIC,
        "Subject": "Amazon SES Email Receipt Notification",
        "Message": json.dumps(message),
        "Timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        **more,
    }
    return from_amazon(told, "Message MessageId Subject Timestamp TopicArn Type", key, version)


def subscription(url: str, topic: str = TOPIC) -> Post:
    told = {
        "Type": "SubscriptionConfirmation",
        "MessageId": "165",
        "Token": "2336",
        "TopicArn": topic,
        "Message": "You have chosen to subscribe.",
        "SubscribeURL": url,
        "Timestamp": NOW.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
    }
    return from_amazon(told, "Message MessageId SubscribeURL Timestamp Token TopicArn Type")


WAYS: dict[str, Callable[..., Post]] = {
    "mailgun": by_mailgun,
    "sendgrid": by_sendgrid,
    "postmark": by_postmark,
    "signed": by_our_own,
    "ses": by_ses,
}
SENT = {way: (TEXT if way == "postmark" else MAIL) for way in WAYS}
WRONG_KEYS: dict[str, Any] = {
    "mailgun": "another-key-of-mailgun-1",
    "sendgrid": ec.generate_private_key(ec.SECP256R1()),
    "postmark": "postmark:correct-horse-batterY",
    "signed": "i" * 32,
    "ses": rsa.generate_private_key(65537, 2048),
}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, ctx: Desk) -> str:
    ctx.pages[CERTIFICATE] = certificate()
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
    body = b"" if way in ("mailgun", "ses") else sent.body
    assert 403 == ctx.post(replace(sent, headers=bare, body=body))
    assert [] == ctx.kept()


@pytest.mark.parametrize("way", ["sendgrid", "signed", "ses"])
def test_a_body_that_was_changed_is_refused(ctx: Desk, way: str) -> None:
    ctx.pages[CERTIFICATE] = certificate()
    sent = WAYS[way](TEXT)
    changed = (
        sent.body.replace(b"help", b"game") if way != "ses" else sent.body.replace(b"Received", b"received")
    )
    assert sent.body != changed
    assert 403 == ctx.post(replace(sent, body=changed))
    assert [] == ctx.kept()


@pytest.mark.parametrize("way", ["mailgun", "sendgrid", "signed", "ses"])
@pytest.mark.parametrize("off", [timedelta(days=-4), timedelta(days=4)])
def test_a_proof_of_another_time_is_refused(ctx: Desk, way: str, off: timedelta) -> None:
    ctx.pages[CERTIFICATE] = certificate()
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


@pytest.mark.parametrize("way", ["sendgrid", "postmark", "signed", "ses"])
def test_a_post_that_is_replayed_is_a_duplicate(ctx: Desk, way: str) -> None:
    ctx.pages[CERTIFICATE] = certificate()
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


# Amazon.


@pytest.mark.parametrize("version", ["1", "2"])
def test_both_versions_of_amazons_signature_are_read_and_the_certificate_fetched_once(
    ctx: Desk, version: str
) -> None:
    ctx.pages[CERTIFICATE] = certificate()
    assert [200, 200] == [ctx.post(by_ses(MAIL + b"%d" % n, version=version)) for n in range(2)]
    assert [CERTIFICATE] == ctx.fetched


@pytest.mark.parametrize(
    "url",
    [
        "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem",
        "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0a1b.pem",
        "https://sns.eu-west-1.amazonaws.com.example.net/SimpleNotificationService-0a1b.pem",
        "https://sns.eu-west-1.amazonaws.com@example.net/SimpleNotificationService-0a1b.pem",
        "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0a1b.pem",
        "https://sns.eu-west-1.amazonaws.com/elsewhere.pem",
        "https://snsXeu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem",
        "https://example.net/SimpleNotificationService-0a1b.pem",
        CERTIFICATE + "\n",
    ],
)
def test_a_certificate_from_elsewhere_is_not_even_fetched(ctx: Desk, url: str) -> None:
    ctx.pages[url] = certificate()
    assert 403 == ctx.post(by_ses(SigningCertURL=url))
    assert [] == ctx.fetched


def test_a_certificate_that_has_run_out_is_refused(ctx: Desk) -> None:
    ctx.pages[CERTIFICATE] = certificate(until=NOW - timedelta(seconds=1))
    assert 403 == ctx.post(by_ses())


@pytest.mark.parametrize("page", [b"<Error>no such key</Error>", b"", None])
def test_a_certificate_that_is_none_is_a_503_and_asked_for_again_after_a_while(
    ctx: Desk, page: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    def fetch(url: str) -> bytes:
        ctx.fetched.append(url)
        if ctx.pages:
            return ctx.pages[url]
        if page is None:
            raise OSError("no way there")
        return page

    at = [NOW]
    flask_app = create_app(replace(ctx.app, clock=lambda: at[0]))
    flask_app.extensions["fetch"] = fetch
    ctx.client = flask_app.test_client()
    assert [503] * 3 == [ctx.post(by_ses()) for _ in range(3)]
    assert [CERTIFICATE] == ctx.fetched
    assert "Traceback" not in caplog.text
    at[0] += timedelta(minutes=6)
    ctx.pages[CERTIFICATE] = certificate()
    assert 200 == ctx.post(by_ses())


def test_ever_other_certificates_are_not_asked_for_without_end(ctx: Desk) -> None:
    def fetch(url: str) -> bytes:
        ctx.fetched.append(url)
        raise OSError("404")

    ctx.client.application.extensions["fetch"] = fetch
    for number in range(30):
        posted = json.loads(by_ses().body)
        posted["SigningCertURL"] = CERTIFICATE.replace("0a1b", f"{number}")
        assert 503 == ctx.post(replace(by_ses(), body=json.dumps(posted).encode()))
    assert 10 == len(ctx.fetched)


@pytest.mark.parametrize("name", ["body-mime", "token", "%" * 100])
def test_four_million_percent_signs_cost_nothing_before_the_proof(ctx: Desk, name: str) -> None:
    body = f"timestamp=1&signature=2&{name}={'%' * 4_000_000}".encode()
    post = Post("/mail/mailgun/mime", body, {"Content-Type": "application/x-www-form-urlencoded"})
    assert quick(0.3, lambda: ctx.post(post)) in (400, 403)
    assert [] == ctx.kept()


def test_a_post_of_another_topic_is_refused_though_amazon_signed_it(ctx: Desk) -> None:
    ctx.pages[CERTIFICATE] = certificate()
    assert 403 == ctx.post(by_ses(TopicArn="arn:aws:sns:eu-west-1:999999999999:mail"))
    assert [] == ctx.fetched


def test_only_a_subscription_of_our_topic_on_amazons_host_is_confirmed(ctx: Desk) -> None:
    good = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=x&Token=2336"
    bad = "https://sns.eu-west-1.amazonaws.com.example.net/?Action=ConfirmSubscription"
    ctx.pages |= {CERTIFICATE: certificate(), good: b"<ok/>", bad: b"<ok/>"}
    other = "arn:aws:sns:eu-west-1:999999999999:mail"
    assert [200, 403, 403] == [
        ctx.post(sent) for sent in (subscription(good), subscription(bad), subscription(good, other))
    ]
    assert [CERTIFICATE, good] == ctx.fetched


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
