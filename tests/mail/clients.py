"""Answers to a letter in the styles of mail programs, as bytes.

`reply(...)` puts a player's words above, below or between the quote in one of many styles; each style is a
function (Words) -> bytes. The quoted letter holds everything that could go wrong: a board, the plies so far,
examples inside sentences, single command words in quotes, the marker line, links.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable
from dataclasses import dataclass
from email.header import Header
from html import escape

from pbem.core.parsing.reply_text import MARKER
from tests.mail.languages import LANGUAGES, Language

TOKEN = "play+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a@games.example.org"
PLAIN = "play@games.example.org"
LINK = "https://games.example.org/games/42/compose?token=aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"

LETTER = f"""\
It is your turn in Bipod #42, Bill: move 7, as first.

Joao played move 6: m1 o1 n2, and says:

  Now it gets narrow!

  _________________________________
  . . . . . @ x x . . . Q . . . x .   1
   x x . . . . x . . . . . . . x .    2
    . . . . x . . . . . . . . . .     3
     x . . . . . . . . . . . . .      4
      x . . . . . . . . . . . .       5
       x . . . . . . . . . . .        6
  abcdefghijklmnopqrstuvwxyzABCDEFG

Blocks (x): f2 f4 g3 e5 g1 f6 h2 i1 E1 F2 m1 o1 n2.
move 1: f2 f4 g3
move 2: e5 g1
move 3: f6 h2 i1
move 4: E1
move 5: F2
move 6: m1 o1 n2

To play, answer this letter with your move on a line of its own above the marker, for example
`k3`, `k3 r2` or `adopt`; a comment to Joao may stand below it. `show` draws the board again and
`resign` gives the game up.

{MARKER}

The game on the web:  https://games.example.org/games/42
Answer in a browser:  {LINK}
"""


def _letter_html() -> str:
    cells = [row.split() for row in LETTER.split("\n") if row.endswith(tuple("123456")) and "   " in row]
    rows = "".join(
        f"<tr>{'<td></td>' * n}{''.join(f'<td>{escape(c)}</td><td></td>' for c in row[:-1])}<th>{row[-1]}</th></tr>"
        for n, row in enumerate(cells)
    )
    plies = "".join(f"<li>move {n}: {p}</li>" for n, p in enumerate(("f2 f4 g3", "e5 g1"), 1))
    return (
        "<p>It is your turn in <b>Bipod #42</b>, Bill: move 7, as first.</p>"
        f"<p>Joao played <b>m1 o1 n2</b>.</p><table>{rows}</table><ul>{plies}</ul>"
        f"<p>To play, answer with your move, for example <code>k3 r2</code>.<br>"
        f'<a href="mailto:{TOKEN}?body=adopt">Answer with adopt</a></p><p>{escape(MARKER)}</p>'
        f'<p><a href="{LINK}">Answer in a browser</a></p>'
    )


LETTER_HTML = _letter_html()


@dataclass(frozen=True)
class Words:
    """A player's words, and the language of the mail program."""

    text: str
    lang: str = "en"
    signature: str = ""

    @property
    def language(self) -> Language:
        return LANGUAGES[self.lang]

    @property
    def wrote(self) -> str:
        return self.language.wrote.format(a=PLAIN)


def quote_letter(text: str = LETTER, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.rstrip("\n").split("\n"))


def mail(
    text: str,
    *,
    sender: str = "Bill Taylor <bill@example.org>",
    to: str = TOKEN,
    subject: str = "Re: Bipod #42: Bill - Joao",
    kind: str = "text/plain; charset=utf-8",
    encoding: str = "8bit",
    charset: str = "utf-8",
    extra: str = "",
) -> bytes:
    """Return a one-part mail with its text encoded as its headers say."""
    data = text.encode(charset, "xmlcharrefreplace" if "html" in kind else "strict")
    if encoding == "base64":
        data = base64.encodebytes(data)
    elif encoding == "quoted-printable":
        data = quopri.encodestring(data)
    head = (
        f"From: {sender}\nTo: {to}\nSubject: {subject}\nDate: Tue, 2 Jan 2024 12:00:00 +0100\n"
        f"Message-ID: <abc.{len(text)}@mail.example.org>\nIn-Reply-To: <g42.e13.s0.turn.1@games.example.org>\n"
        f"References: <g42.e1.s0.start.1@games.example.org>\n <g42.e13.s0.turn.1@games.example.org>\n"
        f"MIME-Version: 1.0\n{extra}Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n"
    )
    return head.encode() + data


