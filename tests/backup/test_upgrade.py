"""A server of the first release is upgraded with all its games, and its players go on.

`tests/data/release-0.1.0.tar.gz` is a backup of a server that this release filled, at revision 0019: games of
all kinds in every state, Dora's game with Emil by mail, a note, a seek, a vacation, letters that wait.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.app import App
from pbem.backup import archive
from pbem.backup.files import SETTINGS_FILE, places_for
from pbem.backup.restore import check_backup
from pbem.cli.check import check_stored
from pbem.config.load import config_from
from pbem.store import migrate, revisions, transfer
from pbem.store.engine import open_store
from tests.apps import Clock, ask, last_letter, moves, register, reply, writes
from tests.backup.servers import bring_back, reopened
from tests.cli.program import run

RELEASE = Path(__file__).parents[1] / "data" / "release-0.1.0.tar.gz"
DORA, EMIL = "dora@example.org", "emil@example.org"


@pytest.fixture
def environ(empty_database_url: str, tmp_path: Path) -> dict[str, str]:
    return {"PBEM_VAR": str(tmp_path / "var"), "PBEM_DATABASE": empty_database_url}


def as_it_was(environ: dict[str, str]) -> Clock:
    """Put the old server in place, as its release left it; return a clock of the next day."""
    with RELEASE.open("rb") as file:
        found = check_backup(file)
        contents = archive.read_files(file)
        del contents[SETTINGS_FILE]
        places_for(contents, config_from(environ), environ, Path()).put(found.made)
        store = open_store(environ["PBEM_DATABASE"])
        with store.write() as db:
            migrate.upgrade(db, found.revision)
            for table, rows in archive.read_rows(file, found):
                transfer.add_rows(db, table.name, table.columns, rows)
            transfer.set_last_numbers(db, found.numbers)
        store.close()
    return Clock(found.made + timedelta(days=1))


def goes_on(app: App) -> None:
    """Play Dora's game with Emil on, and use what is new since."""
    assert (21, []) == check_stored(app, quiet=True)
    assert ["f2", "e5"] == moves(app, 21)
    assert "done" == writes(app, DORA, "f6")
    assert "done" == reply(app, EMIL, last_letter(app, EMIL), "g1")
    assert ["f2", "e5", "f6", "g1"] == moves(app, 21)
    assert "e5 was good" in ask(app, DORA, "notes")
    assert "Emil seeks Begird, 5 days" in ask(app, DORA, "seeks")
    assert "done" == writes(app, DORA, "learn bipod")
    register(app, "finn@example.org", "Finn")
    assert "done" == writes(app, "finn@example.org", "challenge Dora bounders")
    assert (21, []) == check_stored(app, quiet=True)


@pytest.mark.each_database
def test_a_filled_server_of_the_first_release_is_migrated_and_played_on(environ: dict[str, str]) -> None:
    clock = as_it_was(environ)
    store = open_store(environ["PBEM_DATABASE"])
    assert "0019" == revisions.revision_of(store)
    store.close()
    done = run(["migrate"], environ | {"PBEM_SECRET": ""})
    assert f"The database went from 0019 to {revisions.newest_revision()}.\n".encode() == done.stdout
    app = reopened(environ, clock)
    goes_on(app)
    app.close()


def test_a_backup_of_the_first_release_is_migrated_as_it_is_restored(environ: dict[str, str]) -> None:
    with RELEASE.open("rb") as file:
        made = check_backup(file).made
    bring_back(RELEASE, environ, made + timedelta(days=1))
    app = reopened(environ, Clock(made + timedelta(days=1)))
    goes_on(app)
    app.close()
