"""Hostile and broken mail: nothing raises or takes long, no machine becomes a person."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import split_words
from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.inbound.parse import dedupe_keys, parse_mail
from pbem.mail.inbound.smime import signed_content
from rules import RULES
from tests.amount import amount
from tests.mail.clients import mail
from tests.mail.corpus import CORPUS
from tests.mail.corpus_mime import opaque_cms
from tests.mail.explain import explain
from tests.quickness import quick

KINDS = ("person", "robot", "bounce", "loop", "refused")
SENT = Envelope("bill@example.org", "play@games.example.org")

SPLINTERS = st.sampled_from(
    [
        b"\n",
        b"\r",
        b"\n\n",
        b"\x00",
        b"\xff\xfe",
        b"--",
        b"<",
        b">",
        b'"',
        b"(",
        b"=?utf-8?b?",
        b"?=",
        b"\n> ",
        b"\nFrom: x@y\n",
        b"\nContent-Type: multipart/mixed; boundary=a\n\n--a\n",
        b"\n--a--\n",
        b"; charset=utf-16",
        b"\nContent-Transfer-Encoding: base64\n",
        b"=\n",
        b"=00",
        b"&#0;",
        b"&#x110000;",
        b"\xed\xa0\x80",
        b"##- write",
        b"\nContent-Type: message/rfc822\n\n",
        b"; boundary*0*=utf-8''%ff",
        b"; filename*1=x",
        b"\nsay ",
        b";",
    ]
)


@st.composite
def broken_mails(draw: st.DrawFn) -> bytes:
    """Draw a corpus mail with pieces deleted, doubled, swapped or inserted."""
    raw = CORPUS[draw(st.sampled_from(sorted(CORPUS)))].raw[:20_000]
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(raw)))
        to = min(len(raw), at + draw(st.integers(0, 200)))
        match draw(st.integers(0, 3)):
            case 0:
                raw = raw[:at] + raw[to:]
            case 1:
                raw = raw[:to] + raw[at:]
            case 2:
                raw = raw[:at] + draw(SPLINTERS) * draw(st.sampled_from([1, 2, 50])) + raw[at:]
            case _:
                raw = raw[:at] + draw(st.binary(max_size=20)) + raw[to:]
    return raw


@settings(max_examples=amount(50, 400), suppress_health_check=[HealthCheck.too_slow])
@given(broken_mails())
def test_no_broken_mail_raises_or_takes_a_second(raw: bytes):
    found = quick(1, partial(explain, raw, "bipod"))
    assert found["kind"] in KINDS
    assert found["kind"] == "person" or found["reason"]
    assert len(dedupe_keys(raw, [SENT.recipient])[0]) == 64


@settings(max_examples=amount(12, 100))
@given(broken_mails())
def test_no_mail_with_the_null_sender_or_to_a_bounce_address_is_a_persons(raw: bytes):
    for envelope in (
        Envelope("", SENT.recipient),
        Envelope(SENT.sender, "bounce+00f2b9c4a7d1e563@games.example.org"),
    ):
        assert parse_mail(raw, envelope, "games.example.org").kind in ("robot", "bounce", "loop")


@settings(max_examples=amount(12, 100))
@given(st.binary(max_size=3000))
@example(b'From: a@b.c\nContent-Type: multipart/mixed; boundary=""\n\n--\n\nx\n----\n')
@example(b'From: a@b.c\nContent-Type: text/plain; charset="\xff"\n\nf2\n')
@example(b"From: a@b.c\nContent-Type: text/plain; charset=a; charset*0=b\n\nf2\n")
@example(b"From: a@b.c\nContent-Type: text/html\n\n&#" + b"9" * 5000 + b";")
def test_no_bytes_at_all_raise(raw: bytes):
    assert parse_mail(raw, SENT).kind in KINDS


@settings(max_examples=amount(12, 100))
@given(st.data())
def test_broken_signed_data_gives_nothing_or_bytes(data: st.DataObject):
    whole = opaque_cms(b"Content-Type: text/plain\r\n\r\nf2", streamed=data.draw(st.booleans()))
    at = data.draw(st.integers(0, len(whole)))
    broken = whole[:at] + data.draw(st.binary(max_size=6)) + whole[at + data.draw(st.integers(0, 9)) :]
    assert signed_content(broken) is None or isinstance(signed_content(broken), bytes)


# ---------------------------------------------------------------------------------------- patterns

PATTERNS = {
    "introduction": "On " + "a " * 5000 + ":",
    "introductions": "On 2024, <\n" * 900,
    "addresses": "a@" * 5000,
    "angles": "<a@b 10:00 " * 900 + ":",
    "dashes": "-" * 5000 + "x" + "-" * 5000,
    "quote marks": "> " * 5000,
    "quoted fragments": ("> " + "q" * 69 + "\nf2\n") * 100,
    "labels": "From: a@b\n" * 1000,
    "half labels": "a: " * 3000,
    "markers": "##- write your move above this line -\n" * 300,
    "half markers": "##- write " * 1000,
    "stars": "*a" * 5000,
    "semicolons": ";" * 10_000,
    "commands": "f2;" * 3000,
    "thens": "if f2 " + "then f2 " * 1200,
    "cells": "mo13 " * 2000,
    "links": "https://" + "a" * 10_000,
    "token addresses": "play+" * 2000,
    "signatures": "sent from " * 1000,
    "phones": " a" * 5000 + "gönderildi",
    "accents": "a\u0301" * 5000,
    "blank lines": "\n" * 10_000,
    "options": "challenge " + "a=b " * 2500,
}


@pytest.mark.parametrize("name", PATTERNS)
def test_ten_thousand_hostile_characters_take_no_time(name: str):
    reader = RULES["bipod"].start().read

    def read(text: str) -> None:
        words, *_ = split_words(normalise(text))
        read_orders(words, marked=True, reader=reader, reader_of=lambda _game: reader)

    for text in (PATTERNS[name], PATTERNS[name].replace(" ", "\n")[:10_000]):
        quick(0.05, partial(read, text))


BIG = {
    "tags that never end": "<a<" * 80_000,
    "rows in rows": "<table><tr><td>" * 17_000,
    "heads": "<head></head>" * 20_000,
    "quotes in quotes": "<blockquote>" * 20_000,
    "open attributes": "<a '\"" * 50_000,
    "comments": "<!--" * 60_000,
    "lists": "<ol>" * 60_000,
    "a number": "&#" + "9" * 250_000 + ";",
    "marked elements": "<div class=gmail_attr>" * 11_000,
    "styles": "<style>" * 30_000,
    "one line": "x" * 200_000,
    "line breaks": "<br>" * 60_000,
}


@pytest.mark.parametrize("name", BIG)
def test_html_of_any_shape_takes_less_than_a_second(name: str):
    quick(1, partial(html_to_text, BIG[name]))


HEADERS = {
    "brackets in To": f"To: {'(' * 90_000}\n",
    "angles in From": f"From: {'<' * 900}\n",
    "quotes in From": "From: " + '"\\' * 450 + "\n",
    "encoded words": f"Subject: {'=?a?q?' * 15_000}\n",
    "parameters": f"Content-Type: text/plain; {'a*0*=x; ' * 10_000}\n",
    "report": f"Content-Type: multipart/report{';' * 90_000}\n",
    "comments in Auto-Submitted": f"Auto-Submitted: {'(' * 90_000}\n",
    "references": f"References: {'<a@b>' * 18_000}\n",
    "id": f"Message-ID: {'<' * 90_000}\n",
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_of_any_shape_take_less_than_a_tenth_of_a_second(name: str):
    raw = mail("f2 f4 g3\n", extra=HEADERS[name])
    quick(0.1, lambda: (parse_mail(raw, SENT), dedupe_keys(raw, [SENT.recipient])))


@pytest.mark.parametrize("line", [b"From \n", b">From x\n", b"From x\r\n\r\n"])
def test_a_mail_of_mbox_lines_alone_costs_no_more_than_another_whatever_it_is_kept_for(line: bytes):
    raw = line * (1024**2 // len(line))
    recipients = [f"play+{number}@games.example.org" for number in range(50)]
    _, keys = quick(0.5, lambda: (parse_mail(raw, SENT), dedupe_keys(raw, recipients)))
    assert 50 == len(set(keys))


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_few_mbox_lines_are_taken_off(lines: int):
    raw = b"From x Mon Jan  1 2024\n\n" * lines + mail("f2 f4 g3\n")
    assert "bill@example.org" == parse_mail(raw, SENT).sender


BODIES = {
    "parts": mail("--x\n\na\n" * 50_000, kind="multipart/mixed; boundary=x"),
    "levels": mail(
        "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(2000)),
        kind="multipart/mixed; boundary=b0",
    ),
    "embedded mails": mail("Content-Type: message/rfc822\n\n" * 5000, kind="message/rfc822"),
    "digest": mail(
        "--x\n\nContent-Type: multipart/digest; boundary=x\n\n" * 3000, kind="multipart/digest; boundary=x"
    ),
    "many short lines": mail("a\n" * 500_000),
    "one long line": mail("a" * 1_000_000),
    "base64": mail("QUFB" * 250_000, encoding="7bit").replace(b": 7bit", b": base64"),
    "quoted-printable": mail("=41=\n" * 200_000, encoding="7bit").replace(b": 7bit", b": quoted-printable"),
    "idna": mail("xn--" + "a" * 200_000, kind="text/plain; charset=idna"),
    "flowed": mail("a \n" * 300_000, kind="text/plain; format=flowed"),
    "flowed quotes": mail("> a \n>> b \n" * 80_000, kind="text/plain; format=flowed; delsp=yes"),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_of_any_shape_take_less_than_a_second(name: str):
    quick(1, partial(parse_mail, BODIES[name], SENT))
