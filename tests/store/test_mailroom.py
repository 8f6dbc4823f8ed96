"""The mailroom's queries of letters and mails, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.app import App
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.store import inbox, mailroom
from tests.web.library import begin, open_library, play

pytestmark = pytest.mark.each_database

CARL = "Carl@Example.org"
PLAY = "play@localhost"


@pytest.fixture
def app(tmp_path: Path, database_url: str) -> Iterator[App]:
    app = open_library(tmp_path, database_url)
    yield app
    app.close()


def write(app: App, sender: str, words: str) -> int:
    """Send a mail and handle it; returns its number."""
    (key,) = receive(app, new_mail(sender, PLAY, words), sender, [PLAY])
    work_through(app)
    return int(key.removeprefix("m"))


def test_a_mailbox_is_there_from_the_first_mail_on_whatever_the_case_of_its_address(app: App) -> None:
    write(app, "eve@example.org", "Buy now!")
    number = write(app, CARL, "register Carl")
    write(app, CARL.lower(), "Hello?")
    with app.store.read() as db:
        boxes = mailroom.list_mailboxes(db)
        (letter,) = mailroom.letters_to(db, CARL.upper())
        assert ["Hello?", "register Carl"] == [
            mail.raw.decode().strip().splitlines()[-1] for mail in inbox.mails_from_address(db, CARL)
        ]
        assert [letter] == mailroom.letters_caused_by(db, number)
        assert letter == mailroom.letter(db, letter.id)
    assert {("eve@example.org", 1), (CARL.lower(), 1)} == {(box.address, box.letters) for box in boxes}


def test_a_mailbox_of_somebody_registered_has_the_players_name(app: App) -> None:
    write(app, "bill@example.org", "games")
    with app.store.read() as db:
        assert ["Bill"] == [box.name for box in mailroom.list_mailboxes(db)]
        assert ["Anna", "Joao", "Bill"] == mailroom.player_names(db)


def test_it_is_known_who_is_waited_for(app: App) -> None:
    game = begin(app, "Bill", "Joao")
    with app.store.read() as db:
        assert {"bill@example.org"} == mailroom.awaited_addresses(db)
    play(app, game, ["f2"])
    with app.store.read() as db:
        assert {"joao@example.net"} == mailroom.awaited_addresses(db)


def test_what_is_not_there_is_none(app: App) -> None:
    with app.store.read() as db:
        assert (None, None) == (mailroom.letter(db, 7), inbox.mail_by_id(db, 7))
        assert ([], []) == (mailroom.letters_to(db, CARL), inbox.mails_from_address(db, CARL))
