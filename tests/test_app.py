"""The games on offer, by configuration, with the boards of each server."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.app import clock_for, offered_games, open_app, utc_now
from pbem.config.load import SettingsError, config_from
from pbem.config.table import Config
from rules import RULES


def settings(folder: Path, **more: str) -> Config:
    return config_from({"PBEM_VAR": str(folder), **more})


def test_all_games_are_offered_unless_the_settings_name_some(tmp_path: Path) -> None:
    assert ["bipod", *(key for key in RULES if key != "bipod")] == list(offered_games(settings(tmp_path)))
    assert ["bipod", "begird"] == list(offered_games(settings(tmp_path, PBEM_GAMES="begird, bipod")))


def test_a_hurried_clock_goes_on_where_another_process_finds_it(tmp_path: Path) -> None:
    hurried = settings(tmp_path, PBEM_HURRY="600")
    before = utc_now()
    (tmp_path / "hurried").write_text((before - timedelta(hours=1)).isoformat())
    clocks = clock_for(hurried), clock_for(hurried)
    after_599_hours = before + timedelta(hours=599)
    assert all(timedelta() <= clock() - after_599_hours < timedelta(hours=10) for clock in clocks)


def test_a_hurried_clock_begins_with_the_time_of_the_world(tmp_path: Path) -> None:
    before = utc_now()
    assert (
        timedelta()
        <= clock_for(settings(tmp_path / "new", PBEM_HURRY="600"))() - before
        < timedelta(hours=10)
    )
    assert utc_now is clock_for(settings(tmp_path))


def test_a_board_file_is_the_board_of_new_games_and_of_no_other(tmp_path: Path) -> None:
    (tmp_path / "hexthing.board").write_text("# as printed\nthings a1 b1 c1 e1 f1 g1 d4\n")
    own = offered_games(settings(tmp_path, PBEM_BOARDS=str(tmp_path)))["hexthing"]
    assert RULES["hexthing"].complete({})["things"] != own.complete({})["things"]
    started = own.start()
    assert started.options == RULES["hexthing"].begin(started.options, 0).options
    assert own.complete({"things": "b3,c2,c5,d4,e2,e5,f3"}) == RULES["hexthing"].complete({})


def test_a_board_file_that_is_wrong_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "hexthing.board").write_text("things a1\n")
    with pytest.raises(SettingsError, match=r"hexthing\.board: line 1: things must be"):
        open_app(settings(tmp_path, PBEM_BOARDS=str(tmp_path)))
