"""Mail stored once, letters claimed by one process, on both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from pbem.store import inbox, outbox, outbox_delivery
from pbem.store.engine import Store, open_store
from pbem.store.outbox import OutboundLetter
from tests.people import NOON

pytestmark = pytest.mark.each_database

LEASE = timedelta(minutes=10)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    yield store
    store.close()


def keep(store: Store, dedupe: str = "one") -> tuple[int, bool]:
    with store.write() as db:
        return inbox.store_mail(
            db,
            raw=b"From: x\r\n\r\nf2",
            sender="x@example.org",
            recipient="play@localhost",
            sha256="0" * 64,
            dedupe=dedupe,
            now=NOON,
        )


def a_letter(number: int = 1) -> OutboundLetter:
    return OutboundLetter(
        f"turn:{number}", "turn", None, None, None, None, "b@x", "bill@example.org", f"<{number}@x>", b"raw"
    )


def queue(store: Store, *numbers: int) -> None:
    with store.write() as db:
        outbox.put_in_outbox(db, [a_letter(number) for number in numbers], NOON)


def test_the_second_mail_of_the_same_kind_is_a_duplicate(store: Store) -> None:
    (first, new), (second, again) = keep(store), keep(store)
    assert (True, False) == (new, again)
    with store.read() as db:
        assert ["new", "duplicate"] == [inbox.mail_by_id(db, id).state for id in (first, second)]  # type: ignore[union-attr]


def test_of_many_deliveries_at_once_one_is_new(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(lambda _: keep(store), range(24)))
    assert [True] == [new for _id, new in kept if new]
    assert 24 == len({id for id, _new in kept})


def test_a_mail_waits_until_it_is_filed(store: Store) -> None:
    id, _ = keep(store)
    with store.write() as db:
        assert [id] == inbox.waiting_mail_ids(db, NOON)
        inbox.set_disposition(db, id, "done", "", NOON)
        assert [] == inbox.waiting_mail_ids(db, NOON)
        assert inbox.lock_mail(db, id) is None


def test_a_failed_mail_waits_for_its_time(store: Store) -> None:
    id, _ = keep(store)
    with store.write_unsynced() as db:
        begun = inbox.claim_mail(db, id, NOON, NOON + timedelta(seconds=20))
        assert (1, None) == (begun and begun.attempts, inbox.claim_mail(db, id, NOON, NOON))
    with store.write() as db:
        inbox.record_failed_attempt(db, id, "Traceback …", NOON + timedelta(seconds=20))
        assert [] == inbox.waiting_mail_ids(db, NOON)
        assert [id] == inbox.waiting_mail_ids(db, NOON + timedelta(seconds=20))
        kept = inbox.lock_mail(db, id)
    assert kept is not None
    assert (1, "Traceback …") == (kept.attempts, kept.detail)


def test_whoever_claims_a_mail_can_lock_it_though_others_pass_it_over_meanwhile(store: Store) -> None:
    for n in range(150):
        keep(store, f"{n}")

    def handle(_worker: int) -> int:
        found = 0
        while True:
            with store.write_unsynced() as db:
                mail = inbox.claim_oldest_mail(db, NOON, NOON + LEASE)
            if mail is None:
                return found
            with store.write() as db:
                assert inbox.lock_mail(db, mail.id) is not None
                inbox.set_disposition(db, mail.id, "done", "", NOON)
            found += 1

    with ThreadPoolExecutor(6) as pool:
        assert 150 == sum(pool.map(handle, range(6)))


def test_a_mail_that_another_process_handles_is_not_waited_for_long(postgresql_url: str) -> None:
    store = open_store(postgresql_url)
    id, _ = keep(store)
    with store.write() as theirs:
        assert inbox.lock_mail(theirs, id) is not None
        began = time.monotonic()
        with store.write() as ours:
            assert inbox.lock_mail(ours, id) is None
        assert sum(inbox.LOCK_NAPS_SECONDS) <= time.monotonic() - began < 10
    store.close()


def test_each_claim_takes_the_oldest_mail_that_nobody_has(store: Store) -> None:
    one, two, three = (keep(store, f"{n}")[0] for n in range(3))
    until = NOON + timedelta(seconds=20)

    def claim(at: datetime = NOON, besides: tuple[int, ...] = ()) -> int | None:
        with store.write_unsynced() as db:
            begun = inbox.claim_oldest_mail(db, at, until, besides)
        return begun and begun.id

    assert [two, one, three, None] == [claim(besides=(one,)), claim(), claim(), claim()]
    assert [one, None] == [claim(until), claim(until, (one, two, three))]


def test_many_workers_claim_each_mail_once(store: Store) -> None:
    ids = [keep(store, f"{n}")[0] for n in range(40)]

    def claim(_: int) -> int | None:
        with store.write_unsynced() as db:
            begun = inbox.claim_oldest_mail(db, NOON, NOON + timedelta(seconds=20))
        return begun and begun.id

    with ThreadPoolExecutor(6) as pool:
        claimed = list(pool.map(claim, ids))
    assert ids == sorted(id for id in claimed if id is not None)


def test_an_attempt_that_was_none_is_not_counted(store: Store) -> None:
    id, _ = keep(store)
    for _ in range(5):
        with store.write_unsynced() as db:
            assert inbox.claim_mail(db, id, NOON, NOON + timedelta(seconds=20)) is not None
        with store.write_unsynced() as db:
            inbox.delay_mail(db, id, None)
    with store.read() as db:
        assert 0 == inbox.mail_by_id(db, id).attempts  # type: ignore[union-attr]


def test_a_mail_put_off_by_a_clock_that_was_ahead_is_due_at_once(store: Store) -> None:
    id, _ = keep(store)
    with store.write_unsynced() as db:
        inbox.claim_mail(db, id, NOON + timedelta(days=40), NOON + timedelta(days=40, seconds=20))
        assert [id] == inbox.waiting_mail_ids(db, NOON)
        assert inbox.claim_mail(db, id, NOON, NOON + timedelta(seconds=20)) is not None


def test_a_mail_waits_for_those_of_a_first_attempt_alone_and_a_clock_for_all(store: Store) -> None:
    (first, _), (again, _) = keep(store, "one"), keep(store, "two")
    later = NOON + timedelta(seconds=1)
    with store.write() as db:
        inbox.set_disposition(db, again, "shunted", "", NOON)
        inbox.reopen_mails(db, [again])
        assert (first, None) == (
            inbox.first_waiting_mail(db, later, again),
            inbox.first_waiting_mail(db, later, first),
        )
        inbox.set_disposition(db, first, "done", "", NOON)
        assert again == inbox.first_waiting_mail(db, later)


def test_what_is_jotted_down_waits_for_no_disk_and_what_comes_after_it_does(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    for begin, synchronous in (
        (store.write_unsynced, 1),
        (store.write, 2),
        (store.read, 2),
        (store.write_unsynced, 1),
    ):
        with begin() as db:
            assert synchronous == db.exec_driver_sql("PRAGMA synchronous").scalar_one()
    store.close()


def test_any_mail_can_be_run_again(store: Store) -> None:
    id, _ = keep(store)
    with store.write() as db:
        inbox.set_disposition(db, id, "shunted", "Traceback …", NOON)
        assert [id] == [kept.id for kept in inbox.mails_in_state(db, "shunted")]
        assert 1 == inbox.reopen_mails(db, [id])
        assert [id] == inbox.waiting_mail_ids(db, NOON)


def test_a_letter_is_claimed_by_one_for_as_long_as_the_lease(store: Store) -> None:
    queue(store, 1, 2)
    with store.write() as db:
        assert 2 == len(outbox_delivery.claim_letters(db, NOON, LEASE, 10))
        assert [] == outbox_delivery.claim_letters(db, NOON, LEASE, 10)
        again = outbox_delivery.claim_letters(db, NOON + LEASE, LEASE, 10)
    assert [2, 2] == [letter.attempts for letter in again]


def test_many_senders_share_letters_without_sending_any_twice(store: Store) -> None:
    queue(store, *range(60))

    def claim(_: int) -> list[int]:
        with store.write() as db:
            return [letter.id for letter in outbox_delivery.claim_letters(db, NOON, LEASE, 7)]

    with ThreadPoolExecutor(6) as pool:
        claimed = [id for ids in pool.map(claim, range(24)) for id in ids]
    assert 60 == len(claimed) == len(set(claimed))


def test_a_sent_letter_is_not_due_again_and_a_failed_one_neither(store: Store) -> None:
    queue(store, 1, 2, 3)
    with store.write() as db:
        one, two, three = outbox_delivery.claim_letters(db, NOON, LEASE, 10)
        outbox_delivery.record_sent(db, [one.id], NOON)
        outbox_delivery.record_final_failure(db, two.id, "550 no such user")
        outbox_delivery.record_delay(db, three.id, NOON + timedelta(seconds=5), "451 busy")
        due = outbox_delivery.claim_letters(db, NOON + timedelta(days=1), LEASE, 10)
        assert [three.id] == [letter.id for letter in due]
        assert {"failed": 1, "queued": 1, "sent": 1} == inbox.count_by_state(db)["letters out"]


def test_letters_that_are_put_back_are_due_at_once_as_if_never_claimed(store: Store) -> None:
    queue(store, 1, 2, 3)
    with store.write() as db:
        claimed = outbox_delivery.claim_letters(db, NOON, LEASE, 10)
        outbox_delivery.release_claims(db, [letter.id for letter in claimed[1:]])
        again = outbox_delivery.claim_letters(db, NOON, LEASE, 10)
        assert [letter.id for letter in claimed[1:]] == [letter.id for letter in again]
        assert [1, 1] == [letter.attempts for letter in again]


def test_the_same_letter_cannot_be_queued_twice(store: Store) -> None:
    queue(store, 1)
    with pytest.raises(IntegrityError):
        queue(store, 1)


def test_letters_are_counted_by_address_time_and_kind(store: Store) -> None:
    queue(store, 1, 2)
    with store.read() as db:
        before = NOON - timedelta(hours=1)
        assert 2 == outbox.count_letters(db, "bill@example.org", before)
        assert 2 == outbox.count_letters(db, "bill@example.org", before, ("turn",))
        assert 0 == outbox.count_letters(db, "bill@example.org", before, ("chat",))
        assert 0 == outbox.count_letters(db, "bill@example.org", NOON)
