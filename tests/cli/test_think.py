"""`pbem think`, without configuration or database."""

from __future__ import annotations

import json
from pathlib import Path

from rules import RULES
from tests.cli.test_replay_and_try import RECORD, pbem

BEGIRD = '[Game "begird"]\n[Options "islands=3 side=4"]\n\n1. b2\n'


def test_think_prints_one_legal_move_as_json(tmp_path: Path) -> None:
    file = tmp_path / "begird.game"
    file.write_text(BEGIRD)
    done = pbem("think", file, "--level", "2", "--seconds", "5", "--json")
    assert (0, b"") == (done.returncode, done.stderr)
    found = json.loads(done.stdout)
    assert ["move", "value", "playouts", "proved"] == list(found)
    start = RULES["begird"].start({"islands": "3", "side": "4"})
    after = start.play(start.read("b2"))
    assert after.problem(after.read(found["move"])) is None
    assert 0 <= found["value"] <= 1
    assert found["proved"] in ("win", "loss", "draw", None)
    assert done.stdout == pbem("think", "-", "--level", "2", "--json", stdin=BEGIRD.encode()).stdout


def test_think_in_words_begins_with_the_move_alone() -> None:
    done = pbem("think", "-", "--level", "1", stdin=BEGIRD.encode())
    move, words = done.stdout.decode().splitlines()
    assert " " not in move
    assert words.startswith("Value 0.")


def test_think_refuses_what_has_no_next_move() -> None:
    over = pbem("think", RECORD)
    assert (1, b"") == (over.returncode, over.stdout)
    assert b"The game is over (Blocker wins: Runner resigned)" in over.stderr
    assert 2 == pbem("think", "-", stdin=b"Dear Joao").returncode
    assert 1 == pbem("think", "-", stdin=BEGIRD.replace("b2", "b2 b2").encode()).returncode
    assert 2 == pbem("think", RECORD, "--level", "6").returncode
    assert 2 == pbem("think", "-", "--seconds", "nan", stdin=BEGIRD.encode()).returncode


def test_think_has_help_with_an_example() -> None:
    told = pbem("think", "--help").stdout.decode()
    for word in ("--level", "--seed", "--seconds", "--json", "Exit code 0", "pbem think bipod.game"):
        assert word in told
