"""The worker's threads, which APScheduler wakes. All work is in rows, so any number of workers may run."""

import logging
from collections.abc import Callable
from threading import Event, Thread

from apscheduler.schedulers.background import BackgroundScheduler

from pbem.actions import digest, game_clock, outages, signin, watch
from pbem.app import App
from pbem.inbox.process import file_ready
from pbem.outbox.send import send_due
from pbem.store.engine import is_unavailable
from pbem.worker.retention import blank_sent, purge_daily

log = logging.getLogger("pbem.clock")

BEAT_SECONDS = 1
PATIENCE_SECONDS = 5
ROUND_SECONDS = 60
"""Seconds between two checks for daily letters and the purge."""


class Worker:
    """Threads for mail, clocks and letters, at every beat and `wake`; for the daily work, once a round.

    `stop` lets the mail and the letter in hand finish. A relay that hangs delays nobody: after `patience`
    seconds its connection is closed.
    """

    def __init__(self, app: App, patience: float = PATIENCE_SECONDS) -> None:
        self._app = app
        self._patience = patience
        self._stopping = Event()
        self._mail, self._clocks, self._letters, self._daily, self._purge = (Event() for _ in range(5))
        self._sending = self._thread("send", self._letters, lambda: send_due(app, self._stopping.is_set))
        self._threads = [
            self._thread("file", self._mail, self._handle_mail),
            self._thread("clock", self._clocks, self._advance_clocks),
            self._sending,
            self._thread("daily", self._daily, self._write_daily),
            self._thread("purge", self._purge, self._remove_old),
        ]
        once = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}  # late is better than never
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=once)
        self._scheduler.add_job(self.wake, "interval", seconds=BEAT_SECONDS, id="beat")
        self._scheduler.add_job(self._wake_daily, "interval", seconds=ROUND_SECONDS, id="round")

    def _thread(self, name: str, due: Event, work: Callable[[], object]) -> Thread:
        return Thread(target=self._run, args=(due, work), name=name)

    def wake(self) -> None:
        self._mail.set()
        self._clocks.set()
        self._letters.set()

    def _wake_daily(self) -> None:
        self._daily.set()
        self._purge.set()

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self._scheduler.start()
        self._wake_daily()
        self.wake()

    def signal_stop(self) -> None:
        """Start nothing more, without waiting for current work."""
        self._stopping.set()
        self._wake_daily()
        self.wake()

    def stop(self) -> None:
        self._scheduler.shutdown(wait=False)
        self.signal_stop()
        self._sending.join(self._patience)
        if self._sending.is_alive():
            self._app.sender.hang_up()
        for thread in self._threads:
            thread.join()

    def _handle_mail(self) -> None:
        outages.record_heartbeat(self._app)  # before any mail: a move after an outage gets the time back
        stopping = self._stopping.is_set
        if signin.send_links(self._app, stopping) + file_ready(self._app, stopping, self._mail.set):
            self._letters.set()

    def _advance_clocks(self) -> None:
        outages.record_heartbeat(self._app)  # before any flag; of two callers one finds the outage
        if game_clock.check_due_games(self._app, self._stopping.is_set):
            self._letters.set()

    def _write_daily(self) -> None:
        if digest.send_digests(self._app, self._stopping.is_set) + watch.send_watched(
            self._app, self._stopping.is_set
        ):
            self._letters.set()

    def _remove_old(self) -> None:
        blank_sent(self._app, self._stopping.is_set)
        purge_daily(self._app, self._stopping.is_set)

    def _run(self, due: Event, work: Callable[[], object]) -> None:
        while not self._stopping.is_set():
            due.wait()
            due.clear()
            if self._stopping.is_set():
                return
            try:
                work()
            except Exception as error:
                if is_unavailable(error):
                    log.warning("the database does not answer: %s", type(error).__name__)
                else:
                    log.exception("work failed; it is tried again at the next beat")
