"""The tour on `/events`: the first fifty, one's own row, and other years."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.store import event_entries, players
from pbem.web import create_app
from tests.apps import DAY, player
from tests.web.events import fill_events
from tests.web.markup import read
from tests.web.signing_in import get, sign_in

ROW = re.compile(r'<tr><td class="place">(\d+)</td>.*?<strong>(\d+)</strong>', re.DOTALL)


@pytest.fixture
def crowded(app: App) -> App:
    """Two leagues of the year; Bill is the last of 61 players, and plays in one alone."""
    now = app.now()
    with app.store.write() as db:
        ids = [players.add_player(db, f"P{n:03}", f"p{n}@example.org", now).id for n in range(60)]
        for rules, seated in (("bipod", [*ids, player(app, "Bill").id]), ("bagel", ids)):
            event = event_entries.add_event(db, rules, 1, Settings(), now)
            event_entries.append(db, event, "open", now, starts=now)
            event_entries.append(db, event, "join", now, players=seated, state=league.CONFIRMED)
            event_entries.append(db, event, "divide", now, divisions=[seated], ends=now + 90 * DAY)
    return app


def test_the_first_fifty_are_shown_and_ones_own_row(crowded: App) -> None:
    client = create_app(crowded).test_client()
    page = get(client, "/events").text
    assert [("1", "10")] * 50 == ROW.findall(page)
    assert "These are the first 50 of 61." in page and "you</span>" not in page
    sign_in(crowded, client, "Bill")
    mine = get(client, "/events?year=2026").text
    assert [*[("1", "10")] * 50, ("61", "5")] == ROW.findall(mine)
    assert 'Bill</a> <span class="soft">you</span>' in mine
    assert [] == read(mine).all_problems()


def test_before_the_first_league_there_is_no_table(client: FlaskClient) -> None:
    assert "The tour" not in client.get("/events").text
    assert [404, 404] == [client.get(f"/events?year={year}").status_code for year in (1999, 9999)]


def test_other_years_are_linked(app: App, client: FlaskClient) -> None:
    fill_events(app)
    with app.store.write() as db:
        earlier = event_entries.add_event(db, "hexthing", 1, Settings(), app.now())
        starts = app.now() - 700 * DAY
        event_entries.append(db, earlier, "open", starts, starts=starts)
        two = [player(app, "Bill").id, player(app, "Joao").id]
        event_entries.append(db, earlier, "join", starts, players=two, state=league.CONFIRMED)
        event_entries.append(db, earlier, "divide", starts, divisions=[two], ends=starts + 90 * DAY)
    assert "/events?year=2024#tour" in read(client.get("/events").text).links
    earlier = client.get("/events?year=2024").text
    assert [("1", "5")] * 2 == ROW.findall(earlier)
    assert "/events?year=2026#tour" in read(earlier).links
    assert "No league began in 2025." in client.get("/events?year=2025").text
