"""A newcomer's first game is against a bot, by moves alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import new_mail, reply_mail
from tests.apps import (
    BILL,
    JOAO,
    PLAY,
    last_letter,
    last_words,
    letters,
    load,
    mail,
    moves,
    player,
    register,
    reply,
    writes,
)
from tests.bots.test_playing import answer


def asks(app: App, words: str = "register Ana\nplay bipod") -> str:
    """A stranger asks to play; returns the first letter's text on one line."""
    assert "done" == mail(app, BILL, new_mail(BILL, PLAY, words))
    return last_words(app, BILL)


def seats(app: App) -> list[str]:
    return [seat.name for seat in load(app).seats]


def count_games(app: App) -> int:
    with app.store.read() as db:
        return len(list(db.exec_driver_sql("select id from games")))


def names(app: App) -> list[str]:
    with app.store.read() as db:
        return list(db.exec_driver_sql("select name from players order by id").scalars())


def test_two_mails_to_a_board_and_then_moves_alone_to_the_end(app: App) -> None:
    told = asks(app, "register Ana\nplay bipod size=3 rows=3")
    assert told.startswith("To play at localhost as Ana, answer with your first move.")
    answer(app)  # nobody has confirmed anything: no game, no thought
    assert 0 == count_games(app)
    example = told.split("for example ")[1].split(".")[0]
    assert "done" == writes(app, BILL, example.strip('"'))
    assert ["Ana", "bot3"] == seats(app)
    assert 1 == len(moves(app))
    answer(app)
    while (game := load(app)).state.ending is None:
        assert 0 == game.state.to_play
        assert "done" == writes(app, BILL, game.state.position.examples()[0])
        answer(app)
    assert game.state.ending.how in ("rules", "resign")
    assert len(letters(app, BILL)) >= len(moves(app)) // 2


@pytest.mark.parametrize(
    "words",
    [
        "f2 f4",
        "Hello there, how nice!\n\nf2 f4\n\nBest wishes\nAna",
        "yes\nf2 f4",
        "confirm\nf2 f4",
        "f2 f4\n-- \nAna Silva\nk3 Street 5",
    ],
)
def test_a_move_confirms_and_plays_whatever_stands_round_it(app: App, words: str) -> None:
    asks(app)
    assert "done" == writes(app, BILL, words)
    assert (["Ana", "bot3"], ["f2 f4"]) == (seats(app), moves(app))


def test_the_newest_name_counts_beside_a_move(app: App) -> None:
    asks(app)
    writes(app, BILL, "register Anna\nf2 f4")
    assert (["Anna", "bot3"], ["f2 f4"]) == (seats(app), moves(app))


def test_a_wrong_move_is_explained_and_the_game_waits_for_another(app: App) -> None:
    asks(app)
    writes(app, BILL, "f9")
    assert "f9" in last_words(app, BILL)
    assert "column f has rows 2, 4 and 6" in last_words(app, BILL)
    assert (["Ana", "bot3"], []) == (seats(app), moves(app))
    assert "done" == writes(app, BILL, "f2 f4")
    assert ["f2 f4"] == moves(app)


def test_a_move_inside_a_sentence_is_asked_about_and_nothing_is_lost(app: App) -> None:
    asks(app)
    writes(app, BILL, "I think my first move is f2 and f4")
    assert 'I see "f2 f4" in your answer' in last_words(app, BILL)
    assert 0 == count_games(app)
    writes(app, BILL, "f2 f4")
    assert ["f2 f4"] == moves(app)


def test_the_same_tiles_lie_on_the_board_that_is_asked_about_again(app: App) -> None:
    asks(app, "register Ana\nplay bagel")
    first = last_letter(app, BILL).text
    writes(app, BILL, "What is this?")
    board = first[first.index("The board before") : first.index("The game begins")]
    assert board in last_letter(app, BILL).text
    writes(app, BILL, "c4")
    assert ["c4"] == moves(app)


@pytest.mark.parametrize("second", ["f2 f4", "k3 w3", "yes"])
def test_a_second_answer_makes_no_second_game(app: App, second: str) -> None:
    asks(app)
    asked = last_letter(app, BILL)
    reply(app, BILL, asked, "f2 f4")
    answer(app)
    before = moves(app)
    reply(app, BILL, asked, second)
    assert 1 == count_games(app)
    assert before == moves(app)
    assert last_words(app, BILL)


def test_the_same_mail_twice_makes_no_second_game(app: App) -> None:
    asks(app)
    asked = last_letter(app, BILL)
    raw = reply_mail(asked, BILL, "f2 f4")
    for _ in range(2):
        mail(app, BILL, raw, asked.header("Reply-To"))
    assert (1, ["f2 f4"]) == (count_games(app), moves(app))


def test_yes_begins_the_game_that_is_shown_and_offers_it_in_public(app: App) -> None:
    asks(app)
    writes(app, BILL, "yes")
    assert "your offer 2 waits" in last_words(app, BILL)
    assert ["Ana", "bot3"] == seats(app)


