"""A spare address: proven by its own answer, and used where letters to the usual address come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.outbox.send import send_due
from pbem.store import players
from tests.apps import (
    BILL,
    JOAO,
    OPERATOR,
    Clock,
    Relay,
    a_game,
    flat,
    last_words,
    letters,
    moves,
    player,
    reply,
    writes,
)
from tests.returned import comes_back, gone

pytestmark = pytest.mark.each_database

SPARE = "bill@spare.example"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


def with_spare(app: App) -> ReceivedLetter:
    """Game 1 has begun, and Bill has a spare address; returns Joao's first letter."""
    bills, joaos = a_game(app)
    assert "done" == reply(app, BILL, bills, f"address spare {SPARE}")
    assert "done" == writes(app, BILL, "yes")
    assert "done" == writes(app, SPARE, "yes")
    send_due(app)
    return joaos


def subjects(found: Sequence[ReceivedLetter]) -> list[str]:
    return [letter.header("Subject") for letter in found]


def test_a_spare_address_counts_once_it_has_answered_and_gets_no_letters_yet(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, BILL, bills, f"address spare {SPARE}")
    assert "you name a spare address" in last_words(app, BILL)
    assert [] == letters(app, SPARE)
    writes(app, BILL, "yes")
    assert ("", frozenset({BILL})) == (player(app, "Bill").spare, player(app, "Bill").addresses)
    assert "Bill" not in letters(app, SPARE)[0].text
    writes(app, SPARE, "yes")
    bill = player(app, "Bill")
    assert (BILL, SPARE, {BILL, SPARE}) == (bill.address, bill.spare, bill.addresses)
    assert "this is your spare address now" in last_words(app, SPARE)
    before = len(letters(app, SPARE))
    reply(app, JOAO, joaos, "say hello")
    assert "hello" in last_words(app, BILL)
    assert before == len(letters(app, SPARE))
    for words in ("address", "set"):
        assert SPARE in (writes(app, BILL, words) and last_words(app, BILL))


def test_letters_that_come_back_go_to_the_spare_address_told_once_to_both(app: App, relay: Relay) -> None:
    joaos = with_spare(app)
    reply(app, JOAO, joaos, "say where are you?")
    gone(app)
    bill = player(app, "Bill")
    assert (SPARE, True, "") == (bill.address, bill.reachable, bill.spare)
    assert ["A spare address of yours", "Your letters go to your spare address"] == [
        each for each in subjects(relay.to(SPARE)) if "spare" in each
    ]
    assert "Your letters go to your spare address" == subjects(relay.to(BILL))[-1]
    assert SPARE not in relay.to(BILL)[-1].raw.decode()
    missed = [letter for letter in relay.to(SPARE) if "where are you?" in letter.text]
    assert 1 == len(missed)
    assert not [one for one in relay.to(JOAO) if "comes back" in one.header("Subject")]
    assert "done" == reply(app, SPARE, missed[0], "f2")
    assert ["f2"] == moves(app)
    send_due(app)
    assert not [each for each in subjects(relay.to(SPARE)) if "reach you again" in each]
    assert 1 == sum("go to your spare" in each for each in subjects(relay.to(SPARE)))


def test_where_the_spare_address_fails_too_the_opponent_is_told(app: App, relay: Relay) -> None:
    joaos = with_spare(app)
    gone(app)
    reply(app, JOAO, joaos, "say hello")
    gone(app, SPARE)
    assert not player(app, "Bill").reachable
    assert 1 == sum("comes back" in each for each in subjects(relay.to(JOAO)))


def test_a_spare_address_is_dropped_by_that_word_and_then_none_is_left(app: App, clock: Clock) -> None:
    with_spare(app)
    writes(app, BILL, "address drop spare")
    assert f"Dropped: {SPARE}" in flat(letters(app, BILL)[-1].text).replace("*", "")
    writes(app, BILL, "yes")
    bill = player(app, "Bill")
    assert ("", {BILL}) == (bill.spare, bill.addresses)
    assert "refused" == writes(app, BILL, "address drop spare")
    assert "You have no spare address" in last_words(app, BILL)


def test_letters_go_back_to_the_first_address_and_the_spare_one_waits_again(app: App, relay: Relay) -> None:
    with_spare(app)
    gone(app)
    writes(app, SPARE, f"address add {BILL}")
    writes(app, SPARE, "yes")
    bill = player(app, "Bill")
    assert (BILL, SPARE, True) == (bill.address, bill.spare, bill.reachable)
    gone(app)
    assert SPARE == player(app, "Bill").address


def test_a_refusal_by_policy_moves_no_letters(app: App, relay: Relay) -> None:
    with_spare(app)
    for letter in relay.to(BILL)[-2:]:
        comes_back(app, letter, "5.7.26")
    assert BILL == player(app, "Bill").address


def test_a_challenge_that_waited_for_the_first_address_goes_to_the_spare_one(app: App, relay: Relay) -> None:
    joaos = with_spare(app)
    reply(app, JOAO, joaos, "challenge Bill begird")
    (*_, one, two) = relay.to(BILL)
    for letter in (one, two):
        comes_back(app, letter)
    send_due(app)
    assert any("Begird" in each for each in subjects(relay.to(SPARE)))


def test_forgetting_takes_the_spare_address_too(app: App) -> None:
    with_spare(app)
    writes(app, BILL, "forget me")
    writes(app, BILL, "yes")
    with app.store.read() as db:
        bill = players.player_by_id(db, 1)
        assert bill is not None
        assert ({}, frozenset()) == (bill.preferences.more, bill.addresses)
        assert players.player_by_address(db, SPARE) is None
