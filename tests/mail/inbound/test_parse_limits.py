"""The limits of a mail: just within is read, just beyond is refused."""

from __future__ import annotations

import pytest

from pbem.core.parsing.inbound import Envelope, Mail
from pbem.mail.inbound.parse import parse_mail
from tests.mail.clients import TOKEN, mail

SENT = Envelope("bill@example.org", TOKEN)
OWN_HEADERS = mail("").partition(b"\n\n")[0].decode()
HEADERS = sum(not line.startswith(" ") for line in OWN_HEADERS.split("\n"))


def opened(raw: bytes) -> Mail:
    return parse_mail(raw, SENT, "games.example.org")


def parts(count: int) -> bytes:
    blank = "--x\n\n\n" * (count - 1)
    return mail(f"{blank}--x\n\nf2 f4\n--x--\n", kind="multipart/mixed; boundary=x")


def levels(count: int) -> bytes:
    """Nest a text in so many containers."""
    inner = "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(count - 1))
    return mail(f"{inner}--b{count - 1}\n\nf2 f4\n", kind="multipart/mixed; boundary=b0")


def header_block(size: int) -> bytes:
    filler = size - len(OWN_HEADERS) - len("X-A: \n")
    return mail("f2 f4\n", extra=f"X-A: {'b' * filler}\n")


def addresses(count: int) -> bytes:
    others = ", ".join(f"a{n}@example.org" for n in range(count))
    return mail("f2 f4\n", extra=f"Cc: {others}\n")


def headers(count: int) -> bytes:
    return mail("f2 f4\n", extra="".join(f"X-A{n}: b\n" for n in range(count - HEADERS)))


@pytest.mark.parametrize(
    ("made", "most"),
    [(parts, 100), (levels, 20), (header_block, 100_000), (addresses, 64), (headers, 200)],
    ids=["parts", "levels", "header block", "addresses", "headers"],
)
def test_a_limit_lets_pass_what_is_within_it_and_refuses_one_more(made, most: int):
    within, beyond = opened(made(most)), opened(made(most + 1))
    assert ("person", "f2 f4") == (within.kind, within.words)
    assert ("refused", "") == (beyond.kind, beyond.words)
    assert beyond.reason.endswith((".", "alone."))


def test_of_a_mail_the_first_256_kilobytes_are_read():
    assert opened(mail("x" * 200_000 + "\nf2 f4\n")).words.endswith("f2 f4")
    assert "f2 f4" not in opened(mail("x" * 262_144 + "\nf2 f4\n")).words


def test_a_reference_counts_up_to_250_characters():
    long = [f"<{'a' * n}@example.org>" for n in (230, 260)]
    found = opened(mail("f2\n").replace(b"References:", f"References: {' '.join(long)}\n".encode()))
    assert [long[0] in found.references, long[1] in found.references] == [True, False]


@pytest.mark.parametrize("text", ["(" * 500 + "bill@example.org", '"' * 999, "<" * 999, "a:b;" * 300])
def test_an_address_line_that_would_exhaust_a_parser_is_only_looked_at(text: str):
    assert opened(mail("f2 f4\n", extra=f"To: {text}\nReply-To: {text}\n")).words == "f2 f4"


@pytest.mark.parametrize(
    "first", [b"\n", b"\r\n\r\n", b" \n", b"From bill Mon Jan  1 2024\n", b"\n>From x\r\n"]
)
def test_blank_lines_and_an_mbox_line_before_the_headers_are_dropped(first: bytes):
    inbound = opened(first + mail("f2 f4\n"))
    assert ("bill@example.org", "f2 f4") == (inbound.sender, inbound.words)


def test_html_in_utf_7_beside_a_text_is_left_out():
    both = "--x\n\nf2 f4\n--x\nContent-Type: text/html; charset=utf-7\n\n<p>f2 f4</p>\n--x--\n"
    assert opened(mail(both, kind="multipart/alternative; boundary=x")).words == "f2 f4"


@pytest.mark.parametrize("charset", ["utf-7", "UTF7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7"])
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_utf_7_is_refused_with_a_hint(charset: str, kind: str):
    inbound = opened(mail("f2 f4\n", kind=f"{kind}; charset={charset}"))
    assert ("refused", True) == (inbound.kind, "send it once more as UTF-8" in inbound.reason)


def test_the_first_text_part_is_read_and_a_second_is_not():
    two = "--x\n\nf2 f4\n--x\n\nresign\n--x--\n"
    assert opened(mail(two, kind="multipart/mixed; boundary=x")).words == "f2 f4"


def test_a_text_with_a_file_name_is_an_attachment_whatever_it_calls_itself():
    named = "--x\nContent-Disposition: inline; filename=a.txt\n\nresign\n--x\n\nf2 f4\n--x--\n"
    assert opened(mail(named, kind="multipart/mixed; boundary=x")).words == "f2 f4"


def test_reply_to_and_sender_never_say_who_writes():
    extra = "Reply-To: joao@example.net\nSender: joao@example.net\n"
    assert opened(mail("f2\n", extra=extra)).sender == "bill@example.org"
