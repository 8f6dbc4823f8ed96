"""Layouts of mail programs for an answer to a real letter.

Each layout is a function (Answer) -> (text, HTML), either "" where the program does not send it. The table
has the program, its test languages, the place of the words and the encoding. The quoted letter is one of this
server's own, marker line first, without its board's colours.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from pbem.core.parsing.reply_text import MARKER
from tests.mail.clients import html_lines, quote_letter
from tests.mail.languages import LANGUAGES
from tests.mail.letters import SAMPLES, TOKEN, part_of_letter, write_sample
from tests.people import HOST

_TURN = write_sample(SAMPLES["turn"])
LETTER = part_of_letter(_TURN, "plain").rstrip()
LETTER_HTML = re.sub(
    r"""(?s)(<(?:td|th|tr|table|code|a)\b)[^>]*?(\shref="[^"]*"|\scolspan="\d+")?[^>]*>""",
    lambda tag: f"{tag[1]}{tag[2] or ''}>",
    part_of_letter(_TURN, "html").partition("<body")[2].partition(">")[2].partition("</body>")[0].strip(),
)
UNMARKED = (
    re.sub(rf"{re.escape(MARKER)}.*\n", "", LETTER),
    re.sub(rf"<p [^>]*>{re.escape(MARKER)}.*</p>", "", LETTER_HTML),
)
"""The letter with its marker line deleted."""
PLAIN, REPLY = f"play@{HOST}", f"play+{TOKEN}@{HOST}"
SUBJECT = "Bipod #42: Bill - Joao"
JOAO = "joao@example.net"


@dataclass(frozen=True)
class Answer:
    """A player's words, the mail program's language, and the quoted letter."""

    text: str
    lang: str = "en"
    letter: str = LETTER
    letter_html: str = LETTER_HTML

    @property
    def html(self) -> str:
        return html_lines(self.text)

    @property
    def wrote(self) -> str:
        """Return the line above the quote, in the words of Gmail."""
        return LANGUAGES[self.lang].wrote.format(a=PLAIN)

    @property
    def phone(self) -> str:
        return LANGUAGES[self.lang].phone

    @property
    def original(self) -> str:
        return LANGUAGES[self.lang].original

    @property
    def labels(self) -> list[tuple[str, str]]:
        """Return From, Sent, To, Subject with their values."""
        values = (
            f"Bipod #42 <{PLAIN}>",
            "Monday, March 2, 2026 12:00 PM",
            f"Joao <{JOAO}>",
            SUBJECT,
        )
        return list(zip(LANGUAGES[self.lang].labels, values, strict=True))


class Layout(NamedTuple):
    """A layout's program, languages, place of the words, and encoding."""

    client: str
    langs: tuple[str, ...]
    where: str
    charset: str
    encoding: str
    kind: str
    make: Callable[[Answer], tuple[str, str]]

    @property
    def name(self) -> str:
        return self.make.__name__.replace("_", "-")


LAYOUTS: list[Layout] = []
Make = Callable[[Answer], tuple[str, str]]


def layout(
    client: str,
    langs: str = "en",
    *,
    where: str = "above",
    charset: str = "utf-8",
    encoding: str = "quoted-printable",
    kind: str = "",
) -> Callable[[Make], Make]:
    """Add a function to the table of layouts; `kind` extends the text part's Content-Type."""

    def enter(make: Make) -> Make:
        LAYOUTS.append(Layout(client, tuple(langs.split()), where, charset, encoding, kind, make))
        return make

    return enter


# ------------------------------------------------------------------------------------ whole mails


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


# ---------------------------------------------------------------------------------------- pieces


def heads(answer: Answer, bold: str = "", end: str = ":") -> str:
    return "\n".join(f"{bold}{label}{end}{bold} {value}" for label, value in answer.labels)


def heads_html(answer: Answer, tag: str = "b") -> str:
    return "<br>".join(f"<{tag}>{label}:</{tag}> {escape(value)}" for label, value in answer.labels)


def cite(inner: str, attributes: str = 'type="cite"') -> str:
    return f"<blockquote {attributes}>{inner}</blockquote>"


def rule(width: int = 32) -> str:
    return "_" * width


# ------------------------------------------------------------------------------------------ Google


@layout("Gmail, web", "en de fr pt ja zh-cn ar he ru hi", encoding="base64")
def gmail_web(a: Answer) -> tuple[str, str]:
    html = (
        f'<div dir="ltr">{a.html}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f"{escape(a.wrote)}<br></div>"
        + cite(
            a.letter_html,
            'class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"',
        )
        + "</div>\n"
    )
    return f"{a.text}\n\n{_break_before_address(a.wrote)}\n\n{quote_letter(a.letter)}\n", html


def _break_before_address(line: str) -> str:
    """Break before the address, as programs do with long lines."""
    first, mark, rest = line.partition("<")
    return f"{first.rstrip()}\n{mark}{rest}" if mark and len(line) > 70 else line


