"""Game records: valid by the published schema, complete, and readable again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.core.game.journal import REPLACE
from pbem.core.records.gamerecord import ContradictoryRecord, gamerecord, move_rows, read_records
from pbem.core.records.record import NEEDED_TAGS, record_of
from rules import RULES, record
from rules.contract import Seat
from rules.record import NotARecord
from tests.core.example_records import ENDS, chance_game, ended, the_seeds_game, with_entry
from tests.people import HOST, JOAO, NOON, SEED_GAME, SEED_PLIES, a_game


def problems(schema: str, *records: Any) -> list[str]:
    """The schema's complaints about game records, as programs get them."""
    from jsonschema import Draft202012Validator

    checker = Draft202012Validator(json.loads(Path(schema).read_text()))
    return [error.message for data in records for error in checker.iter_errors(json.loads(json.dumps(data)))]


def results(data: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(p["name"], p["seat"], p["result"]) for p in data["header"]["players"]]


@pytest.mark.schema
@pytest.mark.parametrize("key", RULES)
def test_games_of_every_kind_are_valid_records_however_they_end(key, schema):
    games = [chance_game(key, seed) for seed in range(5)]
    games = [game if game.state.ending else ended(game, "agreement") for game in games]
    games += [ended(chance_game(key, 9, most=4), how) for how in ENDS]
    assert [] == problems(schema, *(gamerecord(game, HOST, lambda _: "c2ln") for game in games))


@pytest.mark.schema
def test_the_schema_would_find_what_is_wrong(schema):
    data = gamerecord(the_seeds_game(), HOST)
    data["header"]["players"][0]["result"] = "won"
    data["x-pbem"] = data["header"].pop("game")
    assert 3 == len(problems(schema, data))


def test_the_authors_game_is_this_record():
    data = gamerecord(the_seeds_game(), HOST, lambda _: "c2ln")
    assert ["header", "moves"] == list(data)
    assert [SEED_PLIES[0], SEED_PLIES[1]] == data["moves"][0]
    assert [SEED_PLIES[18], None] == data["moves"][9]
    header = data["header"]
    assert {"name": "Bipod", "variants": []} == header["game"]
    assert {"name": HOST, "gameid": 42} == header["site"]
    assert ("2026-03-01T12:00:00Z", "2026-03-02T08:00:00Z") == (header["date-start"], header["date-end"])
    assert (False, False) == (header["pied"], header["unrated"])
    assert [("Bill", "first", 1), ("Joao", "second", 0)] == results(data)
    assert ["17", "23"] == [player["userid"] for player in header["players"]]
    ours = header["x-pbem"]
    assert {"size": 5, "middle": 5, "rows": 6, "stones": 3} == ours["options"]
    assert ("bipod", "1", "0", [17, 23]) == (ours["game"], ours["rules"], ours["seed"], ours["players"])
    assert ("first", "resignation", "Joao resigned") == (ours["result"], ours["ended-by"], ours["reason"])
    assert "c2ln" == ours["signature"]
    assert {
        "n": 7,
        "by": "17",
        "seat": "first",
        "move": "adopt",
        "at": "2026-03-01T19:00:00Z",
        "spent_s": 3600,
        "auto": False,
    } == ours["plies"][6]


def test_an_option_that_is_not_the_usual_one_is_a_variant():
    game = ended(a_game(["f2"], stones="1"), "resignation")
    assert ["stones=1"] == gamerecord(game, HOST)["header"]["game"]["variants"]


def test_after_a_swap_the_players_change_places_and_the_swap_is_no_move():
    """Example: first c4 (black), second swaps, first d3 (white), second e4 (black)."""
    game = ended(a_game(["c4", "swap", "d4", "e4"], key="begird"), "resignation")
    data = gamerecord(game, HOST)
    assert data["header"]["pied"]
    assert [("Joao", "second", 0), ("Bill", "first", 1)] == results(data)
    assert [["c4", "d4"], ["e4", None]] == data["moves"]
    assert ["c4", "swap", "d4", "e4"] == [ply["move"] for ply in data["header"]["x-pbem"]["plies"]]


def test_whoever_plays_twice_in_a_row_begins_a_row_anew():
    plies: list[tuple[Seat, str]] = [(0, "a"), (0, "b"), (1, "c"), (1, "d"), (0, "e")]
    assert [["a", None], ["b", "c"], [None, "d"], ["e", None]] == move_rows(plies, pied=False)


@pytest.mark.parametrize(
    ("how", "result", "by", "unrated"),
    [
        ("resignation", [1, 0], "resignation", False),
        ("timeout", [0, 1], "timeout", False),
        ("agreement", [0, 0], "agreement", False),
        ("director", [0, 1], "director", False),
        ("decided-draw", [0, 0], "director", False),
        ("void", [0, 0], "void", True),
        ("flag", [0, 0], "void", True),
    ],
)
def test_each_end_has_whole_numbers_for_results(how, result, by, unrated):
    header = gamerecord(ended(a_game(SEED_GAME[:6]), how), HOST)["header"]
    assert result == [player["result"] for player in header["players"]]
    assert (by, unrated) == (header["x-pbem"]["ended-by"], header["unrated"])


