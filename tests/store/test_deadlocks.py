"""Simultaneous jobs that lock several rows, without deadlocks.

Each job stops at its first locked row until the other has one too, waits for one, or is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import product
from operator import itemgetter
from typing import Any

import pytest
from sqlalchemy import event, select, text

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.duties.outages import record_heartbeat
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import new_mail
from pbem.store import locks
from pbem.store.tables import reminders
from tests.amount import some
from tests.apps import BILL, JOAO, Town, an_office, state
from tests.e2e.test_crash import until

FIRST_ROW = re.compile(r"FROM (games|players)\b.*FOR (NO KEY )?UPDATE", re.DOTALL)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Job = Callable[[App], object]


@pytest.fixture
def database_url(postgresql_url: str) -> str:
    """PostgreSQL alone, as SQLite has one writer at a time."""
    return postgresql_url


@dataclass
class Meeting:
    """Two jobs that meet where each has locked a row."""

    watch: App
    here: set[int] = field(default_factory=set)
    done: list[int] = field(default_factory=list)

    def run(self, environ: dict[str, str], town: Town, number: int, job: Job) -> None:
        app = an_office(environ, town.clock)

        def stop(_db: object, _cursor: object, statement: str, *_rest: Any) -> None:
            if number not in self.here and FIRST_ROW.search(statement):
                self.here.add(number)
                until("the other comes", lambda: len(self.here) == 2 or self.done or self.waiting())

        event.listen(app.store.engine, "after_cursor_execute", stop)
        try:
            job(app)
        finally:
            self.done.append(number)
            app.close()

    def waiting(self) -> int:
        """The number of connections that wait for a lock."""
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        with self.watch.store.read() as db:
            return int(db.execute(text(f"{query} AND wait_event_type = 'Lock'")).scalar_one())


def at_once(town: Town, environ: dict[str, str], *jobs: Job) -> None:
    """Run two jobs, the second after the first locked a row. An exception of either is raised."""
    meeting = Meeting(town.app)
    with ThreadPoolExecutor() as pool:
        running = []
        for number, job in enumerate(jobs):
            running.append(pool.submit(meeting.run, environ, town, number, job))
            until("it has a row", lambda each=running[-1], n=number: n in meeting.here or each.done())
        for each in running:
            each.result(60)
    assert {0, 1} == meeting.here


def turns(town: Town, *names: str) -> None:
    """Games begun an hour apart, in which these are to play. The last is the oldest."""
    for name in names:
        town.game(name, JOAO if name == BILL else BILL, time_control=read_pace("3d/move"))
        town.pass_by(hours=-1)
    town.pass_by(hours=len(names) + 1)


def about(town: Town, number: int) -> str:
    """The address of the player to move in a game."""
    return town.app.addressing.reply(Token("game", (number, 0, 1, 0)))


def handle(town: Town, who: str, to: str, words: str) -> tuple[str, Job]:
    """A waiting mail's key, and the job that handles it."""
    (key,) = receive(town.app, new_mail(who, to, words), who, [to])
    return key, lambda app: process(app, int(key[1:]))


MAILS = {
    "vacations of both": ((BILL, None, "vacation 3 days"), (JOAO, None, "vacation 3 days")),
    "moves of both, each with words in the other's game": (
        (BILL, 1, "f2\ngame 2\nsay Hello"),
        (JOAO, 2, "f2\ngame 1\nsay Hello"),
    ),
    "a move, and then a vacation": ((BILL, 1, "f2\nvacation 3 days"), (JOAO, 2, "f2\nvacation 3 days")),
    "a move of one, and times for reminders of the other": (
        (BILL, None, "remind 40h 20h"),
        (JOAO, 2, "f2\nhave fun"),
    ),
    "two wishes of one, and a move": ((BILL, None, "set zone Europe/Lisbon"), (BILL, 1, "f2\nstop digest")),
    "a vacation, and a move of the other": ((BILL, None, "vacation 3 days"), (JOAO, 2, "f2")),
}


@pytest.mark.parametrize(("mails", "order"), some(product(MAILS, (1, -1)), 3, itemgetter(1)))
def test_two_mails_at_once_are_both_done(town: Town, environ: dict[str, str], mails: str, order: int) -> None:
    turns(town, BILL, JOAO)
    waiting = [
        handle(town, who, about(town, number) if number else town.lobby(who), words)
        for who, number, words in MAILS[mails][::order]
    ]
    at_once(town, environ, *(job for _, job in waiting))
    assert ["done", "done"] == [state(town.app, key) for key, _ in waiting]


def test_flags_of_one_player_fall_while_a_mail_plans_that_players_days(
    town: Town, environ: dict[str, str]
) -> None:
    turns(town, BILL, BILL, BILL)
    town.pass_by(days=3, hours=1)
    key, job = handle(town, BILL, town.lobby(BILL), "vacation 3 days")
    at_once(town, environ, check_due_games, job)
    assert "done" == state(town.app, key)


def test_a_letter_reminds_of_several_games_while_a_mail_stops_their_clocks(
    town: Town, environ: dict[str, str]
) -> None:
    turns(town, BILL, BILL)
    town.now = town.load(2).deadline - 18 * HOUR + WORKER_DELAY  # due in game 2, and soon in game 1
    key, job = handle(town, BILL, town.lobby(BILL), "vacation 3 days")
    at_once(town, environ, check_due_games, job)
    assert "done" == state(town.app, key)
    with town.app.store.read() as db:
        assert [1, 2] == sorted(db.scalars(select(reminders.c.game_id)))


def test_an_outage_is_given_back_while_a_mail_stops_clocks(town: Town, environ: dict[str, str]) -> None:
    turns(town, BILL, BILL, BILL)
    record_heartbeat(town.app)
    town.reply(BILL, town.boards(), "game 1\nf2")  # its row is last now, in the table and by deadline
    town.pass_by(hours=5)
    key, job = handle(town, BILL, town.lobby(BILL), "vacation 3 days")
    meeting = Meeting(town.app)
    with ThreadPoolExecutor() as pool:
        with town.app.store.write() as db:
            locks.lock_game_rows(db, [2])
            first = pool.submit(record_heartbeat, town.app)
            until("one waits for game 2", lambda: meeting.waiting() == 1)
            second = pool.submit(job, town.app)
            until("both wait for it", lambda: meeting.waiting() == 2)
        first.result(60)
        second.result(60)
    assert "done" == state(town.app, key)