@layout("Gmail, Android", "en de es", encoding="base64")
def gmail_android(a: Answer) -> tuple[str, str]:
    attr = f'<div dir="ltr" class="gmail_attr">{escape(a.wrote)}<br></div>'
    old = 'class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"'
    html = (
        f'<div dir="auto">{a.html}</div><br><div class="gmail_quote">{attr}{cite(a.letter_html, old)}</div>'
    )
    return f"{a.text}\n\n{a.wrote}\n\n{quote_letter(a.letter)}\n", html


@layout("Gmail, iPhone", "en it", encoding="quoted-printable")
def gmail_ios(a: Answer) -> tuple[str, str]:
    """Use no class on the line above the quote."""
    html = (
        f'<div><div dir="auto">{a.html}</div></div><div><br><div class="gmail_quote"><div>{escape(a.wrote)}<br></div>'
        f"{cite(a.letter_html, 'class=gmail_quote style=margin:0')}</div></div>"
    )
    return f"{a.text}\n\n{a.wrote}\n\n{quote_letter(a.letter)}\n", html


@layout("Gmail, web", "en nl", where="inside", encoding="base64")
def gmail_inside(a: Answer) -> tuple[str, str]:
    """Press return within the quote, which closes and reopens it."""
    lines = quote_letter(a.letter).split("\n")
    text = "\n".join([a.wrote, "", *lines[:10], "", a.text, "", *lines[10:]])
    one, mark, other = a.letter_html.partition("<p ")
    style = 'class="gmail_quote" style="margin:0px 0px 0px 0.8ex"'
    html = (
        f'<div dir="ltr"><br></div><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(a.wrote)}<br></div>'
        f"{cite(one, style)}<div>{a.html}</div>{cite(mark + other, style)}</div>"
    )
    return text, html


@layout("Gmail, web", "en sv", where="below", encoding="quoted-printable")
def gmail_below(a: Answer) -> tuple[str, str]:
    style = 'class="gmail_quote" style="margin:0px 0px 0px 0.8ex"'
    html = (
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(a.wrote)}<br></div>'
        f"{cite(a.letter_html, style)}<div><br></div><div>{a.html}</div></div></div>"
    )
    return f"{a.wrote}\n\n{quote_letter(a.letter)}\n\n{a.text}\n", html


# --------------------------------------------------------------------------------------- Microsoft


def _word(lines: str) -> str:
    return "".join(
        f"<p class=MsoNormal>{escape(line) or '<o:p>&nbsp;</o:p>'}<o:p></o:p></p>"
        for line in lines.split("\n")
    )


def _word_html(own: str, head: str, letter: str, colour: str = "#E1E1E1") -> str:
    return (
        '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head>'
        "<style><!-- p.MsoNormal, li.MsoNormal {margin:0cm;font-size:11.0pt} --></style></head>"
        '<body lang=EN-GB link="#0563C1" vlink="#954F72" style="word-wrap:break-word"><div class=WordSection1>'
        f"{own}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid {colour} 1.0pt;"
        f"padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{head}<o:p></o:p></p></div></div>"
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p>{letter}</div></body></html>"
    )


@layout("Outlook, Windows", "en de fr es it nl pl ja tr", charset="windows-1252")
def outlook_windows(a: Answer) -> tuple[str, str]:
    head = "<br>".join(
        f"<b><span lang=EN-US>{label}:</span></b><span lang=EN-US> {escape(value)}</span>"
        for label, value in a.labels
    )
    return f"{a.text}\n\n{heads(a)}\n\n{a.letter}\n", _word_html(_word(a.text), head, a.letter_html)


@layout("Outlook, Windows, plain text", "en de da cs ko", charset="windows-1252")
def outlook_plain(a: Answer) -> tuple[str, str]:
    return f"{a.text}\n\n-----{a.original}-----\n{heads(a)} \n\n{a.letter}\n", ""


@layout("Outlook, Windows, lines marked", "en fr", where="below", encoding="8bit")
def outlook_prefixed(a: Answer) -> tuple[str, str]:
    """Mark each line of the original, with the header lines."""
    head = "\n".join(f"> {line}" for line in heads(a).split("\n"))
    return f"> -----{a.original}-----\n{head}\n> \n{quote_letter(a.letter)}\n\n{a.text}\n", ""


@layout("Outlook, Mac", "en sv zh-tw", encoding="base64")
def outlook_mac(a: Answer) -> tuple[str, str]:
    head = "<br>".join(
        f'<b><span style="font-size:12.0pt;color:black">{label}: </span></b><span style="color:black">{escape(value)}</span>'
        for label, value in a.labels
    )
    html = _word_html(_word(a.text), head, a.letter_html, "#B5C4DF").replace("0cm", "0in")
    return f"{a.text}\n\n{heads(a)}\n\n{a.letter}\n", html


