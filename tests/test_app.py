"""The games on offer, by configuration, and the clock."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from pathlib import Path

from pbem.app import clock_for, open_app, utc_now
from pbem.config.load import config_from
from pbem.config.table import Config
from rules import RULES


def settings(folder: Path, **more: str) -> Config:
    return config_from({"PBEM_VAR": str(folder), **more})


def offered(config: Config) -> list[str]:
    with closing(open_app(config)) as app:
        return list(app.offered)


def test_all_games_are_offered_unless_the_settings_name_some(tmp_path: Path) -> None:
    first = ["bipod", "begird", "bounders", "bagel", "hexthing"]
    assert [*first, *(key for key in RULES if key not in first)] == offered(settings(tmp_path))
    assert ["bipod", "begird"] == offered(settings(tmp_path, PBEM_GAMES="begird, bipod"))


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
