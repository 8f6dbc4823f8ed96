"""Step 10: letters leave the outbox for the relay, at least once and always as the same bytes.

What became of them is noted in one commit for several, so a crash sends those once more, with the same
Message-ID, and never writes another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from pbem import returns
from pbem.core.letters import Letter
from pbem.drain import drain, never
from pbem.mail.sending import GIVE_UP_AFTER, Away, Denied, Never, NotNow, Unclear, next_try
from pbem.office import Office
from pbem.reminding import KINDS as REMINDERS
from pbem.reminding import why_moot
from pbem.secretary import letter_key, queue_letters
from pbem.store import delivery, post
from pbem.store.delivery import LATE, OURS, RELAY, Due
from pbem.store.engine import Connection, is_gone

log = logging.getLogger("pbem.post")

LEASE = timedelta(minutes=10)
LETTERS = 16
"""Claimed at a time: so many at most are sent once more after a crash."""
NOTE_AFTER = timedelta(seconds=1)
"""Nor does it stay unnoted for longer than this where the relay is slow."""
TO_STRANGERS = ("confirm", "newaddress")
"""Kinds of letters to addresses that proved nothing: whoever forges such an address is to raise no alarm."""
MAX_FAULTS = 6
"""How often a letter may fail through a fault of ours, over more than an hour, before it is set aside."""
TRIES_IF_UNCLEAR = 5
"""How often a letter is refused for good by a code that says not why, while others are taken, to be final."""


def send_due(office: Office, until: Callable[[], bool] = never) -> int:
    """Hand over the letters whose time has come, oldest first; how many the relay took.

    The letter in hand is finished; what else was claimed is put back, due at once, where `until()` says
    so or the relay is away. It ends there, and where the pace leaves no room, until it is called again.
    """

    def step() -> tuple[int, bool]:
        claimed = _claim(office)
        if not claimed:
            return 0, False
        offered = _offer(office, claimed, until)
        _note(office, offered, claimed[len(offered) :])
        taken = sum(trouble is None for _letter, trouble in offered)
        return taken, not isinstance(offered[-1][1], Away)

    return drain(step, until)


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
    """Whether a letter is not to be sent any more: a reminder of a turn that is over. In doubt it is sent."""
    if letter.kind not in REMINDERS:
        return False
    why = ""
    with _alone(db, f"o{letter.id}: whether it is needed still cannot be told, so it is sent"):
        why = why_moot(office, db, letter)
    if why:
        delivery.dropped(db, letter.id, why)
        log.info("o%d dropped: %s", letter.id, why)
    return bool(why)


@contextmanager
def _alone(db: Connection, otherwise: str) -> Iterator[None]:
    """Do a thing whose failure undoes nothing else of the transaction; the log says what follows then."""
    try:
        with db.begin_nested():
            yield
    except Exception as fault:
        if is_gone(fault):
            raise
        log.exception("%s", otherwise)


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
    troubles = [(letter, trouble) for letter, trouble in offered if trouble is not None]
    everybody = not sent and len({letter.recipient for letter, trouble in troubles if _refuses(trouble)}) > 1
    for letter, trouble in troubles:
        _note_alone(office, letter, trouble, everybody, now)
    denied = [str(trouble) for _, trouble in troubles if isinstance(trouble, Denied) or everybody]
    if denied and not sent:
        log.error("the relay refuses us; letters wait until its settings or ours are mended: %s", denied[0])


def _refuses(trouble: Exception) -> bool:
    return isinstance(trouble, Denied | Unclear)


def _note_alone(office: Office, letter: Due, trouble: Exception, everybody: bool, now: datetime) -> None:
    """Note one trouble; where even that fails, the letter waits like after any fault of ours."""
    try:
        with office.store.write() as db:
            _note_trouble(office, db, letter, trouble, everybody, now)
    except Exception as fault:
        if is_gone(fault):
            raise
        log.exception("o%d: what became of it could not be noted", letter.id)
        with office.store.write() as db:
            _note_fault(office, db, letter, type(fault).__name__, now)


def _note_trouble(
    office: Office, db: Connection, letter: Due, trouble: Exception, everybody: bool, now: datetime
) -> None:
    """A letter was not taken: it is tried again, or given up and the operator told.

    `everybody`: the relay refused several letters in a row and took none.
    """
    if not isinstance(trouble, NotNow | Never):
        _note_fault(office, db, letter, type(trouble).__name__, now)
        return
    why, old = str(trouble), now - letter.created_at >= GIVE_UP_AFTER
    waits = isinstance(trouble, Away) or (_refuses(trouble) and not delivery.serves_others(db, letter))
    final = isinstance(trouble, Unclear) and letter.attempts >= TRIES_IF_UNCLEAR
    if isinstance(trouble, Never) or (final and not waits):
        _give_up(office, db, letter, why)
    elif old and not waits:
        alarm = "" if letter.kind in TO_STRANGERS else LATE
        _give_up(office, db, letter, f"given up after {GIVE_UP_AFTER.days} days: {why}", alarm)
    else:
        refused = waits and (everybody or isinstance(trouble, Denied))
        _wait(db, letter, why, now, RELAY if refused else "")


def _note_fault(office: Office, db: Connection, letter: Due, why: str, now: datetime) -> None:
    """A letter failed through a fault of ours: it is tried again, and at last set aside."""
    if letter.faults + 1 >= MAX_FAULTS:
        _give_up(office, db, letter, f"failed {MAX_FAULTS} times here: {why}", OURS)
        return
    delivery.count_fault(db, letter.id)
    _wait(db, letter, why, now)


def _wait(db: Connection, letter: Due, why: str, now: datetime, trouble: str = "") -> None:
    delivery.later(db, letter.id, now + next_try(letter.attempts), why, trouble)
    log.warning("o%d waits: %s", letter.id, why)


def _give_up(office: Office, db: Connection, letter: Due, why: str, trouble: str = "") -> None:
    """Offer a letter no more. Whom to tell is one thing, that it failed another: that stands in any case."""
    log.error("o%d failed: %s", letter.id, why)
    now = office.now()
    delivery.failed(db, letter.id, why, trouble)
    with _alone(db, f"o{letter.id}: opponents could not be told that it failed"):
        told = returns.refused(office, db, letter, why, now)
        queue_letters(office, db, told, now, about=f"o{letter.id}")
    if letter.kind != "shunted":
        with _alone(db, f"o{letter.id}: the operator could not be told that it failed"):
            tell_operator(office, db, f"o{letter.id}", why, now)


def tell_operator(office: Office, db: Connection, key: str, error: str, now: datetime) -> None:
    """A letter to the operator about what only he can mend, once for each `key`."""
    if office.settings.operator is None:
        return
    letter = Letter("shunted", office.settings.operator, None, facts={"key": key, "error": error})
    if not post.has_key(db, letter_key(letter, key, 1)):
        queue_letters(office, db, (letter,), now, about=key)