@layout("Outlook, web and new", "en de es pt hu el", encoding="quoted-printable")
def outlook_owa(a: Answer) -> tuple[str, str]:
    own = "".join(
        f'<div class="elementToProof" style="font-family:Aptos,sans-serif;font-size:12pt">{escape(line) or "<br>"}</div>'
        for line in a.text.split("\n")
    )
    html = (
        f'<html><head><style type="text/css" style="display:none;">P {{margin-top:0;margin-bottom:0;}}</style></head><body dir="ltr">{own}'
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f'<font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">{heads_html(a)}</font><div>&nbsp;</div></div>'
        f"{a.letter_html}</body></html>"
    )
    return f"{a.text}\n{rule()}\n{heads(a)}\n\n{a.letter}\n", html


@layout("Outlook, iPhone and Android", "en fr nb fi uk", encoding="quoted-printable")
def outlook_phone(a: Answer) -> tuple[str, str]:
    html = (
        f'<html><body dir="auto"><div dir="ltr">{a.html}</div><div id="ms-outlook-mobile-signature"><div><br></div>'
        'Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container">'
        f'<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">{heads_html(a)}</div>'
        f"{a.letter_html}</div></body></html>"
    )
    text = f"{a.text}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{rule()}\n{heads(a)}\n\n{a.letter}\n"
    return text, html


@layout("Windows Mail", "en de", encoding="base64")
def windows_mail(a: Answer) -> tuple[str, str]:
    sent = '<p class=MsoNormal>Sent from <a href="https://go.microsoft.com/fwlink/?LinkId=550986">Mail</a> for Windows</p>'
    head = "<br>".join(f"<b>{label}: </b>{escape(value)}" for label, value in a.labels)
    html = _word_html(_word(a.text) + sent, head, a.letter_html)
    return f"{a.text}\n\nSent from Mail for Windows\n\n{heads(a)}\n\n{a.letter}\n", html


@layout("Outlook Express", "en ru", where="below", charset="koi8-r", encoding="8bit")
def outlook_express(a: Answer) -> tuple[str, str]:
    return f"----- {a.original} ----- \n{heads(a)}\n\n\n{quote_letter(a.letter)}\n\n{a.text}\n", ""


# -------------------------------------------------------------------------------------------- Apple


@layout("Apple Mail", "en de fr ja", encoding="quoted-printable", kind="format=flowed")
def apple_mail(a: Answer) -> tuple[str, str]:
    quote = f'<div>{escape(a.wrote)}</div><br class="Apple-interchange-newline"><div>{a.letter_html}</div>'
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        f'<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">{a.html}<br id="lineBreakAtBeginningOfMessage">'
        f"<div><br>{cite(quote)}</div><br></body></html>"
    )
    return f"{a.text}\n\n> {a.wrote}\n> \n{quote_letter(a.letter)}\n\n", html


@layout("Apple Mail", "en it", where="inside", encoding="7bit", kind="format=flowed; delsp=yes")
def apple_inside(a: Answer) -> tuple[str, str]:
    lines = quote_letter(a.letter).split("\n")
    return "\n".join([f"> {a.wrote}", "> ", *lines[:14], "", a.text, "", *lines[14:]]) + "\n", ""


@layout("Mail, iPhone and iPad", "en de es zh-cn ko tr th", encoding="quoted-printable")
def iphone(a: Answer) -> tuple[str, str]:
    html = (
        f'<html><body dir="auto"><div dir="ltr">{a.html}</div><div dir="ltr"><br><div dir="ltr">{escape(a.phone)}</div></div>'
        f'<div dir="ltr"><br>{cite(escape(a.wrote) + "<br><br>")}</div>{cite(f"<div dir=ltr>{a.letter_html}</div>")}</body></html>'
    )
    return f"{a.text}\n\n{a.phone}\n\n> {a.wrote}\n> \n> \ufeff\n{quote_letter(a.letter)}\n", html


@layout("Mail, iPhone and iPad", "en nl", where="below", encoding="base64")
def iphone_below(a: Answer) -> tuple[str, str]:
    """Put the signature above the quote and the words below it."""
    html = (
        f'<html><body dir="auto"><div dir="ltr"></div><div dir="ltr"><br><div dir="ltr">{escape(a.phone)}</div></div>'
        f'<div dir="ltr"><br>{cite(escape(a.wrote) + "<br><br>")}</div>{cite(a.letter_html)}<div dir="ltr">{a.html}</div></body></html>'
    )
    return f"\n\n{a.phone}\n\n> {a.wrote}\n> \n{quote_letter(a.letter)}\n\n{a.text}\n", html


# ---------------------------------------------------------------------------- free desktop programs


