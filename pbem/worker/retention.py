"""The daily purge of data older than the settings allow, by any number of processes."""

import logging
from collections.abc import Callable
from datetime import timedelta

from pbem.app import App
from pbem.mail.authentication.coverage import SEALS_KEPT
from pbem.mail.outbound.message import blank_secrets
from pbem.outbox.drain import never_stop
from pbem.store import heartbeats, redact, retention
from pbem.store.retention import AgeLimits, PurgeCounts

log = logging.getLogger("pbem.purging")

NAME = "purge"
EVERY = timedelta(days=1)
FAREWELL_LIFETIME = timedelta(days=3)
"""The lifetime of records about farewell letters and sign-in requests."""
MAX_BLANKED = 100
"""Letters blanked in one transaction."""
SLICE = 500
"""Rows checked in one transaction: on SQLite every writer waits for it."""


def purge_daily(app: App, until: Callable[[], bool] = never_stop) -> PurgeCounts:
    """Purge if nobody has for a day; returns the counts."""
    now = app.now()
    with app.store.read() as db:
        last = heartbeats.last_heartbeat(db, NAME)
    if last is None or now - last >= EVERY:
        with app.store.write() as db:
            last = heartbeats.record_heartbeat(db, NAME, now)  # recent if another process was faster
        if last is None or now - last >= EVERY:
            return purge(app, until)
    return PurgeCounts()


def purge(app: App, until: Callable[[], bool] = never_stop) -> PurgeCounts:
    """Remove what is too old, as much as there is time for before `until()`; returns the counts."""
    ages, gone = _ages(app), PurgeCounts()
    for purged in retention.purge_in_slices(app.store, ages, SLICE, until):
        gone += purged
        app.step("purge")
    for table, old in retention.old_row_conditions(ages):
        while not until():
            rows = retention.delete_old_rows(app.store, table, old, SLICE)
            gone.rows += rows
            if rows < SLICE:
                break
    if gone:
        log.info("forgot the text of %d mails and %d letters, and %d rows", *vars(gone).values())
    return gone


def blank_sent(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Blank the secrets in letters that are sent no more, but for the mailroom; returns their number."""
    done = 0
    while not app.config.development and not until():
        now = app.now()
        with app.store.read() as db:
            found = redact.letters_to_blank(db, now, MAX_BLANKED)
        if not found:
            break
        clean = {id: _without_secrets(id, raw) for id, raw in found.items()}
        with app.store.write() as db:
            redact.store_blanked(db, clean, now)
        done += len(clean)
    return done


def _without_secrets(id: int, raw: bytes) -> bytes:
    try:
        return blank_secrets(raw)
    except Exception:
        log.exception("o%d: its secrets could not be found, so nothing of it is kept", id)
        return b""


def _ages(app: App) -> AgeLimits:
    now, config = app.now(), app.config
    mails, letters = timedelta(days=config.keep_mails), timedelta(days=config.keep_letters)
    traces = max(timedelta(days=config.keep_traces), mails, letters)
    return AgeLimits(now - mails, now - letters, now - traces, now - SEALS_KEPT, now - FAREWELL_LIFETIME)
