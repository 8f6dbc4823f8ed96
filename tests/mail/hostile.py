"""Slow 200 kB mails, for tests and `python -m benchmarks hostile`.

Each repeats something that could slow a pattern, a parser or a loop of ours. None may take more than a
twentieth of a second from bytes to commands.
"""

from __future__ import annotations

import base64

from tests.mail.clients import mail

SIZE = 200_000
HTML = "text/html; charset=utf-8"


def fill(piece: str, size: int = SIZE) -> str:
    """Repeat the piece up to `size` characters."""
    return (piece * (size // len(piece) + 1))[:size]


def as_if(encoding: str, text: str) -> bytes:
    """Return a mail that declares this encoding, true or not."""
    return mail(text, encoding="7bit").replace(b": 7bit", f": {encoding}".encode())


def in_set(charset: str, data: bytes) -> bytes:
    return mail("").replace(b"charset=utf-8", f"charset={charset}".encode()) + data


MAILS: dict[str, bytes] = {
    "nested quotes": mail(fill("> > > > > > > > > > > > \n")),
    "one line of quote marks": mail(fill("> ")),
    "round brackets": mail(fill("(")),
    "angle brackets": mail(fill("<")),
    "introductions": mail(fill("On ")),
    "introductions, a line each": mail(fill("On Mon, Jan 2, 2024 at 10:00\n")),
    "almost introductions": mail(fill("On Mon 2024 <a@b\n")),
    "long dashes": mail(fill("-" * 900 + "x\n")),
    "em dashes": mail(fill("\u2014")[: SIZE // 3]),
    "base64": as_if("base64", fill("QUFB" * 19 + "\n")),
    "base64 of base64": as_if("base64", base64.b64encode(base64.b64encode(b"f2 " * 40000)).decode()[:SIZE]),
    "soft breaks": as_if("quoted-printable", fill("=\n")),
    "spaces": mail(fill(" ")),
    "tabs": mail(fill("\t") + "x"),
    "spaces, qp": as_if("quoted-printable", fill(" ") + "x"),
    "blank lines": mail(fill("\n")),
    "zero-width signs": mail(fill("\u200b")[: SIZE // 3]),
    "combining signs": mail("a" + fill("\u0301")[: SIZE // 2]),
    "tags": mail(fill("<div>"), kind=HTML),
    "tags that never end": mail(fill("<a b='"), kind=HTML),
    "comments that never end": mail(fill("<!--"), kind=HTML),
    "entities": mail(fill("&lt;&amp;"), kind=HTML),
    "entities that never end": mail(fill("&amp"), kind=HTML),
    "numbers": mail(fill("&#x41;"), kind=HTML),
    "long number": mail("&#" + fill("9") + ";", kind=HTML),
    "long hex": mail(fill("&#x"), kind=HTML),
    "amps": mail(fill("&"), kind=HTML),
    "wide table": mail("<table><tr>" + fill("<td>x") + "</table>", kind=HTML),
    "tables": mail(fill("<table><tr><td>"), kind=HTML),
    "cells": mail(fill("<tr><td>a<td>b"), kind=HTML),
    "deep blockquotes": mail(fill("<blockquote>x"), kind=HTML),
    "closing tags": mail(fill("</div></p></td>"), kind=HTML),
    "attributes": mail(fill('<p class="gmail_quote quote rply append border-top signature">'), kind=HTML),
    "borders": mail(fill('<p style="border-top:solid '), kind=HTML),
    "styles": mail(fill("<style>x</style>"), kind=HTML),
    "heads": mail(fill("<head>"), kind=HTML),
    "pre": mail("<pre>" + fill("a\n"), kind=HTML),
    "lt spaces": mail(fill("< "), kind=HTML),
    "doctype": mail(fill("<!"), kind=HTML),
    "br": mail(fill("<br>"), kind=HTML),
    "li": mail(fill("<li>"), kind=HTML),
    "hr": mail(fill("<hr>"), kind=HTML),
    "folded header": mail("f2\n", extra="X-A: " + "b\n " * 30000 + "c\n"),
    "rfc2231": mail("f2\n", kind="text/plain; " + " ".join(f"charset*{n}=u;" for n in range(5000))),
    "rfc2231 name": mail(
        "--x\nContent-Disposition: attachment; "
        + " ".join(f"filename*{n}*=u;" for n in range(10000))
        + "\n\nf2\n--x--\n",
        kind="multipart/mixed; boundary=x",
    ),
    "encoded words": mail("f2\n", extra="Subject: " + "=?utf-8?q?=41?= " * 5000 + "\n"),
    "encoded-word halves": mail("f2\n", extra="Subject: " + "=?utf-8?q?" * 8000 + "\n"),
    "quotes in From": mail("f2\n", sender='"' * 10_000 + " <bill@example.org>"),
    "backslashes in From": mail("f2\n", sender='"' + '\\"' * 10_000 + '" <bill@example.org>'),
    "comments in From": mail("f2\n", sender="(" * 10_000 + " bill@example.org"),
    "lookalike boundaries": mail(fill("--xx\n--x \n-- x\n--x-\n"), kind="multipart/mixed; boundary=x"),
    "boundary of dashes": mail(fill("-") + "\n", kind='multipart/mixed; boundary="-----------"'),
    "boundary spaces": mail(("--x" + " " * 990 + "y\n") * 200, kind='multipart/mixed; boundary="x"'),
    "game lines": mail(fill("game 1\nf2\n")),
    "game lines alone": mail(fill("game 1\n")),
    "semicolons": mail(fill(";")),
    "commands": mail(fill("f2;")),
    "marker lines": mail(fill("##- write your move above this line -##\n")),
    "half markers": mail(fill("##- write\n")),
    "quoted halves": mail(fill("> ##- write your move above\n")),
    "labels": mail(fill("From: a@b\nx\n")),
    "addresses": mail(fill("a@b.c\n")),
    "lone addresses": mail(fill("a@b.c\n\n")),
    "signatures": mail(fill("-- \n")),
    "sent from": mail(fill("Sent from \n")),
    "flowed": mail(fill("a \n"), kind="text/plain; format=flowed; delsp=yes"),
    "flowed >": mail(fill(">a \n"), kind="text/plain; format=flowed"),
    "stars": mail(fill("*a ")),
    "stars2": mail(fill("*")),
    "urls": mail("f2\n" + fill("http://")),
    "urls2": mail("f2\n" + fill("https://aaaaaaaaaaaaaaaaaaaaaaa\n")),
    "tokens": mail("f2\n" + fill("play+")),
    "armour": mail(fill("-----BEGIN PGP SIGNED MESSAGE-----\n")),
    "armour2": mail(fill("-----BEGIN PGP ")),
    "utf16": in_set("utf-16", b"\x00a" * 100000),
    "iso2022": in_set("iso-2022-jp", b"\x1b$B\x1b(B" * 30000),
    "hz": in_set("hz", b"~{~}" * 50000),
    "gb18030": in_set("gb18030", b"\x81\x30\x81\x30" * 50000),
    "utf8 bad": mail("") + b"\xf0\x9f" * 100000,
    "meta": mail(fill("<meta "), kind="text/html"),
    "htmlish": mail(" " * 20 + fill("<html <html")),
    "challenge": mail(fill("challenge a b c=d\n")),
    "numbers cells": mail(fill("f2 f4 g3 ")),
    "long word": mail(fill("f2f4")),
    "mended": mail(
        "\n".join(
            "abcd" + chr(97 + n % 26) + chr(97 + n // 26 % 26) + chr(97 + n // 676 % 26) for n in range(25000)
        )
    ),
}
