"""Threads in mail programs: ids, references, subjects and envelopes of letters."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.outbox.send import send_due
from tests.apps import BILL, JOAO, PLAY, Relay, last_letter, letters, mail, writes


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Threads are the same on every database."""
    return sqlite_url


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


@pytest.fixture
def played(app: App) -> App:
    """Game 1 after three plies and some words."""
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        mail(app, who, new_mail(who, PLAY, f"register {name}"), PLAY)
        writes(app, who, "confirm")
    for who, words in (
        (BILL, "challenge Joao bipod first"),
        (JOAO, "accept"),
        (BILL, "f2"),
        (JOAO, "say Well begun!"),
        (JOAO, "j4"),
        (BILL, "k3\n\nYour turn."),
        (JOAO, "show"),
    ):
        writes(app, who, words)
    return app


def of_the_game(app: App, who: str) -> list[ReceivedLetter]:
    return [letter for letter in letters(app, who) if letter.header("List-Id")]


@pytest.mark.parametrize(("who", "seat"), [(BILL, 0), (JOAO, 1)])
def test_ids_tell_game_entry_seat_kind_and_count_and_none_comes_twice(
    played: App, who: str, seat: int
) -> None:
    ids = [letter.header("Message-ID") for letter in of_the_game(played, who)]
    assert len(set(ids)) == len(ids) > 4
    assert [] == [id for id in ids if not re.fullmatch(rf"<g1\.e\d+\.s{seat}\.[a-z]+\.\d+@localhost>", id)]
    assert ids[0] == f"<g1.e1.s{seat}.start.1@localhost>"


@pytest.mark.parametrize("who", [BILL, JOAO])
def test_every_later_letter_hangs_on_the_first_and_on_what_came_last(played: App, who: str) -> None:
    root, *later = of_the_game(played, who)
    before = [root.header("Message-ID")]
    for letter in later:
        references = letter.header("References").split()
        assert before[0] == references[0]
        assert {*before[-2:]} <= {*references}
        assert references[-1] == letter.header("In-Reply-To")
        before.append(letter.header("Message-ID"))


@pytest.mark.parametrize("who", [BILL, JOAO])
def test_all_letters_of_a_game_have_one_subject(played: App, who: str) -> None:
    assert {"Bipod #1: Bill - Joao"} == {letter.header("Subject") for letter in of_the_game(played, who)}


def test_an_answer_is_threaded_under_the_players_own_mail(played: App) -> None:
    letter = last_letter(played, JOAO)
    raw = reply_mail(letter, JOAO, "moves")
    mail(played, JOAO, raw, letter.header("Reply-To"))
    own = ReceivedLetter(raw).header("Message-ID")
    last = letters(played, JOAO)[-1]
    assert own == last.header("In-Reply-To")
    assert own == last.header("References").split()[-1]


def test_every_letter_leaves_from_a_bounce_address_of_its_own_to_one_recipient(
    played: App, relay: Relay
) -> None:
    send_due(played)
    senders = [sender for sender, _, _ in relay.taken]
    assert len(set(senders)) == len(senders) > 10
    assert [] == [
        sender for sender in senders if not re.fullmatch(r"bounce\+[a-z0-9]{16,64}@localhost", sender)
    ]
    assert {BILL, JOAO} == {recipient for _, recipient, _ in relay.taken}