def two_part_mail(text: str, html: str, **more: str) -> bytes:
    """Return a mail with a text part and an HTML part."""
    body = (
        "This is a multi-part message in MIME format.\n"
        f"--=_b1\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"{quopri.encodestring(text.encode()).decode()}\n"
        f"--=_b1\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
        f"{base64.encodebytes(html.encode()).decode()}\n--=_b1--\n"
    )
    return mail(body, kind='multipart/alternative; boundary="=_b1"', **more)


def html_lines(text: str, tag: str = "div") -> str:
    return "".join(f"<{tag}>{escape(line) or '<br>'}</{tag}>" for line in text.split("\n"))


# ------------------------------------------------------------------------------------------ styles


def gmail_text(words: Words) -> str:
    return f"{words.text}\n\n{words.wrote}\n\n{quote_letter()}\n"


def gmail_html_body(words: Words) -> str:
    return (
        f'<div dir="ltr">{html_lines(words.text)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(words.wrote)}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)">'
        f"{LETTER_HTML}</blockquote></div>"
    )


def gmail(words: Words) -> bytes:
    return two_part_mail(gmail_text(words), gmail_html_body(words))


def gmail_html_alone(words: Words) -> bytes:
    return mail(gmail_html_body(words), kind="text/html; charset=utf-8", encoding="base64")


def gmail_wrapped(words: Words) -> bytes:
    """Break long introducing lines before the address, as Gmail does."""
    first, _, rest = words.wrote.partition("<")
    wrote = f"{first}<\n{rest}" if rest else words.wrote
    return mail(f"{words.text}\n\n{wrote}\n\n{quote_letter()}\n", encoding="quoted-printable")


def gmail_below(words: Words) -> bytes:
    return mail(f"{words.wrote}\n\n{quote_letter()}\n\n{words.text}\n")


def gmail_html_below(words: Words) -> bytes:
    body = (
        '<div dir="ltr"><br></div><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{escape(words.wrote)}<br></div><blockquote class="gmail_quote">{LETTER_HTML}</blockquote>'
        f"<div><br></div>{html_lines(words.text)}</div>"
    )
    return mail(body, kind="text/html; charset=utf-8")


def reply_inside(words: Words) -> bytes:
    """Type the answer between the quoted lines."""
    lines = quote_letter().split("\n")
    return mail("\n".join([words.wrote, *lines[:4], "", words.text, "", *lines[4:]]) + "\n")


def thunderbird(words: Words) -> bytes:
    """Use format=flowed, soft breaks, and words below the quote with a signature."""
    flowed = "\n".join(f"> {line}".rstrip() for line in LETTER.rstrip().split("\n"))
    return mail(
        f"{words.wrote}\n{flowed}\n\n{words.text}\n\n-- \nBill Taylor\nf6 Chess Road\n",
        kind="text/plain; charset=UTF-8; format=flowed",
    )


def apple(words: Words) -> bytes:
    text = f"{words.text}\n\n> {words.wrote}\n> \n{quote_letter()}\n\n"
    html = (
        f'<html><head></head><body>{html_lines(words.text)}<div><br><blockquote type="cite"><div>'
        f'{escape(words.wrote)}</div><br class="Apple-interchange-newline">{LETTER_HTML}</blockquote></div></body></html>'
    )
    return two_part_mail(text, html)


def iphone(words: Words) -> bytes:
    text = f"{words.text}\n\n{words.language.phone}\n\n> {words.wrote}\n> \n{quote_letter(mark='> ')}\n"
    return mail(text, encoding="quoted-printable")


def iphone_below(words: Words) -> bytes:
    """Put the signature above the quote and the words below it."""
    return mail(f"\n\n{words.language.phone}\n\n> {words.wrote}\n> \n{quote_letter()}\n\n{words.text}\n")


