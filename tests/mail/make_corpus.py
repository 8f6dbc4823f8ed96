"""Writes the corpus: `python -m tests.mail.make_corpus` from the top of the tree.

Each case is a mail and its expected reading, stated by hand: kind, the player's commands in Bipod, the
comment. The tests read `tests/mail/corpus/NAME.eml` and `NAME.json`; a real mail may be added there without
this script.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

from tests.mail.clients import (
    LETTER,
    LETTER_HTML,
    LINK,
    PLAIN,
    STYLES,
    TOKEN,
    Words,
    encoded_subject,
    mail,
    quote_letter,
    two_part_mail,
)
from tests.mail.corpus_layouts import Case, layout_mails, odd_mails
from tests.mail.languages import LANGUAGES

CORPUS = Path(__file__).parent / "corpus"


MOVE = ("f2 f4 g3",)
QUOTE = f"\n\nOn Tue, Jan 2, 2024 at 10:00 AM Bipod #42 <{PLAIN}> wrote:\n\n{quote_letter()}\n"


def cases() -> Iterator[Case]:
    yield from from_clients()
    yield from orders()
    yield from prose()
    yield from signatures()
    yield from encodings()
    yield from signed_and_sealed()
    yield from parts()
    yield from senders()
    yield from damaged_mails()
    yield from robots()
    yield from vacations()
    yield from bounces()
    yield from people_like_robots()
    yield from layout_mails()
    yield from odd_mails()


def from_clients() -> Iterator[Case]:
    """Return every style once, each in another language."""
    for (name, style), lang in zip(STYLES.items(), list(LANGUAGES) * 2, strict=False):
        raw = style(Words("f2 f4 g3\n\nNice one!", lang))
        yield Case(f"client-{name.replace('_', '-')}-{lang}", raw, orders=MOVE, comment="Nice one!")


def orders() -> Iterator[Case]:
    new = {"subject": "hello", "to": PLAIN}
    yield Case("order-register", mail("register Bill\n", **new), orders=("register Bill",))
    yield Case(
        "order-register-html",
        mail("<p>Register Bill</p>", kind="text/html", **new),
        orders=("Register Bill",),
    )
    yield Case(
        "order-challenge",
        mail("Hello,\n\nchallenge Joao bipod size=6 unrated\n", **new),
        orders=("challenge Joao bipod size=6 unrated",),
    )
    yield Case("order-slip", mail("chalenge Joao bipod\n", **new), orders=("chalenge Joao bipod",))
    yield Case("order-guard", mail(f"#7 f2 f4 g3{QUOTE}"), orders=("#7 f2 f4 g3",))
    yield Case("order-numbered", mail(f"7. f2 f4 g3{QUOTE}"), orders=("7. f2 f4 g3",))
    yield Case("order-move-word", mail(f"Move f2 f4 g3{QUOTE}"), orders=("Move f2 f4 g3",))
    yield Case(
        "order-several",
        mail(f"show; f2 f4 g3; say hello{QUOTE}"),
        orders=("show", "f2 f4 g3"),
        comment="hello",
    )
    yield Case("order-say", mail(f"say hello there{QUOTE}"), comment="hello there")
    yield Case("order-capital", mail(f"F2 f4 g3{QUOTE}"), orders=("F2 f4 g3",))
    yield Case("order-colour", mail(f"k3o{QUOTE}"), orders=("k3o",))
    yield Case("order-wrong-row", mail(f"f7{QUOTE}"), orders=("f7",))
    yield Case("order-ambiguous", mail(f"mo13{QUOTE}"), orders=("mo13",))
    yield Case("order-adopt-slip", mail(f"adpot{QUOTE}"), orders=())
    yield Case("order-resign", mail(f"RESIGN{QUOTE}"), orders=("RESIGN",))
    yield Case("order-not-yet", mail(f"draw{QUOTE}"), orders=("draw",))
    yield Case(
        "order-bundle",
        mail(f"game 42\nf2 f4 g3\nThanks\n\ngame 43\nk3 o\nYou too\n{QUOTE}"),
        orders=("f2 f4 g3", "k3 o"),
        comment="Thanks\n\nYou too",
    )
    yield Case("order-bold", mail(f"*f2 f4 g3*{QUOTE}"), orders=MOVE)
    yield Case("order-no-break-space", mail(f"f2\u00a0f4\u00a0g3{QUOTE}"), orders=MOVE)
    yield Case("order-zero-width", mail(f"\ufefff2 f4\u200b g3\u200e{QUOTE}"), orders=MOVE)
    yield Case("order-full-width", mail(f"ｆ２　ｆ４　ｇ３{QUOTE}"), orders=MOVE)
    yield Case("order-bullet", mail(f"- f2 f4 g3{QUOTE}"), orders=MOVE)
    yield Case(
        "order-smart-quotes",
        mail(f"f2 f4 g3\n\n“Well played” – he said…{QUOTE}"),
        orders=MOVE,
        comment='"Well played" - he said...',
    )
    yield Case(
        "order-secrets-blanked",
        mail(f"f2 f4 g3\nWrite to {TOKEN} or see {LINK} now{QUOTE}"),
        orders=MOVE,
        comment="Write to [address removed] or see [link removed] now",
    )
    yield Case("order-none", mail(f"Nice game so far, I shall think about it.{QUOTE}"))
    yield Case("order-empty", mail(QUOTE))


def prose() -> Iterator[Case]:
    long = "I was away, sorry.\nParis was lovely and it rained.\nHere is my answer:\n\n"
    yield Case("prose-before-with-marker", mail(f"{long}f2 f4 g3{QUOTE}"), orders=MOVE)
    yield Case("prose-before-without-marker", mail(f"{long}f2 f4 g3\n"))
    yield Case("prose-one-line-without-marker", mail("My answer to that:\nf2 f4 g3\n"), orders=MOVE)
    yield Case(
        "prose-greeting-and-line",
        mail("Hi Joao,\n\nThis one hurts:\n\nf2 f4 g3\n\nBill\n"),
        orders=MOVE,
        comment="Bill",
    )
    yield Case(
        "prose-command-words",
        mail(f"Try again\nback soon\n\nf2 f4 g3\n\nGive my love{QUOTE}"),
        orders=MOVE,
        comment="Give my love",
    )
    yield Case("prose-name-like-a-command", mail(f"f2 f4 g3\nJames{QUOTE}"), orders=MOVE, comment="James")
    yield Case(
        "prose-board-pasted",
        mail(f"f2 f4 g3\n\nLook:\n  . . x x @ x\n   x x . . x\nply 3: f6 h2 i1{QUOTE}"),
        orders=MOVE,
        comment="Look:\n  . . x x @ x\n   x x . . x\nply 3: f6 h2 i1",
    )
    yield Case("prose-moves-in-a-sentence", mail(f"I first thought of f2 f4 g3, then of adopt.{QUOTE}"))
    yield Case(
        "prose-old-game-quoted",
        mail(f"k3 r2\n\n> 1. f2 f4 g3  e5 g1\n> 2. f6 h2 i1  E1\n> adopt\n> resign{QUOTE}"),
        orders=("k3 r2",),
    )
    yield Case(
        "prose-quote-of-a-quote", mail("k3 r2\n\n> > f2 f4 g3\n> resign\n>\n>> adopt\n"), orders=("k3 r2",)
    )
    yield Case(
        "prose-wrapped-fragment",
        mail(
            "> You may answer with any of these moves, as you like it: k3, k3 r2 or f2 f4\ng3\n> and so on, to the end.\n\nadopt\n"
        ),
        orders=("adopt",),
    )
    yield Case(
        "prose-unquoted-copy",
        mail(
            "k3 r2\n\n-----Original Message-----\nFrom: Bipod\nSubject: x\n\n1. f2 f4 g3\nf2 f4 g3\nadopt\n"
        ),
        orders=("k3 r2",),
    )


def signatures() -> Iterator[Case]:
    phones = {
        "android": "Sent from my Samsung Galaxy smartphone.",
        "outlook-ios": "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "k9-de": "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "gmx-de": "Gesendet mit der GMX Mail App",
        "yahoo": "Sent from Yahoo Mail on Android",
        "windows": "Sent from Mail for Windows",
        "blackberry": "Sent via BlackBerry from T-Mobile",
        "orange-fr": "Envoyé à partir de Outlook pour Android",
        "outlook-de": "Outlook für Android<https://aka.ms/AAb9ysg> herunterladen",
    }
    for name, line in phones.items():
        yield Case(
            f"signature-{name}", mail(f"f2 f4 g3\nCiao\n\n{line}\n{QUOTE}"), orders=MOVE, comment="Ciao"
        )
    yield Case("signature-dashes", mail(f"f2 f4 g3\n\n-- \nBill Taylor\nf4\nresign\n{QUOTE}"), orders=MOVE)
    yield Case("signature-dashes-bare", mail(f"f2 f4 g3\n--\nadopt\n{QUOTE}"), orders=MOVE)
    yield Case("signature-em-dash", mail(f"f2 f4 g3\n—\nBill\n{QUOTE}"), orders=MOVE)
    yield Case(
        "signature-disclaimer",
        mail(
            f"f2 f4 g3\n\nThis e-mail and any attachments are confidential and intended solely for the addressee.\nadopt\n{QUOTE}"
        ),
        orders=MOVE,
    )
    yield Case(
        "signature-underscores", mail(f"f2 f4 g3\n\n{'_' * 47}\ngames mailing list\nresign\n"), orders=MOVE
    )
    yield Case("signature-avast", mail(f"f2 f4 g3\n\nVirus-free. www.avast.com\n{QUOTE}"), orders=MOVE)
    yield Case(
        "signature-html",
        mail(
            '<div dir="ltr">f2 f4 g3<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br>'
            '<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div>Bill<br>resign</div></div></div>',
            kind="text/html; charset=utf-8",
        ),
        orders=MOVE,
    )


def encodings() -> Iterator[Case]:
    greetings = {
        "iso-8859-1": "Schöne Grüße",
        "iso-8859-15": "10 € für dich",
        "windows-1252": "Ça va…",
        "iso-8859-2": "Dobrý den",
        "koi8-r": "Спасибо за игру",
        "windows-1251": "Спасибо за игру",
        "gb18030": "谢谢",
        "gb2312": "谢谢",
        "big5": "謝謝",
        "shift_jis": "ありがとう",
        "iso-2022-jp": "ありがとう",
        "euc-jp": "ありがとう",
        "euc-kr": "감사합니다",
        "windows-1256": "شكرا",
        "windows-1255": "תודה",
        "iso-8859-7": "Ευχαριστώ",
        "iso-8859-9": "Teşekkürler",
        "utf-16": "Grüße",
        "mac-roman": "Grüße",
    }
    for number, (charset, words) in enumerate(greetings.items()):
        encoding = "base64" if number % 2 or charset == "utf-16" else "quoted-printable"
        comment = words.replace("…", "...")
        yield Case(
            f"charset-{charset}",
            mail(
                f"f2 f4 g3\n\n{words}\n",
                kind=f'text/plain; charset="{charset}"',
                encoding=encoding,
                charset=charset,
            ),
            orders=MOVE,
            comment=comment,
        )
    yield Case(
        "charset-utf-7",
        mail("f2 f4 g3\n", kind='text/plain; charset="utf-7"', charset="utf-7"),
        kind="refused",
    )
    yield Case(
        "charset-unknown",
        mail("f2 f4 g3\n\nGrüße\n", kind="text/plain; charset=x-unknown-8bit"),
        orders=MOVE,
        comment="Grüße",
    )
    yield Case(
        "charset-undeclared",
        mail("f2 f4 g3\n\nGrüße\n", kind="text/plain", charset="cp1252"),
        orders=MOVE,
        comment="Grüße",
    )
    yield Case(
        "charset-wrong",
        mail("f2 f4 g3\n\nGrüße\n", kind="text/plain; charset=us-ascii"),
        orders=MOVE,
        comment="Grüße",
    )
    yield Case("charset-no-text-codec", mail("f2 f4 g3\n", kind="text/plain; charset=rot13"), orders=MOVE)
    yield Case(
        "charset-meta",
        mail(
            '<html><head><meta charset="koi8-r"></head><p>f2 f4 g3</p><p>Спасибо</p>',
            kind="text/html",
            charset="koi8-r",
        ),
        orders=MOVE,
        comment="Спасибо",
    )
    yield Case(
        "encoding-crlf",
        mail(f"f2 f4 g3\nThanks{QUOTE}").replace(b"\n", b"\r\n"),
        orders=MOVE,
        comment="Thanks",
    )
    yield Case(
        "encoding-cr", mail(f"f2 f4 g3\nThanks{QUOTE}").replace(b"\n", b"\r"), orders=MOVE, comment="Thanks"
    )
    yield Case(
        "encoding-soft-breaks",
        mail("f2=20f4=\n g3\n", encoding="7bit").replace(b"7bit", b"Quoted-Printable"),
        orders=MOVE,
    )
    yield Case(
        "encoding-base64-broken",
        mail("f2 f4 g3\nThanks\n", encoding="base64").rstrip(b"=\n") + b"\n",
        orders=MOVE,
        comment="Thanks",
    )
    yield Case(
        "encoding-base64-footer",
        mail("f2 f4 g3!\n", encoding="base64") + b"\n-- \nlist footer\n",
        orders=("f2 f4 g3!",),
    )
    yield Case(
        "flowed",
        mail(
            "f2 f4 \ng3\n\nThat was a long thought, and I am not sure \nof it at all.\n-- \nBill\n",
            kind="text/plain; format=flowed",
        ),
        orders=MOVE,
        comment="That was a long thought, and I am not sure of it at all.",
    )
    yield Case(
        "flowed-delsp",
        mail(
            "f2 f4 g \n3\n\n>> adopt \n>> resign \n> \nThanks\n",
            kind='text/plain; format="flowed"; DelSp="yes"',
        ),
        orders=MOVE,
        comment="Thanks",
    )


def _der(tag: int, *contents: bytes) -> bytes:
    content = b"".join(contents)
    size = len(content).to_bytes(4, "big").lstrip(b"\0") or b"\0"
    length = bytes([len(content)]) if len(content) < 128 else bytes([0x80 | len(size)]) + size
    return bytes([tag]) + length + content


def opaque_cms(content: bytes, *, streamed: bool = False) -> bytes:
    """Return content in CMS SignedData without signers: readable, but not verifiable."""
    data, signed = (bytes.fromhex(oid) for oid in ("2a864886f70d010701", "2a864886f70d010702"))
    if streamed:
        octets = (
            b"\x24\x80" + b"".join(_der(4, content[n : n + 40]) for n in range(0, len(content), 40)) + b"\0\0"
        )
        inner = b"\x30\x80" + _der(6, data) + b"\xa0\x80" + octets + b"\0\0\0\0"
        return (
            b"\x30\x80"
            + _der(6, signed)
            + b"\xa0\x80\x30\x80"
            + _der(2, b"\1")
            + _der(0x31)
            + inner
            + _der(0x31)
            + b"\0" * 6
        )
    encapsulated = _der(0x30, _der(6, data), _der(0xA0, _der(4, content)))
    return _der(
        0x30, _der(6, signed), _der(0xA0, _der(0x30, _der(2, b"\1"), _der(0x31), encapsulated, _der(0x31)))
    )


def signed_and_sealed() -> Iterator[Case]:
    armoured = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nf2 f4 g3\n\nThanks\n- -- \nBill\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n"
    yield Case("pgp-inline", mail(armoured), orders=MOVE, comment="Thanks")
    yield Case(
        "pgp-mime",
        mail(
            "--s\nContent-Type: text/plain\n\nf2 f4 g3\n\n--s\nContent-Type: application/pgp-signature; name=signature.asc\n\n"
            "-----BEGIN PGP SIGNATURE-----\niQEz\n-----END PGP SIGNATURE-----\n\n--s--\n",
            kind='multipart/signed; micalg=pgp-sha512; protocol="application/pgp-signature"; boundary=s',
        ),
        orders=MOVE,
    )
    yield Case(
        "smime-clear",
        mail(
            "This is a cryptographically signed message in MIME format.\n\n--s\nContent-Type: text/plain; charset=utf-8\n\nf2 f4 g3\n\n--s\n"
            "Content-Type: application/pkcs7-signature; name=smime.p7s\nContent-Transfer-Encoding: base64\n"
            "Content-Disposition: attachment; filename=smime.p7s\n\nMIAGCSqGSIb3DQEHAqCAMIACAQExDzANBgl=\n\n--s--\n",
            kind='multipart/signed; protocol="application/pkcs7-signature"; boundary=s',
        ),
        orders=MOVE,
    )
    inner = b"Content-Type: text/plain; charset=utf-8\r\n\r\nf2 f4 g3\r\n\r\nThanks\r\n"
    for name, streamed in (("smime-opaque", False), ("smime-opaque-streamed", True)):
        yield Case(
            name,
            mail(
                base64.encodebytes(opaque_cms(inner, streamed=streamed)).decode(),
                kind="application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
                encoding="7bit",
            ).replace(b"Encoding: 7bit", b"Encoding: base64"),
            orders=MOVE,
            comment="Thanks",
        )
    yield Case(
        "smime-encrypted",
        mail(
            "MIAGCSqGSIb3DQEHA6CAMIACAQAxggFVMIIBUQIBADA5MCUx\n",
            kind="application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
        ),
        kind="refused",
    )
    yield Case(
        "pgp-encrypted",
        mail(
            "--e\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n\n--e\nContent-Type: application/octet-stream; name=encrypted.asc\n\n"
            "-----BEGIN PGP MESSAGE-----\nhQEMA\n-----END PGP MESSAGE-----\n\n--e--\n",
            kind='multipart/encrypted; protocol="application/pgp-encrypted"; boundary=e',
        ),
        kind="refused",
    )
    yield Case(
        "pgp-encrypted-inline",
        mail("-----BEGIN PGP MESSAGE-----\nVersion: GnuPG v2\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"),
        kind="refused",
    )
    tnef = '--w\nContent-Type: application/ms-tnef; name="winmail.dat"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="winmail.dat"\n\neJ8+IgAQAQaQCAAEAAAAAAABAAEAAQeQBgAI\n\n--w--\n'
    yield Case("winmail-alone", mail(tnef, kind="multipart/mixed; boundary=w"), kind="refused")
    yield Case(
        "winmail-with-text",
        mail(f"--w\nContent-Type: text/plain\n\nf2 f4 g3\n\n{tnef}", kind="multipart/mixed; boundary=w"),
        orders=MOVE,
    )


def parts() -> Iterator[Case]:
    forwarded = "--m\nContent-Type: message/rfc822\n\nFrom: Joao <joao@example.org>\nSubject: Bipod\n\nresign\n\n--m--\n"
    yield Case("part-forwarded-alone", mail(forwarded, kind="multipart/mixed; boundary=m"))
    yield Case(
        "part-forwarded-below",
        mail(f"--m\nContent-Type: text/plain\n\nf2 f4 g3\n\n{forwarded}", kind="multipart/mixed; boundary=m"),
        orders=MOVE,
    )
    yield Case(
        "part-forwarded-whole",
        mail("From: Joao <joao@example.org>\nSubject: x\n\nresign\n", kind="message/rfc822"),
    )
    yield Case(
        "part-forwarded-inline",
        mail(
            "See below\n\n---------- Forwarded message ---------\nFrom: Joao <joao@example.org>\nDate: Tue, 2 Jan 2024\nSubject: Bipod\nTo: <bill@example.org>\n\n\nresign\nf2 f4 g3\n"
        ),
    )
    yield Case(
        "part-attached-text",
        mail(
            "--m\nContent-Type: text/plain\n\nf2 f4 g3\n\n--m\nContent-Type: text/plain; name=resign.txt\nContent-Disposition: attachment; filename=resign.txt\n\nresign\n\n--m--\n",
            kind="multipart/mixed; boundary=m",
        ),
        orders=MOVE,
    )
    yield Case(
        "part-attached-text-alone",
        mail(
            "--m\nContent-Type: text/plain\nContent-Disposition: attachment; filename=game.txt\n\nresign\n\n--m--\n",
            kind="multipart/mixed; boundary=m",
        ),
    )
    yield Case("part-picture-alone", mail("iVBORw0KGgo=\n", kind="image/png; name=board.png"))
    yield Case("part-text-empty-html-full", two_part_mail("\n\n", "<p>f2 f4 g3</p>"), orders=MOVE)
    yield Case(
        "part-related",
        mail(
            "--r\nContent-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain\n\nf2 f4 g3\n\n[cid:logo]\n--a\nContent-Type: text/html\n\n<p>f2 f4 g3</p>\n--a--\n"
            "--r\nContent-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline; filename=logo.png\n\nx\n--r--\n",
            kind="multipart/related; boundary=r",
        ),
        orders=MOVE,
        comment="[cid:logo]",
    )
    yield Case(
        "part-apple-picture-first",
        mail(
            "--m\nContent-Type: text/plain\n\n\n--m\nContent-Type: image/jpeg; name=a.jpg\nContent-Disposition: inline; filename=a.jpg\n\nx\n--m\nContent-Type: text/plain\n\nf2 f4 g3\n--m--\n",
            kind="multipart/mixed; boundary=m",
        ),
        orders=MOVE,
    )
    yield Case(
        "part-html-board-unmarked",
        mail(f"<p>k3 r2</p><p>Thanks</p><hr>{LETTER_HTML}", kind="text/html"),
        orders=("k3 r2",),
        comment="Thanks",
    )
    yield Case(
        "part-html-layout-table",
        mail("<table><tr><td><p>f2 f4 g3</p><p>Thanks</p></td></tr></table>", kind="text/html"),
        orders=MOVE,
        comment="Thanks",
    )
    yield Case(
        "part-html-inline-answer",
        mail(
            f'<blockquote type="cite"><p>It is your turn</p></blockquote><p>f2 f4 g3</p><blockquote type="cite">{LETTER_HTML}</blockquote>',
            kind="text/html",
        ),
        orders=MOVE,
    )
    yield Case(
        "part-html-list",
        mail("<ol start=7><li>f2 f4 g3</li></ol>", kind="text/html"),
        orders=("7. f2 f4 g3",),
    )


def senders() -> Iterator[Case]:
    good = {
        "plain": "bill@example.org",
        "comment": "bill@Example.ORG (Bill Taylor)",
        "encoded": "=?utf-8?q?Bj=C3=B6rn?= <bjoern@example.org>",
        "comma": '"Taylor, Bill" <bill@example.org>',
        "comma-unquoted": "Taylor, Bill <bill@example.org>",
        "named-as-address": '"bill@example.org" <bill@example.org>',
        "folded": "Bill Taylor\n <bill@example.org>",
        "no-name": "<bill@example.org>",
        "plus": "Bill <bill+games@example.org>",
        "international": "Bjørn <bjørn@exämple.org>",
        "dots": "Bill T. Taylor Jr. <b.t_x-y@mail.example.co.uk>",
        "emoji": "=?UTF-8?B?8J+Yig==?= Bill <bill@example.org>",
    }
    for name, sender in good.items():
        yield Case(f"from-{name}", mail("f2 f4 g3\n", sender=sender), orders=MOVE)
    bad = {
        "two": "bill@example.org, joao@example.org",
        "two-named": "Bill <bill@example.org>, Joao <joao@example.org>",
        "group": "Friends: bill@example.org, joao@example.org;",
        "name-is-another-address": '"joao@example.org" <bill@example.org>',
        "name-hides-address": "joao@example.org <bill@example.org>",
        "encoded-address": "=?utf-8?q?joao=40example.org?= <bill@example.org>",
        "double-angle": "<joao@example.org><bill@example.org>",
        "comment-trick": "joao@example.org)bill@example.org",
        "no-domain": "Bill <bill>",
        "empty": "<>",
        "words": "Bill Taylor",
        "control": "Bill\x07 <bill@example.org>",
        "encoded-line": "=?utf-8?q?Bill=0AFrom=3A_x?= <bill@example.org>",
        "quote-trick": '"joao@example.org" bill@example.org',
        "route": "<@relay.example.org:bill@example.org>",
    }
    for name, sender in bad.items():
        yield Case(f"from-bad-{name}", mail("f2 f4 g3\n", sender=sender), kind="refused")
    yield Case("from-bad-twice", mail("f2 f4 g3\n", extra="From: joao@example.org\n"), kind="refused")
    yield Case("from-bad-missing", mail("f2 f4 g3\n").partition(b"\n")[2], kind="refused")
    yield Case(
        "from-reply-to-ignored",
        mail("f2 f4 g3\n", extra="Reply-To: joao@example.org\nSender: joao@example.org\n"),
        orders=MOVE,
    )


def damaged_mails() -> Iterator[Case]:
    simple = mail(f"f2 f4 g3{QUOTE}")
    yield Case("damaged-mbox-line", b"From bill@example.org Tue Jan  2 10:00:00 2024\n" + simple, orders=MOVE)
    yield Case(
        "damaged-mbox-line-escaped",
        b">From bill@example.org Tue Jan  2 10:00:00 2024\r\n" + simple.replace(b"\n", b"\r\n"),
        orders=MOVE,
    )
    yield Case("damaged-blank-lines-first", b"\n\r\n\n" + simple, orders=MOVE)
    yield Case("damaged-byte-order-mark", b"\xef\xbb\xbf" + simple, orders=MOVE)
    yield Case("damaged-few-headers", b"From: bill@example.org\n\nf2 f4 g3\n", orders=MOVE)
    yield Case("damaged-no-headers", b"f2 f4 g3\n", kind="refused")
    yield Case("damaged-empty", b"", kind="refused")
    yield Case(
        "damaged-no-boundary",
        mail("--x\nContent-Type: text/plain\n\nf2 f4 g3\n--x--\n", kind="multipart/mixed"),
    )
    yield Case(
        "damaged-boundary-never-closed",
        mail("--x\nContent-Type: text/plain\n\nf2 f4 g3\n", kind="multipart/mixed; boundary=x"),
        orders=MOVE,
    )
    yield Case(
        "damaged-part-without-blank-line",
        mail("--x\nf2 f4 g3\n--x--\n", kind="multipart/mixed; boundary=x"),
        orders=MOVE,
    )
    yield Case("damaged-content-type", mail("f2 f4 g3\n", kind="plain"), orders=MOVE)
    yield Case("damaged-nul", mail("f2 f4\x00 g3\x00\n"), orders=MOVE)
    deep = "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(40))
    yield Case(
        "limit-levels",
        mail(f"{deep}--b40\n\nf2 f4 g3\n", kind="multipart/mixed; boundary=b0"),
        kind="refused",
    )
    yield Case(
        "limit-parts",
        mail("--x\n\na\n" * 300 + "--x--\n", kind="multipart/mixed; boundary=x"),
        kind="refused",
    )
    yield Case(
        "limit-headers", mail("f2 f4 g3\n", extra="".join(f"X-A{n}: b\n" for n in range(300))), kind="refused"
    )
    yield Case("limit-header-block", mail("f2 f4 g3\n", extra=f"X-A: {'b' * 110_000}\n"), kind="refused")
    yield Case(
        "limit-addresses",
        mail("f2 f4 g3\n", extra=f"Cc: {', '.join(f'a{n}@example.org' for n in range(80))}\n"),
        kind="refused",
    )
    yield Case(
        "limit-long-references", mail("f2 f4 g3\n", extra=f"X-References: {'<a@b> ' * 900}\n"), orders=MOVE
    )
    yield Case("limit-long-line", mail(f"f2 f4 g3\n\n{'x' * 60_000}\n"), orders=MOVE, comment="x" * 998)
    yield Case("limit-many-commands", mail("show\n" * 12))


def robots() -> Iterator[Case]:
    yes = "f2 f4 g3\n"
    headers = {
        "auto-replied": "Auto-Submitted: auto-replied\n",
        "auto-generated": "Auto-Submitted: Auto-Generated (by cron)\n",
        "auto-vacation": "Auto-Submitted: auto-replied (vacation)\n",
        "precedence-bulk": "Precedence: bulk\n",
        "precedence-junk": "Precedence: Junk\n",
        "precedence-auto": "Precedence: auto_reply\n",
        "x-autoreply": "X-Autoreply: yes\n",
        "x-autorespond": "X-Autorespond: gone\n",
        "feedback": "Feedback-Type: abuse\n",
    }
    for name, extra in headers.items():
        yield Case(f"robot-{name}", mail(yes, extra=extra), kind="robot")
    for name, extra in {
        "list-id": "List-Id: <games.example.org>\n",
        "list-unsubscribe": "List-Unsubscribe: <mailto:x@example.org>\n",
    }.items():
        yield Case(f"robot-{name}", mail(yes, to=PLAIN, extra=extra), kind="robot")
        yield Case(f"person-{name}", mail(yes, extra=extra), orders=MOVE)
    for name, sender in {
        "no-reply": "Shop <no-reply@example.org>",
        "noreply": "noreply@example.org",
        "donotreply": "DoNotReply@example.org",
    }.items():
        yield Case(f"robot-{name}", mail(yes, sender=sender), kind="robot")
    yield Case(
        "robot-receipt",
        mail(
            "--r\nContent-Type: text/plain\n\nYour message was read.\n\n--r\nContent-Type: message/disposition-notification\n\nDisposition: manual-action\n\n--r--\n",
            kind="multipart/report; report-type=disposition-notification; boundary=r",
        ),
        kind="robot",
    )
    yield Case(
        "loop-own-letter",
        mail(
            yes,
            sender=f'"Bipod #42" <{PLAIN}>',
            to="bill@example.org",
            extra="X-PBEM-Loop: games.example.org\nList-Id: <g42.games.example.org>\n",
        ),
        kind="loop",
    )
    yield Case("loop-own-address", mail(yes, sender=f'"Bipod #42" <{PLAIN}>'), kind="loop")
    yield Case("loop-token-address", mail(yes, sender=TOKEN, to="bill@example.org"), kind="loop")
    yield Case(
        "loop-received",
        mail(
            yes, extra="Received: from a.example.org by b.example.org; Tue, 2 Jan 2024 10:00:00 +0000\n" * 60
        ),
        kind="loop",
    )


def vacations() -> Iterator[Case]:
    subjects = {
        "en": "Automatic reply: Bipod #42: Bill - Joao",
        "en-away": "Out of Office: Bipod #42: Bill - Joao",
        "en-away-re": "Out of office Re: Bipod #42",
        "en-notes": "AUTO: Bill Taylor is out of the office (returning 01/15/2024)",
        "en-brackets": "[Auto-Reply] Bipod #42",
        "de": "Automatische Antwort: Bipod #42",
        "de-away": "Abwesenheitsnotiz: Bipod #42",
        "fr": "Réponse automatique : Bipod #42",
        "fr-away": "Absence du bureau: Bipod #42",
        "es": "Respuesta automática: Bipod #42",
        "es-away": "Fuera de la oficina: Bipod #42",
        "pt": "Resposta automática: Bipod #42",
        "it": "Risposta automatica: Bipod #42",
        "it-away": "Fuori sede: Bipod #42",
        "nl": "Automatisch antwoord: Bipod #42",
        "nl-away": "Afwezigheidsbericht: Bipod #42",
        "sv": "Autosvar: Bipod #42",
        "sv-away": "Frånvaro: Bipod #42",
        "da": "Automatisk svar: Bipod #42",
        "nb": "Fraværsmelding: Bipod #42",
        "fi": "Automaattinen vastaus: Bipod #42",
        "pl": "Autoodpowiedź: Bipod #42",
        "pl-2": "Automatyczna odpowiedź: Bipod #42",
        "cs": "Automatická odpověď: Bipod #42",
        "hu": "Automatikus válasz: Bipod #42",
        "ro": "Răspuns automat: Bipod #42",
        "ru": "Автоматический ответ: Bipod #42",
        "ru-2": "Автоответ: Bipod #42",
        "uk": "Автоматична відповідь: Bipod #42",
        "el": "Αυτόματη απάντηση: Bipod #42",
        "tr": "Otomatik Yanıt: Bipod #42",
        "he": "מענה אוטומטי: Bipod #42",
        "ar": "رد تلقائي: Bipod #42",
        "ja": "自動返信: Bipod #42",
        "zh": "自动回复: Bipod #42",
        "zh-tw": "自動回覆: Bipod #42",
        "ko": "자동 회신: Bipod #42",
    }
    for name, subject in subjects.items():
        raw = mail("I am away until Monday.\n", subject=encoded_subject(subject))
        yield Case(f"vacation-{name}", raw, kind="robot")
    yield Case(
        "vacation-null-sender",
        b"Return-Path: <>\n"
        + mail("Away.\n", subject="Re: Bipod #42", extra="Auto-Submitted: auto-replied\n"),
        kind="robot",
    )


def bounces() -> Iterator[Case]:
    dsn = (
        "--d\nContent-Type: text/plain; charset=us-ascii\n\nThis is the mail system at host mail.example.org.\n\n<bill@example.org>: mailbox full\n\n"
        "--d\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example.org\n\nFinal-Recipient: rfc822; bill@example.org\nAction: failed\nStatus: 5.2.2\n\n"
        f"--d\nContent-Type: message/rfc822\n\nFrom: <{PLAIN}>\nTo: bill@example.org\nSubject: Bipod #42\nX-PBEM-Loop: games.example.org\n\n{LETTER}\n--d--\n"
    )
    report = "multipart/report; report-type=delivery-status; boundary=d"
    to = "bounce+00f2b9c4a7d1e5638090@games.example.org"
    yield Case(
        "bounce-postfix",
        b"Return-Path: <>\n"
        + mail(
            dsn,
            sender="MAILER-DAEMON@mail.example.org (Mail Delivery System)",
            to=to,
            subject="Undelivered Mail Returned to Sender",
            kind=report,
            extra="Auto-Submitted: auto-replied\n",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-no-envelope",
        mail(
            dsn,
            sender="Mail Delivery System <MAILER-DAEMON@mail.example.org>",
            subject="Undelivered Mail Returned to Sender",
            kind=report,
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-exim",
        mail(
            "This message was created automatically by mail delivery software.\n",
            sender="Mail Delivery System <Mailer-Daemon@mail.example.org>",
            subject="Mail delivery failed: returning message to sender",
            extra="X-Failed-Recipients: bill@example.org\nAuto-Submitted: auto-replied\n",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-qmail",
        mail(
            "Hi. This is the qmail-send program at example.org.\n",
            sender="MAILER-DAEMON@example.org",
            subject="failure notice",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-exchange",
        mail(
            dsn,
            sender="Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org>",
            subject="Undeliverable: Bipod #42: Bill - Joao",
            kind=report,
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-exchange-old-de",
        mail(
            "Ihre Nachricht hat einige Empfänger nicht erreicht.\n",
            sender="Systemadministrator <admin@example.org>",
            subject="Unzustellbar: Bipod #42",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-notes",
        mail(
            "Your message was not delivered.\n",
            sender="Bill Taylor <bill@example.org>",
            subject="DELIVERY FAILURE: User bill (bill@example.org) not listed in Domino Directory",
        ),
        kind="bounce",
    )
    yield Case(
        "bounce-gmail-delayed",
        mail(
            dsn,
            sender="Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
            subject="Delivery Status Notification (Delay)",
            kind=report,
            extra="Auto-Submitted: auto-replied\n",
        ),
        kind="bounce",
    )
    yield Case("bounce-to-bounce-address", mail("adopt\n", to=to), kind="bounce")
    yield Case(
        "bounce-bare-daemon", mail("adopt\n", sender="MAILER-DAEMON (Mail Delivery Subsystem)"), kind="bounce"
    )
    yield Case(
        "bounce-postmaster",
        mail("Your mail could not be delivered\n", sender="postmaster@example.org"),
        kind="bounce",
    )


def people_like_robots() -> Iterator[Case]:
    yield Case(
        "person-response-suppressed", mail("f2 f4 g3\n", extra="X-Auto-Response-Suppress: All\n"), orders=MOVE
    )
    yield Case(
        "person-auto-submitted-no", mail("f2 f4 g3\n", extra="Auto-Submitted: no (a person)\n"), orders=MOVE
    )
    yield Case(
        "person-precedence",
        mail(
            "f2 f4 g3\n", extra="Precedence: first-class\nX-Autoreply: no\nImportance: high\nX-Priority: 1\n"
        ),
        orders=MOVE,
    )
    for name, subject in {
        "re-vacation": "Re: Automatic reply: Bipod #42",
        "aw": "AW: Bipod #42: Bill - Joao",
        "automobile": "Automatic doors and other games",
        "office": "Office party",
        "vacation": "Vacation plans and my move",
        "delivery": "Delivery of my move",
        "none": "",
        "auto-name": "Autumn in Paris",
        "returned": "Returned mail",
        "undelivered": "Undelivered until now",
    }.items():
        yield Case(f"person-subject-{name}", mail("f2 f4 g3\n", subject=subject), orders=MOVE)
    yield Case(
        "person-named-like-a-machine",
        mail("f2 f4 g3\n", sender="Noreply Fan <norepp@example.org>"),
        orders=MOVE,
    )
    yield Case("person-playing", mail("f2 f4 g3\n", sender="player@example.org"), orders=MOVE)
    yield Case(
        "person-writes-of-holidays",
        mail(f"f2 f4 g3\n\nI am out of office next week!{QUOTE}"),
        orders=MOVE,
        comment="I am out of office next week!",
    )


def main() -> None:
    CORPUS.mkdir(exist_ok=True)
    for case in cases():
        (CORPUS / f"{case.name}.eml").write_bytes(case.raw)
        text = json.dumps(case.expected, ensure_ascii=False, indent=1)
        (CORPUS / f"{case.name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
