"""Up to when each mailbox of ours has been looked into: what came later, no clock may judge yet.

A heart beats for each, at the moment when a look begins that finds all there is. One that is silent for
more than an hour is an outage, and every clock gets it back before any mail of that look is handled.
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
"""How long a silence must be to be an outage."""
IMAP, MAILDIR = "imap", "maildir"


def named(settings: Settings) -> tuple[str, ...]:
    """The mailboxes that are looked into, by the names of their hearts."""
    here = {IMAP: settings.imap, MAILDIR: settings.maildir}
    return tuple(name for name, place in here.items() if place is not None)


def looked_until(office: Office, db: Connection) -> datetime:
    """The moment up to which all that came has been fetched; FOREVER where nothing is to be fetched."""
    beats = (pauses.last_beat(db, name) for name in named(office.settings))
    return min((beat for beat in beats if beat is not None), default=FOREVER)


def silent(office: Office, looked: datetime) -> bool:
    """Whether a mailbox last looked into at `looked` has been silent for so long that it is an outage."""
    return office.now() - looked > _patience(office)


def begin(office: Office, name: str) -> datetime:
    """When a look into a mailbox begins. The first beats at once, so that a silence has a beginning."""
    now = office.now()
    with office.store.write() as db:
        if pauses.last_beat(db, name) is None:
            pauses.beat(db, name, now)
    return now


def answers(office: Office, name: str, begun: datetime) -> None:
    """The mailbox answers a look that has begun: if that ends an outage, give it back."""
    with office.store.write() as db:
        last = pauses.last_beat(db, name)
        if last is None or begun <= last + _patience(office):
            return
        pauses.add_outage(db, last, begun)
        locking.look_at_all(db, begun)
    log.warning("%s did not answer from %s to %s; every clock gets that time back", name, last, begun)


def all_fetched(office: Office, name: str, begun: datetime) -> None:
    """A look is over, and nothing that came before it began is left."""
    answers(office, name, begun)
    with office.store.write() as db:
        pauses.beat(db, name, begun)


def forget_others(office: Office) -> None:
    """The hearts of mailboxes that the settings name no more beat no more, and that is no outage."""
    with office.store.write() as db:
        pauses.stop_beats(db, {IMAP, MAILDIR} - set(named(office.settings)))


def _patience(office: Office) -> timedelta:
    return SILENCE + timedelta(seconds=office.settings.poll)
