"""Moves old bytes to PBEM_BLOBS once a day, in one process. What was released is deleted within a minute."""

import logging
from collections.abc import Callable
from datetime import timedelta

from pbem.app import App
from pbem.config.logs import trouble
from pbem.outbox.drain import never_stop
from pbem.store import blob_moves
from pbem.store.engine import Unavailable
from pbem.worker.retention import is_due_daily

log = logging.getLogger("pbem.blobs")

NAME = "blobs"


def tend_blobs(app: App, until: Callable[[], bool] = never_stop) -> None:
    """Delete what nobody needs, and once a day move what is old. Without PBEM_BLOBS do nothing."""
    if app.config.blobs is None:
        return
    try:
        blob_moves.delete_released_blobs(app.store, until)
        if is_due_daily(app, NAME):
            move(app, until)
    except Unavailable as error:
        log.warning("%s; the next round tries again, of a move tomorrow", error, extra=trouble(NAME, error))


def move(app: App, until: Callable[[], bool] = never_stop) -> tuple[int, int]:
    """Move old bytes and sweep; returns the numbers of moved rows and deleted orphans."""
    now = app.now()
    moved = blob_moves.move_old_bytes(app.store, now, now - timedelta(days=app.config.blob_days), until)
    orphans = blob_moves.delete_orphans(app.store, now, until)
    if moved or orphans:
        log.info("moved %d old mails and letters to PBEM_BLOBS, and deleted %d orphans there", moved, orphans)
    return moved, orphans
