"""What `pbem check`, `backup`, `restore` and `retry` say and do about old mail in PBEM_BLOBS."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.worker.blobs import move
from tests.apps import Clock, an_office, begin
from tests.cli.program import migrate
from tests.cli.test_serve import env, pbem

__all__ = ["env"]


@pytest.fixture
def moved(env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A server with a game whose mails have gone to blobs."""
    migrate(env)
    folder = tmp_path / "blobs"
    folder.mkdir()
    settings = {**env, "PBEM_BLOBS": str(folder)}
    clock = Clock()
    app = an_office({name: settings[name] for name in ("PBEM_VAR", "PBEM_BLOBS")}, clock)
    begin(app, plies=2)
    clock.now += timedelta(days=31)
    assert 3 < move(app)[0]
    app.close()
    return settings


def blobs(settings: dict[str, str]) -> list[Path]:
    return sorted(Path(settings["PBEM_BLOBS"]).glob("*/*"))


def check(settings: dict[str, str]) -> tuple[str, str]:
    """What `pbem check` finds on blobs: the level and the words."""
    (found,) = json.loads(pbem(settings, "check", "--offline", "--json").stdout)["database"]
    return found["level"], found["found"]


def test_check_looks_for_every_blob(moved: dict[str, str]) -> None:
    number = len(blobs(moved))
    assert ("ok", f"{number} blobs of old mail in PBEM_BLOBS") == check(moved)
    blobs(moved)[0].unlink()
    assert ("wrong", f"1 of {number} blobs of old mail not there") == check(moved)
    without = {name: value for name, value in moved.items() if name != "PBEM_BLOBS"}
    assert ("wrong", f"{number} blobs of old mail, and PBEM_BLOBS is not set") == check(without)


def test_a_backup_says_what_it_does_not_hold(moved: dict[str, str], tmp_path: Path) -> None:
    number, file = len(blobs(moved)), str(tmp_path / "b.tar.gz")
    told = pbem(moved, "backup", file).stdout
    assert f"It does not hold PBEM_BLOBS ({number} blobs of old mail): copy that next." in told
    assert number == json.loads(pbem(moved, "backup", f"{file}2", "--json").stdout)["in_blobs"]


def test_a_restored_server_reads_the_blobs_again_and_a_drill_needs_none(
    moved: dict[str, str], tmp_path: Path
) -> None:
    file, number = str(tmp_path / "b.tar.gz"), len(blobs(moved))
    pbem(moved, "backup", file)
    Path(moved["PBEM_BLOBS"]).rename(tmp_path / "away")
    drill = pbem(moved, "restore", "--drill", file)
    assert (0, True) == (drill.returncode, "All is well" in drill.stdout)
    new = tmp_path / "new"
    new.mkdir()
    there = {**moved, "PBEM_VAR": str(new), "PBEM_BLOBS": str(tmp_path / "away")}
    restored = pbem(there, "restore", file, folder=new)  # writes .env
    assert (0, True) == (restored.returncode, "pbem own-blobs" in restored.stdout)
    level, words = check(there)
    assert ("wrong", True) == (level, f"{number} blobs of old mail are read in PBEM_BLOBS of " in words)
    assert "before it was nobody" in pbem(there, "own-blobs").stdout
    assert ("ok", f"{number} blobs of old mail in PBEM_BLOBS") == check(there)


def test_there_is_nothing_to_own_without_the_setting(env: dict[str, str]) -> None:
    migrate(env)
    done = pbem(env, "own-blobs")
    assert (2, True) == (done.returncode, "PBEM_BLOBS is not set." in done.stderr)


def test_a_moved_mail_can_be_retried(moved: dict[str, str]) -> None:
    with closing(sqlite3.connect(Path(moved["PBEM_VAR"]) / "pbem.sqlite")) as db, db:
        db.execute("UPDATE messages_in SET state = 'shunted' WHERE id = 1")
    assert "m1: stranger" in pbem(moved, "retry", "m1").stdout  # its question is answered


def test_a_folder_that_is_not_there_ends_a_command(moved: dict[str, str]) -> None:
    done = pbem({**moved, "PBEM_BLOBS": "/nowhere"}, "check")
    assert (2, True) == (done.returncode, "PBEM_BLOBS: no such folder." in done.stderr)
