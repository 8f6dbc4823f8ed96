"""A player whose letters came back reads so in the next letter and on the pages; nobody else does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import App
from pbem.outbox.send import send_due
from pbem.store import players
from pbem.web import create_app
from tests.apps import BILL, JOAO, Clock, Relay, a_game, flat, last_letter, last_words, player, reply, writes
from tests.returned import comes_back
from tests.web.markup import read
from tests.web.signing_in import get, sign_in

pytestmark = pytest.mark.each_database

TOLD = "letters to you came back on 3 March 2026, so you may have missed some"
ON_PAGE = "Letters to you came back on 3 March 2026."


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


def returned(app: App, relay: Relay, clock: Clock, status: str = "5.1.1") -> None:
    """A letter to Bill in game 1 comes back on the evening of 2 March, which is the 3rd for Bill."""
    a_game(app)
    with app.store.write() as db:
        players.set_preference(db, player(app, "Bill"), "zone", "Asia/Tokyo")
    send_due(app)
    clock.pass_by(days=1, hours=8)
    comes_back(app, relay.to(BILL)[-1], status)


@pytest.mark.parametrize("status", ["5.1.1", "4.2.2", "5.7.26"])
def test_the_next_letter_says_so_and_the_one_after_an_answer_does_not(
    app: App, relay: Relay, clock: Clock, status: str
) -> None:
    returned(app, relay, clock, status)
    writes(app, JOAO, "say hello")
    assert TOLD in last_words(app, BILL)
    assert "letters to you came back on 3 March 2026" in flat(last_letter(app, BILL).html)
    assert "came back" not in last_words(app, JOAO)
    writes(app, BILL, "games")
    assert TOLD in last_words(app, BILL), "the answer is the first letter that Bill surely has"
    writes(app, BILL, "games")
    assert "came back" not in last_words(app, BILL)


def test_it_is_said_until_a_letter_has_not_come_back_for_a_day(app: App, relay: Relay, clock: Clock) -> None:
    returned(app, relay, clock)
    clock.pass_by(minutes=1)
    writes(app, JOAO, "say one")
    send_due(app)
    clock.pass_by(hours=23)
    writes(app, JOAO, "say two")
    assert TOLD in last_words(app, BILL)
    send_due(app)
    clock.pass_by(hours=2)
    writes(app, JOAO, "say three")
    assert "came back" not in last_words(app, BILL)
    assert player(app, "Bill").returned_at is None


def test_a_letter_that_came_back_too_has_not_arrived(app: App, relay: Relay, clock: Clock) -> None:
    returned(app, relay, clock, "5.7.1")
    writes(app, JOAO, "say one")
    send_due(app)
    comes_back(app, relay.to(BILL)[-1], "5.7.1")
    clock.pass_by(days=2)
    writes(app, JOAO, "say two")
    assert TOLD in last_words(app, BILL)


def test_the_pages_say_so_to_the_player_alone_until_they_write(app: App, relay: Relay, clock: Clock) -> None:
    returned(app, relay, clock)
    bill, joao = (create_app(app).test_client() for _ in range(2))
    sign_in(app, bill)
    sign_in(app, joao, "Joao")
    for path in ("/", "/games/1", "/settings"):
        page = read(get(bill, path).text)
        assert ON_PAGE in page.text
        assert [] == page.all_problems()
        assert "came back" not in get(joao, path).text
    writes(app, BILL, "games")
    assert "came back" not in get(bill, "/games/1").text


def test_where_letters_are_held_the_page_says_that_they_are_kept(
    app: App, relay: Relay, clock: Clock
) -> None:
    returned(app, relay, clock)
    comes_back(app, relay.to(BILL)[-2])
    bill = create_app(app).test_client()
    sign_in(app, bill)
    assert f"{ON_PAGE} They are kept here until you write to us." in read(get(bill, "/settings").text).text
    writes(app, BILL, "games")
    said = [flat(letter.text) for letter in (last_letter(app, BILL),)]
    assert ["Good to hear from you" in each and "Please note" not in each for each in said] == [True]
    assert "done" == reply(app, JOAO, last_letter(app, JOAO), "games")
