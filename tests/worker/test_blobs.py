"""The bytes of old mails and letters go to blobs, and are read as before. All run on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import ClassVar
from zipfile import ZipFile

import fsspec
import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from fsspec.implementations.memory import MemoryFileSystem
from sqlalchemy import insert, select, update

from pbem.actions.export import account_zip
from pbem.app import App, open_app
from pbem.config.load import SettingsError, config_from
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import blob_moves, inbox, mailroom, outbox, players
from pbem.store.blob_owner import own_blobs
from pbem.store.blobs import Blobs, blobs_of, released_blobs, stored_bytes
from pbem.store.columns import MOVED, PACKED
from pbem.store.engine import Unavailable
from pbem.store.restores import record_restore
from pbem.store.tables import messages_in
from pbem.store.tables import outbox as letters_out
from pbem.worker.blobs import move, tend_blobs
from pbem.worker.retention import blank_sent, purge
from tests.apps import (
    BILL,
    JOAO,
    OPERATOR,
    PLAY,
    Clock,
    Relay,
    a_game,
    letters,
    mail,
    player,
    register,
    reply,
    state,
    writes,
)
from tests.people import NOON

DAY = timedelta(days=1)
MIGRATION = import_module("pbem.store.migrations.versions.0036_blobs")
BLOB_DAYS = 10


class Meddling(MemoryFileSystem):
    """A store in memory; `after` is called when a blob was written."""

    protocol = "meddling"
    store: ClassVar[dict[str, object]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    after: ClassVar[Callable[[], object]] = staticmethod(lambda: None)

    def pipe_file(self, *args: object, **options: object) -> None:
        super().pipe_file(*args, **options)
        Meddling.after()


fsspec.register_implementation("meddling", Meddling, clobber=True)


@pytest.fixture(autouse=True)
def empty_memory() -> Iterator[None]:
    yield
    MemoryFileSystem.store.clear()
    Meddling.store.clear()
    Meddling.after = staticmethod(lambda: None)


@pytest.fixture(params=["folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder, or what fsspec calls so."""
    if request.param != "folder":
        return f"{request.param}://blobs"
    folder = tmp_path / "blobs"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def app_config(place: str) -> dict[str, str]:
    return {
        "PBEM_BLOBS": place,
        "PBEM_BLOB_DAYS": str(BLOB_DAYS),
        "PBEM_KEEP_MAILS": "60",
        "PBEM_KEEP_LETTERS": "60",
        "PBEM_SECRET": "s" * 32,
        "PBEM_RELAY": "smtp://127.0.0.1:1",
        "PBEM_UNDO_MINUTES": "0",
        "PBEM_OPERATOR": OPERATOR,
    }


@pytest.fixture
def app(app: App) -> App:
    return replace(app, sender=Relay())


def moved(app: App) -> list[bool]:
    """True for each mail and letter, in order, whose bytes are in a blob."""
    found = []
    with app.store.read() as db:
        for table in (messages_in, letters_out):
            rows = db.scalars(select(stored_bytes(table)).order_by(table.c.id))
            found += [bytes(stored).startswith(MOVED) for stored in rows]
    return found


def blobs(app: App) -> list[str]:
    there = blobs_of(app.store.engine)
    assert there is not None
    return [name for names in there.names() for name in names]


def whatever_is_read(app: App) -> list[object]:
    """All mails and letters, by every way that leads to their bytes."""
    with app.store.read() as db:
        bill = players.player_by_address(db, BILL)
        assert bill is not None
        numbers = list(db.scalars(select(messages_in.c.id).order_by(messages_in.c.id)))
        return [
            *(inbox.mail_by_id(db, number) for number in numbers),
            inbox.mails_from_address(db, BILL),
            inbox.with_bytes(db, inbox.mails_in_state(db, "done")),
            inbox.with_bytes(db, inbox.kept_mails_of(db, bill, 1000, 1000)),
            mailroom.letters_to(db, BILL),
            mailroom.letter(db, 1),
            mailroom.letters_caused_by(db, numbers[-1]),
            outbox.letters_to(db, JOAO),
        ]


