"""`set`, `stop` and `start` by mail: storage, answers, later letters."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.core.parsing.reply_text import MARKER
from pbem.core.players import Preferences
from pbem.core.preferences.preferences import PREFERENCES
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store import games
from tests.apps import BILL, JOAO, flat, letters, mail, player, register, reply


def answers(app: App, who: str, words: str, *, to: ReceivedLetter | None = None) -> list[ReceivedLetter]:
    """Answer the last letter to `who`; return the new letters.

    `to` is another recipient than its reply address.
    """
    before = letters(app, who)
    letter = to or before[-1]
    reply(app, who, letter, words)
    return letters(app, who)[len(before) :]


@pytest.fixture
def known(app: App) -> App:
    register(app, BILL, "Bill")
    return app


@pytest.fixture
def game(known: App) -> App:
    """Game 1, in which Bill is first and to play."""
    register(known, JOAO, "Joao")
    answers(known, BILL, "challenge Joao bipod first")
    answers(known, JOAO, "accept")
    return known


def first_letter(app: App) -> ReceivedLetter:
    """The letter that tells Bill that game 1 begins."""
    return next(letter for letter in letters(app, BILL) if "#1" in letter.header("Subject"))


def test_set_alone_tells_how_letters_are(known: App) -> None:
    (told,) = answers(known, BILL, "set")
    assert "How you want letters, Bill" == told.header("Subject")
    assert "zone: UTC" in told.text
    assert not any(line.startswith("  * now ") for line in told.text.splitlines())
    assert 6 == sum(line.startswith("  * ") for line in told.text.splitlines())
    assert 'Answer "set all" to see the other settings too: board,' in flat(told.text)
    (told,) = answers(known, BILL, "set all")
    assert len(PREFERENCES) == sum(line.startswith("  * ") for line in told.text.splitlines())
    assert "other settings" not in told.text


def test_what_can_be_set_no_more_is_said_and_changes_nothing(known: App) -> None:
    (told,) = answers(known, BILL, "set coordinates off")
    assert "The letters and numbers round the board are always there now" in flat(told.text)
    (told,) = answers(known, BILL, "set format html")
    assert 'cannot be html: write "set format text" or "set format both"' in flat(told.text)
    assert Preferences() == player(known, "Bill").preferences


def test_what_is_set_is_kept_and_told_with_the_hour_there(known: App) -> None:
    (told,) = answers(known, BILL, "set zone berlin")
    assert "zone is now Europe/Berlin, where it is Sunday 1 March, 13:00 CET." in " ".join(told.text.split())
    assert "Europe/Berlin" == player(known, "Bill").preferences.zone


def test_many_wishes_in_one_mail_are_all_kept_and_told_in_one_letter(known: App) -> None:
    words = "set zone Berlin\nset calendar on\nset receipts off\nstart chat\nset stones off"
    (told,) = answers(known, BILL, words)
    preferences = player(known, "Bill").preferences
    assert ("Europe/Berlin", True, False) == (preferences.zone, preferences.calendar, preferences.stones)
    assert {"receipts"} == player(known, "Bill").stopped
    for line in (
        "zone is now Europe/Berlin",
        "calendar is now on",
        "stones is now off",
        "receipts is now off",
    ):
        assert line in flat(told.text)


def test_a_wish_that_cannot_be_read_changes_nothing_and_says_what_can(known: App) -> None:
    (told,) = answers(known, BILL, "set format pdf")
    assert 'write "set format text" or "set format both"' in " ".join(told.text.split())
    (told,) = answers(known, BILL, "set zone Berln")
    assert 'Did you mean "set zone Europe/Berlin"?' in " ".join(told.text.split())
    assert Preferences() == player(known, "Bill").preferences


def test_how_long_a_ply_waits_is_set_and_told(known: App) -> None:
    (told,) = answers(known, BILL, "set undo 10m")
    assert "undo is now 10 minutes" in " ".join(told.text.split())
    assert 10 == player(known, "Bill").preferences.undo


@pytest.mark.parametrize(
    ("wish", "kinds"),
    [
        ("text", ["text/plain"]),
        ("both", ["multipart/alternative", "text/plain", "text/html"]),
    ],
)
def test_letters_come_in_the_format_that_was_set_and_can_be_answered(
    game: App, wish: str, kinds: list[str]
) -> None:
    answers(game, BILL, f"set format {wish}")
    (shown,) = answers(game, BILL, "game 1\nshow")
    assert kinds == [part.get_content_type() for part in shown.message.walk()]
    body = shown.message.get_body(("plain", "html"))
    assert body is not None
    assert str(body.get_content()).count(MARKER) == 1
    assert "Done, Bill" in answers(game, BILL, "f2 f4")[0].text
    with game.store.read() as db:
        loaded = games.load_game(db, game.games_by_key, 1)
    assert loaded is not None
    assert ["f2 f4"] == [ply.move for ply in loaded.state.plies]


@pytest.mark.parametrize("word", ["words", "Braille"])
def test_the_board_comes_in_words_where_these_are_wanted(game: App, word: str) -> None:
    (told,) = answers(game, BILL, f"set board {word}")
    assert "board is now words." in flat(told.text)
    (shown,) = answers(game, BILL, "show 1")
    assert "May be played: all 85 free cells" in shown.text and "<table class=board" not in shown.html


def test_a_move_made_brings_no_receipt_where_none_is_wanted(game: App) -> None:
    answers(game, BILL, "set receipts off")
    before = len(letters(game, JOAO))
    turn = first_letter(game)
    assert [] == answers(game, BILL, "f2", to=turn)
    assert before + 1 == len(letters(game, JOAO))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("f7", "could not be done"),
        ("show", "Here is the board"),
        ("I was away for long.\nand it rained\n\nf2", "not sent: I was away for long."),
    ],
)
def test_what_is_more_than_a_receipt_comes_all_the_same(game: App, words: str, told: str) -> None:
    turn = first_letter(game)
    answers(game, BILL, "set receipts off")
    assert told in answers(game, BILL, words, to=turn)[0].text


def test_a_move_sent_twice_is_answered_though_no_receipt_is_wanted(game: App) -> None:
    turn = first_letter(game)
    answers(game, BILL, "set receipts off")
    assert [] == answers(game, BILL, "f2", to=turn)
    assert "already recorded" in answers(game, BILL, "f2\n\nDid it come?", to=turn)[0].text


def test_words_above_a_move_go_to_nobody_and_the_receipt_says_so(game: App) -> None:
    turn = first_letter(game)
    (receipt,) = answers(game, BILL, "Hello!\nI was away.\n\nf2\n\nNow you.", to=turn)
    assert "not sent: I was away." in receipt.text
    assert "to Joao: Hello!" in receipt.text
    assert "to Joao: Now you." in receipt.text
    assert "was away" not in letters(game, JOAO)[-1].text


def test_stopped_letters_come_no_more_and_the_game_goes_on(game: App) -> None:
    (told,) = answers(game, JOAO, "stop turns")
    assert "to stop letters is never to resign" in " ".join(told.text.split())
    assert 'answer with "start turns"' in told.text
    turn = first_letter(game)
    before = len(letters(game, JOAO))
    answers(game, BILL, "f2", to=turn)
    assert before == len(letters(game, JOAO))
    (shown,) = answers(game, JOAO, "game 1\nshow")
    assert "It is your turn" in shown.text


def test_a_result_comes_to_the_one_who_ends_the_game_even_where_results_are_stopped(game: App) -> None:
    for who in (BILL, JOAO):
        answers(game, who, "stop results")
    before = len(letters(game, JOAO))
    turn = first_letter(game)
    (told,) = answers(game, BILL, "resign yes", to=turn)
    assert "You resigned" in told.text
    assert before == len(letters(game, JOAO))


def test_an_acceptance_is_answered_even_where_letters_about_turns_are_stopped(known: App) -> None:
    register(known, JOAO, "Joao")
    answers(known, JOAO, "stop turns")
    answers(known, BILL, "challenge Joao bipod first")
    challenge = letters(known, JOAO)[-1]
    (told,) = answers(known, JOAO, "accept", to=challenge)
    assert "the game begins" in " ".join(told.text.split())


def test_stopped_letters_come_again(game: App) -> None:
    answers(game, BILL, "stop chat\nstop challenges")
    assert {"chat", "challenges"} == player(game, "Bill").stopped
    (told,) = answers(game, BILL, "start chat")
    assert {"challenges"} == player(game, "Bill").stopped
    assert 'Answer "set" to see how all your letters are.' in " ".join(told.text.split())


def test_the_address_in_a_letters_head_stops_letters_of_its_kind(game: App) -> None:
    turn = first_letter(game)
    (receipt,) = answers(game, BILL, "f2", to=turn)
    away = receipt.header("List-Unsubscribe").partition("<mailto:")[2].partition("?")[0]
    mail(game, BILL, new_mail(BILL, away, "unsubscribe"), away)
    assert {"receipts"} == player(game, "Bill").stopped
    assert "start receipts" in letters(game, BILL)[-1].text


@pytest.mark.parametrize(
    ("words", "told"), [("I resign", '"resign"'), ("ok I accept", '"send"'), ("yes", '"send"')]
)
def test_a_mail_that_names_no_command_is_answered_with_the_word_to_write(
    game: App, words: str, told: str
) -> None:
    (refused,) = answers(game, BILL, words, to=first_letter(game))
    assert told in refused.text
    assert "you wrote: " in refused.text
