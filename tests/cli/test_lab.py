"""`pbem lab`, without configuration or database."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli.lab import lab_command
from pbem.cli.lab_run import JOURNAL
from rules import RULES
from tests.cli.program import ROOT

pytestmark = pytest.mark.whole

GAME = ("begird", "islands=3", "side=4")
FEW = ("--games", "4", "--level", "1", "--levels", "2", "--matches", "2", "--map-level", "1")
REPORTS = ("report.html", "report.json", "report.txt")
PATIENCE_SECONDS = 90


def lab(folder: Path, *words: str, game: tuple[str, ...] = GAME, processes: int = 1) -> Result:
    given = [*game, *FEW, "--output", str(folder), "--processes", str(processes), *words]
    return CliRunner().invoke(lab_command, given)


def reports(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in REPORTS}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole run of one process."""
    folder = tmp_path_factory.mktemp("lab") / "whole"
    result = lab(folder)
    assert 0 == result.exit_code, result.output
    assert (folder / "report.txt").read_text() == result.stdout
    return folder


def test_lab_prints_the_text_and_writes_three_reports(done: Path) -> None:
    names = {path.name for path in done.iterdir()}
    assert names > {JOURNAL, *REPORTS, "values-of-first-moves.svg"}
    assert {JOURNAL, *REPORTS} == {name for name in names if not name.endswith(".svg")}
    assert "Begird in the laboratory" in (done / "report.txt").read_text()
    assert (done / "report.html").read_text().startswith("<!DOCTYPE html>")
    found = json.loads((done / "report.json").read_text())
    assert ("begird", 4, 1) == (found["game"], found["wins"]["games"], found["level"])
    assert {"islands": 3, "side": 4} == {name: found["options"][name] for name in ("islands", "side")}


def test_the_page_is_the_same_byte_for_byte_with_two_processes(done: Path, tmp_path: Path) -> None:
    assert 0 == lab(tmp_path / "two", processes=2).exit_code
    assert reports(done) == reports(tmp_path / "two")


def test_another_seed_has_another_page(done: Path, tmp_path: Path) -> None:
    assert 0 == lab(tmp_path / "other", "--seed", "2").exit_code
    assert reports(done)["report.json"] != reports(tmp_path / "other")["report.json"]


def test_json_goes_to_standard_output_and_progress_to_standard_error(done: Path, tmp_path: Path) -> None:
    result = lab(tmp_path / "json", "--json")
    assert json.loads(result.stdout) == json.loads((done / "report.json").read_text())
    lines = result.stderr.splitlines()
    assert ("0 of", "done") == (lines[0][:4], lines[-1][-4:])
    assert len(lines) <= 11


@pytest.mark.parametrize("cut", [1, 7, 40])
def test_a_run_with_a_torn_last_line_goes_on_to_the_same_page(done: Path, tmp_path: Path, cut: int) -> None:
    lines = (done / JOURNAL).read_bytes().splitlines(keepends=True)
    folder = tmp_path / "torn"
    folder.mkdir()
    (folder / JOURNAL).write_bytes(b"".join(lines[:5]) + lines[5][:-cut])
    result = lab(folder)
    assert 0 == result.exit_code
    assert "4 of " in result.stderr
    assert reports(done) == reports(folder)
    assert sorted(lines) == sorted((folder / JOURNAL).read_bytes().splitlines(keepends=True))


def test_a_run_whose_first_line_is_torn_begins_anew(done: Path, tmp_path: Path) -> None:
    folder = tmp_path / "first"
    folder.mkdir()
    (folder / JOURNAL).write_bytes((done / JOURNAL).read_bytes()[:9])
    assert 0 == lab(folder).exit_code
    assert reports(done) == reports(folder)


def test_a_whole_run_is_told_again_without_playing(done: Path) -> None:
    before = (done / JOURNAL).read_bytes()
    result = lab(done)
    assert (0, 1) == (result.exit_code, len(result.stderr.splitlines()))
    assert before == (done / JOURNAL).read_bytes()


