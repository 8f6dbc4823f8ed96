"""Seasons whose process dies at every step, from the question before the start to the season after."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import func, select

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.divisions import next_divisions
from pbem.duties.leagues import withdraw
from pbem.store import event_entries, events, games, players
from pbem.store.tables import events as event_tables
from pbem.store.tables import games as game_rows
from pbem.store.tables.events import event_games
from pbem.worker.events import check_events
from tests.apps import DAY, Clock, flat, letters, load
from tests.inbox.seasons import (
    a_league,
    all_games,
    confirm,
    current,
    finish,
    going,
    rows_follow_from_the_journal,
)
from tests.inbox.test_seasons import independent_table, states


class Killed(BaseException):
    """The end of a process, which no handler catches."""


def die_at_every_step(app: App) -> int:
    """Do all that is due by processes that die at their second step; returns how many died.

    The first dies at its first step. One that would bring nothing new dies a step later than the last one.
    So each step is once cut off before its commit, and once the last that is done.
    """
    spared, before = 0, done_so_far(app)
    for died in range(200):
        try:
            check_events(replace(app, step=Mortal(spared)))
        except Killed:
            after = done_so_far(app)
            spared, before = (1 if after != before else spared + 1), after
            continue
        return died
    raise AssertionError("the steps have no end")


@dataclass
class Mortal:
    """The steps of a process that dies after so many of those of events."""

    spared: int

    def __call__(self, name: str) -> None:
        if name.startswith("event"):
            self.spared -= 1
            if self.spared < 0:
                raise Killed


def done_so_far(app: App) -> tuple[object, ...]:
    """What has been done in events and games."""
    with app.store.read() as db:
        counts = db.scalar(select(func.sum(event_tables.events.c.entries)))
        entries = db.scalar(select(func.sum(game_rows.c.entries)))
        states = db.execute(select(event_games.c.state, event_games.c.event_id, event_games.c.n)).all()
    return counts, entries, sorted(map(tuple, states))


def leave(app: App, id: int) -> None:
    with app.store.write() as db:
        event = events.lock_event(db, current(app).id)
        player = players.player_by_id(db, id)
        assert event is not None and player is not None
        withdraw(db, event, player, "asked", app.now(), ())


def check_games(app: App, event: int) -> None:
    """Check that no game began twice, and none is seated otherwise than the table has it."""
    there = [game for game in all_games(app, event) if game.game]
    assert len({game.game for game in there}) == len(there)
    for game in there:
        assert game.score in ("+", "-") or game.pair == tuple(
            seat.id for seat in load(app, game.game or 0).seats
        )


def test_a_process_that_dies_at_any_step_loses_and_doubles_nothing(app: App, clock: Clock) -> None:
    ids = a_league(app, clock, 10, size=5, at_once=2, days=90)
    clock.now += 8 * DAY
    assert 2 <= die_at_every_step(app)
    *playing, spare = ids
    confirm(app, *playing)
    clock.now += 7 * DAY
    assert 5 <= die_at_every_step(app)  # the start, and two for each division
    event = current(app)
    assert (league.RUNNING, 2) == (event.state, event.divisions)
    check_games(app, event.id)
    with app.store.write() as db:
        event_entries.append(db, event.id, "join", app.now(), players=[spare], state=league.STANDBY)
    first, second = going(app, event.id, 1)[0].pair
    for leaver in (first, second):  # the place of one goes to the standby list, the other forfeits
        leave(app, leaver)
        mine = [
            game for game in all_games(app, event.id) if game.state in (league.TO_VOID, league.TO_REPLACE)
        ]
        assert mine and len(mine) < die_at_every_step(app)
        check_games(app, event.id)
    clock.now += 50 * DAY
    assert 2 == die_at_every_step(app)  # half time
    while open_games := [game for n in (1, 2) for game in going(app, event.id, n)]:
        for game in open_games:
            finish(app, game.game or 0, game.n % 2)
        assert die_at_every_step(app)
        check_games(app, event.id)
    _check_end(app, event.id, {first, second})
    _check_next(app, clock, event.id)


def _check_end(app: App, event: int, left: set[int]) -> None:
    with app.store.read() as db:
        found, tables = events.find_event(db, event), events.final_tables(db, event)
        assert found is not None
    assert (league.OVER, None) == (found.state, found.next_at)
    assert tables == [independent_table(app, event, n) for n in (1, 2)]
    assert rows_follow_from_the_journal(app, event)
    seated = {id for id, state in states(app, event).items() if state == league.PLAYING}
    assert not left & seated
    with app.store.read() as db:
        known = players.players_by_ids(db, seated)
    for player in known.values():
        told = [flat(each.text) for each in letters(app, player.address)]
        assert 1 == sum("it is half time in the Bipod league, season 1" in text for text in told)
        assert 1 == sum(" of division " in text and "you are at place" in text for text in told)


def _check_next(app: App, clock: Clock, event: int) -> None:
    """Check that one season follows, in which two have gone up and two down, and each game began once."""
    following = current(app)
    assert (2, event) == (following.season, following.previous_id)
    with app.store.read() as db:
        assert [following.id, event] == [each.id for each in events.list_events(db)]
        tables = events.final_tables(db, event)
    clock.now += 8 * DAY
    assert die_at_every_step(app)
    ready = [id for id, state in states(app, following.id).items() if state == league.ASKED]
    assert 8 == len(ready)
    confirm(app, *ready)
    clock.now += 7 * DAY
    assert 5 <= die_at_every_step(app)
    with app.store.read() as db:
        seats = [events.division_players(db, following.id, n) for n in (1, 2)]
        began = len(games.list_game_ids(db))
    assert seats == next_divisions(tables, ready, {}, 5)
    assert set(tables[1][:2]) & set(ready) <= set(seats[0])
    check_games(app, following.id)
    both = [game for number in (event, following.id) for game in all_games(app, number) if game.game]
    assert began == len(both)
    assert rows_follow_from_the_journal(app, following.id)
