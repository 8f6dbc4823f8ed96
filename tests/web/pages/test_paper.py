"""`/paper`: the paper on the web, with what the letter says."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from pbem.app import App
from pbem.core.events.league import Settings
from pbem.core.paper import Week
from pbem.duties.paper import load_paper, make_issue
from pbem.store import event_entries, moderation, players
from pbem.store.tables.learning import papers
from tests.apps import player
from tests.people import NOON
from tests.web.events import fill_events
from tests.web.library import a_short_game, the_seeds_game
from tests.web.puzzle_boards import add_puzzle_game

WEEK = Week(2026, 10)


@pytest.fixture
def library(app: App) -> App:
    """The paper of a week with three games that ended."""
    the_seeds_game(app)
    a_short_game(app)
    add_puzzle_game(app)
    assert WEEK.begins < NOON < WEEK.ends
    make_issue(app, WEEK)
    return app


def page(client: FlaskClient, path: str = "/paper") -> str:
    answer = client.get(path)
    assert 200 == answer.status_code, path
    return " ".join(answer.text.split())


def test_the_newest_paper_is_read_without_an_account(library: App, client: FlaskClient) -> None:
    words = page(client)
    assert words == page(client, f"/paper/{WEEK}")
    assert "Game of the week" in words
    assert 'finished <a href="/games/1">game 1</a>' in words
    assert "Joao</a> rose by" not in words.split("Newcomers")[1]
    for name in ("Bill", "Joao", "Anna"):
        assert f'<a href="/players/{name}">{name}</a>, with <a href="/games/' in words
    assert "<svg" in words.partition('<section aria-labelledby="lead">')[2]
    assert "@example" not in words


def test_the_page_shows_what_the_rows_say(library: App, client: FlaskClient) -> None:
    with library.store.read() as db:
        found = load_paper(library, db, WEEK)
    assert found is not None
    assert found.movers
    words = page(client)
    for rules, rows in found.movers:
        assert f'<h3><a href="/standings/{rules.key}">{rules.name}</a></h3>' in words
        for mover, who in rows:
            assert f"{who.name}</a> rose by {mover.gain} points to {mover.after}" in words


def test_before_the_first_paper_it_is_said(app: App, client: FlaskClient) -> None:
    assert "There is none yet." in page(client)


@pytest.mark.parametrize("path", ["/paper/2026-11", "/paper/2026-09", "/paper/0000-00", "/paper/2026-53"])
def test_other_weeks_are_not_found(library: App, client: FlaskClient, path: str) -> None:
    assert 404 == client.get(path).status_code


def test_a_barred_player_is_not_on_the_page(library: App, client: FlaskClient) -> None:
    assert "Joao" in page(client)
    with library.store.write() as db:
        moderation.bar_player(db, player(library, "Joao"), "rude")
    assert "Joao" not in page(client)


def test_the_page_is_not_made_twice_for_one_reader(library: App, client: FlaskClient) -> None:
    tag = client.get("/paper").headers["ETag"]
    assert 304 == client.get("/paper", headers={"If-None-Match": tag}).status_code


def test_the_feed_leads_to_the_paper(library: App, client: FlaskClient) -> None:
    assert f"https://pbem.example.org/paper/{WEEK}" in client.get("/paper/feed").text


@pytest.fixture
def leagues(app: App) -> App:
    """A paper of a week with a league whose leaders are Bill and two others."""
    a_short_game(app)
    fill_events(app, (player(app, "Bill").id,))
    make_issue(app, WEEK)
    return app


def test_who_leads_a_league_is_told_with_a_link(leagues: App, client: FlaskClient) -> None:
    words = page(client)
    (line,) = re.findall(r'<li><a href="/events/.*?</li>', words)
    assert line.startswith('<li><a href="/events/1">Bipod league, season 1</a>: ')
    assert line.endswith(" lead with 2 points each; 11 of 45 games are over.</li>")
    table = page(client, "/events/1")
    named = re.findall(r'/players/(\w+)">', line)
    assert 3 == len(named)
    for name in named:
        assert name in re.findall(r'\d+\. <a href="/players/(\w+)">', table)[:3]


def test_a_league_is_told_of_behind_many_newer_ones(app: App, client: FlaskClient) -> None:
    a_short_game(app)
    fill_events(app, (player(app, "Bill").id,))
    with app.store.write() as db:
        for _ in range(101):
            later = event_entries.add_event(db, "bagel", 1, Settings(), app.now())
            event_entries.append(db, later, "open", app.now(), starts=app.now())
    make_issue(app, WEEK)
    assert '<li><a href="/events/1">Bipod league, season 1</a>: ' in page(client)


def test_a_leader_who_is_barred_is_not_named(leagues: App, client: FlaskClient) -> None:
    with leagues.store.write() as db:
        first = players.player_by_name(db, "Fritz")
        assert first is not None and "Fritz" in page(client)
        moderation.bar_player(db, first, "rude")
    assert "Fritz" not in page(client) and "Bipod league, season 1</a>: " in page(client)


def test_leagues_alone_are_no_paper(app: App, client: FlaskClient) -> None:
    fill_events(app)
    a_short_game(app)
    make_issue(app, Week(2026, 11))
    assert "There is none yet." in page(client)


def test_before_the_first_game_of_people_has_ended_the_page_has_a_lesson(
    app: App, client: FlaskClient
) -> None:
    player(app, "Bill")
    make_issue(app, WEEK)
    with app.store.read() as db:
        found = load_paper(app, db, WEEK)
    assert found is not None and found.lesson is not None
    words = page(client)
    assert f"A lesson: {found.lesson.lesson.title}</h2>" in words
    assert f'href="/rules/{found.lesson.rules.key}/learn/{found.lesson.n}"' in words
    assert 200 == client.get(f"/rules/{found.lesson.rules.key}/learn/{found.lesson.n}").status_code


def test_a_paper_from_before_the_leagues_is_read(library: App, client: FlaskClient) -> None:
    before = page(client)
    with library.store.write() as db:
        issue = db.execute(select(papers.c.issue)).scalar_one()
        db.execute(update(papers).values(issue={k: v for k, v in issue.items() if k != "leagues"}))
    assert before == page(client) and "Leagues</h2>" not in before
