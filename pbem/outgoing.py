"""Step 10: letters leave the outbox for the relay, at least once and always as the same bytes.

What became of them is noted in one commit for several, so a crash sends those once more, with the same
Message-ID, and never writes another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbem import returns
from pbem.core.letters import Letter
from pbem.mail.sending import GIVE_UP_AFTER, Away, Never, NotNow, next_try
from pbem.office import Office
from pbem.reminding import why_moot
from pbem.secretary import letter_key, write_letters
from pbem.store import delivery, post
from pbem.store.delivery import Due
from pbem.store.engine import Connection

log = logging.getLogger("pbem.post")

LEASE = timedelta(minutes=10)
LETTERS = 16
"""Claimed at a time: so many at most are sent once more after a crash."""
NOTE_AFTER = timedelta(seconds=1)
"""Nor does it stay unnoted for longer than this where the relay is slow."""


def never() -> bool:
    """Whether to stop: no."""
    return False


def send_due(office: Office, until: Callable[[], bool] = never) -> int:
    """Hand over the letters whose time has come, oldest first; how many the relay took.

    The letter in hand is finished; what else was claimed is put back, due at once, where `until()` says
    so or the relay is away. It ends there, and where the pace leaves no room, until it is called again.
    """
    taken = 0
    while not until() and (claimed := _claim(office)):
        offered = _offer(office, claimed, until)
        _note(office, offered, claimed[len(offered) :])
        taken += sum(trouble is None for _letter, trouble in offered)
        if isinstance(offered[-1][1], Away):
            break
    return taken


Offered = tuple[Due, Exception | None]
"""A letter that was offered to the relay, and why it was not taken; None: it was."""


def _claim(office: Office) -> list[Due]:
    most = office.pace.room(office.clock(), LETTERS)
    if most < 1:
        return []
    with office.store.write() as db:
        while claimed := delivery.claim(db, office.clock(), LEASE, most):
            wanted = [letter for letter in claimed if not _dropped(office, db, letter)]
            if wanted:
                return wanted
    return []


def _dropped(office: Office, db: Connection, letter: Due) -> bool:
    """Whether a letter is not to be sent any more: a reminder of a turn that is over."""
    why = why_moot(office, db, letter)
    if why:
        delivery.dropped(db, letter.id, why)
        log.info("o%d dropped: %s", letter.id, why)
    return bool(why)


def _offer(office: Office, claimed: Sequence[Due], until: Callable[[], bool]) -> list[Offered]:
    """Offer claimed letters to the relay one by one: one at least, all if nothing is in the way."""
    offered: list[Offered] = []
    begun = office.clock()
    for letter in claimed:
        trouble = _send(office, letter)
        offered.append((letter, trouble))
        if isinstance(trouble, Away) or until() or office.clock() - begun >= NOTE_AFTER:
            break
    return offered


def _send(office: Office, letter: Due) -> Exception | None:
    """Offer one letter; why it was not taken."""
    office.pace.count(office.clock())
    try:
        office.sender.send(letter.envelope_from, letter.recipient, letter.raw)
    except (NotNow, Never) as trouble:
        return trouble
    except Exception as fault:  # ours: the letter waits, and those behind it are not held up
        log.exception("o%d failed", letter.id)
        return fault
    office.step("send")
    return None


def _note(office: Office, offered: Sequence[Offered], rest: Sequence[Due]) -> None:
    """Write down in one commit what was taken, and put the rest back; then each trouble by itself.

    So nothing that goes wrong over a letter that was not taken has those that were sent once more.
    """
    now = office.clock()
    sent = [letter for letter, trouble in offered if trouble is None]
    with office.store.write() as db:
        if sent:
            delivery.sent(db, [letter.id for letter in sent], now)
        if rest:
            delivery.put_back(db, [letter.id for letter in rest])
    for letter in sent:
        log.info("o%d sent: %s", letter.id, letter.kind)
    for letter, trouble in offered:
        if trouble is not None:
            with office.store.write() as db:
                _note_trouble(office, db, letter, trouble, now)


def _note_trouble(office: Office, db: Connection, letter: Due, trouble: Exception, now: datetime) -> None:
    """A letter was not taken: it is tried again, or given up and the operator told."""
    ours = not isinstance(trouble, NotNow | Never)
    why = type(trouble).__name__ if ours else str(trouble)
    if isinstance(trouble, Never):
        _give_up(office, db, letter, why)
    elif not ours and now - letter.created_at >= GIVE_UP_AFTER:
        _give_up(office, db, letter, f"given up after {GIVE_UP_AFTER.days} days: {why}")
    else:
        delivery.later(db, letter.id, now + next_try(letter.attempts), why)
        log.warning("o%d waits: %s", letter.id, why)


def _give_up(office: Office, db: Connection, letter: Due, why: str) -> None:
    log.error("o%d failed: %s", letter.id, why)
    now = office.now()
    delivery.failed(db, letter.id, why)
    told = returns.refused(office, db, letter, why, now)
    post.queue(db, write_letters(office, db, told, now, about=f"o{letter.id}"), now)
    if letter.kind != "shunted":
        tell_operator(office, db, f"o{letter.id}", why, now)


def tell_operator(office: Office, db: Connection, key: str, error: str, now: datetime) -> None:
    """A letter to the operator about what only he can mend, once for each `key`."""
    if office.settings.operator is None:
        return
    letter = Letter("shunted", office.settings.operator, None, facts={"key": key, "error": error})
    if not post.has_key(db, letter_key(letter, key, 1)):
        post.queue(db, write_letters(office, db, (letter,), now, about=key), now)
