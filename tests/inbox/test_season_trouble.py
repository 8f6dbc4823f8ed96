"""Seasons of leagues: what clumsy, late and hostile mails, robots, bounces and closed leagues do."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.commands import event_director
from pbem.core.events import league
from pbem.duties.game_clock import check_due_games
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import bounces, events
from pbem.store.tables import outbox
from pbem.worker.events import check_events
from tests.apps import (
    BILL,
    DAY,
    Clock,
    flat,
    last_letter,
    last_words,
    letters,
    mail,
    no_days_off,
    register,
    reply,
)
from tests.apps import player as player_by_name
from tests.inbox.seasons import a_league, address_of, all_games, begun, confirm, current
from tests.inbox.test_seasons import states

pytestmark = pytest.mark.whole


def ask_all(app: App, clock: Clock) -> None:
    clock.now += 8 * DAY
    check_events(app)


def start(app: App, clock: Clock) -> None:
    clock.now += 7 * DAY
    check_events(app)


def robot(letter: ReceivedLetter, sender: str, words: str) -> bytes:
    """A mail that a program sends in answer to a letter."""
    return reply_mail(letter, sender, words).replace(
        b"Subject:", b"Auto-Submitted: auto-replied\r\nSubject:", 1
    )


def test_joining_twice_also_from_another_address_is_joining_once(app: App, clock: Clock) -> None:
    a_league(app, clock, 0)
    welcome, event = register(app, BILL, "Bill"), current(app)
    assert "done" == reply(app, BILL, welcome, "join bipod league")
    assert "Bill, you have joined the Bipod league" in last_words(app, BILL)
    assert "done" == reply(app, BILL, welcome, "join bipod league\njoin the bipod league")
    assert "you have already joined the Bipod league" in last_words(app, BILL)
    raw = reply_mail(welcome, "bill@work.example", "join bipod league")
    assert "refused" == mail(app, "bill@work.example", raw, welcome.header("Reply-To"))
    assert "and not from your own address. Nothing was done." in last_words(app, BILL)
    with app.store.read() as db:
        assert [player_by_name(app, "Bill").id] == events.players_in(db, event.id, *league.SIGNED_UP)
        assert 1 == len(events.journal_of(db, event.id, "join")) - 1  # the first enters nobody
    ask_all(app, clock)
    assert "done" == reply(app, BILL, last_letter(app, BILL), "yes")
    assert "refused" == reply(app, BILL, last_letter(app, BILL), "yes"), "that letter asks nothing"
    assert "done" == reply(app, BILL, last_letter(app, BILL), "join bipod league")
    assert "you play already in the Bipod league" in last_words(app, BILL)


def test_a_closed_league_is_joined_by_nobody(app: App, clock: Clock) -> None:
    a_league(app, clock, 2)
    welcome = register(app, BILL, "Bill")
    with app.store.write() as db:
        event_director.close(event_director.EventAct(db, clock.now, "We move."), 1)
    assert "refused" == reply(app, BILL, welcome, "join bipod league")
    assert "There is no league of Bipod to join now" in last_words(app, BILL)
    assert "refused" == reply(app, BILL, welcome, "leave bipod league")
    assert "so there is nothing to leave" in last_words(app, BILL)


@pytest.mark.each_database
def test_answers_after_the_start_say_so_and_change_nothing(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 6)
    ask_all(app, clock)
    questions = {n: last_letter(app, address_of(n)) for n in (5, 6)}
    confirm(app, *ids[:4])
    start(app, clock)
    before = states(app, current(app).id)
    for number, words in ((5, "yes"), (6, "no")):
        reply(app, address_of(number), questions[number], words)
    assert "This season has begun, or you are not in it any more" in last_words(app, address_of(5))
    assert before == states(app, current(app).id)
    assert [league.ABSENT] * 2 == [before[id] for id in ids[4:]]


def test_whoever_left_a_season_neither_joins_nor_leaves_it_again(app: App, clock: Clock) -> None:
    begun(app, clock, 5)
    address = address_of(1)
    assert "done" == reply(app, address, last_letter(app, address), "leave bipod league")
    question = last_letter(app, address)
    assert "done" == reply(app, address, question, "yes")
    scores = [game.score for game in all_games(app, 1)]
    for words, sentence in (
        ("join bipod league", "You left the Bipod league, season 1. You can join the next one"),
        ("leave bipod league yes", "so there is nothing to leave"),
    ):
        assert "refused" == reply(app, address, last_letter(app, address), words)
        assert sentence in last_words(app, address)
    reply(app, address, question, "yes")
    assert scores == [game.score for game in all_games(app, 1)]


PROSE = (
    "Should I leave bipod league yes or no?",
    "leave me alone, yes",
    "I leave Bipod league tomorrow.",
    "> leave bipod league yes",
    "Bill wrote: leave bipod league yes",
)


@pytest.mark.parametrize("words", PROSE)
def test_prose_and_quotes_take_nobody_out(app: App, clock: Clock, words: str) -> None:
    ids = begun(app, clock, 4)
    for letter in letters(app, address_of(1)):
        reply(app, address_of(1), letter, words)
    check_events(app)
    assert dict.fromkeys(ids, league.PLAYING) == states(app, 1)
    assert not any(game.score for game in all_games(app, 1))


@pytest.mark.parametrize("words", ["yes", "no", "join bipod league", "leave bipod league yes"])
def test_robots_answer_for_nobody(app: App, clock: Clock, words: str) -> None:
    ids = a_league(app, clock, 4)
    ask_all(app, clock)
    address = address_of(1)
    question = last_letter(app, address)
    number = len(letters(app, address))
    assert "robot" == mail(app, address, robot(question, address, words), question.header("Reply-To"))
    assert league.ASKED == states(app, 1)[ids[0]] and number == len(letters(app, address))
    confirm(app, *ids)
    start(app, clock)
    for letter in letters(app, address):
        mail(app, address, robot(letter, address, words), letter.header("Reply-To"))
    assert dict.fromkeys(ids, league.PLAYING) == states(app, 1)


def test_the_question_of_another_player_is_not_answered_by_its_number(app: App, clock: Clock) -> None:
    """A reply address is whole or nothing: one sign changed, and it is nobody's."""
    ids = a_league(app, clock, 4)
    ask_all(app, clock)
    question = last_letter(app, address_of(2))
    local, at, host = question.header("Reply-To").partition("@")
    forged = f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}{at}{host}"
    mail(app, address_of(1), reply_mail(question, address_of(1), "no"), forged)
    assert dict.fromkeys(ids, league.ASKED) == states(app, 1)


