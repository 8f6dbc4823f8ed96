"""The form that invites a friend, and the page that an invitation's link opens."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.store import moderation
from pbem.web import create_app
from tests.apps import last_letter, letters, load, player, reply
from tests.web.library import ADDRESSES, begin
from tests.web.markup import read
from tests.web.signing_in import SITE, get, send, sign_in

NINA = "nina@example.com"


@pytest.fixture
def visitor(app: App) -> FlaskClient:
    return create_app(app).test_client()


def link(client: FlaskClient, game: str = "bipod") -> str:
    """The path of a new link of Bill's."""
    page = send(client, "/invite", page="/invite", game=game, address="")
    found = re.search(r"/join/[a-z2-7]+", page.text)
    assert found is not None, page.text
    return found[0]


@pytest.fixture
def bill(app: App, client: FlaskClient) -> FlaskClient:
    begin(app)
    sign_in(app, client, "Bill")
    return client


def test_a_visitor_begins_by_name_and_address_and_one_answer(
    app: App, bill: FlaskClient, visitor: FlaskClient
) -> None:
    path = link(bill)
    assert "Play Bipod with Bill?" in get(visitor, path).text
    assert "Look into your mail" in send(visitor, path, page=path, name="Nina", address=NINA).text
    asked = last_letter(app, NINA)
    assert "Your name here will be Nina" in asked.text
    assert "done" == reply(app, NINA, asked, "yes")
    assert ["Nina", "Bill"] == [each.name for each in load(app, 2).seats]
    assert "has been taken by somebody before you" in read(get(visitor, path).text).text


def test_whoever_is_signed_in_begins_at_once(app: App, bill: FlaskClient, visitor: FlaskClient) -> None:
    path = link(bill)
    sign_in(app, visitor, "Anna")
    answer = send(visitor, path, page=path)
    assert (303, "/games/2") == (answer.status_code, answer.headers["Location"])
    assert ["Anna", "Bill"] == [each.name for each in load(app, 2).seats]
    assert "You have joined before; it is game 2." in read(get(visitor, path).text).text


def test_the_maker_is_told_to_forward_it(bill: FlaskClient) -> None:
    assert "This is your own invitation." in read(get(bill, link(bill)).text).text


def test_the_form_writes_to_an_address_once(app: App, bill: FlaskClient) -> None:
    for words in ("is on its way", "is open already"):
        assert words in send(bill, "/invite", page="/invite", game="bipod", address=NINA).text
    assert 1 == len(letters(app, NINA))
    assert "To play Bipod with Bill, answer" in last_letter(app, NINA).text


def test_the_same_is_said_of_a_players_address(app: App, bill: FlaskClient) -> None:
    pages = [
        send(bill, "/invite", page="/invite", game="bipod", address=who).text.replace(who, "X")
        for who in (NINA, ADDRESSES["Anna"])
    ]
    told = [read(page).text for page in pages]
    assert told[0] == told[1]
    assert "Bill would like to play Bipod with you" in last_letter(app, ADDRESSES["Anna"]).text


def test_a_typed_address_gets_one_letter_however_often_it_is_typed(
    app: App, bill: FlaskClient, visitor: FlaskClient
) -> None:
    path = link(bill)
    for _ in range(3):
        send(visitor, path, page=path, name="Nina", address=NINA)
    assert 1 == len(letters(app, NINA))


@pytest.mark.parametrize("address", ["play@pbem.example.org", "nobody", "a@b@c"])
def test_what_is_no_address_is_refused(
    app: App, bill: FlaskClient, visitor: FlaskClient, address: str
) -> None:
    path = link(bill)
    assert 422 == send(visitor, path, page=path, name="Nina", address=address).status_code


def test_one_click_ends_all_invitations(app: App, bill: FlaskClient, visitor: FlaskClient) -> None:
    send(bill, "/invite", page="/invite", game="bipod", address=NINA)
    stop = last_letter(app, NINA).header("List-Unsubscribe").partition(">")[0].lstrip("<")
    assert "One-Click" in last_letter(app, NINA).header("List-Unsubscribe-Post")
    path = stop.removeprefix(SITE)
    assert "No more invitations?" in get(visitor, path).text
    answer = visitor.post(path, base_url=SITE, data={"List-Unsubscribe": "One-Click"})
    assert "Never again" in answer.text
    sign_in(app, visitor, "Anna")
    send(visitor, "/invite", page="/invite", game="bagel", address=NINA)
    path = link(bill)
    nobody = create_app(app).test_client()
    send(nobody, path, page=path, name="Nina", address=NINA)
    assert 1 == len(letters(app, NINA))


def test_without_a_session_there_is_no_form(app: App, visitor: FlaskClient) -> None:
    assert 404 == get(visitor, "/invite").status_code


def test_a_barred_maker_s_link_is_closed(app: App, bill: FlaskClient, visitor: FlaskClient) -> None:
    path = link(bill)
    with app.store.write() as db:
        moderation.bar_player(db, player(app, "Bill"), "Spam")
    assert "is not open any more" in read(get(visitor, path).text).text
