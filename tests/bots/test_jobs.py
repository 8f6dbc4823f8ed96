"""Jobs of bots: each done once, whatever is killed, within the budget, fair to all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from pbem.app import App
from pbem.bots.jobs import JobKind, do_one
from pbem.duties import budget
from pbem.store import bot_jobs, bots
from tests.apps import Clock


def add(app: App, key: str, player_id: int = 0) -> None:
    with app.store.write() as db:
        bot_jobs.add_job(db, "double", key, {"n": int(key)}, app.now(), player_id)


def result(app: App, key: str) -> Any:
    with app.store.read() as db:
        return bot_jobs.find_result(db, "double", key)


@pytest.fixture
def delivered() -> list[int]:
    return []


@pytest.fixture
def kinds(delivered: list[int]) -> Mapping[str, JobKind]:
    def deliver(app: App, db: Any, job: Any, result: int, now: Any) -> None:
        delivered.append(result)

    return {"double": JobKind(lambda app, job: 2 * job.data["n"], deliver)}


def test_a_job_is_done_once(app: App, kinds: Mapping[str, JobKind], delivered: list[int]) -> None:
    for _ in range(2):
        add(app, "4")
    assert None is result(app, "4")
    assert do_one(app, kinds)
    assert 8 == result(app, "4")
    add(app, "4")
    assert not do_one(app, kinds)
    assert [8] == delivered


@pytest.mark.parametrize("step", ["claim job", "compute job"])
def test_a_job_of_a_killed_process_is_done_by_another(
    app: App, clock: Clock, kinds: Mapping[str, JobKind], delivered: list[int], step: str
) -> None:
    def dies(now: str) -> None:
        if now == step:
            raise KeyboardInterrupt

    add(app, "4")
    with pytest.raises(KeyboardInterrupt):
        do_one(replace(app, step=dies), kinds)
    assert not do_one(app, kinds)
    clock.pass_by(minutes=11)
    assert do_one(app, kinds)
    assert [8] == delivered


def test_a_job_finished_by_two_is_delivered_by_the_first(app: App) -> None:
    add(app, "4")
    with app.store.write() as db:
        job = bot_jobs.claim_job(db, app.now(), app.now(), ["double"])
        assert job
        assert bot_jobs.finish_job(db, job, 1)
        assert not bot_jobs.finish_job(db, job, 2)
    assert 1 == result(app, "4")


def test_a_job_that_kills_the_process_each_time_is_put_aside(
    app: App, clock: Clock, kinds: Mapping[str, JobKind]
) -> None:
    def dies(now: str) -> None:
        raise KeyboardInterrupt

    add(app, "4")
    for _ in range(bots.MAX_TRIES):
        with app.store.read() as db:
            assert 0 == bot_jobs.count_failed(db, app.clock())
        with pytest.raises(KeyboardInterrupt):
            do_one(replace(app, step=dies), kinds)
        clock.pass_by(minutes=11)
    assert not do_one(app, kinds)
    with app.store.write() as db:
        assert 1 == bot_jobs.count_failed(db, app.clock())
        assert 1 == bot_jobs.retry_failed(db, app.clock())
    assert do_one(app, kinds)


def test_the_data_of_a_job_that_was_done_meanwhile_stay(app: App, kinds: Mapping[str, JobKind]) -> None:
    add(app, "4")
    with app.store.read() as db:
        known = bot_jobs.find_job(db, "double", "4", app.now())
    assert known is not None
    assert do_one(app, kinds)
    with app.store.write() as db:
        assert not bot_jobs.set_data(db, known, app.now(), n=5)
    assert 8 == result(app, "4")


def test_an_outage_of_the_database_is_no_try(app: App, clock: Clock, kinds: Mapping[str, JobKind]) -> None:
    def away(app: App, job: bot_jobs.Job) -> None:
        raise OperationalError("SELECT 1", {}, Exception("database is locked"))

    add(app, "4")
    for _ in range(bots.MAX_TRIES + 1):
        with pytest.raises(OperationalError):
            do_one(app, {"double": JobKind(away)})
        clock.pass_by(minutes=1)
    assert do_one(app, kinds)
    assert 8 == result(app, "4")


def test_a_player_who_has_had_their_share_of_the_day_waits(app: App, kinds: Mapping[str, JobKind]) -> None:
    add(app, "1", 7)
    with app.store.write() as db:
        bots.add_seconds(db, 7, budget.seconds_of_player(app), app.now())
    assert not do_one(app, kinds)
    add(app, "2", 8)
    assert do_one(app, kinds)
    assert (None, 4) == (result(app, "1"), result(app, "2"))


def test_a_job_that_fails_is_tried_again_and_again(app: App, clock: Clock) -> None:
    def fails(app: App, job: bot_jobs.Job) -> None:
        raise ZeroDivisionError

    add(app, "4")
    for _ in range(bots.MAX_TRIES):
        assert do_one(app, {"double": JobKind(fails)})
        clock.pass_by(minutes=2)
    assert not do_one(app, {"double": JobKind(fails)})
    with app.store.read() as db:
        assert 1 == bot_jobs.count_failed(db, app.clock())


def test_nobody_is_served_twice_before_another(
    app: App, kinds: Mapping[str, JobKind], delivered: list[int]
) -> None:
    for key, player_id in (("1", 7), ("2", 7), ("3", 8)):
        add(app, key, player_id)
    with app.store.write() as db:
        bots.add_seconds(db, 7, 1.0, app.now())
    while do_one(app, kinds):
        pass
    assert 6 == delivered[0]


def test_what_somebody_waits_for_comes_first(app: App, delivered: list[int]) -> None:
    def deliver(app: App, db: Any, job: Any, result: int, now: Any) -> None:
        delivered.append(result)

    kinds = {
        "double": JobKind(lambda app, job: 2 * job.data["n"], deliver),
        "asked": JobKind(lambda app, job: 7, deliver, urgent=True),
    }
    add(app, "4")
    with app.store.write() as db:
        bot_jobs.add_job(db, "asked", "x", {}, app.now(), 3)
        bots.add_seconds(db, 3, 100.0, app.now())
    while do_one(app, kinds):
        pass
    assert [7, 8] == delivered


class TestBudget:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOT_SECONDS": "1,1"}

    def test_half_of_it_is_kept_for_what_somebody_waits_for(self, app: App) -> None:
        add(app, "4")
        with app.store.write() as db:
            bots.add_seconds(db, 0, 0.6, app.now())
            bot_jobs.add_job(db, "asked", "x", {}, app.now())
        urgent = {"asked": JobKind(lambda app, job: 7, urgent=True)}
        background = {"double": JobKind(lambda app, job: 8)}
        assert not do_one(app, background)
        assert do_one(app, {**urgent, **background})
        assert not do_one(app, {**urgent, **background})

    def test_jobs_wait_for_tomorrow(self, app: App, clock: Clock, kinds: Mapping[str, JobKind]) -> None:
        add(app, "4")
        with app.store.write() as db:
            bots.add_seconds(db, 0, 2.0, app.now())
        assert not do_one(app, kinds)
        clock.pass_by(days=1)
        assert do_one(app, kinds)
