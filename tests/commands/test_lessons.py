"""Lessons by mail: given, answered, judged, resumed in any order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import App
from pbem.store import lessons
from rules import RULES
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    last_letter,
    last_words,
    letters,
    load,
    player,
    register,
    reply,
    writes,
)

BEGIRD = len(RULES["begird"].lessons)


@pytest.fixture
def bill(app: App) -> App:
    register(app, BILL, "Bill")
    return app


def subject(app: App) -> str:
    return last_letter(app, BILL).header("Subject")


def words(app: App) -> str:
    return last_words(app, BILL).replace('"', "")


def solved(app: App, key: str = "bipod") -> set[int]:
    with app.store.read() as db:
        return set(lessons.solved_lessons(db, player(app, "Bill")).get(key, ()))


def test_learn_brings_the_first_lesson_and_each_answer_the_next(bill: App) -> None:
    answer = "learn bipod"
    for lesson in RULES["bipod"].lessons:
        assert "done" == writes(bill, BILL, answer)
        assert lesson.question.split(".")[-1].strip() in words(bill)
        answer = next(iter(lesson.right))
    assert "done" == writes(bill, BILL, answer)
    assert "You have solved all 6 lessons of Bipod." in words(bill)
    assert set(range(1, 7)) == solved(bill)


def test_a_right_answer_says_why(bill: App) -> None:
    writes(bill, BILL, "learn bipod 2")
    letter = last_letter(bill, BILL)
    assert "done" == reply(bill, BILL, letter, "Easy, I think.\n\nk1\n\nRegards, Bill")
    assert "Lesson 2 of 6 in Bipod: right" == subject(bill)
    assert "Right, Bill: k1." in words(bill)
    assert RULES["bipod"].lessons[1].right["k1"] in words(bill)
    assert "Lesson 3 of 6" in words(bill)
    assert {2} == solved(bill)


def test_a_wrong_answer_says_why_and_what_is_right(bill: App) -> None:
    writes(bill, BILL, "learn bipod 3")
    for left in ("2 tries", "one try"):
        writes(bill, BILL, "m3 O")
        assert "Lesson 3 of 6 in Bipod: not yet" == subject(bill)
        assert f"You have {left} left." in words(bill) and "n2 O" not in words(bill)
    writes(bill, BILL, "m3 O")
    assert "Lesson 3 of 6 in Bipod: not right" == subject(bill)
    assert "The answer to it is n2." in words(bill)
    assert "Right is n2 O." in words(bill)
    assert "Lesson 4 of 6" in words(bill)
    assert set() == solved(bill)


def test_lessons_are_resumed_where_one_is_open(bill: App) -> None:
    writes(bill, BILL, "learn begird 2")
    writes(bill, BILL, "c2")
    writes(bill, BILL, "learn begird")
    assert subject(bill).startswith(f"Lesson 1 of {BEGIRD} in Begird")
    writes(bill, BILL, "d1")
    assert f"Lesson 3 of {BEGIRD}" in words(bill)
    writes(bill, BILL, "learn begird again")
    assert subject(bill).startswith(f"Lesson 1 of {BEGIRD} in Begird")
    writes(bill, BILL, "learn y")
    assert subject(bill).startswith(f"Lesson 3 of {BEGIRD} in Begird")


def test_learn_lists_what_is_solved(bill: App) -> None:
    writes(bill, BILL, "learn begird 2")
    writes(bill, BILL, "c2")
    writes(bill, BILL, "learn")
    assert "The lessons" == subject(bill)
    assert f"Begird, 1 of {BEGIRD} solved" in words(bill)
    assert "2. Two stones that hold together, solved" in words(bill)
    assert "Answer learn bipod." in words(bill)


def test_a_solved_lesson_stays_solved(bill: App) -> None:
    writes(bill, BILL, "learn bipod 2")
    first = last_letter(bill, BILL)
    reply(bill, BILL, first, "k1")
    reply(bill, BILL, first, "h2")
    assert "not yet" in subject(bill)
    assert {2} == solved(bill)


def test_a_hint_is_a_sentence_and_a_move(bill: App) -> None:
    writes(bill, BILL, "learn bipod 2")
    assert "done" == writes(bill, BILL, "hint")
    assert "A hint, Bill." in words(bill)
    assert RULES["bipod"].lessons[1].hint in words(bill)
    assert "k1" not in words(bill)
    assert "done" == writes(bill, BILL, "hint")
    assert "A right move is k1." in words(bill)
    assert "done" == writes(bill, BILL, "k1")
    assert {2} == solved(bill)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("i3 o", "a block has no colour"),
        ("z9", "there is no"),
        ("I have no idea at all", "I found no move in your answer."),
        ("I think it is k1, or not?", "I see k1 in your answer. If you mean it, write k1 alone."),
        ("k1\ni1", "A lesson is answered by one move, or by"),
    ],
)
def test_what_is_no_answer_leaves_the_lesson_open(bill: App, said: str, why: str) -> None:
    writes(bill, BILL, "learn bipod 2")
    assert "refused" == writes(bill, BILL, said)
    assert why in words(bill)
    assert "done" == writes(bill, BILL, "k1")
    assert "Right, Bill: k1." in words(bill)


def test_quoted_moves_are_no_answer(bill: App) -> None:
    writes(bill, BILL, "learn bipod 2")
    assert "refused" == writes(bill, BILL, "> k1\n> o3 O\n\nHow does this work?")
    assert set() == solved(bill)


def test_other_commands_in_an_answer_are_carried_out(bill: App) -> None:
    writes(bill, BILL, "learn bipod 2")
    assert "done" == writes(bill, BILL, "learn begird 3")
    assert subject(bill).startswith(f"Lesson 3 of {BEGIRD} in Begird")


@pytest.mark.parametrize(
    ("said", "state", "told"),
    [
        ("k1\n\nset moments off", "done", "Right, Bill: k1."),
        ("set moments off\nhint", "done", "A hint, Bill."),
        ("k1; set moments off", "done", "Right, Bill: k1."),
        ("Hint, please!\nset moments off", "done", "A hint, Bill."),
        ("z9\n\nset moments off", "refused", "there is no"),
        ("k1\ni1\nset moments off", "refused", "Please write only one of them."),
    ],
)
def test_commands_beside_an_answer_are_carried_out(bill: App, said: str, state: str, told: str) -> None:
    writes(bill, BILL, "learn bipod 2")
    before = len(letters(bill, BILL))
    assert state == writes(bill, BILL, said)
    brought = [" ".join(each.text.split()) for each in letters(bill, BILL)[before:]]
    assert any(told in text for text in brought)
    assert any("moments is now off" in text for text in brought)


@pytest.mark.parametrize("said", ["hint.", "Hint!", "- hint", "hint please", "please hint"])
def test_a_hint_in_any_spelling_is_one_letter(bill: App, said: str) -> None:
    writes(bill, BILL, "learn bipod 2")
    before = len(letters(bill, BILL))
    assert "done" == writes(bill, BILL, said)
    (letter,) = letters(bill, BILL)[before:]
    assert "A hint, Bill." in letter.text


def test_words_below_a_move_of_a_game_beside_an_answer_go_with_it(bill: App) -> None:
    register(bill, JOAO, "Joao")
    writes(bill, BILL, "challenge Joao bipod first unrated none")
    writes(bill, JOAO, "accept")
    writes(bill, BILL, "learn bipod 2")
    assert "done" == writes(bill, BILL, "k1\n\ngame 1\nf2\n\nHello Joao")
    assert ["f2"] == [ply.move for ply in load(bill).state.plies]
    assert "Hello Joao" in last_letter(bill, JOAO).text


def test_a_hint_about_a_game_is_none_about_the_lesson(bill: App) -> None:
    register(bill, JOAO, "Joao")
    writes(bill, BILL, "challenge Joao bipod first unrated none")
    writes(bill, JOAO, "accept")
    writes(bill, BILL, "learn bipod 2")
    before = len(letters(bill, BILL))
    writes(bill, BILL, "game 1\nhint")
    assert before == len(letters(bill, BILL))  # the bots think about it first
    writes(bill, BILL, "hint 1")
    assert before == len(letters(bill, BILL))


def test_an_answer_never_touches_a_running_game(bill: App) -> None:
    register(bill, JOAO, "Joao")
    writes(bill, BILL, "challenge Joao bipod size=3 middle=2 rows=3 first unrated none")
    writes(bill, JOAO, "accept")
    before = load(bill)
    count = len(letters(bill, JOAO))
    for n, lesson in enumerate(RULES["bipod"].lessons, 1):
        writes(bill, BILL, f"learn bipod {n}")
        writes(bill, BILL, next(iter(lesson.right)))
    for said in ("resign", "draw", "say Hello!"):
        writes(bill, BILL, "learn bipod 2")
        assert "refused" == writes(bill, BILL, said)
    assert before.journal == load(bill).journal
    assert count == len(letters(bill, JOAO))


def test_what_is_no_lesson_is_refused(bill: App) -> None:
    assert "refused" == writes(bill, BILL, "learn bipod 9")
    assert "Bipod has lessons 1 to 6, and no lesson 9." in words(bill)
    assert "refused" == writes(bill, BILL, "learn more")
    assert "I did not understand" in words(bill)


def test_an_old_lesson_is_brought_again(bill: App, clock: Clock) -> None:
    writes(bill, BILL, "learn bipod 2")
    clock.pass_by(days=8)
    assert "refused" == writes(bill, BILL, "k1")
    assert "learn brings the lessons again" in words(bill)


def test_a_game_without_lessons_says_so(bill: App, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(RULES["bounders"], lessons=())
    monkeypatch.setattr("pbem.commands.lessons.find_rules", lambda _word, _offered: bare)
    assert "refused" == writes(bill, BILL, "learn bounders")
    assert "There are no lessons of Bounders yet" in words(bill)


def test_lessons_of_a_player_go_when_they_are_forgotten(bill: App) -> None:
    writes(bill, BILL, "learn bipod 2")
    writes(bill, BILL, "k1")
    who = player(bill, "Bill")
    writes(bill, BILL, "forget me")
    writes(bill, BILL, "yes")
    with bill.store.read() as db:
        assert {} == lessons.solved_lessons(db, who)
