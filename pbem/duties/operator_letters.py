"""Letters to the operator: one a month, and urgent ones at once.

Safe in any number of processes: a row claims each letter, in the transaction that queues it.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from pbem import __version__
from pbem.app import App
from pbem.config.parsers import leads_here
from pbem.core.letters.letter import Letter
from pbem.duties import health
from pbem.duties.health import Trouble
from pbem.mail.doctor.certificates import judge_certificate, site_validity
from pbem.mail.doctor.dns import Finding
from pbem.mail.outbound.relay import RelaySender, RelayUnreachable
from pbem.outbox import drain, write
from pbem.store import bounces, inbox, limits, month, outages
from pbem.store.engine import Connection

log = logging.getLogger("pbem.operator")

MONTHLY = "monthly letter"
"""The row of `heartbeats` with the last monthly letter."""
TOLD_AT_ONCE = health.LATE - {health.LETTER_WAITS} | {health.DISK, health.BOTS, health.JOBS, health.PROVIDER}
"""Codes of troubles. Of the others a letter tells already, or no letter would leave."""
AGAIN_AFTER = timedelta(days=1)
RELAY_SECONDS = 10


class OperatorLetters:
    """Work of a worker's thread. A trouble is told that two rounds have seen, so none that just ends."""

    def __init__(self, look: Callable[[App], list[Finding]] | None = None) -> None:
        self._look = look or look_outside
        self._before: frozenset[tuple[str, str]] = frozenset()

    def __call__(self, app: App, _until: Callable[[], bool] = drain.never_stop) -> int:
        """Queue what is due; returns the number of letters."""
        if app.config.operator is None or not app.config.operator_letters:
            return 0
        number = 0
        with drain.log_failure(log, "the operator could not be told of troubles; it is tried again"):
            number += self._tell_troubles(app)
        with drain.log_failure(log, "the operator could not be told what was held back; it is tried again"):
            number += _tell_held_back(app)
        with drain.log_failure(log, "the monthly letter failed; it is tried again"):
            number += _send_month(app, self._look)
        return number

    def _tell_troubles(self, app: App) -> int:
        with app.store.read() as db:
            found = [each for each in health.find_troubles(app, db) if each.code in TOLD_AT_ONCE]
        lasting = [each for each in found if (each.code, each.about) in self._before]
        self._before = frozenset((each.code, each.about) for each in found)
        return _send_troubles(app, lasting) if lasting else 0


def _send_troubles(app: App, troubles: list[Trouble]) -> int:
    now = app.now()
    with app.store.write() as db:
        new = [
            each
            for each in troubles
            if inbox.claim_nonce(db, "trouble", f"{each.code} {each.about}".strip(), now, kept=AGAIN_AFTER)
        ]
        if not new:
            return 0
        about = f"{new[0].code}.{int(now.timestamp())}"
        return _queue(app, db, "trouble", about, now, troubles=[each.words for each in new])


def _tell_held_back(app: App) -> int:
    """Tell of mails held back a day ago. A forwarded letter may have told before."""
    now = app.now()
    with app.store.read() as db:
        if not limits.has_held_back(db, now - AGAIN_AFTER):
            return 0
    with app.store.write() as db:
        held = limits.take_held_back(db, now - AGAIN_AFTER)
        words = [f"{number} mails to {mailbox}@ were held back in a day" for mailbox, number in held.items()]
        about = f"held.{int(now.timestamp())}"
        return _queue(app, db, "trouble", about, now, troubles=words) if words else 0


def _send_month(app: App, look: Callable[[App], list[Finding]]) -> int:
    """Send the letter of the month before, where there was none. The first month has none."""
    now = app.now()
    ends = now.replace(day=1, hour=0, minute=0, second=0)
    with app.store.read() as db:
        last = outages.last_heartbeat(db, MONTHLY)
    if last is not None and last >= ends:
        return 0
    outside = look(app) if last is not None else []  # before the transaction, as it may take long
    with app.store.write() as db:
        last = outages.record_heartbeat(db, MONTHLY, now)
        if last is None or last >= ends:  # or another process was faster
            return 0
        begins = (ends - timedelta(days=1)).replace(day=1)
        facts = _month_facts(app, db, begins, ends)
        return _queue(app, db, "month", f"{begins:%Y-%m}", now, outside=outside, **facts)


def _month_facts(app: App, db: Connection, begins: datetime, ends: datetime) -> dict[str, Any]:
    row = f"v{__version__}"[:20]
    return {
        "begins": begins,
        "numbers": month.count_month(db, begins, ends),
        "troubles": [each.words for each in health.find_troubles(app, db)],
        "failing": bounces.suspended_addresses(db),
        "disks": {folder: free // 1024**2 for folder, free in health.free_space(app).items()},
        "backup_at": outages.last_heartbeat(db, outages.BACKUP_HEARTBEAT),
        "version": __version__,
        "is_new_version": outages.record_heartbeat(db, row, ends) is None,
    }


def _queue(app: App, db: Connection, kind: str, about: str, now: datetime, **facts: Any) -> int:
    assert app.config.operator is not None
    letter = Letter(kind, app.config.operator, None, facts=facts)
    return len(write.queue_letters(app, db, [letter], now, about=about))


def look_outside(app: App) -> list[Finding]:
    """Look at the relay and the web site's certificate now."""
    config, found = app.config, []
    if config.relay is not None:
        try:
            RelaySender(config.relay, RELAY_SECONDS).try_connection()
            found.append(Finding("ok", "relay", f"{config.relay} takes our letters"))
        except RelayUnreachable as trouble:
            found.append(Finding("wrong", "relay", f"{config.relay}: {trouble}"))
    site = urlsplit(config.site)
    if site.scheme == "https" and site.hostname and leads_here(site.hostname):
        ask = partial(site_validity, site.hostname, site.port or 443)
        found.append(judge_certificate("certificate", site.hostname, ask, app.now()))
    return found
