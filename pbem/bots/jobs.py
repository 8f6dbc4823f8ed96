"""Jobs of bots beside their games, once each, within the same budget.

A job is computed outside every transaction. One transaction stores and delivers the result, so that a
process killed at any moment delivers nothing twice.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.app import App
from pbem.bots import analysis, hints, proofs, puzzles
from pbem.duties import budget
from pbem.store import bot_jobs, bots, engine
from pbem.store.bot_jobs import Job

log = logging.getLogger("pbem.bots")

LEASE = timedelta(minutes=10)
RETRY_AFTER = timedelta(minutes=1)


@dataclass(frozen=True)
class JobKind:
    """A kind of job: its computation, and use of its JSON result."""

    compute: Callable[[App, Job], Any]
    deliver: Callable[[App, engine.Connection, Job, Any, datetime], None] = lambda *_: None
    urgent: bool = False
    """True if somebody waits for the job: such jobs come first, and may use all the day's budget."""


KINDS: Mapping[str, JobKind] = {
    "hint": JobKind(hints.compute_hint, hints.deliver_hint, urgent=True),
    "analysis": JobKind(analysis.compute_analysis, analysis.deliver_analysis),
    "moments": JobKind(analysis.compute_moment, analysis.deliver_moment),
    "proof": JobKind(proofs.compute_proof, proofs.deliver_proof, urgent=True),
    puzzles.KIND: JobKind(puzzles.compute_puzzles, puzzles.deliver_puzzles),
}


HINTS = {"hint": KINDS["hint"]}
"""Jobs with a thread of their own, as somebody looks at the page meanwhile."""
PROOFS = {"proof": KINDS["proof"]}
"""Jobs that take long and much memory: none runs beside a move of the slow levels."""


def do_one(app: App, kinds: Mapping[str, JobKind] = KINDS) -> bool:
    """Do one job, urgent ones first. False if there is none, or no time left today."""
    now, most = app.clock(), budget.seconds_of_player(app)
    urgent = [name for name, kind in kinds.items() if kind.urgent]
    others = [name for name, kind in kinds.items() if not kind.urgent]
    with app.store.write() as db:
        job = None
        if budget.has_time(app, db, now):
            job = bot_jobs.claim_job(db, now, now + LEASE, urgent, most)
        if job is None and budget.has_time(app, db, now, budget.SHARE_OF_JOBS):
            job = bot_jobs.claim_job(db, now, now + LEASE, others, most)
    if job is None:
        return puzzles.KIND in kinds and puzzles.queue_searches(app)
    app.step("claim job")
    try:
        _do(app, job, kinds[job.kind])
    except Exception as error:
        if engine.is_unavailable(error):
            with engine.unless_unavailable(), app.store.write() as db:
                bot_jobs.release_job(db, job, app.clock())
            raise
        log.exception("%s %s: a bot could not work it out", job.kind, job.key)
        with app.store.write() as db:
            bot_jobs.delay_job(db, job, app.clock(), RETRY_AFTER)
    return True


def _do(app: App, job: Job, kind: JobKind) -> None:
    begun = time.monotonic()
    result = kind.compute(app, job)
    app.step("compute job")
    now = app.now()
    with app.store.write() as db:
        bots.add_seconds(db, job.player_id, time.monotonic() - begun, now)
        if bot_jobs.finish_job(db, job, result):
            kind.deliver(app, db, job, result, now)
    app.wake()
