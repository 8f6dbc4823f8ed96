"""The archive as static files: complete, with checksums, updated in place."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.archive_export import publish as archive_export_publish
from pbem.archive_export.folder import NotOurs
from pbem.archive_export.publish import publish
from pbem.core.game.journal import RESIGN, ROLLBACK
from pbem.core.records.gamerecord import read_records
from pbem.core.records.record import examine_record
from pbem.keys.record_keys import read_public_keys
from pbem.store.tables import games, players
from tests.people import SEED_GAME
from tests.snapshots import once
from tests.web.library import PUBLIC, a_short_game, add, begin, open_library, play, the_seeds_game
from tests.web.markup import read


@pytest.fixture
def app(tmp_path: Path, database_url: str) -> Iterator[App]:
    """Two finished games and one that runs. Game 1 is between Bill and Joao, game 2 between Bill and Anna."""
    app = open_library(tmp_path / "var", database_url, **PUBLIC)
    once(app, "published", lambda: _play(app))
    yield app
    app.close()


def _play(app: App) -> None:
    the_seeds_game(app, {1: "Write to bill@example.org"})
    a_short_game(app)
    play(app, begin(app, "Joao", "Anna"), SEED_GAME[:4])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "export"


def names(place: Path) -> set[str]:
    return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


def touched(place: Path) -> dict[str, int]:
    return {name: (place / name).stat().st_mtime_ns for name in names(place)}


def summed(place: Path) -> str:
    """The output of sha256sum for the checksums, "" if all match."""
    done = subprocess.run(
        ["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=place, capture_output=True
    )
    return (done.stdout + done.stderr).decode()


def ids(path: Path) -> list[str]:
    text = path.read_text()
    return [found.tags["Id"] for found in read_records(text)] if text.strip() else []


WHOLE = {
    *(
        "games/0/1.game",
        "games/0/1.json",
        "games/0/1.svg",
        "games/0/2.game",
        "games/0/2.json",
        "games/0/2.svg",
    ),
    *(f"players/{name}.{form}" for name in ("bill", "joao", "anna") for form in ("games", "json")),
    *(
        f"records/{key}.{form}"
        for key in ("all", "bagel", "begird", "bipod", "bounders", "hexthing")
        for form in ("games", "json")
    ),
    *("games.csv", "players.csv", "index.html", "key.pem", "key.json", "manifest.json", "SHA256SUMS"),
}


def test_an_export_holds_finished_games_each_alone_by_player_by_game_and_all(app: App, place: Path) -> None:
    done = publish(app, place)
    assert (2, len(WHOLE) - 2) == (done.games, done.folder.files)
    assert WHOLE == names(place)
    assert ["1", "2"] == ids(place / "players/bill.games") == ids(place / "records/all.json")
    assert ["2"] == ids(place / "players/anna.json")
    assert [] == ids(place / "records/bagel.games")
    assert [] == json.loads((place / "records/bagel.json").read_text())
    rows = list(csv.DictReader((place / "games.csv").read_text().splitlines()))
    assert [("1", "Bill", "first", "resignation"), ("2", "Bill", "second", "rules")] == [
        (row["id"], row["first"], row["result"], row["ended"]) for row in rows
    ]
    assert (place / rows[1]["file"]).is_file()


def test_the_page_of_the_folder_leads_to_the_newest_games_and_to_files_that_are_there(
    app: App, place: Path
) -> None:
    publish(app, place)
    page = read((place / "index.html").read_text())
    assert "Bipod #2: Bill – Anna, Anna won; text, JSON Bipod #1: Bill – Joao, Bill won;" in page.text
    assert set() == {link for link in page.links if "://" not in link} - names(place)


def test_every_record_in_it_verifies_by_the_key_in_it(app: App, place: Path) -> None:
    publish(app, place)
    (key,) = read_public_keys((place / "key.pem").read_text())
    for path in [*place.rglob("*.game"), *place.rglob("[0-9].json"), place / "players/bill.games"]:
        for found in read_records(path.read_text()):
            assert [(path, True)] * 4 == [(path, each.good) for each in examine_record(found, key.check)]


def test_the_manifest_has_the_sum_of_every_file(app: App, place: Path) -> None:
    publish(app, place)
    manifest = json.loads((place / "manifest.json").read_text())
    assert WHOLE - {"manifest.json", "SHA256SUMS"} == set(manifest["files"])
    assert "pbem.example.org" == manifest["site"]
    assert "" == summed(place)
    (place / "games/0/1.game").write_text("forged")
    assert "games/0/1.game: FAILED" in summed(place)


def test_nothing_secret_is_in_it(app: App, place: Path) -> None:
    publish(app, place)
    text = "".join(path.read_text() for path in place.rglob("*") if path.is_file())
    assert [False] * 3 == [word in text for word in ("bill@example.org", "PRIVATE", "@example.net")]


def test_a_second_run_writes_nothing_and_a_file_that_was_lost_comes_back(app: App, place: Path) -> None:
    publish(app, place)
    before = touched(place)
    (place / "games/0/2.svg").unlink()
    done = publish(app, place)
    assert (1, 0) == (done.folder.written, done.folder.removed)
    after = touched(place)
    lists = {"manifest.json", "SHA256SUMS", "games/0/2.svg"}
    assert {name: at for name, at in before.items() if name not in lists} == {
        name: at for name, at in after.items() if name not in lists
    }


def test_a_game_that_ends_later_comes_in_and_what_it_does_not_concern_is_left_alone(
    app: App, place: Path
) -> None:
    publish(app, place)
    before = touched(place)
    running = begin(app, "Bill", "Joao")
    add(app, running, RESIGN, 1, {})
    publish(app, place)
    after = touched(place)
    changed = {name for name, at in after.items() if before.get(name) != at}
    assert changed == {
        *("games/0/4.game", "games/0/4.json", "games/0/4.svg", "games.csv", "index.html"),
        *(f"{name}.{form}" for name in ("players/bill", "players/joao") for form in ("games", "json")),
        *(f"records/{name}.{form}" for name in ("all", "bipod") for form in ("games", "json")),
        *("manifest.json", "SHA256SUMS"),
    }
    assert "" == summed(place)


def test_a_game_that_a_director_opens_again_goes_out(app: App, place: Path) -> None:
    publish(app, place)
    game = play(app, begin(app, "Anna", "Bill"), SEED_GAME[:2])
    game = add(app, game, RESIGN, 1, {})
    publish(app, place)
    assert "games/0/4.game" in names(place)
    add(app, game, ROLLBACK, None, {"ply": 2, "entry": 3, "reason": "A slip."})
    done = publish(app, place)
    assert (2, 3) == (done.games, done.folder.removed)
    assert WHOLE == names(place)
    assert ["2"] == ids(place / "players/anna.games")


def test_a_player_who_is_called_another_name_has_other_files(app: App, place: Path) -> None:
    publish(app, place)
    with app.store.write() as db:
        renamed = {"name": "former player 2", "name_key": "former player 2"}
        db.execute(update(players).where(players.c.name == "Joao").values(**renamed))
    publish(app, place)
    assert {"players/joao.games", "players/joao.json"} == WHOLE - names(place)
    assert ["1"] == ids(place / "players/player-2.games")
    assert "Joao" not in "".join(path.read_text() for path in place.rglob("*") if path.is_file())
    assert "" == summed(place)


def test_batches_are_seamless(app: App, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        add(app, begin(app), RESIGN, 0, {})
    publish(app, place)
    whole = {name: (place / name).read_bytes() for name in names(place)}
    monkeypatch.setattr(archive_export_publish, "BATCH", 2)
    done = publish(app, place)
    assert (7, 0) == (done.games, done.folder.written)
    assert whole == {name: (place / name).read_bytes() for name in names(place)}
    other = place.with_name("other")
    publish(app, other)
    assert whole == {name: (other / name).read_bytes() for name in names(other)}


def test_a_run_that_breaks_off_leaves_the_manifest_as_it_was_and_the_next_one_mends(
    app: App, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(app, place)
    manifest = (place / "manifest.json").read_bytes()
    add(app, begin(app), RESIGN, 0, {})
    with monkeypatch.context() as broken:
        broken.setattr(archive_export_publish, "_csv", lambda *_: iter([1 / 0]))
        with pytest.raises(ZeroDivisionError):
            publish(app, place)
    assert manifest == (place / "manifest.json").read_bytes()
    assert 3 == publish(app, place).games
    assert "" == summed(place)
    assert WHOLE | {f"games/0/4.{form}" for form in ("game", "json", "svg")} == names(place)


def test_a_folder_with_other_things_in_it_is_left_alone(app: App, place: Path) -> None:
    place.mkdir()
    (place / "thesis.txt").write_text("precious")
    with pytest.raises(NotOurs, match="is not empty"):
        publish(app, place)
    (place / "manifest.json").write_text('{"name": "app"}')
    with pytest.raises(NotOurs, match="of something else"):
        publish(app, place)
    assert {"thesis.txt", "manifest.json"} == names(place)


def test_a_manifest_leads_to_no_file_outside_the_folder(app: App, place: Path) -> None:
    publish(app, place)
    precious = place.parent / "1.game"
    precious.write_text("precious")
    manifest = place / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"games/0/1.game"', '"games/../../1.game"'))
    publish(app, place)
    assert "precious" == precious.read_text()
    assert WHOLE == names(place)


def test_two_runs_at_once_do_not_meet(app: App, place: Path) -> None:
    place.mkdir()
    number = os.open(place, os.O_RDONLY)
    fcntl.flock(number, fcntl.LOCK_EX)
    with pytest.raises(NotOurs, match="Another export"):
        publish(app, place)
    os.close(number)
    assert 2 == publish(app, place).games


# Folders changed by others.


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A foreign folder, with a file named like one of ours."""
    folder = tmp_path / "elsewhere"
    (folder / "0").mkdir(parents=True)
    (folder / "0/1.game").write_text("precious")
    (folder / "precious.txt").write_text("precious")
    return folder


