"""Takebacks by mail, from listener to outbox: letters, pages, stale replies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import games, inbox
from pbem.web import create_app
from tests.apps import BILL, JOAO, Clock, a_game, last_words, letters, moves, register, reply, sound, writes


def asked(app: App) -> None:
    """Bill's takeback offer after f2 and Joao's g3."""
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2 f4")
    assert "done" == writes(app, JOAO, "g3")
    assert "done" == writes(app, BILL, "undo\n\nI meant f6.")


def test_a_ply_is_taken_back_by_two_mails_and_the_game_goes_on(app: App) -> None:
    asked(app)
    assert ["f2 f4", "g3"] == moves(app)
    request = last_words(app, JOAO)
    assert (
        "Bill asks to take a move back, Joao. This would go: move 1: f2 f4, Bill move 2: g3, Joao" in request
    )
    assert "Bill: I meant f6." in request
    assert "done" == writes(app, JOAO, "accept\n\nOf course.")
    assert [] == moves(app)
    assert "It is your turn, move 1." in last_words(app, BILL)
    assert "Joao: Of course." in last_words(app, BILL)
    assert "done" == writes(app, BILL, "f6")
    assert ["f6"] == moves(app)
    assert "Your move, Joao: Bill played f6." in last_words(app, JOAO)


def test_declined_the_ply_stands_and_the_asker_hears_of_it(app: App) -> None:
    asked(app)
    assert "done" == writes(app, JOAO, "decline undo")
    assert ["f2 f4", "g3"] == moves(app)
    assert "Joao declines, Bill: you cannot take your move back" in last_words(app, BILL)
    assert "refused" == writes(app, BILL, "undo")
    assert "Joao has declined to have move 1 taken back." in last_words(app, BILL)


def test_letters_from_before_take_no_move_and_say_why(app: App) -> None:
    asked(app)
    old = [letter for letter in letters(app, BILL) if "game" in letter.header("List-Id")][:-1]
    writes(app, JOAO, "accept")
    for letter in old:
        assert "refused" == reply(app, BILL, letter, "f6")
        assert "A move has been taken back since the letter you answered" in last_words(app, BILL)
    assert [] == moves(app)


def test_the_public_pages_show_the_game_that_stands_and_what_was_taken_back(app: App) -> None:
    asked(app)
    client = create_app(app).test_client()
    before = client.get("/games/1")
    assert 200 == client.get("/games/1/2").status_code
    writes(app, JOAO, "accept")
    assert 404 == client.get("/games/1/2").status_code
    page = client.get("/games/1")
    assert before.headers["ETag"] != page.headers["ETag"]
    assert "2 moves taken back" in page.text
    data = client.get("/games/1.json").get_json()
    assert (0, ["f2 f4", "g3"]) == (data["ply"], [ply["move"] for ply in data["taken_back"]])
    assert "f2 f4" not in client.get("/games/1.game").text
    writes(app, BILL, "f6")
    assert "f6" in client.get("/games/1/1").text
    assert 1 == client.get("/games/1.json").get_json()["ply"]


def test_accept_with_a_challenge_waiting_too_goes_where_the_letter_says(app: App) -> None:
    asked(app)
    request = letters(app, JOAO)[-1]
    assert "done" == writes(app, BILL, "challenge Joao bipod size=4")
    challenge = letters(app, JOAO)[-1]
    assert "done" == reply(app, JOAO, challenge, "accept")
    assert ["f2 f4", "g3"] == moves(app)
    assert "done" == reply(app, JOAO, request, "accept")
    assert [] == moves(app)


def test_accept_undo_where_no_game_is_named_says_what_to_do(app: App) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, "accept undo")
    assert "There is no request to take a move back that you could accept." in last_words(app, BILL)


@pytest.mark.each_database
def test_of_an_acceptance_and_a_ply_in_the_same_moment_one_is_done(app: App) -> None:
    asked(app)
    for move in ("h4", "j4", "k5"):
        mails = [(BILL, letters(app, BILL)[-1], move), (JOAO, letters(app, JOAO)[-1], "accept undo")]
        keys = []
        for who, letter, words in mails:
            keys += receive(app, reply_mail(letter, who, words), who, [letter.header("Reply-To")])
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda key: process(app, int(key[1:])), keys))
        with app.store.read() as db:
            states = sorted(kept.state for key in keys if (kept := inbox.mail_by_id(db, int(key[1:]))))
        assert ["done", "refused"] == states
        if sound(app).state.plies[-1:] == ():
            assert "done" == writes(app, BILL, "f2 f4")
        if sound(app).state.to_play == 1:
            assert "done" == writes(app, JOAO, str(free(app)))
        assert "done" == writes(app, BILL, "undo")


def free(app: App) -> str:
    """A ply that is legal now."""
    return sound(app).state.position.examples()[0]


def test_going_back_counts_for_the_clock_by_which_the_row_is_found(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod first 2d/move")
    writes(app, JOAO, "accept")
    writes(app, BILL, "f2")
    writes(app, BILL, "undo")
    clock.now += timedelta(days=1)
    writes(app, JOAO, "accept")
    deadline = sound(app).deadline
    assert deadline is not None
    assert clock.now + timedelta(days=1) < deadline <= clock.now + timedelta(days=2)
    with app.store.read() as db:
        player = sound(app).seats[0]
        assert [deadline] == [each.deadline for each in games.running_of_player(db, app.games_by_key, player)]
        assert [] == games.due_game_ids(db, clock.now + timedelta(hours=3), 5)
        assert [1] == games.due_game_ids(db, deadline, 5)
