"""The end of a suspension, and the letters sent then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import Office
from pbem.mail.outbound.relay import NotNow
from pbem.mail.person.mailbox import answer, fresh
from pbem.outbox.send import send_due
from tests.apps import BILL, JOAO, OPERATOR, PLAY, Clock, Relay, a_game, letters, mail, player, reply, writes
from tests.returned import comes_back, gone, states


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def office(office: Office, relay: Relay) -> Office:
    return replace(office, sender=relay)


def test_a_mail_from_the_player_lifts_it_and_brings_the_newest_letter_of_each_game(
    office: Office, relay: Relay, clock: Clock
) -> None:
    bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "challenge Bill begird first")
    writes(office, BILL, "accept")
    second = letters(office, JOAO)[-1]
    gone(office)
    for words in ("say round one", "say round two", "say round three"):
        reply(office, JOAO, joaos, words)
        reply(office, JOAO, second, words)
    before = len(relay.to(BILL))
    clock.pass_by(days=12)
    assert "done" == reply(office, BILL, bills, "help")
    send_due(office)
    assert player(office, "Bill").reachable
    came = relay.to(BILL)[before:]
    assert 4 == len(came)
    assert 2 == sum("round three" in letter.text for letter in came)
    assert not any("round one" in letter.text or "round two" in letter.text for letter in came)
    (told,) = [letter for letter in came if "again" in letter.header("Subject")]
    assert "1 March 2026" in " ".join(told.text.split())
    assert 0 == states(office, BILL)["held"]
    assert 4 == states(office, BILL)["dropped"]


def test_a_move_of_the_player_makes_the_older_letter_of_that_game_needless(
    office: Office, relay: Relay
) -> None:
    bills, joaos = a_game(office)
    gone(office)
    reply(office, JOAO, joaos, "say your turn")
    before = len(relay.to(BILL))
    assert "done" == reply(office, BILL, bills, "f2 f4 g3")
    send_due(office)
    ids = [letter.header("Message-ID") for letter in relay.to(BILL)[before:]]
    assert 2 == len(ids)
    assert ".receipt." in ids[0] and ".reachable." in ids[1]


def test_challenges_that_came_meanwhile_stand_in_the_letter(office: Office, relay: Relay) -> None:
    bills, joaos = a_game(office)
    gone(office)
    reply(office, JOAO, joaos, "challenge Bill begird")
    reply(office, BILL, bills, "f2 f4 g3")
    told = letters(office, BILL)[-1]
    assert "Begird" in told.text
    assert "done" == reply(office, BILL, told, "accept 2")


def test_the_letter_that_came_back_last_is_sent_again_as_it_was(office: Office, relay: Relay) -> None:
    bills, _ = a_game(office)
    welcome = next(one for one in letters(office, BILL) if "Welcome" in one.header("Subject"))
    gone(office)
    before = len(relay.to(BILL))
    reply(office, BILL, welcome, "help")
    send_due(office)
    assert bills.raw in [letter.raw for letter in relay.to(BILL)[before:]]


def test_what_was_forgiven_stays_forgiven_whatever_else_comes_about_it(office: Office, relay: Relay) -> None:
    bills, _ = a_game(office)
    send_due(office)
    old = relay.to(BILL)[-3:-1]
    for letter in old:
        comes_back(office, letter)
    assert "done" == reply(office, BILL, bills, "show")
    for letter in old:
        comes_back(office, letter, "5.1.2")
    assert player(office, "Bill").reachable


def test_letters_sent_again_may_come_back_again(office: Office, relay: Relay) -> None:
    _bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "challenge Bill begird first")
    writes(office, BILL, "accept")
    welcome = next(one for one in letters(office, BILL) if "Welcome" in one.header("Subject"))
    send_due(office)
    games = [one for one in relay.to(BILL) if ".start." in one.header("Message-ID")]
    assert 2 == len(games)
    for n in (1, 2):
        for letter in games:
            assert player(office, "Bill").reachable
            comes_back(office, letter, f"5.1.{n}")
        assert not player(office, "Bill").reachable
        reply(office, BILL, welcome, "help")
        send_due(office)


def test_a_forged_from_lifts_nothing(office: Office, relay: Relay) -> None:
    bills, _ = a_game(office)
    gone(office)
    before = len(relay.to(BILL))
    for words in ("games", "help", "f2"):
        mail(office, BILL, fresh(BILL, PLAY, words))
    mail(office, "thief@example.com", answer(bills, "thief@example.com", "f2"), bills.header("Reply-To"))
    send_due(office)
    assert not player(office, "Bill").reachable
    (question,) = relay.to(BILL)[before:]  # a request for proof must go out, or nobody could return
    assert "done" == reply(office, BILL, question, "confirm")
    assert player(office, "Bill").reachable


def test_an_answer_that_unsubscribes_lifts_it_too(office: Office, relay: Relay) -> None:
    _bills, joaos = a_game(office)
    reply(office, JOAO, joaos, "say hello")
    chat = letters(office, BILL)[-1]
    address = chat.header("List-Unsubscribe").partition("<mailto:")[2].partition("?")[0].rstrip(">")
    gone(office)
    assert "done" == mail(office, BILL, fresh(BILL, address, "stop"), address)
    assert player(office, "Bill").reachable


def test_a_held_letter_that_is_released_late_has_its_five_days_still(
    office: Office, relay: Relay, clock: Clock
) -> None:
    bills, _ = a_game(office)
    gone(office)
    clock.pass_by(days=20)
    reply(office, BILL, bills, "show")
    relay.answers[BILL] = NotNow("451 later")
    send_due(office)
    assert 0 == states(office, BILL)["failed"]
    relay.answers.clear()
    clock.pass_by(seconds=5)
    assert 2 <= send_due(office)


def test_who_comes_and_goes_has_each_opponent_told_once_a_day(
    office: Office, relay: Relay, clock: Clock
) -> None:
    bills, _ = a_game(office)

    def told() -> int:
        return sum("comes back" in letter.header("Subject") for letter in letters(office, JOAO))

    for _ in range(3):
        gone(office)
        assert not player(office, "Bill").reachable
        reply(office, BILL, bills, "show")
        reply(office, BILL, bills, "games")
        clock.pass_by(minutes=5)
    assert 1 == told()
    clock.pass_by(days=1)
    gone(office)
    assert 2 == told()
