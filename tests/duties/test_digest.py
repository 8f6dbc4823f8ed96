"""The daily digest: once a day, only with news or waiting games."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier, Event, Thread

import pytest
from sqlalchemy import update

from pbem.duties.digest import send_digests
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store import bundles as digest_rows
from pbem.store import inbox
from pbem.store import players as player_rows
from pbem.store.tables import addresses, players
from pbem.worker.worker import Worker
from tests.apps import ANNA, BILL, JOAO, Town, example
from tests.people import NOON

SUBJECT = "Your games on "


def ask(town: Town, words: str, who: str = BILL) -> ReceivedLetter:
    (told,) = town.mail(who, new_mail(who, town.lobby(who), words), town.lobby(who))
    return told


def digests(town: Town, who: str = BILL) -> list[ReceivedLetter]:
    return [letter for letter in town.letters(who) if letter.header("Subject").startswith(SUBJECT)]


def until(town: Town, text: str) -> list[ReceivedLetter]:
    """Pass time in the worker's rounds; return the digests sent since."""
    before, end = len(digests(town)), datetime.fromisoformat(text).astimezone(UTC)
    while town.now < end:
        town.now = min(end, town.now + timedelta(minutes=20))
        send_digests(town.app)
    return digests(town)[before:]


def test_the_answer_says_when_the_first_comes_and_how_to_have_turns_too(town: Town) -> None:
    told = " ".join(ask(town, "digest 07:00").text.split())
    assert "every day at 07:00 in your zone, UTC; the next is due on Monday 2 March, 07:00 UTC" in told
    assert (
        'It takes the place of the letters that say it is your turn. To have both, write "digest 7 too"'
        in told
    )
    assert "come as before" in ask(town, "digest 7 too").text


@pytest.mark.parametrize(
    ("words", "kinds"), [("digest 7", []), ("digest 7 too", ["turn"]), ("digest off", ["turn"])]
)
def test_it_takes_the_place_of_letters_about_turns(town: Town, words: str, kinds: list[str]) -> None:
    town.game(JOAO, BILL)
    ask(town, words)
    before = len(town.letters(BILL))
    town.reply(JOAO, town.boards(JOAO), "game 1\nf2")
    assert kinds == [each.header("Message-ID").split(".")[-2] for each in town.letters(BILL)[before:]]


def test_stopped_by_its_link_it_lets_letters_about_turns_come_again(town: Town) -> None:
    town.game(JOAO, BILL)
    ask(town, "digest 7")
    with town.app.store.write() as db:
        player_rows.set_category_stopped(db, town.players[BILL], "digests")
    before = len(town.letters(BILL))
    town.reply(JOAO, town.boards(JOAO), "game 1\nf2")
    assert before < len(town.letters(BILL))


@pytest.mark.parametrize("words", ["digest 25", "digest 7:30"])
def test_an_hour_that_is_none_is_refused(town: Town, words: str) -> None:
    assert "full hour" in ask(town, words).text
    assert [] == until(town, "2026-03-03T12:00Z")


