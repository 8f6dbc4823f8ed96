"""The corpus's second part: answers to real letters in every layout.

Some cases show what odd programs do to words. Each case states by hand what was typed and what must be found;
`tests.mail.layouts` says what a program does to it.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Iterator, Mapping
from itertools import cycle
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.mail.clients import mail, quote_letter
from tests.mail.layout import LETTER, LETTER_HTML, PLAIN, Layout
from tests.mail.layouts import layout_mails_of


class Case(NamedTuple):
    """A mail and its expected reading."""

    name: str
    raw: bytes
    kind: str = "person"
    orders: tuple[str, ...] = ()
    comment: str = ""
    about: Mapping[str, Any] = MappingProxyType({})

    @property
    def expected(self) -> dict[str, Any]:
        return {"kind": self.kind, "orders": list(self.orders), "comment": self.comment, **self.about}


TYPED = (
    ("j2 j4\n\nNice one!", "j2 j4", "Nice one!"),
    ("J2 j4\nNot bad…", "J2 j4", "Not bad..."),
    ("j2\u00a0j4\n\n“So far – so good”", "j2 j4", '"So far - so good"'),
    ("\u200bj2 j4\ufeff\n\nGood luck\n\nJoao", "j2 j4", "Good luck\n\nJoao"),
    ("Hi Bill,\n\nj2 j4\n\nI think f6 is lost.", "j2 j4", "I think f6 is lost."),
    ("J2 j4.\n", "J2 j4.", ""),
)
"""Typed text, its expected command and comment.

Covers phones' capitals, typographic signs and invisible ones.
"""

THANKS = {
    "ar": "شكراً، لعبة جميلة!",
    "he": "תודה, משחק יפה!",
    "hi": "धन्यवाद, अच्छा खेल!",
    "ja": "ありがとう、いい勝負ですね。",
    "ko": "감사합니다, 좋은 게임이네요!",
    "ru": "Спасибо, красиво сыграно!",
    "th": "ขอบคุณครับ เล่นดีมาก",
    "uk": "Дякую, гарна гра!",
    "zh-cn": "谢谢，下得真好！",
    "zh-tw": "謝謝，下得真好！",
    "el": "Ευχαριστώ, ωραίο παιχνίδι!",
    "tr": "Teşekkürler, güzel oyun!",
    "vi": "Cảm ơn, ván hay lắm!",
}
"""Comments in each language's own script and punctuation, some right to left."""

PLAINER = str.maketrans("，！", ",!")


def typed_mails(lang: str, number: int) -> tuple[str, str, str]:
    if lang in THANKS:
        return f"j2 j4\n\n{THANKS[lang]}", "j2 j4", THANKS[lang].translate(PLAINER)
    return TYPED[number % len(TYPED)]


def layout_mails() -> Iterator[Case]:
    """Return every layout in its languages, and HTML alone in the first."""
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    counted = cycle(range(len(TYPED)))
    for blank in layout_mails_of(""):
        if blank.name.endswith("-html"):
            if blank.layout.name in seen:
                continue
            seen.add(blank.layout.name)
        key = f"{blank.layout.name}-{blank.lang}"
        number = numbers.setdefault(key, next(counted))
        words, order, comment = typed_mails(blank.lang, number)
        raw = next(each.raw for each in layout_mails_of(words, only=blank.layout) if each.name == blank.name)
        yield Case(
            f"answer-{blank.name}",
            raw,
            "person",
            (order,),
            comment,
            client_facts(blank.layout, blank.lang, blank.parts, raw),
        )


def client_facts(layout: Layout, lang: str, parts: str, raw: bytes) -> dict[str, Any]:
    charset = re.search(rb'charset="([^"]+)"', raw)
    return {
        "client": layout.client,
        "language": lang,
        "where": layout.where,
        "parts": parts,
        "encoding": f"{charset[1].decode() if charset else ''} {layout.encoding}",
    }


QUOTE = f"\n\nOn Mon, Mar 2, 2026 at 12:00 PM Bipod #42 <{PLAIN}> wrote:\n\n{quote_letter(LETTER)}\n"
MOVE = ("j2 j4",)


def odd_mails() -> Iterator[Case]:
    yield from unmarked_mails()
    yield from markers()
    yield from charsets()
    yield from transfer()
    yield from containers()


