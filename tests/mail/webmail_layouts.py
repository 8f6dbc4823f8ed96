"""Layouts of providers' webmail, and of further mail programs on phones."""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

from html import escape

from tests.mail.clients import quote_letter
from tests.mail.layout import JOAO, PLAIN, SUBJECT, Answer, cite, heads, heads_html, layout

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
