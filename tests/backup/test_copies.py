"""Copies of backups on another machine, by the commands of docs/run/backup.md."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.app import App
from tests.apps import BILL, JOAO, Clock, begin, moves, writes
from tests.backup.servers import bring_back, reopened, save

pytestmark = pytest.mark.whole

PAGE = Path(__file__).parents[2] / "docs" / "run" / "backup.md"
COPIES = PAGE.read_text().split("### Copies on another machine")[1].split("\n## ")[0]


def block(first: str) -> list[str]:
    """The indented lines of the page from the one that begins with `first` to the next empty line."""
    return [line.strip() for line in COPIES[COPIES.index(f"    {first}") :].split("\n\n")[0].splitlines()]


def shell(lines: list[str], places: Mapping[str, Path], environ: Mapping[str, str]) -> None:
    """Run lines of the page in these places."""
    script = "\n".join(lines)
    for theirs, ours in places.items():
        script = script.replace(theirs, str(ours))
    done = subprocess.run(
        ["sh", "-euc", script], env={**os.environ, **environ}, capture_output=True, text=True, timeout=120
    )
    assert 0 == done.returncode, done.stderr


@pytest.mark.restic
@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_restic_copies_backups_and_brings_the_newest_to_a_new_machine(
    app: App, environ: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    backups, elsewhere = tmp_path / "backups", tmp_path / "elsewhere"
    places = {
        "/etc/restic-password": tmp_path / "password",
        "sftp:backup@elsewhere.example.org:pbem": tmp_path / "copies",
        "/var/backups/pbem": backups,
    }
    backups.mkdir()
    *variables, nightly = block("RESTIC_REPOSITORY=")
    exported = [f"export {each}" for each in variables]
    assert len(nightly.split(" root ")[0].split()) == 5
    home = {"HOME": str(tmp_path)}

    shell(block("(umask 077"), places, home)
    assert (tmp_path / "password").stat().st_mode & 0o777 == 0o600
    begin(app, plies=1)
    for who, move in ((JOAO, "e5"), (BILL, "f6")):
        assert writes(app, who, move) == "done"
        clock.now += timedelta(days=1)
        save(app, environ, backups / f"pbem-{clock():%Y%m%dT%H%M%SZ}.tar.gz")
        shell([*exported, nightly.split(" root ")[1]], places, home)

    for file in backups.iterdir():  # the machine is lost
        file.unlink()
    shell([*exported, *block("restic restore latest")], places, home)
    assert 2 == len(list(backups.iterdir()))
    there = {"PBEM_VAR": str(elsewhere), "PBEM_DATABASE": f"sqlite:///{elsewhere}/pbem.sqlite"}
    bring_back(max(backups.iterdir()), there, clock())
    other = reopened(there, clock)
    assert moves(other) == moves(app) != []
    other.close()
