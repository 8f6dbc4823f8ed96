"""Servers and robots that answer each other, which must end by itself.

Two whole servers of different hosts get each other's letters, through a `between` that may change them as
real hosts do. Every letter between them is counted.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.addresses import BadAddress
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.outbox.send import send_due
from pbem.store import inbox, outbox, players
from pbem.store.inbox import Code
from tests.apps import Clock, Relay, reply
from tests.people import NOON

CHESS, GAMES = "chess.example.net", "games.example.org"
MOST = 1000
"""Number of letters that counts as an endless loop."""

Between = Callable[[bytes], bytes]


@dataclass
class World:
    """Servers by host, the changes between them, and robots by address."""

    offices: dict[str, App]
    between: Between = lambda raw: raw
    robots: dict[str, Callable[[str, bytes], tuple[str, bytes] | None]] = field(default_factory=dict)
    crossed: list[tuple[str, ReceivedLetter]] = field(default_factory=list)

    def run(self) -> int:
        """Carry letters until there are none; return their number."""
        begun = len(self.crossed)
        while waiting := [letter for app in self.offices.values() for letter in self._collect(app)]:
            for sender, recipient, raw in waiting:
                self.crossed.append((recipient, ReceivedLetter(raw)))
                assert len(self.crossed) - begun < MOST, "this never ends"
                self._carry(sender, recipient, raw)
        return len(self.crossed) - begun

    def _collect(self, app: App) -> list[tuple[str, str, bytes]]:
        work_through(app)
        send_due(app)
        wire = app.sender
        assert isinstance(wire, Relay)
        taken = list(wire.taken)
        wire.taken.clear()
        return taken

    def _carry(self, sender: str, recipient: str, raw: bytes) -> None:
        if recipient in self.robots:
            answered = self.robots[recipient](sender, raw)
            if answered is not None:
                self.deliver(recipient, *answered)
        else:
            self.deliver(sender, recipient, self.between(raw))

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Deliver a mail to the recipient's server, if there is one."""
        app = self.offices.get(recipient.rpartition("@")[2])
        if app is not None:
            try:
                app.addressing.read(recipient)
            except BadAddress:
                return
            receive(app, raw, sender, [recipient])


@pytest.fixture
def world(tmp_path: Path, migrated_sqlite: Path, clock: Clock) -> Iterator[World]:
    offices = {}
    for host in (CHESS, GAMES):
        path = tmp_path / f"{host}.sqlite"
        shutil.copy(migrated_sqlite, path)
        environ = {
            "PBEM_HOST": host,
            "PBEM_SITE": f"https://{host}",
            "PBEM_VAR": str(tmp_path),
            "PBEM_DATABASE": f"sqlite:///{path}",
            "PBEM_SECRET": host * 3,
            "PBEM_UNDO_MINUTES": "0",
            "PBEM_RELAY": "smtp://127.0.0.1:1",
        }
        offices[host] = replace(open_app(config_from(environ), clock=clock), sender=Relay())
    yield World(offices)
    for app in offices.values():
        app.close()


def befriend(world: World) -> ReceivedLetter:
    """Register each server and Bill as players on the other.

    Return the question whether one of them challenges.
    """
    for host, other in ((CHESS, GAMES), (GAMES, CHESS)):
        with world.offices[host].store.write() as db:
            players.add_player(db, "Server", f"play@{other}", NOON)
            players.add_player(db, "Bill", "bill@example.com", NOON)
    chess = world.offices[CHESS]
    hello = new_mail("bill@example.com", f"play@{CHESS}", "challenge Server bipod")
    receive(chess, hello, "bill@example.com", [f"play@{CHESS}"])
    work_through(chess)
    return _letters(chess, "bill@example.com")[-1]


def _letters(app: App, address: str) -> list[ReceivedLetter]:
    with app.store.read() as db:
        return [ReceivedLetter(raw) for raw in outbox.letters_to(db, address)]


def without(*names: str, ids: bool = False) -> Between:
    """A host that removes these headers and the Message-ID."""

    def strip(raw: bytes) -> bytes:
        head, _, body = raw.partition(b"\r\n\r\n")
        lines = [
            line for line in head.split(b"\r\n") if not line.lower().startswith(tuple(map(str.encode, names)))
        ]
        if ids:
            lines = [re.sub(rb"(?i)^message-id: <", b"Message-ID: <rewritten-", line) for line in lines]
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    return strip


MACHINE = ("x-", "auto-submitted", "list-", "precedence")


