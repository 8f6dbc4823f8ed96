"""Signs of automatic mail: each alone, every pair, and near misses.

The signs stand here in the order of the search. Where a mail has several, the first one names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import pytest

from pbem.core.parsing.inbound import Envelope, Inbound
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.inbound.parse import parse_mail
from tests.mail.clients import TOKEN

HOST = "games.example.org"
BILL = "bill@example.org"
BOUNCE = f"bounce+00f2b9c4a7d1e5638090@{HOST}"


@dataclass(frozen=True)
class Sign:
    """One sign's headers, and the resulting kind and reason."""

    name: str
    kind: str
    reason: str
    headers: str = ""
    sender: str | None = None
    recipient: str = ""
    subject: str = ""
    author: str = ""


SIGNS = (
    Sign("our loop header", "loop", "our own letter", f"{LOOP_HEADER}: {HOST}\n"),
    Sign("machine header of ours", "loop", "a letter of a game server", "X-PBEM-Game: 42\n"),
    Sign("address of ours", "loop", "from an address of our own", author=f"play@{HOST}"),
    Sign("51 hosts", "loop", "51 Received lines", "Received: from a by b\n" * 51),
    Sign("null sender", "bounce", "the null sender", sender=""),
    Sign("bounce address", "bounce", "sent to a bounce address", recipient=BOUNCE),
    Sign("auto-generated", "robot", "Auto-Submitted: auto-generated", "Auto-Submitted: auto-generated (x)\n"),
    Sign("precedence", "robot", "Precedence: auto_reply", "Precedence: Auto_Reply\n"),
    Sign("autoreply header", "robot", "X-Autoreply", "X-Autoreply: yes\n"),
    Sign("report", "robot", "a report (disposition-notification)",
         "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n"),
    Sign("no-reply", "robot", "from no-reply", author="no-reply@example.org"),
)  # fmt: skip


def mail(*signs: Sign) -> tuple[bytes, Envelope]:
    """Return a mail with a move and these signs."""

    def last(name: str, usual: str) -> str:
        return next((getattr(sign, name) for sign in signs if getattr(sign, name)), usual)

    headers = "".join(sign.headers for sign in signs)
    head = (
        f"From: Bill <{last('author', BILL)}>\nTo: <{TOKEN}>\nSubject: {last('subject', 'Re: Bipod #42')}\n"
    )
    null = any(sign.sender == "" for sign in signs)
    envelope = Envelope("" if null else BILL, last("recipient", TOKEN))
    return f"{head}Message-ID: <1@example.org>\n{headers}\nf2 f4 g3\n".encode(), envelope


def opened(*signs: Sign) -> Inbound:
    return parse_mail(*mail(*signs), HOST)


def with_headers(headers: str) -> Inbound:
    return opened(Sign("", "", "", headers))


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.name)
def test_each_sign_alone_makes_a_machine(sign: Sign) -> None:
    found = opened(sign)
    assert (sign.kind, sign.reason) == (found.kind, found.reason)


def test_a_mail_with_none_of_them_is_a_persons() -> None:
    found = opened()
    assert ("person", "f2 f4 g3") == (found.kind, found.words)


@pytest.mark.parametrize(
    ("first", "second"),
    [pair for pair in combinations(SIGNS, 2) if not all(sign.author for sign in pair)],
    ids=lambda sign: sign.name,
)
def test_of_two_signs_the_earlier_names_the_mail(first: Sign, second: Sign) -> None:
    found = opened(second, first)
    assert (first.kind, first.reason) == (found.kind, found.reason)


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied\n",
        "Auto-Submitted: auto-notified; owner-email=x@example.org\n",
        "Auto-Submitted: (a (nested) remark) auto-replied\n",
        "Auto-Submitted: AUTO-REPLIED (no)\n",
        "auto-submitted:\n auto-replied\n",
        "Auto-Submitted: no\nAuto-Submitted: auto-replied\n",
        "Auto-Submitted: yes\n",
        "Precedence: bulk\n",
        "Precedence: junk (vacation)\n",
        "Precedence:  LIST \n",
        "Precedence: auto-reply\n",
        "Precedence: normal\nPrecedence: bulk\n",
        "X-Autoreply-From: x\n",
        "X-Autorespond: Re: Bipod\n",
        "X-AutoResponder: yes\n",
        "Feedback-Type: abuse\n",
    ],
)
def test_headers_of_machines_are_known_as_they_come(headers: str) -> None:
    assert "robot" == with_headers(headers).kind


def test_failed_recipients_make_a_bounce() -> None:
    assert "bounce" == with_headers("X-Failed-Recipients: joao@example.net\n").kind


@pytest.mark.parametrize(
    "headers",
    [
        "X-Auto-Response-Suppress: All\n",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply\n",
        "Auto-Submitted: no\n",
        "Auto-Submitted: No (really (no))\n",
        "Precedence: first-class\n",
        "Precedence: normal\n",
        "Precedence: \n",
        "X-Failed-Recipients-Of-My-Heart: none\n",
        "Listening-To: The Who\n",
        "X-List: x\n",
        "X-Autoreply: no\n",
        "X-AutoReply: NO (a person)\n",
        "X-Autorespond: none\n",
        "X-AutoGenerated: false\n",
        "X-Mail-Autoreply: 0\n",
        "X-Autoreply:\n",
        "Feedback-Type: none\n",
        "Received: from a by b\n" * 50,
        "Content-Type: multipart/mixed; boundary=b\n",
        "X-PBEMish: 1\n",
    ],
)
def test_what_only_looks_like_a_sign_is_none(headers: str) -> None:
    assert with_headers(headers).kind == "person"


@pytest.mark.parametrize(
    ("author", "kind"),
    [
        ("MAILER-DAEMON@example.org", "bounce"),
        ("mailer-daemon@example.org", "bounce"),
        ("postmaster@example.org", "bounce"),
        ("no-reply@example.org", "robot"),
        ("noreply+42@example.org", "robot"),
        ("do_not_reply@example.org", "robot"),
        ("noreplyson@example.org", "person"),
        ("postmasters.friend@example.org", "person"),
        ("bill.noreply@example.org", "person"),
        (f"bill@{HOST}", "person"),
        (f"player@{HOST}", "person"),
        ("play@example.org", "person"),
    ],
)
def test_senders_that_are_machines_are_known_by_their_whole_local_part(author: str, kind: str) -> None:
    assert kind == opened(Sign("", "", "", author=author)).kind


@pytest.mark.parametrize(
    ("id", "kind"),
    [
        ("<g42.e31.s1.turn.1@other.example.net>", "loop"),
        ("<g42.e31.p7.show.12@games.example.org>", "loop"),
        ("<m17.welcome.1@other.example.net>", "loop"),
        ("<o12.shunted.1@other.example.net>", "loop"),
        ("<m17.1.welcome@example.org>", "person"),
        ("<CAm17.welcome.1@mail.gmail.com>", "person"),
        ("<g42.e31@example.org>", "person"),
    ],
)
def test_a_letter_whose_headers_were_taken_off_is_known_by_its_id(id: str, kind: str) -> None:
    raw, envelope = mail()
    assert kind == parse_mail(raw.replace(b"<1@example.org>", id.encode()), envelope, HOST).kind


def test_a_games_server_elsewhere_is_known_by_its_letters_too() -> None:
    loop = f"{LOOP_HEADER}: other.example.net\n"
    assert ("loop", "a letter of a game server") == (with_headers(loop).kind, with_headers(loop).reason)
