"""Takebacks by mail, from listener to outbox: letters, pages, stale replies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from pbem.app import Office
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import answer
from pbem.store import games, inbox
from pbem.web import create_app
from tests.apps import BILL, JOAO, Clock, a_game, last_words, letters, moves, register, reply, sound, writes


def asked(office: Office) -> None:
    """Bill's takeback offer after f2 and Joao's g3."""
    bills, _ = a_game(office)
    assert "done" == reply(office, BILL, bills, "f2 f4")
    assert "done" == writes(office, JOAO, "g3")
    assert "done" == writes(office, BILL, "undo\n\nI meant f6.")


def test_a_ply_is_taken_back_by_two_mails_and_the_game_goes_on(office: Office) -> None:
    asked(office)
    assert ["f2 f4", "g3"] == moves(office)
    request = last_words(office, JOAO)
    assert "Bill asks to take a ply back, Joao. This would go: ply 1: f2 f4, Bill ply 2: g3, Joao" in request
    assert "Bill: I meant f6." in request
    assert "done" == writes(office, JOAO, "accept\n\nOf course.")
    assert [] == moves(office)
    assert "Ply 1 is yours once more." in last_words(office, BILL)
    assert "Joao: Of course." in last_words(office, BILL)
    assert "done" == writes(office, BILL, "f6")
    assert ["f6"] == moves(office)
    assert "Your turn, Joao: ply 2" in last_words(office, JOAO)


def test_declined_the_ply_stands_and_the_asker_hears_of_it(office: Office) -> None:
    asked(office)
    assert "done" == writes(office, JOAO, "decline undo")
    assert ["f2 f4", "g3"] == moves(office)
    assert "Joao declines, Bill: your ply stands" in last_words(office, BILL)
    assert "refused" == writes(office, BILL, "undo")
    assert "Joao has declined to have ply 1 taken back, and that stands." in last_words(office, BILL)


def test_letters_from_before_take_no_move_and_say_why(office: Office) -> None:
    asked(office)
    old = [letter for letter in letters(office, BILL) if "game" in letter.header("List-Id")][:-1]
    writes(office, JOAO, "accept")
    for letter in old:
        assert "refused" == reply(office, BILL, letter, "f6")
        assert "A ply has been taken back since the letter you answered" in last_words(office, BILL)
    assert [] == moves(office)


def test_the_public_pages_show_the_game_that_stands_and_what_was_taken_back(office: Office) -> None:
    asked(office)
    client = create_app(office).test_client()
    before = client.get("/games/1")
    assert 200 == client.get("/games/1/2").status_code
    writes(office, JOAO, "accept")
    assert 404 == client.get("/games/1/2").status_code
    page = client.get("/games/1")
    assert before.headers["ETag"] != page.headers["ETag"]
    assert "2 plies taken back" in page.text
    data = client.get("/games/1.json").get_json()
    assert (0, ["f2 f4", "g3"]) == (data["ply"], [ply["move"] for ply in data["taken_back"]])
    assert "f2 f4" not in client.get("/games/1.game").text
    writes(office, BILL, "f6")
    assert "f6" in client.get("/games/1/1").text
    assert 1 == client.get("/games/1.json").get_json()["ply"]


def test_accept_with_a_challenge_waiting_too_goes_where_the_letter_says(office: Office) -> None:
    asked(office)
    request = letters(office, JOAO)[-1]
    assert "done" == writes(office, BILL, "challenge Joao bipod size=4")
    challenge = letters(office, JOAO)[-1]
    assert "done" == reply(office, JOAO, challenge, "accept")
    assert ["f2 f4", "g3"] == moves(office)
    assert "done" == reply(office, JOAO, request, "accept")
    assert [] == moves(office)


def test_accept_undo_where_no_game_is_named_says_what_to_do(office: Office) -> None:
    bills, _ = a_game(office)
    assert "refused" == reply(office, BILL, bills, "accept undo")
    assert "There is no request to take a ply back that you could accept." in last_words(office, BILL)


@pytest.mark.each_database
def test_of_an_acceptance_and_a_ply_in_the_same_moment_one_is_done(office: Office) -> None:
    asked(office)
    for move in ("h4", "j4", "k5"):
        mails = [(BILL, letters(office, BILL)[-1], move), (JOAO, letters(office, JOAO)[-1], "accept undo")]
        keys = []
        for who, letter, words in mails:
            keys += receive(office, answer(letter, who, words), who, [letter.header("Reply-To")])
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda key: process(office, int(key[1:])), keys))
        with office.store.read() as db:
            states = sorted(kept.state for key in keys if (kept := inbox.mail(db, int(key[1:]))))
        assert ["done", "refused"] == states
        if sound(office).state.plies[-1:] == ():
            assert "done" == writes(office, BILL, "f2 f4")
        if sound(office).state.to_play == 1:
            assert "done" == writes(office, JOAO, str(free(office)))
        assert "done" == writes(office, BILL, "undo")


def free(office: Office) -> str:
    """A ply that is legal now."""
    return sound(office).state.position.examples()[0]


def test_going_back_counts_for_the_clock_by_which_the_row_is_found(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 2d/move")
    writes(office, JOAO, "accept")
    writes(office, BILL, "f2")
    writes(office, BILL, "undo")
    clock.now += timedelta(days=1)
    writes(office, JOAO, "accept")
    deadline = sound(office).deadline
    assert deadline is not None
    assert clock.now + timedelta(days=1) < deadline <= clock.now + timedelta(days=2)
    with office.store.read() as db:
        player = sound(office).seats[0]
        assert [deadline] == [each.deadline for each in games.running(db, office.shelf, player)]
        assert [] == games.due(db, clock.now + timedelta(hours=3), 5)
        assert [1] == games.due(db, deadline, 5)
