"""Purges data older than the settings allow, once a day. Several processes may do it."""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from pbem.app import App
from pbem.mail.authentication.coverage import SEALS_KEPT
from pbem.mail.outbound.message import blank_secrets
from pbem.outbox.drain import never_stop
from pbem.store import outages, outbox_delivery, retention
from pbem.store.retention import AgeLimits

log = logging.getLogger("pbem.purging")

NAME = "purge"
EVERY = timedelta(days=1)
FAREWELL_LIFETIME = timedelta(days=3)
"""The lifetime of records about farewell letters and sign-in requests."""
MAX_BLANKED = 100
"""Letters blanked in one transaction."""
SLICE = 500
"""Rows checked in one transaction: on SQLite every writer waits for it."""


def purge_daily(app: App, until: Callable[[], bool] = never_stop) -> Counter[str]:
    """Purge if nobody has for a day; returns the counts."""
    return purge(app, until) if _claim_if_due(app) else Counter()


def _claim_if_due(app: App) -> bool:
    """Claim the purge. True if no process has claimed it for a day."""
    now = app.now()
    with app.store.read() as db:
        last = outages.last_heartbeat(db, NAME)
    if last is not None and now - last < EVERY:
        return False
    with app.store.write() as db:
        last = outages.record_heartbeat(db, NAME, now)  # recent if another process was faster
    return last is None or now - last >= EVERY


def purge(app: App, until: Callable[[], bool] = never_stop) -> Counter[str]:
    """Remove old data as time allows before `until()`; returns counts."""
    now, config, gone = app.now(), app.config, Counter[str]()
    mails, letters = timedelta(days=config.keep_mails), timedelta(days=config.keep_letters)
    traces = max(timedelta(days=config.keep_traces), mails, letters)
    ages = AgeLimits(now - mails, now - letters, now - traces, now - SEALS_KEPT, now - FAREWELL_LIFETIME)
    for purged in retention.purge_in_slices(app.store, ages, SLICE, until):
        gone += purged
        app.step("purge")
    for table, old in retention.old_row_conditions(ages):
        while not until():
            rows = retention.delete_old_rows(app.store, table, old, SLICE)
            gone += Counter(rows=rows)
            if rows < SLICE:
                break
    if gone:
        log.info("forgot the text of %(mails)d mails and %(letters)d letters, and %(rows)d rows", gone)
    return gone


def blank_sent(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Blank the secrets in sent letters; returns their number. The mailroom's keep theirs."""
    done = 0
    while not app.config.development and not until():
        now = app.now()
        with app.store.read() as db:
            found = outbox_delivery.letters_to_blank(db, now, MAX_BLANKED)
        if not found:
            break
        clean = {id: _without_secrets(id, raw) for id, raw in found.items()}
        with app.store.write() as db:
            outbox_delivery.store_blanked(db, clean, now)
        done += len(clean)
    return done


def _without_secrets(id: int, raw: bytes) -> bytes:
    try:
        return blank_secrets(raw)
    except Exception:
        log.exception("o%d: its secrets could not be found, so nothing of it is kept", id)
        return b""