def untouched(elsewhere: Path) -> bool:
    return {"0/1.game", "precious.txt"} == names(elsewhere) and {"precious"} == {
        (elsewhere / name).read_text() for name in names(elsewhere)
    }


@pytest.mark.parametrize("linked", ["games", "games/0", "players", "records"])
def test_nothing_is_written_read_or_removed_through_a_folder_that_is_a_link(
    app: App, place: Path, elsewhere: Path, linked: str
) -> None:
    publish(app, place)
    manifest = (place / "manifest.json").read_bytes()
    shutil.rmtree(place / linked)
    (place / linked).symlink_to(elsewhere / "0" if linked == "games/0" else elsewhere)
    with pytest.raises(NotOurs, match=f"/{linked} is a link"):
        publish(app, place)
    with app.store.write() as db:  # nothing is removed even if the archive is empty
        db.execute(update(games).values(ended_at=None))
    with pytest.raises(NotOurs, match="is a link"):
        publish(app, place)
    assert untouched(elsewhere)
    assert manifest == (place / "manifest.json").read_bytes()


@pytest.mark.parametrize(
    "linked",
    ["games/0/1.game", "games/0/2.svg", "players/bill.games", "games.csv", "index.html", "SHA256SUMS"],
)
def test_a_link_in_the_place_of_a_file_gives_way_to_the_file(
    app: App, place: Path, elsewhere: Path, linked: str
) -> None:
    publish(app, place)
    whole = (place / linked).read_bytes()
    for there in ("precious.txt", "copy"):
        (elsewhere / "copy").write_bytes(whole)
        (place / linked).unlink()
        (place / linked).symlink_to(elsewhere / there)
        publish(app, place)
        assert (False, whole) == ((place / linked).is_symlink(), (place / linked).read_bytes())
        (elsewhere / "copy").unlink()
    assert untouched(elsewhere)


