"""Moves old bytes to PBEM_BLOBS once a day, in one process. What was released is deleted within a minute."""

import logging
from collections.abc import Callable
from datetime import timedelta

from pbem.app import App
from pbem.config.logs import trouble
from pbem.outbox.drain import never_stop
from pbem.store import blob_moves, outages
from pbem.store.blob_owner import other_owner, own_blobs
from pbem.store.engine import Unavailable
from pbem.worker.retention import EVERY, claim_if_due

log = logging.getLogger("pbem.blobs")

DONE, GOING = "blobs", "blobs.move"
"""Names of heartbeats: the last move that came to its end, and the one that goes on."""
LEASE = timedelta(minutes=2)
"""Time without a heartbeat after which a move was interrupted, and the next round goes on with it."""


def tend_blobs(app: App, until: Callable[[], bool] = never_stop) -> None:
    """Delete what nobody needs, and once a day move what is old. Without PBEM_BLOBS do nothing."""
    if app.config.blobs is None:
        return

    def stop() -> bool:
        return until() or other_owner(app.store, app.config.host) is not None

    try:
        if owner := other_owner(app.store, app.config.host):
            why = "PBEM_BLOBS is of %s: nothing is moved or deleted there until `pbem own-blobs`"
            log.error(why, owner, extra=trouble(DONE))
            return
        own_blobs(app.store, app.config.host)
        blob_moves.delete_released_blobs(app.store, stop)
        if _claim_if_due(app):
            _move_daily(app, stop)
    except Unavailable as error:
        log.warning("%s; a later round goes on", error, extra=trouble(DONE, error))


def _claim_if_due(app: App) -> bool:
    """Say if a day has passed since the last whole move. If so, claim it. No other move may be going on."""
    with app.store.read() as db:
        done = outages.last_heartbeat(db, DONE)
    return (done is None or app.now() - done >= EVERY) and claim_if_due(app, GOING, LEASE)


def _move_daily(app: App, stop: Callable[[], bool]) -> None:
    def beat() -> bool:
        _record(app, GOING)
        return stop()

    move(app, beat)
    if not stop():
        _record(app, DONE)


def _record(app: App, name: str) -> None:
    with app.store.write() as db:
        outages.record_heartbeat(db, name, app.now())


def move(app: App, until: Callable[[], bool] = never_stop) -> tuple[int, int]:
    """Move old bytes and sweep. Return the numbers of moved rows and deleted orphans."""
    now = app.now()
    moved = blob_moves.move_old_bytes(app.store, now, now - timedelta(days=app.config.blob_days), until)
    orphans = blob_moves.delete_orphans(app.store, now, until)
    if moved or orphans:
        log.info("moved %d old mails and letters to PBEM_BLOBS, and deleted %d orphans there", moved, orphans)
    return moved, orphans
