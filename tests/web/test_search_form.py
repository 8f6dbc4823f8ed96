"""Searches of the list of games, and fields that are refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.app import App
from pbem.store.game_search import GameQuery
from pbem.web.search_form import FIELDS, GameSearch, read_search
from rules import RULES
from tests.amount import amount
from tests.apps import player
from tests.snapshots import once
from tests.web.library import a_short_game, begin, play, the_seeds_game
from tests.web.markup import Page, read


def asked(app: App, **fields: str) -> GameSearch:
    with app.store.read() as db:
        return read_search(db, RULES, fields)


def page(client: FlaskClient, query: str) -> Page:
    answer = client.get(f"/games?{query}")
    assert 200 == answer.status_code
    found = read(answer.text)
    assert [] == found.all_problems()
    return found


def games_on(found: Page) -> list[str]:
    return [link for link in found.links if link.removeprefix("/games/").isdigit()]


@pytest.fixture
def played(app: App) -> App:
    """Three games: Bill beats Joao, Anna beats Bill, one goes on.

    Game 1 has 19 plies; game 2 has 4, on a small board; game 3 is between Anna and Joao.
    """

    def make() -> None:
        the_seeds_game(app)
        a_short_game(app)
        play(app, begin(app, "Anna", "Joao"), ["f2"])

    once(app, "played", make)
    return app


def test_every_field_of_the_form_says_what_is_wanted(app: App) -> None:
    bill, joao = player(app, "Bill").id, player(app, "Joao").id
    march = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    expected = {
        (("game", "bipod"),): GameQuery(rules="bipod"),
        (("game", "Hexagonal Thing"),): GameQuery(rules="hexthing"),
        (("player", "BILL"),): GameQuery(player=bill),
        (("player", "Bill against Joao"),): GameQuery(player=bill, against=joao),
        (("player", "bill vs joao"),): GameQuery(player=bill, against=joao),
        (("player", "Bill – Joao"),): GameQuery(player=bill, against=joao),
        (("player", "Bill, Joao"),): GameQuery(player=bill, against=joao),
        (("player", "Bill"), ("state", "won")): GameQuery(player=bill, state="won"),
        (("state", "void"),): GameQuery(state="void"),
        (("ended_by", "timeout"),): GameQuery(ended_by="timeout"),
        (("options", "size=5, rows=6"),): GameQuery(options=(("size", 5), ("rows", 6))),
        (("game", "bounders"), ("options", "Scoring=BASIC")): GameQuery(
            rules="bounders", options=(("scoring", "basic"),)
        ),
        (("from", "2026-03"), ("to", "2026-03-31")): GameQuery(begun=march),
        (("from", "2026-03-01"), ("to", "2026-3"), ("dated", "ended")): GameQuery(ended=march),
        (("to", "2025"),): GameQuery(begun=(None, datetime(2026, 1, 1, tzinfo=UTC))),
        (("to", "2025-12"),): GameQuery(begun=(None, datetime(2026, 1, 1, tzinfo=UTC))),
        (("shortest", "10"), ("longest", "40")): GameQuery(plies=(10, 40)),
        (("more", "9"), ("fewer", "41")): GameQuery(plies=(10, 40)),
        (("shortest", "0"),): GameQuery(),
        (("order", "length"),): GameQuery(order="length"),
        (): GameQuery(),
    }
    for fields, wanted in expected.items():
        found = asked(app, **dict(fields))
        assert ("", wanted) == (found.problem, found.wanted), fields


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "chess"}, "No game here is called chess; there are Atoll, Bagel,"),
        ({"player": "Jaoo"}, "Nobody here is called Jaoo. Did you mean Joao?"),
        ({"player": "Bill Joao Anna"}, "Games are between two players"),
        ({"player": "Bill against bill"}, "Nobody plays against himself: write another name beside Bill."),
        ({"state": "lost"}, "Who won or lost them? Write a player's name too."),
        ({"state": "adjourned"}, "A state is one of running, finished,"),
        ({"ended_by": "magic"}, "A way to end is one of rules, resignation,"),
        ({"order": "beauty"}, "An order is one of begun, ended, length, not beauty."),
        ({"dated": "never"}, "What dates are of is one of begun, ended, not never."),
        ({"from": "spring"}, "spring is no date: write a day, a month or a year"),
        ({"from": "2026-02-30"}, "There is no 2026-02-30 in the calendar."),
        ({"to": "9999"}, "There is no 9999 in the calendar."),
        ({"to": "0000"}, "There is no 0000 in the calendar."),
        ({"from": "2026", "to": "2025"}, "The first day comes after the last one."),
        ({"shortest": "-3"}, "A length is a number of moves, as in 40, not -3."),
        ({"shortest": "9", "longest": "8"}, "No game has more than 8 and fewer than 9 moves."),
        ({"more": "8", "fewer": "9"}, "No game has more than 8 and fewer than 9 moves."),
        ({"options": "size"}, "An option is a name and a value, as in size=5, not size."),
        ({"options": "colour=red"}, "No game here has an option colour; the options are bids,"),
        ({"game": "bipod", "options": "pie=yes"}, "Bipod has no option pie; the options are"),
        ({"game": "bipod", "options": "size=99"}, "size is 3 to 8, not 99."),
        ({"options": "size=99"}, "3 to 8 in Bipod"),
        ({"options": "size=="}, "An option is a name and a value, as in size=5, not size==."),
    ],
)
def test_what_cannot_be_meant_is_said_and_nothing_is_listed(
    played: App, client: FlaskClient, fields: dict[str, str], words: str
) -> None:
    query = "&".join(f"{name}={value}" for name, value in fields.items())
    found = page(client, query)
    assert words in found.text
    assert [] == games_on(found)
    assert "/games" in found.links


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("player=Bill+against+Anna", [2]),
        ("player=Bill&state=won", [1]),
        ("player=Bill&state=lost", [2]),
        ("options=size%3D3", [2]),
        ("options=size%3D5+rows%3D6", [3, 1]),
        ("shortest=4&longest=19", [2, 1]),
        ("longest=3", [3]),
        ("more=4&fewer=20", [1]),
        ("order=length", [1, 2, 3]),
        ("order=ended", [1, 2]),
        ("ended_by=resignation", [1]),
        ("ended_by=rules&game=bipod", [2]),
        ("from=2026-03-01&to=2026-03-01&dated=ended", [2]),
        ("from=2026-03-01&to=2026-03-01", [3, 2, 1]),
        ("from=2026-03-02", []),
    ],
)
def test_the_list_shows_the_games_that_were_asked_for(
    played: App, client: FlaskClient, query: str, numbers: list[int]
) -> None:
    assert [f"/games/{n}" for n in numbers] == games_on(page(client, query))


def test_the_form_keeps_what_was_asked(played: App, client: FlaskClient) -> None:
    found = page(
        client, "game=Bipod&player=bill+vs+ANNA&state=finished&from=2026-03&options=size%3D3&order=ended"
    )
    kept = {str(given["name"]): given.get("value") for tag, given in found.fields if tag == "input"}
    assert ("Bill against Anna", "2026-03", "size=3") == (kept["player"], kept["from"], kept["options"])
    html = client.get("/games?state=finished&order=ended&game=Bipod").text
    for chosen in ("finished", "ended", "bipod"):
        assert f'<option value="{chosen}" selected>' in html
    assert "<details open>" in html
    assert "<details>" in client.get("/games?state=finished").text


def test_a_search_goes_from_page_to_page_with_every_field(app: App, client: FlaskClient) -> None:
    for n in range(23):
        begin(app, **({"size": "4"} if n % 2 else {}))
    found = page(client, "options=stones%3D3&player=bill&order=length")
    (older,) = (link for link in found.links if "before=" in link)
    assert 20 == len(games_on(found))
    second = read(client.get(older).text)
    assert ["/games/3", "/games/2", "/games/1"] == games_on(second)
    (newer,) = (link for link in second.links if "after=" in link)
    assert games_on(found) == games_on(read(client.get(newer).text))


def test_where_no_game_is_like_that_the_page_says_what_to_do(played: App, client: FlaskClient) -> None:
    found = page(client, "player=Anna+against+Bill&state=running")
    assert "No game like that." in found.text
    assert "challenge Bill" in found.text
    assert "/games" in found.links


@settings(
    max_examples=amount(7, 60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(fields=st.dictionaries(st.sampled_from(sorted(FIELDS)), st.text(max_size=30)))
def test_whatever_is_written_into_the_form_is_answered(
    played: App, client: FlaskClient, fields: dict[str, str]
) -> None:
    answer = client.get("/games", query_string=fields)
    assert 200 == answer.status_code
    assert [] == read(answer.text).all_problems()


@pytest.mark.parametrize("text", ["Bill\x00", "\x00", "\x1f\x7f"])
def test_unseen_characters_come_to_no_database(app: App, text: str) -> None:
    assert "\x00" not in str(asked(app, player=text, game=text, options=text).asked)
