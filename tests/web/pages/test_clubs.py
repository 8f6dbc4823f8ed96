"""Clubs and their leagues by forms, as by mail."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.events import league
from pbem.web import create_app
from pbem.worker.events import check_events
from tests.apps import ask, last_words, register, writes
from tests.inbox.test_club_leagues import current, running
from tests.web.library import ADDRESSES
from tests.web.markup import read
from tests.web.signing_in import get, send, sign_in

NAMES = ("Anna", "Bill", "Ulla", "Kurt", "Lars", "Mona", "Nils", "Olga")
PAGE = "/clubs/tuesday-evening"


@pytest.fixture
def app(at_home: App) -> App:
    return at_home


@pytest.fixture
def anna(app: App) -> FlaskClient:
    for name in NAMES[2:]:
        register(app, address(name), name)
    return client_of(app, "Anna")


def address(name: str) -> str:
    return ADDRESSES.get(name, f"{name.lower()}@example.org")


def client_of(app: App, name: str) -> FlaskClient:
    client = create_app(app).test_client()
    sign_in(app, client, name)
    return client


def page(client: FlaskClient, path: str = PAGE) -> str:
    found = read(get(client, path).text)
    assert [] == found.all_problems()
    return found.text


def press(client: FlaskClient, order: str, **fields: str) -> int:
    return send(client, PAGE, page=PAGE, order=order, **fields).status_code


def make(client: FlaskClient) -> None:
    answer = send(client, "/clubs", page="/clubs", name="Tuesday Evening", town="Lisbon")
    assert (303, PAGE) == (answer.status_code, answer.headers["Location"])


def test_a_club_and_its_league_are_made_and_started_on_the_web(app: App, anna: FlaskClient) -> None:
    make(anna)
    assert "Lisbon. 1 member, organised by Anna. An organiser lets players in." in page(anna)
    assert 303 == press(anna, "invite", player=" ".join(NAMES[1:]))
    for name in NAMES[1:]:
        writes(app, address(name), "yes")
    assert "8 members" in page(anna)
    assert 303 == press(anna, "league", game="bipod", time="brisk", weekends="yes", double="yes")
    check_events(app)
    for name in NAMES[1:6]:
        writes(app, address(name), "yes")
    assert 303 == press(anna, "start", game="bipod")
    check_events(app)
    assert current(app).state == league.RUNNING and current(app).settings.double
    assert "brisk weekends" == current(app).settings.pace
    assert "Games that run" in page(anna)
    assert not running(app, "Olga")
    season = page(anna, f"/events/{current(app).id}")
    assert "0 of 30 games played" in season and "You direct it" in season
    direct = get(anna, f"/direct?event={current(app).id}").text
    assert 'action="/direct/award' in direct and 'action="/direct/bar' not in direct


def test_players_join_say_and_leave_by_forms(app: App, anna: FlaskClient) -> None:
    make(anna)
    assert 303 == press(anna, "set", entry="open")
    bill = client_of(app, "Bill")
    assert 303 == press(bill, "join")
    assert "Bill has joined Tuesday Evening" in last_words(app, address("Anna"))
    assert 303 == press(anna, "say", words="We meet at eight.")
    assert "We meet at eight." in last_words(app, address("Bill"))
    assert 303 == press(anna, "town", town="Porto")
    assert 303 == press(anna, "organiser", player="Bill")
    asked = send(bill, PAGE, page=PAGE, order="leave")
    assert 200 == asked.status_code and "Do you leave the club?" in asked.text
    assert 303 == press(bill, "leave", sure="yes")
    assert "Porto. 1 member" in page(anna)


def test_an_organiser_puts_a_member_out_by_a_form_that_asks_once(app: App, anna: FlaskClient) -> None:
    make(anna)
    press(anna, "set", entry="open")
    press(client_of(app, "Bill"), "join")
    asked = send(anna, PAGE, page=PAGE, order="remove", player="Bill")
    assert 200 == asked.status_code and "Do you put Bill out?" in asked.text
    assert "2 members" in page(anna)
    assert 303 == press(anna, "remove", player="Bill", sure="yes")
    assert "1 member" in page(anna)
    assert "Anna has put you out" in last_words(app, address("Bill"))


def test_two_organisers_agree_on_a_match_and_members_join_on_its_page(app: App, anna: FlaskClient) -> None:
    make(anna)
    bill, joao = (client_of(app, name) for name in ("Bill", "Joao"))
    assert 303 == send(bill, "/clubs", page="/clubs", order="", name="Monday Club").status_code
    assert (
        "No club is called Sunday Club here"
        in send(anna, PAGE, page=PAGE, order="match", game="bipod", other="Sunday Club").text
    )
    assert 303 == press(anna, "match", game="bipod", other="Monday Club")
    assert "do you play?" not in last_words(app, address("Anna"))
    ask(app, address("Bill"), "yes")
    there = f"/events/{current(app).id}"
    assert "Bipod match of Tuesday Evening and Monday Club" in page(anna)
    assert f'href="{there}"' in get(bill, "/clubs/monday-club").text
    assert "Play for Tuesday Evening" in page(anna, there) and "You direct it" in page(bill, there)
    assert "Play for" not in page(joao, there) and "Start now" not in page(anna, there)
    assert 303 == send(anna, there, page=there, order="join", club="Tuesday Evening").status_code
    assert 303 == send(bill, there, page=there, order="join", club="Monday Club").status_code
    assert "Start now" in page(bill, there) and "Start now" not in page(joao, there)
    assert 303 == send(bill, there, page=there, order="start").status_code
    check_events(app)
    assert running(app, "Anna") and running(app, "Bill")


def test_an_organiser_makes_a_ladder_and_members_enter_it(app: App, anna: FlaskClient) -> None:
    make(anna)
    press(anna, "set", entry="open")
    bill, joao = (client_of(app, name) for name in ("Bill", "Joao"))
    press(bill, "join")
    assert 303 == press(anna, "ladder", game="bagel", time="brisk")
    assert "Bagel ladder of Tuesday Evening runs" in page(anna)
    ladder = f"/events/{current(app).id}"
    assert "You direct it" in page(anna, ladder) and "Enter" in page(bill, ladder)
    assert "It is for the members of Tuesday Evening." in page(joao, ladder)
    assert 303 == send(bill, ladder, page=ladder, order="join").status_code
    assert 303 == send(bill, ladder, page=ladder, order="challenge", player="Anna").status_code
    assert "Bill challenges you on the Bagel ladder of Tuesday Evening" in last_words(app, address("Anna"))
    assert 303 == send(anna, ladder, page=ladder, order="yes", player="Bill").status_code
    assert running(app, "Bill")
    assert 303 == send(bill, ladder, page=ladder, order="leave", sure="yes").status_code
    assert "Bagel ladder" not in get(client_of(app, "Bill"), "/events").text


def test_a_member_offers_several_games_at_once(app: App, anna: FlaskClient) -> None:
    make(anna)
    press(anna, "set", entry="open")
    for name in ("Bill", "Joao"):
        press(client_of(app, name), "join")
    assert "Play several at once" in page(client_of(app, "Bill"))
    assert 303 == press(anna, "simul", boards="2", game="bagel", time="brisk")
    for name in ("Bill", "Joao"):
        assert "Anna offers the same to 2 players" in last_words(app, address(name))
    assert 422 == press(anna, "simul", boards="9", game="bagel")


def test_friends_are_invited_by_address_and_by_a_link(app: App, anna: FlaskClient) -> None:
    make(anna)
    assert 303 == press(anna, "invite", player="zoe@example.com")
    assert "To join Tuesday Evening, the club of Anna" in last_words(app, "zoe@example.com")
    shown = send(anna, PAGE, page=PAGE, order="link").text
    assert [] == read(shown).all_problems()
    link = shown.partition('readonly value="')[2].partition('"')[0].removeprefix(app.config.site)
    bill = client_of(app, "Bill")
    assert "Join Tuesday Evening?" in page(bill, link)
    answer = send(bill, link, page=link)
    assert (303, PAGE) == (answer.status_code, answer.headers["Location"])
    assert "2 members" in page(anna)
    assert "Bill has joined Tuesday Evening" in last_words(app, address("Anna"))
    assert "has been taken by somebody before you" in page(client_of(app, "Joao"), link)


def test_a_club_s_page_has_tables_running_games_and_results(app: App, anna: FlaskClient) -> None:
    make(anna)
    press(anna, "invite", player=" ".join(NAMES[1:5]))
    for name in NAMES[1:5]:
        writes(app, address(name), "yes")
    writes(app, address("Bill"), "challenge Ulla bagel first 3d/move")
    writes(app, address("Ulla"), "accept")
    friendly = max(running(app, "Bill"))
    writes(app, address("Olga"), "challenge Ulla bagel")
    writes(app, address("Ulla"), "accept")
    press(anna, "league", game="bipod", time="brisk")
    check_events(app)
    for name in NAMES[1:5]:
        writes(app, address(name), "yes")
    check_events(app)
    number = min(running(app, "Kurt"))
    writes(app, address("Kurt"), f"game {number}\nresign yes")
    check_events(app)
    shown = get(anna, PAGE).text
    leagues, games, results = (shown.index(f'id="{name}"') for name in ("leagues", "running", "results"))
    assert leagues < shown.index("1 of 10 games played.") < shown.index('class="table cross"') < games
    assert games < shown.index("1 day left") < shown.index(f'href="/games/{friendly}"') < results
    assert results < shown.index("resigned") and f'href="/games/{number}"' in shown[results:]
    assert "Olga" not in page(anna)
    writes(app, address("Ulla"), f"game {friendly}\nresign yes")
    assert f'href="/games/{friendly}"' in get(anna, PAGE).text.partition('id="results"')[2]


def test_what_is_wrong_is_said_on_the_page(app: App, anna: FlaskClient) -> None:
    make(anna)
    again = send(anna, "/clubs", page="/clubs", name="tuesday evening", town="")
    assert 422 == again.status_code and "There is a club called Tuesday Evening already" in again.text
    assert [] == read(again.text).all_problems()
    wrong = send(anna, PAGE, page=PAGE, order="league", game="bipod", players="Bill Zoe")
    assert 422 == wrong.status_code and "Zoe" in wrong.text
    assert [] == read(wrong.text).all_problems()
    assert 422 == press(client_of(app, "Bill"), "set", entry="open")
    assert 404 == press(anna, "dance")
    assert 404 == get(anna, "/clubs/monday").status_code
