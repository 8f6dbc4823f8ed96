"""Randomly broken mails, the same each time: no damage makes us fail.

`mutate_mail` breaks a mail anywhere. `mutate_quotes` breaks only what leaves each quoted line its mark, so its result
never holds a player's command.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

from collections.abc import Callable
from random import Random

HEADERS = (
    b"Content-Type: text/html; charset=utf-7",
    b"Content-Type: multipart/mixed; boundary=x",
    b'Content-Type: multipart/alternative; boundary=""',
    b"Content-Type: message/rfc822",
    b"Content-Type: text/plain; charset*0=utf; charset*1=-16",
    b"Content-Type: text/plain; format=flowed; delsp=yes",
    b"Content-Type: application/pkcs7-mime; smime-type=signed-data",
    b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: quoted-printable",
    b"Content-Transfer-Encoding: x-unknown",
    b"Content-Disposition: attachment; filename*=utf-8''%ff%00",
    b"From: Bill <bill@example.org>",
    b"From: =?utf-8?b?/////w==?= <x@y>",
    b"Sender: a@b, c@d",
    b"Auto-Submitted: auto-replied",
    b"Received: from x by y",
    b"Message-ID: <<<>>>",
    b"References: " + b"<a@b>" * 60,
    b"Subject: =?gb18030?q?=81?= =?utf-8?b?4pi?=",
    b"\xff\xfe: \x00",
    b" folded from nowhere",
)
CHARSETS = b"utf-8 utf-16 utf-32 utf-7 koi8-r gb18030 iso-2022-jp iso-2022-kr big5 hz cp037 tis-620 idna \xff".split()
SIGNS = "\u200b\u200f\u202e\ufeff\u00a0\u2028\x85\x00\x0b\x0c\x1c\ud7ff\ufffd\U0001f44d\u0301\uff1e\u2502\u3000\u00ad"
PIECES = (
    b"\n> ", b"\n>> f2 f4\n", b"\nf2 f4 g3\n", b"\ngame 7\n", b"\n-- \n", b"\n--\n", b"##- write", b"<blockquote>",
    b"</blockquote>", b"<!--", b"<table><tr><td>", b"&#x110000;", b"=\n", b"=3D", b"--x\n", b"--x--\n", b"\r", b"\n\n",
    b"\nOn 2024 <a@b> wrote:\n", b"\nFrom: a@b\nSubject: c\n", b"-----BEGIN PGP MESSAGE-----\n", b"\n" + b"_" * 40 + b"\n",
)  # fmt: skip


def mutate_mail(raw: bytes, rng: Random) -> bytes:
    """Return the mail with one to five changes."""
    for _ in range(rng.randint(1, 5)):
        raw = rng.choice(WAYS)(raw, rng)
    return raw[:60_000]


def _flip(raw: bytes, rng: Random) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.choice((1, 3, 30))):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _truncate(raw: bytes, rng: Random) -> bytes:
    at = rng.randint(0, len(raw))
    return raw[:at] if rng.random() < 0.7 else raw[at:]


def _lines(raw: bytes, rng: Random) -> bytes:
    """Delete, double, swap or join lines."""
    lines = raw.split(b"\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at : at + rng.randint(1, 5)]
        case 1:
            lines[at:at] = lines[at : at + 1] * rng.choice((1, 20))
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case _:
            lines[at : at + 2] = [b"".join(lines[at : at + 2])]
    return b"\n".join(lines)


def _headers(raw: bytes, rng: Random) -> bytes:
    """Delete, double or insert a header."""
    head, gap, body = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    at = rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(rng.randint(0, len(lines)), lines[at])
        case _:
            lines.insert(rng.randint(0, len(lines)), rng.choice(HEADERS))
    return b"\n".join(lines) + gap + body


def _boundary(raw: bytes, rng: Random) -> bytes:
    at = raw.find(b"--", rng.randint(0, len(raw)))
    return raw[:at] + rng.choice((b"", b"-", b"--\n", b"\n--", b"-- ")) + raw[at + 2 :] if at >= 0 else raw


def _charset(raw: bytes, rng: Random) -> bytes:
    at = raw.find(b"charset=")
    return raw[: at + 8] + rng.choice(CHARSETS) + b"; " + raw[at + 8 :] if at >= 0 else raw


def _piece(raw: bytes, rng: Random) -> bytes:
    at = rng.randint(0, len(raw))
    return raw[:at] + rng.choice(PIECES) * rng.choice((1, 1, 1, 30)) + raw[at:]


def _sign(raw: bytes, rng: Random) -> bytes:
    at = rng.randint(0, len(raw))
    return raw[:at] + rng.choice(SIGNS).encode("utf-8", "surrogatepass") * rng.choice((1, 40)) + raw[at:]


def _quote_again(raw: bytes, rng: Random) -> bytes:
    """Quote the whole text once more, or forward it unchanged."""
    head, gap, body = raw.partition(b"\n\n")
    if rng.random() < 0.5:
        return head + gap + b"\n".join(b"> " + line for line in body.split(b"\n"))
    return head + gap + b"FYI\n\n" + raw


def _double(raw: bytes, rng: Random) -> bytes:
    return raw + rng.choice((b"", b"\n", b"\nFrom x\n")) + raw


def _ends(raw: bytes, rng: Random) -> bytes:
    return raw.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\n\r", b" \n", b"=\n")))


WAYS: tuple[Callable[[bytes, Random], bytes], ...] = (
    _flip, _truncate, _lines, _headers, _boundary, _charset, _piece, _sign, _quote_again, _double, _ends,
)  # fmt: skip


# --------------------------------------------------------------------------- what leaves marks alone

QUOTED = (
    "> f2 f4 g3", ">resign yes", "> > adopt", "> ", ">", "  > k3", ">\tf2", ">> f2", "> game 7", ">f2\u00a0f4",
    "> say hello", "| f2 f4", "> *f2 f4*", "> ##- write your move above this line -##", "> -- ", "> accept", ">\u200bf2",
)  # fmt: skip


def mutate_quotes(lines: list[str], rng: Random) -> list[str]:
    """Delete, double, swap, deepen, cut and mix quoted lines; all stay marked."""
    lines = list(lines)
    for _ in range(rng.randint(1, 8)):
        at = rng.randint(0, len(lines) - 1)
        match rng.randrange(6):
            case 0:
                del lines[at : at + rng.randint(1, 4)]
            case 1:
                lines.insert(rng.randint(0, len(lines)), lines[at])
            case 2:
                lines.insert(at, rng.choice(QUOTED))
            case 3:
                lines[at] = f">{lines[at]}"
            case 4:
                lines[at] = lines[at][: rng.randint(1, 60)]
            case _:
                lines.insert(at, "")
        lines = lines or [">"]
    return [line if not line.strip() or line.lstrip()[0] in ">|" else f"> {line}" for line in lines]
