"""Attacks by mail: a thousand forgeries, nested headers, duplicates."""

from __future__ import annotations

import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email import message_from_bytes, policy
from email.utils import getaddresses
from random import Random

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.core.game.journal import PLY
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import inbox
from pbem.store.tables import outbox
from tests.amount import amount, some
from tests.apps import (
    BILL,
    JOAO,
    OPERATOR,
    PLAY,
    a_game,
    last_words,
    letters,
    load,
    mail,
    moves,
    reply,
    state,
)
from tests.quickness import SPARE

FORGED = {"sqlite": amount(100, 1000), "postgresql": 200}
"""Forged mails by kind of database.

A thousand on one, and on the other enough to show that its rows are the same.
"""
SECONDS = 10


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def sent(app: App) -> Counter[str]:
    """The number of letters to each address."""
    with app.store.read() as db:
        return Counter(db.scalars(select(outbox.c.recipient)))


# A thousand forged mails.

WORDS = (
    "register Victim{n}",
    "challenge Joao bipod size={size}",
    "game 1\nf2 f4 g3",
    "f2",
    "resign yes",
    "confirm",
    "accept 1",
    "help",
    "say Buy pills at pills.example.com",
    "stop",
)


Forged = tuple[bytes, str, str]
"""A mail, its envelope sender and its recipient."""


def forged(
    addresses: list[str], own: list[str], seed: int, count: int = amount(100, 300)
) -> Iterator[Forged]:
    """Forged mails from any sender, to addresses that the attacker knows."""
    rng = Random(seed)
    for n in range(count):
        victim = rng.choice(addresses)
        who = rng.choice((victim, victim.upper(), f'"Bill" <{victim}>', f"Bill Taylor <{victim}>"))
        to = rng.choice([PLAY, PLAY, PLAY, *own])
        raw = new_mail(who, to, rng.choice(WORDS).format(n=n, size=n % 5 + 3))
        if n % 7 == 0:
            raw = b"In-Reply-To: <g1.e1.s0.start.1@localhost>\r\n" + raw
        if n % 5 == 0:
            raw = raw.replace(b"Subject: Games", b"Subject: Bipod #1: Bill - Joao")
        yield raw, rng.choice((victim, "thief@example.com")), to


def attack(app: App, mails: Iterator[Forged]) -> float:
    """Receive and handle them; return the seconds of processor time."""
    began = time.thread_time()
    for raw, sender, recipient in mails:
        receive(app, raw, sender, [recipient])
    work_through(app)
    return time.thread_time() - began


STRANGERS = [f"victim{n}@example.com" for n in range(40)]


def test_a_thousand_forged_mails_cause_at_most_one_letter_an_address(app: App, database_url: str) -> None:
    a_game(app)
    before = sent(app)
    many = FORGED[database_url.partition(":")[0].partition("+")[0]]
    took = attack(app, forged([BILL, JOAO, *STRANGERS], [], 1, many))
    more = sent(app) - before
    assert {1} == set(more.values())
    assert more.keys() <= {BILL, JOAO, *STRANGERS}
    assert [] == moves(app)
    assert took < SPARE * SECONDS


def test_forged_mails_to_seen_reply_addresses_tell_each_owner_once(app: App) -> None:
    """The owner is told once a day of forgeries to reply addresses.

    A mail without an address asks the owner once whether it was theirs.
    """
    bills, joaos = a_game(app)
    own = [bills.header("Reply-To"), joaos.header("Reply-To")]
    before = sent(app)
    attack(app, forged(STRANGERS, own, 2))
    more = sent(app) - before
    assert (1, 1) == (more[BILL], more[JOAO])
    assert {1} == set(more.values())
    assert [] == moves(app)


def test_with_authentication_on_none_goes_to_a_stranger(app: App) -> None:
    a_game(app)
    app = replace(app, config=replace(app.config, authserv="mx.localhost"))
    before = sent(app)
    failed = b"Authentication-Results: mx.localhost; dmarc=fail header.from=example.com\r\n"
    received = b"Received: from thief by mx.localhost\r\n"
    mails = (
        (failed + received + raw, sender, to) for raw, sender, to in forged([BILL, JOAO, *STRANGERS], [], 3)
    )
    attack(app, mails)
    assert Counter() == sent(app) - before
    assert [] == moves(app)


