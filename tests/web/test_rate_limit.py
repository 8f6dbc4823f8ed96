"""Rate limits of readers, and requests that cost nothing."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.web import create_app
from pbem.web.rate_limit import Rate, RateLimit
from pbem.web.security import READ_RATES
from tests.web.library import PUBLIC, begin, open_library, the_seeds_game

FAR, OTHER = "9.9.9.9", "2a00:1450:4001:80b::200e"
"""Addresses of the public internet."""
RATE = Rate(at_once=3, a_minute=6)
DOCUMENT = Path(__file__).parents[2] / "docs" / "build" / "api.md"


def asked(client: FlaskClient, path: str, visitor: str = FAR, **headers: str) -> TestResponse:
    return client.get(path, headers=headers, environ_overrides={"REMOTE_ADDR": visitor})


def test_the_documents_and_the_page_for_programs_name_the_numbers_there_are(client: FlaskClient) -> None:
    rows = re.findall(r"^\| .* \| (\d+) \| (\d+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert [(str(rate.at_once), str(rate.a_minute)) for rate in READ_RATES.values()] == rows
    page, search = READ_RATES["page"], READ_RATES["search"]
    told = f"{page.at_once} things at once and {page.a_minute} more a minute, for {search.at_once} searches"
    assert told in client.get("/api").text


def emptied(client: FlaskClient, path: str, sort: str, visitor: str = FAR) -> None:
    """A client without requests left of this kind."""
    codes = {asked(client, path, visitor).status_code for _ in range(READ_RATES[sort].at_once)}
    assert 429 not in codes


# Buckets.


def test_a_bucket_has_so_much_at_once_and_then_tells_how_long_to_wait() -> None:
    limit = RateLimit()
    assert [0, 0, 0, 10] == [limit.spend("Bill", RATE, 100.0) for _ in range(4)]
    assert [4, 0, 10] == [limit.spend("Bill", RATE, at) for at in (106.0, 110.0, 110.0)]


def test_a_bucket_that_was_long_unused_is_full_and_no_fuller() -> None:
    limit = RateLimit()
    limit.spend("Bill", RATE, 0.0)
    assert [0, 0, 0, 10] == [limit.spend("Bill", RATE, 9999.0) for _ in range(4)]


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    limit = RateLimit()
    assert [0, 0, 0, 10] == [limit.spend("Bill", RATE, at) for at in (100.0, 50.0, 50.0, 50.0)]
    assert [10, 0] == [limit.spend("Bill", RATE, at) for at in (40.0, 60.0)]


def test_what_is_given_back_may_be_spent_again() -> None:
    limit = RateLimit()
    for _ in range(9):
        assert 0 == limit.spend("Bill", RATE, 0.0)
        limit.give_back("Bill")
    limit.give_back("Nobody")
    assert [0, 0, 0, 10] == [limit.spend("Bill", RATE, 0.0) for _ in range(4)]


def test_of_very_many_visitors_the_one_seen_longest_ago_is_forgotten() -> None:
    limit = RateLimit(most=2)
    for name in ("Bill", "Bill", "Bill", "Joao", "Bill", "Anna"):
        limit.spend(name, RATE, 0.0)
    assert 10 == limit.spend("Bill", RATE, 0.0)
    limit.spend("Joao", RATE, 0.0), limit.spend("Anna", RATE, 0.0)
    assert 0 == limit.spend("Bill", RATE, 0.0)


# Visitors.


def test_who_reads_without_end_is_told_to_wait_and_others_are_not_hindered(
    app: App, client: FlaskClient
) -> None:
    begin(app)
    emptied(client, "/robots.txt", "page")
    refused, told = asked(client, "/games"), asked(client, "/api/games")
    assert (429, "1", "no-store") == (
        refused.status_code,
        refused.headers["Retry-After"],
        refused.headers["Cache-Control"],
    )
    assert "asked for very often" in refused.text
    assert (429, "application/problem+json", "1") == (
        told.status_code,
        told.mimetype,
        told.headers["Retry-After"],
    )
    assert told.json is not None and "asked for very often" in told.json["detail"]
    assert 200 == asked(client, "/games", OTHER).status_code
    for path in ("/status", "/healthz", "/readyz", "/static/base.css"):
        assert 200 == asked(client, path).status_code, path
    assert 400 == client.post("/settings", environ_overrides={"REMOTE_ADDR": FAR}).status_code
    for path in ("/study", "/study/x/1/move", "/study/x/1/comment", "/study/x/1/out"):
        assert 429 == client.post(path, environ_overrides={"REMOTE_ADDR": FAR}).status_code, path


@pytest.mark.parametrize(
    ("sort", "path"),
    [
        ("search", "/games?player=Nobody"),
        ("search", "/api/games?state=running"),
        ("feed", "/feeds/games.atom"),
        ("feed", "/feeds/games/1.atom"),
        ("large", "/games/1.svg"),
        ("large", "/games/1/postcard.png"),
        ("large", "/records/all.games"),
        ("large", "/players/Bill.json"),
    ],
)
def test_what_takes_long_may_be_asked_for_less_often_and_what_does_not_goes_on(
    app: App, client: FlaskClient, sort: str, path: str
) -> None:
    the_seeds_game(app)
    emptied(client, path, sort)
    assert 429 == asked(client, path).status_code
    goes_on = ("/", "/games", "/games?before=2", "/games/1", "/api/games?most=3", "/players/Bill")
    assert {200} == {asked(client, each).status_code for each in goes_on}


@pytest.mark.parametrize("path", ["/games/1.svg", "/games/1/postcard.png"])
def test_whoever_has_it_already_may_ask_as_often_as_he_likes(
    app: App, client: FlaskClient, path: str
) -> None:
    the_seeds_game(app)
    tag = asked(client, path).headers["ETag"]
    codes = Counter(asked(client, path, **{"If-None-Match": tag}).status_code for _ in range(90))
    assert {304: 90} == codes
    assert 200 == asked(client, path).status_code


def test_a_feed_that_has_to_be_made_to_know_it_is_the_same_counts(app: App, client: FlaskClient) -> None:
    begin(app)
    tag = asked(client, "/feeds/games.atom").headers["ETag"]
    codes = [
        asked(client, "/feeds/games.atom", **{"If-None-Match": tag}).status_code
        for _ in range(READ_RATES["feed"].at_once)
    ]
    assert (304, 429) == (codes[0], codes[-1])


def test_a_visitor_may_go_on_after_as_long_as_he_was_told(app: App, client: FlaskClient) -> None:
    clock = app.clock
    emptied(client, "/games?player=Nobody", "search")
    wait = int(asked(client, "/games?player=Nobody").headers["Retry-After"])
    clock.pass_by(seconds=wait)  # type: ignore[attr-defined]
    codes = [asked(client, "/games?player=Nobody").status_code for _ in range(2)]
    assert [200, 429] == codes


@pytest.mark.parametrize("visitor", ["127.0.0.1", "192.168.7.7", "fd00::7", "::ffff:10.0.0.7", ""])
def test_who_asks_from_a_network_of_our_own_is_not_counted(client: FlaskClient, visitor: str) -> None:
    emptied(client, "/feeds/results.atom", "feed", visitor)
    assert 200 == asked(client, "/feeds/results.atom", visitor).status_code


def test_behind_a_proxy_each_reader_has_a_bucket_whatever_it_calls_him(
    tmp_path: Path, sqlite_url: str
) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_PROXIES="1")
    client = create_app(app).test_client()
    path, most = "/feeds/results.atom", READ_RATES["feed"].at_once
    for name in (FAR, "unknown"):
        known = [
            asked(client, path, "10.0.0.1", **{"X-Forwarded-For": name}).status_code for _ in range(most + 1)
        ]
        assert (200, 429) == (known[-2], known[-1]), name
    assert 200 == asked(client, path, "10.0.0.1", **{"X-Forwarded-For": OTHER}).status_code
    app.close()
