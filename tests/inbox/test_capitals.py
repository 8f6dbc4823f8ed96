"""A move that a phone's capital may have changed is asked about, and played once the player has chosen."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.mail.person.compose import MailDraft, make_form_mail
from pbem.mail.person.mailbox import new_mail
from pbem.store import notes
from tests.apps import (
    BILL,
    JOAO,
    a_game,
    flat,
    last_letter,
    last_words,
    letters,
    mail,
    moves,
    player,
    reply,
    writes,
)


@pytest.mark.parametrize(
    ("move", "answer", "played"),
    [
        ("F2", "small", "f2"),
        ("F2", "Large", "F2"),
        ("F2 f4 g3", "Small, please.", "f2 f4 g3"),
        ("F2 f4 g3", '"LARGE"', "F2 f4 g3"),
        ("E1 D2", "small (e1 d2)", "e1 d2"),
        ("1. F2", "Small\n\nRegards", "f2"),
        ("Fh2", "small", "f2 h2"),
    ],
)
def test_the_player_chooses_between_a_small_letter_and_a_capital(
    app: App, move: str, answer: str, played: str
) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, move)
    assert [] == moves(app)
    assert "start" in letters(app, JOAO)[-1].header("Message-ID")
    writes(app, BILL, answer)
    assert [played] == moves(app)


@pytest.mark.parametrize(
    ("words", "move"), [("E5", "e5"), ("E5 g1", "e5 g1"), ("K3, W3", "k3 w3"), ("1. E5", "e5")]
)
def test_a_capital_that_leaves_one_legal_move_is_read_small_and_said(app: App, words: str, move: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, f"{words}\n\nBeautiful weather here")
    assert [move] == moves(app)
    told = last_words(app, BILL)
    assert f"was read as {move}, the one move it can be; phones make the first letter a capital." in told
    assert "Beautiful weather here" in last_letter(app, JOAO).text
    assert "done" == reply(app, BILL, turn, words)
    assert [move] == moves(app)
    assert "already recorded" in last_words(app, BILL)


def test_on_a_cell_that_is_taken_the_small_letter_is_meant(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "move F2")
    writes(app, JOAO, "F2 f4")
    assert ["F2", "f2 f4"] == moves(app)


def test_a_move_from_the_page_is_as_written(app: App) -> None:
    turn, _ = a_game(app)
    to = turn.header("Reply-To")
    draft = MailDraft(BILL, to, "Re: Bipod", "E5")
    mail(app, BILL, make_form_mail(draft, "1", app.config.host, app.addressing.keys, app.clock()), to)
    assert [] == moves(app)


def test_who_has_chosen_small_twice_is_asked_no_more_until_they_want_it(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2")
    writes(app, BILL, "small")
    writes(app, JOAO, "g3")
    writes(app, BILL, "D2")
    writes(app, BILL, "small")
    writes(app, JOAO, "j2")
    writes(app, BILL, "E1")
    assert ["f2", "g3", "d2", "j2", "e1"] == moves(app)
    assert "E1 was read as e1, as you have chosen twice; write" in last_words(app, BILL)
    writes(app, JOAO, "n2")
    writes(app, BILL, "move D4\nset capitals ask")
    assert "D4" == moves(app)[-1]
    writes(app, JOAO, "p2")
    writes(app, BILL, "C3")
    assert "Which move do you mean" in last_words(app, BILL)


def test_the_letter_offers_both_in_words_and_with_buttons(app: App) -> None:
    turn, _ = a_game(app, "3d/move")
    reply(app, BILL, turn, "F2 f4\n\nHello Joao!")
    asked = last_letter(app, BILL)
    assert "Which move do you mean, Bill: f2 f4 or F2 f4?" in asked.text
    assert 'Answer "small" to play f2 f4. Answer "large" to play F2 f4.' in flat(asked.text)
    assert "It is your turn, move 1. You have until" in flat(asked.text)
    for word, text in (("small", "f2 f4"), ("large", "F2 f4")):
        assert f"body={word}" in asked.html
        assert f"Play {text}</a>" in asked.html


def test_words_and_other_commands_wait_for_the_choice(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2\ndraw\n\nHello Joao!\nHow are you?")
    assert "Hello" not in last_words(app, JOAO)
    writes(app, BILL, "small\n\nGreetings from the beach!")
    told = "".join(each.text for each in letters(app, JOAO))
    assert ["f2"] == moves(app)
    assert "Hello Joao!" in told
    assert "How are you?" in told
    assert "Greetings from the beach!" in told


def test_no_other_answer_plays(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2")
    for words in ("yes", "confirm", "smaller", "small or large?", "not small", "hello", ""):
        writes(app, BILL, words)
        assert [] == moves(app)
        assert "Which move do you mean" in last_words(app, BILL), words
    writes(app, BILL, "small")
    assert ["f2"] == moves(app)


def test_a_move_chosen_on_the_web_is_played_as_written(app: App) -> None:
    turn, _ = a_game(app)
    to = turn.header("Reply-To")
    draft = MailDraft(BILL, to, "Re: Bipod", "F2")
    mail(app, BILL, make_form_mail(draft, "1", app.config.host, app.addressing.keys, app.clock()), to)
    assert ["F2"] == moves(app)


def test_another_move_may_be_the_answer(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2")
    writes(app, BILL, "g3")
    assert ["g3"] == moves(app)


def test_nothing_is_played_when_the_game_has_gone_on(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2")
    asked = last_letter(app, BILL)
    reply(app, BILL, turn, "g3")
    writes(app, JOAO, "e5")
    reply(app, BILL, asked, "small")
    assert ["g3", "e5"] == moves(app)
    assert "Your move 1 is recorded as g3" in last_words(app, BILL)


def test_the_answer_counts_once_and_from_its_player_alone(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2")
    asked = last_letter(app, BILL)
    reply(app, JOAO, asked, "large")
    assert [] == moves(app)
    reply(app, BILL, asked, "large")
    reply(app, BILL, asked, "small")
    assert ["F2"] == moves(app)


@pytest.mark.parametrize("move", ["f2", "f2 F2", "F2 f2", "E1 F2 f4", "move F2", "Move F2", "Adopt"])
def test_a_move_that_is_clear_is_played_at_once(app: App, move: str) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, move)
    assert 1 == len(moves(app))


def test_each_game_of_a_mail_is_asked_about_by_itself(app: App) -> None:
    a_game(app)
    writes(app, BILL, "challenge Joao bipod first none")
    writes(app, JOAO, "accept")
    to = last_letter(app, BILL).header("Reply-To")
    mail(app, BILL, new_mail(BILL, to, "boards"), to)
    writes(app, BILL, "game 1\nF2\n\nFirst words\ngame 2\ng3")
    assert [] == moves(app)
    assert ["g3"] == moves(app, 2)
    asked = next(each for each in letters(app, BILL) if ".which." in each.header("Message-ID"))
    reply(app, BILL, asked, "large")
    assert (["F2"], ["g3"]) == (moves(app), moves(app, 2))


def test_a_note_waits_whole_for_the_choice_and_takes_no_words_of_the_answer(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "F2\n\nnote My plan\nis to play g3.\nresign yes")
    writes(app, BILL, "hello")
    assert "note My plan" in last_words(app, BILL)
    writes(app, BILL, "small\n\nHello Joao!")
    assert ["f2"] == moves(app)
    assert "Hello Joao!" in last_words(app, JOAO)
    assert "plan" not in "".join(each.text for each in letters(app, JOAO))
    with app.store.read() as db:
        (note,) = notes.notes_of_player(db, player(app, "Bill"))
    assert "My plan\nis to play g3.\nresign yes" == note.words