@layout("Thunderbird", "en de fr cs", where="below", encoding="8bit", kind="format=flowed")
def thunderbird(a: Answer) -> tuple[str, str]:
    html = (
        '<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body>'
        f'<div class="moz-cite-prefix">{escape(a.wrote)}<br></div>{cite(a.letter_html, "type=cite cite=mid:g42@x")}'
        f'{a.html}<div class="moz-signature">-- <br>Joao<br>resign</div></body></html>'
    )
    return f"{a.wrote}\n{quote_letter(a.letter)}\n\n{a.text}\n\n-- \nJoao\nresign\n", html


@layout("Thunderbird", "en pl", encoding="quoted-printable")
def thunderbird_above(a: Answer) -> tuple[str, str]:
    html = (
        f'<html><body><p>{a.html}</p><div class="moz-cite-prefix">{escape(a.wrote)}<br></div>'
        f"{cite(a.letter_html, 'type=cite')}</body></html>"
    )
    return f"{a.text}\n\n{a.wrote}\n{quote_letter(a.letter)}\n", html


@layout("Evolution", "en", where="below", encoding="7bit")
def evolution(a: Answer) -> tuple[str, str]:
    wrote = "On Mon, 2026-03-02 at 12:00 +0000, Bipod #42 wrote:"
    html = f"<html><body><div>{wrote}</div>{cite(a.letter_html, 'type=cite style=border-left:2px #729fcf solid')}<div>{a.html}</div></body></html>"
    return f"{wrote}\n{quote_letter(a.letter)}\n\n{a.text}\n", html


@layout("KMail", "en de", where="below", encoding="8bit")
def kmail(a: Answer) -> tuple[str, str]:
    wrote = {"de": "Am Montag, 2. März 2026, 12:00:00 MEZ schrieb Bipod #42:"}
    first = wrote.get(a.lang, "On Monday, 2 March 2026 12:00:00 CET Bipod #42 wrote:")
    return f"{first}\n{quote_letter(a.letter)}\n\n{a.text}\n\n", ""


@layout("Claws Mail", "en", where="below", encoding="7bit")
def claws(a: Answer) -> tuple[str, str]:
    return (
        f'On Mon, 02 Mar 2026 12:00:00 +0000\n"Bipod #42" <{PLAIN}> wrote:\n\n{quote_letter(a.letter)}\n\n{a.text}\n',
        "",
    )


@layout("mutt", "en", where="below", encoding="7bit", charset="us-ascii")
def mutt(a: Answer) -> tuple[str, str]:
    return (
        f"On Mon, Mar 02, 2026 at 12:00:00PM +0000, Bipod #42 wrote:\n{quote_letter(a.letter)}\n\n{a.text}\n\n-- \nJoao\n",
        "",
    )


@layout("Alpine", "en", where="below", encoding="8bit", kind="format=flowed")
def alpine(a: Answer) -> tuple[str, str]:
    return f"On Mon, 2 Mar 2026, Bipod #42 wrote:\n\n{quote_letter(a.letter)}\n\n{a.text}\n", ""


@layout("Gnus", "en", where="below", encoding="8bit")
def gnus(a: Answer) -> tuple[str, str]:
    return f'"Bipod #42" <{PLAIN}> writes:\n\n{quote_letter(a.letter)}\n\n{a.text}\n', ""


@layout("Gnus with Supercite", "en", where="below", encoding="8bit")
def supercite(a: Answer) -> tuple[str, str]:
    """Put the writer's name before every quoted line."""
    mark = "    Bipod> "
    return f'>>>>> "Bipod" == Bipod #42 <{PLAIN}> writes:\n\n{quote_letter(a.letter, mark)}\n\n{a.text}\n', ""


@layout("The Bat!", "en ru", where="below", charset="windows-1251", encoding="8bit")
def the_bat(a: Answer) -> tuple[str, str]:
    """Put initials before every quoted line."""
    first = {"ru": "Вы писали 2 марта 2026 г., 12:00:00:"}.get(
        a.lang, "Monday, March 2, 2026, 12:00:00 PM, you wrote:"
    )
    return f"{first}\n\n{quote_letter(a.letter, 'B> ')}\n\n{a.text}\n\n\n-- \nJoao\n", ""


@layout("eM Client", "en cs", encoding="quoted-printable")
def em_client(a: Answer) -> tuple[str, str]:
    html = (
        f"<html><body>{a.html}<div><br></div><div>------ {escape(a.original)} ------</div><div>{heads_html(a, 'span')}</div><div><br></div>"
        f'<div id="x1"><blockquote cite="g42@x" type="cite" class="cite2">{a.letter_html}</blockquote></div></body></html>'
    )
    return f"{a.text}\n\n------ {a.original} ------\n{heads(a)}\n\n{quote_letter(a.letter, '>')}\n", html


