"""Addresses of finished games' files, which browsers keep for good."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.journal import RESIGN
from pbem.resources import folders
from pbem.store import game_lists
from pbem.web import create_app
from pbem.web.templating import make_build_id
from tests.web.library import a_short_game, add, begin, play, the_seeds_game

FOR_GOOD, CHECK_FIRST = "public, max-age=31536000, immutable", "public, no-cache"
PAGES = (
    *("/", "/games", "/games?state=finished", "/games/1", "/games/1/7", "/players/Bill"),
    *("/feeds/games.atom", "/feeds/results.atom", "/feeds/games/1.atom", "/feeds/players/Bill.atom"),
    "/api/games/1/positions/7",
)
"""Pages that link to files of games."""
FILES = (
    *("/games/1.svg", "/games/1.game", "/games/1.json", "/games/1.record.json", "/games/1/7.svg"),
    *("/games/1/19-small.svg", "/games/1/7.txt", "/games/1/postcard.svg"),
)
FILE = re.compile(r'/games/(\d+)((?:\.record)?\.(?:svg|game|json)|/[\w-]+\.(?:svg|png|txt))(\?[^"<> ]*)?')


def led_to(client: FlaskClient, page: str, game: int = 1) -> set[str]:
    """Files of the game that a page links to or shows."""
    return {found[0] for found in FILE.finditer(client.get(page).text) if found[1] == str(game)}


def version(client: FlaskClient) -> str:
    """The version in all links of game 1's pages."""
    found = {path.partition("?v=")[2] for page in PAGES for path in led_to(client, page)}
    (one,) = found
    assert re.fullmatch("[0-9a-f]{8,12}", one)
    return one


def kept(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert 200 == answer.status_code, path
    return answer.headers["Cache-Control"]


def opened_again(app: App, game: Game) -> Game:
    entry = game.state.plies[5].entry
    return add(app, game, "rollback", None, {"ply": 6, "entry": entry, "reason": "Move 7 was not Bill's."})


@pytest.mark.parametrize("page", PAGES)
def test_whatever_a_page_leads_to_of_a_finished_game_is_for_good(
    app: App, client: FlaskClient, page: str
) -> None:
    the_seeds_game(app)
    links = led_to(client, page)
    assert links
    assert {FOR_GOOD} == {kept(client, link) for link in links}


def test_every_file_of_a_finished_game_has_an_address_for_good_and_the_same_in_it(
    app: App, client: FlaskClient
) -> None:
    the_seeds_game(app)
    query = f"?v={version(client)}"
    for path in FILES:
        first, bare = client.get(path + query), client.get(path)
        assert (200, FOR_GOOD) == (first.status_code, first.headers["Cache-Control"]), path
        assert (bare.data, bare.headers["ETag"]) == (first.data, first.headers["ETag"]), path
        again = client.get(path + query, headers={"If-None-Match": first.headers["ETag"]})
        assert (304, FOR_GOOD) == (again.status_code, again.headers["Cache-Control"]), path


@pytest.mark.parametrize("query", ["", "?v=", "?v=0123456789", "?v=x&v=y", "?v=%00", "?v=%ff%fe"])
def test_an_address_with_another_version_has_what_is_so_now(
    app: App, client: FlaskClient, query: str
) -> None:
    the_seeds_game(app)
    good = version(client)
    assert {CHECK_FIRST} == {kept(client, path + query) for path in FILES}
    assert {CHECK_FIRST} == {kept(client, f"{page}?v={good}") for page in ("/games/1", "/games/1/7")}
    missing = client.get(f"/games/1/99.svg?v={good}")
    assert (404, "no-store") == (missing.status_code, missing.headers["Cache-Control"])


def test_nothing_of_a_running_game_is_for_good(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    a_short_game(app)
    for page in ("/", "/games", "/games/1", "/feeds/games.atom", "/feeds/games/1.atom"):
        assert {""} == {path.partition("?")[2] for path in led_to(client, page)}, page
    with_one = (f"/games/1{form}?v={digits}" for form in (".svg", "/1.svg") for digits in ("", "0123456789"))
    assert {CHECK_FIRST} == {kept(client, path) for path in with_one}


def test_a_game_opened_again_has_nothing_for_good_and_another_version_at_its_next_end(
    app: App, client: FlaskClient
) -> None:
    game = the_seeds_game(app)
    before = version(client)
    game = opened_again(app, game)
    assert "" == "".join(path.partition("?")[2] for page in PAGES[:4] for path in led_to(client, page))
    assert CHECK_FIRST == kept(client, f"/games/1.svg?v={before}")
    add(app, game, RESIGN, 0, {})
    assert before != version(client)
    film = client.get(f"/games/1.svg?v={before}")
    assert (CHECK_FIRST, True) == (film.headers["Cache-Control"], "Joao won: Bill resigned" in film.text)


def test_words_after_the_end_make_another_version(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app)
    before = version(client)
    add(app, game, "say", 0, {"words": "Another one?"})
    assert before != version(client)


@pytest.mark.parametrize("changed", [{"host": "games.example.org"}, {"secret": "t" * 32}], ids=str)
def test_a_server_that_is_called_or_signs_otherwise_has_other_versions(
    app: App, client: FlaskClient, changed: dict[str, Any]
) -> None:
    the_seeds_game(app)
    before = version(client)
    after = create_app(replace(app, config=replace(app.config, **changed))).test_client()
    assert before != version(after)
    assert CHECK_FIRST == kept(after, f"/games/1.game?v={before}")


def test_another_program_that_draws_makes_another_edition_of_everything(app: App, tmp_path: Path) -> None:
    places = folders(None)
    found = set()
    for words in ("draw = 1", "draw = 2"):
        program = tmp_path / words[-1]
        program.mkdir()
        (program / "svg.py").write_text(words)
        found.add(make_build_id(places, app, (program,)))
    assert 2 == len(found)
    assert make_build_id(places, app) == make_build_id(places, app)


def test_a_list_knows_how_fresh_a_finished_game_is_as_the_game_itself_does(app: App) -> None:
    the_seeds_game(app)
    a_short_game(app)
    with app.store.read() as db:
        listed = game_lists.newest_results(db, app.games_by_key, 9)
        alone = [game_lists.freshness(db, game.id) for game in listed]
    assert [game.tag for game in listed] == [one.tag for one in alone if one and one.ended]
