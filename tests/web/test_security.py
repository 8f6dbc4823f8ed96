"""Security of pages: headers, forged forms, rate limits, no public mailroom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.config.load import SettingsError, config_from
from pbem.duties.signin import send_links
from pbem.web import create_app
from tests.apps import player
from tests.web.library import PUBLIC, open_library, the_seeds_game
from tests.web.signing_in import SITE, asked_for_link, get, letters, mark, send, sign_in

PAGES = ("/", "/games", "/games/1", "/games/1.json", "/games/1/3.svg", "/rules/bipod", "/settings", "/none")


@pytest.fixture
def games_by_key(app: App, client: FlaskClient) -> FlaskClient:
    the_seeds_game(app)
    return client


# Headers.


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_is_guarded(games_by_key: FlaskClient, path: str) -> None:
    headers = get(games_by_key, path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert ("nosniff", "DENY", "no-referrer", "same-origin") == (
        headers["X-Content-Type-Options"],
        headers["X-Frame-Options"],
        headers["Referrer-Policy"],
        headers["Cross-Origin-Opener-Policy"],
    )
    assert "camera=()" in headers["Permissions-Policy"]
    assert "max-age=31536000" == headers["Strict-Transport-Security"]


def test_what_is_public_may_be_shown_elsewhere_and_nothing_else(games_by_key: FlaskClient) -> None:
    """A blog may embed a board; nobody may embed a settings page."""
    policy = "Cross-Origin-Resource-Policy"
    assert "cross-origin" == get(games_by_key, "/games/1/3.svg").headers[policy]
    assert "same-origin" == get(games_by_key, "/settings").headers[policy]


def test_nobody_is_told_to_use_tls_where_there_is_none(home: FlaskClient) -> None:
    assert "Strict-Transport-Security" not in home.get("/").headers


def test_no_page_has_a_script_or_a_style_of_its_own(app: App, games_by_key: FlaskClient) -> None:
    sign_in(app, games_by_key)
    for path in (path for path in PAGES if not path.endswith(".svg")):
        page = get(games_by_key, path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=\"|\sstyle=\"|<style", page), path


# Hosts, links and caches.


POISON = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "ftp"}


@pytest.mark.parametrize("path", PAGES)
def test_no_header_of_a_visitor_gets_into_a_page(games_by_key: FlaskClient, path: str) -> None:
    honest, poisoned = games_by_key.get(path), games_by_key.get(path, headers=POISON)
    assert "evil.example" not in poisoned.text
    assert "evil.example" not in str(poisoned.headers)
    if "mark" not in honest.text:
        assert honest.data == poisoned.data


def test_links_in_letters_are_made_of_the_site_we_were_given(app: App, client: FlaskClient) -> None:
    seen = mark(get(client, "/settings").text)
    cookie = client.get_cookie("__Host-pbem_form", "pbem.example.org")
    assert cookie is not None
    client.set_cookie("__Host-pbem_form", cookie.value, domain="evil.example", secure=True)
    data = {"mark": seen, "who": "Bill"}
    answer = client.post("/settings", base_url="https://evil.example", data=data)
    assert 200 == answer.status_code
    from pbem.duties.signin import send_links

    send_links(app)
    (letter,) = letters(app, "bill@example.org")
    assert f"{SITE}/settings/in/" in letter.text
    assert "evil" not in letter.text


@pytest.mark.parametrize("query", ["?next=https://evil.example", "?saved=//evil.example", "?saved=letters"])
def test_nobody_is_sent_to_another_site(app: App, client: FlaskClient, query: str) -> None:
    link = asked_for_link(app, client)
    answer = send(client, f"{link}{query}", page=link)
    assert "/" == answer.headers["Location"]
    assert "evil" not in get(client, f"/settings{query}").text


@pytest.mark.parametrize("path", ["/games//1?x=1", "/rules//bipod", "/api//games"])
def test_a_slash_too_many_leads_to_the_site_we_were_given(games_by_key: FlaskClient, path: str) -> None:
    place, _, query = path.partition("?")
    asked = {"PATH_INFO": place, "QUERY_STRING": query}
    answer = games_by_key.get("/", headers=POISON, environ_overrides=asked)
    assert 308 == answer.status_code
    assert f"{SITE}{re.sub('//+', '/', path)}" == answer.headers["Location"]
    assert "evil.example" not in answer.text


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "//evil.example", "///evil.example//", "/\\evil.example"]
)
def test_a_host_in_a_path_leads_nowhere(games_by_key: FlaskClient, path: str) -> None:
    assert 404 == games_by_key.get("/", headers=POISON, environ_overrides={"PATH_INFO": path}).status_code


# Forged forms.


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Origin": SITE}, True),
        ({}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site", "Origin": SITE}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "https://pbem.example.org.evil.example"}, False),
        ({"Origin": "https://evil.example/?https://pbem.example.org"}, False),
        ({"Origin": "http://["}, False),
        ({"Origin": ""}, False),
    ],
)
def test_a_form_that_another_site_sends_is_turned_away(
    app: App, client: FlaskClient, headers: Mapping[str, str], taken: bool
) -> None:
    sign_in(app, client)
    data = {"mark": mark(get(client, "/settings").text), "zone": "Berlin"}
    answer = client.post("/settings/change/letters", base_url=SITE, data=data, headers=dict(headers))
    assert (303 if taken else 403) == answer.status_code
    assert ("Europe/Berlin" if taken else "UTC") == player(app, "Bill").preferences.zone


def test_every_way_to_post_wants_a_mark_or_a_proof_of_its_own(app: App, client: FlaskClient) -> None:
    """A POST without a mark is refused, except at these paths."""
    own_proof = {"/unsubscribe/<token>", "/mail/", "/api/", "/study"}  # /study stores nothing
    for rule in client.application.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or any(rule.rule.startswith(way) for way in own_proof):
            continue
        path = re.sub(r"<[^>]*>", "1", rule.rule)
        assert client.post(path, base_url=SITE).status_code in (400, 403, 404, 410), rule.rule


def test_one_click_unsubscribing_is_no_form_of_ours(app: App, client: FlaskClient) -> None:
    answer = client.post("/unsubscribe/x", headers={"Sec-Fetch-Site": "cross-site"})
    assert 404 == answer.status_code


# Rate limits.


def test_forms_of_one_client_are_few_within_an_hour_and_others_are_not_hindered(app: App) -> None:
    flask_app = create_app(app)
    first, other = flask_app.test_client(), flask_app.test_client()
    codes = [first.post("/settings", base_url=SITE).status_code for _ in range(302)]
    assert ({400}, [429, 429]) == (set(codes[:300]), codes[300:])
    refused = first.post("/settings", base_url=SITE)
    assert "3600" == refused.headers["Retry-After"]
    elsewhere = {"REMOTE_ADDR": "198.51.100.7"}
    assert 400 == other.post("/settings", base_url=SITE, environ_overrides=elsewhere).status_code
    assert 200 == get(first, "/").status_code


def counted(app: App, forwarded: list[str], peer: str = "192.0.2.1") -> list[int]:
    """Answers to so many requests for a link, by X-Forwarded-For."""
    client = create_app(app).test_client()
    seen = mark(get(client, "/settings").text)
    return [
        client.post(
            "/settings",
            base_url=SITE,
            data={"mark": seen, "who": "Nobody"},
            headers={"X-Forwarded-For": each},
            environ_overrides={"REMOTE_ADDR": peer},
        ).status_code
        for each in forwarded
    ]


def test_whom_a_header_names_is_not_believed_without_a_proxy_of_ours(app: App) -> None:
    assert 429 == counted(app, [f"198.51.100.{n}" for n in range(11)])[-1]


def test_behind_a_proxy_of_ours_each_visitor_is_counted_alone(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_PROXIES="1")
    assert {200} == set(counted(app, [f"198.51.100.{n}" for n in range(11)]))
    made_up = [f"203.0.113.{n}, 198.51.100.99" for n in range(11)]  # the visitor's own entry is first
    assert 429 == counted(app, made_up)[-1]
    app.close()


def answers_to(app: App, *visitors: str) -> list[int]:
    """Answers to sign-in requests from these addresses, in turn."""
    client = create_app(app).test_client()
    data = {"mark": mark(get(client, "/settings").text), "who": "x"}
    asked = [{"REMOTE_ADDR": each} for each in visitors]
    return [
        client.post("/settings", base_url=SITE, data=data, environ_overrides=each).status_code
        for each in asked
    ]


def test_a_network_of_ipv6_is_one_client(app: App) -> None:
    assert 429 == answers_to(app, *(f"2001:db8:1:2::{n:x}" for n in range(1, 12)))[-1]


def test_visitors_from_ipv4_are_told_apart_on_a_listener_of_both(app: App) -> None:
    assert {200} == set(answers_to(app, *(f"::ffff:198.51.100.{n}" for n in range(1, 21))))


def test_a_port_that_a_proxy_tells_makes_nobody_another(app: App) -> None:
    dressed = (f"198.51.100.7:{n}" for n in range(1, 10))
    assert 429 == answers_to(app, "198.51.100.7", "::ffff:198.51.100.7", *dressed)[-1]
    assert 429 == answers_to(app, *(f"[2001:db8:1:2::{n:x}]:80" for n in range(1, 12)))[-1]


def test_no_address_of_a_visitor_is_kept(app: App) -> None:
    from sqlalchemy import select

    from pbem.store.tables import attempts

    counted(app, ["198.51.100.7"], peer="192.0.2.77")
    with app.store.read() as db:
        kept = [str(row) for row in db.execute(select(attempts))]
    assert kept
    assert not any("192.0.2.77" in row or "198.51.100.7" in row for row in kept)


# NUL characters.


@pytest.fixture
def other_database(tmp_path: Path, postgresql_url: str) -> Iterator[FlaskClient]:
    """Pages over the database that refuses NULs."""
    app = open_library(tmp_path, postgresql_url, **PUBLIC)
    yield create_app(app).test_client()
    app.close()


def test_a_sign_that_not_every_database_takes_comes_to_none(other_database: FlaskClient) -> None:
    paths = ("/players/a%00b", "/players/%00.json", "/feeds/players/%00.atom", "/games/1/compose/%00")
    queries = ("players?name=%00", "players?after=a%00b", "seeks?game=%00", "standings/bipod?below=%00")
    assert [404] * len(paths) == [other_database.get(path).status_code for path in paths]
    assert 500 not in [other_database.get(f"/{query}").status_code for query in queries]
    queries = (
        "players?name=%00",
        "seeks?game=%00",
        "games?options=%00",
        "standings/bipod?below=%00",
        "games?%00=1",
    )
    assert [400] * len(queries) == [other_database.get(f"/api/{query}").status_code for query in queries]


def test_no_form_brings_such_a_sign_either(app: App, client: FlaskClient) -> None:
    form = {"mark": mark(get(client, "/settings").text), "who": "Bill\0"}
    assert 400 == client.post("/settings", base_url=SITE, data=form).status_code
    assert 400 == client.post("/settings/change/block", base_url=SITE, data={"na\0me": "x"}).status_code
    send_links(app)
    assert [] == letters(app, "bill@example.org")


PARTS = {
    "no name": b"Content-Disposition: form-data\r\n\r\nx",
    "no name of a file": b'Content-Disposition: form-data; filename="x"\r\n\r\nx',
    "an empty name": b'Content-Disposition: form-data; name=""\r\n\r\nx',
    "no headers": b"\r\nx",
    "another disposition": b"Content-Disposition: attachment\r\n\r\nx",
    "a name in another way": b"Content-Disposition: form-data; name*=utf-8''x%ff\r\n\r\nx",
    "a character set of nobody": b'Content-Disposition: form-data; name="x"\r\n'
    b"Content-Type: text/plain; charset=klingon\r\n\r\nx",
    "no end": b'Content-Disposition: form-data; name="x"',
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("path", ["/settings", "/games/1/compose/x", "/study", "/mail/mailgun/mime"])
def test_no_part_of_a_form_breaks_a_page(tmp_path: Path, sqlite_url: str, path: str, part: bytes) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_MAILGUN_KEY="k" * 32)
    shelf = create_app(app).test_client()
    body = b'--B\r\nContent-Disposition: form-data; name="who"\r\n\r\nx\r\n--B\r\n' + part + b"\r\n--B--\r\n"
    answer = shelf.post(path, data=body, content_type="multipart/form-data; boundary=B", base_url=SITE)
    app.close()
    assert 400 <= answer.status_code < 500


# The list of defences.


def test_every_test_that_the_list_of_defences_names_is_there() -> None:
    root = Path(__file__).parents[2]
    table = (root / "docs/build/security.md").read_text()
    there = (root / "tests").rglob("test_*.py")
    kept = {name for path in there for name in re.findall(r"def test_(\w+)", path.read_text())}
    named = set(re.findall(r"(?:`|: )([a-z_]+_[a-z_0-9]{12,})`", table))
    assert len(named) > 25
    assert set() == named - kept


# The mailroom.


@pytest.mark.parametrize(
    "config",
    [
        {"PBEM_RELAY": "smtp://127.0.0.1:25"},
        {"PBEM_HOST": "games.example.org", "PBEM_SITE": "https://games.example.org"},
        {"PBEM_WEB_LISTEN": "0.0.0.0:8000"},
        {"PBEM_SMTP_LISTEN": "0.0.0.0:25"},
        {"PBEM_SITE": "https://games.example.org"},
        {"PBEM_SITE": "http://192.0.2.80:8000"},
        {"PBEM_PROXIES": "1"},
    ],
)
def test_there_is_no_mailroom_where_anybody_else_could_come(
    tmp_path: Path, sqlite_url: str, config: dict[str, str]
) -> None:
    try:
        app = open_library(tmp_path, sqlite_url, **config)
    except SettingsError:
        return  # such a server does not start
    local = create_app(app).test_client()
    assert 404 == local.get("/mailroom", base_url="http://localhost").status_code
    assert 404 == local.post("/mailroom/send", base_url="http://localhost").status_code
    assert "mailroom" not in local.get("/").text.lower()
    assert not any("mailroom" in rule.rule for rule in local.application.url_map.iter_rules())
    app.close()


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
def test_the_mailroom_is_not_for_whoever_comes_through_a_tunnel(home: FlaskClient, header: str) -> None:
    assert 200 == home.get("/mailroom", base_url="http://localhost").status_code
    brought = {header: "198.51.100.7"}
    assert 404 == home.get("/mailroom", base_url="http://localhost", headers=brought).status_code


def test_a_setting_that_cannot_be_is_refused() -> None:
    with pytest.raises(SettingsError, match="PBEM_PROXIES"):
        config_from({"PBEM_PROXIES": "many"})


def test_a_public_server_with_a_form_cookie_of_another_name_is_not_fooled(app: App) -> None:
    """A cookie without `__Host-`, which another host may set, is ignored."""
    client = create_app(replace(app)).test_client()
    page = get(client, "/settings").text
    cookie = client.get_cookie("__Host-pbem_form", "pbem.example.org")
    assert cookie is not None
    neighbour = create_app(app).test_client()
    neighbour.set_cookie("pbem_form", cookie.value, domain="pbem.example.org")
    data = {"mark": mark(page), "who": "Bill"}
    assert 400 == neighbour.post("/settings", base_url=SITE, data=data).status_code
