"""The worker's threads, which APScheduler wakes. All work is in rows, so any number of workers may run."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event, Thread
from time import monotonic

from apscheduler.schedulers.background import BackgroundScheduler

from pbem.actions import (
    digest,
    game_clock,
    outages,
    paper,
    puzzles,
    seek_letters,
    signin,
    watch,
    watch_leagues,
)
from pbem.app import App
from pbem.inbox.process import work_through
from pbem.inbox.seasons import check_events
from pbem.outbox.send import send_due
from pbem.store.engine import is_unavailable
from pbem.worker.retention import blank_sent, purge_daily

log = logging.getLogger("pbem.clock")

Work = Callable[[App, Callable[[], bool]], object]
"""Does what is due, until it is told to stop; the result is true if there may be letters to send."""

BEAT_SECONDS = 1
PATIENCE_SECONDS = 5
BEATING = ("file", "clock", "events")
"""Threads that go on at each beat, whatever the world outside does. A relay may hold up others for long."""
ROUND_SECONDS = 60
"""Seconds between two checks for daily letters and the purge."""


class Worker:
    """Threads for mail, clocks, events, letters, at every beat and `wake`; for the rest, at longer intervals.

    `stop` lets the mail and the letter in hand finish. A relay that hangs delays nobody: after `patience`
    seconds its connection is closed.
    """

    def __init__(self, app: App, patience: float = PATIENCE_SECONDS) -> None:
        self._app = replace(app, wake=self.wake)
        self._patience = patience
        self._stopping = Event()
        works: dict[str, tuple[Work, ...]] = {
            "file": (signin.send_links, lambda app, until: work_through(app, until, self._due["file"].set)),
            "clock": (game_clock.check_due_games,),
            "events": (check_events,),
            "send": (send_due,),
            "daily": (
                digest.send_digests,
                watch.watch_new_games,
                watch.send_watched,
                watch_leagues.send_league_weeks,
                puzzles.send_daily,
                seek_letters.send_seek_letters,
                paper.send_papers,
            ),
            "purge": (blank_sent, purge_daily),
        }
        if outages.configured_mailboxes(app.config):
            from pbem.inbox.fetch import fetch_round  # not at the top: few need it

            works["fetch"] = (fetch_round,)
        self._due = {name: Event() for name in works}
        self._progress = dict.fromkeys(BEATING, monotonic())
        self._threads = {each[0]: Thread(target=self._run, args=each, name=each[0]) for each in works.items()}
        once = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}  # late is better than never
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=once)
        self._scheduler.add_job(self.wake, "interval", seconds=BEAT_SECONDS, id="beat")
        rounds = {"daily": ROUND_SECONDS, "purge": ROUND_SECONDS, "fetch": app.config.poll}
        for name in rounds.keys() & works:
            self._scheduler.add_job(self._wake, "interval", [name], seconds=rounds[name], id=name)

    def wake(self) -> None:
        self._wake("file", "clock", "events", "send")

    def _wake(self, *names: str) -> None:
        for name in names:
            self._due[name].set()

    def progress(self) -> float:
        """The time (monotonic, seconds) since when no thread has stood still, looked at item by item."""
        return min(self._progress.values())

    def start(self) -> None:
        for thread in self._threads.values():
            thread.start()
        self._scheduler.start()
        self._wake(*self._due)

    def signal_stop(self) -> None:
        """Start nothing more, without waiting for current work."""
        self._stopping.set()
        self._wake(*self._due)

    def stop(self) -> None:
        self._scheduler.shutdown(wait=False)
        self.signal_stop()
        self._threads["send"].join(self._patience)
        if self._threads["send"].is_alive():
            self._app.sender.hang_up()
        for thread in self._threads.values():
            thread.join()

    def _note_progress(self, name: str) -> bool:
        """Note that a thread goes on; True if it is to stop."""
        if name in self._progress:
            self._progress[name] = monotonic()
        return self._stopping.is_set()

    def _run(self, name: str, works: Sequence[Work]) -> None:
        while not self._stopping.is_set():
            self._due[name].wait()
            self._due[name].clear()
            if self._note_progress(name):
                return
            try:
                if name in ("file", "clock", "events"):  # an outage is given back before anything is late
                    outages.record_heartbeat(self._app)
                done = [work(self._app, lambda: self._note_progress(name)) for work in works]
                if any(done) and name != "send":
                    self._wake("send")
            except Exception as error:
                if is_unavailable(error):
                    log.warning("the database does not answer: %s", type(error).__name__)
                else:
                    log.exception("work failed; it is tried again at the next beat")
