"""Unsubscribing by a letter's link, whose opening alone changes nothing."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.preferences.letter_kinds import CATEGORIES
from pbem.mail.addresses import Token
from pbem.web.pages.preference_forms import TICKS
from tests.apps import player
from tests.web.markup import read
from tests.web.signing_in import sign_in


def link(app: App, category: str = "chat", epoch: int = 0, use: str = "unsubscribe") -> str:
    bill = player(app, "Bill")
    return (
        f"/unsubscribe/{app.addressing.sign_token(Token(use, (bill.id, CATEGORIES.index(category), epoch)))}"
    )


def test_looking_asks_and_changes_nothing(app: App, client: FlaskClient) -> None:
    answer = client.get(link(app))
    page = read(answer.text)
    assert "Stop these letters?" in page.text
    assert "To stop them is not to resign" in page.text
    assert [] == page.all_problems()
    assert ("no-store", "no-referrer") == (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"])
    assert "bill@example.org" not in answer.text
    assert frozenset() == player(app, "Bill").stopped


def test_a_mail_program_stops_them_in_one_click(app: App, client: FlaskClient) -> None:
    answer = client.post(link(app), data={"List-Unsubscribe": "One-Click"})
    assert 200 == answer.status_code
    assert "you get no more letters that hold nothing but another player's words" in answer.text.replace(
        "&#39;", "'"
    )
    assert {"chat"} == player(app, "Bill").stopped
    assert "Stopped already" in client.get(link(app)).text


def test_they_can_be_had_again(app: App, client: FlaskClient) -> None:
    for category in ("chat", "turns"):
        client.post(link(app, category))
    client.post(link(app), data={"again": "1"})
    assert {"turns"} == player(app, "Bill").stopped


@pytest.mark.parametrize("category", TICKS)
def test_the_page_says_of_every_category_what_its_tick_on_the_settings_page_says(
    app: App, client: FlaskClient, category: str
) -> None:
    asked = read(client.get(link(app, category)).text).text
    settings = read(sign_in(app, client).text).text
    (words,) = re.findall(r"this is about letters (.+?)\. To stop", asked)
    assert 1 == settings.count(words)


@pytest.mark.parametrize("token", ["x", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ä", "a" * 3000])
def test_a_link_that_is_not_ours_is_said_to_be_none(client: FlaskClient, token: str) -> None:
    for answer in (client.get(f"/unsubscribe/{token}"), client.post(f"/unsubscribe/{token}")):
        assert 404 == answer.status_code
        assert "not one of ours" in answer.text


def test_a_revoked_link_or_one_for_another_use_stops_nothing(app: App, client: FlaskClient) -> None:
    assert 404 == client.post(link(app, epoch=1)).status_code
    assert 404 == client.post(link(app, use="player")).status_code
    assert frozenset() == player(app, "Bill").stopped


ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_whoever_only_looks_or_fetches_ahead_stops_nothing(
    app: App, client: FlaskClient, method: str
) -> None:
    prefetching = {
        "Purpose": "prefetch",
        "Sec-Purpose": "prefetch;prerender",
        "User-Agent": "GoogleImageProxy",
    }
    answer = getattr(client, method)(link(app), headers=prefetching)
    assert 200 == answer.status_code
    assert frozenset() == player(app, "Bill").stopped


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_other_way_of_asking_is_taken(app: App, client: FlaskClient, method: str) -> None:
    assert 405 == getattr(client, method)(link(app), data=ONE_CLICK).status_code
    assert frozenset() == player(app, "Bill").stopped


def test_one_click_needs_no_cookie_no_form_of_ours_and_no_redirect(app: App) -> None:
    """Uses no cookies, credentials or redirects (RFC 8058 3.1, 3.2)."""
    from pbem.web import create_app

    client = create_app(app).test_client(use_cookies=False)
    strange = {"Origin": "https://mail.example.com", "Referer": "https://mail.example.com/inbox"}
    answer = client.post(link(app), data=ONE_CLICK, headers={**strange, "Sec-Fetch-Site": "cross-site"})
    assert 200 == answer.status_code
    assert "Set-Cookie" not in answer.headers
    assert {"chat"} == player(app, "Bill").stopped


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"),
        (
            b'--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
            "multipart/form-data; boundary=x",
        ),
        (b"", "application/x-www-form-urlencoded"),
        (b"", "text/plain"),
    ],
)
def test_both_forms_of_the_one_click_are_taken(app: App, client: FlaskClient, body: bytes, kind: str) -> None:
    assert 200 == client.post(link(app), data=body, content_type=kind).status_code
    assert {"chat"} == player(app, "Bill").stopped


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"List-Unsubscribe=Two-Clicks", "application/x-www-form-urlencoded"),
        (b"x=1&y=2", "application/x-www-form-urlencoded"),
        (b'{"List-Unsubscribe": "One-Click"}', "application/json"),
        (b"\x00\xff\xfe", "text/plain"),
    ],
)
def test_a_body_that_asks_for_something_else_stops_nothing(
    app: App, client: FlaskClient, body: bytes, kind: str
) -> None:
    answer = client.post(link(app), data=body, content_type=kind)
    assert 400 == answer.status_code
    assert frozenset() == player(app, "Bill").stopped


def test_a_body_too_long_is_turned_away(app: App, client: FlaskClient) -> None:
    answer = client.post(link(app), data=b"x=" + b"y" * 3_000_000)
    assert answer.status_code in (400, 413)
    assert frozenset() == player(app, "Bill").stopped


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_link_of_every_category_stops_that_and_no_other(
    app: App, client: FlaskClient, category: str
) -> None:
    client.post(link(app, category), data=ONE_CLICK)
    client.post(link(app, category), data=ONE_CLICK)
    assert {category} == player(app, "Bill").stopped
