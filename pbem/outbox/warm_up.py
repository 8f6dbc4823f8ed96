"""Letters of a new server beyond the day's ceiling of a mail provider, which wait and are never lost."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from pbem.app import App
from pbem.core.letters.warm_up import DAY, LATER, ceiling_of
from pbem.mail.authentication.results import domain_of
from pbem.store import limits, outages, outbox_delivery
from pbem.store.engine import Connection
from pbem.store.outbox_delivery import ClaimedLetter

BEGUN = "warm-up"
"""The row of `heartbeats` with the first day."""
WAIT = timedelta(hours=1)
"""The time until a letter is tried again, so that those who wait leave in their order."""


def ceiling(app: App, db: Connection) -> int | None:
    """Return today's ceiling, or None where PBEM_WARM_UP is off."""
    if app.config.warm_up is None:
        return None
    begun = outages.last_heartbeat(db, BEGUN)
    return ceiling_of(app.config.warm_up, begun or app.clock(), app.clock())


def put_off(app: App, db: Connection, claimed: Sequence[ClaimedLetter]) -> list[ClaimedLetter]:
    """Put off the claimed letters beyond the ceiling; returns the others."""
    if app.config.warm_up is None:
        return list(claimed)
    if outages.last_heartbeat(db, BEGUN) is None:
        outages.record_heartbeat(db, BEGUN, app.clock())
    most = ceiling(app, db) or 0
    in_order = sorted(claimed, key=lambda letter: letter.kind in LATER)
    late = [letter.id for letter in in_order if not _is_within(app, db, letter, most)]
    if late:
        why = f"{most} letters a day go to one provider now (PBEM_WARM_UP)"
        outbox_delivery.put_off(db, late, app.clock() + WAIT, why)
    return [letter for letter in claimed if letter.id not in late]


def _is_within(app: App, db: Connection, letter: ClaimedLetter, most: int) -> bool:
    """Count a letter, if its provider has room today. Kinds that leave later leave half to the others."""
    provider = domain_of(letter.recipient)[:100]
    if letter.kind in LATER and _count(app, db, f"warm-up later {provider}") > most // 2:
        return False
    return _count(app, db, f"warm-up {provider}") <= most


def _count(app: App, db: Connection, what: str) -> int:
    return limits.count_attempt(db, what, app.clock(), DAY)


def count_waiting(app: App, db: Connection) -> dict[str, int]:
    """Count the letters that were put off, by provider."""
    if app.config.warm_up is None:
        return {}
    return dict(sorted(Counter(map(domain_of, outbox_delivery.put_off_recipients(db))).items()))