def test_a_challenge_to_a_bot_is_a_first_game_too(app: App) -> None:
    asks(app, "register Ana\nchallenge bot2 bounders size=3")
    assert "answer with your first move" in last_words(app, BILL)
    example = last_words(app, BILL).split("for example ")[1].split(".")[0].strip('"')
    writes(app, BILL, example)
    assert (["Ana", "bot2"], [example]) == (seats(app), moves(app))


def test_who_wants_the_second_seat_says_yes(app: App) -> None:
    assert "first move" not in asks(app, "register Ana\nchallenge bot2 bounders size=3 second")
    writes(app, BILL, "yes")
    assert ["bot2", "Ana"] == seats(app)


def test_other_orders_are_done_beside_the_first_game(app: App) -> None:
    register(app, JOAO, "Joao")
    asks(app, "register Ana\nplay bipod\nchallenge Joao bipod")
    writes(app, BILL, "f2 f4")
    assert ["f2 f4"] == moves(app)
    assert "Ana" in last_words(app, JOAO)


def test_a_name_taken_meanwhile_is_asked_about_with_the_same_board(app: App) -> None:
    asks(app)
    asked = last_letter(app, BILL)
    register(app, JOAO, "Ana")
    reply(app, BILL, asked, "f2 f4")
    assert "The name Ana is taken" in last_words(app, BILL)
    writes(app, BILL, "f2 f4")
    assert (["Ana2", "bot3"], ["f2 f4"]) == (seats(app), moves(app))


class TestYes:
    """A yes to the letter with the board begins what the letter says."""

    @pytest.mark.parametrize("attempt", range(4))
    def test_the_newcomer_who_challenged_a_bot_moves_first(self, app: App, attempt: int) -> None:
        asks(app, "register Ana\nchallenge bot2 bagel")
        board = last_letter(app, BILL).text.split("The board before your first move:")[1].split("The one")[0]
        writes(app, BILL, "yes")
        assert (["Ana", "bot2"], []) == (seats(app), moves(app))
        assert [line for line in board.splitlines() if line.strip()][2] in last_letter(app, BILL).text

    def test_other_orders_are_done_beside_it(self, app: App) -> None:
        register(app, JOAO, "Joao")
        asks(app, "register Ana\nchallenge bot bipod\nchallenge Joao bipod")
        writes(app, BILL, "yes")
        assert 1 == count_games(app)
        assert ["Ana", "bot3"] == seats(app)
        assert "Ana" in last_words(app, JOAO)

    def test_a_move_to_the_same_letter_is_then_played_in_that_game(self, app: App) -> None:
        told = asks(app, "register Ana\nchallenge bot bipod")
        assert 'The one word "yes" begins it too.' in told
        asked = last_letter(app, BILL)
        reply(app, BILL, asked, "yes")
        reply(app, BILL, asked, "yes")
        reply(app, BILL, asked, "f2 f4")
        assert (1, ["f2 f4"]) == (count_games(app), moves(app))

    def test_an_order_beside_the_yes_takes_its_place(self, app: App) -> None:
        asks(app, "register Ana\nchallenge bot bipod")
        writes(app, BILL, "yes\nchallenge bot bagel")
        assert 1 == count_games(app)
        assert "bagel" == load(app).rules.key

    @pytest.mark.parametrize("order", ["challenge bot bipod", "play bipod", "challenge Joao bipod"])
    @pytest.mark.parametrize("answer", ["yes\nrules bagel", "confirm\n\nlearn bagel"])
    def test_rules_lessons_and_puzzles_beside_the_yes_take_no_place(
        self, app: App, order: str, answer: str
    ) -> None:
        register(app, JOAO, "Joao")
        asks(app, f"register Ana\n{order}")
        writes(app, BILL, answer)
        subjects = [each.header("Subject") for each in letters(app, BILL)]
        if "Joao" in order:
            assert "Ana" in last_words(app, JOAO), "the challenge"
        elif "bot" in order:
            assert ["Ana", "bot3"] == seats(app)
        else:
            assert "A game of Bipod" in subjects or ["Ana", "bot3"] == seats(app)
        assert any("Bagel" in words for words in subjects), subjects

    def test_what_the_yes_says_again_is_done_once(self, app: App) -> None:
        asks(app, "register Ana\nrules bagel")
        writes(app, BILL, "yes\nrules bagel")
        assert 1 == sum("Bagel" in each.header("Subject") for each in letters(app, BILL)[1:])


class TestWithoutBots:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOTS": "off"}

    def test_there_is_no_board(self, app: App) -> None:
        assert "first move" not in asks(app)
        writes(app, BILL, "f2 f4")
        assert [] == names(app)


class TestWithOtherLevels:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOTS": "1,2"}

    def test_bot_alone_is_the_nearest_to_the_third(self, app: App) -> None:
        asks(app)
        writes(app, BILL, "f2 f4")
        assert ["Ana", "bot2"] == seats(app)
        assert 2 == player(app, "bot2").bot
