"""One mail's way: ten steps from bytes to letters, and the only module that walks them all.

1 receive  2 keep  3 open  4 recognise  5 load  6 read  7 decide  8 write  9 commit  10 send.
Steps 1 and 2 end in one commit, 3 to 9 in a second, so whatever was kept and not filed is found
again by `work_through`, and a crash between any two steps loses nothing and doubles nothing.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from pbem.core.letters import Letter, to_player
from pbem.desk import Desk
from pbem.errands import Filing, attend_person
from pbem.mail.addressing import Address, BadAddress
from pbem.mail.opening import Envelope, Inbound, dedupe_key, open_mail
from pbem.mail.sending import GIVE_UP_AFTER, Never, NotNow, next_try
from pbem.newcomers import ask_for_proof, attend_answer, attend_stranger
from pbem.office import Office
from pbem.recognise import Confirming, Leaving, Person, Stranger, TurnedAway, Unproven, recognise
from pbem.secretary import letter_key, stopping_page, write_letters
from pbem.store import people, post
from pbem.store.engine import Connection, is_gone
from pbem.store.post import Due, Kept

log = logging.getLogger("pbem.post")

LEASE = timedelta(minutes=10)
RETRY_AFTER = timedelta(seconds=20)
MAILS, LETTERS = 50, 16
"""Taken at a time: so many letters that even a relay that never answers lets none outlive its lease."""


# Steps 1 and 2: receive, keep.


def known(office: Office, recipient: str) -> None:
    """Whether mail for `recipient` is taken here; raises BadAddress where it is not."""
    office.addressing.read(recipient)


def receive(office: Office, raw: bytes, sender: str, recipients: Sequence[str]) -> list[str]:
    """Keep a mail for its recipients; when this returns it is durable, and may be acknowledged.

    Gives one key a recipient (`m17`). Raises what the database raises where it cannot be kept.
    """
    office.step("receive")
    now = office.clock()
    digest = sha256(raw).hexdigest()
    with office.store.write() as db:
        kept = [
            post.keep(
                db,
                raw=raw,
                sender=sender,
                recipient=recipient,
                sha256=digest,
                dedupe=dedupe_key(raw, recipient),
                now=now,
            )
            for recipient in recipients
        ]
    office.step("keep")
    for number, new in kept:
        log.info("m%d %s", number, "kept" if new else "duplicate")
    office.wake()
    return [f"m{number}" for number, _new in kept]


# Steps 3 to 9, in one transaction.


def _never() -> bool:
    return False


def work_through(office: Office, until: Callable[[], bool] = _never) -> int:
    """Handle every mail that waits, or those before `until()`; how many were filed.

    Safe in any number of processes.
    """
    filed = 0
    while not until() and (waiting := _waiting(office)):
        done = sum(process(office, number) is not None for number in waiting if not until())
        filed += done
        if not done:
            break
    return filed


def _waiting(office: Office) -> list[int]:
    with office.store.read() as db:
        return post.waiting(db, office.clock(), MAILS)


def process(office: Office, number: int) -> str | None:
    """Handle one kept mail; its state afterwards, None where it is not to be filed now."""
    try:
        with office.store.write() as db:
            kept = post.take(db, number)
            if kept is None:
                return None
            filing = _handle(office, db, kept)
            office.step("write")
        office.step("commit")
    except Exception as error:
        if is_gone(error):
            log.warning("m%d waits: the database does not answer (%s)", number, type(error).__name__)
            return None
        return _failed(office, number, error)
    log.info("m%d %s%s", number, filing.state, f": {filing.detail}" if filing.detail else "")
    return filing.state


def _handle(office: Office, db: Connection, kept: Kept) -> Filing:
    now = office.now()
    inbound = open_mail(kept.raw, Envelope(kept.sender, kept.recipient), office.settings.host)
    office.step("open")
    filing = _answer(office, db, kept, inbound, now)
    queued = write_letters(office, db, filing.letters, now, kept=kept, inbound=inbound)
    post.queue(db, queued, now)
    post.file(
        db,
        kept.id,
        filing.state,
        filing.detail,
        now,
        player_id=filing.player.id if filing.player else None,
        game_id=filing.game_id,
    )
    return filing


def _answer(office: Office, db: Connection, kept: Kept, inbound: Inbound, now: datetime) -> Filing:
    if inbound.kind in ("robot", "bounce", "loop"):
        return Filing(inbound.kind, inbound.reason)
    if inbound.kind == "refused" and not inbound.sender:
        return Filing("refused", inbound.reason)
    try:
        address = office.addressing.read(kept.recipient)
    except BadAddress as wrong:
        return Filing("refused", str(wrong))
    at = kept.received_at.replace(microsecond=0)
    desk = Desk(office, db, inbound, at, now, mail=kept.id)
    who = recognise(desk, address)
    office.step("recognise")
    if isinstance(who, TurnedAway):
        return Filing(who.state, who.detail, who.letters, who.player)
    match who:
        case Leaving(player, category):
            people.stop(db, player, category)
            letter = to_player(
                "stopped", player, category=category, resume=stopping_page(office, player, category)
            )
            return Filing("done", f"stopped {category}", (letter,), player)
        case Person():
            return attend_person(desk, who)
        case Confirming():
            return attend_answer(desk, who)
        case Unproven():
            return ask_for_proof(desk, who)
        case Stranger():
            return attend_stranger(desk, who)


def _failed(office: Office, number: int, error: Exception) -> str | None:
    """Note what went wrong; after the last attempt put the mail aside and tell the operator."""
    story = "".join(traceback.format_exception(error))
    now = office.now()
    log.error("m%d failed: %s", number, type(error).__name__, exc_info=error)
    with office.store.write() as db:
        kept = post.take(db, number)
        if kept is None:
            return None
        post.failed(db, number, story, office.clock() + RETRY_AFTER)
        if kept.attempts + 1 < office.settings.attempts:
            return None
        post.file(db, number, "shunted", story, now)
        _tell_operator(office, db, kept.key, story.strip().splitlines()[-1], now)
    return "shunted"


def _tell_operator(office: Office, db: Connection, key: str, error: str, now: datetime) -> None:
    if office.settings.operator is None:
        return
    letter = Letter("shunted", office.settings.operator, None, facts={"key": key, "error": error})
    if not post.has_key(db, letter_key(letter, key, 1)):
        post.queue(db, write_letters(office, db, (letter,), now, about=key), now)


# Step 10: send.


def send_due(office: Office, until: Callable[[], bool] = _never) -> int:
    """Hand over the letters whose time has come, oldest first; how many the relay took.

    What was claimed is finished; after `until()` no more are.
    """
    taken = 0
    while not until() and (claimed := _claim(office)):
        taken += sum(_send(office, letter) for letter in claimed)
    return taken


def _claim(office: Office) -> list[Due]:
    with office.store.write() as db:
        return post.claim_letters(db, office.clock(), LEASE, LETTERS)


def _send(office: Office, letter: Due) -> bool:
    """Send one claimed letter and note what came of it; whether it was taken."""
    key, now = f"o{letter.id}", office.clock()
    try:
        office.sender.send(letter.envelope_from, letter.recipient, letter.raw)
        office.step("send")
    except NotNow as trouble:
        if now - letter.created_at < GIVE_UP_AFTER:
            with office.store.write() as db:
                post.letter_later(db, letter.id, now + next_try(letter.attempts), str(trouble))
            log.warning("%s waits: %s", key, trouble)
            return False
        _give_up(office, letter, f"given up after {GIVE_UP_AFTER.days} days: {trouble}")
        return False
    except Never as refusal:
        _give_up(office, letter, str(refusal))
        return False
    except Exception as fault:  # ours: the letter waits, and those behind it are not held up
        log.exception("%s failed", key)
        with office.store.write() as db:
            post.letter_later(db, letter.id, now + next_try(letter.attempts), type(fault).__name__)
        return False
    with office.store.write() as db:
        post.letter_sent(db, letter.id, now)
    log.info("%s sent: %s", key, letter.kind)
    return True


def _give_up(office: Office, letter: Due, why: str) -> None:
    log.error("o%d failed: %s", letter.id, why)
    with office.store.write() as db:
        post.letter_failed(db, letter.id, why)
        if letter.kind != "shunted":
            _tell_operator(office, db, f"o{letter.id}", why, office.now())


__all__ = ["Address", "known", "process", "receive", "send_due", "work_through"]
