"""`/api`: answers fit their description, hide secrets, and name wrong questions."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema
from sqlalchemy import text
from werkzeug.exceptions import TooManyRequests
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.cli.standings import standings_command
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.paper import Week
from pbem.core.play.notes import Note
from pbem.duties.paper import make_issue
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.store import bounces, games, guesses, notes, players, vacations
from pbem.web import create_app
from pbem.web.api.calls import CALLS, SEARCH
from pbem.web.api.openapi import PATH_PARAMETER
from pbem.web.search_form import FIELDS
from rules import RULES
from rules.contract import replay
from rules.picture import text as board
from tests.amount import amount, some
from tests.apps import add_game, player
from tests.people import NOON, SEED_GAME
from tests.web.events import fill_events
from tests.web.library import (
    ADDRESSES,
    BLOCKED,
    PUBLIC,
    SMALL,
    a_short_game,
    add,
    begin,
    open_library,
    play,
    the_seeds_game,
)
from tests.web.markup import read
from tests.web.pages.test_seeks import add as add_seek
from tests.web.puzzle_boards import add_puzzle_game
from tests.web.signing_in import letters

SITE = "https://pbem.example.org"
DAY = timedelta(days=1)
HIDDEN = (
    *(
        "my own thought",
        "a secret so far",
        "f2 h4 c3",
        "g3 h4",
        "j2 k2",
        '"standing"',
        '"plan"',
        "play+",
        "s" * 32,
    ),
    *(*ADDRESSES.values(), "secret.example", "work.example", "berlin", "suspended", "60m"),
)
"""Secrets stored on the server that no answer may hold."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Iterator[App]:
    """A server with games in every state and players' secrets."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copyfile(migrated_sqlite, folder / "pbem.sqlite")
    app = open_library(folder, f"sqlite:///{folder}/pbem.sqlite", **PUBLIC)
    the_seeds_game(app, {7: "Enough of these. Write to dearest@secret.example!"}, said="Are you sure?")
    a_short_game(app)
    begin(app, "Anna", "Joao")
    _decided(app)
    _with_orders(app)
    add_puzzle_game(app)
    fill_events(app, (player(app, "Bill").id, player(app, "Joao").id), (1, 2))
    _guessed(app)
    make_issue(app, Week(2026, 10))
    for name in ("Bill", "Anna"):
        add_seek(app, name, size="4")
    _kept_to_themselves(app)
    yield app
    app.close()


def _decided(app: App) -> None:
    """Game 4: takeback, time given, director's words, a conditional move."""
    game = play(app, begin(app), ["f2", "f4"])
    game = add(app, game, "undo", 1, {"to": 3})
    game = add(app, game, "extend", 0, {"seconds": 7200, "reason": "The relay was down."})
    game = add(app, game, "notice", None, {"reason": "Be kind."})
    add(app, game, "plan", 0, {"plan": [{"if": "h2", "then": ["j2 k2"], "next": []}]})


def _with_orders(app: App) -> None:
    """Game 5: Hexagonal Thing with a clock, standing orders and open offers."""
    rules = RULES["hexthing"]
    position = rules.start({}, 7)
    seats = player(app, "Bill"), player(app, "Anna")
    time_control = read_pace("7d+1d<=14d")
    with app.store.write() as db:
        game = add_game(db, rules, position.options, 7, seats, False, app.now() - 2 * DAY, time_control)
    move, orders = position.split(position.read(f"{position.examples()[0].split()[0]} 3S bid 3 max 33"))
    assert orders is not None
    game = add(app, game, "ply", 0, {"move": str(move), "standing": orders})
    game = add(app, game, "offer", 1, {})
    add(app, game, "ask-pause", 0, {"days": 7})


def _guessed(app: App) -> None:
    """Anna has guessed at two plies of game 6; one of them is made."""
    game = begin(app)
    with app.store.write() as db:
        guesses.store_guess(db, player(app, "Anna"), game, 1, "f2", app.now())
    game = play(app, game, ["f2"])
    with app.store.write() as db:
        guesses.store_guess(db, player(app, "Anna"), game, 2, "g3 h4", app.now())


