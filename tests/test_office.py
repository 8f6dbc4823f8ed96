"""What a server offers: the games its settings name, each on the installation's own board if it has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import SettingsError, settings_from
from pbem.office import offered_games, open_office
from pbem.settings import Settings
from rules import RULES


def settings(folder: Path, **more: str) -> Settings:
    return settings_from({"PBEM_VAR": str(folder), **more})


def test_all_games_are_offered_unless_the_settings_name_some(tmp_path: Path) -> None:
    assert list(RULES) == list(offered_games(settings(tmp_path)))
    assert ["begird", "bipod"] == list(offered_games(settings(tmp_path, PBEM_GAMES="bipod, begird")))


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
        open_office(settings(tmp_path, PBEM_BOARDS=str(tmp_path)))
