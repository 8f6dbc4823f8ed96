"""The tour of a year, counted from seats and results."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.core.events.schedule import pairings
from pbem.core.game.fold import fold
from pbem.core.game.journal import ROLLBACK, Entry
from pbem.core.players import BOT_HOST
from pbem.duties.leagues import withdraw
from pbem.store import event_entries, events, games, players, tour
from pbem.store.tables.events import events as events_table
from pbem.worker.events import check_events
from tests.apps import BILL, DAY, Clock, last_words, register, writes
from tests.inbox.seasons import all_games, begun, current, finish, going

pytestmark = pytest.mark.each_database

BY_SCORE = {"1-0": (4, 2), "0-1": (2, 4), "1/2": (3, 3), "+": (2, 0), "-": (0, 2)}
"""The points of a game for first and second seat."""


def points(app: App, year: int = 2026) -> dict[int, int]:
    with app.store.read() as db:
        return {row.player: row.points for row in tour.tour_rows(db, year, 100)[0]}


def leave(app: App, id: int) -> None:
    with app.store.write() as db:
        event = events.lock_event(db, 1)
        who = players.player_by_id(db, id)
        assert event is not None and who is not None
        withdraw(db, event, who, "asked", app.now(), ())
    check_events(app)


def test_taking_part_finishing_and_winning_count(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=3)
    assert dict.fromkeys(ids, 5) == points(app)
    won, drawn = (game for game in going(app, 1, 1) if {*game.pair} in ({*ids[:2]}, {*ids[2:]}))
    finish(app, won.game or 0, 0)
    finish(app, drawn.game or 0, None)
    wanted = {won.first: 9, won.second: 7, drawn.first: 8, drawn.second: 8}
    assert wanted == points(app)
    assert {} == points(app, 2025) == points(app, 2027)


def test_who_leaves_keeps_their_points_and_forfeits_bring_the_others_only_the_win(
    app: App, clock: Clock
) -> None:
    ids = begun(app, clock, 4, at_once=3)
    game = next(game for game in going(app, 1, 1) if game.has(ids[0]))
    finish(app, game.game or 0, 0 if game.first == ids[0] else 1)
    check_events(app)
    leave(app, ids[0])
    found = points(app)
    assert 5 + 2 + 2 == found[ids[0]]
    (beaten,) = {game.first, game.second} - {ids[0]}
    assert 5 + 2 == found[beaten]
    assert {5 + 2} == {found[id] for id in ids[1:] if id != beaten}


def test_who_is_replaced_keeps_the_points_of_games_that_they_played(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=3)
    with app.store.write() as db:
        new = players.add_player(db, "Newman", "newman@example.org", clock.now).id
        event_entries.append(db, 1, "join", clock.now, players=[new], state=league.STANDBY)
    game = next(game for game in going(app, 1, 1) if game.has(ids[0]))
    finish(app, game.game or 0, 0 if game.first == ids[0] else 1)
    check_events(app)
    leave(app, ids[0])
    assert not any(game.has(ids[0]) for game in all_games(app, 1))
    found = points(app)
    assert (5 + 2 + 2, 5) == (found[ids[0]], found[new])


def test_points_and_order_are_those_of_an_independent_calculation(app: App, clock: Clock) -> None:
    chance, wanted = Random(7), dict[int, int]()
    with app.store.write() as db:
        ids = [players.add_player(db, f"P{n}", f"p{n}@example.org", clock.now).id for n in range(12)]
        for season in range(3):
            there = chance.sample(ids, 8)
            event = event_entries.add_event(db, "bipod", season + 1, Settings(), clock.now)
            event_entries.append(db, event, "open", clock.now, starts=clock.now + (2 - season) * DAY)
            event_entries.append(db, event, "join", clock.now, players=there, state=league.CONFIRMED)
            dates = {"ends": clock.now + 90 * DAY, "next": None}
            event_entries.append(db, event, "divide", clock.now, divisions=[there[:4], there[4:]], **dates)
            for first, second in [*pairings(there[:4]), *pairings(there[4:])][::2]:
                award = {"first": first, "second": second, "score": chance.choice([*BY_SCORE])}
                event_entries.append(db, event, "award", clock.now, **award)
        for event in (1, 2, 3):
            for id in sorted(events.players_in(db, event, league.PLAYING)):
                wanted[id] = wanted.get(id, 0) + 5
            for game in events.division_games(db, event, 1) + events.division_games(db, event, 2):
                for id, more in zip(game.pair, BY_SCORE.get(game.score or "", (0, 0)), strict=True):
                    wanted[id] += more
    assert sorted(wanted.items(), key=lambda row: (-row[1], row[0])) == list(points(app).items())


def test_a_year_has_the_seasons_that_began_in_it(app: App, clock: Clock) -> None:
    clock.now = clock.now.replace(year=2026, month=12, day=20)
    ids = begun(app, clock, 4)
    assert (2027, {}) == (current(app).starts.year, points(app))
    assert dict.fromkeys(ids, 5) == points(app, 2027)


def test_a_game_that_is_opened_again_takes_its_points_with_it(app: App, clock: Clock) -> None:
    begun(app, clock, 4, at_once=3)
    before, game = points(app), going(app, 1, 1)[0]
    finish(app, game.game or 0, 1)
    assert (5 + 2, 5 + 4) == (points(app)[game.first], points(app)[game.second])
    with app.store.write() as db:
        stored = games.load_game(db, app.games_by_key, game.game or 0)
        assert stored is not None
        back = Entry(len(stored.journal) + 1, clock.now, ROLLBACK, None, {"entry": 1, "reason": "a mistake"})
        games.append_entries(db, stored, fold(stored.with_entries((back,))), (back,))
    assert before == points(app)


def test_who_takes_over_a_seat_of_an_awarded_game_gets_its_points(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=3)
    game = next(game for game in going(app, 1, 1) if game.has(ids[0]))
    award = {"first": game.first, "second": game.second, "score": "1-0"}
    with app.store.write() as db:
        new = players.add_player(db, "Newman", "newman@example.org", clock.now)
        event_entries.append(db, 1, "award", clock.now, **award)
        stored = games.load_game(db, app.games_by_key, game.game or 0)
        assert stored is not None
        games.reseat(db, stored, 0, new)
    found = points(app)
    assert (5, 5 + 2, 4) == (found[game.first], found[game.second], found[new.id])


def test_a_league_that_is_closed_before_all_have_their_games_gives_no_points(app: App, clock: Clock) -> None:
    begun(app, clock, 4)
    with app.store.write() as db:
        db.execute(update(events_table).values(state=league.STARTING))
        event_entries.append(db, 1, "close", clock.now)
    assert {} == points(app)


def test_level_players_share_a_place_and_ones_own_row_is_always_there(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 9, at_once=3)
    for game, winner in zip(going(app, 1, 1), (0, 1, None), strict=False):
        finish(app, game.game or 0, winner)
    with app.store.read() as db:
        whole, every = tour.tour_rows(db, 2026, 100)
        assert sorted(ids) == sorted(row.player for row in whole) and 9 == every
        assert [1 + sum(other.points > row.points for other in whole) for row in whole] == [
            row.place for row in whole
        ]
        names = players.players_by_ids(db, ids)
        assert [names[row.player].name for row in whole] == [row.name for row in whole]
        assert (whole[:4], 9) == tour.tour_rows(db, 2026, 4)
        assert ([*whole[:4], whole[8]], 9) == tour.tour_rows(db, 2026, 4, whole[8].player)
        assert (whole[:4], 9) == tour.tour_rows(db, 2026, 4, whole[2].player)


def test_bots_have_no_points_and_a_player_with_a_bots_name_has(app: App, clock: Clock) -> None:
    begun(app, clock, 4)
    with app.store.write() as db:
        hosts = enumerate((BOT_HOST, "example.org"), 1)
        bots = [players.add_player(db, f"bot{n}", f"bot{n}@{host}", clock.now).id for n, host in hosts]
        event_entries.append(db, 1, "join", clock.now, players=bots, state=league.PLAYING)
    found = points(app)
    assert (5, False) == (found[bots[1]], bots[0] in found)


def test_who_asks_for_the_tour_by_mail_is_told_its_page(app: App) -> None:
    register(app, BILL, "Bill")
    for words in ("tour", "the tour of 2026"):
        writes(app, BILL, words)
        assert "are a table at localhost/events." in last_words(app, BILL)
