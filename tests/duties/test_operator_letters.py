"""Letters to the operator: one a month, and one at once about a trouble that lasts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pbem.app import App
from pbem.duties import health
from pbem.duties.operator_letters import OperatorLetters
from pbem.mail.doctor.dns import Finding
from pbem.outbox.send import send_due
from pbem.store import outages
from tests.apps import BILL, Clock, letters, register

OPERATOR = "ops@example.net"
FOUND = [Finding("ok", "relay", "smtp://localhost:25 takes our letters")]


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def a_round() -> OperatorLetters:
    return OperatorLetters(lambda _app: FOUND)


def subjects(app: App) -> list[str]:
    return [letter.header("Subject") for letter in letters(app, OPERATOR)]


def test_a_month_is_told_once_in_the_next_by_any_number_of_workers(app: App, clock: Clock) -> None:
    assert 0 == a_round()(app)  # the first month here: there is nothing before it
    register(app, BILL, "Bill")
    send_due(app)
    for day in (2, 30):
        clock.now = datetime(2026, 3, day, 13, tzinfo=UTC)
        assert 0 == a_round()(app)
    clock.now = datetime(2026, 4, 1, tzinfo=UTC)
    assert [1, 0, 0] == [a_round()(app) for _ in range(3)]
    assert ["pbem: March 2026 at localhost"] == subjects(app)
    words = letters(app, OPERATOR)[-1].text
    for said in ("New players: 1", "relay ok", "none is known here", "Nothing needs you now", "new since"):
        assert said in words
    clock.now = datetime(2026, 5, 3, tzinfo=UTC)
    with app.store.write() as db:
        outages.record_heartbeat(db, outages.BACKUP_HEARTBEAT, datetime(2026, 4, 29, tzinfo=UTC))
    assert 1 == a_round()(app)
    words = letters(app, OPERATOR)[-1].text
    assert ("New players: 0" in words, "Last backup: 2026-04-29" in words, "new since" in words) == (
        True,
        True,
        False,
    )


def test_a_trouble_that_lasts_is_told_at_once_and_again_after_a_day(app: App, clock: Clock) -> None:
    full = replace(app, free_bytes=lambda _: health.LOW_DISK - 1)
    watch = a_round()
    assert [0, 1, 0] == [watch(full) for _ in range(3)]
    assert ["pbem: localhost needs you"] == subjects(app)
    assert "255 MiB left" in " ".join(letters(app, OPERATOR)[-1].text.split())
    clock.pass_by(hours=23)
    another = a_round()
    assert [0, 0] == [another(full) for _ in range(2)]
    clock.pass_by(hours=2)
    assert 1 == another(full)


def test_a_trouble_that_ends_before_the_next_round_is_not_told(app: App) -> None:
    full = replace(app, free_bytes=lambda _: 0)
    watch = a_round()
    assert [0, 0, 0] == [watch(each) for each in (full, app, full)]


@pytest.mark.parametrize("setting", [{"operator_letters": False}, {"operator": None}])
def test_a_setting_ends_them(app: App, clock: Clock, setting: dict[str, object]) -> None:
    silent = replace(app, config=replace(app.config, **setting), free_bytes=lambda _: 0)
    watch = a_round()
    assert [0, 0] == [watch(silent) for _ in range(2)]
    clock.now = datetime(2026, 4, 1, tzinfo=UTC)
    assert 0 == watch(silent)
