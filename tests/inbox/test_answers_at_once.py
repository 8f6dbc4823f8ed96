"""Several answers to one question, handled by several workers in the same moment, count once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.app import App
from pbem.core.game.journal import PLY, RESIGN, SAY
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import challenges, games, players
from tests.apps import BILL, JOAO, PLAY, a_game, begin, last_letter, letters, load, mail, reply, state, writes

pytestmark = pytest.mark.each_database


def at_once(app: App, answers: Sequence[tuple[str, ReceivedLetter, str]]) -> Counter[str]:
    """Handle mails as that many workers; the states of the mails."""
    keys = [
        receive(app, reply_mail(letter, who, words), who, [letter.header("Reply-To")])[0]
        for who, letter, words in answers
    ]
    with ThreadPoolExecutor(len(keys)) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    return Counter(state(app, key) for key in keys)


def count(app: App, kind: str) -> int:
    return sum(entry.kind == kind for entry in load(app).journal)


def stranger(app: App, who: str, words: str) -> ReceivedLetter:
    mail(app, who, new_mail(who, PLAY, words))
    return last_letter(app, who)


def test_a_newcomer_is_registered_once_and_what_they_asked_for_is_done_once(app: App) -> None:
    asked = stranger(app, BILL, "register Bill\nseek bipod")
    at_once(app, [(BILL, asked, words) for words in ("yes", "ok", "confirm", "yes")])
    with app.store.read() as db:
        assert ["Bill"] == [each.name for each in players.list_players(db)]
        assert 1 == len(challenges.open_seeks(db, app.games_by_key, app.now()))


def test_of_two_newcomers_with_one_name_one_has_it_and_the_other_is_asked(app: App) -> None:
    asked = [(who, stranger(app, who, "register Ana"), "yes") for who in (BILL, JOAO)]
    at_once(app, asked)
    with app.store.read() as db:
        assert ["Ana"] == [each.name for each in players.list_players(db)]
    found = [last_letter(app, who).text for who in (BILL, JOAO)]
    assert 1 == sum("Welcome, Ana" in text for text in found)
    assert 1 == sum("was taken a moment ago" in text or "is taken" in text for text in found)


def test_a_game_is_given_up_once(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "resign")
    asked = last_letter(app, BILL)
    told = len(letters(app, JOAO))
    at_once(app, [(BILL, asked, words) for words in ("yes", "resign", "confirm", "no")])
    assert 2 > count(app, RESIGN)
    assert count(app, RESIGN) == len(letters(app, JOAO)) - told


def test_one_of_two_meanings_is_played_once(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "F2")
    asked = last_letter(app, BILL)
    states = at_once(app, [(BILL, asked, words) for words in ("small", "large", "small", "Small")])
    assert 1 == count(app, PLY)
    assert Counter({"done": 1, "refused": 3}) == states


def test_words_are_sent_once(app: App) -> None:
    begin(app, plies=2)
    writes(app, BILL, "What a pleasant game this is")
    asked = last_letter(app, BILL)
    told = len(letters(app, JOAO))
    at_once(app, [(BILL, asked, words) for words in ("send", "yes", "send it", "send")])
    assert 1 == count(app, SAY)
    assert 1 == len(letters(app, JOAO)) - told


def test_a_rematch_that_both_ask_for_is_one_game(app: App) -> None:
    begin(app, plies=2)
    writes(app, BILL, "resign")
    writes(app, BILL, "yes")
    at_once(app, [(who, last_letter(app, who), "rematch") for who in (BILL, JOAO)])
    with app.store.read() as db:
        assert [1, 2] == games.list_game_ids(db)
        for name in ("Bill", "Joao"):
            known = players.player_by_name(db, name)
            assert known is not None
            assert [] == challenges.open_challenges(db, app.games_by_key, known, app.now())
