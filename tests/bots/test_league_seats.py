"""Bots on empty seats of a league: at the start, and where somebody leaves."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.bots.playing import play_one
from pbem.core.events import league
from pbem.core.events.season import Division
from pbem.core.game.game import Game
from pbem.core.players import Player
from pbem.duties.leagues import withdraw
from pbem.inbox.process import work_through
from pbem.store import events, players
from pbem.worker.events import check_events
from tests.apps import DAY, Clock, flat, letters, load
from tests.inbox.ladders import says
from tests.inbox.seasons import (
    a_league,
    address_of,
    all_games,
    confirm,
    current,
    divisions,
    finish,
    going,
    rows_follow_from_the_journal,
)

BOTS = 2


@pytest.fixture
def ids(app: App, clock: Clock) -> list[int]:
    """Four players who have joined a league in which bots may play."""
    ids = a_league(app, clock, 4, size=4, at_once=3, bots=BOTS)
    clock.now += 8 * DAY
    check_events(app)
    return ids


def begin(app: App, clock: Clock, *ready: int) -> None:
    """Begin the season with those who have said yes."""
    confirm(app, *ready)
    clock.now += 7 * DAY
    check_events(app)


def names(app: App) -> set[str]:
    (division,) = divisions(app, current(app).id)
    return {line.name for line in division.lines}


def games_of(app: App) -> list[Game]:
    return [load(app, each.game) for each in all_games(app, current(app).id) if each.game]


def test_bots_take_the_seats_that_are_missing(app: App, clock: Clock, ids: list[int]) -> None:
    begin(app, clock, *ids[:2])
    assert {"P001", "P002", "bot1", "bot2"} == names(app)
    begun = games_of(app)
    assert 6 == len(begun)
    for game in begun:
        assert game.rated == (not any(seated.bot for seated in game.seats))
    told = [" ".join(letter.text.split()) for letter in letters(app, address_of(1))]
    assert 1 == sum("are computers: games with them are unrated." in each for each in told)
    assert rows_follow_from_the_journal(app, current(app).id)


def test_a_bot_plays_the_games_of_its_seat(app: App, clock: Clock, ids: list[int]) -> None:
    begin(app, clock, *ids[:3])
    assert {"P001", "P002", "P003", "bot2"} == names(app)
    first = next(game for game in games_of(app) if game.seats[0].bot)
    while play_one(app):
        work_through(app)
    assert 1 == len(load(app, first.id).state.plies)


def test_what_counts_in_a_league_has_no_hints_and_no_moves_back(
    app: App, clock: Clock, ids: list[int]
) -> None:
    begin(app, clock, *ids[:3])
    game = next(each for each in games_of(app) if each.seats[1].bot)
    number = int(game.seats[0].name[1:])
    assert "counts in an event" in says(app, number, f"game {game.id}\nhint")
    says(app, number, f"game {game.id}\n{game.state.examples[0]}")
    while play_one(app):
        work_through(app)
    before = len(load(app, game.id).state.plies)
    says(app, number, f"game {game.id}\nundo")
    while play_one(app):
        work_through(app)
    assert before == len(load(app, game.id).state.plies)
    assert "bot2 declines" in flat(letters(app, address_of(number))[-1].text)


def test_two_bots_play_their_game_on(app: App, clock: Clock, ids: list[int]) -> None:
    begin(app, clock, *ids[:2])
    (number,) = (game.id for game in games_of(app) if all(seated.bot for seated in game.seats))
    for _ in range(40):
        clock.pass_by(minutes=1)
        if not play_one(app) or len(load(app, number).state.plies) >= 5:
            break
    assert 5 <= len(load(app, number).state.plies)


@pytest.mark.parametrize("ready", [0, 1])
def test_a_season_of_bots_does_not_begin(app: App, clock: Clock, ids: list[int], ready: int) -> None:
    """Two bots and one player are too few, and bots do not meet for nobody."""
    begin(app, clock, *ids[:ready])
    assert league.OPEN == current(app).state
    assert [] == all_games(app, current(app).id)


def test_without_leave_of_the_league_no_bot_plays(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 3)
    clock.now += 8 * DAY
    check_events(app)
    begin(app, clock, *ids)
    assert league.OPEN == current(app).state


class TestLeaving:
    """Somebody leaves a season early, and nobody is on the standby list."""

    @pytest.fixture(autouse=True)
    def begun(self, app: App, clock: Clock, ids: list[int]) -> None:
        begin(app, clock, *ids)

    def leave(self, app: App, id: int) -> None:
        with app.store.write() as db:
            event = events.lock_event(db, current(app).id)
            leaver = players.player_by_id(db, id)
            assert event is not None and leaver is not None
            withdraw(db, event, leaver, "asked", app.now(), app.config.bots)
        check_events(app)

    def test_a_bot_takes_the_place_and_goes_on_in_the_games(self, app: App, ids: list[int]) -> None:
        mine = [each for each in going(app, current(app).id, 1) if each.has(ids[0])]
        finish(app, mine[0].game or 0, 0 if mine[0].first == ids[0] else 1)
        check_events(app)
        self.leave(app, ids[0])
        (division,) = divisions(app, current(app).id)
        assert {"P002", "P003", "P004", "bot2"} == names(app)
        assert 1 == points(division, "bot2")
        for each in mine[1:]:
            game = load(app, each.game or 0)
            assert game.state.ending is None
            assert any(seated.bot for seated in game.seats)
        assert rows_follow_from_the_journal(app, current(app).id)

    def test_a_bot_takes_the_place_of_who_leaves_in_one_mail(self, app: App, ids: list[int]) -> None:
        says(app, 1, "leave bipod league yes")
        check_events(app)
        assert {"P002", "P003", "P004", "bot2"} == names(app)
        told = [each.text for each in letters(app, address_of(2))]
        assert any("the computer goes on" in flat(text) for text in told)

    def test_late_in_the_season_the_games_are_forfeits(self, app: App, clock: Clock, ids: list[int]) -> None:
        clock.now += 31 * DAY
        self.leave(app, ids[0])
        assert {"P001", "P002", "P003", "P004"} == names(app)

    def test_the_next_season_is_one_of_people(self, app: App, ids: list[int]) -> None:
        self.leave(app, ids[0])
        before = current(app).id
        for each in going(app, before, 1):
            finish(app, each.game or 0, 0)
        check_events(app)
        following = current(app)
        assert before != following.id
        assert set(ids[1:]) == {each.id for each in entered(app, following.id)}


def points(division: Division, name: str) -> float:
    return next(line.points for line in division.lines if line.name == name)


def entered(app: App, event: int) -> list[Player]:
    with app.store.read() as db:
        there = events.players_in(db, event, league.ENTERED)
        return list(players.players_by_ids(db, there).values())
