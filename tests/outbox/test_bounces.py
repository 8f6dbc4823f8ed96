"""Bounces: points, suspensions, notices, and the way back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import LetterRefused, TemporaryFailure
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import inbox
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    OPERATOR,
    PLAY,
    Clock,
    Relay,
    a_game,
    letters,
    mail,
    player,
    register,
    reply,
    state,
    writes,
)
from tests.mail.inbound.test_bounce_report import block, dsn
from tests.returned import comes_back, gone, states


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


# Points.


def test_two_hard_bounces_suspend_an_address_and_one_does_not(app: App, relay: Relay) -> None:
    a_game(app)
    send_due(app)
    one, two = relay.to(BILL)[-2:]
    comes_back(app, one)
    assert player(app, "Bill").reachable
    comes_back(app, two)
    assert not player(app, "Bill").reachable
    assert player(app, "Joao").reachable


def test_four_soft_bounces_suspend_an_address_and_three_do_not(app: App, relay: Relay) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "show")
    send_due(app)
    found = relay.to(BILL)
    assert 4 <= len(found)
    for letter in found[:3]:
        comes_back(app, letter, "4.2.2")
    assert player(app, "Bill").reachable
    comes_back(app, found[3], "4.2.2")
    assert not player(app, "Bill").reachable


def test_a_bounce_that_comes_twice_counts_once(app: App, relay: Relay) -> None:
    a_game(app)
    send_due(app)
    (letter,) = relay.to(BILL)[-1:]
    for n in range(3):
        assert "bounce" == comes_back(app, letter, action=f"failed ({n})")
    assert "duplicate" == comes_back(app, letter, action="failed (0)")
    assert player(app, "Bill").reachable


def test_of_two_reports_about_a_letter_the_worse_one_counts(app: App, relay: Relay) -> None:
    a_game(app)
    send_due(app)
    for letter in relay.to(BILL)[-2:]:
        comes_back(app, letter, "4.4.1")
        comes_back(app, letter, "5.1.1")
    assert not player(app, "Bill").reachable


@pytest.mark.parametrize(
    ("status", "action"), [("4.4.1", "delayed"), ("2.0.0", "delivered"), ("5.1.1", "delayed")]
)
def test_letters_that_are_late_or_arrived_count_nothing(
    app: App, relay: Relay, status: str, action: str
) -> None:
    a_game(app)
    send_due(app)
    for letter in relay.to(BILL):
        assert "bounce" == comes_back(app, letter, status, action=action)
    assert player(app, "Bill").reachable


@pytest.mark.each_database
def test_points_lapse_after_thirty_days(app: App, relay: Relay, clock: Clock) -> None:
    bills, _ = a_game(app)
    send_due(app)
    comes_back(app, relay.to(BILL)[-1])
    clock.pass_by(days=29)
    reply(app, BILL, bills, "show")
    send_due(app)
    clock.pass_by(days=1)
    comes_back(app, relay.to(BILL)[-1])
    assert player(app, "Bill").reachable


@pytest.mark.each_database
def test_many_bounces_at_once_suspend_once(app: App, relay: Relay) -> None:
    bills, _ = a_game(app)
    for _ in range(4):
        reply(app, BILL, bills, "show")
    send_due(app)
    keys = [
        receive(app, dsn(block("5.1.1")), "", [relay.bounce_address(letter)])[0] for letter in relay.to(BILL)
    ]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert {"bounce"} == {state(app, key) for key in keys}
    assert 1 == sum("comes back" in letter.header("Subject") for letter in letters(app, JOAO))


# Forged.


def test_an_address_of_no_letter_gives_nobody_points(app: App, relay: Relay) -> None:
    a_game(app)
    send_due(app)
    real = relay.bounce_address(relay.to(BILL)[-1])
    made_up = f"bounce+{'0' * 40}@localhost"
    turned = real[:-12] + ("0" if real[-12] != "0" else "1") + real[-11:]
    unknown = app.addressing.return_path(77)
    for address in (made_up, turned, unknown):
        for n in range(4):
            assert "bounce" == mail(app, "", dsn(block("5.1.1", f"failed ({n})")), address)
    assert player(app, "Bill").reachable


def test_a_report_about_somebody_else_gives_nobody_points(app: App, relay: Relay) -> None:
    a_game(app)
    send_due(app)
    for letter in relay.to(BILL):
        assert "bounce" == comes_back(app, letter, about=JOAO)
    assert player(app, "Bill").reachable
    assert player(app, "Joao").reachable


def test_a_letter_of_more_than_thirty_days_ago_gives_no_points(app: App, relay: Relay, clock: Clock) -> None:
    a_game(app)
    send_due(app)
    clock.pass_by(days=30, seconds=1)
    for letter in relay.to(BILL):
        comes_back(app, letter)
    assert player(app, "Bill").reachable


def test_a_vacation_reply_or_a_persons_mail_to_a_bounce_address_gives_no_points(
    app: App, relay: Relay
) -> None:
    a_game(app)
    send_due(app)
    for letter in relay.to(BILL):
        address = relay.bounce_address(letter)
        away = b"Auto-Submitted: auto-replied\r\n" + new_mail(BILL, address, "I am away. bill@example.org")
        assert "robot" == mail(app, "", away, address)
        assert "bounce" == mail(app, BILL, new_mail(BILL, address, "f2"), address)
    assert player(app, "Bill").reachable


def test_a_bounce_to_a_reply_address_moves_nothing_and_gives_no_points(app: App) -> None:
    bills, _ = a_game(app)
    for status in ("5.1.1", "5.1.2", "5.1.3"):
        assert "bounce" == mail(app, "", dsn(block(status)), bills.header("Reply-To"))
    assert player(app, "Bill").reachable


def test_a_bounce_address_is_good_in_any_case_of_letters(app: App, relay: Relay) -> None:
    a_game(app)
    send_due(app)
    for letter in relay.to(BILL)[-2:]:
        mail(app, "", dsn(block("5.1.1")), relay.bounce_address(letter).upper())
    assert not player(app, "Bill").reachable


def test_a_bounce_that_is_run_again_counts_no_more(app: App, relay: Relay, clock: Clock) -> None:
    a_game(app)
    send_due(app)
    address = relay.bounce_address(relay.to(BILL)[-1])
    (key,) = receive(app, dsn(block("5.1.1")), "", [address])
    work_through(app)
    with app.store.write() as db:
        inbox.reopen_mails(db, [int(key[1:])])
    assert "bounce" == process(app, int(key[1:]))
    assert player(app, "Bill").reachable


# Effects of a suspension.


def test_each_opponent_is_told_once_with_all_games_between_the_two(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    for who, name in ((JOAO, "bipod"), (JOAO, "begird")):
        reply(app, who, joaos, f"challenge Bill {name}")
        writes(app, BILL, "accept")
    annas = register(app, ANNA, "Anna")
    reply(app, ANNA, annas, "challenge Bill bipod")
    writes(app, BILL, "accept")
    register(app, "eva@example.com", "Eva")
    gone(app)
    told = {
        who: [one for one in relay.to(who) if "comes back" in one.header("Subject")] for who in (JOAO, ANNA)
    }
    assert {JOAO: 1, ANNA: 1} == {who: len(found) for who, found in told.items()}
    assert all(f"#{number}" in told[JOAO][0].text for number in (1, 2, 3))
    assert "#4" in told[ANNA][0].text
    assert not [one for one in relay.to("eva@example.com") if "comes back" in one.header("Subject")]


def test_letters_to_a_suspended_address_are_held_and_the_opponent_reads_so(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    gone(app)
    before = len(relay.to(BILL))
    assert "done" == reply(app, JOAO, joaos, "say where are you?")
    send_due(app)
    assert before == len(relay.to(BILL))
    assert 1 == states(app, BILL)["held"]
    assert "Letters to Bill come back at present" in " ".join(relay.to(JOAO)[-1].text.split())


def test_letters_that_wait_when_an_address_is_suspended_are_held_too(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    send_due(app)
    reply(app, JOAO, joaos, "say hello")
    before = len(relay.to(BILL))
    gone_now = relay.to(BILL)[-2:]
    relay.answers[BILL] = TemporaryFailure("451 later")
    for letter in gone_now:
        comes_back(app, letter)
    relay.answers.clear()
    send_due(app)
    assert before == len(relay.to(BILL))
    assert 1 == states(app, BILL)["held"]


def test_two_unreachable_players_are_not_written_to_about_each_other(app: App, relay: Relay) -> None:
    a_game(app)
    gone(app)
    gone(app, JOAO)
    before = len(relay.taken)
    send_due(app)
    assert before == len(relay.taken)


# Answers of our own relay.


def test_a_relay_that_refuses_the_mailbox_twice_suspends_it(app: App, relay: Relay) -> None:
    a_game(app)
    relay.answers[BILL] = LetterRefused("550 5.1.1 <bill@example.org> unknown user")
    send_due(app)
    assert not player(app, "Bill").reachable
    send_due(app)
    assert 1 == sum("comes back" in letter.header("Subject") for letter in relay.to(JOAO))


@pytest.mark.parametrize("said", ["554 5.7.1 relay access denied", "550 5.7.1 spam", "554 no"])
def test_a_relay_that_refuses_us_suspends_nobody(app: App, relay: Relay, said: str) -> None:
    a_game(app)
    relay.answers = {BILL: LetterRefused(said), JOAO: LetterRefused(said)}
    send_due(app)
    assert player(app, "Bill").reachable
    assert player(app, "Joao").reachable


@pytest.mark.parametrize(("said", "reachable"), [("452 4.2.2 full", False), ("[Errno 111] no relay", True)])
def test_letters_given_up_count_softly_where_the_address_was_at_fault(
    app: App, relay: Relay, clock: Clock, said: str, reachable: bool
) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "show")
    relay.answers[BILL] = TemporaryFailure(said)
    send_due(app)
    clock.pass_by(days=5)
    send_due(app)
    assert 4 <= states(app, BILL)["failed"]
    assert reachable == player(app, "Bill").reachable


# Strangers.


def test_a_stranger_whose_letter_came_back_hears_nothing_for_a_day(
    app: App, relay: Relay, clock: Clock
) -> None:
    who = "nobody@example.com"
    mail(app, who, new_mail(who, PLAY, "register Nobody"))
    send_due(app)
    clock.pass_by(hours=23)
    comes_back(app, relay.to(who)[0], who=who)
    clock.pass_by(hours=2)
    assert "stranger" == mail(app, who, new_mail(who, PLAY, "register Nobody"))
    clock.pass_by(hours=23)
    assert "done" == mail(app, who, new_mail(who, PLAY, "register Nobody"))
    send_due(app)
    assert 2 == len(relay.to(who))


def test_a_stranger_whose_letter_came_back_hears_nothing_of_what_others_try_either(
    app: App, relay: Relay
) -> None:
    who = "nobody@example.com"
    mail(app, who, new_mail(who, PLAY, "register Nobody"))
    send_due(app)
    (question,) = relay.to(who)
    comes_back(app, question, who=who)
    assert "refused" == reply(app, "thief@example.com", question, "confirm")
    assert [question.raw] == [letter.raw for letter in letters(app, who)]


def test_a_letter_to_the_operator_that_comes_back_makes_no_other(app: App, relay: Relay) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    relay.answers = {BILL: LetterRefused("550 gone"), "op@example.org": LetterRefused("550 gone too")}
    send_due(app)
    assert 1 == states(app, "op@example.org")["failed"]
    assert 1 == len(letters(app, "op@example.org"))


def test_a_letter_to_the_operator_that_came_back_keeps_no_later_one_away(app: App, relay: Relay) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    relay.answers = {BILL: LetterRefused("550 gone"), "op@example.org": LetterRefused("550 gone too")}
    send_due(app)
    mail(app, JOAO, new_mail(JOAO, PLAY, "register Joao"))
    relay.answers = {JOAO: LetterRefused("550 gone")}
    send_due(app)
    assert 2 == len(letters(app, "op@example.org"))
