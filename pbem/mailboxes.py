"""Heartbeats of the mailboxes, and outages from their gaps.

No clock may judge anything later than the last complete fetch. A heartbeat is dated to the beginning of a
fetch that finds everything. A gap of more than an hour is an outage, and every clock gets it back before any
mail of that fetch is handled.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from pbem.core.spans import FOREVER
from pbem.office import Office
from pbem.settings import Settings
from pbem.store import locking, pauses
from pbem.store.engine import Connection

log = logging.getLogger("pbem.clock")

SILENCE = timedelta(hours=1)
"""Minimum gap that counts as an outage."""
IMAP, MAILDIR = "imap", "maildir"


def named(settings: Settings) -> tuple[str, ...]:
    """The configured mailboxes, by the names of their heartbeats."""
    here = {IMAP: settings.imap, MAILDIR: settings.maildir}
    return tuple(name for name, place in here.items() if place is not None)


def looked_until(office: Office, db: Connection) -> datetime:
    """The time until which all mail is fetched; FOREVER without mailboxes."""
    beats = (pauses.last_beat(db, name) for name in named(office.settings))
    return min((beat for beat in beats if beat is not None), default=FOREVER)


def silent(office: Office, looked: datetime) -> bool:
    """True if the mailbox's gap since `looked` is an outage."""
    return office.now() - looked > _patience(office)


def begin(office: Office, name: str) -> datetime:
    """The beginning of a fetch. The first one records a heartbeat at once, so that a gap has a beginning."""
    now = office.now()
    with office.store.write() as db:
        if pauses.last_beat(db, name) is None:
            pauses.beat(db, name, now)
    return now


def answers(office: Office, name: str, begun: datetime) -> None:
    """Credit an outage that ends with the mailbox's answer."""
    with office.store.write() as db:
        last = pauses.last_beat(db, name)
        if last is None or begun <= last + _patience(office):
            return
        pauses.add_outage(db, last, begun)
        locking.look_at_all(db, begun)
    log.warning("%s did not answer from %s to %s; every clock gets that time back", name, last, begun)


def all_fetched(office: Office, name: str, begun: datetime) -> None:
    """Record a complete fetch of all mail from before `begun`."""
    answers(office, name, begun)
    with office.store.write() as db:
        pauses.beat(db, name, begun)


def forget_others(office: Office) -> None:
    """Drops heartbeats of mailboxes no longer configured. They must not count as outages."""
    with office.store.write() as db:
        pauses.stop_beats(db, {IMAP, MAILDIR} - set(named(office.settings)))


def _patience(office: Office) -> timedelta:
    return SILENCE + timedelta(seconds=office.settings.poll)
