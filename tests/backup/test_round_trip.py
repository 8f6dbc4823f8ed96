"""A backup has every row and every file, and a restored server plays on."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from sqlalchemy import inspect

from pbem.app import App
from pbem.backup import archive
from pbem.backup.files import places_for
from pbem.cli.check import check_stored
from pbem.config.designs import designs_folder
from pbem.config.load import config_from
from pbem.mail.outbound.dkim_sign import new_key, pem
from pbem.store import migrate, outages, revisions, transfer
from pbem.store.engine import open_store
from pbem.store.tables.columns import metadata
from tests.amount import amount
from tests.apps import BILL, JOAO, Clock, advance, begin, last_letter, letters, moves, register, reply
from tests.backup.servers import all_rows, bring_back, reopened, save, without_marks
from tests.people import NOON
from tests.web.filled import fill


@pytest.fixture(params=amount(["the other"], ["sqlite", "postgresql"]))
def elsewhere(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> dict[str, str]:
    """Settings of an empty machine on each kind of database; in a short run on the kind that is not here."""
    other = "postgresql" if database_url.startswith("sqlite") else "sqlite"
    url = request.getfixturevalue(f"empty_{amount(other, request.param)}_url")
    return {"PBEM_VAR": str(tmp_path / "elsewhere"), "PBEM_DATABASE": url}


@pytest.mark.each_database
def test_every_row_comes_back_on_either_database(
    database_url: str, elsewhere: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "here").mkdir()
    app = fill(tmp_path / "here", database_url).app
    here = {"PBEM_VAR": str(tmp_path / "here"), "PBEM_DATABASE": database_url}
    mails = metadata.tables["messages_in"]
    with app.store.write() as db:  # bytes that are no text
        db.execute(mails.update().where(mails.c.id == 1).values(raw=bytes(range(256))))
    saved = save(app, here, tmp_path / "all.tar.gz")
    bring_back(saved.path, elsewhere, app.now())
    store = open_store(elsewhere["PBEM_DATABASE"])
    before, after = all_rows(app.store), all_rows(store)
    assert {"journal", "puzzles", "event_games", "outbox"} <= {name for name, rows in before.items() if rows}
    assert any(bytes(range(256)) in row for row in before["messages_in"])
    assert without_marks(before) == without_marks(after)
    with app.store.read() as db, store.read() as other:
        assert transfer.last_numbers(db)["games"] == transfer.last_numbers(other)["games"]
        assert outages.last_backup(other) == outages.last_backup(db) == app.now()
    for each in (app, store):
        each.close()


def test_a_table_that_never_had_a_row_has_no_last_number(app: App) -> None:
    with app.store.write() as db:
        transfer.set_last_numbers(db, {"outbox": 0})


def test_numbers_of_rows_that_were_deleted_are_not_given_again(
    app: App, environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    register(app, BILL, "Bill")
    with app.store.write() as db:
        db.execute(metadata.tables["outbox"].delete())
        numbers = transfer.last_numbers(db)
    bring_back(save(app, environ, tmp_path / "b.tar.gz").path, elsewhere, clock())
    other = reopened(elsewhere, clock)
    with other.store.read() as db:
        restored = transfer.last_numbers(db)
    assert {name: number for name, number in numbers.items() if number} == {
        name: number for name, number in restored.items() if number and name != "outages"
    }
    register(other, JOAO, "Joao")
    with other.store.read() as db:
        assert transfer.last_numbers(db)["outbox"] > numbers["outbox"]
    other.close()


def test_after_a_restore_an_old_letter_is_answered_and_the_game_goes_on(
    app: App, environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    begin(app, plies=1)
    letter = last_letter(app, JOAO)
    path = save(app, environ, tmp_path / "b.tar.gz").path
    clock.pass_by(hours=3)
    reply(app, JOAO, letter, "e5")
    lost = last_letter(app, BILL)
    bring_back(path, elsewhere, clock())
    other = reopened(elsewhere, clock)
    assert ["f2"] == moves(other)
    assert "refused" == reply(other, BILL, lost, "f6")  # a letter of the lost hours
    assert "done" == reply(other, JOAO, letter, "g1")
    assert ["f2", "g1"] == moves(other)
    assert "done" == reply(other, BILL, last_letter(other, BILL), "f6")
    assert (1, []) == check_stored(other, quiet=True)
    other.close()


def test_moves_made_while_a_backup_is_read_are_not_in_it(
    app: App, environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    begin(app, plies=1)
    path = save(app, environ, tmp_path / "b.tar.gz", then=lambda: advance(app, plies=3)).path
    assert 4 == len(moves(app))
    bring_back(path, elsewhere, clock())
    other = reopened(elsewhere, clock)
    assert ["f2"] == moves(other)
    assert (1, []) == check_stored(other, quiet=True)
    other.close()


def test_the_lost_time_is_given_back_to_every_clock(
    app: App, environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    with app.store.write() as db:
        outages.record_heartbeat(db, "worker", clock())
    path = save(app, environ, tmp_path / "b.tar.gz").path
    clock.pass_by(minutes=50)  # less than a gap that a worker notices by itself
    bring_back(path, elsewhere, clock())
    store = open_store(elsewhere["PBEM_DATABASE"])
    with store.read() as db:
        assert ((NOON, clock()),) == outages.outages_since(db, NOON)
    store.close()


def test_own_files_come_back_private_to_where_the_settings_name_them(
    environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "texts/mail").mkdir(parents=True)
    (tmp_path / "texts/mail/turn.txt").write_text("Ours.")
    (tmp_path / "k.pem").write_bytes(pem(new_key("ed25519")))
    own = {"PBEM_TEMPLATES": "texts", "PBEM_DKIM_KEY": "k.pem"}
    here = environ | {name: str(tmp_path / path) for name, path in own.items()}
    app = reopened(here, clock)
    designs = [designs_folder(Path(each["PBEM_VAR"])) / "mygame.txt" for each in (here, elsewhere)]
    designs[0].parent.mkdir()
    designs[0].write_text("game: My Game")
    path = save(app, here, tmp_path / "b.tar.gz").path
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    new = tmp_path / "new"
    bring_back(path, elsewhere | {name: str(new / path) for name, path in own.items()}, clock())
    for kept in ("texts/mail/turn.txt", "k.pem"):
        assert (tmp_path / kept).read_bytes() == (new / kept).read_bytes()
    assert designs[0].read_bytes() == designs[1].read_bytes()
    for name in ("secret", "record.key"):
        restored = Path(elsewhere["PBEM_VAR"], name)
        assert Path(here["PBEM_VAR"], name).read_bytes() == restored.read_bytes()
        assert 0o600 == stat.S_IMODE(restored.stat().st_mode)
    app.close()


def test_boards_in_an_older_backup_are_passed_over(environ: dict[str, str]) -> None:
    config = config_from(environ)
    contents = {"secret": b"s" * 32, "record.key": b"", "boards/hexthing.board": b"things a1"}
    places = places_for(contents, config, environ, Path("/nowhere/.env"))
    assert {"secret", "record.key"} == {*places.paths}


def test_a_secret_that_was_a_setting_becomes_a_file_where_none_is_set(
    environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    here = environ | {"PBEM_SECRET": "s" * 32, "PBEM_OLD_SECRETS": "t" * 32}
    app = reopened(here, clock)
    begin(app, plies=1)
    path = save(app, here, tmp_path / "b.tar.gz").path
    bring_back(path, elsewhere, clock())
    other = reopened(elsewhere, clock)
    assert list(app.addressing.keys) == list(other.addressing.keys)
    assert "done" == reply(other, JOAO, letters(app, JOAO)[-1], "e5")
    for each in (app, other):
        each.close()


def test_where_the_secret_is_set_it_is_not_written_and_another_key_of_records_is(
    environ: dict[str, str], elsewhere: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    secret = {"PBEM_SECRET": "s" * 32}
    Path(environ["PBEM_VAR"], "secret").write_text("s" * 32)
    for here, written in ((environ | secret, set()), (environ, {"record.key"})):
        app = reopened(here, clock)
        path = save(app, here, tmp_path / f"{len(written)}.tar.gz").path
        app.close()
        bring_back(path, elsewhere | secret, clock())
        files = {file.name for file in Path(elsewhere["PBEM_VAR"]).glob("*.key")}
        assert (written, False) == (files, Path(elsewhere["PBEM_VAR"], "secret").exists())


def test_all_our_tables_are_in_a_backup(database_url: str) -> None:
    store = open_store(database_url)
    with store.read() as db:
        there = set(inspect(db).get_table_names()) - {transfer.VERSION_TABLE}
        assert there == set(transfer.table_names(db)) == set(metadata.tables)
    assert revisions.revision_of(store) == revisions.newest_revision()
    store.close()


def test_migrations_take_away_only_tables_that_no_backup_needs() -> None:
    """A table that is gone from the models is missing in backups of databases that still have it."""
    folder = Path(migrate.__file__).with_name("migrations")
    upgrades = [path.read_text().partition("def downgrade")[0] for path in folder.rglob("*.py")]
    dropped = [line.strip() for upgrade in upgrades for line in upgrade.splitlines() if "drop_table" in line]
    nobody_needs = ["released_blobs", "guess_counts", "tour_points"]
    assert [f'op.drop_table("{name}")' for name in nobody_needs] == dropped


def test_a_file_has_a_manifest_with_all_sums(app: App, environ: dict[str, str], tmp_path: Path) -> None:
    register(app, BILL, "Bill")
    saved = save(app, environ, tmp_path / "b.tar.gz")
    with saved.path.open("rb") as file:
        found = archive.read_manifest(file)
    assert (saved.bytes, revisions.newest_revision()) == (saved.path.stat().st_size, found.revision)
    assert {"settings.env", "secret", "record.key", "rows/players/000000.jsonl"} <= set(found.members)
    assert 1 == next(table.rows for table in found.tables if table.name == "players")
