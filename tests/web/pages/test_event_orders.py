"""Who is signed in joins, confirms and leaves a league on its page, as by mail."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.events import league
from pbem.store import event_entries, events, watched_leagues
from pbem.web import create_app
from pbem.worker.events import check_events
from tests.apps import DAY, Clock, last_words, player, writes
from tests.inbox.ladders import a_ladder, says, shown
from tests.inbox.matches import a_match
from tests.inbox.matches import current as current_match
from tests.inbox.matches import shown as the_match
from tests.inbox.seasons import a_league, address_of, confirm, current, rows_follow_from_the_journal
from tests.web.markup import read
from tests.web.pages.test_compose import letters_to
from tests.web.signing_in import get, send, sign_in


@pytest.fixture
def clock(app: App) -> Clock:
    assert isinstance(app.clock, Clock)
    return app.clock


@pytest.fixture
def bill(app: App) -> FlaskClient:
    client = create_app(app).test_client()
    sign_in(app, client, "Bill")
    return client


def press(client: FlaskClient, label: str, order: str, page: str = "/events/1") -> TestResponse:
    """Press a button of a page."""
    found = get(client, page)
    assert f'value="{order}" aria-label="{label}: Bipod league, season 1"' in found.text, found.text
    assert [] == read(found.text).all_problems() and "no-store" in found.headers["Cache-Control"]
    return send(client, "/events/1", page=page, order=order)


def state_of(app: App, event: int = 1, name: str = "Bill") -> str:
    with app.store.read() as db:
        found = events.entrant_of(db, event, player(app, name).id)
    return "" if found is None else found.state


def mails(app: App) -> int:
    return len(letters_to(app, "Bill"))


def begin_season(app: App, clock: Clock, others: list[int]) -> None:
    """Have the season begin with all who have said yes."""
    confirm(app, *others)
    clock.now = current(app).starts
    check_events(app)


@pytest.mark.parametrize("page", ["/events", "/events/1"])
def test_a_player_joins_and_leaves_before_the_season(
    app: App, clock: Clock, bill: FlaskClient, page: str
) -> None:
    a_league(app, clock, 5)
    before = mails(app)
    assert 303 == press(bill, "Join", "join", page).status_code
    assert league.ENTERED == state_of(app)
    assert "You have joined." in get(bill, page).text
    assert 303 == press(bill, "Leave", "leave", page).status_code
    assert "" == state_of(app)
    assert before == mails(app)


@pytest.mark.parametrize(
    ("label", "order", "state"), [("Yes, I play", "join", "confirmed"), ("No", "leave", "")]
)
def test_who_is_asked_says_yes_or_no(
    app: App, clock: Clock, bill: FlaskClient, label: str, order: str, state: str
) -> None:
    ids = a_league(app, clock, 5)
    press(bill, "Join", "join")
    clock.now += 8 * DAY
    check_events(app)
    assert league.ASKED == state_of(app)
    assert 303 == press(bill, label, order).status_code
    assert state == state_of(app)
    begin_season(app, clock, ids)
    assert ("playing" if state else "") == state_of(app)
    assert rows_follow_from_the_journal(app, 1)


def test_a_yes_keeps_the_place_in_the_list(app: App, clock: Clock, bill: FlaskClient) -> None:
    press_first = a_league(app, clock, 3)
    press(bill, "Join", "join")
    clock.now += 8 * DAY
    check_events(app)
    press(bill, "Yes, I play", "join")
    with app.store.read() as db:
        assert [*press_first, player(app, "Bill").id] == events.players_in(db, 1, *league.SIGNED_UP)
        kinds = [entry.kind for entry in events.journal_of(db, 1)]
    assert "confirm" == kinds[-1]


def test_leaving_a_season_that_runs_is_asked_once(app: App, clock: Clock, bill: FlaskClient) -> None:
    ids = a_league(app, clock, 5)
    press(bill, "Join", "join")
    clock.now += 8 * DAY
    check_events(app)
    press(bill, "Yes, I play", "join")
    begin_season(app, clock, ids)
    asked = press(bill, "Leave", "leave")
    assert 200 == asked.status_code and "Do you leave the season?" in asked.text
    assert [] == read(asked.text).all_problems()
    assert league.PLAYING == state_of(app)
    assert 303 == send(bill, "/events/1", page="/events/1", order="leave", sure="yes").status_code
    assert league.LEFT == state_of(app)
    page = get(bill, "/events/1").text
    assert "You have left this season." in page and 'value="join"' not in page
    with app.store.read() as db:
        assert "withdraw" in [entry.kind for entry in events.journal_of(db, 1)]
    assert 422 == send(bill, "/events/1", page="/settings", order="join").status_code


def test_a_season_that_runs_has_a_standby_list(app: App, clock: Clock, bill: FlaskClient) -> None:
    ids = a_league(app, clock, 5)
    clock.now += 8 * DAY
    check_events(app)
    begin_season(app, clock, ids)
    assert 303 == press(bill, "Join the standby list", "join").status_code
    assert league.STANDBY == state_of(app)
    assert 303 == press(bill, "Leave", "leave").status_code
    assert "" == state_of(app)


def test_what_cannot_be_ordered_is_refused(app: App, clock: Clock, bill: FlaskClient) -> None:
    ids = a_league(app, clock, 5)
    clock.now += 8 * DAY
    check_events(app)
    begin_season(app, clock, ids)
    assert 404 == send(bill, "/events/1", order="forfeit").status_code
    assert 404 == send(bill, "/events/7", order="join").status_code
    assert 422 == send(bill, "/events/1", order="leave").status_code
    assert 400 == bill.post("/events/1", data={"order": "join"}).status_code
    with app.store.write() as db:
        event_entries.append(db, 1, "over", clock.now, tables=[ids], games=[])
    over = send(bill, "/events/1", order="join")
    assert 422 == over.status_code and "This season is over" in over.text


def test_without_sign_in_the_page_says_what_to_write(app: App, clock: Clock) -> None:
    a_league(app, clock, 5)
    client = create_app(app).test_client()
    for page in ("/events", "/events/1"):
        found = get(client, page)
        assert "<code>join bipod league</code>" in found.text and 'value="join"' not in found.text
        assert [] == read(found.text).all_problems()
        assert "join%20bipod%20league" in found.text or "words=join+bipod+league" in found.text
    assert 410 == client.post("/events/1", data={"order": "join"}).status_code


def test_a_player_enters_challenges_and_leaves_on_the_page_of_a_ladder(
    app: App, clock: Clock, bill: FlaskClient
) -> None:
    a_ladder(app, 6)
    page = get(bill, "/events/1").text
    assert 'value="join" aria-label="Enter: Bipod ladder"' in page and "Challenge P" not in page
    assert 303 == send(bill, "/events/1", order="join").status_code
    page = get(bill, "/events/1").text
    assert [] == read(page).all_problems()
    assert ["P003", "P004", "P005", "P006"] == re.findall(r'aria-label="Challenge (\w+): Bipod ladder"', page)
    assert 303 == send(bill, "/events/1", order="challenge", player="P004").status_code
    assert "Bill challenges you on the Bipod ladder." in last_words(app, address_of(4))
    page = get(bill, "/events/1").text
    assert ["P003", "P005", "P006"] == re.findall(r'aria-label="Challenge (\w+): Bipod ladder"', page)
    refused = send(bill, "/events/1", order="challenge", player="P001")
    assert (422, True) == (refused.status_code, "one to 4 places above you" in refused.text)
    assert 404 == send(bill, "/events/1", order="challenge", player="P0 1").status_code
    asked = send(bill, "/events/1", order="leave")
    assert 200 == asked.status_code and "Do you leave the ladder?" in asked.text
    assert [] == read(asked.text).all_problems()
    assert 303 == send(bill, "/events/1", order="leave", sure="yes").status_code
    assert "Bill has left the ladder." in last_words(app, address_of(4))
    assert "Enter" in get(bill, "/events/1").text


@pytest.mark.parametrize(
    ("label", "order", "places"), [("Play", "yes", "Bill P001"), ("Do not play", "no", "P001 Bill")]
)
def test_a_challenge_on_a_ladder_is_answered_on_its_page(
    app: App, clock: Clock, bill: FlaskClient, label: str, order: str, places: str
) -> None:
    a_ladder(app, 1)
    send(bill, "/events/1", order="join")
    says(app, 1, "leave bipod ladder")
    writes(app, player(app, "P001").address, "yes")
    clock.pass_by(days=1)
    says(app, 1, "ladder bipod")
    says(app, 1, "ladder bipod Bill")
    page = get(bill, "/events/1").text
    assert [] == read(page).all_problems()
    assert "P001</a> has challenged you." in page and f'aria-label="{label} P001: Bipod ladder"' in page
    sure = {} if order == "yes" else {"sure": "yes"}
    if sure:
        asked = send(bill, "/events/1", order=order, player="P001")
        assert 200 == asked.status_code and "Do you give your place away?" in asked.text
        assert [] == read(asked.text).all_problems() and "Bill P001" == " ".join(shown(app).order)
    assert 303 == send(bill, "/events/1", order=order, player="P001", **sure).status_code
    assert places == " ".join(shown(app).order)
    assert ("/games/1" in get(bill, "/events/1").text) == (order == "yes")
    page = get(bill, "/events/1").text
    assert "has challenged you" not in page
    again = send(bill, "/events/1", order=order, player="P001", **sure)
    assert (422, True) == (again.status_code, "waits for your answer" in again.text)


def test_a_player_enters_a_club_and_leaves_it_on_the_page_of_a_match(
    app: App, clock: Clock, bill: FlaskClient
) -> None:
    a_match(app, 1, 1)
    page = get(bill, "/events/1").text
    assert [] == read(page).all_problems()
    found = re.findall(r'aria-label="Play for (\w+): ([^"]+)"', page)
    assert [("Lisbon", current_match(app).title), ("Oxford", current_match(app).title)] == found
    assert 404 == send(bill, "/events/1", order="join", club="Paris").status_code
    assert 404 == send(bill, "/events/1", order="yes").status_code
    assert 303 == send(bill, "/events/1", order="join", club="Oxford").status_code
    assert ("P002", "Bill") == the_match(app).members[1]
    page = get(bill, "/events/1").text
    assert "You play for Oxford." in page and "Play for Lisbon" not in page
    assert 303 == send(bill, "/events/1", order="leave").status_code
    assert ("P002",) == the_match(app).members[1]
    clock.now += 8 * DAY
    check_events(app)
    assert "Play for" not in get(bill, "/events/1").text
    assert 422 == send(bill, "/events/1", order="join", club="Oxford").status_code


def test_a_league_is_watched_by_a_button(app: App, clock: Clock, bill: FlaskClient) -> None:
    a_league(app, clock, 5)
    assert 303 == press(bill, "Watch this league", "watch").status_code
    with app.store.read() as db:
        assert ["bipod"] == watched_leagues.leagues_watched_by(db, player(app, "Bill"))
    assert 303 == press(bill, "Stop watching", "unwatch").status_code
    with app.store.read() as db:
        assert [] == watched_leagues.leagues_watched_by(db, player(app, "Bill"))
    assert "write <code>watch bipod league</code>" in create_app(app).test_client().get("/events/1").text