@pytest.mark.parametrize(("plies", "unrated"), [(3, True), (4, False)])
def test_a_game_too_short_to_count_is_unrated(plies, unrated):
    game = ended(a_game(SEED_GAME[:plies]), "resignation")
    assert unrated is gamerecord(game, HOST)["header"]["unrated"]


def test_who_sat_down_later_is_the_player_and_who_was_there_made_the_plies():
    data = {"player": 31, "name": "Anna", "was": 17, "old": "Bill", "turn": True, "reason": "Bill is ill."}
    game = with_entry(a_game(SEED_GAME[:4]), REPLACE, 0, data)
    anna = replace(JOAO, id=31, name="Anna")
    game = ended(replace(game, seats=(anna, game.seats[1])), "resignation")
    header = gamerecord(game, HOST)["header"]
    assert ["31", "23"] == [player["userid"] for player in header["players"]]
    assert [17, 23] == header["x-pbem"]["players"]
    assert header["unrated"]
    assert ["17", "23", "17", "23"] == [ply["by"] for ply in header["x-pbem"]["plies"]]


def test_time_in_which_the_clock_stood_is_not_spent():
    game = a_game(SEED_GAME[:2])
    both = ((NOON, NOON.replace(minute=40)),)
    halted = replace(game, stops=replace(game.stops, both=both))
    plies = gamerecord(ended(halted, "resignation"), HOST)["header"]["x-pbem"]["plies"]
    assert [20 * 60, 3600] == [ply["spent_s"] for ply in plies]


def test_a_record_holds_no_words_and_no_addresses():
    game = ended(a_game(SEED_GAME[:4]), "resignation")
    text = json.dumps(gamerecord(game, HOST))
    assert ("Well played" in text, "@" in text) == (False, False)


@pytest.mark.parametrize("key", RULES)
@pytest.mark.parametrize("how", ["resignation", "timeout", "agreement", "director", "void"])
def test_a_game_record_read_again_is_the_record_as_text(key, how):
    game = ended(chance_game(key, 3, most=5), how)
    (found,) = read_records(json.dumps(gamerecord(game, HOST, lambda _: "c2ln")))
    wanted = record_of(game, HOST, lambda _: "c2ln")
    assert dict(wanted.tags) == dict(found.tags)
    assert [ply.move for ply in wanted.plies] == [ply.move for ply in found.plies]
    assert record.replay(wanted).outcome == record.replay(found).outcome


def test_a_game_without_options_keeps_all_tags_that_its_fingerprint_needs():
    made = gamerecord(ended(a_game(SEED_GAME[:2]), "resignation"), HOST)
    made["header"]["x-pbem"]["options"] = {}
    (found,) = read_records(json.dumps(made))
    assert "" == found.tags["Options"]
    assert set(NEEDED_TAGS) <= set(found.tags)


def test_a_file_of_many_records_is_read_one_by_one():
    texts = [record.write(record_of(game, HOST)) for game in (the_seeds_game(), a_game(SEED_GAME[:4]))]
    assert [19, 4] == [len(found.plies) for found in read_records("\n".join(texts))]
    both = [gamerecord(the_seeds_game(), HOST), gamerecord(the_seeds_game(), HOST)]
    assert [19, 19] == [len(found.plies) for found in read_records(json.dumps(both))]


FORGERIES = {
    "another winner for programs that know the schema alone": ('"result": 1', '"result": 0'),
    "the two in each other's places": ('"seat": "first"}, {', '"seat": "second"}, {'),
    "another first move": ('"moves": [["f2 f4 g3"', '"moves": [["f2 f4 g4"'),
    "a move the less": ('"moves": [["f2 f4 g3", "e5 g1"], ', '"moves": ['),
    "a swap that was none": ('"pied": false', '"pied": true'),
    "a move under another number": ('{"n": 2,', '{"n": 3,'),
    "another game": ('"game": "bipod"', '"game": "begird"'),
    "a second winner under the same name": ('"result": "first"', '"result": "second", "result": "first"'),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_game_record_in_which_programs_could_read_another_game_is_refused(forgery):
    true, false = FORGERIES[forgery]
    text = json.dumps(gamerecord(the_seeds_game(), HOST))
    assert 1 <= text.count(true)
    with pytest.raises(NotARecord) as error:
        list(read_records(text.replace(true, false, 1)))
    assert "stands twice" in str(error.value) or isinstance(error.value, ContradictoryRecord)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "This is no record of a game: it is no JSON either ("),
        ('{"header": {}, "moves": []}', "This JSON is no record of a game of ours"),
        ("[1]", "line 1: a tag is written"),
        ("[{}]", "This JSON is no record of a game of ours"),
        ('[Game "Bipod"]\n1 first f2\n[Game "Bipod"]\nfoo', 'record 2: line 2: "foo" is neither a tag nor'),
        ("", "This is no record of a game: it has no"),
    ],
)
def test_what_is_no_record_is_said_so(text, sentence):
    with pytest.raises(NotARecord) as error:
        list(read_records(text))
    assert str(error.value).startswith(sentence)


def test_the_moments_are_moments():
    header = gamerecord(the_seeds_game(), HOST)["header"]
    for name in ("date-start", "date-end", "date-generated"):
        assert datetime.fromisoformat(header[name]).tzinfo is not None
