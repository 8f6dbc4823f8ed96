"""`pbem game`: a designer's file is tried with limits, installed, and then a game like any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import ROOT, run
from tests.cli.test_replay_and_try import pbem

LITTLE = """\
game: Little Row
designer: Anna Example
year: 2026
terms: Anybody may play it, program it and sell it.
summary: Make a row of three stones.
board: square, side 4 (3 to 5)
turn: lay one
wins: 3 in a row
opening: swap
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "little.txt"
    path.write_text(LITTLE)
    return path


def test_a_trial_tells_rules_laws_chances_boards_and_figures(file: Path) -> None:
    done = pbem("game", file)
    assert (0, b"") == (done.returncode, done.stderr)
    told = done.stdout.decode()
    for words in (
        "Little Row, by Anna Example, 2026",
        "A side that has 3 in a row has won.",
        "laws on a game with side=3",
        "50 random games with the usual options: Black wins",
        "Little Row before the first move:",
        "Line 8 decided: wins: 3 in a row",
        "Little Row in the laboratory",
        "How long games are",
    ):
        assert words in told, words


def test_errors_are_told_by_line(file: Path) -> None:
    file.write_text(LITTLE.replace("lay one", "lay five").replace("3 in", "30 in"))
    done = pbem("game", file)
    assert (2, b"") == (done.returncode, done.stdout)
    assert [
        'line 7: "lay five" is unknown; the nearest is "lay one".',
        "line 8: a row has 3 to 19 stones, not 30.",
    ] == done.stderr.decode().splitlines()


@pytest.mark.parametrize("name", ["Resign", "Bipod", "Challenge", "Standings"])
def test_words_of_the_server_and_other_games_are_no_names(file: Path, name: str) -> None:
    file.write_text(LITTLE.replace("Little Row", name))
    done = pbem("game", file, "--read")
    assert 2 == done.returncode
    assert f'"{name.lower()}" is a word of the server or another game'.encode() in done.stderr


def test_a_file_that_is_no_text_is_refused(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    assert b"save this file as UTF-8" in pbem("game", file).stderr
    file.write_bytes(b"x" * 10**6)
    assert b"more than 4000 bytes" in pbem("game", file).stderr


OFFERED = """
import sys
from pbem.config.load import config_from
config = config_from({"PBEM_VAR": sys.argv[1], "PBEM_GAMES": "little-row, bipod"})
assert config.games == ("bipod", "little-row"), config.games
config_from({"PBEM_VAR": sys.argv[1]})
import rules
assert rules.find("Little Row").key == "little-row"
assert rules.find("little-row").start({"side": "3"}).play
print(*rules.left_out().values())
"""


def offered(var: Path) -> str:
    """What a new process of the server says of the installed games."""
    done = subprocess.run([sys.executable, "-c", OFFERED, str(var)], capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


def test_an_installed_game_is_offered_and_stays_as_it_is(file: Path, tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PBEM_VAR": str(tmp_path / "var")}
    words = ("game", str(file), "--read", "--install")
    assert b"on offer from the next start" in run(words, environ).stdout
    assert "" == offered(tmp_path / "var")
    assert b"is installed already" in run(words, environ).stdout
    file.write_text(LITTLE.replace("3 in a row", "4 in a row").replace("3 to 5", "4 to 5"))
    changed = run(words, environ)
    assert 1 == changed.returncode
    assert b"give the new version another name" in changed.stderr


def test_a_broken_file_among_the_installed_is_left_out_with_a_reason(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "var/designs"
    folder.mkdir(parents=True)
    (folder / "little-row.txt").write_text(LITTLE)
    (folder / "bad.txt").write_text("game: Bad\n")
    (folder / "bipod.txt").write_text(LITTLE.replace("Little Row", "Bipod"))
    told = offered(tmp_path / "var")
    assert "bad.txt is left out: line 1: no line says" in told
    assert "bipod.txt is left out: another game is called bipod too" in told