def by_a_list(raw: bytes) -> bytes:
    """A mailing list that rewrites From and removes automatic headers. It adds headers of its own."""
    head, _, body = without(*MACHINE, ids=True)(raw).partition(b"\r\n\r\n")
    head = re.sub(rb"(?m)^From: .*$", b"From: play via friends <friends@lists.example.com>\r", head)
    return head + b"\r\nList-Id: <friends.lists.example.com>\r\nPrecedence: list\r\n\r\n" + body


SETUPS: dict[str, tuple[Between, int]] = {
    "as they are": (lambda raw: raw, 1),
    "without machine headers": (without(*MACHINE), 1),
    "without Auto-Submitted": (without("auto-submitted"), 1),
    "through a list": (by_a_list, 1),
    "without headers and with other ids": (without(*MACHINE, ids=True), 3),
}
"""Changes between servers, and the most letters allowed.

If nothing identifies a letter, each server asks the other once a day whether the mail was really its
player's.
"""


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_a_letter_to_another_server_is_not_answered(world: World, setup: tuple[Between, int]) -> None:
    world.between, most = setup
    question = befriend(world)
    world.run()
    reply(world.offices[CHESS], "bill@example.com", question, "confirm")
    assert most + 1 == world.run()  # one tells Bill that the challenge is sent


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_a_forged_registration_of_a_server_at_another_ends_with_one_letter(
    world: World, setup: tuple[Between, int]
) -> None:
    world.between, _ = setup
    for host, other in ((CHESS, GAMES), (GAMES, CHESS)):
        raw = new_mail(f"play@{other}", f"play@{host}", "register Server")
        world.deliver("thief@example.com", f"play@{host}", raw)
    assert 2 == world.run()


def vacation(
    headers: str = "", subject: str = "Re: {}", quoting: bool = True
) -> Callable[..., tuple[str, bytes]]:
    """A robot that answers every letter at its Reply-To."""

    def respond(sender: str, raw: bytes) -> tuple[str, bytes]:
        letter = ReceivedLetter(raw)
        mail = message_from_bytes(
            reply_mail(letter, letter.header("To"), "I am away until Monday.", quoting=quoting),
            policy=policy.SMTP,
        )
        del mail["Subject"]
        mail["Subject"] = subject.format(letter.header("Subject"))
        return letter.header("Reply-To"), headers.encode() + mail.as_bytes()

    return respond


@pytest.mark.parametrize(
    ("headers", "subject"),
    [
        ("Auto-Submitted: auto-replied\r\n", "Re: {}"),
        ("Precedence: bulk\r\n", "Re: {}"),
        ("X-Autoreply: yes\r\n", "Re: {}"),
        ("", "Out of office: {}"),
        ("", "Automatische Antwort: {}"),
    ],
)
def test_a_vacation_robot_that_says_so_gets_one_letter(world: World, headers: str, subject: str) -> None:
    world.robots["bill@example.com"] = vacation(headers, subject)
    befriend(world)
    assert 1 == sum(recipient == "bill@example.com" for recipient, _ in _carried(world))


@pytest.mark.parametrize("quoting", [True, False])
def test_a_robot_that_looks_like_a_person_is_answered_no_more_than_a_person(
    world: World, clock: Clock, quoting: bool
) -> None:
    app = world.offices[CHESS]
    world.offices[CHESS] = replace(app, config=replace(app.config, letters_per_hour=20))
    world.robots["bill@example.com"] = vacation(quoting=quoting)
    befriend(world)
    assert 20 <= len(_carried(world)) <= 22
    assert 0 == world.run()
    clock.pass_by(hours=1, seconds=1)
    assert 0 == world.run()  # no letter causes another
    with world.offices[CHESS].store.read() as db:
        kept = inbox.mails_in_state(db, "refused")
    assert Code.UNANSWERED in kept[-1].code


def test_a_robot_at_an_address_that_proved_nothing_gets_ten_letters_a_day(world: World) -> None:
    who = "nobody@example.com"
    world.robots[who] = vacation()
    world.deliver(who, f"play@{CHESS}", new_mail(who, f"play@{CHESS}", "register Nobody"))
    assert world.run() <= 10


def test_a_robot_that_bounces_with_a_sender_of_its_own_moves_nothing(world: World) -> None:
    """A host returns our letter, as a new mail to its sender."""
    world.robots["bill@example.com"] = lambda sender, raw: (ReceivedLetter(raw).header("Reply-To"), raw)
    befriend(world)
    assert 1 == len(_carried(world))


def _carried(world: World) -> list[tuple[str, ReceivedLetter]]:
    world.run()
    return world.crossed
