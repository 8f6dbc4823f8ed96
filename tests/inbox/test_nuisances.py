"""Attempts to annoy other players, from listener to outbox. All run on both databases."""

from __future__ import annotations

from datetime import timedelta

from pbem.actions.challenges import IN_VAIN_TO_ONE
from pbem.actions.game_clock import tick
from pbem.app import Office
from pbem.core.lobby.seeks import Seek
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import answer
from pbem.store import players, seeks
from rules import RULES
from tests.apps import ANNA, BILL, JOAO, Clock, a_game, begin, last_words, letters, register, reply


def test_nobody_is_flooded_with_challenges_that_are_taken_back_at_once(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    before = len(letters(office, JOAO))
    for _ in range(3):
        reply(
            office, BILL, welcome, "\n".join(["challenge Joao bipod", "withdraw"] * 5) + "\n\nBuy my pills!"
        )
    assert 2 * IN_VAIN_TO_ONE == len(letters(office, JOAO)) - before
    reply(office, BILL, welcome, "challenge Joao bipod")
    assert "wait until tomorrow" in last_words(office, BILL)
    clock.pass_by(days=1, minutes=1)
    assert "done" == reply(office, BILL, welcome, "challenge Joao bipod")


def test_who_is_blocked_says_nothing_by_declining_a_challenge_either(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod")
    challenge = letters(office, JOAO)[-1]
    reply(office, BILL, welcome, "block Joao")
    assert "done" == reply(office, JOAO, challenge, "decline\n\nWhat a fool you are.")
    assert "declined" in letters(office, BILL)[-1].text
    assert "a fool" not in letters(office, BILL)[-1].text


def test_a_ply_that_is_not_there_is_refused_to_an_onlooker_too(office: Office) -> None:
    a_game(office)
    anna = register(office, ANNA, "Anna")
    assert "refused" == reply(office, ANNA, anna, "game 1\nshow #1")
    assert "There is no ply 1 yet; the next one is ply 1." in letters(office, ANNA)[-1].text


def test_a_claim_waits_for_the_move_that_was_accepted_before_it(office: Office, clock: Clock) -> None:
    begin(office, "2h unrated soft", plies=4)
    clock.pass_by(hours=3)
    tick(office)
    mails = []
    for who, words in ((BILL, "h4"), (JOAO, "claim win")):
        letter = letters(office, who)[-1]
        clock.pass_by(seconds=5)
        mails += receive(office, answer(letter, who, words), who, [letter.header("Reply-To")])
    move, claim = (int(key[1:]) for key in mails)
    assert None is process(office, claim)
    assert "done" == process(office, move)
    clock.pass_by(minutes=2)
    assert "refused" == process(office, claim)
    assert "has not run out of time" in last_words(office, JOAO)


def test_ones_own_seek_is_listed_however_many_others_wait(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    with office.store.write() as db:
        joao = players.by_name(db, "Joao")
        assert joao is not None
        for rows in range(200):
            options, until = RULES["bipod"].complete({"rows": "5"}), office.now() + timedelta(days=9)
            seek = Seek(rows, joao, RULES["bipod"], options, "random", True, office.now(), until)
            seeks.add(db, seek)
    reply(office, BILL, welcome, "seek bipod first")
    reply(office, BILL, welcome, "seeks")
    assert "withdraw 201" in letters(office, BILL)[-1].text
