"""Pages and steps of events ask the database as often for many divisions as for few."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.store import event_entries, players
from pbem.web import create_app
from pbem.worker.events import check_events
from tests.amount import some
from tests.apps import Clock

STATEMENTS = {
    "/events": 7,
    "/events/1": 8,
    "/api/events": 1,
    "/api/events/1": 5,
}
EACH = ("INSERT INTO games", "INSERT INTO bundles", "SELECT outbox.id")
"""Statements that there are for each game, and for each letter that belongs to no game."""


@contextmanager
def heard(app: App) -> Iterator[list[str]]:
    """The statements that the database is asked in the block."""
    found: list[str] = []

    def hear(*facts: object) -> None:
        found.append(str(facts[2]))

    event.listen(app.store.engine, "before_cursor_execute", hear)
    try:
        yield found
    finally:
        event.remove(app.store.engine, "before_cursor_execute", hear)


def a_season(app: App, clock: Clock, divisions: int, size: int, number: int = 1, at_once: int = 3) -> None:
    """A season that is due to start."""
    with app.store.write() as db:
        names = [f"S{number}P{n}" for n in range(divisions * size)]
        ids = [players.add_player(db, name, f"{name}@example.org", clock.now).id for name in names]
        settings = Settings(size=size, at_once=at_once)
        number = event_entries.add_event(db, "bipod", number, settings, clock.now)
        event_entries.append(db, number, "open", clock.now, starts=clock.now, next=clock.now)
        event_entries.append(db, number, "join", clock.now, players=ids, state=league.CONFIRMED)
        event_entries.append(db, number, "ask", clock.now, players=[], next=clock.now)


def finish_some(app: App) -> None:
    """The first four players have results against each other."""
    with app.store.write() as db:
        for id in range(1, 4):
            event_entries.append(db, 1, "award", app.now(), first=id, second=id + 1, score="1-0")


@pytest.fixture(params=[(2, 4), (5, 9)], ids=["few", "many"])
def sized(request: pytest.FixtureRequest, app: App, clock: Clock) -> App:
    a_season(app, clock, *request.param)
    check_events(app)
    finish_some(app)
    check_events(app)
    return app


@pytest.mark.parametrize("page", some(STATEMENTS, 2))
def test_a_page_asks_as_often_for_many_divisions_as_for_few(sized: App, page: str) -> None:
    client = create_app(sized).test_client()
    with heard(sized) as found:
        assert 200 == client.get(page).status_code
    assert STATEMENTS[page] == len(found)


@pytest.mark.parametrize("at_once", [1, 3])
def test_the_start_of_a_division_asks_as_often_for_many_games_as_for_few(
    app: App, clock: Clock, at_once: int
) -> None:
    counted = []
    for number, size in enumerate((4, 9), 1):
        a_season(app, clock, 1, size, number, at_once)
        with heard(app) as found:
            check_events(app)
        counted.append([statement for statement in found if not statement.startswith(EACH)])
    few, many = counted
    assert len(few) == len(many)