def _kept_to_themselves(app: App) -> None:
    """Players' secrets: notes, preferences, addresses, a vacation, a pending move."""
    bill = player(app, "Bill")
    with app.store.write() as db:
        notes.add_note(db, bill, Note(1, 4, NOON, "My own thought."))
        players.add_address(db, bill, "bill@work.example", NOON)
        bounces.suspend_address(db, ADDRESSES["Joao"], NOON)
        for begins in (-12, 9):
            away = Vacation(app.now() + begins * DAY, app.now() + (begins + 3) * DAY)
            vacations.store_vacation(db, bill.id, away)
    anna, door = ADDRESSES["Anna"], "play@pbem.example.org"
    receive(app, new_mail(anna, door, "set zone Berlin"), anna, [door])
    work_through(app)
    asked = letters(app, anna)[-1]
    for words in ("set zone Berlin\nset undo 60m", "game 3\nf2 h4 C3\n\nA secret so far."):
        for letter, said in ((asked, words), (None, "yes")):
            answered = letter or letters(app, anna)[-1]
            receive(app, reply_mail(answered, anna, said), anna, [answered.header("Reply-To")])
            work_through(app)
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 3)
    assert game is not None and game.pending is not None


@pytest.fixture(scope="module")
def flask_app(house: App) -> Flask:
    return create_app(house)


@pytest.fixture
def api(flask_app: Flask) -> FlaskClient:
    return flask_app.test_client()


