"""The corpus: mails as programs write them, each with its expected reading, stated by hand.

A reading is the kind of the mail, the player's commands in Bipod, and the comment; for the table of mail
programs also the program, its language and the place of the words.
"""

# ruff: noqa: E501 (mails are stated as they are sent)

from __future__ import annotations

from collections.abc import Iterator

from tests.mail.clients import LINK, MOVE, PLAIN, QUOTE, STYLES, TOKEN, Words, mail
from tests.mail.corpus_automatic import bounces, people_like_robots, robots, vacations
from tests.mail.corpus_layouts import Case, layout_mails, odd_mails
from tests.mail.corpus_mime import encodings, parts, signed_and_sealed
from tests.mail.languages import LANGUAGES


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


CORPUS = {case.name: case for case in cases()}
"""The cases by name."""