@layout("HCL Notes", "en de", encoding="quoted-printable", charset="iso-8859-1")
def notes(a: Answer) -> tuple[str, str]:
    head = "\n".join(f"{label}:   {value}" for label, value in a.labels)
    rows = "".join(
        f"<tr><td><font size=1 color=#5f5f5f>{label}: &nbsp; &nbsp; &nbsp;</font><td><font size=1>{escape(value)}</font>"
        for label, value in a.labels
    )
    html = f"<font size=2>{'<br>'.join(map(escape, a.text.split(chr(10))))}</font><br><br><br><table width=100%>{rows}</table><br><hr noshade><br>{a.letter_html}"
    return f"{a.text}\n\n\n\n\n{head}\n\n\n\n{a.letter}\n", html


@layout("HCL Verse", "en", encoding="base64")
def verse(a: Answer) -> tuple[str, str]:
    head = f'-----"Bipod #42" <{PLAIN}> wrote: -----\nTo: {JOAO}\nFrom: "Bipod #42" <{PLAIN}>\nDate: 03/02/2026 12:00PM\nSubject: {SUBJECT}'
    return (
        f"{a.text}\n\n{head}\n\n{a.letter}\n",
        f"{a.html}<br><br>{'<br>'.join(map(escape, head.split(chr(10))))}<br><br>{a.letter_html}",
    )


@layout("GroupWise", "en", encoding="quoted-printable")
def groupwise(a: Answer) -> tuple[str, str]:
    return f'{a.text}\n\n>>> "Bipod #42" <{PLAIN}> 02.03.26 12:00 >>>\n{a.letter}\n', ""


@layout("BlackBerry", "en", encoding="base64")
def blackberry(a: Answer) -> tuple[str, str]:
    return (
        f"{a.text}\n\nSent from my BlackBerry 10 smartphone.\n  Original Message  \n{heads(a)}\n\n{a.letter}\n",
        "",
    )


# ----------------------------------------------------------------------------- webmail of providers


@layout("Yahoo, web", "en fr id vi", encoding="quoted-printable")
def yahoo_web(a: Answer) -> tuple[str, str]:
    letter = "\n".join(f" {line}".rstrip() for line in a.letter.split("\n"))
    html = (
        f'<html><head></head><body><div class="ydp1f2e3d4cyahoo-style-wrap" style="font-size:16px;">{a.html}</div>'
        f'<div id="ydp9a8b7c6dyahoo_quoted_2142999335" class="ydp9a8b7c6dyahoo_quoted"><div style="font-size:13px;color:#26282a;">'
        f"<div>{escape(a.wrote)}</div><div><br></div><div>{a.letter_html}</div></div></div></body></html>"
    )
    return f"{a.text}\n\n    {a.wrote}\n\n{letter}\n", html


@layout("Yahoo, phones", "en", encoding="base64")
def yahoo_phone(a: Answer) -> tuple[str, str]:
    wrote = f"On Mon, Mar 2, 2026 at 12:00 PM, Bipod #42<{PLAIN}> wrote:"
    letter = "\n".join(f"  {line}".rstrip() for line in a.letter.split("\n"))
    html = (
        f'{a.html}<br><br><div id="ymail_android_signature"><a href="https://mail.onelink.me/1">Yahoo Mail: Search, Organize, Conquer</a></div><br>'
        f'<blockquote style="margin: 0 0 20px 0;"><div style="font-family:Roboto;color:#6D00F6;"><div>{escape(wrote)}</div></div><div>{a.letter_html}</div></blockquote>'
    )
    return f"{a.text}\n\nYahoo Mail: Search, Organize, Conquer \n \n  {wrote}\n{letter}\n", html


@layout("AOL", "en", encoding="quoted-printable")
def aol(a: Answer) -> tuple[str, str]:
    wrote = f"In a message dated 3/2/2026 12:00:00 PM Eastern Standard Time, {PLAIN} writes:"
    return (
        f"{a.text}\n \n{wrote}\n \n{a.letter}\n",
        f"{a.html}<br><div>{wrote}</div><div>&nbsp;</div>{a.letter_html}",
    )


@layout("GMX and web.de", "de en", encoding="quoted-printable")
def gmx(a: Answer) -> tuple[str, str]:
    html = (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>{a.html}</div><div>&nbsp;'
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;">'
        f'<div style="margin:0 0 10px 0;">{heads_html(a)}</div><div name="quoted-content">{a.letter_html}</div></div></div></div></body></html>'
    )
    return "", html


@layout("Proton Mail", "en de fr", encoding="quoted-printable")
def proton(a: Answer) -> tuple[str, str]:
    html = (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{a.html}</div><div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">'
        'Sent with <a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">'
        f"{escape(a.wrote)}<br><br>{cite(a.letter_html, 'class=protonmail_quote type=cite')}</div>"
    )
    return (
        f"{a.text}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n{a.wrote}\n\n{quote_letter(a.letter)}\n",
        html,
    )