def unmarked_mails() -> Iterator[Case]:
    """Return words inside an unmarked letter: none is taken, as none is recognisable."""
    head = "-----Original Message-----\nFrom: Bipod #42\nSent: Monday, March 2, 2026\nTo: Joao\nSubject: Bipod #42\n\n"
    half = LETTER.split("\n")
    inside = "\n".join([*half[:9], "j2 j4", *half[9:]])
    yield Case("inside-outlook-unmarked", mail(f"{head}{inside}\n"))
    yield Case("inside-outlook-below-unmarked", mail(f"{head}{LETTER}\n\nj2 j4\n"))
    yield Case("inside-outlook-see-below", mail(f"See my answer below.\n\n{head}{inside}\n"))
    blue = LETTER_HTML.replace(
        "</p>", '</p><p class="MsoNormal"><span style="color:#0070C0">j2 j4</span></p>', 3
    )
    yield Case(
        "inside-outlook-html-unmarked",
        mail(f"<p class=MsoNormal>&nbsp;</p>{blue}", kind="text/html; charset=utf-8"),
    )
    yield Case("unmarked-no-header", mail(f"j2 j4\n\n{LETTER}\n"), orders=MOVE)
    yield Case("unmarked-no-header-below", mail(f"{LETTER}\n\nresign\n"))


def markers() -> Iterator[Case]:
    above, marker, rest = re.split(r"(?m)^(##- .*)\n", LETTER, maxsplit=1)
    shapes = {
        "wrapped": f"> {marker[:20]}\n> {marker[20:].strip()}",
        "wrapped-unmarked": f"> {marker[:31]}\n{marker[31:].strip()}",
        "tab": f">\t{marker}",
        "deep": f"> > {marker}",
        "bold": f"> *{marker}*",
        "no-break-spaces": f"> {marker.replace(' ', chr(0xA0))}",
        "long-dashes": f"> {marker.replace('-', chr(0x2013))}",
        "bar": f"| {marker}",
        "indented": f">      {marker}",
    }
    for name, shape in shapes.items():
        yield Case(
            f"marker-{name}",
            mail(f"{quote_letter(above)}\n{shape}\n{quote_letter(rest)}\n\nj2 j4\nAll right?\n"),
            orders=MOVE,
            comment="All right?",
        )
    yield Case(
        "marker-unquoted-wrapped",
        mail(f"j2 j4\n\n##- write your move\nabove this line -##\n{rest}\nresign\n"),
        orders=MOVE,
    )
    yield Case("marker-typed-over", mail(f"j2 j4 {marker}\n{rest}\n"), orders=("j2 j4",))
    yield Case("marker-initials", mail(f"j2 j4\n\n{quote_letter(LETTER, 'B> ')}\n\nB> resign\n"), orders=MOVE)


def charsets() -> Iterator[Case]:
    words = {
        "tis-620": "ขอบคุณ",
        "windows-874": "ขอบคุณ",
        "windows-1258": "Càm on",
        "iso-2022-kr": "감사합니다",
        "iso-8859-5": "Спасибо",
        "iso-8859-6": "شكرا",
        "iso-8859-8-i": "תודה",
        "x-mac-cyrillic": "Спасибо",
        "hz-gb-2312": "谢谢",
        "big5-hkscs": "謝謝",
        "cp949": "고마워",
    }
    codecs = {
        "iso-8859-8-i": "iso-8859-8",
        "windows-874": "cp874",
        "x-mac-cyrillic": "mac-cyrillic",
        "hz-gb-2312": "hz",
    }
    for number, (charset, comment) in enumerate(words.items()):
        raw = mail(
            f"j2 j4\n\n{comment}\n",
            kind=f"text/plain; charset={charset}",
            encoding=("base64", "quoted-printable", "8bit")[number % 3],
            charset=codecs.get(charset, charset),
        )
        yield Case(f"charset-{charset}", raw, orders=MOVE, comment=comment)
    emoji = "Ha! 👍🏽👨‍👩‍👧 c’est la vie"
    yield Case("script-emoji", mail(f"j2 j4\n{emoji}\n"), orders=MOVE, comment="Ha! 👍🏽👨👩👧 c'est la vie")
    yield Case("script-combining", mail("j2 j4\nCafe\u0301\n"), orders=MOVE, comment="Café")
    yield Case(
        "script-right-to-left-move", mail("\u200f\u202bj2 j4\u202c\n\nתודה\n"), orders=MOVE, comment="תודה"
    )
    yield Case("script-other-digits", mail("j٢ j٤\n"))


