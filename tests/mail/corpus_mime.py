"""The corpus's encodings, signed and encrypted mails, and mails of several parts."""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import base64
from collections.abc import Iterator

from tests.mail.clients import LETTER_HTML, MOVE, QUOTE, mail, two_part_mail
from tests.mail.corpus_layouts import Case


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
