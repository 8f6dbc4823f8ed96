"""Whole mails in all layouts of mail programs, around a player's words."""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator
from typing import NamedTuple

from tests.mail import desktop_layouts, webmail_layouts
from tests.mail.languages import LANGUAGES
from tests.mail.layout import JOAO, LAYOUTS, LETTER, LETTER_HTML, REPLY, SUBJECT, Answer, Layout
from tests.people import HOST

PROGRAMS = (desktop_layouts, webmail_layouts)
"""The modules of layouts; importing them fills `LAYOUTS`."""


class LayoutMail(NamedTuple):
    """A mail of a layout: its file name, its bytes, its kinds of parts."""

    name: str
    layout: Layout
    lang: str
    parts: str
    raw: bytes


def layout_mails_of(
    words: str,
    *,
    every: bool = False,
    only: Layout | None = None,
    letter: tuple[str, str] = (LETTER, LETTER_HTML),
) -> Iterator[LayoutMail]:
    """Yield mails with these words in all layouts.

    Layouts with two parts give the HTML alone as well. `every`: in every language there is, not only those in
    the table. `letter`: the quoted text and HTML.
    """
    for each in [only] if only else LAYOUTS:
        for lang in LANGUAGES if every else each.langs:
            text, html = each.make(Answer(words, lang, *letter))
            for parts, one, other in _faces(text, html):
                suffix = "-html" if parts == "HTML" and text else ""
                yield LayoutMail(f"{each.name}-{lang}{suffix}", each, lang, parts, _mail(each, one, other))


def _faces(text: str, html: str) -> Iterator[tuple[str, str, str]]:
    if text:
        yield ("text and HTML" if html else "text"), text, html
    if html:
        yield "HTML", "", html


def _mail(each: Layout, text: str, html: str) -> bytes:
    head = (
        f"From: Joao <{JOAO}>\nTo: {REPLY}\nSubject: Re: {SUBJECT}\nDate: Mon, 2 Mar 2026 13:00:00 +0000\n"
        f"Message-ID: <{each.name}.{len(text)}.{len(html)}@mail.example.net>\n"
        f"In-Reply-To: <g42.e6.s1.turn.1@{HOST}>\nMIME-Version: 1.0\n"
    )
    if text and html:
        head += 'Content-Type: multipart/alternative; boundary="=_alt"\n\n'
        pieces = (_part(each, "plain", text), _part(each, "html", html))
        body = b"".join(b"--=_alt\n" + piece + b"\n" for piece in pieces) + b"--=_alt--\n"
        return head.encode() + body
    return head.encode() + _part(each, "plain" if text else "html", text or html)


def _part(each: Layout, subtype: str, content: str) -> bytes:
    charset = each.charset
    try:
        data = content.encode(charset)
    except UnicodeEncodeError:
        charset = "utf-8"
        data = content.encode()
    more = f"; {each.kind}" if each.kind and subtype == "plain" else ""
    encoded = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(each.encoding)
    head = f'Content-Type: text/{subtype}; charset="{charset}"{more}\nContent-Transfer-Encoding: {each.encoding}\n\n'
    return head.encode() + (encoded(data) if encoded else data)
