"""Attempts to annoy other players, from listener to outbox. All run on both databases."""

from __future__ import annotations

from datetime import timedelta

from pbem.app import App
from pbem.core.lobby.challenges import Seek
from pbem.duties.game_clock import check_due_games
from pbem.duties.permissions import IN_VAIN_TO_ONE
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import challenges, events, players
from rules import RULES
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Clock,
    a_game,
    begin,
    flat,
    last_words,
    letters,
    register,
    reply,
)
from tests.inbox.ladders import a_ladder, current, says
from tests.inbox.seasons import address_of, name_of


def test_nobody_is_flooded_with_challenges_that_are_taken_back_at_once(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    before = len(letters(app, JOAO))
    for _ in range(3):
        reply(app, BILL, welcome, "\n".join(["challenge Joao bipod", "withdraw"] * 5) + "\n\nBuy my pills!")
    assert 2 * IN_VAIN_TO_ONE == len(letters(app, JOAO)) - before
    reply(app, BILL, welcome, "challenge Joao bipod")
    assert "wait until tomorrow" in last_words(app, BILL)
    clock.pass_by(days=1, minutes=1)
    assert "done" == reply(app, BILL, welcome, "challenge Joao bipod")


def test_a_third_player_is_not_flooded_by_entering_and_leaving_a_ladder(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    before = entries(app)
    says(app, 2, "ladder bipod\nleave bipod ladder")
    for _ in range(4):
        says(app, 2, "\n".join(["ladder bipod", "ladder bipod", "leave bipod ladder"] * 6))
    assert 2 == len(letters(app, address_of(1))), "a question, and that it is off"
    assert 2 == entries(app) - before
    assert "wait until tomorrow" in says(app, 2, "ladder bipod")
    clock.pass_by(days=1, minutes=1)
    assert "at place 2." in says(app, 2, "ladder bipod")


def test_challenges_of_all_kinds_to_one_player_are_one_count(app: App, clock: Clock) -> None:
    a_ladder(app, 2)
    challenge = f"challenge {name_of(1)} bipod"
    for _ in range(IN_VAIN_TO_ONE - 1):
        says(app, 2, f"{challenge}\nwithdraw")
    assert "you have challenged" in says(app, 2, "ladder bipod")
    assert "wait until tomorrow" in says(app, 2, challenge)
    says(app, 2, "leave bipod ladder")
    clock.pass_by(days=1, minutes=1)
    says(app, 2, "ladder bipod")
    for _ in range(IN_VAIN_TO_ONE):
        says(app, 2, f"{challenge}\nwithdraw")
    assert "wait until tomorrow" in says(app, 2, f"ladder bipod {name_of(1)}")


def entries(app: App) -> int:
    with app.store.read() as db:
        return len(events.journal_of(db, current(app).id))


def test_who_is_blocked_says_nothing_by_declining_a_challenge_either(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod")
    challenge = letters(app, JOAO)[-1]
    reply(app, BILL, welcome, "block Joao")
    assert "done" == reply(app, JOAO, challenge, "decline\n\nWhat a fool you are.")
    assert "declined" in letters(app, BILL)[-1].text
    assert "a fool" not in letters(app, BILL)[-1].text


def test_a_ply_that_is_not_there_is_refused_to_an_onlooker_too(app: App) -> None:
    a_game(app)
    anna = register(app, ANNA, "Anna")
    assert "refused" == reply(app, ANNA, anna, "game 1\nshow #1")
    assert "There is no move 1 yet; the next one is move 1." in flat(letters(app, ANNA)[-1].text)


def test_a_claim_waits_for_the_move_that_was_accepted_before_it(app: App, clock: Clock) -> None:
    begin(app, "2h unrated soft", plies=4)
    clock.pass_by(hours=3)
    check_due_games(app)
    mails = []
    for who, words in ((BILL, "h4"), (JOAO, "claim win")):
        letter = letters(app, who)[-1]
        clock.pass_by(seconds=5)
        mails += receive(app, reply_mail(letter, who, words), who, [letter.header("Reply-To")])
    move, claim = (int(key[1:]) for key in mails)
    assert None is process(app, claim)
    assert "done" == process(app, move)
    clock.pass_by(minutes=2)
    assert "refused" == process(app, claim)
    assert "has not run out of time" in last_words(app, JOAO)


def test_ones_own_seek_is_listed_however_many_others_wait(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    with app.store.write() as db:
        joao = players.player_by_name(db, "Joao")
        assert joao is not None
        for rows in range(200):
            options, until = RULES["bipod"].complete({"rows": "5"}), app.now() + timedelta(days=9)
            seek = Seek(rows, joao, RULES["bipod"], options, "random", True, app.now(), until)
            challenges.add_challenge(db, seek)
    reply(app, BILL, welcome, "seek bipod first")
    reply(app, BILL, welcome, "seeks")
    assert "withdraw 201" in letters(app, BILL)[-1].text
