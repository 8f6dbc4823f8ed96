"""Mails handled long after they came: offers count from now, or never."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.actions.game_clock import LATER, tick
from pbem.app import Office
from pbem.core.game.clock_fold import made
from pbem.core.game.journal import AGREE, ASK, ASK_PAUSE, DECLINE, LAPSE, OFFER, PAUSE, PLY, UNDO
from pbem.core.lobby.challenges import CHALLENGE_DAYS
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import answer
from pbem.store import games, inbox
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Broken,
    Clock,
    begin,
    last_words,
    letters,
    load,
    register,
    reply,
    state,
    writes,
)

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
SETTLED = (OFFER, AGREE, DECLINE, LAPSE, ASK_PAUSE, PAUSE, ASK, UNDO)


def put_aside(office: Office, clock: Clock, who: str, words: str) -> str:
    """Answer the last letter, deferred by our own failure; return the key."""
    letter = letters(office, who)[-1]
    broken = replace(office, step=Broken(99))
    (key,) = receive(broken, answer(letter, who, words), who, [letter.header("Reply-To")])
    for _ in range(4):
        work_through(broken)
        clock.now += MINUTE
    assert "shunted" == state(office, key)
    return key


def retry(office: Office, key: str) -> str | None:
    """Do the same as `pbem retry`."""
    number = int(key[1:])
    with office.store.write() as db:
        assert 1 == inbox.again(db, [number], office.clock())
    return process(office, number)


def say(office: Office, clock: Clock, who: str, words: str) -> str:
    """Answer the last letter; a minute passes."""
    filed = writes(office, who, words)
    clock.now += MINUTE
    return filed


def settled(office: Office) -> list[str]:
    return [entry.kind for entry in load(office).journal if entry.kind in SETTLED]


def test_an_offer_is_accepted_as_of_now_if_it_is_open_still(office: Office, clock: Clock) -> None:
    begin(office, "60d/move", plies=1)
    say(office, clock, BILL, "pause 10 days")
    key = put_aside(office, clock, JOAO, "accept")
    clock.now += 2 * DAY
    assert "done" == retry(office, key)
    assert [ASK_PAUSE, PAUSE] == settled(office)
    (pause,) = load(office).agreed
    assert (clock.now, clock.now + 10 * DAY) == pause


@pytest.mark.parametrize("words", ["accept", "accept pause", "pause 5 days"])
def test_nothing_is_agreed_to_that_was_offered_after_the_mail_came(
    office: Office, clock: Clock, words: str
) -> None:
    begin(office, "60d/move", plies=1)
    say(office, clock, BILL, "pause 10 days")
    told = letters(office, JOAO)[-1]
    key = put_aside(office, clock, JOAO, words)
    reply(office, JOAO, told, "decline")
    clock.now += DAY
    say(office, clock, BILL, "pause 20 days")
    assert "refused" == retry(office, key)
    assert [ASK_PAUSE, DECLINE, ASK_PAUSE] == settled(office)
    assert "accept pause" in last_words(office, JOAO)


@pytest.mark.parametrize("words", ["accept", "accept draw", "draw"])
def test_no_draw_is_agreed_to_that_was_offered_after_the_mail_came(
    office: Office, clock: Clock, words: str
) -> None:
    begin(office, "60d/move", plies=1)
    key = put_aside(office, clock, JOAO, words)
    clock.now += DAY
    say(office, clock, BILL, "draw")
    assert "refused" == retry(office, key)
    assert [OFFER] == settled(office)
    assert "accept draw" in last_words(office, JOAO)


def test_a_bare_answer_is_not_for_another_kind_of_offer_made_since(office: Office, clock: Clock) -> None:
    begin(office, "60d/move", plies=1)
    say(office, clock, BILL, "draw")
    told = letters(office, JOAO)[-1]
    key = put_aside(office, clock, JOAO, "accept")
    reply(office, JOAO, told, "decline")
    clock.now += DAY
    say(office, clock, BILL, "pause 10 days")
    assert "refused" == retry(office, key)
    assert "came before the offer of a pause that waits now" in last_words(office, JOAO)
    assert [OFFER, DECLINE, ASK_PAUSE] == settled(office)


@pytest.mark.parametrize("looked", [True, False], ids=["the clock has looked", "the clock has not looked"])
@pytest.mark.parametrize(("offer", "days"), [("draw", 14), ("pause 5 days", 7)])
def test_what_has_lapsed_is_not_accepted(
    office: Office, clock: Clock, offer: str, days: int, looked: bool
) -> None:
    begin(office, "60d/move", plies=1)
    say(office, clock, BILL, offer)
    key = put_aside(office, clock, JOAO, "accept")
    clock.now += days * DAY
    if looked:
        clock.now += LATER
        tick(office)
    assert "refused" == retry(office, key)
    assert not {AGREE, PAUSE} & set(settled(office))
    assert load(office).state.ending is None


def test_an_offer_that_was_put_aside_is_made_as_of_now(office: Office, clock: Clock) -> None:
    begin(office, "60d/move", plies=1)
    key = put_aside(office, clock, BILL, "draw")
    clock.now += 20 * DAY
    assert "done" == retry(office, key)
    assert clock.now + 14 * DAY == load(office).state.draw_until
    assert "offers you a draw" in last_words(office, JOAO)
    assert "done" == say(office, clock, JOAO, "accept")
    assert "agreement" == load(office).state.ending.how


@pytest.mark.parametrize("offer", ["draw", "pause 5 days"])
@pytest.mark.parametrize("end", ["decline", "lapse"])
def test_an_offer_that_was_made_anew_since_is_not_made_once_more(
    office: Office, clock: Clock, offer: str, end: str
) -> None:
    begin(office, "60d/move", plies=1)
    turn = letters(office, BILL)[-1]
    key = put_aside(office, clock, BILL, offer)
    reply(office, BILL, turn, offer)
    if end == "decline":
        say(office, clock, JOAO, "decline")
    else:
        clock.now += 14 * DAY + LATER
        tick(office)
    before = settled(office)
    assert 2 == len(before)
    assert "refused" == retry(office, key)
    assert before == settled(office)


@pytest.mark.parametrize("offer", ["draw", "pause 5 days", "undo"])
def test_a_mail_that_was_handled_makes_its_offer_no_second_time(
    office: Office, clock: Clock, offer: str
) -> None:
    begin(office, "60d/move", plies=1)
    turn = letters(office, BILL)[-1]
    (key,) = receive(office, answer(turn, BILL, offer), BILL, [turn.header("Reply-To")])
    work_through(office)
    clock.now += MINUTE
    say(office, clock, JOAO, "decline")
    before = load(office).journal
    assert "refused" == retry(office, key)
    assert before == load(office).journal


def test_a_move_stops_its_makers_clock_when_it_came_and_starts_the_others_when_it_can_be_seen(
    office: Office, clock: Clock
) -> None:
    begin(office, "3d/move", plies=2)
    key = put_aside(office, clock, BILL, "g3\ndraw")
    came = clock.now - 4 * MINUTE
    clock.now += 2 * DAY
    assert "done" == retry(office, key)
    ply, offer = load(office).journal[-2:]
    assert [(PLY, clock.now, came), (OFFER, clock.now, clock.now)] == [
        (entry.kind, entry.at, made(entry)) for entry in (ply, offer)
    ]
    assert clock.now + 3 * DAY == load(office).deadline


def test_a_claim_of_before_is_not_for_a_flag_that_fell_since(office: Office, clock: Clock) -> None:
    begin(office, "1d/move unrated soft", plies=4)
    key = put_aside(office, clock, JOAO, "claim win")  # nothing can be claimed yet
    clock.now += DAY + LATER
    tick(office)
    assert load(office).state.flagged is not None
    assert "refused" == retry(office, key)
    assert load(office).state.ending is None


def test_a_bare_accept_is_not_for_a_challenge_made_since(office: Office, clock: Clock) -> None:
    register(office, BILL, "Bill")
    welcome = register(office, ANNA, "Anna")
    key = put_aside(office, clock, ANNA, "accept")
    clock.now += DAY
    writes(office, BILL, "challenge Anna bipod")
    assert "challenge" in letters(office, ANNA)[-1].header("Message-ID")
    assert "refused" == retry(office, key)
    with office.store.read() as db:
        assert games.load(db, office.shelf, 1) is None
    assert CHALLENGE_DAYS > 1
    assert "done" == reply(office, ANNA, welcome, "accept")


def test_an_answer_that_has_only_waited_counts_if_it_came_in_time(office: Office, clock: Clock) -> None:
    begin(office, "60d/move", plies=1)
    say(office, clock, BILL, "draw")
    clock.now += 14 * DAY - 2 * MINUTE
    letter = letters(office, JOAO)[-1]
    (key,) = receive(office, answer(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    clock.now += DAY
    tick(office)
    work_through(office)
    assert "done" == state(office, key)
    assert "agreement" == load(office).state.ending.how


def test_a_mail_that_fails_once_more_is_still_one_handled_again(office: Office, clock: Clock) -> None:
    begin(office, "60d/move", plies=1)
    key = put_aside(office, clock, BILL, "draw")
    clock.now += DAY
    assert retry(replace(office, step=Broken(1)), key) is None
    clock.now += DAY
    work_through(office)
    assert "done" == state(office, key)
    assert clock.now + 14 * DAY == load(office).state.draw_until
