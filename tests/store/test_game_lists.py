"""Lists by key, counts and versions for pages, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.app import App
from pbem.store import game_lists, players
from pbem.store.game_lists import GamesPage
from pbem.store.game_search import GameQuery
from rules import RULES
from tests.apps import player
from tests.people import NOON
from tests.web.library import PUBLIC, a_short_game, begin, open_library, play, the_seeds_game

pytestmark = pytest.mark.each_database


@pytest.fixture
def app(tmp_path: Path, database_url: str) -> Iterator[App]:
    app = open_library(tmp_path, database_url, **PUBLIC)
    yield app
    app.close()


def numbers(page: GamesPage) -> list[int]:
    return [game.id for game in page.games]


def test_a_list_goes_from_page_to_page_by_number_and_back_with_nothing_lost_or_twice(app: App) -> None:
    for _ in range(5):
        begin(app)
    with app.store.read() as db:
        page = game_lists.page_of_games(db, app.games_by_key, GameQuery(), most=2)
        assert ([5, 4], 4, None) == (numbers(page), page.older, page.newer)
        page = game_lists.page_of_games(db, app.games_by_key, GameQuery(), before=page.older, most=2)
        assert ([3, 2], 2, 3) == (numbers(page), page.older, page.newer)
        page = game_lists.page_of_games(db, app.games_by_key, GameQuery(), before=page.older, most=2)
        assert ([1], None, 1) == (numbers(page), page.older, page.newer)
        page = game_lists.page_of_games(db, app.games_by_key, GameQuery(), after=page.newer, most=2)
        assert ([3, 2], 2, 3) == (numbers(page), page.older, page.newer)
        page = game_lists.page_of_games(db, app.games_by_key, GameQuery(), after=page.newer, most=2)
        assert ([5, 4], 4, None) == (numbers(page), page.older, page.newer)


def test_a_game_that_begins_meanwhile_moves_nothing_on_the_next_page(app: App) -> None:
    for _ in range(4):
        begin(app)
    with app.store.read() as db:
        before = game_lists.page_of_games(db, app.games_by_key, GameQuery(), before=3, most=2)
    begin(app)
    with app.store.read() as db:
        assert before == game_lists.page_of_games(db, app.games_by_key, GameQuery(), before=3, most=2)


def test_games_are_chosen_by_game_player_state_and_result(app: App) -> None:
    the_seeds_game(app)  # 1: Bill, first, beats Joao
    a_short_game(app)  # 2: Anna, second, beats Bill
    begin(app, "Anna", "Joao")  # 3 runs
    anna = player(app, "Anna").id
    chosen = {
        GameQuery(): [3, 2, 1],
        GameQuery(rules="bipod"): [3, 2, 1],
        GameQuery(rules="chess"): [],
        GameQuery(player=anna): [3, 2],
        GameQuery(player=0): [],
        GameQuery(state="running"): [3],
        GameQuery(state="finished"): [2, 1],
        GameQuery(state="first"): [1],
        GameQuery(state="second"): [2],
        GameQuery(state="draw"): [],
        GameQuery(player=anna, state="finished"): [2],
    }
    with app.store.read() as db:
        for wanted, expected in chosen.items():
            assert expected == numbers(game_lists.page_of_games(db, app.games_by_key, wanted)), wanted
            assert len(expected) == game_lists.count_wanted(db, app.games_by_key, wanted).every, wanted
        assert (1, 2) == (
            game_lists.count_wanted(db, app.games_by_key).running,
            game_lists.count_wanted(db, app.games_by_key).finished,
        )


def test_a_listed_game_says_whose_turn_it_is_or_who_won_and_why(app: App) -> None:
    the_seeds_game(app)
    play(app, begin(app), ["f2"])
    with app.store.read() as db:
        running, finished = game_lists.page_of_games(db, app.games_by_key, GameQuery()).games
    assert ("Joao", None, 1) == (running.turn, running.won, running.plies)
    assert (None, "Bill", "Joao resigned") == (finished.turn, finished.won, finished.reason)


def test_results_come_in_the_order_in_which_games_ended(app: App) -> None:
    begin(app)
    the_seeds_game(app)
    a_short_game(app)  # it ended before the longer game 2
    with app.store.read() as db:
        assert [2, 3] == [game.id for game in game_lists.newest_results(db, app.games_by_key, 5)]
        assert [1] == [game.id for game in game_lists.newest_running(db, app.games_by_key, 5)]


def test_names_next_to_a_misspelt_one_are_suggested_among_however_many(app: App) -> None:
    with app.store.write() as db:
        for n in range(30):
            players.add_player(db, f"J{n:03}", f"j{n}@example.org", NOON)
        for n in range(30):
            players.add_player(db, f"Jz{n:03}", f"jz{n}@example.org", NOON)
        near = players.names_like(db, "JOAOO", 10)
        assert "Joao" in near
        assert 10 >= len(near)
        assert [] == players.names_like(db, "Q")


def test_games_whose_rules_are_not_installed_any_more_are_not_listed(app: App) -> None:
    begin(app)
    gone = replace(app, games_by_key={key: RULES[key] for key in RULES if key != "bipod"})
    with app.store.read() as db:
        assert [] == numbers(game_lists.page_of_games(db, gone.games_by_key, GameQuery()))
        assert 0 == game_lists.count_wanted(db, gone.games_by_key).every


def test_freshness_changes_with_every_entry(app: App) -> None:
    game = begin(app)
    seen = []
    for move in ("f2", "g3"):
        with app.store.read() as db:
            seen.append(game_lists.freshness(db, game.id))
        game = play(app, game, [move])
    with app.store.read() as db:
        seen.append(game_lists.freshness(db, game.id))
        assert game_lists.last_change_at(db) == game.journal[-1].at
        assert game_lists.freshness(db, 99) is None
    assert 3 == len(set(seen))