def test_wrong_tokens_cause_no_letter_at_all(app: App) -> None:
    bills, _ = a_game(app)
    rng, real = Random(4), bills.header("Reply-To").partition("+")[2].partition("@")[0]
    before = sent(app)
    for n in range(amount(60, 200)):
        at = rng.randrange(len(real))
        letter = rng.choice([one for one in "abcdefghijklmnopqrstuvwxyz234567" if one != real[at]])
        to = f"play+{real[:at]}{letter}{real[at + 1 :]}@localhost"
        receive(app, new_mail(BILL, to, f"f{n % 6 + 1}"), BILL, [to])
    work_through(app)
    assert before == sent(app)
    assert [] == moves(app)


# Nested headers.

SENTENCE = "X-Injected: yes"
INJECTED = f"Bill\r\n{SENTENCE}\r\nBcc: thief@example.com"


def word(text: str) -> str:
    return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="


VECTORS = {
    "line ends in the name": f'From: "Bill{chr(13)}{chr(10)}\t{SENTENCE}" <bill@example.org>',
    "an encoded word with line ends": f"From: {word(INJECTED)} <bill@example.org>",
    "an encoded subject with line ends": f"Subject: {word(INJECTED)}",
    "a quoted-printable word": "Subject: =?utf-8?q?Re:_Bipod=0D=0AX-Injected:_yes=0D=0A=0D=0Abody?=",
    "a bare CR": "Subject: Bipod\rX-Injected: yes\rBcc: thief@example.com",
    "U+2028": f"Subject: Bipod\u2028{SENTENCE}\u2029Bcc: thief@example.com",
    "U+0085 and vertical tab": f"Subject: Bipod\x85{SENTENCE}\x0b{SENTENCE}\x0c{SENTENCE}",
    "NUL": f"Subject: Bipod\0{SENTENCE}\0\0",
    "8-bit": "Subject: B\xef\xbf\xbdpod\xff\xfe\u010a\u010dX-Injected: yes",
    "folded": f"Subject: Bipod\r\n {SENTENCE}\r\n\tBcc: thief@example.com",
    "over-long": f"Subject: {'a' * 5000} {word('b' * 900)}",
    "an id with line ends": f"Message-ID: <a@b\r\n {SENTENCE}\r\n Bcc: thief@example.com>",
    "an encoded id": f"Message-ID: {word('<a@b>' + INJECTED)}",
    "an id with brackets": f'Message-ID: <a@b>, <c@d>{SENTENCE}<e"f@g>',
    "references": f"References: <a@b>\r\n {SENTENCE}\r\n <c@d>\0<e@f>\u2028<{'x' * 2000}@y>",
    "in-reply-to": f"In-Reply-To: <a@b>\rX-Injected: yes {word(INJECTED)} <{'y' * 300}@z>",
    "ids that look like headers": "References: <X-Injected:@yes> <Bcc:thief@example.com>",
    "surrogates": "Subject: Bipod \udcff\udcfe",
}
"""Headers that replace or join those of a player's mail."""

EXPECTED = {
    *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References"),
    *("Auto-Submitted", "X-Auto-Response-Suppress", "X-PBEM-Loop", "List-Id", "List-Unsubscribe"),
    *("X-PBEM-Game", "X-PBEM-Ply", "X-PBEM-Turn", "X-PBEM-Fingerprint", "X-PBEM-Deadline"),
    *("List-Unsubscribe-Post", "MIME-Version", "Content-Type", "DKIM-Signature"),
}


def with_header(raw: bytes, vector: str) -> bytes:
    name = vector.partition(":")[0].encode().lower()
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = [line for line in head.split(b"\n") if not line.lower().startswith(name + b":")]
    return b"\r\n".join([*lines, vector.encode("utf-8", "surrogateescape")]) + b"\r\n\r\n" + body


def is_sound(raw: bytes) -> None:
    """Check that each header is ours, unique, short, and outside the body."""
    head, _, _ = raw.partition(b"\r\n\r\n")
    assert b"\r" not in head.replace(b"\r\n", b"") and b"\n" not in head.replace(b"\r\n", b"")
    assert b"\0" not in raw and max(map(len, raw.split(b"\r\n"))) <= 998
    for rule in (policy.compat32, policy.default):
        letter = message_from_bytes(raw, policy=rule)
        names = letter.keys()
        assert [] == letter.defects
        assert set(names) <= EXPECTED, names
        assert sorted(set(names)) == sorted(names)
        assert 1 == len(getaddresses([str(letter["From"])])) == len(getaddresses([str(letter["To"])]))
        assert "Injected" not in "".join(f"{letter[name]}" for name in ("From", "To", "Message-ID"))
    assert ["text/plain", "text/html"] == [
        part.get_content_type() for part in ReceivedLetter(raw).message.iter_parts()
    ]


