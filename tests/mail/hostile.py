"""Mails of 200 kB that could be slow to read.

Each repeats something that could slow a pattern, a parser or a loop of ours. None may take more than a
twentieth of a second from bytes to commands.
"""

from __future__ import annotations

import base64

from tests.mail.clients import mail

SIZE = 200_000
HTML = "text/html; charset=utf-8"


def repeat_to_size(piece: str, size: int = SIZE) -> str:
    """Repeat the piece up to `size` characters."""
    return (piece * (size // len(piece) + 1))[:size]


def mail_with_encoding(encoding: str, text: str) -> bytes:
    """Return a mail that declares this encoding, true or not."""
    return mail(text, encoding="7bit").replace(b": 7bit", f": {encoding}".encode())


def mail_in_charset(charset: str, data: bytes) -> bytes:
    return mail("").replace(b"charset=utf-8", f"charset={charset}".encode()) + data


MAILS: dict[str, bytes] = {
    "nested quotes": mail(repeat_to_size("> > > > > > > > > > > > \n")),
    "one line of quote marks": mail(repeat_to_size("> ")),
    "round brackets": mail(repeat_to_size("(")),
    "angle brackets": mail(repeat_to_size("<")),
    "introductions": mail(repeat_to_size("On ")),
    "introductions, a line each": mail(repeat_to_size("On Mon, Jan 2, 2024 at 10:00\n")),
    "almost introductions": mail(repeat_to_size("On Mon 2024 <a@b\n")),
    "long dashes": mail(repeat_to_size("-" * 900 + "x\n")),
    "em dashes": mail(repeat_to_size("\u2014")[: SIZE // 3]),
    "base64": mail_with_encoding("base64", repeat_to_size("QUFB" * 19 + "\n")),
    "base64 of base64": mail_with_encoding(
        "base64", base64.b64encode(base64.b64encode(b"f2 " * 40000)).decode()[:SIZE]
    ),
    "soft breaks": mail_with_encoding("quoted-printable", repeat_to_size("=\n")),
    "spaces": mail(repeat_to_size(" ")),
    "tabs": mail(repeat_to_size("\t") + "x"),
    "spaces, qp": mail_with_encoding("quoted-printable", repeat_to_size(" ") + "x"),
    "blank lines": mail(repeat_to_size("\n")),
    "zero-width signs": mail(repeat_to_size("\u200b")[: SIZE // 3]),
    "combining signs": mail("a" + repeat_to_size("\u0301")[: SIZE // 2]),
    "tags": mail(repeat_to_size("<div>"), kind=HTML),
    "tags that never end": mail(repeat_to_size("<a b='"), kind=HTML),
    "comments that never end": mail(repeat_to_size("<!--"), kind=HTML),
    "entities": mail(repeat_to_size("&lt;&amp;"), kind=HTML),
    "entities that never end": mail(repeat_to_size("&amp"), kind=HTML),
    "numbers": mail(repeat_to_size("&#x41;"), kind=HTML),
    "long number": mail("&#" + repeat_to_size("9") + ";", kind=HTML),
    "long hex": mail(repeat_to_size("&#x"), kind=HTML),
    "amps": mail(repeat_to_size("&"), kind=HTML),
    "wide table": mail("<table><tr>" + repeat_to_size("<td>x") + "</table>", kind=HTML),
    "tables": mail(repeat_to_size("<table><tr><td>"), kind=HTML),
    "cells": mail(repeat_to_size("<tr><td>a<td>b"), kind=HTML),
    "deep blockquotes": mail(repeat_to_size("<blockquote>x"), kind=HTML),
    "closing tags": mail(repeat_to_size("</div></p></td>"), kind=HTML),
    "attributes": mail(
        repeat_to_size('<p class="gmail_quote quote rply append border-top signature">'), kind=HTML
    ),
    "borders": mail(repeat_to_size('<p style="border-top:solid '), kind=HTML),
    "styles": mail(repeat_to_size("<style>x</style>"), kind=HTML),
    "heads": mail(repeat_to_size("<head>"), kind=HTML),
    "pre": mail("<pre>" + repeat_to_size("a\n"), kind=HTML),
    "lt spaces": mail(repeat_to_size("< "), kind=HTML),
    "doctype": mail(repeat_to_size("<!"), kind=HTML),
    "br": mail(repeat_to_size("<br>"), kind=HTML),
    "li": mail(repeat_to_size("<li>"), kind=HTML),
    "hr": mail(repeat_to_size("<hr>"), kind=HTML),
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
    "lookalike boundaries": mail(
        repeat_to_size("--xx\n--x \n-- x\n--x-\n"), kind="multipart/mixed; boundary=x"
    ),
    "boundary of dashes": mail(repeat_to_size("-") + "\n", kind='multipart/mixed; boundary="-----------"'),
    "boundary spaces": mail(("--x" + " " * 990 + "y\n") * 200, kind='multipart/mixed; boundary="x"'),
    "game lines": mail(repeat_to_size("game 1\nf2\n")),
    "game lines alone": mail(repeat_to_size("game 1\n")),
    "semicolons": mail(repeat_to_size(";")),
    "commands": mail(repeat_to_size("f2;")),
    "marker lines": mail(repeat_to_size("##- write your move above this line -##\n")),
    "half markers": mail(repeat_to_size("##- write\n")),
    "quoted halves": mail(repeat_to_size("> ##- write your move above\n")),
    "labels": mail(repeat_to_size("From: a@b\nx\n")),
    "addresses": mail(repeat_to_size("a@b.c\n")),
    "lone addresses": mail(repeat_to_size("a@b.c\n\n")),
    "signatures": mail(repeat_to_size("-- \n")),
    "sent from": mail(repeat_to_size("Sent from \n")),
    "flowed": mail(repeat_to_size("a \n"), kind="text/plain; format=flowed; delsp=yes"),
    "flowed >": mail(repeat_to_size(">a \n"), kind="text/plain; format=flowed"),
    "stars": mail(repeat_to_size("*a ")),
    "stars2": mail(repeat_to_size("*")),
    "urls": mail("f2\n" + repeat_to_size("http://")),
    "urls2": mail("f2\n" + repeat_to_size("https://aaaaaaaaaaaaaaaaaaaaaaa\n")),
    "tokens": mail("f2\n" + repeat_to_size("play+")),
    "armour": mail(repeat_to_size("-----BEGIN PGP SIGNED MESSAGE-----\n")),
    "armour2": mail(repeat_to_size("-----BEGIN PGP ")),
    "utf16": mail_in_charset("utf-16", b"\x00a" * 100000),
    "iso2022": mail_in_charset("iso-2022-jp", b"\x1b$B\x1b(B" * 30000),
    "hz": mail_in_charset("hz", b"~{~}" * 50000),
    "gb18030": mail_in_charset("gb18030", b"\x81\x30\x81\x30" * 50000),
    "utf8 bad": mail("") + b"\xf0\x9f" * 100000,
    "meta": mail(repeat_to_size("<meta "), kind="text/html"),
    "htmlish": mail(" " * 20 + repeat_to_size("<html <html")),
    "challenge": mail(repeat_to_size("challenge a b c=d\n")),
    "numbers cells": mail(repeat_to_size("f2 f4 g3 ")),
    "long word": mail(repeat_to_size("f2f4")),
    "mended": mail(
        "\n".join(
            "abcd" + chr(97 + n % 26) + chr(97 + n // 26 % 26) + chr(97 + n // 676 % 26) for n in range(25000)
        )
    ),
}