def test_more_games_go_on_from_those_that_are_there(done: Path, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / JOURNAL).write_bytes((done / JOURNAL).read_bytes())
    assert 0 == lab(folder, "--games", "6").exit_code
    assert 6 == json.loads((folder / "report.json").read_text())["wins"]["games"]
    assert 0 == lab(folder).exit_code  # fewer again: the same page as before
    assert reports(done) == reports(folder)


def test_without_a_map_the_report_has_none(done: Path, tmp_path: Path) -> None:
    folder = tmp_path / "no-map"
    folder.mkdir()
    (folder / JOURNAL).write_bytes((done / JOURNAL).read_bytes())
    result = lab(folder, "--no-map")
    assert (0, 1) == (result.exit_code, len(result.stderr.splitlines()))
    assert "Which first moves are swapped" not in result.stdout
    assert "Which first moves are swapped" in (done / "report.txt").read_text()


def started(
    folder: Path, *words: str, game: tuple[str, ...] = GAME, **streams: int
) -> subprocess.Popen[bytes]:
    """`pbem lab` in a process of its own."""
    command = [sys.executable, "-m", "pbem", "lab", *game, *FEW, "--output", str(folder), *words]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    return subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's `&` ignores it
        **streams,
    )


def wait_for_lines(path: Path, number: int) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not path.exists() or path.read_bytes().count(b"\n") < number:
        assert time.monotonic() < end, "nothing was played"
        time.sleep(0.01)


def test_a_killed_run_goes_on_and_its_helpers_end(done: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    process = started(folder, "--games", "500", "--processes", "2", stderr=subprocess.DEVNULL)
    wait_for_lines(folder / JOURNAL, 4)
    helpers = children(process.pid)
    process.kill()
    process.wait()
    held = (folder / JOURNAL).read_bytes().count(b"\n")
    assert held < 500
    assert not (folder / "report.html").exists()
    end = time.monotonic() + PATIENCE_SECONDS
    while any(alive(helper) for helper in helpers):
        assert time.monotonic() < end, "a helper lives on"
        time.sleep(0.05)
    assert len(helpers) >= 2
    assert 0 == lab(folder).exit_code
    assert reports(done) == reports(folder)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_helper_ends_in_the_middle_of_a_long_game(tmp_path: Path) -> None:
    words = ("--games", "4", "--level", "5", "--matches", "0", "--processes", "2")
    process = started(tmp_path / "long", *words, game=("bounders",), stderr=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE_SECONDS
    while len(helpers := children(process.pid)) < 3:  # two, and the tracker of resources
        assert time.monotonic() < end, "no helper has started"
        time.sleep(0.05)
    process.kill()
    process.wait()
    while any(alive(helper) for helper in helpers):
        assert time.monotonic() < end, "a helper lives on"
        time.sleep(0.05)


def test_ctrl_c_says_that_the_same_command_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    process = started(folder, "--games", "500", "--processes", "2", stderr=subprocess.PIPE)
    wait_for_lines(folder / JOURNAL, 3)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_SECONDS)
    assert 130 == process.returncode
    assert b"The same command goes on." in told
    assert b"Traceback" not in told


def test_a_terminal_gets_a_bar(done: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = started(tmp_path / "bar", "--processes", "1", stderr=theirs)
    os.close(theirs)
    told = b""
    try:
        while part := os.read(ours, 4096):
            told += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert 0 == process.wait(PATIENCE_SECONDS)
    assert "\N{BOX DRAWINGS HEAVY HORIZONTAL}" in told.decode()
    assert b"Begird" in told
    assert b" done" not in told
    assert reports(done) == reports(tmp_path / "bar")


def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    process = started(folder, "--games", "500", "--processes", "1", stderr=subprocess.DEVNULL)
    try:
        wait_for_lines(folder / JOURNAL, 2)
        result = lab(folder)
        assert 1 == result.exit_code
        assert f"Another pbem lab is at work in {folder}" in result.stderr
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (("chess",), "No game is called chess; there are atoll, bagel, begird, bipod"),
        (("bagel", "colour=red"), "Bagel has no option colour; its options are"),
        (("bipod", "size=99"), "size=99 cannot be: size is 3 to 8."),
        (("bipod", "size"), "size should be a name and a value"),
        (("y", "islands=9"), "y is Begird with islands=3"),
    ],
)
def test_an_unknown_game_or_option_is_a_sentence(tmp_path: Path, game: tuple[str, ...], told: str) -> None:
    result = lab(tmp_path / "none", game=game)
    assert 2 == result.exit_code
    assert told in result.stderr
    assert not (tmp_path / "none").exists()


