"""Seeks by rating and standing seeks, by mail."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import isclose

import pytest
from sqlalchemy import insert, update

from pbem.app import App
from pbem.core.ratings.glicko import NEWCOMER, Rating, is_near, max_distance
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.store import challenges
from pbem.store.tables import games
from pbem.store.tables.ratings import ratings
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
    ask,
    last_words,
    letters,
    load,
    mail,
    player,
    register,
    state,
    writes,
)

CARL = "carl@example.com"


@pytest.fixture
def app(app: App) -> App:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna"), (CARL, "Carl")):
        register(app, who, name)
    return app


def rate(app: App, name: str, value: float, deviation: float = 60.0) -> None:
    """Give a player a rating in Bipod."""
    row = {"rules": "bipod", "player_id": player(app, name).id, "value": value, "deviation": deviation}
    row |= {"volatility": 0.06, "at": app.now(), "rated": 20, "won": 10, "drawn": 0, "lost": 10}
    row |= {"turns": 0, "late": 0}
    with app.store.write() as db:
        db.execute(insert(ratings).values(row))


def waiting(app: App) -> list[int]:
    with app.store.read() as db:
        return [seek.id for seek in challenges.open_seeks(db, app.games_by_key, app.now())]


SURE = Rating(1800, 60)


def test_two_are_near_where_the_weaker_expects_a_quarter_of_the_points() -> None:
    assert isclose(197, max_distance(SURE, SURE), abs_tol=1)
    assert isclose(287, max_distance(SURE, NEWCOMER), abs_tol=1)
    assert isclose(355, max_distance(NEWCOMER, NEWCOMER), abs_tol=1)
    assert is_near(SURE, Rating(1996, 60))
    assert not is_near(SURE, Rating(1998, 60))
    assert is_near(Rating(1786, 60), NEWCOMER)
    assert not is_near(SURE, NEWCOMER)


def test_a_seek_about_my_strength_is_taken_by_whoever_is_near_and_by_nobody_else(app: App) -> None:
    rate(app, "Bill", 1800)
    rate(app, "Joao", 1950)
    rate(app, "Anna", 1400)
    told = ask(app, BILL, "seek bipod about my strength")
    assert "Only players about as strong as you in Bipod may take it." in told
    assert "for players nearer to their own strength" in ask(app, ANNA, "seeks")
    refused = ask(app, ANNA, "take 1")
    assert "Seek 1 is for players about as strong as Bill" in refused
    assert "you have 1400 and Bill has 1800; between you two 197 points are the most" in refused
    assert "question mark" not in refused
    assert "Seek 1: Bill seeks Bipod" in ask(app, JOAO, "seeks")
    assert "you have taken seek 1 of Bill" in ask(app, JOAO, "take 1")


def test_a_newcomer_has_more_room_and_is_told_why_it_is_not_enough(app: App) -> None:
    rate(app, "Bill", 1780)
    rate(app, "Joao", 1900)
    ask(app, BILL, "seek bipod near my level")
    ask(app, JOAO, "seek bipod about my own strength")
    refused = ask(app, ANNA, "take 2")
    assert "you have 1500? and Joao has 1900; between you two 287 points are the most" in refused
    assert "The question mark says that we do not know your strength well yet." in refused
    assert "you have taken seek 1 of Bill" in ask(app, ANNA, "take 1")


def test_play_offers_no_seek_that_is_for_others(app: App) -> None:
    rate(app, "Bill", 1900)
    ask(app, BILL, "seek bipod about my strength")
    assert "your offer 2 waits in public" in ask(app, ANNA, "play bipod")


@pytest.mark.parametrize(
    "words",
    [
        "seek about my strength bipod up to 3",
        "seek bipod up to 3 games at a time about my rating",
        "seek up to 3 bipod my level",
    ],
)
def test_the_words_stand_in_any_order(app: App, words: str) -> None:
    ask(app, BILL, words)
    (seek,) = own(app)
    assert (True, 3, "bipod") == (seek.near, seek.up_to, seek.rules.key)


def own(app: App, name: str = "Bill") -> list[challenges.Seek]:
    with app.store.read() as db:
        return challenges.own_seeks(db, app.games_by_key, player(app, name), app.now())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("seek bipod up to 1", "for 2 to 9 games at a time"),
        ("seek bipod up to 0", "for 2 to 9 games at a time"),
        ("seek bipod up to 99", "for 2 to 9 games at a time"),
        ("seek bipod up to 3 bots welcome", "No bot takes a standing seek"),
        ("seek chess about my strength", "No game is called chess here."),
    ],
)
def test_a_standing_seek_that_cannot_be_is_refused(app: App, words: str, why: str) -> None:
    assert why in ask(app, BILL, words)
    assert [] == waiting(app)


@pytest.mark.parametrize(
    "words", ["seek up to 3", "seek a game about my strength for me", "seek bipod up to you"]
)
def test_prose_about_strength_stays_prose(app: App, words: str) -> None:
    assert "I did not understand" in ask(app, BILL, words)


def test_a_standing_seek_waits_on_until_so_many_games_run_and_again_when_one_is_over(app: App) -> None:
    assert "until 2 games of it run" in ask(app, BILL, "seek bipod up to 2\nGood luck!")
    begun = ask(app, JOAO, "take 1")
    assert "you have taken seek 1 of Bill" in begun
    assert "Good luck!" in begun
    assert "1 of up to 2 games run" in last_words(app, BILL)
    assert "You have taken seek 1 before, and that game still runs" in ask(app, JOAO, "take 1")
    begun = ask(app, ANNA, "take 1")
    assert "Good luck!" in begun
    assert [] == waiting(app)
    refused = ask(app, CARL, "take 1")
    assert "2 games of seek 1 run, as many as Bill wants at a time" in refused
    assert "2 of up to 2 games run" in ask(app, BILL, "seeks")
    ask(app, JOAO, "game 1\nresign yes")
    assert [1] == waiting(app)
    assert "you have taken seek 1 of Bill" in ask(app, CARL, "take 1")
    assert ("Bill", "Carl") == tuple(sorted(each.name for each in load(app, 3).seats))


def test_withdraw_ends_a_standing_seek_while_its_games_run(app: App) -> None:
    ask(app, BILL, "seek bipod up to 2")
    ask(app, JOAO, "take 1")
    ask(app, ANNA, "take 1")
    assert "you have taken back seek 1" in ask(app, BILL, "withdraw")
    ask(app, JOAO, "game 1\nresign yes")
    assert [] == waiting(app)
    assert "Seek 1 is not open any more" in ask(app, CARL, "take 1")
    assert load(app, 2).state.ending is None


def test_a_standing_seek_waits_ninety_days_from_the_last_game_and_ends_with_a_silent_seeker(
    app: App, clock: Clock
) -> None:
    ask(app, BILL, "seek bipod none unrated up to 2")
    clock.pass_by(days=89)
    ask(app, JOAO, "take 1")
    clock.pass_by(days=89)
    assert [1] == waiting(app)
    clock.pass_by(days=1)
    assert [] == waiting(app)


def test_a_standing_seek_ends_when_its_seeker_loses_a_game_of_it_on_time(app: App) -> None:
    ask(app, BILL, "seek bipod up to 2")
    ask(app, JOAO, "take 1")
    lost = load(app, 1)
    assert lost.seat_of(player(app, "Joao")) is not None
    end(app, "timeout", winner="Bill")
    assert [1] == waiting(app)
    end(app, "timeout", winner="Joao")
    assert [] == waiting(app)
    assert [] == own(app)
    assert "Seek 1 is not open any more" in ask(app, ANNA, "take 1")
    end(app, "void", winner="")
    assert [] == waiting(app)


def end(app: App, how: str, winner: str) -> None:
    """Write the end of game 1 into its row."""
    seat = load(app, 1).seat_of(player(app, winner)) if winner else None
    with app.store.write() as db:
        values = {"ended_at": app.now(), "ended_by": how, "winner": seat, "to_play": None}
        db.execute(update(games).where(games.c.id == 1).values(values))


def test_limits_of_games_and_seeks_hold_for_standing_seeks(app: App) -> None:
    for pace in range(1, 6):
        ask(app, BILL, f"seek bipod {pace}d/move up to 2")
    assert "You have 5 seeks open" in ask(app, BILL, "seek bipod 6d/move")
    assert "Your seek 1 for the same game waits already" in ask(app, BILL, "seek bipod 1d/move up to 4")
    ask(app, JOAO, "take 1")
    ask(app, BILL, "limit bipod 1")
    assert "No game of Bipod with Bill can begin" in ask(app, ANNA, "take 1")


@pytest.mark.each_database
def test_the_last_place_of_a_standing_seek_is_taken_once(app: App) -> None:
    ask(app, BILL, "seek bipod up to 2")
    ask(app, JOAO, "take 1")
    keys = []
    for who in (ANNA, CARL):
        letter = next(each for each in letters(app, who) if "Welcome" in each.header("Subject"))
        keys += receive(app, reply_mail(letter, who, "take 1"), who, [letter.header("Reply-To")])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert ["done", "refused"] == sorted(state(app, key) for key in keys)
    assert "2 of up to 2 games run" in ask(app, BILL, "seeks")


def test_a_newcomer_s_seek_keeps_its_terms_until_the_name_is_confirmed(app: App) -> None:
    dora = "dora@example.com"
    mail(app, dora, new_mail(dora, PLAY, "register Dora\nseek bipod up to 2 about my strength"))
    writes(app, dora, "yes")
    (seek,) = own(app, "Dora")
    assert (True, 2) == (seek.near, seek.up_to)


def test_a_stranger_is_offered_no_seek_that_a_newcomer_may_not_take(app: App) -> None:
    rate(app, "Bill", 2000)
    ask(app, BILL, "seek bipod about my strength")
    ask(app, JOAO, "seek bipod about my strength")
    dora = "dora@example.com"
    mail(app, dora, new_mail(dora, PLAY, "register Dora\nplay bipod"))
    offered = last_words(app, dora)
    assert "Seek 2: Joao" in offered
    assert "Seek 1" not in offered


def test_play_tells_how_many_games_of_one_s_own_standing_seek_run(app: App) -> None:
    ask(app, BILL, "seek bipod up to 2")
    ask(app, JOAO, "take 1")
    assert "1 of up to 2 games of it run now" in ask(app, BILL, "play bipod")
