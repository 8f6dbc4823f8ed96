"""The metronome: APScheduler beats, and what is due is done.

It keeps no jobs of its own: what is due stands in rows, so any number of these may run at once.
A mail that arrives in this process does not wait for the beat; `wake` sets to work at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

from apscheduler.schedulers.background import BackgroundScheduler

from pbem.office import Office
from pbem.postoffice import send_due, work_through
from pbem.store.engine import is_gone
from pbem.timekeeper import pulse, tick

log = logging.getLogger("pbem.clock")

BEAT_SECONDS = 1


class Worker:
    """One thread that files mail and one that sends letters, set going by `wake` and by the beat.

    `start` begins; `stop` lets one finish the mail, the other the few letters it has in hand; the rest
    waits in its rows for whoever works next.
    """

    def __init__(self, office: Office) -> None:
        self._stopping = Event()
        stopping = self._stopping.is_set
        self._mail, self._letters = Event(), Event()
        self._threads = [
            Thread(target=self._run, args=(self._mail, lambda: self._file(office, stopping)), name="file"),
            Thread(target=self._run, args=(self._letters, lambda: send_due(office, stopping)), name="send"),
        ]
        self._scheduler = BackgroundScheduler(
            timezone="UTC", job_defaults={"coalesce": True, "max_instances": 1}
        )
        self._scheduler.add_job(self.wake, "interval", seconds=BEAT_SECONDS, id="beat")

    def wake(self) -> None:
        """There may be something to do."""
        self._mail.set()
        self._letters.set()

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self._scheduler.start()
        self.wake()

    def begin_to_stop(self) -> None:
        """Take nothing more in hand, without waiting for what is."""
        self._stopping.set()
        self.wake()

    def stop(self) -> None:
        self._scheduler.shutdown(wait=False)
        self.begin_to_stop()
        for thread in self._threads:
            thread.join()

    def _file(self, office: Office, stopping: Callable[[], bool]) -> None:
        pulse(office)  # before any mail: whoever moves after an outage has the time back
        if work_through(office, stopping) + tick(office, stopping):
            self._letters.set()

    def _run(self, due: Event, work: Callable[[], object]) -> None:
        while not self._stopping.is_set():
            due.wait()
            due.clear()
            if self._stopping.is_set():
                return
            try:
                work()
            except Exception as error:
                if is_gone(error):
                    log.warning("the database does not answer: %s", type(error).__name__)
                else:
                    log.exception("work failed; it is tried again at the next beat")
