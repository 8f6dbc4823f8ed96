"""Orders that words beside them make doubtful, and words that mean an order: both are asked about once."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.core.parsing.inbound import Envelope
from pbem.mail.inbound.parse import parse_mail
from tests.apps import (
    BILL,
    JOAO,
    a_game,
    ending,
    last_letter,
    last_words,
    letters,
    load,
    mail,
    moves,
    play,
    reply,
    writes,
)
from tests.mail.clients import two_part_mail


def is_asked(app: App, who: str) -> bool:
    return "Do you mean this" in last_words(app, who)


@pytest.fixture
def begun(app: App) -> App:
    a_game(app)
    return app


def test_a_move_that_is_taken_back_is_not_played_and_a_yes_plays_it(begun: App) -> None:
    joaos = len(letters(begun, JOAO))
    assert "refused" == writes(begun, BILL, "f2 f4 g3\nno wait, e5")
    assert ([], True, joaos) == (moves(begun), is_asked(begun, BILL), len(letters(begun, JOAO)))
    assert "read: f2 f4 g3" in last_words(begun, BILL)
    assert "done" == writes(begun, BILL, "yes")
    assert ["f2 f4 g3"] == moves(begun)
    assert "no wait" not in last_words(begun, JOAO)


@pytest.mark.parametrize(("answer", "played"), [("no", []), ("e5", ["e5"]), ("f2 f4 g3", ["f2 f4 g3"])])
def test_the_question_is_answered_by_no_by_the_other_move_or_by_the_same(
    begun: App, answer: str, played: list[str]
) -> None:
    writes(begun, BILL, "f2 f4 g3\n\nActually, do not play that yet.")
    assert "done" == writes(begun, BILL, answer)
    assert played == moves(begun)


def test_a_draw_is_not_agreed_by_who_wants_to_play_on(begun: App) -> None:
    writes(begun, BILL, "f2\ndraw")
    assert "refused" == writes(begun, JOAO, "accept\n\nNo, I want to play on.")
    assert (None, True) == (ending(begun), is_asked(begun, JOAO))
    assert "done" == writes(begun, JOAO, "send")
    assert "No, I want to play on." in last_words(begun, BILL)
    assert ending(begun) is None


def test_a_yes_agrees_to_the_draw_after_all(begun: App) -> None:
    writes(begun, BILL, "f2\ndraw")
    writes(begun, JOAO, "accept\n\nNo, I want to play on.")
    assert "done" == writes(begun, JOAO, "yes")
    assert "agreement" == getattr(ending(begun), "how", None)


@pytest.mark.parametrize(
    "words",
    [
        "resign\n\nno, wait, I do not!",
        "What would you do here?\n\nresign\n\nor is there something else?",
        "I think I will\nresign",
    ],
)
def test_a_game_is_given_up_by_a_yes_alone_and_asked_about_once(begun: App, words: str) -> None:
    play(begun, 2)
    assert "refused" == writes(begun, BILL, words)
    assert (None, True) == (ending(begun), is_asked(begun, BILL))
    assert "done" == writes(begun, BILL, "yes")
    assert "resignation" == getattr(ending(begun), "how", None)


@pytest.mark.parametrize("order", ["resign", "Resign", "resign yes", "resign."])
def test_who_plays_on_after_the_question_gives_nothing_up_by_an_old_yes(begun: App, order: str) -> None:
    writes(begun, BILL, f"{order}\n\nno, wait, I do not!")
    question = last_letter(begun, BILL)
    reply(begun, BILL, question, "f2")
    assert "refused" == reply(begun, BILL, question, "yes")
    assert (["f2"], None) == (moves(begun), ending(begun))


def test_an_agreement_with_thanks_is_carried_out_at_once(begun: App) -> None:
    writes(begun, BILL, "f2\ndraw")
    assert "done" == writes(begun, JOAO, "Hi Bill,\n\naccept\n\nThanks for the game, it was fun.\n\nJoao")
    assert "agreement" == getattr(ending(begun), "how", None)
    assert "it was fun" in last_words(begun, BILL)


@pytest.mark.parametrize(
    ("words", "purpose"),
    [
        ("I resign", "give the game up"),
        ("j'abandonne", "give the game up"),
        ("I offer a draw", "offer a draw"),
        ("nulle ?", "offer a draw"),
    ],
)
def test_words_that_mean_an_order_are_asked_about_and_a_yes_is_that_order(
    begun: App, words: str, purpose: str
) -> None:
    play(begun, 2)
    assert "refused" == writes(begun, BILL, words)
    assert f"Do you want to {purpose}? Answer" in last_words(begun, BILL)
    assert 'answer "send"' in last_words(begun, BILL)
    before = len(letters(begun, JOAO))
    assert "done" == writes(begun, BILL, "yes")
    assert (ending(begun) is not None, bool(load(begun).state.offers)) in ((True, False), (False, True))
    assert words not in last_words(begun, JOAO)
    assert before < len(letters(begun, JOAO))


def test_words_are_sent_by_send_alone_and_never_by_yes(begun: App) -> None:
    writes(begun, BILL, "f2")
    before = len(letters(begun, BILL))
    writes(begun, JOAO, "It is cold here in Lisbon today.")
    assert "refused" == writes(begun, JOAO, "yes")
    assert 'answer with the one word "send"' in last_words(begun, JOAO)
    assert (None, before) == (ending(begun), len(letters(begun, BILL)))
    assert "done" == writes(begun, JOAO, "send")
    assert "It is cold here" in last_words(begun, BILL)


@pytest.mark.parametrize(
    ("text", "html", "struck"),
    [
        ("f2\n\nHm.", "<div><s>f2</s></div><div>Hm.</div>", True),
        ("f6 e5 g1", "<p><del>f6</del> e5 g1</p>", True),
        ("f6 e5 g1", '<p><span style="text-decoration: line-through">f6</span> e5 g1</p>', True),
        ("f6 e5 g1", '<p><span style="display:none">f6</span> e5 g1</p>', True),
        ("f6 e5 g1", "<p>f6 e5 g1 <s>and more</s></p>", False),
        ("f6 e5 g1", "<p>f6 e5 g1</p><blockquote><s>f6</s></blockquote>", False),
    ],
)
def test_what_the_html_part_strikes_out_is_known(text: str, html: str, struck: bool) -> None:
    raw = two_part_mail(text, html)
    inbound = parse_mail(raw, Envelope(BILL, "play@localhost"), "localhost")
    assert struck == inbound.struck


def test_a_move_that_is_struck_out_is_asked_about(begun: App) -> None:
    letter = last_letter(begun, BILL)
    raw = two_part_mail("f2\n\nHm.", "<div><s>f2</s></div><div>Hm.</div>")
    to = letter.header("Reply-To")
    assert "refused" == mail(begun, BILL, raw, to)
    assert ([], True) == (moves(begun), is_asked(begun, BILL))


def test_a_decline_in_answer_to_the_question_declines_the_offer(begun: App) -> None:
    writes(begun, BILL, "f2\ndraw")
    writes(begun, JOAO, "accept\n\nNo, I want to play on.")
    assert "done" == writes(begun, JOAO, "decline")
    assert (None, {}) == (ending(begun), dict(load(begun).state.offers))
    assert "Joao has declined the draw" in last_words(begun, BILL)
