"""Backups and restores that end early, and files that cannot be used: all is there, or nothing."""

from __future__ import annotations

import errno
import gzip
import io
import json
import resource
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from pbem.app import App
from pbem.backup.archive import BadBackup
from pbem.backup.save import PART
from pbem.cli.check import check_stored
from pbem.config.load import SettingsError
from pbem.core.errors import Refusal
from pbem.store import migrate, revisions
from pbem.store.engine import open_store
from tests.amount import amount
from tests.apps import BILL, JOAO, Clock, begin, moves, register, writes
from tests.backup.killed import killed_restore, killed_save
from tests.backup.servers import all_rows, bring_back, reopened, save
from tests.cli.program import PATIENCE_SECONDS, forks

pytestmark = pytest.mark.whole


@pytest.fixture
def elsewhere(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of an empty machine with the same kind of database."""
    kind = database_url.partition(":")[0].partition("+")[0]
    url = request.getfixturevalue(f"empty_{kind}_url")
    return {"PBEM_VAR": str(tmp_path / "elsewhere"), "PBEM_DATABASE": url}


@pytest.fixture
def backup(app: App, environ: dict[str, str], tmp_path: Path) -> Path:
    begin(app, plies=2)
    return save(app, environ, tmp_path / "b.tar.gz").path


def runs_until_killed(target: Callable[..., None], *words: Any) -> None:
    process = forks.Process(target=target, args=words)
    process.start()
    process.join(PATIENCE_SECONDS)
    assert -9 == process.exitcode


def changed(path: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """A copy with one member changed, or left out."""
    new = path.with_name("changed.tar.gz")
    with tarfile.open(path) as old, tarfile.open(new, "w:gz") as file:
        for member in old:
            stream = old.extractfile(member)
            assert stream is not None
            content: bytes | None = stream.read()
            if member.name == name:
                content = change(content or b"")
            if content is not None:
                member.size = len(content)
                file.addfile(member, io.BytesIO(content))
    return new


def manifest_with(path: Path, **values: object) -> Path:
    return changed(path, "manifest.json", lambda told: json.dumps(json.loads(told) | values).encode())


def is_empty(environ: dict[str, str]) -> bool:
    """True if neither rows nor keys are there."""
    store = open_store(environ["PBEM_DATABASE"])
    try:
        nothing = revisions.revision_of(store) is None
    finally:
        store.close()
    return nothing and not list(Path(environ["PBEM_VAR"]).glob("*"))


@pytest.mark.each_database
@pytest.mark.parametrize("tables", amount([5], [1, 5, 0]))
def test_a_killed_backup_leaves_no_file_and_the_next_is_whole(
    tables: int, app: App, environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    begin(app, plies=2)
    folder = tmp_path / "backups"
    folder.mkdir()
    runs_until_killed(killed_save, environ, folder / "b.tar.gz", tables)
    assert [PART] == [path.name for path in folder.iterdir()]
    bring_back(save(app, environ, folder / "b.tar.gz").path, elsewhere, clock())
    assert ["b.tar.gz"] == [path.name for path in folder.iterdir()]
    other = reopened(elsewhere, clock)
    assert ["f2", "e5"] == moves(other)
    other.close()


@pytest.mark.each_database
@pytest.mark.parametrize("point", amount(["files", "commit"], ["rows", "drafts", "files", "commit"]))
def test_a_killed_restore_leaves_no_rows_and_can_be_run_again(
    point: str, app: App, backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    runs_until_killed(killed_restore, elsewhere, backup, clock(), point)
    store = open_store(elsewhere["PBEM_DATABASE"])
    assert revisions.revision_of(store) is None
    store.close()
    bring_back(backup, elsewhere, clock())
    other = reopened(elsewhere, clock)
    assert all_rows(app.store)["journal"] == all_rows(other.store)["journal"]
    assert (1, []) == check_stored(other, quiet=True)
    assert "done" == writes(other, BILL, "f6")
    other.close()


def test_a_changed_byte_anywhere_is_found_before_anything_is_written(
    backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    whole = backup.read_bytes()
    for place in (0, *range(10, len(whole), len(whole) // 40), *range(len(whole) - 8, len(whole))):
        backup.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with pytest.raises(BadBackup, match=r"b.tar.gz is (no backup|damaged)"):
            bring_back(backup, elsewhere, clock())
    assert is_empty(elsewhere)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99, 0.9999])
def test_a_file_that_was_cut_off_is_found(
    share: float, backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    raw = backup.read_bytes()
    backup.write_bytes(raw[: int(len(raw) * share)])
    with pytest.raises(BadBackup, match=r"b.tar.gz is no backup of pbem"):
        bring_back(backup, elsewhere, clock())
    assert is_empty(elsewhere)


@pytest.mark.parametrize(
    "raw",
    [b"", b"no archive", gzip.compress(b"no tar"), gzip.compress(bytes(20_000))],
    ids=["empty", "text", "gzip", "an empty tar"],
)
def test_another_file_is_refused(raw: bytes, elsewhere: dict[str, str], tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "other.tar.gz"
    path.write_bytes(raw)
    with pytest.raises(BadBackup, match=r"other.tar.gz is no backup of pbem"):
        bring_back(path, elsewhere, clock())


def test_a_member_that_was_changed_or_left_out_is_named(
    backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    for change in (lambda _: None, lambda content: content.replace(b"Bill", b"Jill")):
        path = changed(backup, "rows/players/000000.jsonl", change)
        with pytest.raises(BadBackup, match=r"rows/players/000000.jsonl is not as it was written"):
            bring_back(path, elsewhere, clock())
    assert is_empty(elsewhere)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"format": 2, "version": "9.1"}, "was made by a newer version of pbem, 9.1"),
        ({"revision": "9999", "version": "9.1"}, "is of a newer version, pbem 9.1, at revision 9999"),
        ({"revision": "0011", "version": "0.0.1"}, "is of pbem 0.0.1, older than this version can upgrade"),
        ({"tables": 3}, "is no backup of pbem"),
    ],
)
def test_a_backup_of_another_version_is_refused(
    values: dict[str, object], words: str, backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    with pytest.raises(BadBackup, match=words):
        bring_back(manifest_with(backup, **values), elsewhere, clock())
    assert is_empty(elsewhere)


def test_a_database_that_is_in_use_stays_as_it_is(
    backup: Path, app: App, environ: dict[str, str], clock: Clock
) -> None:
    before = all_rows(app.store)
    with pytest.raises(Refusal, match="has players, games or mail already"):
        bring_back(backup, environ, clock())
    assert before == all_rows(app.store)


def test_the_empty_tables_of_a_new_server_are_replaced_and_its_keys_kept_aside(
    backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    new = reopened(elsewhere, clock)
    migrate.migrate(new.store)
    secret = Path(elsewhere["PBEM_VAR"], "secret")
    made_here = secret.read_bytes()
    new.close()
    bring_back(backup, elsewhere, clock())
    assert made_here != secret.read_bytes()
    assert [made_here] == [path.read_bytes() for path in secret.parent.glob("secret.*")]
    other = reopened(elsewhere, clock)
    assert ["f2", "e5"] == moves(other)
    other.close()


def test_another_secret_in_the_settings_is_refused(
    backup: Path, elsewhere: dict[str, str], clock: Clock
) -> None:
    with pytest.raises(Refusal, match="PBEM_SECRET here is not that of the backup"):
        bring_back(backup, elsewhere | {"PBEM_SECRET": "x" * 32}, clock())
    with pytest.raises(SettingsError):
        bring_back(backup, elsewhere | {"PBEM_DATABASE": "mysql://there"}, clock())
    assert not list(Path(elsewhere["PBEM_VAR"]).glob("*"))


@pytest.fixture
def file_size() -> Iterator[Callable[[int], None]]:
    """Limit the size of files that this process writes, until the end of the test."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_where_a_backup_cannot_be_written_there_is_none_and_it_does_not_count(
    app: App, environ: dict[str, str], tmp_path: Path, file_size: Callable[[int], None]
) -> None:
    begin(app, plies=2)
    folder = tmp_path / "backups"
    folder.mkdir()
    with pytest.raises(Refusal, match=r"File too large\. Nothing was kept of it"):
        save(app, environ, folder, then=lambda: file_size(4000))
    assert [] == list(folder.iterdir())
    assert [] == all_rows(app.store)["heartbeats"]


