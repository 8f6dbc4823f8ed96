"""Layouts of Google, Microsoft, Apple and free mail programs."""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

from html import escape

from tests.mail.clients import quote_letter
from tests.mail.layout import JOAO, PLAIN, SUBJECT, Answer, cite, heads, heads_html, layout, rule

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