@pytest.mark.parametrize("draft", [".draft", ".manifest.json.draft", ".SHA256SUMS.draft", ".begun"])
def test_nothing_is_written_through_a_link_that_waits_where_files_are_begun(
    app: App, place: Path, elsewhere: Path, draft: str
) -> None:
    place.mkdir()
    (place / draft).symlink_to(elsewhere / "precious.txt")
    publish(app, place)
    assert untouched(elsewhere)
    assert WHOLE == names(place)


def test_a_manifest_that_is_a_link_or_a_pipe_is_none_of_ours(app: App, place: Path, elsewhere: Path) -> None:
    publish(app, elsewhere.with_name("other"))
    place.mkdir()
    (place / "manifest.json").symlink_to(elsewhere.with_name("other") / "manifest.json")
    with pytest.raises(NotOurs, match="is a link"):
        publish(app, place)
    (place / "manifest.json").unlink()
    os.mkfifo(place / "manifest.json")
    with pytest.raises(NotOurs, match="is a link, or no file"):
        publish(app, place)


def test_the_folder_itself_may_be_a_link(app: App, place: Path, tmp_path: Path) -> None:
    (tmp_path / "large-disk").mkdir()
    place.symlink_to(tmp_path / "large-disk")
    publish(app, place)
    assert WHOLE == names(tmp_path / "large-disk")


