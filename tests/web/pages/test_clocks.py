"""Time left on pages: correct, counting down, never cached too long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games, vacations
from pbem.web import create_app
from rules import RULES
from tests.amount import amount
from tests.apps import add_game, player
from tests.browser import DESKTOP, TELEPHONE
from tests.people import NOON
from tests.web.library import add, play

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def begin(app: App, pace: str = "7d+1d<=14d") -> Game:
    rules, seats = RULES["bipod"], (player(app, "Bill"), player(app, "Joao"))
    with app.store.write() as db:
        options = rules.start({}).options
        game = add_game(db, rules, options, 0, seats, True, NOON, read_pace(pace))
        begun = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(begun), [opening_entry(game)])
    return begun


def at(app: App, moment: timedelta) -> FlaskClient:
    """The pages at this time after noon."""
    return create_app(replace(app, clock=lambda: NOON + moment)).test_client()


def text(client: FlaskClient, path: str) -> str:
    return " ".join(client.get(path).get_data(as_text=True).split())


def test_the_page_says_until_when_and_what_both_clocks_show(app: App) -> None:
    play(app, begin(app), ["f2 f4 g3"])  # Bill's, two hours after noon
    seen = text(at(app, 26 * HOUR), "/games/1")
    assert (
        'due <time datetime="2026-03-08T14:00:00Z" title="Sunday 8 March 2026, 14:00 UTC">in 6 days</time>'
        in seen
    )
    assert "6 days</span>" in seen  # Joao's, running
    assert "7 days and 22 hours</span>" in seen  # Bill's
    assert 2 == seen.count('<span class="unseen">, clock: </span>')
    assert 1 == seen.count("data-left=")
    assert f'data-left="{6 * 86400}"' in seen
    assert "clocks.js" in seen


def test_a_clock_that_stands_says_why_and_does_not_count(app: App) -> None:
    begin(app)
    with app.store.write() as db:
        vacations.store_vacation(db, 1, Vacation(NOON + DAY, NOON + 11 * DAY))
    seen = text(at(app, 2 * DAY), "/games/1")
    assert 'on vacation until <time datetime="2026-03-12T12:00:00Z"' in seen
    assert "data-left=" not in seen


def test_a_game_without_a_clock_or_at_its_end_shows_none(app: App) -> None:
    begin(app, "none")
    ended = begin(app)
    add(app, ended, "resign", 1, {})
    for number in (1, 2):
        seen = text(at(app, DAY), f"/games/{number}")
        assert ("clocks.js" in seen, 'class="clock ' in seen or 'class="clock"' in seen) == (False, False)


def test_the_time_left_is_never_more_than_an_hour_old(app: App) -> None:
    begin(app)
    answer = at(app, 30 * HOUR).get("/games/1")
    known = {"If-None-Match": answer.headers["ETag"]}
    assert 304 == at(app, 30 * HOUR + 59 * MINUTE).get("/games/1", headers=known).status_code
    assert 200 == at(app, 31 * HOUR).get("/games/1", headers=known).status_code
    dated = {"If-Modified-Since": answer.headers["Last-Modified"]}
    assert 200 == at(app, 31 * HOUR).get("/games/1", headers=dated).status_code


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (5 * MINUTE, ">5 minutes ago</time>"),
        (7 * DAY - 62 * MINUTE, ">in 1 hour</time>"),
        (7 * DAY - MINUTE, ">in 1 minute</time>"),
    ],
)
def test_what_is_less_than_a_day_off_is_true_to_the_minute(app: App, after: timedelta, words: str) -> None:
    begin(app)
    answer = at(app, after).get("/games/1")
    assert words in answer.text
    known = {"If-None-Match": answer.headers["ETag"]}
    assert 304 == at(app, after + timedelta(seconds=59)).get("/games/1", headers=known).status_code
    assert 200 == at(app, after + MINUTE).get("/games/1", headers=known).status_code


def test_a_deadline_that_has_moved_is_seen_at_once(app: App) -> None:
    begin(app)
    answer = at(app, HOUR).get("/games/1")
    with app.store.write() as db:
        vacations.store_vacation(db, 1, Vacation(NOON + DAY, NOON + 2 * DAY))
        moved = games.load_game(db, app.games_by_key, 1)
        assert moved is not None
        games.reschedule(db, moved)
    known = {"If-None-Match": answer.headers["ETag"]}
    assert 200 == at(app, HOUR).get("/games/1", headers=known).status_code


def test_that_somebody_is_back_is_seen_though_the_director_stopped_the_clocks(app: App) -> None:
    game = begin(app)
    add(app, game, "halt", None, {"reason": "Wait."})
    with app.store.write() as db:
        vacations.store_vacation(db, 1, Vacation(NOON + DAY, NOON + 2 * DAY))
    answer = at(app, 30 * HOUR).get("/games/1")
    assert "on vacation until" in answer.text
    known = {"If-None-Match": answer.headers["ETag"]}
    then = at(app, 60 * HOUR).get("/games/1", headers=known)
    assert (200, False) == (then.status_code, "on vacation until" in then.text)


def test_the_same_hour_of_another_month_is_another_hour(app: App) -> None:
    begin(app, "60d/move")
    known = {"If-None-Match": at(app, HOUR).get("/games/1").headers["ETag"]}
    assert 200 == at(app, 31 * DAY + HOUR).get("/games/1", headers=known).status_code


@pytest.mark.parametrize("path", ["/", "/games"])
def test_lists_show_until_when_there_is_time_for_that_is_true_of_a_clock_that_stands_too(
    app: App, path: str
) -> None:
    begin(app)
    assert 'Bill to play, due <time datetime="2026-03-08T12:00:00Z"' in text(at(app, DAY), path)
    assert "Bill to play, out of time" in text(at(app, 8 * DAY), path)


def test_a_clock_that_has_run_out_says_so_without_scripts_too(app: App) -> None:
    begin(app)
    assert "no time left</span>" in text(at(app, 8 * DAY), "/games/1")


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("viewport", "wrong"),
    [(TELEPHONE, -3 * DAY), *amount([], [(TELEPHONE, 0 * DAY), (DESKTOP, 2 * HOUR)])],
)
def test_a_running_clock_counts_down_and_fits_whatever_the_time_on_the_visitors_machine(
    app: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    viewport: dict[str, int],
    wrong: timedelta,
) -> None:
    begin(app, "1d/move")
    moment = NOON + 23 * HOUR
    page = open_page(viewport=viewport)
    page.clock.install(time=moment + wrong - HOUR)
    page.clock.pause_at(moment + wrong)
    page.goto(f"{serve(replace(app, clock=lambda: moment))}/games/1", wait_until="networkidle")
    assert "1 hour" == page.inner_text(".runs .left")
    page.clock.run_for(90_000)
    assert "58 minutes and 30 seconds" == page.inner_text(".runs .left")
    page.clock.run_for(3_600_000)
    assert "no time left" == page.inner_text(".runs .left")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
