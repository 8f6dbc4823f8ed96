"""Players' games as files: each record replays, a letter has limits."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from pbem.core.game.journal import PLAN, PLY, REPLACE, Entry
from pbem.core.play.notes import Note
from pbem.core.records.files import MAX_CHARACTERS, MAX_GAMES, archive_files, export_files
from rules import RULES, record
from tests.core.example_records import with_entry
from tests.people import HOST, NOON, SEED_GAME, a_game

ODD = '12 first f2\n[Game "Chess"] {\nresign } ; draw agreed\n\n# é'

TAKEN_OVER = {"player": 31, "name": "Anna", "was": 23, "old": "Joao", "turn": True, "reason": "Joao is ill."}


def some_game(key: str, plies: int = 6):
    rng = Random(5)
    game = a_game(key=key)
    for _ in range(plies):
        position = game.state.position
        move, _ = position.split(position.sample(rng))
        entry = Entry(len(game.journal) + 1, NOON, PLY, position.to_play, {"move": str(move)})
        game = game.with_entries([entry])
    return game


@pytest.mark.parametrize("key", RULES)
def test_the_record_of_every_game_replays_whatever_its_notes_hold(key):
    game = some_game(key)
    (file,), count = export_files([game], [Note(42, 3, NOON, ODD)], HOST, "text")
    assert (f"{key}-42.txt", "text/plain", 1) == (file.name, file.type, count)
    replayed = record.replay(record.read(file.text))
    assert game.state.position.data() == replayed.position.data()
    assert [None] * 6 == [ply.comment for ply in replayed.record.plies]


def test_a_record_without_a_ply_or_without_notes_reads_too():
    for notes in ([], [Note(42, 0, NOON, ODD)]):
        (file,), _ = export_files([a_game()], notes, HOST, "text")
        assert () == record.read(file.text).plies


def test_notes_stand_in_the_file_of_their_own_game_alone():
    other = replace(a_game(), id=43)
    notes = [Note(42, 1, NOON, "mine"), Note(44, 1, NOON, "elsewhere")]
    (first, second), _ = export_files([a_game(), other], notes, HOST, "text")
    assert ("mine" in first.text, "mine" in second.text) == (True, False)
    assert "elsewhere" not in first.text + second.text


def test_data_is_one_list_of_games():
    (file,), _ = export_files(
        [a_game(SEED_GAME), replace(a_game(), id=43)], [Note(43, 0, NOON, ODD)], HOST, "json"
    )
    assert ("games.json", "application/json") == (file.name, file.type)
    first, second = json.loads(file.text)
    assert ([], [ODD]) == (first["notes"], [note["words"] for note in second["notes"]])


def test_nothing_to_export_is_no_file():
    for form in ("text", "json"):
        assert ((), 0) == export_files([], [], HOST, form)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_letter_has_room_for_only_so_many_games(form):
    games = [replace(a_game(), id=n) for n in range(MAX_GAMES + 1)]
    attached, count = export_files(games, [], HOST, form)
    assert MAX_GAMES == count
    assert sum(len(file.text) for file in attached) <= MAX_CHARACTERS + 2 * MAX_GAMES


def test_a_letter_has_room_for_only_so_much_text():
    games = [replace(a_game(), id=n) for n in range(4)]
    notes = [Note(n, 0, NOON, "x" * (MAX_CHARACTERS // 3)) for n in range(4)]
    assert 2 == export_files(games, notes, HOST, "text")[1]


def test_who_took_a_seat_over_takes_nothing_home_of_what_was_planned_there_before():
    def planned(reply: str) -> dict[str, object]:
        return {"plan": [{"if": "h2", "then": [reply], "next": []}]}

    bills = with_entry(a_game(SEED_GAME[:3]), PLAN, 1, planned("n2 p2"))
    anna = replace(bills.seats[1], id=31, name="Anna")
    hers = with_entry(replace(bills, seats=(bills.seats[0], anna)), REPLACE, 1, TAKEN_OVER)
    hers = with_entry(hers, PLAN, 1, planned("j2 l2"))
    for player, own in ((anna, ["j2 l2"]), (bills.seats[0], [])):
        data = json.loads(archive_files(hers, player, [], HOST)[1][1])
        assert own == [each["plan"][0]["then"][0] for each in data["planned"]]
    assert "n2 p2" in archive_files(bills, bills.seats[1], [], HOST)[1][1]
