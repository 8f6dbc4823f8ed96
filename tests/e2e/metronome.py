"""The clock of the simulated year: the moments when the server checks mail and clocks, and when it dies."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

from sqlalchemy import bindparam, select

from pbem.app import App
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.duties.outages import WORKER_HEARTBEAT, record_heartbeat
from pbem.inbox.process import work_through
from pbem.store import inbox, outages
from pbem.store.tables import reminders
from tests.e2e.cast import (
    BEATS,
    DEADLY,
    HANGS,
    NEW_YEAR,
    OUTAGES,
    PLAYERS,
    YEAR,
    Happening,
    Trouble,
    moment,
    taste,
    window,
)
from tests.e2e.nudges import Noted, Nudges
from tests.e2e.reckoning import Reckoning

NOTED = select(reminders).where(reminders.c.at == bindparam("now"))


class Metronome:
    """The server in the simulated time; it is checked when something is due."""

    def __init__(self, app: App, seed: int) -> None:
        self.rng = Random(seed)
        self.second = 0
        self.broken = ""
        """The step after which the next thing goes wrong."""
        self.dies = False
        """Whether this is a process that is to be killed, not one in which something fails."""
        self.app = replace(app, clock=lambda: moment(self.second), step=self._step)
        everybody = range(1, PLAYERS + 1)
        windows = {n: 60 * window(n) for n in everybody if window(n)}
        thrifty = frozenset(n for n in everybody if n % 3 == 0)
        self.reckoning = Reckoning(OUTAGES, thrifty, windows, self._made)
        tastes = {n: taste(n) for n in everybody}
        self.nudges = Nudges(self.reckoning, int(NEW_YEAR.timestamp()), tastes)
        self.minutes: set[int] = set()
        self.unread = False
        """Whether a mail may wait that was not to be handled at once."""
        self.noted: tuple[int, set[Noted]] = (0, set())
        """What the last beat found to be dealt with in its second."""
        self.hearing: dict[int, list[int]] = {}
        """By the number of a mail the games that it is about, until somebody has read it."""
        self.counts: Counter[str] = Counter()
        self._agenda: list[Happening] = []
        self._numbers = count()

    def plan(self, at: int, what: str, *about: Any) -> None:
        heappush(self._agenda, Happening(at, next(self._numbers), what, about))

    def _pass_time(self) -> None:
        """Let all planned events happen, in order, to the end of the year."""
        while self._agenda and self._agenda[0].at <= YEAR:
            happening = heappop(self._agenda)
            self.second = happening.at
            getattr(self, f"_{happening.what}")(*happening.about)
            self._watch_minutes()
        self.reckoning.comes(YEAR - int(WORKER_DELAY.total_seconds()))

    def _hear(self) -> None:
        """Called when somebody may have read a mail; a subclass says what follows."""

    def _made(self, number: int, at: int) -> None:
        """Called when a ply is made; a subclass says what follows."""

    def _step(self, name: str) -> None:
        if name != self.broken:
            return
        if self.dies:
            os.kill(os.getpid(), signal.SIGKILL)
        self.broken = ""
        raise Trouble

    def _killed(self, step: str, work: Callable[[], object]) -> None:
        """Let another process do some work, and die after a step if it reaches that step."""
        self.app.store.close()  # nothing of an open database goes over to it
        child = os.fork()
        if child == 0:
            with suppress(BaseException):
                self.dies, self.broken = True, step
                work()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL, status
            self.counts[f"killed after {step}"] += 1

    @property
    def down(self) -> bool:
        return any(begin < self.second < end for begin, end in OUTAGES)

    @property
    def hangs(self) -> bool:
        return any(begin <= self.second < end for begin, end in HANGS)

    def _beat(self) -> None:
        """One round of the worker: moves come before flags."""
        if self.down:
            return
        self._pulse()
        if not self.hangs:
            self._work()
        self._tick()

    def _pulse(self) -> None:
        """Record a heartbeat every half minute; only the gaps between them matter."""
        if self.second in {begin for begin, _end in OUTAGES}:
            self._has_beaten()
        elif self.second in {end for _begin, end in OUTAGES} and record_heartbeat(self.app) is not None:
            self.reckoning.changed.update(self.reckoning.matches)

    def _has_beaten(self) -> None:
        with self.app.store.write() as db:
            outages.record_heartbeat(db, WORKER_HEARTBEAT, moment(self.second))

    def _work(self) -> None:
        if self._mail_waits():
            work_through(self.app)
            self._hear()

    def _mail_waits(self) -> bool:
        if not self.unread:
            return False
        with self.app.store.read() as db:
            self.unread = inbox.first_waiting_mail(db, moment(self.second + 1)) is not None
        return self.unread

    def _minute(self) -> None:
        """The next round of the worker after something has become due."""
        if not self.down:
            self._tick()

    def _watch_minutes(self) -> None:
        """Plan a round for each moment at which the clock may check a reminder or a flag."""
        for number in self.reckoning.changed:
            for due in (*self.nudges.watch(number, self.second), self.reckoning.comes_next(number)):
                beat = max(self.second, due + 60)
                if beat not in self.minutes and beat <= YEAR:
                    self.minutes.add(beat)
                    self.plan(beat, "minute")
        self.reckoning.changed.clear()

    def _tick(self) -> None:
        self._pulse()
        sure = not self._mail_waits()
        deadly = self.rng.random() < DEADLY
        if deadly:
            self._killed(self.rng.choice(BEATS), lambda: check_due_games(self.app))
        busy = check_due_games(self.app) > 0 or deadly
        self.reckoning.comes(self.second - int(WORKER_DELAY.total_seconds()))
        seen = self.noted[1] if self.noted[0] == self.second else set()
        noted = self._noted() if busy else seen
        self.noted = (self.second, noted)
        self.nudges.judge(self.second, noted - seen, sure=sure)

    def _noted(self) -> set[Noted]:
        with self.app.store.read() as db:
            rows = db.execute(NOTED, {"now": moment(self.second)}).all()
        return {Noted(row.game_id, row.entry, row.which, row.player_id, row.letter) for row in rows}
