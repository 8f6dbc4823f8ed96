"""The tour of a year: kept as results come, by mail and on both databases."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from alembic import command
from sqlalchemy import update

from pbem.actions.leagues import withdraw
from pbem.app import App
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.core.events.schedule import pairings
from pbem.core.game.fold import fold
from pbem.core.game.journal import ROLLBACK, Entry
from pbem.core.players import BOT_HOST
from pbem.inbox.seasons import check_events
from pbem.store import event_entries, events, games, players, tour
from pbem.store.event_tables import events as events_table
from pbem.store.event_tables import tour_points
from pbem.store.migrate import alembic_config, migrate
from tests.apps import BILL, DAY, Clock, last_words, player, register, writes
from tests.inbox.seasons import all_games, begun, current, finish, going

BY_SCORE = {"1-0": (4, 2), "0-1": (2, 4), "1/2": (3, 3), "+": (2, 0), "-": (0, 2)}
"""The points of a game for first and second seat."""


def points(app: App, year: int = 2026) -> dict[int, int]:
    with app.store.read() as db:
        assert [] == tour.wrong_years(db)
        return {row.player: row.points for row in tour.places(db, year, 100)}


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
    with app.store.read() as db:
        assert [2027] == tour.tour_years(db)


def test_the_tour_comes_by_mail_with_ones_own_place(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "tour")
    assert "Bill, no league has begun in 2026." in last_words(app, BILL)
    begun(app, clock, 4)
    writes(app, BILL, "tour")
    assert "Bill, these have most points in the leagues of 2026." in last_words(app, BILL)
    assert "1. P001 5 1. P002 5" in last_words(app, BILL)
    with app.store.write() as db:
        bill, seated = player(app, "Bill").id, events.players_in(db, 1, league.PLAYING)
        event_entries.append(db, 1, "join", clock.now, players=[bill], state=league.STANDBY)
        event_entries.append(db, 1, "fill", clock.now, player=seated[0], by=bill, why="asked")
    writes(app, BILL, "tour 2026")
    assert "Bill, you are at place 1 in the tour of 2026, with 5 points." in last_words(app, BILL)
    writes(app, BILL, "tour 1875")
    assert "There is no tour of 1875." in last_words(app, BILL)


def test_a_new_year_begins_a_new_tour(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    begun(app, clock, 4)
    clock.now += timedelta(days=365)
    for _ in range(2):  # the first reply address is too old
        writes(app, BILL, "tour")
    assert "no league has begun in 2027" in last_words(app, BILL)


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
    with app.store.read() as db:
        assert [] == tour.tour_years(db)


def test_rows_come_page_by_page_with_their_places(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 9, at_once=3)
    for game, winner in zip(going(app, 1, 1), (0, 1, None), strict=False):
        finish(app, game.game or 0, winner)
    with app.store.read() as db:
        whole = tour.places(db, 2026, 100)
        assert sorted(ids) == sorted(row.player for row in whole)
        assert [1 + sum(other.points > row.points for other in whole) for row in whole] == [
            row.place for row in whole
        ]
        for most in (1, 2, 4):
            found = tour.places(db, 2026, most)
            while len(found) < len(whole):
                more = tour.places(db, 2026, most, found[-1])
                assert 0 < len(more) <= most
                found += more
            assert whole == found
        assert whole == [tour.place_of(db, 2026, row.player) for row in whole]
        assert (9, 0) == (tour.count_players(db, 2026), tour.count_players(db, 2027))
        assert tour.place_of(db, 2027, ids[0]) is None


def test_points_are_made_again_and_wrong_ones_are_found(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 4, at_once=3)
    finish(app, going(app, 1, 1)[0].game or 0, 0)
    wanted = points(app)
    with app.store.write() as db:
        db.execute(update(tour_points).where(tour_points.c.player_id == ids[0]).values(points=99))
        assert [2026] == tour.wrong_years(db)
        tour.rebuild_tours(db)
    assert wanted == points(app)


@pytest.mark.each_database
def test_the_migration_counts_what_there_was_and_can_be_taken_back(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 9, at_once=3)
    for game, winner in zip(going(app, 1, 1), (0, 1, None), strict=False):
        finish(app, game.game or 0, winner)
    leave(app, ids[1])
    with app.store.write() as db:
        bots = [players.add_player(db, f"bot{n}", f"bot{n}@{host}", clock.now).id for n, host in BOTS]
        event_entries.append(db, 1, "join", clock.now, players=bots, state=league.PLAYING)
        tour.rebuild_tours(db)
    wanted = points(app)
    assert (5, False) == (wanted[bots[1]], bots[0] in wanted)
    with app.store.write() as db:
        config = alembic_config()
        config.attributes["connection"] = db
        command.downgrade(config, "0034")
    migrate(app.store)
    assert wanted == points(app)


BOTS = ((1, BOT_HOST), (2, "example.org"))
"""A bot, and a player whose name is that of a bot."""
