"""The page of seeks, as a browser gets it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.lobby.challenges import Seek
from pbem.store import challenges
from pbem.web import create_app
from rules import RULES
from tests.apps import player
from tests.commands.test_finding import rate
from tests.people import NOON
from tests.web.markup import read
from tests.web.signing_in import get, send, sign_in

DAY = timedelta(days=1)


def add(app: App, name: str, game: str = "bipod", **options: str) -> Seek:
    """A seek of ten days ago, seen at NOON + 30 days."""
    rules, begun = RULES[game], NOON + 20 * DAY
    time_control = read_pace("3d/move")
    wish = Seek(
        0,
        player(app, name),
        rules,
        rules.complete(options),
        "first",
        False,
        begun,
        begun + 30 * DAY,
        time_control,
    )
    with app.store.write() as db:
        return challenges.add_challenge(db, wish)


def test_every_seek_stands_there_with_its_terms_and_the_mail_that_takes_it(
    app: App, client: FlaskClient
) -> None:
    add(app, "Bill", size="4")
    add(app, "Anna", "begird")
    page = read(client.get("/seeks").text)
    assert "2 seeks open" in page.text
    for words in (
        "Bill seeks Bipod",
        "size=4",
        "3d/move (3 days for each move)",
        "unrated, Bill is first",
        "Seek 1",
        "Anna seeks Begird",
    ):
        assert words in page.text
    assert "mailto:play@pbem.example.org?subject=Games&body=take%202" in page.links


def test_what_is_sent_to_the_page_is_refused_in_plain_words(client: FlaskClient) -> None:
    answer = client.post("/seeks")
    assert 405 == answer.status_code
    assert "Nothing can be sent to this address, so nothing was done." in answer.text
    assert [] == read(answer.text).all_problems()
    looked = client.get("/lobby/seek")
    assert 405 == looked.status_code
    assert "there is nothing to look at" in looked.text


def test_the_page_can_be_narrowed_to_one_game(app: App, client: FlaskClient) -> None:
    add(app, "Bill")
    add(app, "Anna", "begird")
    page = read(client.get("/seeks?game=begird").text)
    assert "1 seek open" in page.text
    assert "Bill seeks" not in page.text
    assert page.text == read(client.get("/seeks?game=BEGIRD").text).text
    assert "Nobody waits for that game" in read(client.get("/seeks?game=bagel").text).text
    assert "No game is called chess here." in read(client.get("/seeks?game=chess").text).text


def test_with_no_seek_open_the_page_invites_to_the_first_on_offer(app: App, client: FlaskClient) -> None:
    page = read(client.get("/seeks").text)
    assert "Nobody waits for a game just now." in page.text
    key = next(iter(app.offered))
    assert not RULES[key].ask_first
    assert f"seek {key}" in page.text
    assert f"mailto:play@pbem.example.org?subject=Games&body=seek%20{key}" in page.links


def test_at_home_a_seek_is_taken_from_the_mailroom(at_home: App, home: FlaskClient) -> None:
    add(at_home, "Bill")
    assert "/mailroom/new?words=take+1" in read(home.get("/seeks").text).links


def test_what_has_lapsed_or_been_taken_is_gone(app: App, client: FlaskClient) -> None:
    add(app, "Bill")
    with app.store.write() as db:
        found = challenges.lock_seek(db, app.games_by_key, 1)[0]
        assert found is not None
        challenges.set_taker(db, found, player(app, "Joao"))
    assert "Nobody waits" in read(client.get("/seeks").text).text


def test_the_front_page_and_every_header_lead_there(app: App, client: FlaskClient) -> None:
    add(app, "Bill")
    front = read(client.get("/").text)
    assert "/seeks" in front.links
    assert "1 seek open" in front.text
    assert "Bill seeks Bipod" in front.text
    assert "mailto:play@pbem.example.org?subject=Games&body=take%201" in front.links
    assert "/seeks" in read(client.get("/rules").text).links


def own_seek(app: App, name: str = "Bill") -> Seek:
    with app.store.read() as db:
        (found,) = challenges.own_seeks(db, app.games_by_key, player(app, name), app.now())
    return found


def test_a_player_who_is_signed_in_seeks_by_the_form(app: App, client: FlaskClient) -> None:
    assert "Seek a game yourself" not in client.get("/seeks").text
    sign_in(app, client)
    terms = {"game": "begird", "time": "brisk", "rated": "unrated", "who": "about my strength"}
    answer = send(client, "/lobby/seek", page="/seeks", games="up to 3", weekends="weekends", **terms)
    assert (303, "/seeks") == (answer.status_code, answer.headers["Location"])
    seek = own_seek(app)
    assert ("begird", "1d/move weekends", False) == (seek.rules.key, str(seek.time_control), seek.rated)
    assert (True, 3) == (seek.near, seek.up_to)
    page = get(client, "/seeks").text
    assert "for players about as strong, 0 of up to 3 games run" in page
    assert 'value="withdraw 1"' in page
    assert "about your strength, 0 of up to 3 games run" in get(client, "/").text


def test_the_form_takes_only_what_it_offers_and_says_why_a_seek_cannot_be(
    app: App, client: FlaskClient
) -> None:
    sign_in(app, client)
    for wrong in (
        {"game": "chess"},
        {"game": "bipod", "time": "9d/move first"},
        {"game": "bipod", "who": "bots welcome"},
        {"game": "bipod", "games": "up to 99"},
        {"who": "about my strength"},
    ):
        assert 404 == send(client, "/lobby/seek", page="/seeks", **wrong).status_code
    assert 303 == send(client, "/lobby/seek", page="/seeks", game="bipod").status_code
    again = send(client, "/lobby/seek", page="/seeks", game="bipod")
    assert 422 == again.status_code
    assert "Your seek 1 for the same game waits already" in again.text
    assert 410 == send(create_app(app).test_client(), "/lobby/seek", game="bipod").status_code


def test_who_is_not_near_in_strength_is_told_why_instead_of_a_button(app: App, client: FlaskClient) -> None:
    rate(app, "Joao", 2100)
    near = replace(add(app, "Anna"), seeker=player(app, "Joao"), near=True)
    with app.store.write() as db:
        challenges.add_challenge(db, near)
    assert "for players about as strong" in client.get("/seeks").text
    sign_in(app, client)
    for path in ("/seeks", "/"):
        page = get(client, path).text
        assert 'value="take 1"' in page
        assert 'value="take 2"' not in page
        assert "Seek 2 is for players about as strong as Joao." in page
