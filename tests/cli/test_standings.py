"""`pbem standings`, without configuration or database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_replay_and_try import pbem

SEASON = {
    "players": ["Bill", "Joao", "Ana María"],
    "results": [["Bill", "Joao", "0-1"], ["Joao", "Ana María", "1/2"], ["Ana María", "Bill", "-"]],
}
ROWS = [
    {"player": "Joao", "points": 1.5, "sonneborn_berger": 1.25, "direct": 0.0, "wins_second": 1},
    {"player": "Bill", "points": 1.0, "sonneborn_berger": 0.5, "direct": 0.0, "wins_second": 0},
    {"player": "Ana María", "points": 0.5, "sonneborn_berger": 0.75, "direct": 0.0, "wins_second": 0},
]


def test_standings_prints_the_rows_in_order_as_json(tmp_path: Path) -> None:
    file = tmp_path / "season.json"
    file.write_text(json.dumps(SEASON), encoding="utf-8")
    done = pbem("standings", file, "--json")
    assert (0, b"", ROWS) == (done.returncode, done.stderr, json.loads(done.stdout))
    assert list(ROWS[0]) == list(json.loads(done.stdout)[0])
    assert done.stdout == pbem("standings", "-", "--json", stdin=file.read_bytes()).stdout


def test_standings_prints_a_table_for_people() -> None:
    done = pbem("standings", "-", stdin=json.dumps(SEASON).encode())
    lines = done.stdout.decode().splitlines()
    assert "place  player     points  Sonneborn-Berger  direct  wins as second" == lines[0].rstrip()
    assert ["1", "Joao", "1½", "1¼", "0", "1"] == lines[1].split()
    assert 4 == len(lines)


def test_markup_in_a_name_is_printed_as_it_stands() -> None:
    done = pbem("standings", "-", stdin=b'{"players": ["[red]Bill"], "results": []}')
    assert b"[red]Bill" in done.stdout


def test_nobody_has_an_empty_table() -> None:
    assert [] == json.loads(pbem("standings", "-", "--json", stdin=b'{"players": [], "results": []}').stdout)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("\xff\xfe", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", '"players" and "results" is needed'),
        ('{"players": ["A"], "results": [["A", "A", "1-0"]]}', "A plays against themselves"),
        ('{"players": ["A", "A"], "results": []}', "A is among the players twice"),
        ('{"players": ["A"], "results": [["A", "B", "1-0"]]}', "B is not among the players"),
        ('{"players": ["A", "B"], "results": [["A", "B", "1:0"]]}', "1:0 is none of 1-0 0-1 1/2 + -"),
    ],
)
def test_standings_says_what_is_wrong_with_a_file(text: str, sentence: str) -> None:
    done = pbem("standings", "-", "--json", stdin=text.encode("latin-1"))
    assert (2, b"") == (done.returncode, done.stdout)
    assert sentence in done.stderr.decode()
    assert 1 == len(done.stderr.splitlines())


def test_standings_has_help_with_an_example() -> None:
    told = " ".join(pbem("standings", "--help").stdout.decode().split())
    for word in ("--json", "1-0 0-1 1/2 + -", "Exit code 0", "pbem standings season.json"):
        assert word in told
