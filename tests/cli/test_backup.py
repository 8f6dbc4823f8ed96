"""`pbem backup` and `pbem restore`, as an operator runs them."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.store.engine import open_store
from tests.apps import Clock, an_office, begin
from tests.cli.program import migrate, running
from tests.cli.test_serve import env, pbem

__all__ = ["env"]


@pytest.fixture
def played(env: dict[str, str]) -> dict[str, str]:
    """A server with a game of two plies."""
    migrate(env)
    app = an_office({"PBEM_VAR": env["PBEM_VAR"]}, Clock())
    begin(app, plies=2)
    app.close()
    return env


def test_a_folder_gets_dated_private_files_and_keeps_the_newest(
    played: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("pbem-20250101T000000Z.tar.gz", "pbem-20250102T000000Z.tar.gz", "pbem-notes.tar.gz"):
        (folder / name).write_text("old")
    done = pbem(played, "backup", str(folder), "--keep", "2", "--json")
    told = json.loads(done.stdout)
    assert (1, [str(folder / "pbem-20250101T000000Z.tar.gz")]) == (told["games"], told["removed"])
    made = Path(told["file"])
    assert {made.name, "pbem-20250102T000000Z.tar.gz", "pbem-notes.tar.gz"} == {
        path.name for path in folder.iterdir()
    }
    assert (0o600, told["bytes"]) == (stat.S_IMODE(made.stat().st_mode), made.stat().st_size)


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        ({"PBEM_DATABASE": "sqlite:///{old}"}, {}),
        ({"PBEM_DATABASE": "sqlite:///{old}"}, {"DATABASE_URL": "sqlite:///{new}/own.sqlite"}),
        ({"PBEM_DATABASE": "{old}"}, {}),
        ({"DATABASE_URL": "sqlite:///{old}"}, {}),
    ],
)
def test_a_backup_that_names_its_database_is_restored_to_the_place_of_here(
    played: dict[str, str], tmp_path: Path, theirs: dict[str, str], named: dict[str, str]
) -> None:
    old = Path(played["PBEM_VAR"]) / "pbem.sqlite"
    file, new = str(tmp_path / "b.tar.gz"), tmp_path / "new"
    there = {name: value.format(old=old) for name, value in theirs.items()}
    assert 0 == pbem({**played, **there}, "backup", file).returncode
    new.mkdir()
    bare = {"PATH": played["PATH"], "PYTHONPATH": played["PYTHONPATH"], "PBEM_VAR": str(new / "var")}
    bare |= {name: value.format(new=new) for name, value in named.items()}
    done = pbem(bare, "restore", file, folder=new)
    assert (0, "") == (done.returncode, done.stderr)
    assert (new / "own.sqlite" if named else new / "var" / "pbem.sqlite").exists()
    assert str(old) not in (new / ".env").read_text()


def test_on_an_empty_machine_the_settings_of_the_backup_are_used_and_written(
    played: dict[str, str], tmp_path: Path
) -> None:
    here = {**played, "PBEM_HOST": "games.example.test", "PBEM_OPERATOR": "op@example.org"}
    file = str(tmp_path / "b.tar.gz")
    assert 0 == pbem(here, "backup", file).returncode
    new = tmp_path / "new"
    new.mkdir()
    bare = {"PATH": played["PATH"], "PYTHONPATH": played["PYTHONPATH"], "PBEM_VAR": "kept"}
    done = pbem(bare, "restore", file, folder=new)
    assert (0, "") == (done.returncode, done.stderr)
    assert "1 game," in done.stdout and "Letters bear the epoch" in done.stdout
    assert 0o600 == stat.S_IMODE((new / ".env").stat().st_mode)
    told = json.loads(pbem(bare, "settings", "--json", folder=new).stdout)
    assert ("games.example.test", "kept") == (told["PBEM_HOST"], told["PBEM_VAR"])
    written = (new / ".env").read_text()
    assert "PBEM_OPERATOR='op@example.org'\n" in written
    assert "PBEM_VAR='kept'\n" in written and played["PBEM_VAR"] not in written, (
        "later commands are of this place"
    )
    assert (new / "kept" / "pbem.sqlite").exists()
    checked = json.loads(pbem(bare, "check", "--offline", "--json", folder=new).stdout)
    assert (1, "a letter waits since 2026-03") == (checked["games"], checked["problems"][0][:28])
    again = pbem(bare, "restore", file, folder=new)
    assert (1, True) == (again.returncode, "has players, games or mail already" in again.stderr)


def test_a_drill_checks_every_game_and_leaves_nothing(played: dict[str, str], tmp_path: Path) -> None:
    file, scratch = str(tmp_path / "b.tar.gz"), tmp_path / "scratch"
    scratch.mkdir()
    pbem(played, "backup", file)
    there = {**played, "TMPDIR": str(scratch), "PBEM_VAR": str(tmp_path / "nowhere")}
    done = pbem(there, "restore", "--drill", file)
    assert (0, "") == (done.returncode, done.stderr)
    assert "1 game checked in" in done.stdout and "All is well" in done.stdout
    told = json.loads(pbem(there, "restore", "--drill", "--json", file).stdout)
    assert (1, [], {"restore", "check"}) == (told["checked"], told["problems"], set(told["seconds"]))
    assert ([], False) == (os.listdir(scratch), (tmp_path / "nowhere").exists())


def test_a_drill_finds_a_game_that_is_wrong(played: dict[str, str], tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{played['PBEM_VAR']}/pbem.sqlite")
    with store.write() as db:
        db.execute(text('UPDATE journal SET data = \'{"move": "z9"}\' WHERE n = 3'))
    store.close()
    pbem(played, "backup", str(tmp_path / "b.tar.gz"))
    done = pbem(played, "restore", "--drill", str(tmp_path / "b.tar.gz"))
    assert 1 == done.returncode
    assert "game 1: " in done.stdout and "Something is wrong." in done.stdout


def test_where_the_server_runs_nothing_is_restored(played: dict[str, str], tmp_path: Path) -> None:
    pbem(played, "backup", str(tmp_path / "b.tar.gz"))
    other = {**played, "PBEM_VAR": str(tmp_path / "other"), "PBEM_BOTS": "off"}
    with running(["serve"], other):
        lock = Path(other["PBEM_VAR"], "serve.lock")
        while not (lock.exists() and lock.read_text()):
            pass
        done = pbem(other, "restore", str(tmp_path / "b.tar.gz"))
    assert (1, True) == (done.returncode, "pbem serve runs already" in done.stderr)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["backup", "FOLDER/b.tar.gz", "--keep", "3"], 2, "--keep is for a folder"),
        (["backup", "FOLDER/none/b.tar.gz"], 1, "Cannot open FOLDER/none/"),
        (["restore", "FOLDER/none.tar.gz"], 2, "does not exist"),
        (["restore", "FOLDER/env"], 1, "env is no backup of pbem"),
        (["restore", "--drill", "FOLDER/env"], 1, "env is no backup of pbem"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    words: list[str], code: int, sentence: str, played: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "env").write_text("PBEM_HOST=x")
    done = pbem(played, *(word.replace("FOLDER", str(tmp_path)) for word in words))
    assert code == done.returncode
    assert sentence.replace("FOLDER", str(tmp_path)) in done.stderr
    assert "Traceback" not in done.stderr