@layout("Tuta", "en de", encoding="base64")
def tuta(a: Answer) -> tuple[str, str]:
    html = f"<html><body><div>{a.html}</div><br><div>2 Mar 2026, 12:00 by {PLAIN}:</div>{cite(a.letter_html, 'class=tutanota_quote')}</body></html>"
    return "", html


@layout("Fastmail", "en", encoding="quoted-printable")
def fastmail(a: Answer) -> tuple[str, str]:
    wrote = "On Mon, Mar 2, 2026, at 12:00 PM, Bipod #42 wrote:"
    html = f"<!DOCTYPE html><html><body>{a.html}<div><br></div><div>{wrote}<br></div>{cite(a.letter_html, 'type=cite id=qt')}</body></html>"
    return f"{a.text}\n\n{wrote}\n{quote_letter(a.letter)}\n", html


@layout("Zoho", "en hi", encoding="quoted-printable")
def zoho(a: Answer) -> tuple[str, str]:
    wrote = f"---- On Mon, 02 Mar 2026 12:00:00 +0000 Bipod #42 <{PLAIN}> wrote ---"
    html = (
        f'<div style="font-size: 10pt;">{a.html}<br><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204); height: 0px;"><br></div>'
        f'<div class="zmail_extra" data-zbluepencil-ignore="true"><br><div id="Zm-_Id_-Sgn1">{escape(wrote)}</div><br>'
        f"{cite(a.letter_html, chr(39).join(('id=', 'blockquote_zmail', '')))}</div></div>"
    )
    return f"{a.text}\n\n\n\n{wrote}\n\n{a.letter}\n", html


@layout("Roundcube (Posteo and others)", "en de", where="below", encoding="quoted-printable")
def roundcube(a: Answer) -> tuple[str, str]:
    wrote = {"de": "Am 02.03.2026 12:00 schrieb Bipod #42:"}.get(
        a.lang, "On 2026-03-02 12:00, Bipod #42 wrote:"
    )
    html = f'<html><body><p id="reply-intro">{wrote}</p>{cite(f"<div id=replybody1>{a.letter_html}</div>", "type=cite style=padding:0")}{a.html}</body></html>'
    return f"{wrote}\n{quote_letter(a.letter)}\n\n{a.text}\n", html


@layout("Open-Xchange (mailbox.org, Ionos)", "de en", encoding="quoted-printable")
def open_xchange(a: Answer) -> tuple[str, str]:
    wrote = {"de": f"Bipod #42 <{PLAIN}> hat am 02.03.2026 12:00 CET geschrieben:"}
    first = wrote.get(a.lang, f"On 03/02/2026 12:00 PM CET Bipod #42 <{PLAIN}> wrote:")
    inner = f"<div>{escape(first)}</div><div><br></div><div><br></div>{a.letter_html}"
    html = f"<!doctype html><html><body>{a.html}{cite(inner, 'type=cite')}</body></html>"
    return f"{a.text}\n\n> {first}\n> \n>  \n{quote_letter(a.letter)}\n", html


@layout("Zimbra", "en fr", encoding="base64")
def zimbra(a: Answer) -> tuple[str, str]:
    html = (
        f'<html><body><div style="font-family: arial">{a.html}<div><br></div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">'
        f'{heads_html(a)}</div><div><br></div><div data-marker="__QUOTED_TEXT__">{a.letter_html}</div></div></body></html>'
    )
    return f"{a.text}\n\n----- {a.original} -----\n{heads(a)}\n\n{a.letter}\n", html


@layout("Orange.fr", "fr", encoding="quoted-printable", charset="iso-8859-1")
def orange(a: Answer) -> tuple[str, str]:
    head = f'> Message du 02/03/26 12:00\n> De : "Bipod #42" <{PLAIN}>\n> A : {JOAO}\n> Copie à : \n> Objet : {SUBJECT}\n> '
    return f"{a.text}\n\n\n{head}\n{quote_letter(a.letter)}\n", ""


@layout("Libero.it", "it", encoding="quoted-printable")
def libero(a: Answer) -> tuple[str, str]:
    wrote = f'Il 02/03/2026 12:00 CET "Bipod #42" <{PLAIN}> ha scritto:'
    html = f'<!doctype html><html><body>{a.html}<blockquote type="cite"><div>{escape(wrote)}</div>{a.letter_html}</blockquote></body></html>'
    return f"{a.text}\n\n> {wrote}\n> \n{quote_letter(a.letter)}\n", html


@layout("Seznam", "cs", encoding="quoted-printable")
def seznam(a: Answer) -> tuple[str, str]:
    head = f"---------- Původní e-mail ----------\nOd: Bipod #42 <{PLAIN}>\nKomu: {JOAO}\nDatum: 2. 3. 2026 12:00:00\nPředmět: {SUBJECT}"
    html = f'<html><body>{a.html}<br><aside>{"<br>".join(map(escape, head.split(chr(10))))}<br><blockquote data-email="x">{a.letter_html}</blockquote></aside></body></html>'
    return f"{a.text}\n\n{head}\n\n{a.letter}\n", html