@pytest.fixture(scope="module")
def described(flask_app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = flask_app.test_client().get("/api/openapi.json").json or {}
    return found


PATHS = (
    *("/api/games", "/api/games?most=2", "/api/games?player=Bill+against+Joao&state=finished&order=ended"),
    *(f"/api/games/{id}" for id in range(1, 6)),
    *("/api/games/1/plies", "/api/games/1/plies?after=4&most=3", "/api/games/3/plies", "/api/games/4/plies"),
    *("/api/games/1/positions/0", "/api/games/1/positions/7", "/api/games/1/positions/19"),
    *("/api/games/2/positions/4", "/api/games/3/positions/0", "/api/games/5/positions/1"),
    *("/api/players", "/api/players?name=b&most=1", "/api/players/Bill", "/api/players/3"),
    *("/api/players/Bill/ratings/bipod", "/api/players/3/ratings/begird"),
    *("/api/standings", "/api/standings/bipod", "/api/standings/begird", "/api/standings/bipod?most=1"),
    *("/api/standings/bipod/figures", "/api/standings/bagel/figures"),
    *("/api/seeks", "/api/seeks?most=1", "/api/seeks?game=begird"),
    *("/api/puzzles", "/api/puzzles?game=begird&most=1", "/api/puzzles/1", "/api/puzzles/2?move=c1"),
    *("/api/events", "/api/events?game=bipod&most=1", "/api/events/1", "/api/events/2", "/api/events/3"),
    *("/api/ladders/bipod", "/api/matches", "/api/matches/5", "/api/matches/6"),
    *(
        "/api/papers",
        "/api/papers/2026-10",
    ),
    *("/api/rules", *(f"/api/rules/{key}" for key in RULES), "/api/openapi.json"),
)
"""One path or more of every call."""


def found(api: FlaskClient, path: str) -> dict[str, Any]:
    """The answer to a successful call."""
    answered = api.get(path)
    assert 200 == answered.status_code, answered.text
    data: dict[str, Any] = answered.json or {}
    return data


def template_of(path: str) -> str:
    """The row's path that matches a real one."""
    bare = path.partition("?")[0]
    paths = sorted((call.path for call in CALLS), key=lambda each: (each.count("{"), each))
    return next(each for each in paths if re.fullmatch(PATH_PARAMETER.sub("[^/]+", each), bare))


# The description and the routes.


def test_every_route_is_described_and_every_description_is_a_route(
    flask_app: Flask, described: dict[str, Any]
) -> None:
    routes = {
        re.sub(r"<(\w+)>", r"{\1}", rule.rule): sorted(rule.methods or ())
        for rule in flask_app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
    }
    assert set(described["paths"]) == set(routes)
    change = "/api/games/{id}/moves"
    assert (["post"], ["OPTIONS", "POST"]) == (list(described["paths"][change]), routes.pop(change))
    read = {path: tuple(methods) for path, methods in described["paths"].items() if path != change}
    assert {("get",)} == set(read.values())
    assert {("GET", "HEAD", "OPTIONS")} == {tuple(methods) for methods in routes.values()}
    assert set(routes) == {template_of(path) for path in PATHS}


def test_the_search_has_the_fields_of_the_page_and_no_other() -> None:
    assert list(FIELDS) == [param.name for param in SEARCH]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_as_described(api: FlaskClient, described: dict[str, Any], path: str) -> None:
    operation = described["paths"][template_of(path)]["get"]
    shape = operation["responses"]["200"]["content"]["application/json"]["schema"]
    whole = {**shape, "components": described["components"]}
    problems = Draft202012Validator(whole).iter_errors(found(api, path))
    assert [] == [f"{'/'.join(map(str, each.path))}: {each.message[:200]}" for each in problems]


@pytest.mark.slow
def test_schemathesis_finds_nothing(flask_app: Flask, described: dict[str, Any]) -> None:
    """Runs all phases and checks, a few fixed examples of each."""
    few = {"max-examples": amount(1, 2), "deterministic": True, "database": "none", "no-shrink": True}
    plain = {"Accept-Encoding": "identity"}  # the in-process client does not decompress
    config = SchemathesisConfig.from_dict({"seed": 1, "headers": plain, "generation": few})
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", flask_app, config=config)
    schema = schema.include(path=some(described["paths"], 6))
    wrong, checked = [], set()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            for checks in event.recorder.checks.values():
                checked |= {check.name for check in checks if check.status == Status.SUCCESS}
                wrong += [f"{event.label}: {check}" for check in checks if check.status == Status.FAILURE]
        elif isinstance(event, events.NonFatalError | events.FatalError):
            wrong.append(str(event))
    assert [] == wrong
    wanted = {"response_schema_conformance", "negative_data_rejection", "positive_data_acceptance"}
    assert set() == wanted - checked


# Contents.


@pytest.mark.parametrize("path", PATHS)
def test_nothing_that_players_keep_to_themselves_is_in_any_answer(api: FlaskClient, path: str) -> None:
    """Checks bodies and headers; a pending move changes no ETag either."""
    answered = api.get(path)
    said = f"{answered.text}\n{answered.headers}".lower()
    assert [] == [words for words in HIDDEN if words in said]


def test_a_game_holds_its_plies_what_was_said_and_who_plays(api: FlaskClient) -> None:
    game = found(api, "/api/games/1")
    assert ("bipod", 19, "first", "resignation") == (
        game["game"],
        len(game["plies"]),
        game["result"],
        game["outcome"]["how"],
    )
    bill = {"id": 1, "name": "Bill", "computer": False, "url": f"{SITE}/api/players/1"}
    assert bill | {"side": "Blocker"} == game["players"]["first"]
    assert "Are you sure?" == game["said"][0]["words"]
    assert found(api, "/games/1.json")["fingerprint"] == game["fingerprint"]


def test_clocks_tell_what_is_left_at_a_moment(api: FlaskClient) -> None:
    clock = found(api, "/api/games/5")["clock"]
    assert ("7d+1d<=14d", False) == (clock["pace"], clock["soft"])
    running = clock["running"]
    assert running["first"]["runs"] != running["second"]["runs"]
    assert "Z" == running["deadline"][-1]
    assert None is found(api, "/api/games/1")["clock"]["running"]


def test_open_offers_are_told_with_their_ends(api: FlaskClient) -> None:
    offers = found(api, "/api/games/5")["offers"]
    assert [("draw", "second", None), ("pause", "first", 7)] == [
        (each["what"], each["by"], each["days"]) for each in offers
    ]
    assert ["2026-03-15T14:00:00Z", "2026-03-08T15:00:00Z"] == [each["until"] for each in offers]
    assert [] == found(api, "/api/games/1")["offers"]


def test_the_board_after_any_ply_is_that_of_its_page(api: FlaskClient) -> None:
    early, late = (found(api, f"/api/games/1/positions/{n}") for n in (7, 19))
    assert ("adopt", "first", "second") == (early["move"], early["by"], early["to_play"])
    assert board(replay(RULES["bipod"].start(), SEED_GAME[:7]).picture()) == early["board"]
    assert found(api, "/api/games/1")["board"] == late["board"]
    assert (None, []) == (late["to_play"], late["playable"])
    assert 200 == api.get(early["svg"].removeprefix(SITE)).status_code


def test_what_is_taken_back_decided_and_given_stands_in_it(api: FlaskClient) -> None:
    game = found(api, "/api/games/4")
    assert (["f2"], ["f4"]) == (
        [ply["move"] for ply in game["plies"]],
        [ply["move"] for ply in game["taken_back"]],
    )
    assert ["extend", "notice"] == [each["kind"] for each in game["director"]]


def test_a_player_is_found_by_name_in_any_case_and_by_number(api: FlaskClient) -> None:
    by_name, by_number = found(api, "/api/players/bILL"), found(api, "/api/players/1")
    assert by_name == by_number
    assert ("Bill", f"{SITE}/api/players/1") == (by_name["name"], by_name["url"])
    rated = [each for each in by_name["results"] if each["rated"]]
    assert [(2, 1, 0, 1)] == [(r["rated"], r["won"], r["drawn"], r["lost"]) for r in rated]
    assert "2026-04-09T12:00:00Z" == by_name["vacation"]["begins"]  # not the past one
    assert rated[0]["rating"]["provisional"]


def test_rules_tell_every_option_with_its_range(api: FlaskClient) -> None:
    options = {option["name"]: option for option in found(api, "/api/rules/bipod")["options"]}
    assert ("3 to 8", 5) == (options["size"]["range"], options["size"]["default"])


def test_the_rules_told_are_those_on_offer(api: FlaskClient) -> None:
    offered = {key for key, rules in RULES.items() if not rules.ask_first}
    assert "bagel" not in offered
    assert offered == {each["key"] for each in found(api, "/api/rules")["rules"]}


def test_a_game_that_the_operator_names_is_among_the_rules_told(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_GAMES=",".join(RULES))
    told = found(create_app(app).test_client(), "/api/rules")["rules"]
    app.close()
    assert set(RULES) == {each["key"] for each in told}


def test_a_seek_comes_with_the_mail_that_takes_it(api: FlaskClient) -> None:
    first = found(api, "/api/seeks")["seeks"][0]
    assert ("Bill", 4, "3d/move") == (first["seeker"]["name"], first["options"]["size"], first["pace"])
    assert "mailto:play@pbem.example.org?subject=Games&body=take%201" == first["take"]


# Pages of lists.


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/games?most=2", "games"),
        ("/api/games?most=1&player=Bill&order=length", "games"),
        ("/api/players?most=1", "players"),
        ("/api/seeks?most=1", "seeks"),
        ("/api/puzzles?most=1", "puzzles"),
        ("/api/events?most=1", "events"),
        ("/api/games/1/plies?most=7", "plies"),
        ("/api/games/1/plies?most=19", "plies"),
    ],
)
def test_a_list_goes_on_to_its_end_with_nothing_twice(api: FlaskClient, path: str, name: str) -> None:
    """Follows `next` in the body and in the Link header."""
    whole = found(api, re.sub(r"most=\d+", "most=100", path))[name]
    seen: list[Any] = []
    next: str | None = f"{SITE}{path}"
    while next:
        answered = api.get(next.removeprefix(SITE))
        data: dict[str, Any] = answered.json or {}
        assert data[name] and data[name][0] not in seen
        seen += data[name]
        next = data["next"]
        linked = re.search(r'<([^>]+)>; rel="next"', answered.headers.get("Link", ""))
        assert next == (linked[1] if linked else None)
    assert len(whole) > 1
    assert whole == seen