def played(app: App, clock: Clock) -> None:
    """A game that is over for longer than bytes stay in their rows; its letters have lost their secrets."""
    a_game(app)
    writes(app, BILL, "f2")
    writes(app, JOAO, "resign yes")
    send_due(app)
    clock.now += 31 * DAY
    blank_sent(app)


@pytest.mark.parametrize("place", ["folder", "memory"], indirect=True)
def test_old_bytes_move_and_are_read_as_before(app: App, clock: Clock) -> None:
    played(app, clock)
    before = whatever_is_read(app)
    assert not any(moved(app))
    tend_blobs(app)
    assert all(moved(app))
    assert len(moved(app)) == len(blobs(app)) == blob_moves.count_moved(app.store)
    assert before == whatever_is_read(app)
    assert 0 == blob_moves.count_missing(app.store)
    assert (0, 0) == move(app)


def test_what_is_young_or_not_finished_stays(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    send_due(app)  # with secrets, as this server has not blanked it
    clock.now += BLOB_DAYS * DAY
    assert (0, 0) == move(app)  # to the second
    clock.now += timedelta(seconds=1)
    with app.store.write() as db:
        db.execute(update(messages_in).where(messages_in.c.id == 1).values(state="shunted"))
    assert 1 == move(app)[0]
    mails = len(blobs(app))
    assert 1 == mails
    blank_sent(app)
    assert 2 == move(app)[0]
    assert [False, True, True, True] == moved(app)


def test_a_moved_mail_is_handled_again(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "help clock")
    clock.now += 31 * DAY
    assert 3 == move(app)[0]
    before = len(letters(app, BILL))
    with app.store.write() as db:
        assert 1 == inbox.reopen_mails(db, [3])
    work_through(app)
    assert "done" == state(app, "m3")
    assert before + 1 == len(letters(app, BILL))
    assert letters(app, BILL)[-2].text == letters(app, BILL)[-1].text


@pytest.mark.each_database
def test_purged_bytes_are_deleted_everywhere(app: App, clock: Clock) -> None:
    played(app, clock)
    move(app)
    assert blobs(app)
    clock.now += 61 * DAY
    purge(app)
    assert not any(moved(app))
    tend_blobs(app)
    assert [] == blobs(app)


def test_a_forgotten_player_has_no_blobs(app: App, clock: Clock) -> None:
    played(app, clock)
    move(app)
    before = len(blobs(app))
    mail(app, BILL, new_mail(BILL, PLAY, "help"))  # whose answer has a reply address
    assert "done" == reply(app, BILL, letters(app, BILL)[-1], "forget me")
    assert "done" == reply(app, BILL, letters(app, BILL)[-1], "confirm")
    tend_blobs(app)
    left = blobs(app)
    assert 0 < len(left) < before
    with app.store.read() as db:
        assert [] == inbox.mails_from_address(db, BILL)
        joaos = [each.raw for each in inbox.mails_from_address(db, JOAO)] + outbox.letters_to(db, JOAO)
    there = blobs_of(app.store.engine)
    assert there is not None
    assert len(left) == len([raw for raw in joaos if raw]) == sum(moved(app))


@pytest.mark.parametrize("place", ["meddling"], indirect=True)
def test_a_crash_before_the_row_is_written_loses_nothing_and_leaves_an_orphan(app: App, clock: Clock) -> None:
    played(app, clock)
    before = whatever_is_read(app)

    def crash() -> None:
        raise KeyboardInterrupt  # nothing catches it, as nothing catches a kill

    Meddling.after = staticmethod(crash)
    with pytest.raises(KeyboardInterrupt):
        move(app)
    Meddling.after = staticmethod(lambda: None)
    assert (1, False) == (len(blobs(app)), any(moved(app)))
    assert before == whatever_is_read(app)
    rows = len(moved(app))
    assert (rows, 0) == move(app)  # the orphan may still get its row
    assert rows + 1 == len(blobs(app))
    clock.now += 2 * DAY
    assert (0, 0) == move(app)
    clock.now += DAY
    assert (0, 1) == move(app)
    assert rows == len(blobs(app))
    assert before == whatever_is_read(app)


@pytest.mark.each_database
@pytest.mark.parametrize("place", ["meddling"], indirect=True)
def test_a_row_that_changes_meanwhile_keeps_what_it_has(app: App, clock: Clock) -> None:
    played(app, clock)

    def empty_rows() -> None:
        with app.store.write() as db:
            db.execute(update(messages_in).where(messages_in.c.id == 1).values(raw=b"other"))

    Meddling.after = staticmethod(empty_rows)
    rows = len(moved(app))
    assert rows - 1 == move(app)[0]
    Meddling.after = staticmethod(lambda: None)
    with app.store.read() as db:
        first = inbox.mail_by_id(db, 1)
        assert first is not None and b"other" == first.raw
        assert 1 == len(db.execute(select(released_blobs)).all())
    tend_blobs(app)  # deletes what was not needed, and moves the new bytes
    assert [*[True] * rows] == moved(app)
    assert rows == len(blobs(app))


def test_the_way_back_brings_all_bytes_home(app: App, clock: Clock) -> None:
    played(app, clock)
    before = whatever_is_read(app)
    move(app)
    with app.store.write() as db, Operations.context(MigrationContext.configure(db)):
        MIGRATION.downgrade()
    assert not any(moved(app))
    assert before == whatever_is_read(app)


def test_without_its_store_nothing_moves_and_nothing_is_taken_for_empty(
    app: App, clock: Clock, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    played(app, clock)
    move(app)
    Path(place).rename(f"{place}.away")
    with pytest.raises(Unavailable), app.store.read() as db:
        inbox.mail_by_id(db, 1)
    clock.now += DAY
    tend_blobs(app)
    assert "PBEM_BLOBS: FileNotFoundError" in caplog.text
    Path(f"{place}.away").rename(place)
    with app.store.read() as db:
        found = inbox.mail_by_id(db, 1)
    assert found is not None and found.raw


def test_one_lost_blob_is_as_a_purged_mail_and_is_counted(
    app: App, clock: Clock, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    played(app, clock)
    move(app)
    name = next(each for each in blobs(app) if "/m1-" in each)
    Path(place, name).unlink()
    with app.store.read() as db:
        found = inbox.mail_by_id(db, 1)
    assert found is not None and b"" == found.raw
    assert f"the blob {name} is missing" in caplog.text
    assert 1 == blob_moves.count_missing(app.store)


def test_only_we_can_read_the_folders(app: App, clock: Clock, place: str) -> None:
    played(app, clock)
    move(app)
    assert {0o700} == {each.stat().st_mode & 0o777 for each in Path(place).iterdir()}


def test_no_mail_is_taken_for_the_name_of_a_blob(app: App, clock: Clock, place: str) -> None:
    """A mail may begin as what stands for a blob."""
    played(app, clock)
    move(app)
    name = blobs(app)[0].encode()
    register(app, "eve@example.org", "Eve")
    for raw in (MOVED + name, MOVED + b"../../etc/passwd"):
        mail(app, "eve@example.org", raw)
    with app.store.read() as db:
        assert [MOVED + b"../../etc/passwd", MOVED + name] == [
            each.raw for each in inbox.mails_from_address(db, "eve@example.org", 2)
        ]


def test_a_setting_that_cannot_be_is_named(tmp_path: Path, sqlite_url: str) -> None:
    for wrong, words in [
        (str(tmp_path / "none"), "no such folder"),
        ("nosuch://here", "Protocol not known: nosuch"),
        ("s3://bucket/mails", "Install s3fs"),
    ]:
        settings = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": sqlite_url, "PBEM_BLOBS": wrong}
        with pytest.raises(SettingsError, match=f"PBEM_BLOBS: .*{words}"):
            open_app(config_from(settings))


def test_without_the_setting_bytes_that_moved_are_not_taken_for_empty(
    app: App, clock: Clock, app_config: dict[str, str]
) -> None:
    played(app, clock)
    move(app)
    without = open_app(replace(app.config, blobs=None))
    with pytest.raises(Unavailable, match="PBEM_BLOBS is not set"), without.store.read() as db:
        inbox.mail_by_id(db, 1)
    without.close()


def reopen(app: App, number: int) -> None:
    with app.store.write() as db:
        assert 1 == inbox.reopen_mails(db, [number])


def states(app: App) -> dict[str, str]:
    """The state of each mail, read without its bytes."""
    with app.store.read() as db:
        return {f"m{row.id}": row.state for row in db.execute(select(messages_in.c.id, messages_in.c.state))}


@pytest.mark.parametrize("how", ["unreadable", "missing", "damaged"])
def test_a_mail_whose_blob_cannot_be_read_is_put_aside_and_told_and_others_go_on(
    app: App, clock: Clock, place: str, how: str
) -> None:
    played(app, clock)
    move(app)
    blob = Path(place, next(each for each in blobs(app) if "/m3-" in each))
    if how == "damaged":
        blob.write_bytes(PACKED + b"no zlib")
    else:
        blob.unlink()
    if how == "unreadable":
        blob.mkdir()
    reopen(app, 3)
    later = receive(app, new_mail(BILL, PLAY, "help clock"), BILL, [PLAY])[0]
    work_through(app)
    assert ("new", "stranger") == (states(app)["m3"], states(app)[later])  # asked for a proof
    for _ in range(app.config.attempts):
        clock.now += timedelta(minutes=1)
        work_through(app)
    assert "shunted" == states(app)["m3"]
    assert any("m3" in letter.text for letter in letters(app, OPERATOR))


@pytest.mark.each_database
def test_a_download_has_moved_mails_and_reads_them_with_no_transaction_open(
    app: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(app, clock)
    bill = player(app, "Bill")
    before = ZipFile(BytesIO(account_zip(app, bill)))
    move(app)
    open_ones = list[int]()
    read = Blobs.read

    def noting(self: Blobs, names: list[str]) -> dict[str, bytes]:
        open_ones.append(app.store.engine.pool.checkedout())  # type: ignore[attr-defined]
        return read(self, names)

    monkeypatch.setattr(Blobs, "read", noting)
    after = ZipFile(BytesIO(account_zip(app, bill)))
    mails = [name for name in before.namelist() if name.startswith("mails/")]
    assert 3 <= len(mails)
    assert [before.read(name) for name in mails] == [after.read(name) for name in mails]
    assert [0] == open_ones  # all at once


def test_a_twin_that_was_restored_reads_and_deletes_nothing_until_it_is_told(
    app: App, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    played(app, clock)
    tend_blobs(app)
    before, there = whatever_is_read(app), blobs(app)
    with app.store.write() as db:
        record_restore(db, app.now())
        db.execute(update(messages_in).values(raw=b""))  # its rows do not know those blobs
        db.execute(insert(released_blobs).values(name=MOVED + there[0].encode()))
    clock.now += 4 * DAY
    tend_blobs(app)
    assert there == blobs(app)
    assert "PBEM_BLOBS is of localhost, epoch 0" in caplog.text
    assert before[-1] == whatever_is_read(app)[-1]  # letters are read
    assert "localhost, epoch 0" == own_blobs(app.store, app.config.host)
    tend_blobs(app)
    assert {*blobs(app)} < {*there}


@pytest.mark.each_database
def test_whoever_loses_the_place_meanwhile_stops(app: App, clock: Clock) -> None:
    played(app, clock)
    tend_blobs(app)
    there = blobs(app)
    own_blobs(app.store, "games.example.org")
    clock.now += 61 * DAY
    purge(app)
    tend_blobs(app)
    assert there == blobs(app)


@pytest.mark.parametrize("place", ["meddling"], indirect=True)
def test_an_interrupted_move_goes_on_with_the_next_rounds(app: App, clock: Clock) -> None:
    played(app, clock)
    tend_blobs(app, lambda: True)
    assert not any(moved(app))
    clock.now += timedelta(minutes=1)
    tend_blobs(app)  # another process may be at it
    assert not any(moved(app))
    clock.now += timedelta(minutes=1)
    tend_blobs(app)
    assert all(moved(app))
    writes(app, BILL, "help")
    clock.now += timedelta(hours=23)
    with app.store.write() as db:
        db.execute(update(messages_in).values(received_at=NOON))
    tend_blobs(app)  # it was done today
    assert not all(moved(app))
