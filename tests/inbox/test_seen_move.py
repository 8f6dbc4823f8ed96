"""A move among other words is named in the answer, with a button, and is not played."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail
from tests.apps import BILL, a_game, flat, last_letter, mail, moves, reply


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        ("Here's my move: f2 f4 g3", "f2 f4 g3"),
        ("Kim: g3", "g3"),
        ("my move is f2 and f4", "f2 f4"),
        ("f2-f4", "f2 f4"),
        ("Hello Joao,\n\nI think I will try g3 today.", "g3"),
    ],
)
def test_the_only_move_in_a_sentence_is_named_and_not_played(app: App, words: str, seen: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, words)
    answer = last_letter(app, BILL)
    assert f'I see {seen} in your mail. To play it, answer "{seen}".' in flat(answer.text)
    assert f"Play {seen}</a>" in answer.html
    assert f"?move={seen.replace(' ', '%20')}" in answer.html
    assert [] == moves(app)
    reply(app, BILL, answer, seen)
    assert [seen] == moves(app)


@pytest.mark.parametrize(
    "words",
    ["f2 or g3, I do not know", "my move: f2 f4 g9", "Thanks for the game!", "I shall see on the 24th"],
)
def test_no_move_is_named_where_none_or_several_can_be_meant(app: App, words: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, words)
    assert "I see" not in last_letter(app, BILL).text
    assert [] == moves(app)


def test_a_move_in_the_subject_of_an_empty_mail_is_named(app: App) -> None:
    turn, _ = a_game(app)
    to = turn.header("Reply-To")
    mail(app, BILL, new_mail(BILL, to, "", "f2 f4"), to)
    assert "I see f2 f4 in your mail." in flat(last_letter(app, BILL).text)
    assert [] == moves(app)
