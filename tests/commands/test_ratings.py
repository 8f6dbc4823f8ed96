"""Ratings by mail: on request, with the result, and beside names. They change however a game ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.play import director as play_director
from pbem.duties.game_clock import check_due_games
from pbem.inbox import director as inbox_director
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import games, players, ratings
from tests.apps import ANNA, BILL, JOAO, Clock, example, flat, last_words, letters, load, register, writes
from tests.commands.test_seeks import ask
from tests.store.test_ratings import all_rows

DAY = timedelta(days=1)


@pytest.fixture
def app(app: App) -> App:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    return app


def begin(app: App, words: str = "bipod 3d/move first", plies: int = 4, taker: str = JOAO) -> Game:
    """Begin a game of Bill's after some plies. Below four plies a game is not rated."""
    ask(app, BILL, f"seek {words}")
    with app.store.read() as db:
        number = max(games.list_game_ids(db), default=0) + 1
    ask(app, taker, f"take {number}")
    with app.store.read() as db:
        number = max(games.list_game_ids(db))
    for _ in range(plies):
        game = load(app, number)
        writes(app, game.seats[game.state.to_play or 0].address, example(game))
    return load(app, number)


def resigns(app: App, who: str) -> None:
    """Resign the newest letter's game. Before ply 10 the server asks for confirmation."""
    writes(app, who, "resign yes")


@pytest.mark.each_database
def test_the_result_tells_both_what_became_of_their_ratings(app: App) -> None:
    begin(app)
    resigns(app, JOAO)
    bills, joaos = last_words(app, BILL), last_words(app, JOAO)
    assert "Your rating in Bipod rises from 1500 to 1662?, that of Joao falls from 1500 to 1338?." in bills
    assert "Your rating in Bipod falls from 1500 to 1338?, that of Bill rises from 1500 to 1662?." in joaos
    assert "Ratings: Bill (1662?), Joao (1338?)" in bills


def test_a_dozen_games_resigned_at_once_move_no_rating_and_are_in_no_figure(app: App) -> None:
    for _ in range(12):
        begin(app, plies=0)
        resigns(app, JOAO)
        assert "The game is not rated: it had fewer than two moves of each of you." in last_words(app, BILL)
    assert "Bill, you have not finished a game against a person yet." in ask(app, BILL, "rating")
    with app.store.write() as db:
        kept = all_rows(db)
        assert ([], [], []) == (kept["rating_steps"], kept["ratings"], kept["summaries"])
        ratings.rebuild_ratings(db)
        assert kept == all_rows(db)


def test_an_unrated_game_says_nothing_of_ratings(app: App) -> None:
    begin(app)
    resigns(app, JOAO)
    begin(app, "bipod unrated first")
    assert "Ratings:" not in last_words(app, BILL)
    resigns(app, JOAO)
    assert "rating" not in last_words(app, BILL).lower()


def test_a_challenge_says_how_strong_whoever_challenges_is(app: App) -> None:
    begin(app)
    resigns(app, JOAO)
    ask(app, BILL, "challenge Joao bipod")
    assert "Ratings: Bill (1662?), Joao (1338?)" in last_words(app, JOAO)
    ask(app, BILL, "challenge Joao begird")
    assert "Ratings:" not in last_words(app, JOAO)


def test_whoever_asks_gets_his_ratings_or_somebodys(app: App) -> None:
    assert "Bill, you have not finished a game against a person yet." in ask(app, BILL, "rating")
    begin(app)
    resigns(app, JOAO)
    mine, his = ask(app, BILL, "rating"), ask(app, BILL, "rating joao")
    assert "Bipod rating 1662? 1 won, 0 drawn, 0 lost" in mine
    assert "this is what Joao has done" in his
    assert "Bipod rating 1338? 0 won, 0 drawn, 1 lost" in his
    assert "Nobody here is called Jaoo. Did you mean Joao?" in ask(app, BILL, "rating Jaoo")


