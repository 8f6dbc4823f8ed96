"""The archive as static files: complete, written anew, and in place only when whole."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import update

from pbem.app import App
from pbem.archive_export import publish as archive_export_publish
from pbem.archive_export.publish import DRAFT, NotOurs, publish
from pbem.core.game.journal import RESIGN, ROLLBACK
from pbem.core.records.gamerecord import read_records
from pbem.core.records.record import examine_record
from pbem.keys.record_keys import read_public_keys
from pbem.store.tables import players
from rules import RULES
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
    *(f"records/{key}.{form}" for key in ("all", *RULES) for form in ("games", "json")),
    *("games.csv", "players.csv", "index.html", "key.pem", "key.json"),
}


def test_an_export_holds_finished_games_each_alone_by_player_by_game_and_all(app: App, place: Path) -> None:
    done = publish(app, place)
    assert (2, len(WHOLE)) == (done.games, done.files)
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


def test_nothing_secret_is_in_it(app: App, place: Path) -> None:
    publish(app, place)
    text = "".join(path.read_text() for path in place.rglob("*") if path.is_file())
    assert [False] * 3 == [word in text for word in ("bill@example.org", "PRIVATE", "@example.net")]


def test_a_game_that_a_director_opens_again_goes_out(app: App, place: Path) -> None:
    publish(app, place)
    game = play(app, begin(app, "Anna", "Bill"), SEED_GAME[:2])
    game = add(app, game, RESIGN, 1, {})
    publish(app, place)
    assert "games/0/4.game" in names(place)
    add(app, game, ROLLBACK, None, {"ply": 2, "entry": 3, "reason": "A slip."})
    assert 2 == publish(app, place).games
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


def test_batches_are_seamless(app: App, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        add(app, begin(app), RESIGN, 0, {})
    publish(app, place)
    whole = {name: (place / name).read_bytes() for name in names(place)}
    monkeypatch.setattr(archive_export_publish, "BATCH", 2)
    assert 7 == publish(app, place).games
    assert whole == {name: (place / name).read_bytes() for name in names(place)}


def test_a_folder_with_other_things_in_it_is_left_alone(app: App, place: Path) -> None:
    place.mkdir()
    (place / "thesis.txt").write_text("precious")
    with pytest.raises(NotOurs, match="is not empty"):
        publish(app, place)
    assert {"thesis.txt"} == names(place)


def test_other_files_beside_an_export_stay(app: App, place: Path) -> None:
    publish(app, place)
    (place / "robots.txt").write_text("User-agent: *")
    publish(app, place)
    assert WHOLE | {"robots.txt"} == names(place)


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


@pytest.mark.parametrize("linked", ["games", "games/0", "players", "records", "games/0/1.game", "games.csv"])
def test_a_link_in_the_place_of_a_file_or_folder_gives_way(
    app: App, place: Path, elsewhere: Path, linked: str
) -> None:
    publish(app, place)
    if (place / linked).is_dir():
        shutil.rmtree(place / linked)
    else:
        (place / linked).unlink()
    (place / linked).symlink_to(elsewhere / "0" if linked == "games/0" else elsewhere)
    publish(app, place)
    assert untouched(elsewhere)
    assert WHOLE == names(place)
    assert [] == [path for path in place.rglob("*") if path.is_symlink()]


def test_nothing_is_removed_through_a_link_that_is_called_like_a_draft(
    app: App, place: Path, elsewhere: Path
) -> None:
    publish(app, place)
    (place / f"{DRAFT}x").symlink_to(elsewhere)
    with pytest.raises(OSError, match="symbolic link"):
        publish(app, place)
    assert untouched(elsewhere)


def test_the_folder_itself_may_be_a_link(app: App, place: Path, tmp_path: Path) -> None:
    (tmp_path / "large-disk").mkdir()
    place.symlink_to(tmp_path / "large-disk")
    publish(app, place)
    assert WHOLE == names(tmp_path / "large-disk")


class Killed(BaseException):
    """The end of a process in the midst of its work."""


def killed(app: App, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run killed while it writes the list of games; nothing is tidied up."""

    def ends(*_: object) -> Iterator[bytes]:
        yield b"id,game"
        raise Killed

    with monkeypatch.context() as broken:
        broken.setattr(archive_export_publish, "_csv", ends)
        broken.setattr(archive_export_publish, "TemporaryDirectory", _Kept)
        with pytest.raises(Killed):
            publish(app, place)


class _Kept(TemporaryDirectory[str]):
    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._finalizer.detach()

    def __exit__(self, *_: object) -> None:
        pass


def test_what_a_killed_run_has_begun_goes_with_the_next_one(
    app: App, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(app, place, monkeypatch)
    assert all(name.startswith(DRAFT) for name in names(place)) and names(place)
    publish(app, place)
    assert WHOLE == names(place)
    whole = {name: (place / name).read_bytes() for name in names(place)}
    add(app, begin(app), RESIGN, 0, {})
    killed(app, place, monkeypatch)
    assert whole == {name: (place / name).read_bytes() for name in names(place) if not name.startswith(DRAFT)}
    assert 3 == publish(app, place).games
    assert WHOLE | {f"games/0/4.{form}" for form in ("game", "json", "svg")} == names(place)


def test_a_run_that_fails_changes_nothing(app: App, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(app, place)
    whole = {name: (place / name).read_bytes() for name in names(place)}
    add(app, begin(app), RESIGN, 0, {})
    with monkeypatch.context() as broken:
        broken.setattr(archive_export_publish, "_csv", lambda *_: iter([1 / 0]))
        with pytest.raises(ZeroDivisionError):
            publish(app, place)
    assert whole == {name: (place / name).read_bytes() for name in names(place)}
