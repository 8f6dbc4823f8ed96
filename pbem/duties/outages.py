"""Heartbeats of the mailboxes, and outages from their gaps.

No clock may judge anything later than the last complete fetch. A heartbeat has the time when its fetch began.
A gap of more than an hour is an outage, credited to every clock before any mail of that fetch is handled.
"""

import logging
from datetime import datetime, timedelta

from pbem.app import App
from pbem.config.table import Config
from pbem.core.clock.intervals import FOREVER, Interval
from pbem.store import engine, locks, outages, restores

log = logging.getLogger("pbem.clock")

SILENCE = timedelta(hours=1)
"""Minimum gap that counts as an outage."""
IMAP, MAILDIR = "imap", "maildir"


def configured_mailboxes(config: Config) -> tuple[str, ...]:
    here = {IMAP: config.imap, MAILDIR: config.maildir}
    return tuple(name for name, place in here.items() if place is not None)


def mail_fetched_until(app: App, db: engine.Connection) -> datetime:
    """Return the time until which all mail is fetched; FOREVER without mailboxes."""
    beats = (outages.last_heartbeat(db, name) for name in configured_mailboxes(app.config))
    return min((beat for beat in beats if beat is not None), default=FOREVER)


def begin_fetch(app: App, name: str) -> datetime:
    """Return the beginning of a fetch; the first fetch also records a heartbeat, from which gaps count."""
    now = app.now()
    with app.store.write() as db:
        if outages.last_heartbeat(db, name) is None:
            outages.record_heartbeat(db, name, now)
    return now


def record_answer(app: App, name: str, begun: datetime) -> None:
    """Credit an outage that ends with the mailbox's answer."""
    with app.store.write() as db:
        last = outages.last_heartbeat(db, name)
        if last is None or begun <= last + patience(app):
            return
        outages.add_outage(db, last, begun)
        locks.wake_clocks(db, begun)
    log.warning("%s did not answer from %s to %s; every clock gets that time back", name, last, begun)


def record_complete_fetch(app: App, name: str, begun: datetime) -> None:
    record_answer(app, name, begun)
    with app.store.write() as db:
        outages.record_heartbeat(db, name, begun)


def drop_unused_heartbeats(app: App) -> None:
    """Delete the heartbeats of mailboxes no longer configured, which would count as outages."""
    with app.store.write() as db:
        outages.delete_heartbeats(db, {IMAP, MAILDIR} - set(configured_mailboxes(app.config)))


def patience(app: App) -> timedelta:
    """Return the time without a complete fetch after which an outage begins."""
    return SILENCE + timedelta(seconds=app.config.poll)


WORKER_HEARTBEAT = "worker"
HEARTBEAT_INTERVAL = timedelta(seconds=30)


def record_heartbeat(app: App) -> Interval | None:
    """Record the worker's heartbeat before any clock decides, and return an outage that just ended."""
    now = app.now()
    with app.store.read() as db:
        last = outages.last_heartbeat(db, WORKER_HEARTBEAT)
    if last is not None and last - now > SILENCE:
        with app.store.write() as db:
            outages.repair_future_times(db, now, SILENCE)
        log.warning("the clock was ahead, at %s; it is %s, and nothing waits for then any more", last, now)
        return None
    if last is not None and now - last < HEARTBEAT_INTERVAL:
        return None
    with app.store.write() as db:
        last = outages.record_heartbeat(db, WORKER_HEARTBEAT, now)
        if last is None or now - last <= SILENCE:
            return None
        outages.add_outage(db, last, now)
        locks.wake_clocks(db, now)
    log.warning("nobody was at work from %s to %s; every clock gets that time back", last, now)
    return last, now


def credit_outage(app: App) -> None:
    """Credit an outage that still lasts, before a process other than the worker uses the clocks."""
    with app.store.read() as db:
        last = outages.last_heartbeat(db, WORKER_HEARTBEAT)
    if last is not None and abs(app.now() - last) > SILENCE:
        record_heartbeat(app)


def record_restore(db: engine.Connection, now: datetime) -> int:
    """Begin an epoch after a restore from a backup, credit the lost time to every clock, return the epoch."""
    last = outages.last_heartbeat(db, WORKER_HEARTBEAT)
    if last is not None and last < now:
        outages.add_outage(db, last, now)
        locks.wake_clocks(db, now)
    return restores.record_restore(db, now)
