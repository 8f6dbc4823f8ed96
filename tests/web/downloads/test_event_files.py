"""What a season gives to take away: its games as records, its dates, its postcard; and links to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from icalendar import Calendar

from pbem.app import App
from pbem.cli.records import verify_command
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.core.events.schedule import pairings
from pbem.store import event_entries, players
from pbem.store.erase import erase_player
from pbem.web import create_app
from tests.apps import DAY, Clock, player
from tests.duties.test_calendar import events as dates_of
from tests.duties.test_calendar import flawless
from tests.inbox.seasons import begun, finish, going
from tests.web.downloads.test_pictures import passed_on
from tests.web.downloads.test_postcard import PNG
from tests.web.downloads.test_records import numbers
from tests.web.events import fill_events
from tests.web.library import a_short_game, begin
from tests.web.markup import read


@pytest.fixture
def clock(app: App) -> Clock:
    assert isinstance(app.clock, Clock)
    return app.clock


# Records.


def test_the_finished_games_of_a_season_are_one_file(
    app: App, clock: Clock, client: FlaskClient, serve: Callable[[App], str], tmp_path: Path
) -> None:
    a_short_game(app)
    begun(app, clock, 4, at_once=1)
    assert "" == client.get("/events/1/games.games").text and [] == client.get("/events/1/games.json").json
    game = going(app, 1, 1)[0].game or 0
    finish(app, game, 0)
    text, data = client.get("/events/1/games.games"), client.get("/events/1/games.json")
    assert [str(game)] == numbers(text.text)
    assert [str(game)] == [str(each["header"]["site"]["gameid"]) for each in data.json]
    assert 'attachment; filename="bipod-league-season-1.games"' == text.headers["Content-Disposition"]
    assert {"/events/1/games.games", "/events/1/games.json"} <= set(read(client.get("/events/1").text).links)
    file = tmp_path / "season.games"
    file.write_text(text.text)
    done = CliRunner().invoke(verify_command, [str(file), "--key", f"{serve(app)}/records/key"])
    assert 0 == done.exit_code, done.output
    tag = text.headers["ETag"]
    assert 304 == client.get("/events/1/games.games", headers={"If-None-Match": tag}).status_code
    assert 404 == client.get("/events/9/games.json").status_code


# Dates.


def test_a_season_has_its_dates_as_a_calendar(app: App, clock: Clock, client: FlaskClient) -> None:
    fill_events(app)
    answer = client.get("/events/1.ics")
    assert "text/calendar; charset=utf-8" == answer.headers["Content-Type"]
    flawless(answer.data)
    starts = clock.now
    wanted = [("v1.start", starts), ("v1.half", starts + 45 * DAY), ("v1.end", starts + 90 * DAY)]
    found = dates_of(answer.data)
    assert wanted == [(each["UID"].partition("@")[0], each["DTSTART"].dt) for each in found]
    assert "Bipod league, season 1: half time" == found[1]["SUMMARY"]
    assert "https://pbem.example.org/events/1" == found[0]["URL"]
    assert "Bipod league, season 1, pbem.example.org" == Calendar.from_ical(answer.data)["X-WR-CALNAME"]
    tag = answer.headers["ETag"]
    assert 304 == client.get("/events/1.ics", headers={"If-None-Match": tag}).status_code
    assert "/events/1.ics" in read(client.get("/events/1").text).links


def test_a_match_has_its_start_as_a_calendar_and_a_ladder_has_none(
    app: App, clock: Clock, client: FlaskClient
) -> None:
    fill_events(app)
    answer = client.get("/events/6.ics")
    flawless(answer.data)
    (found,) = dates_of(answer.data)
    assert clock.now + 20 * DAY == found["DTSTART"].dt
    assert "the match begins" in found["SUMMARY"] and "Coimbra" in found["SUMMARY"]
    assert "/events/6.ics" in read(client.get("/events/6").text).links
    assert 404 == client.get("/events/4.ics").status_code


def test_a_start_that_moves_keeps_its_uid_and_raises_the_sequence(
    app: App, clock: Clock, client: FlaskClient
) -> None:
    fill_events(app)
    before = dates_of(client.get("/events/2.ics").data)[0]
    assert clock.now + 20 * DAY == before["DTSTART"].dt
    with app.store.write() as db:
        at = clock.now + timedelta(hours=1)
        event_entries.append(db, 2, "open", at, starts=clock.now + 34 * DAY)
    after = dates_of(client.get("/events/2.ics").data)[0]
    assert before["UID"] == after["UID"] and before["SEQUENCE"] < after["SEQUENCE"]
    assert (clock.now + 34 * DAY, at) == (after["DTSTART"].dt, after["LAST-MODIFIED"].dt)


# The postcard.


def test_a_finished_season_has_a_postcard(app: App, client: FlaskClient) -> None:
    fill_events(app, (player(app, "Bill").id,))
    drawn = client.get("/events/3/postcard.svg")
    assert "image/svg+xml; charset=utf-8" == drawn.content_type
    table, _, words = drawn.text.partition("Begird league, season 1</text>")
    for name in ("Bill", "Clara", "Duarte"):
        assert f". {name}</text>" in table
    lines = " ".join(re.findall(r">([^<]+)</text>", words))
    assert "Clara won with 3½ points. Division 2: Heloise." in lines
    assert "var(" not in drawn.text
    picture = client.get("/events/3/postcard.png")
    assert (PNG, "image/png") == (picture.data[:8], picture.content_type)
    assert (1200, 630) == tuple(int.from_bytes(picture.data[at : at + 4], "big") for at in (16, 20))
    told = passed_on(client, "/events/3")
    assert "https://pbem.example.org/events/3/postcard.png" == told["og:image"]
    tag = picture.headers["ETag"]
    assert 304 == client.get("/events/3/postcard.png", headers={"If-None-Match": tag}).status_code


def test_a_season_that_runs_has_no_postcard_yet(app: App, client: FlaskClient) -> None:
    fill_events(app)
    for path in ("/events/1/postcard.svg", "/events/2/postcard.png", "/events/9/postcard.png"):
        assert 404 == client.get(path).status_code
    assert "https://pbem.example.org/rules/bipod.png" == passed_on(client, "/events/1")["og:image"]


def test_a_name_that_goes_is_gone_from_the_postcard(app: App, client: FlaskClient) -> None:
    fill_events(app, (player(app, "Bill").id,))
    before = client.get("/events/3/postcard.png")
    with app.store.write() as db:
        bill = players.player_by_name(db, "Bill")
        assert bill is not None
        erase_player(db, bill, app.now())
    assert "Bill" not in client.get("/events/3/postcard.svg").text
    assert before.data != client.get("/events/3/postcard.png").data


# Links from the games.


def test_a_game_of_a_league_leads_to_its_table(app: App, clock: Clock) -> None:
    begin(app, "Anna", "Joao")
    begun(app, clock, 10, size=5)
    client = create_app(app).test_client()
    games = {division: going(app, 1, division)[0].game or 0 for division in (1, 2)}
    page = client.get(f"/games/{games[2]}").text
    assert '<a href="/events/1?division=2">Bipod league, season 1, division 2</a>' in page
    assert (
        '<a href="/events/1">Bipod league, season 1, division 1</a>' in client.get(f"/games/{games[1]}").text
    )
    told = client.get(f"/api/games/{games[2]}").json["event"]
    assert (1, 2, "Bipod league, season 1, division 2") == (told["event"], told["division"], told["title"])
    assert "https://pbem.example.org/events/1?division=2" == told["page"]
    assert "/events/" not in client.get("/games/1").text
    assert client.get("/api/games/1").json["event"] is None


def test_a_season_that_was_closed_at_its_start_is_not_linked(
    app: App, clock: Clock, client: FlaskClient
) -> None:
    game = begin(app)
    with app.store.write() as db:
        ids = [player(app, name).id for name in ("Bill", "Joao")]
        event = event_entries.add_event(db, "bipod", 1, Settings(), clock.now)
        event_entries.append(db, event, "open", clock.now, starts=clock.now)
        event_entries.append(db, event, "join", clock.now, players=ids, state=league.CONFIRMED)
        event_entries.append(db, event, "divide", clock.now, divisions=[ids], ends=clock.now + 90 * DAY)
        (pair,) = pairings(ids)
        event_entries.append(db, event, "begin", clock.now, games=[(*pair, game.id)])
    assert 'href="/events/1"' in client.get("/games/1").text
    with app.store.write() as db:
        event_entries.append(db, event, "close", clock.now, reason="Too early.")
    assert 404 == client.get("/events/1").status_code
    assert 'href="/events/1"' not in create_app(app).test_client().get("/games/1").text
