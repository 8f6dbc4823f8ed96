"""Stopping letters from the link in a letter's head: looking never acts, and games go on."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from pbem.core.letters import CATEGORIES
from pbem.mail.addressing import Token
from pbem.office import Office
from pbem.web.unsubscribing import ABOUT
from tests.web.library import player
from tests.web.markup import read


def link(office: Office, category: str = "chat", epoch: int = 0, use: str = "unsubscribe") -> str:
    bill = player(office, "Bill")
    return f"/unsubscribe/{office.addressing.seal(Token(use, (bill.id, CATEGORIES.index(category), epoch)))}"


def test_looking_asks_and_changes_nothing(office: Office, client: FlaskClient) -> None:
    answer = client.get(link(office))
    page = read(answer.text)
    assert "Stop these letters?" in page.text
    assert "To stop them is not to resign" in page.text
    assert [] == page.all_problems()
    assert ("no-store", "no-referrer") == (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"])
    assert "bill@example.org" not in answer.text
    assert frozenset() == player(office, "Bill").stopped


def test_a_mail_program_stops_them_in_one_click(office: Office, client: FlaskClient) -> None:
    answer = client.post(link(office), data={"List-Unsubscribe": "One-Click"})
    assert 200 == answer.status_code
    assert "you get no more letters with nothing in them but another player's words" in answer.text.replace(
        "&#39;", "'"
    )
    assert {"chat"} == player(office, "Bill").stopped
    assert "Stopped already" in client.get(link(office)).text


def test_they_can_be_had_again(office: Office, client: FlaskClient) -> None:
    for category in ("chat", "turns"):
        client.post(link(office, category))
    client.post(link(office), data={"again": "1"})
    assert {"turns"} == player(office, "Bill").stopped


def test_every_category_is_put_in_words() -> None:
    assert set(CATEGORIES) == set(ABOUT)


@pytest.mark.parametrize("token", ["x", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ä", "a" * 3000])
def test_a_link_that_is_not_ours_is_said_to_be_none(client: FlaskClient, token: str) -> None:
    for answer in (client.get(f"/unsubscribe/{token}"), client.post(f"/unsubscribe/{token}")):
        assert 404 == answer.status_code
        assert "not one of ours" in answer.text


def test_a_revoked_link_or_one_for_another_use_stops_nothing(office: Office, client: FlaskClient) -> None:
    assert 404 == client.post(link(office, epoch=1)).status_code
    assert 404 == client.post(link(office, use="player")).status_code
    assert frozenset() == player(office, "Bill").stopped