def test_standings_are_of_the_game_named_or_of_all(app: App) -> None:
    assert "no game of Bipod between people has been finished here yet" in ask(app, BILL, "standings bipod")
    assert "Bipod: nobody has a sure rating yet" in ask(app, BILL, "standings")
    assert "No game is called chess here." in ask(app, BILL, "standings chess")
    assert "Standings of Hexagonal Thing" in _subject(app, BILL, "standings hexagonal thing")
    begin(app)
    resigns(app, JOAO)
    writes(app, BILL, "standings")
    assert "Bipod: nobody has a sure rating yet, you have 1662?" in last_words(app, BILL)
    assert "Your own rating of 1662? is provisional" in ask(app, BILL, "standings bipod")


def _subject(app: App, who: str, words: str) -> str:
    ask(app, who, words)
    return letters(app, who)[-1].header("Subject")


@pytest.mark.slow
def test_a_place_is_told_once_a_rating_is_sure(app: App) -> None:
    for n in range(24):
        taker = f"taker{n // 3}@example.org"
        if n % 3 == 0:
            register(app, taker, f"Taker{n // 3}")
        begin(app, taker=taker)
        resigns(app, BILL if n % 2 else taker)
    told = ask(app, BILL, "standings bipod")
    assert "1. Bill" in told
    assert "You are at place 1, with a rating of" in told


def test_a_game_lost_on_time_is_rated_by_the_clock(app: App, clock: Clock) -> None:
    game = begin(app, "bipod 1d/move first", plies=0)
    for who, move in ((BILL, "f2 f4 g3"), (JOAO, "e5 g1"), (BILL, "f6 h2 i1"), (JOAO, "E1")):
        writes(app, who, move)
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, game.id) or game
    assert 4 == len(game.state.plies)
    for _ in range(40):
        clock.now += DAY
        check_due_games(app)
    told = last_words(app, BILL)
    assert "Joao has won, Bill. You ran out of time, so you lose." in told
    assert "Your rating in Bipod falls from 1500" in told


def test_of_two_games_lost_on_time_the_second_says_why_it_changed_no_rating(app: App, clock: Clock) -> None:
    for _ in range(2):
        begin(app, "bipod 1d/move first", plies=0)
        for who, move in ((BILL, "f2"), (JOAO, "e5"), (BILL, "f6"), (JOAO, "g1")):
            writes(app, who, move)
    for _ in range(20):
        clock.now += DAY
        check_due_games(app)
    first, second = (flat(letter.text) for letter in letters(app, JOAO) if "You have won" in letter.text)
    assert "Your rating in Bipod rises from 1500 to 1662?" in first
    why = "of several games of Bipod that somebody loses on time within 14 days the first alone is rated."
    assert f"The ratings stay as they were: {why}" in second


def test_a_game_in_which_a_seat_changed_hands_says_so_where_it_changed_no_rating(app: App) -> None:
    game = begin(app)
    register(app, ANNA, "Anna")
    with app.store.read() as db:
        anna = players.player_by_name(db, "Anna")
    assert anna is not None
    inbox_director.decide_as_director(
        app, game.id, lambda game, at: play_director.replace_seated(game, 1, anna, "Joao has moved.", at)
    )
    writes(app, BILL, "resign yes")
    told = last_words(app, BILL)
    assert "The ratings stay as they were, for a seat in this game has changed hands." in told


@pytest.mark.each_database
def test_what_the_director_undoes_is_undone_in_the_ratings_too(app: App) -> None:
    game = begin(app)
    resigns(app, JOAO)
    inbox_director.decide_as_director(
        app, game.id, lambda game, at: play_director.rollback(game, 4, "a mistake", at)
    )
    assert "Bill, you have not finished a game against a person yet." in ask(app, BILL, "rating")
    inbox_director.decide_as_director(
        app, game.id, lambda game, at: play_director.adjudicate(game, "second", "so it is", at)
    )
    assert "Bipod rating 1338? 0 won, 0 drawn, 1 lost" in ask(app, BILL, "rating")
    with app.store.write() as db:
        kept = all_rows(db)
        ratings.rebuild_ratings(db)
        assert kept == all_rows(db)