@layout("Onet and WP", "pl", encoding="base64", charset="iso-8859-2")
def onet(a: Answer) -> tuple[str, str]:
    wrote = f'Dnia 2 marca 2026 12:00 "Bipod #42" <{PLAIN}> napisał(a):'
    html = f'<div>{a.html}</div><br><div>{escape(wrote)}</div><blockquote style="margin-left: 5px; padding-left: 5px;">{a.letter_html}</blockquote>'
    return f"{a.text}\n\n{wrote}\n\n{quote_letter(a.letter)}\n", html


@layout("Mail.ru", "ru", encoding="base64")
def mail_ru(a: Answer) -> tuple[str, str]:
    wrote = f'Понедельник, 2 марта 2026, 12:00 +03:00 от "Bipod #42" <{PLAIN}>:'
    html = (
        f'<HTML><BODY><div>{a.html}</div><blockquote style="border-left:1px solid #0857A6; margin:10px; padding:0 0 0 10px;">{escape(wrote)}<br> <br>'
        f'<div id=""><div class="js-helper js-readmsg-msg">{a.letter_html}</div></div></blockquote></BODY></HTML>'
    )
    return f"{a.text}\n \n>{wrote}\n> \n{quote_letter(a.letter, '>')}\n", html


@layout("Yandex", "ru en", encoding="base64")
def yandex(a: Answer) -> tuple[str, str]:
    wrote = f'02.03.2026, 12:00, "Bipod #42" <{PLAIN}>:'
    html = f"<div>{a.html}</div><div>&nbsp;</div><div>{escape(wrote)}</div><blockquote><div>{a.letter_html}</div></blockquote>"
    return f"{a.text}\n \n{wrote}\n{quote_letter(a.letter)}\n", html


@layout("Naver", "ko", encoding="base64")
def naver(a: Answer) -> tuple[str, str]:
    rows = "<br>".join(
        f"<b>{label}:</b>&nbsp;{escape(value)}"
        for label, value in (
            ("From", f'"Bipod #42" <{PLAIN}>'),
            ("To", f"<{JOAO}>; "),
            ("Cc", ""),
            ("Sent", "2026-03-02 (월) 21:00:00 (GMT+09:00)"),
            ("Subject", SUBJECT),
        )
    )
    html = f"<html><body><div style='font-size:10pt; font-family: Gulim;'>{a.html}<p><br></p><p>-----Original Message-----<br>{rows}<br>&nbsp;</p><p><br></p>{a.letter_html}</div></body></html>"
    head = f'-----Original Message-----\nFrom: "Bipod #42" <{PLAIN}>\nTo: <{JOAO}>;\nCc:\nSent: 2026-03-02 (월) 21:00:00 (GMT+09:00)\nSubject: {SUBJECT}'
    return f"{a.text}\n\n{head}\n\n{a.letter}\n", html


@layout("Daum and Kakao", "ko", encoding="base64", charset="euc-kr")
def daum(a: Answer) -> tuple[str, str]:
    head = f'--------- 원본 메일 ---------\n보낸사람: "Bipod #42" <{PLAIN}>\n받는사람: <{JOAO}>\n날짜: 2026년 3월 2일 월요일, 21시 00분 00초 +0900\n제목: {SUBJECT}'
    return (
        f"{a.text}\n\n{head}\n\n{a.letter}\n",
        f"{a.html}<br><br>{'<br>'.join(map(escape, head.split(chr(10))))}<br><br>{a.letter_html}",
    )


@layout("QQ", "zh-cn", encoding="base64", charset="gb18030")
def qq(a: Answer) -> tuple[str, str]:
    html = (
        f'{a.html}<div><br></div><div style="font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px 0;">------------------&nbsp;原始邮件&nbsp;------------------</div>'
        f'<div style="font-size: 12px;background:#efefef;padding:8px;"><div><b>发件人:</b> "Bipod #42" &lt;{PLAIN}&gt;;</div><div><b>发送时间:</b> 2026年3月2日(星期一) 晚上8:00</div>'
        f'<div><b>收件人:</b> "Joao"&lt;{JOAO}&gt;;<wbr></div><div></div><div><b>主题:</b> {SUBJECT}</div></div><div><br></div>{a.letter_html}'
    )
    head = f'------------------ 原始邮件 ------------------\n发件人: "Bipod #42" <{PLAIN}>;\n发送时间: 2026年3月2日(星期一) 晚上8:00\n收件人: "Joao"<{JOAO}>;\n\n主题: {SUBJECT}'
    return f"{a.text}\n\n\n\n\n{head}\n\n\n\n{a.letter}\n", html


