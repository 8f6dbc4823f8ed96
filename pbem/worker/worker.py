"""The worker's threads, which APScheduler wakes. All work is in rows, so any number of workers may run."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from math import inf
from threading import Event, Lock, Thread
from time import monotonic

from pbem.app import App
from pbem.config.logs import trouble
from pbem.duties import (
    digest,
    game_clock,
    live,
    outages,
    paper,
    puzzles,
    seek_letters,
    signin,
    watch,
    watch_leagues,
)
from pbem.duties.operator_letters import OperatorLetters
from pbem.inbox.process import work_through
from pbem.outbox.send import send_due
from pbem.store.due import due_work
from pbem.store.engine import is_unavailable
from pbem.store.wake import Bell
from pbem.worker.beats import Every, scheduler
from pbem.worker.events import check_events
from pbem.worker.retention import blank_sent, purge_daily

log = logging.getLogger("pbem.clock")

Work = Callable[[App, Callable[[], bool]], object]
"""A function that does the due work until it is told to stop; true if there may be letters to send."""

NAMES = ("file", "links", "clock", "events", "send")
"""Threads whose work can be due at any second."""
BEAT_SECONDS = 1
COUNT_SECONDS = 10
"""Seconds between two additions of this process's counts to those of all."""
HEART_PAUSE = timedelta(seconds=10)
"""The time for which a process trusts that the heartbeat is recent, without looking again."""
PATIENCE_SECONDS = 5
CUT_SECONDS = 2
"""The longest wait, in seconds, for threads blocked by another host; their current work is repeated later."""
OUTSIDE = ("send", "fetch")
"""Threads that wait for other servers."""
BEATING = ("look", "file", "clock", "events")
"""Threads that go on whatever the world outside does, the first at each beat. A relay may hold up others."""
ROUND_SECONDS = 60
"""Seconds between two checks for daily letters and the purge."""


class Worker:
    """Threads for mail, clocks, events and letters, and for work at intervals. The first wait to be woken.

    One of them looks at every beat for which of the others there is work. `wake` wakes some at once.

    `stop` lets the mail and the letter in hand finish. A relay that hangs delays nobody: after `patience`
    seconds its connection is closed.
    """

    def __init__(self, app: App, patience: float = PATIENCE_SECONDS) -> None:
        self._app = replace(app, wake=self.wake)
        self._patience = patience
        self._stopping = Event()
        self._bell = Bell(app.store)
        self._beating = Lock()
        self._beat_at: datetime | None = None
        works: dict[str, tuple[Work, ...]] = {
            "look": (self._look,),
            "file": (lambda app, until: work_through(app, until, self._due["file"].set),),
            "links": (signin.send_links,),
            "clock": (game_clock.check_due_games, live.end_due),
            "events": (check_events,),
            "send": (lambda app, until: send_due(app, until, partial(self._heard, "send")),),
            "daily": (
                puzzles.add_shipped,
                digest.send_digests,
                watch.watch_new_games,
                watch.send_watched,
                watch_leagues.send_league_weeks,
                puzzles.send_daily,
                seek_letters.send_seek_letters,
                paper.send_papers,
                OperatorLetters(),
            ),
            "purge": (blank_sent, purge_daily),
            "counts": (_store_counts,),
        }
        if outages.configured_mailboxes(app.config):
            from pbem.inbox.fetch import fetch_round  # not at the top: few need it

            works["fetch"] = (fetch_round,)
        self._due = {name: Event() for name in works}
        self._progress = dict.fromkeys(BEATING, monotonic())
        self._threads = {
            each[0]: Thread(target=self._run, args=each, name=each[0], daemon=each[0] in OUTSIDE)
            for each in works.items()
        }
        if app.store.file is None:
            self._threads["listen"] = Thread(target=self._listen, name="listen")
        self._scheduler = scheduler()
        self._scheduler.add_job(self._wake, Every(BEAT_SECONDS), ["look"], id="beat")
        rounds = dict.fromkeys(("daily", "purge"), ROUND_SECONDS) | {"counts": COUNT_SECONDS}
        rounds["fetch"] = app.config.poll
        for name in rounds.keys() & works:
            self._scheduler.add_job(self._wake, Every(rounds[name]), [name], id=name)

    def wake(self, *names: str) -> None:
        """Wake the named threads, or without a name those that look for work at each beat."""
        self._wake(*(name for name in names or NAMES if name in self._due))

    def _wake(self, *names: str) -> None:
        for name in names:
            self._due[name].set()

    def _heard(self, name: str) -> bool:
        """True if a working thread was woken meanwhile. The next answer counts from now on."""
        heard = self._due[name].is_set()
        self._due[name].clear()
        return heard

    def progress(self) -> float:
        """Return the monotonic time since when no thread has stood still. Every item counts."""
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
        for name in self._threads.keys() - OUTSIDE:
            self._threads[name].join()
        end = monotonic() + CUT_SECONDS
        for name in self._threads.keys() & OUTSIDE:
            self._threads[name].join(max(0.0, end - monotonic()))

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
                if name in BEATING:
                    self._beat()
                done = [work(self._app, lambda: self._note_progress(name)) for work in works]
                if any(done) and name != "send":
                    self._wake("send")
            except Exception as error:
                self._log_failure(name, error)
            if name in self._progress and name != "look":
                self._progress[name] = inf  # it waits for work

    def _beat(self) -> None:
        """Record the heartbeat, so that outages are credited in time."""
        now = self._app.now()
        with self._beating:
            if self._beat_at is None or not now - HEART_PAUSE <= self._beat_at <= now:
                outages.record_heartbeat(self._app)
                self._beat_at = now

    def _look(self, app: App, _until: Callable[[], bool]) -> None:
        """Wake the threads for which there is work."""
        now = app.clock()
        with app.store.read() as db:
            due = due_work(db, now, links=now - signin.LINK_LASTS, flags=now - game_clock.WORKER_DELAY)
        self._wake(*due)

    def _listen(self) -> None:
        """Wake the threads that other processes name."""
        while not self._stopping.is_set():
            try:
                for names in self._bell.listen(self._stopping.is_set):
                    self.wake(*names)
                return
            except Exception as error:
                self._log_failure("listen", error)
                self._stopping.wait(BEAT_SECONDS)

    def _log_failure(self, name: str, error: Exception) -> None:
        if is_unavailable(error):
            words = type(error).__name__
            log.warning("the database does not answer: %s", words, extra=trouble("database", error))
        else:
            failure = "work failed; it is tried again at the next beat"
            log.exception(failure, exc_info=error, extra=trouble(f"work {name}", error))
            self._app.counts.add("faults")


def _store_counts(app: App, _until: Callable[[], bool]) -> None:
    app.counts.store(app.store)
