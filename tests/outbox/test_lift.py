"""The end of a suspension, and the letters sent then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import App
from pbem.mail.outbound.relay import TemporaryFailure
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.outbox.send import send_due
from tests.apps import BILL, JOAO, OPERATOR, PLAY, Clock, Relay, a_game, letters, mail, player, reply, writes
from tests.returned import comes_back, gone, states


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


@pytest.mark.each_database
def test_a_mail_from_the_player_lifts_it_and_brings_the_newest_letter_of_each_game(
    app: App, relay: Relay, clock: Clock
) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "challenge Bill begird first")
    writes(app, BILL, "accept")
    second = letters(app, JOAO)[-1]
    gone(app)
    for words in ("say round one", "say round two", "say round three"):
        reply(app, JOAO, joaos, words)
        reply(app, JOAO, second, words)
    before = len(relay.to(BILL))
    clock.pass_by(days=12)
    assert "done" == reply(app, BILL, bills, "help")
    send_due(app)
    assert player(app, "Bill").reachable
    came = relay.to(BILL)[before:]
    assert 4 == len(came)
    assert 2 == sum("round three" in letter.text for letter in came)
    assert not any("round one" in letter.text or "round two" in letter.text for letter in came)
    (told,) = [letter for letter in came if "again" in letter.header("Subject")]
    assert "1 March 2026" in " ".join(told.text.split())
    assert 0 == states(app, BILL)["held"]
    assert 4 == states(app, BILL)["dropped"]


def test_a_move_of_the_player_makes_the_older_letter_of_that_game_needless(app: App, relay: Relay) -> None:
    bills, joaos = a_game(app)
    gone(app)
    reply(app, JOAO, joaos, "say your turn")
    before = len(relay.to(BILL))
    assert "done" == reply(app, BILL, bills, "f2 f4 g3")
    send_due(app)
    ids = [letter.header("Message-ID") for letter in relay.to(BILL)[before:]]
    assert 2 == len(ids)
    assert ".receipt." in ids[0] and ".reachable." in ids[1]


def test_challenges_that_came_meanwhile_stand_in_the_letter(app: App, relay: Relay) -> None:
    bills, joaos = a_game(app)
    gone(app)
    reply(app, JOAO, joaos, "challenge Bill begird")
    reply(app, BILL, bills, "f2 f4 g3")
    told = letters(app, BILL)[-1]
    assert "Begird" in told.text
    assert "done" == reply(app, BILL, told, "accept 2")


def test_the_letter_that_came_back_last_is_sent_again_as_it_was(app: App, relay: Relay) -> None:
    bills, _ = a_game(app)
    welcome = next(one for one in letters(app, BILL) if "Welcome" in one.header("Subject"))
    gone(app)
    before = len(relay.to(BILL))
    reply(app, BILL, welcome, "help")
    send_due(app)
    assert bills.raw in [letter.raw for letter in relay.to(BILL)[before:]]


def test_what_was_forgiven_stays_forgiven_whatever_else_comes_about_it(app: App, relay: Relay) -> None:
    bills, _ = a_game(app)
    send_due(app)
    old = relay.to(BILL)[-3:-1]
    for letter in old:
        comes_back(app, letter)
    assert "done" == reply(app, BILL, bills, "show")
    for letter in old:
        comes_back(app, letter, "5.1.2")
    assert player(app, "Bill").reachable


def test_letters_sent_again_may_come_back_again(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "challenge Bill begird first")
    writes(app, BILL, "accept")
    welcome = next(one for one in letters(app, BILL) if "Welcome" in one.header("Subject"))
    send_due(app)
    games = [one for one in relay.to(BILL) if ".start." in one.header("Message-ID")]
    assert 2 == len(games)
    for n in (1, 2):
        for letter in games:
            assert player(app, "Bill").reachable
            comes_back(app, letter, f"5.1.{n}")
        assert not player(app, "Bill").reachable
        reply(app, BILL, welcome, "help")
        send_due(app)


def test_a_forged_from_lifts_nothing(app: App, relay: Relay) -> None:
    bills, _ = a_game(app)
    gone(app)
    before = len(relay.to(BILL))
    for words in ("games", "help", "f2"):
        mail(app, BILL, new_mail(BILL, PLAY, words))
    mail(app, "thief@example.com", reply_mail(bills, "thief@example.com", "f2"), bills.header("Reply-To"))
    send_due(app)
    assert not player(app, "Bill").reachable
    (question,) = relay.to(BILL)[before:]  # a request for proof must go out, or nobody could return
    assert "done" == reply(app, BILL, question, "confirm")
    assert player(app, "Bill").reachable


def test_an_answer_that_unsubscribes_lifts_it_too(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "say hello")
    chat = letters(app, BILL)[-1]
    address = chat.header("List-Unsubscribe").partition("<mailto:")[2].partition("?")[0].rstrip(">")
    gone(app)
    assert "done" == mail(app, BILL, new_mail(BILL, address, "stop"), address)
    assert player(app, "Bill").reachable


@pytest.mark.each_database
def test_a_held_letter_that_is_released_late_has_its_five_days_still(
    app: App, relay: Relay, clock: Clock
) -> None:
    bills, _ = a_game(app)
    gone(app)
    clock.pass_by(days=20)
    reply(app, BILL, bills, "show")
    relay.answers[BILL] = TemporaryFailure("451 later")
    send_due(app)
    assert 0 == states(app, BILL)["failed"]
    relay.answers.clear()
    clock.pass_by(seconds=5)
    assert 2 <= send_due(app)


def test_who_comes_and_goes_has_each_opponent_told_once_a_day(app: App, relay: Relay, clock: Clock) -> None:
    bills, _ = a_game(app)

    def told() -> int:
        return sum("comes back" in letter.header("Subject") for letter in letters(app, JOAO))

    for _ in range(3):
        gone(app)
        assert not player(app, "Bill").reachable
        reply(app, BILL, bills, "show")
        reply(app, BILL, bills, "games")
        clock.pass_by(minutes=5)
    assert 1 == told()
    clock.pass_by(days=1)
    gone(app)
    assert 2 == told()