@pytest.mark.each_database
def test_letters_to_an_address_that_bounces_wait_and_its_silence_means_no(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 5)
    with app.store.write() as db:
        assert ids[0] == bounces.suspend_address(db, address_of(1), clock.now)
    ask_all(app, clock)
    with app.store.read() as db:
        kept = db.execute(
            select(outbox.c.recipient, outbox.c.state).where(outbox.c.kind == "seasonask")
        ).all()
    assert {(address_of(1), "held"), (address_of(2), "queued")} < set(map(tuple, kept))
    confirm(app, *ids[1:])
    start(app, clock)
    assert league.ABSENT == states(app, 1)[ids[0]]
    assert "done" == reply(app, address_of(1), last_letter(app, address_of(1)), "join bipod league")
    told = [flat(letter.text) for letter in letters(app, address_of(1))]
    assert 1 == sum("you are on the standby list" in text for text in told)


def test_a_void_game_of_a_league_is_told_as_the_forfeit_that_it_is(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=1, pace="3d/move")
    no_days_off(app, *ids)
    for days in (3.1, 1.1):
        clock.now += days * DAY
        check_due_games(app)
    told = [flat(letter.text) for n in (1, 2, 3, 4) for letter in letters(app, address_of(n))]
    assert any(
        "the game is void. In the Bipod league, season 1, you then win by forfeit." in text for text in told
    )
    for word in ("won", "lost"):
        ends = [
            text for text in told if f"In the Bipod league, season 1, you have {word} it by forfeit." in text
        ]
        assert 2 == len(ends) and not any("nobody has won it" in text for text in ends)


def test_whoever_leaves_reads_who_has_their_place(app: App, clock: Clock) -> None:
    begun(app, clock, 5)
    reply(app, address_of(1), last_letter(app, address_of(1)), "leave bipod league yes")
    assert "Your games that are left count as forfeits." in last_words(app, address_of(1))
    welcome = register(app, BILL, "Bill")
    reply(app, BILL, welcome, "join bipod league")
    reply(app, address_of(2), last_letter(app, address_of(2)), "leave bipod league yes")
    assert "Bill has your place now, and plays your games on." in last_words(app, address_of(2))


def test_with_three_a_season_waits_and_its_next_start_is_told_everywhere(app: App, clock: Clock) -> None:
    begun(app, clock, 3)
    welcome, event = register(app, BILL, "Bill"), current(app)
    assert (league.OPEN, clock.now + league.GAP) == (event.state, event.starts)
    assert not all_games(app, event.id)
    reply(app, BILL, welcome, "table bipod")
    assert f"begins on {event.starts.day} " in flat(last_letter(app, BILL).text)
    reply(app, BILL, welcome, "join bipod league")
    ask_all(app, clock)
    with app.store.read() as db:
        confirm(app, *events.players_in(db, event.id, league.ASKED))
    start(app, clock)
    assert league.RUNNING == current(app).state
