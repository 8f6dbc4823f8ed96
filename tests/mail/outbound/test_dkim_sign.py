"""Our letters' signatures, verified by dkimpy and by an RFC 8463 reader.

The example of RFC 8463 tests that reader.
"""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import dkim
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from dkim.canonicalization import CanonicalizationPolicy
from dkim.util import parse_tag_value
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.outbound.dkim_sign import (
    BadDkimKey,
    Signer,
    dkim_record,
    new_key,
    pem,
    public_text,
    read_key,
    zone_line,
)
from tests.mail.letters import SAMPLES, parse_sample, sample_bytes

RSA, ED25519 = new_key("rsa"), new_key("ed25519")
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOST = "pbem.example.org"

RFC_8463_KEY = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
RFC_8463_MAIL = b"""\
DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
""".replace(b"\n", b"\r\n")


def signed(raw: bytes, key: object = RSA) -> bytes:
    return Signer(HOST, "pbem", key).sign(raw, NOON)  # type: ignore[arg-type]


def believed(raw: bytes) -> bool:
    """Say if dkimpy accepts the signature, with our record in DNS."""
    asked = {f"pbem._domainkey.{HOST}.".encode(): dkim_record(RSA).encode()}
    return bool(dkim.verify(raw, dnsfunc=lambda name, timeout=5: asked[name]))


def ed25519_believed(raw: bytes, public: str) -> bool:
    """Verify by RFC 8463 3, relaxed/relaxed, with dkimpy's canonical forms."""
    headers, body = dkim.rfc822_parse(raw)
    (own,) = [header for header in headers if header[0].lower() == b"dkim-signature"]
    fields = parse_tag_value(own[1])
    relaxed = CanonicalizationPolicy.from_c_value(b"relaxed/relaxed")
    if sha256(relaxed.canonicalize_body(body)).digest() != b64decode(fields[b"bh"]):
        return False
    named = [name.strip().lower() for name in fields[b"h"].split(b":")]
    hasher = sha256()
    dkim.hash_headers(hasher, relaxed, relaxed.canonicalize_headers(headers), named, own, fields)
    try:
        key = Ed25519PublicKey.from_public_bytes(b64decode(public))
        key.verify(b64decode(re.sub(rb"\s", b"", fields[b"b"])), hasher.digest())
    except InvalidSignature:
        return False
    return True


def shape(name: str) -> tuple[str, ...]:
    """The headers of a letter and of its parts."""
    message = parse_sample(sample_bytes(SAMPLES[name]))
    return tuple(f"{header}: {part.get_content_type()}" for part in message.walk() for header in part)


SHAPES = {shape(name): name for name in reversed(SAMPLES)}
"""The first letter of each shape."""
each_shape = pytest.mark.parametrize("name", SHAPES.values())


@each_shape
def test_every_shape_of_letter_is_believed_when_it_is_signed(name: str) -> None:
    letter = sample_bytes(SAMPLES[name])
    raw = signed(letter)
    assert believed(raw)
    assert raw.endswith(letter)


def test_the_examples_of_rfc_8463_vouch_for_our_reader() -> None:
    assert ed25519_believed(RFC_8463_MAIL, RFC_8463_KEY)
    assert not ed25519_believed(RFC_8463_MAIL.replace(b"dinner", b"supper"), RFC_8463_KEY)
    assert not ed25519_believed(RFC_8463_MAIL.replace(b"lost", b"won"), RFC_8463_KEY)


@each_shape
def test_every_shape_of_letter_is_believed_with_an_ed25519_key(name: str) -> None:
    assert ed25519_believed(signed(sample_bytes(SAMPLES[name]), ED25519), public_text(ED25519))


TURN = sample_bytes(SAMPLES["turn"])


@pytest.mark.parametrize(
    "header",
    ["From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References", "Auto-Submitted",
     "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post", "Content-Type", "MIME-Version"],
)  # fmt: skip
def test_a_header_that_is_changed_on_the_way_breaks_the_signature(header: str) -> None:
    raw = signed(TURN) if header.encode() in TURN else signed(f"{header}: <x@y>\r\n".encode() + TURN)
    changed = re.sub(rb"(?m)^(%s: .)" % header.encode(), rb"\1x", raw, count=1)
    assert changed != raw
    assert believed(raw)
    assert not believed(changed)


@pytest.mark.parametrize("header", ["From", "Subject", "To", "Reply-To", "Date", "In-Reply-To"])
def test_a_header_that_is_added_on_the_way_breaks_the_signature(header: str) -> None:
    assert not believed(f"{header}: mallory@example.net\r\n".encode() + signed(TURN))


def test_what_relays_do_to_a_letter_does_not_break_the_signature() -> None:
    raw = signed(TURN)
    assert believed(b"Received: from x by y;\r\n\tSun, 1 Nov 2026 12:00:00 +0000\r\n" + raw)
    assert believed(re.sub(rb"(?m)^Subject: ", b"Subject:\t ", raw))
    assert believed(raw + b"\r\n\r\n")


def test_a_body_that_is_changed_breaks_the_signature() -> None:
    assert not believed(signed(TURN).replace(b"</html>", b"<b>x</b></html>"))


def test_the_same_letter_signed_twice_is_the_same_bytes() -> None:
    assert signed(TURN) == signed(TURN)
    assert signed(TURN, ED25519) == signed(TURN, ED25519)


def test_no_line_of_a_signature_is_long() -> None:
    head = signed(TURN).partition(b"\r\nFrom:")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 78


@given(
    st.binary(max_size=300).filter(lambda body: b"\r" not in body.replace(b"\r\n", b"") and b"\0" not in body)
)
def test_any_body_at_all_is_believed(body: bytes) -> None:
    text = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert believed(signed(b"From: a@b.org\r\nSubject: x\r\n\r\n" + text))


@pytest.mark.parametrize("key", [RSA, ED25519])
def test_a_key_is_read_as_it_was_written(key: object, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(pem(key))  # type: ignore[arg-type]
    assert public_text(key) == public_text(read_key(path))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no private key"),
        (b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n", "no private key"),
        (pem(generate_private_key(65537, 1024)).replace(b"A", b"B"), "no private key"),
    ],
)
def test_a_file_that_holds_no_key_says_so(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(content)
    with pytest.raises(BadDkimKey, match=why):
        read_key(path)


def test_a_record_of_an_rsa_key_is_cut_into_strings_of_255() -> None:
    line = zone_line("pbem._domainkey.example.org", dkim_record(RSA))
    strings = re.findall(r'"([^"]*)"', line)
    assert dkim_record(RSA) == "".join(strings)
    assert {True} == {len(string) <= 255 for string in strings}
    assert line.startswith("pbem._domainkey.example.org. IN TXT ( ")