@pytest.mark.parametrize("name", some(VECTORS, 4))
def test_no_header_of_a_mail_adds_or_breaks_one_of_a_letter(app: App, name: str) -> None:
    vector = VECTORS[name]
    bills, _ = a_game(app)
    for words in ("f2\n\nHello.", "say hello", "f7", "nonsense"):
        raw = with_header(reply_mail(bills, BILL, words), vector)
        receive(app, raw, BILL, [bills.header("Reply-To")])
        receive(
            app,
            with_header(new_mail("x@example.com", PLAY, "register Xavier"), vector),
            "x@example.com",
            [PLAY],
        )
    work_through(app)
    with app.store.read() as db:
        assert "shunted" not in inbox.count_by_state(db)["mail in"]
        raws = list(db.scalars(select(outbox.c.raw)))
        told = {"x@example.com", "op@example.org", BILL, JOAO}
        assert set(db.scalars(select(outbox.c.recipient))) <= told
    for raw in raws:
        is_sound(raw)


@pytest.mark.each_database
@pytest.mark.parametrize("envelope", [f"bill@example.org>\r\n{SENTENCE}", "a\0b@example.org", "x" * 400])
def test_envelopes_that_hold_more_than_an_address_add_nothing(app: App, envelope: str) -> None:
    bills, _ = a_game(app)
    receive(app, reply_mail(bills, BILL, "show"), envelope.replace("\0", ""), [bills.header("Reply-To")])
    work_through(app)
    is_sound(letters(app, BILL)[-1].raw)


def test_words_of_a_player_add_no_header_and_end_no_part(app: App) -> None:
    bills, _ = a_game(app)
    boundary = str(bills.message.get_boundary())
    words = f"f2\n\nHello\n--{boundary}--\n--{boundary}\nContent-Type: text/html\n\n<b>x</b>\n.\n{SENTENCE}"
    assert "done" == reply(app, BILL, bills, words)
    for who in (BILL, JOAO):
        is_sound(letters(app, who)[-1].raw)


# Duplicates.


def test_the_same_mail_twice_is_a_duplicate_by_its_id_and_body(app: App) -> None:
    bills, _ = a_game(app)
    to, raw = bills.header("Reply-To"), reply_mail(bills, BILL, "f2")
    assert "done" == mail(app, BILL, raw, to)
    relayed = b"Received: from b by c\r\nX-Spam: no\r\nSubject: [list] Re\r\n" + raw
    assert "duplicate" == mail(app, BILL, relayed, to)
    assert "duplicate" == mail(app, BILL, raw, to.upper())
    assert ["f2"] == moves(app)


def test_without_an_id_the_same_mail_by_another_way_is_a_duplicate(app: App) -> None:
    bills, _ = a_game(app)
    to = bills.header("Reply-To")
    raw = b"\r\n".join(
        line for line in reply_mail(bills, BILL, "f2").split(b"\r\n") if b"Message-ID" not in line
    )
    raw = b"\n".join(line for line in raw.split(b"\n") if not line.lower().startswith(b"message-id"))
    assert "done" == mail(app, BILL, raw, to)
    assert "duplicate" == mail(app, BILL, b"Received: from b by c\nDelivered-To: x\n" + raw, to)
    assert ["f2"] == moves(app)


def test_the_same_move_in_another_mail_is_already_recorded(app: App) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2 f4 g3")
    before = len(letters(app, JOAO))
    assert "done" == reply(app, BILL, bills, "f2 f4 g3")
    told = last_words(app, BILL)
    assert "already recorded" in told, told
    assert before == len(letters(app, JOAO))
    assert ["f2 f4 g3"] == moves(app)


def test_one_id_with_two_bodies_is_two_mails(app: App) -> None:
    bills, _ = a_game(app)
    raw = reply_mail(bills, BILL, "say one")
    to = bills.header("Reply-To")
    assert ["done", "done"] == [
        mail(app, BILL, each, to) for each in (raw, raw.replace(b"say one", b"say two"))
    ]


@pytest.mark.each_database
def test_doubled_deliveries_of_a_hurried_server_make_one_move(app: App) -> None:
    bills, _ = a_game(app)
    raw, to = reply_mail(bills, BILL, "f2"), bills.header("Reply-To")
    with ThreadPoolExecutor(6) as pool:
        keys = [
            key for found in pool.map(lambda _: receive(app, raw, BILL, [to]), range(12)) for key in found
        ]
        list(pool.map(lambda _: work_through(app), range(3)))
    work_through(app)
    assert Counter({"duplicate": 11, "done": 1}) == Counter(state(app, key) for key in keys)
    game = load(app)
    assert 1 == sum(entry.kind == PLY for entry in game.journal)