def transfer() -> Iterator[Case]:
    text = f"j2 j4\n\nDanke schön!{QUOTE}"

    def sent(data: bytes, encoding: str) -> bytes:
        return mail("", encoding="8bit").replace(b": 8bit", f": {encoding}".encode()) + data

    one_line = base64.b64encode(text.encode())
    yield Case("transfer-base64-one-line", sent(one_line, "base64"), orders=MOVE, comment="Danke schön!")
    yield Case(
        "transfer-base64-spaces",
        sent(b" ".join(one_line[n : n + 61] for n in range(0, len(one_line), 61)), "BASE64"),
        orders=MOVE,
        comment="Danke schön!",
    )
    yield Case(
        "transfer-base64-not-encoded", sent(b"j2 j4\nThanks\n", "7-bit"), orders=MOVE, comment="Thanks"
    )
    soft = quopri.encodestring(text.encode())
    yield Case(
        "transfer-quoted-printable-cut",
        sent(soft + b"=", "quoted-printable"),
        orders=MOVE,
        comment="Danke schön!",
    )
    yield Case(
        "transfer-quoted-printable-lower",
        sent(b"j2=20j4\n\nDanke sch=c3=b6n!\n", "Quoted-printable"),
        orders=MOVE,
        comment="Danke schön!",
    )
    yield Case(
        "transfer-quoted-printable-broken",
        sent(b"j2 j4\n\n100=ZZ sure = yes\n", "quoted-printable"),
        orders=MOVE,
        comment="100=ZZ sure = yes",
    )
    yield Case(
        "transfer-quoted-printable-trailing-blanks",
        sent(b"j2 j4   \t\n\nThanks =  \nagain\n", "quoted-printable"),
        orders=MOVE,
        comment="Thanks again",
    )
    yield Case("transfer-unknown", sent(b"j2 j4\n", "x-uuencode-or-so"), orders=MOVE)
    yield Case("transfer-twice", sent(b"j2 j4\n", "8bit\nContent-Transfer-Encoding: base64"), orders=MOVE)


def containers() -> Iterator[Case]:
    def multi(kind: str, mark: str, *parts: str) -> str:
        inner = "".join(f"--{mark}\n{part}\n" for part in parts)
        return f'Content-Type: multipart/{kind}; boundary="{mark}"\n\n{inner}--{mark}--\n'

    def whole(body: str) -> bytes:
        head, _, rest = body.partition("\n\n")
        return mail(rest, kind=head.partition(": ")[2])

    plain = "Content-Type: text/plain; charset=utf-8\n\nj2 j4\n\nThanks\n"
    html = "Content-Type: text/html; charset=utf-8\n\n<p>j2 j4</p><p>Thanks</p>\n"
    logo = 'Content-Type: image/png; name="logo.png"\nContent-ID: <logo>\nContent-Disposition: inline; filename="logo.png"\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n'
    calendar = "Content-Type: text/calendar; charset=utf-8; method=REPLY\n\nBEGIN:VCALENDAR\nSUMMARY:resign\nEND:VCALENDAR\n"
    card = "Content-Type: text/vcard; charset=utf-8; name=joao.vcf\nContent-Disposition: attachment; filename=joao.vcf\n\nBEGIN:VCARD\nresign\nEND:VCARD\n"
    tnef = 'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Disposition: attachment; filename="winmail.dat"\nContent-Transfer-Encoding: base64\n\neJ8+Ig==\n'
    footer = "Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\n\n-- \nresign\n"
    nested = multi("mixed", "m", multi("related", "r", multi("alternative", "a", plain, html), logo), card)
    yield Case("container-nested", whole(nested), orders=MOVE, comment="Thanks")
    yield Case(
        "container-html-related", whole(multi("related", "r", html, logo)), orders=MOVE, comment="Thanks"
    )
    yield Case(
        "container-picture-first", whole(multi("mixed", "m", logo, plain)), orders=MOVE, comment="Thanks"
    )
    yield Case(
        "container-calendar",
        whole(multi("alternative", "a", plain, html, calendar)),
        orders=MOVE,
        comment="Thanks",
    )
    yield Case(
        "container-calendar-first", whole(multi("mixed", "m", calendar, plain)), orders=MOVE, comment="Thanks"
    )
    yield Case("container-calendar-alone", whole(multi("mixed", "m", calendar)), kind="robot")
    yield Case("container-tnef-first", whole(multi("mixed", "m", tnef, plain)), orders=MOVE, comment="Thanks")
    yield Case("container-tnef-html", whole(multi("mixed", "m", html, tnef)), orders=MOVE, comment="Thanks")
    yield Case(
        "container-footer-part", whole(multi("mixed", "m", plain, footer)), orders=MOVE, comment="Thanks"
    )
    yield Case(
        "container-boundary-prefix",
        whole(multi("mixed", "b", multi("alternative", "bb", plain, html), card)),
        orders=MOVE,
        comment="Thanks",
    )
    yield Case(
        "container-empty-alternative",
        whole(multi("alternative", "a", "Content-Type: text/plain\n\n\n", html)),
        orders=MOVE,
        comment="Thanks",
    )
    yield Case(
        "container-html-first", whole(multi("alternative", "a", html, plain)), orders=MOVE, comment="Thanks"
    )
    yield Case(
        "container-read-receipt-wanted",
        mail(
            "j2 j4\n",
            extra="MailOutcome-Notification-To: joao@example.net\nReturn-Receipt-To: joao@example.net\n",
        ),
        orders=MOVE,
    )
    yield Case(
        "container-upper-case",
        whole(multi("MIXED", "m", plain.replace("text/plain", "TEXT/Plain"))),
        orders=MOVE,
        comment="Thanks",
    )