@layout("NetEase (163, 126)", "zh-cn en", encoding="base64", charset="gbk")
def netease(a: Answer) -> tuple[str, str]:
    wrote = {"zh-cn": f'在 2026-03-02 20:00:00，"Bipod #42" <{PLAIN}> 写道：'}
    first = wrote.get(a.lang, f'At 2026-03-02 20:00:00, "Bipod #42" <{PLAIN}> wrote:')
    html = (
        f'<div style="line-height:1.7;color:#000000;font-size:14px;font-family:Arial">{a.html}<p><br></p><p>{escape(first)}</p>'
        f"{cite(a.letter_html, 'id=isReplyContent style=PADDING-LEFT:1ex')}</div>"
    )
    return f"{a.text}\n\n\n\n\n\n{first}\n{quote_letter(a.letter, '>')}\n", html


@layout("Foxmail", "zh-cn en", encoding="base64", charset="gb2312")
def foxmail(a: Answer) -> tuple[str, str]:
    html = (
        f'<html><body><div>{a.html}</div><div><br></div><hr style="width: 210px; height: 1px;" color="#b5c4df" size="1" align="left"><div><span>{JOAO}</span></div>'
        '<blockquote style="margin-Top: 0px; margin-Bottom: 0px; margin-Left: 0.5em"><div>&nbsp;</div>'
        f'<div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm"><div>{heads_html(a)}</div></div><div>{a.letter_html}</div></blockquote></body></html>'
    )
    return f"{a.text}\n\n\n\n{JOAO}\n \n{heads(a)}\n{a.letter}\n", html


# ----------------------------------------------------------------------------------- other phones


@layout("Samsung Email", "en de es pl", encoding="base64")
def samsung(a: Answer) -> tuple[str, str]:
    head = f"-------- {a.original} --------\n{heads(a)}"
    sent = {
        "de": "Von meinem Galaxy gesendet",
        "es": "Enviado desde mi Galaxy",
        "pl": "Wysłane z mojego Galaxy",
    }
    phone = sent.get(a.lang, "Sent from my Galaxy")
    html = (
        f'<html><body dir="auto">{a.html}<div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">{phone}</div></div>'
        f'<div dir="auto"><br></div><div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- {escape(a.original)} --------</div>'
        f"<div>{heads_html(a, 'span')}</div><div><br></div></div>{a.letter_html}</body></html>"
    )
    return f"{a.text}\n\n\n{phone}\n\n\n{head}\n\n{a.letter}\n", html


@layout("K-9 Mail", "en de", encoding="quoted-printable")
def k9(a: Answer) -> tuple[str, str]:
    wrote = {"de": f"Am 2. März 2026 13:00:00 MEZ schrieb Bipod #42 <{PLAIN}>:"}
    first = wrote.get(a.lang, f"On March 2, 2026 1:00:00 PM GMT+01:00, Bipod #42 <{PLAIN}> wrote:")
    sign = "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity."
    html = (
        f'<html><head></head><body>{"<br>".join(map(escape, a.text.split(chr(10))))}<br><br><div class="gmail_quote">{escape(first)}'
        f'{cite(a.letter_html, "class=gmail_quote style=margin:0")}</div><div style="white-space: pre-wrap"><div class="k9mail-signature">-- <br>resign</div></div></body></html>'
    )
    return f"{a.text}\n\n{sign}\n\n{first}\n{quote_letter(a.letter, '>')}\n", html


@layout("FairEmail", "en de", encoding="quoted-printable")
def fairemail(a: Answer) -> tuple[str, str]:
    first = f"2 Mar 2026 13:00:00 Bipod #42 <{PLAIN}>:"
    html = f'<!DOCTYPE html><html><body><div dir="auto">{a.html}</div><div class="fairemail_quote"><p>{escape(first)}</p>{cite(a.letter_html, "style=margin:0")}</div></body></html>'
    return f"{a.text}\n\n{first}\n\n{quote_letter(a.letter)}\n", html


@layout("Spark", "en", encoding="quoted-printable")
def spark(a: Answer) -> tuple[str, str]:
    wrote = f"On Mar 2, 2026 at 12:00 +0000, Bipod #42 <{PLAIN}>, wrote:"
    html = (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><body><div name="messageBodySection"><div dir="auto">{a.html}</div></div><div name="messageSignatureSection"><br/></div>'
        f'<div name="messageReplySection">{escape(wrote)}<br/>{cite(a.letter_html, "type=cite class=spark_quote")}</div></body></html>'
    )
    return f"{a.text}\n{wrote}\n{quote_letter(a.letter)}\n", html


@layout("Huawei Email", "zh-cn en", encoding="base64")
def huawei(a: Answer) -> tuple[str, str]:
    head = f"-------- {a.original} --------\n{heads(a)}"
    return (
        f"{a.text}\n\n\n{head}\n\n\n{a.letter}\n",
        f"<div>{a.html}</div><br><br><div>{'<br>'.join(map(escape, head.split(chr(10))))}<br><br></div>{a.letter_html}",
    )