def test_every_day_at_its_hour_all_boards_that_wait_come(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    ask(town, "digest 7")
    assert [] == until(town, "2026-03-02T06:50Z")
    (letter,) = until(town, "2026-03-02T12:00Z")
    assert "Your games on 2 March 2026" == letter.header("Subject")
    assert "auto-generated" == letter.header("Auto-Submitted")
    assert letter.header("List-Unsubscribe")
    assert letter.text.index(f"Bipod #{one.id} against Joao") < letter.text.index(f"Bipod #{two.id} against")
    assert "The board" not in letter.text
    town.reply(BILL, letter, f"game {one.id}\nf2\ngame {two.id}\nf4")
    assert (["f2"], ["f4"]) == (town.moves(one.id), town.moves(two.id))


def test_it_tells_of_games_that_ended_of_words_and_of_challenges_and_each_once(town: Town) -> None:
    over, talked = town.game(JOAO, BILL, plies=12), town.game(JOAO, BILL)
    ask(town, "digest 7")
    town.reply(JOAO, town.boards(JOAO, "boards all"), f"game {over.id}\nresign yes")
    town.reply(JOAO, town.boards(JOAO), f"game {talked.id}\nsay Tomorrow!")
    ask(town, "challenge Bill bipod", ANNA)
    (letter,) = until(town, "2026-03-02T12:00Z")
    assert f"NEWS of game {over.id}, Bipod against Joao: it is over: Joao resigned." in " ".join(
        letter.text.split()
    )
    assert "Joao: Tomorrow!" in letter.text
    assert "Anna offers Bipod" in letter.text
    (again,) = until(town, "2026-03-03T12:00Z")  # the challenge still waits
    assert "NEWS" not in again.text


def test_on_a_day_with_nothing_to_tell_none_comes(town: Town) -> None:
    town.game(JOAO, BILL)
    ask(town, "digest 7")
    assert 1 == len(until(town, "2026-03-02T12:00Z"))  # the game is new
    assert [] == until(town, "2026-03-05T12:00Z")


def test_one_s_own_move_is_no_news(town: Town) -> None:
    game = town.game(BILL, JOAO)
    ask(town, "digest 7")
    until(town, "2026-03-02T12:00Z")
    town.reply(BILL, town.boards(), f"game {game.id}\n{example(game)}")
    assert [] == until(town, "2026-03-03T12:00Z")


def test_off_ends_it_and_so_does_its_unsubscribe_address_until_it_is_asked_for_anew(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    (letter,) = until(town, "2026-03-02T12:00Z")
    assert "no daily digest" in ask(town, "digest off").text
    assert [] == until(town, "2026-03-04T12:00Z")
    ask(town, "digest 7")
    mailto = letter.header("List-Unsubscribe").rpartition("mailto:")[2].partition("?")[0]
    town.mail(BILL, new_mail(BILL, mailto, "unsubscribe"), mailto)
    assert [] == until(town, "2026-03-06T12:00Z")
    ask(town, "digest 7")
    assert 1 == len(until(town, "2026-03-07T12:00Z"))


def test_after_a_long_standstill_one_comes_and_tells_of_all_of_it(town: Town) -> None:
    over = town.game(JOAO, BILL, plies=12)
    town.game(BILL, ANNA)
    ask(town, "digest 7")
    until(town, "2026-03-02T12:00Z")
    town.pass_by(days=1, hours=1)
    town.reply(JOAO, town.boards(JOAO, "boards all"), f"game {over.id}\nresign yes")
    town.pass_by(days=20)
    before = len(digests(town))
    for _ in range(5):
        send_digests(town.app)
    (letter,) = digests(town)[before:]
    assert f"NEWS of game {over.id}" in letter.text
    assert 1 == len(until(town, "2026-03-25T06:00Z"))


def test_it_comes_once_on_each_day_of_a_zone_over_both_changes_of_the_clocks(town: Town) -> None:
    town.game(BILL, JOAO)
    with town.app.store.write() as db:
        db.execute(update(players).values(wishes={"zone": "Europe/Berlin"}))
    for begin in ("2026-03-27T12:00Z", "2026-10-23T12:00Z"):
        town.now = datetime.fromisoformat(begin)
        ask(town, "digest 2")
        letters = until(town, (town.now + timedelta(days=4)).isoformat())
        assert 4 == len({letter.header("Subject") for letter in letters}) == len(letters)
        ask(town, "digest off")


def test_asked_for_twice_on_a_day_it_comes_but_once_on_that_day(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    until(town, "2026-03-02T07:10Z")
    ask(town, "digest 9")
    assert [] == until(town, "2026-03-02T23:00Z")
    assert 1 == len(until(town, "2026-03-03T23:00Z"))


@pytest.mark.each_database
def test_two_at_once_write_one_letter(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    town.now = NOON + timedelta(days=1)
    start = Barrier(4)

    def run() -> None:
        start.wait(60)
        send_digests(town.app)

    threads = [Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == len(digests(town))


class Died(BaseException):
    """The end of a process, which no handler catches."""


def test_a_crash_just_before_the_commit_neither_loses_nor_doubles_it(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    town.now = NOON + timedelta(days=1)

    def die(step: str) -> None:
        raise Died(step)

    with pytest.raises(Died):
        send_digests(replace(town.app, step=die))
    assert [] == digests(town)
    assert 1 == send_digests(town.app)
    assert 0 == send_digests(town.app)
    assert 1 == len(digests(town))


def test_one_that_fails_does_not_hold_up_the_others(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    ask(town, "digest 7", JOAO)
    town.game(JOAO, ANNA)
    town.now = NOON + timedelta(days=1)
    failures = ["the first"]

    def fail_once(step: str) -> None:
        if failures:
            raise ZeroDivisionError(failures.pop())

    assert 1 == send_digests(replace(town.app, step=fail_once))
    assert 1 == send_digests(town.app)
    assert (1, 1) == (len(digests(town)), len(digests(town, JOAO)))


def test_who_cannot_be_reached_gets_none_and_the_next_is_fixed(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    suspend(town, BILL)
    assert [] == until(town, "2026-03-04T12:00Z")
    with town.app.store.write() as db:
        assert digest_rows.take_digest(db, town.now, ()) is None


def suspend(town: Town, address: str) -> None:
    with town.app.store.write() as db:
        db.execute(update(addresses).where(addresses.c.address == address).values(suspended_at=town.now))


def test_the_worker_writes_what_is_due_as_it_starts(town: Town) -> None:
    town.game(BILL, JOAO)
    ask(town, "digest 7")
    town.now = NOON + timedelta(days=1)
    told = Event()
    worker = Worker(replace(town.app, step=lambda step: told.set() if step == "digest" else None))
    worker.start()
    assert told.wait(60)
    worker.stop()
    assert 1 == len(digests(town))
    with town.app.store.read() as db:
        assert inbox.count_by_state(db)["letters out"]