def test_a_list_of_games_leads_back_too(api: FlaskClient) -> None:
    first = found(api, "/api/games?most=2&state=running")
    second = found(api, first["next"].removeprefix(SITE))
    back = found(api, second["prev"].removeprefix(SITE))
    assert first["games"] == back["games"]
    assert (None, 4) == (first["prev"], first["count"]["every"])


def test_the_table_of_a_game_goes_on_below_a_player(house: App, tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    for _ in range(3):
        for first, second in (("Bill", "Joao"), ("Joao", "Anna"), ("Anna", "Bill")):
            a_short_game(app, first, second)
    with app.store.write() as db:  # many games each
        db.execute(text("update ratings set deviation = 60, sure_until = '2027-01-01 00:00:00.000000'"))
    api = create_app(app).test_client()
    whole = found(api, "/api/standings/bipod")
    first = found(api, "/api/standings/bipod?most=2")
    second = found(api, first["next"].removeprefix(SITE))
    assert [1, 2, 3] == [each["place"] for each in whole["ranked"]]
    assert whole["ranked"] == first["ranked"] + second["ranked"]
    assert None is second["next"]
    assert {False} == {each["rating"]["provisional"] for each in whole["ranked"]}
    app.close()


# Errors.


@pytest.mark.parametrize("event", [1, 3])
def test_a_table_is_what_the_command_for_tables_prints_of_its_results(
    api: FlaskClient, tmp_path: Path, event: int
) -> None:
    tables = found(api, f"/api/events/{event}")["tables"]
    assert {1: 1, 3: 2}[event] == len(tables)
    for table in tables:
        assert table["results"] and len(table["players"]) == len(table["rows"])
        file = tmp_path / "table.json"
        file.write_text(json.dumps({name: table[name] for name in ("players", "results")}))
        done = CliRunner().invoke(standings_command, [str(file), "--json"])
        assert table["rows"] == json.loads(done.stdout)


def test_a_season_tells_its_games_and_goes_on_below_a_division(api: FlaskClient) -> None:
    runs, over = found(api, "/api/events/1"), found(api, "/api/events/3")
    assert ("running", "over") == (runs["state"], over["state"])
    pairings = runs["tables"][0]["games"]
    assert 45 == len(pairings) and f"{SITE}/api/games/1" == pairings[0]["game"]
    assert 11 == sum(each["score"] is not None for each in pairings)
    first = found(api, "/api/events/3?most=1")
    second = found(api, first["next"].removeprefix(SITE))
    assert over["tables"] == [*first["tables"], *second["tables"]] and second["next"] is None
    assert [3, 2, 1] == [each["id"] for each in found(api, "/api/events")["events"]]


def test_a_ladder_tells_places_challenges_and_results(api: FlaskClient) -> None:
    told = found(api, "/api/ladders/bipod")
    names = [each["player"]["name"] for each in told["places"]]
    assert 10 == len(names) and [*range(1, 11)] == [each["place"] for each in told["places"]]
    assert 2 == len(told["challenges"]) == len(told["results"])
    for each in told["challenges"]:
        assert {each["challenger"], each["challenged"]} <= {*names} and each["game"] is None
    assert {"-"} == {each["score"] for each in told["results"]}


def test_a_match_tells_its_boards_and_points(api: FlaskClient) -> None:
    assert [6, 5] == [each["id"] for each in found(api, "/api/matches")["matches"]]
    runs, open = found(api, "/api/matches/5"), found(api, "/api/matches/6")
    assert (["Lisbon", "Oxford"], "running", 4, 4) == (
        runs["clubs"],
        runs["state"],
        runs["games_left"],
        len(runs["boards"]),
    )
    assert (
        [2, 2] == runs["points"] == [sum(each["points"][club] for each in runs["boards"]) for club in (0, 1)]
    )
    assert [1, 1] == [len(names) for names in open["members"]] and [] == open["boards"]


def test_a_paper_tells_by_numbers_what_its_page_says(api: FlaskClient) -> None:
    paper = found(api, "/api/papers/2026-10")
    assert ["2026-10"] == [each["week"] for each in found(api, "/api/papers")["papers"]]
    assert f"{SITE}/paper/2026-10" == paper["page"]
    assert paper["lead"]["game"].startswith(f"{SITE}/api/games/")
    assert [f"{SITE}/api/events/1"] == [each["event"] for each in paper["leagues"]]
    assert {"Bill", "Joao", "Anna"} == {each["player"]["name"] for each in paper["newcomers"]}


def problem(answered: TestResponse, status: int) -> dict[str, Any]:
    """The problem details of an answer with this status."""
    assert (status, "application/problem+json") == (answered.status_code, answered.headers["Content-Type"])
    assert "no-store" == answered.headers["Cache-Control"]
    data: dict[str, Any] = json.loads(answered.text)
    assert (status, "about:blank") == (data["status"], data["type"])
    return data


@pytest.mark.parametrize(
    ("path", "parameter", "words"),
    [
        ("/api/games?before=x", "before", "it is a whole number from 1 to 999999999999"),
        ("/api/games?before=", "before", "a whole number"),
        ("/api/games?before=007", "before", "a whole number"),
        ("/api/games?most=101", "most", "from 1 to 100"),
        ("/api/games?state=adjourned", "state", "it is one of running, finished"),
        ("/api/games?from=spring", "from", "a day, a month or a year"),
        ("/api/games?player=" + "x" * 61, "player", "at most 60 characters"),
        ("/api/games?player=a%01b", "player", "none of them a control character"),
        ("/api/games?plyer=Bill", "plyer", "There is no parameter 'plyer' here; there is game, player"),
        ("/api/games?game=bipod&game=begird", "game", "written more than once"),
        ("/api/games/1?before=3", "before", "there is none"),
        ("/api/players?after=..", "after", "a player's name"),
    ],
)
def test_a_parameter_that_is_not_as_described_is_named(
    api: FlaskClient, path: str, parameter: str, words: str
) -> None:
    data = problem(api.get(path), 400)
    assert parameter == data["parameter"]
    assert words in data["detail"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/games/99", "There is no game 99 here."),
        ("/api/games/0", "it is a whole number from 1"),
        ("/api/games/%D9%A1", "it is a whole number from 1"),
        ("/api/games/1/positions/20", "Game 1 has no move 20 yet"),
        ("/api/games/", "/api lists what there is"),
        ("/api/none", "/api lists what there is"),
        ("/api/players/Bil", "Did you mean Bill?"),
        ("/api/players/99", "There is no player 99."),
        ("/api/standings/chess", "No game is called chess here."),
        ("/api/standings/bipod?below=Bil", "Did you mean Bill?"),
        ("/api/standings/bagel?below=Joao", "Joao has no place in this table."),
        ("/api/events/99", "There is no event 99."),
        ("/api/events?game=chess", "No game is called chess here."),
        ("/api/ladders/bagel", "Nobody has entered a ladder of bagel yet."),
        ("/api/ladders/chess", "No game is called chess here."),
        ("/api/matches/1", "Event 1 is no match."),
        ("/api/papers/2026-99", "There is no paper of week 2026-99 here."),
        ("/api/seeks?game=chess", "No game is called chess here."),
        ("/api/games?player=Jaoo", "Did you mean Joao?"),
        ("/api/games?from=2026-02-30", "There is no 2026-02-30 in the calendar."),
        ("/api/games?state=won", "Write a player's name too."),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(api: FlaskClient, path: str, words: str) -> None:
    assert words in problem(api.get(path), 404)["detail"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_can_be_changed_and_asking_often_costs_nothing(api: FlaskClient, method: str) -> None:
    answered = [api.open("/api/games", method=method) for _ in range(80)][-1]
    assert "Method Not Allowed" == problem(answered, 405)["title"]
    assert {"GET", "HEAD", "OPTIONS"} == set(answered.allow)


def test_where_the_database_is_gone_or_we_are_wrong_nothing_of_it_is_told(
    tmp_path: Path, sqlite_url: str
) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    flask_app = create_app(app)
    flask_app.add_url_rule("/api/wrong", "wrong", lambda: [][1])
    flask_app.add_url_rule("/api/often", "often", _too_often)
    api = flask_app.test_client()
    assert "nothing of yours is lost" in problem(api.get("/api/wrong"), 500)["detail"]
    often = api.get("/api/often")
    assert ("Ask later.", "60") == (problem(often, 429)["detail"], often.headers["Retry-After"])
    with app.store.write() as db:
        db.execute(text("alter table games rename to elsewhere"))
    broken = api.get("/api/games")
    assert "sql" not in problem(broken, 500)["detail"].lower()
    app.close()
    (tmp_path / "pbem.sqlite").unlink()
    (tmp_path / "pbem.sqlite").mkdir()
    gone = api.get("/api/games")
    assert "does not answer" in problem(gone, 503)["detail"]
    assert "10" == gone.headers["Retry-After"]


def _too_often() -> None:
    raise TooManyRequests("Ask later.", retry_after=60)


# Caching and cross-origin access.


@pytest.mark.parametrize("path", PATHS)
def test_who_has_an_answer_already_gets_a_few_bytes(api: FlaskClient, path: str) -> None:
    first = api.get(path)
    again = api.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)
    assert "public, no-cache" == first.headers["Cache-Control"]
    head = api.head(path)
    assert (200, b"", first.headers["ETag"]) == (head.status_code, head.data, head.headers["ETag"])


@pytest.mark.parametrize("path", ["/api/games", "/api/games/1", "/api/standings/bipod", "/api/players"])
def test_what_changed_last_is_dated(api: FlaskClient, path: str) -> None:
    assert api.get(path).headers["Last-Modified"].startswith("Mon, 02 Mar 2026") or api.get(path).headers[
        "Last-Modified"
    ].endswith("Mar 2026 12:00:00 GMT")


def test_a_new_ply_makes_a_new_answer(app: App) -> None:
    api = create_app(app).test_client()
    game = play(app, begin(app, **SMALL), BLOCKED[:1])
    tags = {
        path: api.get(path).headers["ETag"] for path in ("/api/games/1", "/api/games/1/plies", "/api/games")
    }
    play(app, game, BLOCKED[1:2])
    for path, tag in tags.items():
        assert 200 == api.get(path, headers={"If-None-Match": tag}).status_code


def test_time_that_is_left_is_told_anew_every_hour(house: App, api: FlaskClient) -> None:
    """A game without a clock stays unchanged."""
    tags = {path: api.get(path).headers["ETag"] for path in ("/api/games/1", "/api/games/5")}
    for minutes, codes in ((59, (304, 304)), (60, (304, 200))):
        app = replace(house, clock=lambda late=minutes: house.clock() + timedelta(minutes=late))  # type: ignore[misc]
        later = create_app(app).test_client()
        found = (later.get(path, headers={"If-None-Match": tag}) for path, tag in tags.items())
        assert codes == tuple(answered.status_code for answered in found)


@pytest.mark.parametrize("path", ["/api", "/api/games", "/api/games/99", "/api/games?before=x", "/api/none"])
def test_pages_of_other_sites_may_read_it_and_never_in_a_visitors_name(api: FlaskClient, path: str) -> None:
    headers = api.get(path, headers={"Origin": "https://blog.example"}).headers
    assert "*" == headers["Access-Control-Allow-Origin"]
    assert "Access-Control-Allow-Credentials" not in headers
    assert {"ETag", "Link"} <= set(headers["Access-Control-Expose-Headers"].split(", "))
    assert "Set-Cookie" not in headers


def test_a_304_may_be_read_elsewhere_too(api: FlaskClient) -> None:
    tag = api.get("/api/games").headers["ETag"]
    again = api.get("/api/games", headers={"If-None-Match": tag, "Origin": "https://blog.example"})
    assert (304, "*") == (again.status_code, again.headers["Access-Control-Allow-Origin"])


def test_a_browser_that_asks_first_is_told_what_may_be_sent(api: FlaskClient) -> None:
    asking = {"Origin": "https://blog.example", "Access-Control-Request-Method": "GET"}
    headers = api.options("/api/games", headers=asking).headers
    assert "GET, HEAD, OPTIONS" == headers["Access-Control-Allow-Methods"]
    assert "If-None-Match" in headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("path", ["/", "/games", "/games/1", "/settings", "/status", "/apis"])
def test_no_other_page_is_opened_to_other_sites(api: FlaskClient, path: str) -> None:
    assert "Access-Control-Allow-Origin" not in api.get(path).headers
    assert "Access-Control-Allow-Origin" not in api.post("/api/games").headers


def test_no_header_of_a_visitor_gets_into_an_answer(api: FlaskClient) -> None:
    for path in ("/api/games?most=1", "/api/games/1", "/api/openapi.json", "/api/none"):
        poisoned = api.get(path, headers={"Host": "evil.example", "X-Forwarded-Host": "evil.example"})
        assert "evil.example" not in f"{poisoned.text}{poisoned.headers}"


# The page about the API.


def test_the_page_lists_every_call_with_an_example_that_works(api: FlaskClient) -> None:
    page = read(api.get("/api").text)
    assert [] == page.all_problems()
    for call in CALLS:
        assert call.path in page.text
        assert call.title in page.text
    examples = [link for link in page.links if link.startswith("/api/")]
    assert {call.path for call in CALLS if not call.body} == {template_of(link) for link in examples}
    assert {200} == {api.get(link).status_code for link in examples}


@pytest.mark.parametrize("path", ["/", "/games", "/games/1", "/rules"])
def test_every_page_leads_to_it(api: FlaskClient, path: str) -> None:
    assert {"/api", "/api/openapi.json"} <= set(read(api.get(path).text).links)


def test_a_search_on_the_page_leads_to_the_same_as_data(api: FlaskClient) -> None:
    page = read(api.get("/games?player=bill&state=finished&game=Bipod").text)
    (link,) = (link for link in page.links if link.startswith("/api/games?"))
    listed = [link for link in page.links if re.fullmatch(r"/games/\d+", link)]
    assert listed == [f"/games/{game['id']}" for game in found(api, link)["games"]]
    assert "/api/games/1" in read(api.get("/games/1").text).links
