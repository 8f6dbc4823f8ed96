"""The pages of leagues and ladders, and their feeds."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from pbem.app import App
from pbem.commands import event_director
from pbem.commands.event_director import EventAct
from pbem.core.events.league import Settings
from pbem.store import event_entries
from pbem.store.tables import events as event_tables
from pbem.web import create_app
from pbem.worker.events import check_events
from tests.apps import DAY, Clock, advance, player
from tests.inbox.ladders import a_ladder, challenge, play
from tests.inbox.matches import a_match, games_of
from tests.inbox.seasons import a_league, all_games, begun, confirm, current, finish, going, name_of
from tests.web.events import NAMES, fill_events


@pytest.fixture
def client(app: App) -> FlaskClient:
    return create_app(app).test_client()


def test_the_list_says_which_leagues_there_are(app: App, client: FlaskClient) -> None:
    assert "There is no league yet" in (page := client.get("/events").text)
    assert "<code>join" not in page  # nobody can join what is not there
    fill_events(app)
    listed = client.get("/events").text
    assert '<a href="/events/1">Bipod league, season 1</a>' in listed
    assert '<a href="/events/2">Bagel league, season 1</a> <span class="soft">open to join' in listed


def test_what_can_be_joined_is_first_however_old_it_is(app: App, client: FlaskClient) -> None:
    fill_events(app)
    with app.store.write() as db:
        for _ in range(101):
            over = event_entries.add_event(db, "bagel", 1, Settings(), app.now())
            event_entries.append(db, over, "open", app.now(), starts=app.now())
            event_entries.append(db, over, "over", app.now(), games=[], tables=[])
    rows = re.findall(r'<a href="/events/(\d+)">', client.get("/events").text)
    assert ["2", "1"] == rows[:2]


def test_a_season_that_runs_has_its_cross_table_and_what_decides(app: App, client: FlaskClient) -> None:
    fill_events(app)
    page = client.get("/events/1").text
    rows = re.findall(r'<tr><th scope="row".*?</tr>', page, re.DOTALL)
    assert 10 == len(rows) == len(NAMES)
    assert all(11 <= row.count("<td") for row in rows)
    shown = re.findall(r"<td><strong>([\d½]+)</strong></td>", page)
    points = [float(text.replace("½", "") or 0) + 0.5 * ("½" in text) for text in shown]
    assert 11 == sum(points) and points == sorted(points, reverse=True)
    assert "½" in shown
    assert all(re.search(r'narrow-only soft">SB [\d½¼¾]+</span>', row) for row in rows)
    assert "opened it for players: Enough of us are here." in page
    assert "Begins on" in client.get("/events/2").text


def test_a_season_to_join_has_its_terms_and_who_has_joined(
    app: App, clock: Clock, client: FlaskClient
) -> None:
    a_league(replace(app, clock=clock), clock, 52, size=5, at_once=1, days=30, bots=2)
    page = re.sub(r"<[^>]*>", "", client.get("/events/1").text)
    assert "A season lasts 30 days. Divisions have up to 5 players, each with up to 1 game at a time" in page
    assert "the usual options and 7 days at the start, 1 day more for each move, and is rated" in page
    assert "A computer may take an empty seat" in page
    assert "P001, P002," in page and "P050 and 2 more." in page


def test_an_event_is_shown_where_an_option_of_its_games_is_gone(
    app: App, clock: Clock, client: FlaskClient
) -> None:
    a_league(replace(app, clock=clock), clock, 4)
    with app.store.write() as db:
        settings = db.scalar(select(event_tables.events.c.settings).where(event_tables.events.c.id == 1))
        gone = settings | {"options": {"nosuch": "board"}}
        db.execute(update(event_tables.events).where(event_tables.events.c.id == 1).values(settings=gone))
    page = client.get("/events/1")
    assert 200 == page.status_code
    assert "The options of its games are no longer offered here." in page.text


def test_results_stand_in_the_table_and_in_the_feed(app: App, clock: Clock, client: FlaskClient) -> None:
    begun(replace(app, clock=clock), clock, 25, size=5, at_once=2)
    event = current(app)
    game = going(app, event.id, 1)[0].game or 0
    assert f'href="/games/{game}" aria-label="game {game}">·</a>' in client.get(f"/events/{event.id}").text
    assert "<entry>" not in client.get(f"/feeds/events/{event.id}.atom").text
    finish(app, game, 0)
    page = client.get(f"/events/{event.id}").text
    assert f'href="/games/{game}">1</a>' in page and f'href="/games/{game}">0</a>' in page
    assert f"/games/{game}" in client.get(f"/feeds/events/{event.id}.atom").text
    assert ["1", "2", "3", "4"] == re.findall(r'id="division-(\d+)"', page)
    assert 'rel="next" href="/events/1?division=5"' in page
    last = client.get(f"/events/{event.id}?division=5").text
    assert ["5"] == re.findall(r'id="division-(\d+)"', last)
    assert 'rel="prev" href="/events/1?division=1"' in last


def test_what_nobody_may_see_yet_is_not_there(app: App, client: FlaskClient) -> None:
    with app.store.write() as db:
        event_entries.add_event(db, "bipod", 1, Settings(), app.now())
    for path in ("/events/1", "/events/7", "/feeds/events/1.atom"):
        assert 404 == client.get(path).status_code
    assert "Bipod league" not in client.get("/events").text


def test_a_ladder_has_its_places_challenges_and_results(app: App, clock: Clock, client: FlaskClient) -> None:
    here = replace(app, clock=clock)
    a_ladder(here, 4)
    assert '<a href="/events/1">Bipod ladder</a></th><td>4</td>' in client.get("/events").text
    assert "has challenged" not in client.get("/events/1").text
    game = play(here, 4, 1)
    advance(here, game, 4)
    challenge(here, 3, 2)
    page = client.get("/events/1").text
    assert f'<a href="/games/{game}">game {game}</a> goes on' in page
    until = f"{clock.now + 5 * DAY:%-d %B %Y}"
    assert f"to be answered by {until}" in re.sub(r"<[^>]*>", "", page)
    finish(here, game, 1)
    page = client.get("/events/1").text
    assert ["P004", "P002", "P003", "P001"] == re.findall(r'class="name"><a href="/players/(\w+)">', page)
    assert re.search(r'<td class="place">1</td><th [^>]*><a [^>]*>P004</a></th><td>\d{4}\?</td>', page)
    (result,) = [line for line in page.split("\n") if "won against" in line]
    assert f"game {game}" in result and "forfeit" not in result
    assert f"/games/{game}" in client.get("/feeds/events/1.atom").text
    clock.now += 6 * DAY
    check_events(here)
    page = client.get("/events/1").text
    assert "by forfeit" in page and "has challenged" not in page


def test_a_match_has_its_clubs_and_then_its_boards(app: App, clock: Clock, client: FlaskClient) -> None:
    here = replace(app, clock=clock)
    a_match(here, 2, 3)
    listed = client.get("/events").text
    assert (
        '<a href="/events/1">Bipod match of Lisbon and Oxford</a> <span class="soft">open to join' in listed
    )
    page = client.get("/events/1").text
    assert "<code>join match 1 Lisbon</code> or <code>join match 1 Oxford</code>" in page
    assert ["P001", "P002", "P003", "P004", "P005"] == re.findall(r'<a href="/players/(\w+)">', page)
    clock.now += 8 * DAY
    check_events(here)
    one, two, *_ = games_of(here)
    finish(here, one, 0)
    page = client.get("/events/1").text
    assert "<strong>Lisbon 1, Oxford 0</strong>. 3 games go on.</p>" in page
    assert f'href="/games/{one}">1</a>' in page
    assert f'href="/games/{two}" aria-label="game {two}">·</a>' in page
    assert ["P001", "P003", "P002", "P004", "P005"] == re.findall(r'<a href="/players/(\w+)">', page)
    assert "Without a board, since the other club had fewer players: " in page
    assert f"/games/{one}" in client.get("/feeds/events/1.atom").text
    assert (
        '<a href="/events/1">Bipod match of Lisbon and Oxford, board 1</a>'
        in client.get(f"/games/{one}").text
    )
    for number in games_of(here)[1:]:
        finish(here, number, None)
    assert "Lisbon 2½, Oxford 1½" in client.get("/events/1").text
    check_events(here)
    assert "It is over: Lisbon has won." in client.get("/events/1").text
    assert '<span class="soft">over</span>' in client.get("/events").text


def test_a_season_that_is_over_says_when_it_ended_and_who_moves(
    app: App, clock: Clock, client: FlaskClient
) -> None:
    here = replace(app, clock=clock)
    begun(here, clock, 8, size=4, at_once=3)
    began = current(here).starts
    clock.now += 5 * DAY
    for number in (1, 2):
        for each in going(here, 1, number):
            finish(here, each.game or 0, 0)
    check_events(here)
    words = re.sub(r"<[^>]*>", "", client.get("/events/1").text)
    assert f"It began on {began:%-d %B %Y} and ended on {clock.now:%-d %B %Y}." in words
    assert re.search(r"\w+ and \w+ go down to division 2\.", words)
    assert re.search(r"\w+ and \w+ go up to division 1\.", words)
    listed = re.sub(r"<[^>]*>", "", client.get("/events").text)
    assert f"{began:%-d %B %Y} – {clock.now:%-d %B %Y}" in listed


def test_acts_of_a_director_say_whom_they_were_about(app: App, clock: Clock, client: FlaskClient) -> None:
    here = replace(app, clock=clock)
    ids = begun(here, clock, 4, at_once=1)
    second = player(here, name_of(2))
    waiting = next(each for each in all_games(here, 1) if each.game is None)
    one, two = (player(here, name_of(ids.index(id) + 1)) for id in waiting.pair)
    with here.store.write() as db:
        event_director.award(EventAct(db, clock.now, "Both were ill."), 1, one, two, "1/2")
        event_director.forfeit(EventAct(db, clock.now, "A rude word."), 1, second, ())
    page = re.sub(r"<[^>]*>", "", client.get("/events/1").text)
    assert f"gave a result ({one.name} and {two.name}, 1/2): Both were ill." in page
    assert f"took a player out ({second.name}): A rude word." in page


def test_the_page_of_a_player_leads_to_their_events(app: App, clock: Clock, client: FlaskClient) -> None:
    here = replace(app, clock=clock)
    ids = a_league(here, clock, 8, size=4)
    starts = f"{current(here).starts:%-d %B %Y}"
    page = client.get("/players/P001").text
    assert '<a href="/events/1">Bipod league, season 1</a> <span class="soft">begins on ' in page
    assert starts in page
    clock.now += 8 * DAY
    check_events(here)
    confirm(here, *ids)
    clock.now += 7 * DAY
    check_events(here)
    assert (
        '<a href="/events/1?division=2">Bipod league, season 1, division 2</a>'
        in client.get("/players/P008").text
    )
    assert "Leagues, ladders" not in client.get("/players/P001?before=1").text
