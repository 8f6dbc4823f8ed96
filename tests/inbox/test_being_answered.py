"""What is answered to words without an order: the nearest command, help, or the words simply go."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    SERVER,
    Clock,
    a_game,
    flat,
    last_letter,
    last_words,
    letters,
    load,
    mail,
    moves,
    player,
    proven,
    register,
    reply,
    writes,
)


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_AUTHSERV": SERVER}


def new(app: App, who: str, words: str) -> tuple[str, str]:
    """Write a proven new mail; the kind of its answer, and the answer on one line."""
    mail(app, who, proven(new_mail(who, PLAY, words), who, app.clock()))
    letter = last_letter(app, who)
    return letter.header("Message-ID").split(".")[-2], flat(letter.text)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("tournament", "events"),
        ("Turnier?", "events"),
        ("delete my account", "forget"),
        ("Hilfe", "help"),
        ("aide", "help"),
        ("¿Ayuda?", "help"),
        *(
            (words, "games")
            for words in (
                *("my games", "meine Spiele", "mes parties", "mis partidas", "le mie partite"),
                *("minhas partidas", "mijn spellen", "mina partier", "moje gry"),
            )
        ),
    ],
)
def test_words_that_surely_mean_a_command_are_that_command(app: App, words: str, kind: str) -> None:
    register(app, BILL, "Bill")
    assert kind == new(app, BILL, words)[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("weekends", "I did not understand *weekends*."),
        ("I love apples; do you?", "I did not understand this."),
        ("language french", "Our letters are in English alone."),
        ("watch bipod", "No game of Bipod that you could watch runs just now."),
        ("challenge Joao bipod sundays", "I did not understand *sundays*. Behind the game come"),
    ],
)
def test_what_is_not_understood_is_named_with_what_can_be_written(app: App, words: str, told: str) -> None:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        register(app, who, name)
    answer = new(app, BILL, words)[1]
    assert told in answer and "could not find a move" not in answer
    assert ('"play bipod"' in answer) == told.startswith("I did not understand") or "Behind" in answer


def test_words_about_no_game_are_answered_without_the_only_game_s_board(app: App) -> None:
    a_game(app)
    told = new(app, BILL, "weekends")[1]
    assert "I did not understand *weekends*." in told and "The board" not in told


def test_the_games_that_can_be_watched_are_named(app: App) -> None:
    a_game(app)
    register(app, ANNA, "Anna")
    assert 'write "watch 1"' in new(app, ANNA, "watch bipod")[1]


def test_play_with_a_player_is_a_challenge(app: App) -> None:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        register(app, who, name)
    assert "offered" == new(app, BILL, "play bagel with Joao")[0]
    assert "Bagel" in last_words(app, JOAO)


def test_the_number_behind_show_is_a_games_where_no_game_is_meant(app: App) -> None:
    a_game(app)
    writes(app, BILL, "challenge Joao bagel none")
    writes(app, JOAO, "accept")
    assert "rules/bagel" in new(app, BILL, "show 2")[1]
    assert "rules/bipod" in new(app, BILL, "show 1")[1]


def test_words_in_answer_to_words_go(app: App) -> None:
    a_game(app)
    writes(app, BILL, "say Hello Joao, how are you?")
    assert "done" == writes(app, JOAO, "Fine, thank you. It snows here.")
    assert "Joao writes to you. Joao: Fine, thank you." in last_words(app, BILL)


@pytest.mark.parametrize("words", ["I resign", "my move is f2", "Is it a draw?", "accept"])
def test_words_that_may_be_an_order_do_not_go(app: App, words: str) -> None:
    a_game(app)
    writes(app, JOAO, "say Hello Bill, how are you?")
    before = len(letters(app, JOAO))
    writes(app, BILL, words)
    assert before == len(letters(app, JOAO))
    assert [] == moves(app)


@pytest.mark.parametrize(
    "words", ["Sure, let's play!", "With pleasure, Bill", "Yes, I am looking forward to it."]
)
def test_a_yes_with_friendly_words_accepts_a_challenge(app: App, words: str) -> None:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        register(app, who, name)
    writes(app, BILL, "challenge Joao bagel none")
    assert "done" == writes(app, JOAO, words)
    assert "Bagel" == load(app).rules.name
    assert words in last_words(app, BILL)


@pytest.mark.parametrize(
    "words",
    ["Sure, but you go first", "Yes? Who are you?", "Sure, when I am back", "Yeah, right.", "OK, no."],
)
def test_a_yes_with_doubt_accepts_nothing(app: App, words: str) -> None:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        register(app, who, name)
    writes(app, BILL, "challenge Joao bagel none")
    assert "refused" == writes(app, JOAO, words)


def test_a_signature_is_left_out_from_the_second_time_and_this_is_said_once(app: App, clock: Clock) -> None:
    turn, _ = a_game(app)
    below = "\n\nBill Taylor\nMathematics | University of X"
    reply(app, BILL, turn, f"f2\n\nNice to play.{below}")
    assert "Mathematics" in last_words(app, JOAO)
    writes(app, JOAO, "e5")
    writes(app, BILL, f"f6\n\nAnd again.{below}")
    assert "And again." in last_words(app, JOAO) and "Mathematics" not in last_words(app, JOAO)
    assert "looks like a signature: not sent: Bill Taylor" in last_words(app, BILL)
    writes(app, JOAO, "g1")
    writes(app, BILL, f"k3{below}")
    assert "Mathematics" not in last_words(app, JOAO) + last_words(app, BILL)


def test_kind_words_that_come_twice_are_no_signature(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "f2\n\nGood luck!\nYours, Bill")
    writes(app, JOAO, "e5")
    writes(app, BILL, "f6\n\nGood luck!\nYours, Bill")
    assert "Good luck!" in last_words(app, JOAO)


def test_attached_files_are_named_as_left_out(app: App) -> None:
    turn, _ = a_game(app)
    written, to = EmailMessage(), turn.header("Reply-To")
    written["From"], written["To"], written["Message-ID"] = BILL, to, "<one@example.org>"
    written.set_content("f2\n")
    written.add_attachment(b"x", maintype="image", subtype="jpeg", filename="my cat.jpg")
    written.add_attachment(b"x", maintype="image", subtype="png", filename="logo.png", cid="<logo>")
    assert "done" == mail(app, BILL, written.as_bytes(), to)
    told = last_words(app, BILL)
    assert "A file came with your mail, and goes to nobody: left out: my cat.jpg" in told
    assert "logo" not in told


def dated(app: App, who: str, words: str, zone: str) -> str:
    """Write a proven new mail with a zone in its Date; the answer on one line."""
    local = app.clock() + timedelta(hours=int(zone[:3]) if zone[1:].isdigit() else 0)
    date = f"From: {who}\r\nDate: {local:%a, %d %b %Y %H:%M:%S} {zone}".encode()
    written = new_mail(who, PLAY, words).replace(f"From: {who}".encode(), date, 1)
    mail(app, who, proven(written, who, app.clock()))
    return last_words(app, who)


def zone_of_bill(app: App) -> str:
    return player(app, "Bill").preferences.zone


def test_the_zone_is_taken_from_the_mails_and_said_once(app: App) -> None:
    register(app, BILL, "Bill")
    assert "Times are in UTC+1 from now on, as your mail says" in dated(app, BILL, "games", "+0100")
    assert "Times are in" not in dated(app, BILL, "help", "+0100")
    assert "Times are in" not in dated(app, BILL, "seeks", "+0200")
    assert "Etc/GMT-2" == zone_of_bill(app)


@pytest.mark.parametrize("zone", ["-0000", "+0530", "+0000", "nonsense", "+9900"])
def test_a_date_that_tells_no_whole_hours_changes_nothing(app: App, zone: str) -> None:
    register(app, BILL, "Bill")
    dated(app, BILL, "games", zone)
    assert "UTC" == zone_of_bill(app)


def test_a_zone_that_was_set_stays(app: App) -> None:
    register(app, BILL, "Bill")
    dated(app, BILL, "set zone UTC", "+0000")
    dated(app, BILL, "games", "+0100")
    assert "UTC" == zone_of_bill(app)


@pytest.mark.parametrize("words", ["say hello", "draw", "F9", "I shall think about it.", "set receipts on"])
def test_short_answers_have_no_board(app: App, words: str) -> None:
    a_game(app)
    writes(app, BILL, words)
    assert "The board" not in last_letter(app, BILL).text


def test_a_refusal_shows_the_board_where_the_answered_letter_has_an_older_one(app: App) -> None:
    turn, _ = a_game(app)
    reply(app, BILL, turn, "f2")
    writes(app, JOAO, "g3")
    reply(app, BILL, turn, "h9")
    assert "The board after move 2, g3:" in last_letter(app, BILL).text
