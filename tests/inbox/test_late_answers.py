"""Mails handled long after they came: offers count from now, or never."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.core.game.journal import (
    AGREE,
    ASK_PAUSE,
    DECLINE,
    LAPSE,
    OFFER,
    PAUSE,
    PLY,
    TAKEBACK,
    TAKEBACK_OFFER,
)
from pbem.core.lobby.challenges import CHALLENGE_DAYS
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
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
SETTLED = (OFFER, AGREE, DECLINE, LAPSE, ASK_PAUSE, PAUSE, TAKEBACK_OFFER, TAKEBACK)


def put_aside(app: App, clock: Clock, who: str, words: str) -> str:
    """Answer the last letter, deferred by our own failure; return the key."""
    letter = letters(app, who)[-1]
    broken = replace(app, step=Broken(99))
    (key,) = receive(broken, reply_mail(letter, who, words), who, [letter.header("Reply-To")])
    for _ in range(4):
        work_through(broken)
        clock.now += MINUTE
    assert "shunted" == state(app, key)
    return key


def retry(app: App, key: str) -> str | None:
    """Do the same as `pbem retry`."""
    number = int(key[1:])
    with app.store.write() as db:
        assert 1 == inbox.reopen_mails(db, [number])
    return process(app, number)


def say(app: App, clock: Clock, who: str, words: str) -> str:
    """Answer the last letter; a minute passes."""
    filed = writes(app, who, words)
    clock.now += MINUTE
    return filed


def settled(app: App) -> list[str]:
    return [entry.kind for entry in load(app).journal if entry.kind in SETTLED]


def test_an_offer_is_accepted_as_of_now_if_it_is_open_still(app: App, clock: Clock) -> None:
    begin(app, "60d/move", plies=1)
    say(app, clock, BILL, "pause 10 days")
    key = put_aside(app, clock, JOAO, "accept")
    clock.now += 2 * DAY
    assert "done" == retry(app, key)
    assert [ASK_PAUSE, PAUSE] == settled(app)
    (pause,) = load(app).agreed
    assert (clock.now, clock.now + 10 * DAY) == pause


@pytest.mark.parametrize("words", ["accept", "accept pause", "pause 5 days"])
def test_nothing_is_agreed_to_that_was_offered_after_the_mail_came(
    app: App, clock: Clock, words: str
) -> None:
    begin(app, "60d/move", plies=1)
    say(app, clock, BILL, "pause 10 days")
    told = letters(app, JOAO)[-1]
    key = put_aside(app, clock, JOAO, words)
    reply(app, JOAO, told, "decline")
    clock.now += DAY
    say(app, clock, BILL, "pause 20 days")
    assert "refused" == retry(app, key)
    assert [ASK_PAUSE, DECLINE, ASK_PAUSE] == settled(app)
    assert "accept pause" in last_words(app, JOAO)


@pytest.mark.parametrize("words", ["accept", "accept draw", "draw"])
def test_no_draw_is_agreed_to_that_was_offered_after_the_mail_came(
    app: App, clock: Clock, words: str
) -> None:
    begin(app, "60d/move", plies=1)
    key = put_aside(app, clock, JOAO, words)
    clock.now += DAY
    say(app, clock, BILL, "draw")
    assert "refused" == retry(app, key)
    assert [OFFER] == settled(app)
    assert "accept draw" in last_words(app, JOAO)


def test_a_bare_answer_is_not_for_another_kind_of_offer_made_since(app: App, clock: Clock) -> None:
    begin(app, "60d/move", plies=1)
    say(app, clock, BILL, "draw")
    told = letters(app, JOAO)[-1]
    key = put_aside(app, clock, JOAO, "accept")
    reply(app, JOAO, told, "decline")
    clock.now += DAY
    say(app, clock, BILL, "pause 10 days")
    assert "refused" == retry(app, key)
    assert "came before the offer of a pause that waits now" in last_words(app, JOAO)
    assert [OFFER, DECLINE, ASK_PAUSE] == settled(app)


@pytest.mark.parametrize("looked", [True, False], ids=["the clock has looked", "the clock has not looked"])
@pytest.mark.parametrize(("offer", "days"), [("draw", 14), ("pause 5 days", 7)])
def test_what_has_lapsed_is_not_accepted(app: App, clock: Clock, offer: str, days: int, looked: bool) -> None:
    begin(app, "60d/move", plies=1)
    say(app, clock, BILL, offer)
    key = put_aside(app, clock, JOAO, "accept")
    clock.now += days * DAY
    if looked:
        clock.now += WORKER_DELAY
        check_due_games(app)
    assert "refused" == retry(app, key)
    assert not {AGREE, PAUSE} & set(settled(app))
    assert load(app).state.ending is None


def test_an_offer_that_was_put_aside_is_made_as_of_now(app: App, clock: Clock) -> None:
    begin(app, "60d/move", plies=1)
    key = put_aside(app, clock, BILL, "draw")
    clock.now += 20 * DAY
    assert "done" == retry(app, key)
    assert clock.now + 14 * DAY == load(app).state.offers["draw"].until
    assert "offers you a draw" in last_words(app, JOAO)
    assert "done" == say(app, clock, JOAO, "accept")
    assert "agreement" == load(app).state.ending.how


@pytest.mark.parametrize("offer", ["draw", "pause 5 days"])
@pytest.mark.parametrize("end", ["decline", "lapse"])
def test_an_offer_that_was_made_anew_since_is_not_made_once_more(
    app: App, clock: Clock, offer: str, end: str
) -> None:
    begin(app, "60d/move", plies=1)
    turn = letters(app, BILL)[-1]
    key = put_aside(app, clock, BILL, offer)
    reply(app, BILL, turn, offer)
    if end == "decline":
        say(app, clock, JOAO, "decline")
    else:
        clock.now += 14 * DAY + WORKER_DELAY
        check_due_games(app)
    before = settled(app)
    assert 2 == len(before)
    assert "refused" == retry(app, key)
    assert before == settled(app)


@pytest.mark.parametrize("offer", ["draw", "pause 5 days", "undo"])
def test_a_mail_that_was_handled_makes_its_offer_no_second_time(app: App, clock: Clock, offer: str) -> None:
    begin(app, "60d/move", plies=1)
    turn = letters(app, BILL)[-1]
    (key,) = receive(app, reply_mail(turn, BILL, offer), BILL, [turn.header("Reply-To")])
    work_through(app)
    clock.now += MINUTE
    say(app, clock, JOAO, "decline")
    before = load(app).journal
    assert "refused" == retry(app, key)
    assert before == load(app).journal


def test_a_move_stops_its_makers_clock_when_it_came_and_starts_the_others_when_it_can_be_seen(
    app: App, clock: Clock
) -> None:
    begin(app, "3d/move", plies=2)
    key = put_aside(app, clock, BILL, "g3\ndraw")
    came = clock.now - 4 * MINUTE
    clock.now += 2 * DAY
    assert "done" == retry(app, key)
    ply, offer = load(app).journal[-2:]
    assert [(PLY, clock.now, came), (OFFER, clock.now, clock.now)] == [
        (entry.kind, entry.at, entry.effective_time) for entry in (ply, offer)
    ]
    assert clock.now + 3 * DAY == load(app).deadline


def test_a_claim_of_before_is_not_for_a_flag_that_fell_since(app: App, clock: Clock) -> None:
    begin(app, "1d/move unrated soft", plies=4)
    key = put_aside(app, clock, JOAO, "claim win")  # nothing can be claimed yet
    clock.now += DAY + WORKER_DELAY
    check_due_games(app)
    assert load(app).state.flagged is not None
    assert "refused" == retry(app, key)
    assert load(app).state.ending is None


def test_a_bare_accept_is_not_for_a_challenge_made_since(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    welcome = register(app, ANNA, "Anna")
    key = put_aside(app, clock, ANNA, "accept")
    clock.now += DAY
    writes(app, BILL, "challenge Anna bipod")
    assert "challenge" in letters(app, ANNA)[-1].header("Message-ID")
    assert "refused" == retry(app, key)
    with app.store.read() as db:
        assert games.load_game(db, app.games_by_key, 1) is None
    assert CHALLENGE_DAYS > 1
    assert "done" == reply(app, ANNA, welcome, "accept")


def test_an_answer_that_has_only_waited_counts_if_it_came_in_time(app: App, clock: Clock) -> None:
    begin(app, "60d/move", plies=1)
    say(app, clock, BILL, "draw")
    clock.now += 14 * DAY - 2 * MINUTE
    letter = letters(app, JOAO)[-1]
    (key,) = receive(app, reply_mail(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    clock.now += DAY
    check_due_games(app)
    work_through(app)
    assert "done" == state(app, key)
    assert "agreement" == load(app).state.ending.how


def test_a_mail_that_fails_once_more_is_still_one_handled_again(app: App, clock: Clock) -> None:
    begin(app, "60d/move", plies=1)
    key = put_aside(app, clock, BILL, "draw")
    clock.now += DAY
    assert retry(replace(app, step=Broken(1)), key) is None
    clock.now += DAY
    work_through(app)
    assert "done" == state(app, key)
    assert clock.now + 14 * DAY == load(app).state.offers["draw"].until