def _outlook_headers(words: Words, bold: str = "") -> str:
    a, b, c, d = words.language.labels
    return "\n".join(
        f"{bold}{label}:{bold} {value}"
        for label, value in (
            (a, f"Bipod #42 <{PLAIN}>"),
            (b, "Tuesday, January 2, 2024 10:00 AM"),
            (c, "Bill Taylor <bill@example.org>"),
            (d, "Bipod #42: Bill - Joao"),
        )
    )


def outlook_text(words: Words) -> bytes:
    """Quote as Outlook's desktop program: dashes, header lines, unmarked plain text."""
    original = f"-----{words.language.original}-----"
    return mail(f"{words.text}\n\n{original}\n{_outlook_headers(words)}\n\n{LETTER}", encoding="base64")


def outlook_new(words: Words) -> bytes:
    """Quote as Outlook today: bold labels, no rule above them."""
    return mail(f"{words.text}\n\n{_outlook_headers(words, '*')}\n\n{LETTER}", encoding="quoted-printable")


def outlook_com(words: Words) -> bytes:
    rule = "_" * 32
    return mail(f"{words.text}\n{rule}\n{_outlook_headers(words)}\n\n{LETTER}")


def outlook_html_alone(words: Words) -> bytes:
    """Quote as Word's HTML, without any mark.

    It has MsoNormal paragraphs and a border above the header lines.
    """
    headers = "<br>".join(
        f"<b>{escape(label)}</b> {escape(value)}"
        for label, _, value in (line.partition(" ") for line in _outlook_headers(words).split("\n"))
    )
    own = "".join(
        f"<p class=MsoNormal>{escape(line) or '<o:p>&nbsp;</o:p>'}<o:p></o:p></p>"
        for line in words.text.split("\n")
    )
    body = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style>'
        "<!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--></head><body lang=EN-GB><div class=WordSection1>"
        f"{own}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;"
        f"padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{headers}<o:p></o:p></p></div></div>"
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p>{LETTER_HTML}</div></body></html>"
    )
    return mail(body, kind="text/html; charset=windows-1252", charset="cp1252", encoding="quoted-printable")


def outlook_web_html(words: Words) -> bytes:
    body = (
        f'<html><body dir="ltr">{html_lines(words.text)}<div id="appendonsend"></div>'
        '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f'<font face="Calibri">{"<br>".join(escape(line) for line in _outlook_headers(words).split(chr(10)))}</font>'
        f"<div>&nbsp;</div></div>{LETTER_HTML}</body></html>"
    )
    return mail(body, kind="text/html; charset=utf-8")


def outlook_express_below(words: Words) -> bytes:
    """Put header lines first, then marked lines, then the words."""
    original = f"----- {words.language.original} ----- "
    return mail(f"{original}\n{_outlook_headers(words)}\n\n\n{quote_letter()}\n\n{words.text}\n")


def yahoo(words: Words) -> bytes:
    """Quote as Yahoo's text part: the letter indented, without any mark."""
    letter = "\n".join(f"  {line}".rstrip() for line in LETTER.split("\n"))
    return mail(f"{words.text}\n\n    {words.wrote}\n\n{letter}")


def yahoo_html(words: Words) -> bytes:
    body = (
        f'<html><body><div class="yahoo-style-wrap" style="font-family:Helvetica">{html_lines(words.text)}</div>'
        f'<div id="yahoo_quoted_1234567890" class="yahoo_quoted"><div style="font-family:Helvetica">'
        f"<div>{escape(words.wrote)}</div><div><br></div>{LETTER_HTML}</div></div></body></html>"
    )
    return mail(body, kind="text/html; charset=utf-8")


def gmx_html(words: Words) -> bytes:
    body = (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{html_lines(words.text)}'
        '<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; '
        'border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Dienstag, 02. Januar 2024<br/>'
        f'<b>Von:</b>&nbsp;&quot;Bipod #42&quot; &lt;{PLAIN}&gt;<br/></div><div name="quoted-content">{LETTER_HTML}'
        "</div></div></div></div></body></html>"
    )
    return mail(body, kind="text/html; charset=UTF-8")


