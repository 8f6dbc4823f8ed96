"""Letters about new seeks: who gets them, when, and who never does."""

from __future__ import annotations

import re

import pytest

from pbem.app import App
from pbem.duties.digest import send_digests
from pbem.duties.seek_letters import send_seek_letters
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from tests.apps import ANNA, BILL, JOAO, Clock, ask, letters, mail, player, register, reply, writes
from tests.commands.test_finding import rate

CARL = "carl@example.com"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_RUNNING_GAMES": "2"}


@pytest.fixture
def app(app: App) -> App:
    for who, name in ((ANNA, "Anna"), (BILL, "Bill"), (JOAO, "Joao"), (CARL, "Carl")):
        register(app, who, name)
    return app


def told(app: App, who: str = ANNA) -> list[ReceivedLetter]:
    """The letters about seeks that the next round brings."""
    before = len(letters(app, who))
    send_seek_letters(app)
    return letters(app, who)[before:]


def welcome(app: App, who: str, words: str) -> str:
    """Answer a letter that is about no game."""
    letter = next(each for each in letters(app, who) if "Welcome" in each.header("Subject"))
    return reply(app, who, letter, words)


def test_nobody_is_told_who_has_not_asked(app: App) -> None:
    ask(app, BILL, "seek bipod")
    assert 0 == send_seek_letters(app)


def test_a_new_seek_is_told_once_with_the_answer_that_takes_it(app: App) -> None:
    ask(app, JOAO, "seek bipod 5d/move")
    assert "seeks is now on" in ask(app, ANNA, "set seeks on")
    assert [] == told(app)
    ask(app, BILL, "seek bipod 3d/move")
    (letter,) = told(app)
    assert "Bill seeks a game of Bipod" == letter.header("Subject")
    assert "Seek 2: Bill seeks Bipod" in letter.text
    assert "Seek 1" not in letter.text
    assert "body=take%202" in letter.html
    assert [] == told(app)
    assert "done" == reply(app, ANNA, letter, "take 2")
    assert "you have taken seek 2 of Bill" in letters(app, ANNA)[-1].text


def test_at_most_one_letter_comes_a_day_and_it_has_all_that_still_waits(app: App, clock: Clock) -> None:
    ask(app, ANNA, "set seeks on")
    ask(app, BILL, "seek bipod")
    assert 1 == len(told(app))
    ask(app, BILL, "seek begird")
    ask(app, JOAO, "seek bagel")
    ask(app, JOAO, "seek bounders")
    clock.pass_by(hours=23)
    assert [] == told(app)
    ask(app, JOAO, "withdraw 4")
    clock.pass_by(hours=1)
    (letter,) = told(app)
    assert "2 new seeks" == letter.header("Subject")
    assert ["2", "3"] == re.findall(r"Seek (\d+):", letter.text)


def test_only_seeks_of_the_games_wanted_are_told(app: App) -> None:
    assert "seeks is now bipod bounders" in ask(app, ANNA, "set seeks Bipod, bounders and bipod")
    ask(app, BILL, "seek begird")
    assert [] == told(app)
    ask(app, BILL, "seek bounders")
    (letter,) = told(app)
    assert "Bounders" in letter.header("Subject")
    assert "Begird" not in letter.text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("set seeks chess", "No game is called chess"),
        ("set seeks bipod chess", "No game is called chess"),
        ("set seeks", "To set seeks, write what it shall be"),
    ],
)
def test_what_is_no_game_is_refused_and_changes_nothing(app: App, words: str, why: str) -> None:
    assert why in ask(app, ANNA, words)
    assert "seeks" not in player(app, "Anna").preferences.more


def test_a_game_of_two_words_can_be_named_in_any_place(app: App) -> None:
    assert "seeks is now hexthing bipod" in ask(app, ANNA, "set seeks hexagonal thing bipod")
    assert "seeks is now off" in ask(app, ANNA, "set seeks off")
    ask(app, BILL, "seek bipod")
    assert [] == told(app)