def test_a_crash_before_the_commit_rates_nothing_and_the_next_attempt_once(app: App, clock: Clock) -> None:
    begin(app)
    letter = letters(app, JOAO)[-1]
    (key,) = receive(app, reply_mail(letter, JOAO, "resign yes"), JOAO, [letter.header("Reply-To")])

    def dies(step: str) -> None:
        if step == "write":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process(replace(app, step=dies), int(key[1:]))
    with app.store.read() as db:
        assert [] == all_rows(db)["results"]
    clock.pass_by(seconds=20)
    process(app, int(key[1:]))
    with app.store.read() as db:
        assert (1, 2) == (len(all_rows(db)["results"]), len(all_rows(db)["rating_steps"]))


def unrated(app: App, who: str) -> bool:
    return "Rated: no, you two have begun three rated ones in 30 days" in last_words(app, who)


def rated(app: App) -> list[bool]:
    """Whether each game is rated, in order."""
    with app.store.read() as db:
        return [load(app, number).rated for number in sorted(games.list_game_ids(db))]


def test_the_fourth_rated_game_of_two_players_within_thirty_days_is_unrated(app: App, clock: Clock) -> None:
    for _ in range(3):
        begin(app)
        resigns(app, JOAO)
        clock.now += DAY
    ask(app, BILL, "challenge Joao bipod 3d/move")
    assert unrated(app, BILL)
    assert unrated(app, JOAO)
    ask(app, JOAO, "accept")
    assert [True, True, True, False] == rated(app)
    ask(app, BILL, "challenge Joao bagel 3d/move")
    assert not unrated(app, JOAO), "of each game there are three"
    clock.now += 28 * DAY
    ask(app, JOAO, "challenge Bill bipod 3d/move")
    assert not unrated(app, BILL)


def test_a_seek_taken_as_the_fourth_rated_game_is_unrated_and_both_are_told(app: App) -> None:
    for _ in range(3):
        begin(app, plies=0)
    begin(app, plies=0)
    assert [True, True, True, False] == rated(app)
    assert unrated(app, BILL)
    assert unrated(app, JOAO)


def test_games_that_ended_too_early_to_be_rated_use_up_no_rated_game(app: App) -> None:
    for _ in range(4):
        begin(app, plies=0)
        resigns(app, JOAO)
    assert [True] * 4 == rated(app)


def test_games_given_up_before_two_moves_each_are_in_no_figure(app: App) -> None:
    for _ in range(3):
        ask(app, BILL, "challenge Joao bipod 3d/move")
        ask(app, JOAO, "accept")
        writes(app, JOAO, "resign yes")
    assert "rating" not in last_words(app, BILL).partition("Fingerprint")[0].partition("Your rating")[1]
    with app.store.read() as db:
        rows = all_rows(db)
    assert not rows["rating_steps"]
    assert not rows["ratings"]
    assert not rows["summaries"]


def test_a_size_outside_the_rated_range_is_unrated_and_the_letters_say_which_are_rated(app: App) -> None:
    ask(app, BILL, "challenge Joao bipod size=3 3d/move")
    told = "Rated: no, rated are size 4 to 8, middle 3 to 8, rows 5 to 9"
    assert told in last_words(app, BILL)
    assert told in last_words(app, JOAO)
    ask(app, JOAO, "accept")
    assert told in last_words(app, JOAO)
    assert [False] == rated(app)
    ask(app, BILL, "seek bipod size=8 rows=4")
    assert told in last_words(app, BILL)
    ask(app, BILL, "seek bipod size=4")
    assert "Rated: yes" in last_words(app, BILL)
    ask(app, BILL, "rules bipod")
    assert "Rated games have size 4 to 8, middle 3 to 8, rows 5 to 9. Other sizes" in last_words(app, BILL)