def test_a_folder_with_another_run_is_left_as_it_is(done: Path) -> None:
    before = {path.name: path.read_bytes() for path in done.iterdir()}
    for words, told in (
        (("--seed", "2"), "seed is 1 there, not 2"),
        (("--level", "3"), "level is 1 there, not 3"),
    ):
        result = lab(done, *words)
        assert 1 == result.exit_code
        assert f"{done} holds another run: {told}. Name another folder." in result.stderr
    result = lab(done, game=("bagel",))
    assert "game is begird there, not bagel" in result.stderr
    assert before == {path.name: path.read_bytes() for path in done.iterdir()}


def test_a_folder_with_other_files_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Joao")
    result = lab(tmp_path)
    assert 1 == result.exit_code
    assert f"{tmp_path} holds other files and no games.jsonl" in result.stderr
    assert ["letter.txt"] == [path.name for path in tmp_path.iterdir()]


def test_a_damaged_line_is_named_and_left(done: Path, tmp_path: Path) -> None:
    lines = (done / JOURNAL).read_bytes().splitlines(keepends=True)
    lines[2] = b'{"task": nothing}\n'
    (tmp_path / JOURNAL).write_bytes(b"".join(lines))
    result = lab(tmp_path)
    assert 1 == result.exit_code
    assert f"Line 3 of {tmp_path / JOURNAL} is damaged" in result.stderr
    assert b"".join(lines) == (tmp_path / JOURNAL).read_bytes()


@pytest.mark.parametrize("line", [b'{"task":["x"]}\n', b'{"task":"game 0"}\n'])
def test_a_line_that_is_no_result_ends_in_a_sentence(done: Path, tmp_path: Path, line: bytes) -> None:
    lines = (done / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join([*lines, line]))
    result = lab(tmp_path)
    assert 1 == result.exit_code
    assert "damaged" in result.stderr


def test_lab_has_help_with_an_example() -> None:
    told = CliRunner().invoke(lab_command, ["--help"]).output
    for word in ("--games", "--levels", "--processes", "Exit code 0", "pbem lab bagel size=5"):
        assert word in told


PAGE = (ROOT / "docs/build/laboratory.md").read_text()
COMMANDS = [line.split() for line in re.findall(r"(?:^    .venv/bin/pbem lab |^\| `)([^`\n]+)", PAGE, re.M)]


def test_the_page_of_the_laboratory_has_runs_of_several_games() -> None:
    assert len({words[0] for words in COMMANDS}) >= 5


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_command_that_the_page_of_the_laboratory_prints_can_be_run(words: list[str]) -> None:
    given = lab_command.make_context("lab", list(words)).params
    rules = RULES[given["game"]]
    assert rules.complete(rules.split_options(given["options"]))


def test_without_a_folder_one_is_named_by_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(lab_command, [*GAME, *FEW, "--processes", "1"])
    assert 0 == result.exit_code
    assert "The report will be in lab-begird-islands-3-side-4." in result.stderr
    assert (tmp_path / "lab-begird-islands-3-side-4" / "report.txt").exists()