def test_the_seeker_and_players_with_a_block_hear_nothing(app: App) -> None:
    for who in (ANNA, BILL, JOAO):
        ask(app, who, "set seeks on")
    ask(app, BILL, "block Anna")
    ask(app, BILL, "seek bipod")
    assert 1 == send_seek_letters(app)
    assert "Bill seeks a game of Bipod" == letters(app, JOAO)[-1].header("Subject")


def test_nobody_without_room_is_told_before_there_is_room(app: App, clock: Clock) -> None:
    for number, pace in enumerate(("5d/move", "6d/move"), 1):
        ask(app, ANNA, f"challenge Joao bipod {pace} first")
        writes(app, JOAO, f"accept {number}")
    welcome(app, ANNA, "set seeks on")
    ask(app, BILL, "seek bipod")
    assert [] == told(app)
    welcome(app, ANNA, "game 1\nresign yes")
    clock.pass_by(days=1)
    assert 1 == len(told(app))


def test_neither_a_limit_of_one_s_own_nor_one_of_the_seeker_is_passed_over(app: App) -> None:
    ask(app, ANNA, "limit bipod 0\nset seeks on")
    ask(app, BILL, "seek bipod")
    assert [] == told(app)
    ask(app, BILL, "seek begird")
    ask(app, BILL, "limit begird 0")
    assert [] == told(app)


def test_nothing_comes_at_night(app: App, clock: Clock) -> None:
    ask(app, ANNA, "set seeks on")
    clock.pass_by(hours=11)
    ask(app, BILL, "seek bipod")
    assert [] == told(app)
    clock.pass_by(hours=7)
    assert [] == told(app)
    clock.pass_by(hours=1)
    assert 1 == len(told(app))


def test_the_digest_brings_them_instead(app: App, clock: Clock) -> None:
    ask(app, ANNA, "set seeks on\ndigest 20")
    ask(app, BILL, "seek bipod")
    assert [] == told(app)
    clock.pass_by(hours=9)
    send_digests(app)
    digest = letters(app, ANNA)[-1]
    assert "New seeks for your games" in digest.html
    assert "Seek 1: Bill seeks Bipod" in digest.text
    assert "done" == reply(app, ANNA, digest, "take 1")
    count = len(letters(app, ANNA))
    clock.pass_by(days=2)
    send_digests(app)
    assert all("New seeks" not in letter.text for letter in letters(app, ANNA)[count:])


def test_the_link_in_the_letter_ends_them_and_the_setting_brings_them_again(app: App, clock: Clock) -> None:
    ask(app, ANNA, "set seeks on")
    ask(app, BILL, "seek bipod")
    (letter,) = told(app)
    (address,) = re.findall(r"mailto:(\S+?)\?", letter.header("List-Unsubscribe"))
    assert "done" == mail(app, ANNA, new_mail(ANNA, address, ""), address)
    clock.pass_by(days=1)
    ask(app, BILL, "seek begird")
    assert [] == told(app)
    welcome(app, ANNA, "set seeks on")
    clock.pass_by(days=1)
    (letter,) = told(app)
    assert "Begird" in letter.header("Subject")


def test_a_seek_for_players_of_another_strength_is_not_told(app: App) -> None:
    ask(app, ANNA, "set seeks on")
    rate(app, "Bill", 2000)
    ask(app, BILL, "seek bipod about my strength")
    assert [] == told(app)


@pytest.mark.each_database
def test_two_rounds_tell_a_seek_once(app: App) -> None:
    ask(app, ANNA, "set seeks on")
    ask(app, JOAO, "set seeks bipod")
    ask(app, BILL, "seek bipod")
    assert [2, 0] == [send_seek_letters(app) for _ in range(2)]


def test_help_tells_of_the_setting_and_of_the_command(app: App) -> None:
    told = ask(app, ANNA, "help seeks")
    assert "you see who waits for a game" in told
    assert "you get a letter when somebody seeks a game" in told
    assert "only players near to your rating" in ask(app, ANNA, "help strength")