def proton(words: Words) -> bytes:
    text = f"{words.text}\n\nSent with Proton Mail secure email.\n\n{words.wrote}\n\n{quote_letter()}\n"
    return mail(text, encoding="quoted-printable")


def roundcube(words: Words) -> bytes:
    return mail(f"On 2024-01-02 10:00, Bipod #42 wrote:\n{quote_letter()}\n\n{words.text}\n", charset="utf-8")


def mutt(words: Words) -> bytes:
    return mail(
        f"* Bipod #42 <{PLAIN}> [2024-01-02 10:00]:\n{quote_letter()}\n\n{words.text}\n\n-- \nBill\n",
        kind="text/plain; charset=us-ascii" if words.text.isascii() else "text/plain; charset=utf-8",
    )


def reply_with_bars(words: Words) -> bytes:
    """Quote with bars, as some programs do."""
    return mail(f"{words.text}\n\n{words.wrote}\n{quote_letter(mark='| ')}\n")


def groupwise(words: Words) -> bytes:
    return mail(f'{words.text}\n\n>>> "Bipod #42" <{PLAIN}> 1/2/2024 10:00 AM >>>\n{LETTER}')


def zoho(words: Words) -> bytes:
    line = f"---- On Tue, 02 Jan 2024 10:00:00 +0100 Bipod #42 <{PLAIN}> wrote ----"
    return mail(f"{words.text}\n\n\n\n{line}\n\n{LETTER}")


def qq(words: Words) -> bytes:
    body = (
        f'{html_lines(words.text)}<div style="font-size: 12px;">------------------&nbsp;原始邮件&nbsp;------------------</div>'
        '<div style="background:#efefef;padding:8px;"><div><b>发件人:</b>"Bipod #42"&lt;play@games.example.org&gt;;</div>'
        "<div><b>发送时间:</b>2024年1月2日(星期二) 上午10:00</div><div><b>主题:</b>Bipod #42: Bill - Joao</div></div>"
        f"<div>{LETTER_HTML}</div>"
    )
    return mail(body, kind='text/html; charset="gb18030"', charset="gb18030", encoding="base64")


def cut_marker(words: Words) -> bytes:
    """Type above the marker, and keep the rest of the letter below."""
    return mail(f"{words.text}\n\n{MARKER}\n\n{LETTER.partition(MARKER)[2]}")


def wrap_marker(words: Words) -> bytes:
    """Wrap quoted lines at 40 columns; only first pieces have a mark."""
    lines: list[str] = []
    for line in LETTER.rstrip().split("\n"):
        if line == MARKER:
            lines += [f"> {MARKER[:24]}", MARKER[24:].strip()]
        else:
            lines.append(f"> {line}".rstrip())
    return mail(f"{words.text}\n\n{words.wrote}\n" + "\n".join(lines) + "\n")


def indent_marker(words: Words) -> bytes:
    return mail(f"{words.text}\n\n\t  {MARKER}\n\n" + quote_letter(mark="    "))


def no_quote(words: Words) -> bytes:
    return mail(f"{words.text}\n")


STYLES: dict[str, Callable[[Words], bytes]] = {
    style.__name__: style
    for style in (
        gmail,
        gmail_html_alone,
        gmail_wrapped,
        gmail_below,
        gmail_html_below,
        reply_inside,
        thunderbird,
        apple,
        iphone,
        iphone_below,
        outlook_text,
        outlook_new,
        outlook_com,
        outlook_html_alone,
        outlook_web_html,
        outlook_express_below,
        yahoo,
        yahoo_html,
        gmx_html,
        proton,
        roundcube,
        mutt,
        reply_with_bars,
        groupwise,
        zoho,
        qq,
        cut_marker,
        wrap_marker,
        indent_marker,
        no_quote,
    )
}


def encoded_subject(text: str, charset: str = "utf-8") -> str:
    return Header(text, charset).encode()


# A move and a quote, for the corpus.

MOVE = ("f2 f4 g3",)
QUOTE = f"\n\nOn Tue, Jan 2, 2024 at 10:00 AM Bipod #42 <{PLAIN}> wrote:\n\n{quote_letter()}\n"