def test_the_export_of_another_server_is_left_alone(app: App, place: Path, tmp_path: Path) -> None:
    publish(app, place)
    before = touched(place)
    other = replace(app, config=replace(app.config, host="games.example.net"))
    with pytest.raises(NotOurs, match="holds the games of pbem"):
        publish(other, place)
    assert before == touched(place)


DAMAGED = (
    '"games/0/x.game": {"sha256": "0", "bytes": 1}',
    '"games/0/1.game": {"sha256": "0", "bytes": 1, "and": 2}',
    '"games/0/1.game": {"sha256": 0, "bytes": "many", "stamp": 7}',
    '"games/0/1.game": {"sha256": "0"',
    '"games/0/1.game": {"sha256": "0", "bytes": 1, "stamp": []}',
    "\xff\xfe",
)


def test_a_manifest_that_somebody_has_spoilt_is_made_anew(app: App, place: Path) -> None:
    publish(app, place)
    manifest = (place / "manifest.json").read_text()
    first = next(line for line in manifest.splitlines(keepends=True) if "games/0/1.game" in line)
    for line in DAMAGED:
        (place / "manifest.json").write_text(manifest.replace(first, f"{line},\n"), encoding="latin-1")
        publish(app, place)
        assert manifest == (place / "manifest.json").read_text()
    assert "" == summed(place)


def killed(app: App, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run killed while it writes the list of games. No manifest has the new ones yet."""

    def ends(*_: object) -> Iterator[bytes]:
        yield b"id,game"
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(archive_export_publish, "_csv", ends)
        with pytest.raises(KeyboardInterrupt):
            publish(app, place)


def test_what_a_run_that_was_killed_has_added_goes_if_it_is_not_wanted_any_more(
    app: App, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(app, place)
    game = play(app, begin(app, "Anna", "Bill"), SEED_GAME[:2])
    game = add(app, game, RESIGN, 1, {})
    killed(app, place, monkeypatch)
    assert {"games/0/4.game", ".draft", ".begun"} <= names(place)
    add(app, game, ROLLBACK, None, {"ply": 2, "entry": 3, "reason": "A slip."})
    publish(app, place)
    assert WHOLE == names(place)
    assert "" == summed(place)


def test_a_first_run_that_was_killed_is_begun_anew_and_takes_nothing_else_away(
    app: App, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(app, place, monkeypatch)
    (place / "robots.txt").write_text("User-agent: *")
    with (place / ".begun").open("a") as begun:
        begun.write("../var/pbem.sqlite\n/etc/passwd\nrobots\n")
    assert 2 == publish(app, place).games
    assert WHOLE | {"robots.txt"} == names(place)
    assert "" == summed(place)