def test_a_restore_without_room_on_the_disk_leaves_nothing(
    backup: Path, elsewhere: dict[str, str], clock: Clock, sqlite_url: str
) -> None:
    def small(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA max_page_count=60").close()

    elsewhere["PBEM_DATABASE"] = f"sqlite:///{elsewhere['PBEM_VAR']}/pbem.sqlite"
    event.listen(Engine, "connect", small)
    try:
        with pytest.raises(Refusal, match="There is no room on the disk of the database"):
            bring_back(backup, elsewhere, clock())
    finally:
        event.remove(Engine, "connect", small)
    bring_back(backup, elsewhere, clock())


def test_two_backups_at_once_to_one_folder_do_not_mix(
    app: App, environ: dict[str, str], tmp_path: Path
) -> None:
    register(app, JOAO, "Joao")

    def second() -> None:
        with pytest.raises(Refusal, match="Another backup is being written"):
            save(app, environ, tmp_path / "second.tar.gz")

    assert save(app, environ, tmp_path / "first.tar.gz", then=second).path.exists()
    assert not (tmp_path / "second.tar.gz").exists()


def test_a_file_that_is_there_is_not_written_over(app: App, environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_text("mine")
    with pytest.raises(Refusal, match="is there already"):
        save(app, environ, tmp_path / "b.tar.gz")
    assert "mine" == (tmp_path / "b.tar.gz").read_text()


def test_without_a_database_there_is_no_backup(empty_sqlite_url: str, tmp_path: Path, clock: Clock) -> None:
    environ = {"PBEM_VAR": str(tmp_path / "var"), "PBEM_DATABASE": empty_sqlite_url}
    app = reopened(environ, clock)
    with pytest.raises(Refusal, match="There is no database here"):
        save(app, environ, tmp_path / "b.tar.gz")
    assert not (tmp_path / "b.tar.gz").exists()
    app.close()


def test_files_are_put_all_or_none(
    backup: Path, elsewhere: dict[str, str], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    var = Path(elsewhere["PBEM_VAR"])
    var.mkdir()
    (var / "secret").write_text("x" * 64 + "\n")
    flushed = []

    def fail_late(file: int) -> None:
        flushed.append(file)
        if len(flushed) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pbem.keys.address_keys.os.fsync", fail_late)
    with pytest.raises(OSError, match="No space left"):
        bring_back(backup, elsewhere, clock())
    assert ["secret"] == [path.name for path in var.iterdir() if not path.name.startswith("pbem.sqlite")]
    assert "x" * 64 + "\n" == (var / "secret").read_text()
    monkeypatch.undo()
    bring_back(backup, elsewhere, clock())
    assert "x" * 64 + "\n" != (var / "secret").read_text()
