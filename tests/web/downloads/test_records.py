"""Downloads of records: signatures, finished games, many games, the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.cli.records import verify_command
from pbem.core.game.journal import RESIGN
from pbem.core.records.gamerecord import read_records
from pbem.keys.record_keys import read_public_keys, record_signer
from pbem.store import players as player_rows
from pbem.store.tables import players
from pbem.web import create_app
from pbem.web.cache import Busy
from pbem.web.downloads import records
from tests.people import SEED_GAME
from tests.web.library import a_short_game, add, begin, open_library, play, the_seeds_game


def links(answer: TestResponse) -> str:
    return answer.headers.get("Link", "")


def numbers(text: str) -> list[str]:
    return [found.tags["Id"] for found in read_records(text)]


def resigned(app: App, first: str = "Bill", second: str = "Joao") -> None:
    add(app, begin(app, first, second), RESIGN, 0, {})


@pytest.mark.parametrize("form", ["game", "record.json"])
def test_what_a_game_page_gives_verifies_by_the_key_that_the_site_publishes(
    app: App, serve: Callable[[App], str], client: FlaskClient, tmp_path: Path, form: str
) -> None:
    the_seeds_game(app, {3: "Ha!"})
    file = tmp_path / f"1.{form}"
    file.write_text(client.get(f"/games/1.{form}").text)
    for page in ("key", "key.json"):
        key = f"{serve(app)}/records/{page}"
        done = CliRunner().invoke(verify_command, [str(file), "--key", key])
        assert (0, 4) == (done.exit_code, done.stdout.count("good")), done.output


def test_the_key_is_published_in_two_forms_and_kept_by_browsers(app: App, client: FlaskClient) -> None:
    pem, keys = client.get("/records/key"), client.get("/records/key.json")
    ours = record_signer(app.config).public
    assert (ours,) == read_public_keys(pem.text) == read_public_keys(keys.text)
    assert {"kty", "crv", "x", "kid", "use", "alg"} == set(keys.json["keys"][0])
    assert "PRIVATE" not in pem.text + keys.text
    assert 304 == client.get("/records/key", headers={"If-None-Match": pem.headers["ETag"]}).status_code


def test_a_game_record_is_of_a_finished_game_alone(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    play(app, begin(app), SEED_GAME[:4])
    done = client.get("/games/1.record.json")
    assert (200, "application/json") == (done.status_code, done.mimetype)
    assert {"header", "moves"} == set(done.json)
    assert (
        304 == client.get("/games/1.record.json", headers={"If-None-Match": done.headers["ETag"]}).status_code
    )
    running = client.get("/games/2.record.json")
    assert (404, True) == (running.status_code, "Game 2 goes on" in running.text)
    assert 404 == client.get("/games/3.record.json").status_code


def test_files_of_many_hold_what_has_ended_by_player_by_game_and_all(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    a_short_game(app)
    play(app, begin(app), SEED_GAME[:4])
    for path, wanted in {
        "/records/all": ["1", "2"],
        "/records/bipod": ["1", "2"],
        "/records/bagel": [],
        "/players/joao": ["1"],
        "/players/Anna": ["2"],
    }.items():
        text, data = client.get(f"{path}.games"), client.get(f"{path}.json")
        assert wanted == (numbers(text.text) if wanted else text.text.split())
        assert wanted == [str(each["header"]["site"]["gameid"]) for each in data.json]
        assert (path, 304) == (
            path,
            client.get(f"{path}.json", headers={"If-None-Match": data.headers["ETag"]}).status_code,
        )
    assert (
        'attachment; filename="Joao.games"'
        == client.get("/players/JOAO.games").headers["Content-Disposition"]
    )
    assert [404, 404] == [
        client.get(path).status_code for path in ("/players/nobody.games", "/records/go.json")
    ]


def test_a_name_that_goes_is_gone_from_the_next_file(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    before = client.get("/players/Bill.games")
    assert "Joao" in before.text
    with app.store.write() as db:
        db.execute(update(players).where(players.c.name == "Joao").values(name="former-player-2"))
    after = client.get("/players/Bill.games", headers={"If-None-Match": before.headers["ETag"]})
    assert (200, False) == (after.status_code, "Joao" in after.text)


def test_a_long_file_goes_on_in_another_one(
    app: App, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_GAMES", 2)
    for _ in range(5):
        resigned(app)
    path, seen = "/records/all.games", []
    while path:
        answer = client.get(path)
        seen += numbers(answer.text)
        path = links(answer).partition(">")[0].removeprefix("<")
    assert ["1", "2", "3", "4", "5"] == seen
    assert 200 == client.get("/records/all.games?after=x").status_code


def test_a_name_in_letters_that_no_header_holds_leads_on_too(
    app: App, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_GAMES", 1)
    with app.store.write() as db:
        player_rows.add_player(db, "Kurt", "kurt@example.org", app.now())
    for _ in range(2):
        add(app, begin(app, "Kurt"), RESIGN, 0, {})
    kelvin = "/players/%E2%84%AAurt.games"  # a sign whose small letter is k
    assert links(client.get(kelvin)).startswith(f"<{kelvin}?after=")


def test_nothing_of_a_running_game_or_an_address_is_in_any_file(app: App, client: FlaskClient) -> None:
    the_seeds_game(app, {1: "Write to bill@example.org"})
    play(app, begin(app), SEED_GAME[:4])
    for path in ("/games/1.game", "/games/1.record.json", "/records/all.games", "/records/all.json"):
        assert (path, False) == (path, "example.net" in (text := client.get(path).text) or "bill@ex" in text)


def test_both_databases_list_what_has_ended(tmp_path: Path, database_url: str) -> None:
    app = open_library(tmp_path, database_url)
    the_seeds_game(app)
    a_short_game(app)
    client = create_app(app).test_client()
    assert ["1", "2"] == numbers(client.get("/records/all.games").text)
    assert ["2"] == numbers(client.get("/players/anna.games").text)
    assert 2 == len(json.loads(client.get("/records/bipod.json").text))
    app.close()


def test_a_file_of_many_is_made_once_and_few_may_wait_for_one(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    go, gathered = Event(), client.application.extensions["cache"]
    first = client.get("/records/all.json")
    with ThreadPoolExecutor(9) as pool:
        waiting = [pool.submit(gathered.get, number, lambda: bytes(go.wait(60))) for number in range(9)]
        try:
            next(each for each in as_completed(waiting, 60) if isinstance(each.exception(), Busy))
            assert first.data == client.get("/records/all.json").data
            assert 503 == client.get("/records/all.games").status_code
        finally:
            go.set()
    assert 200 == client.get("/records/all.games").status_code
