"""What is kept waits behind no queue of decisions, and no thread waits for good."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic, sleep

from pbem.app import App
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.store.write_queue import WriteQueue
from tests.apps import BILL

WRITES_SECONDS = 0.02
MAILS = 20


def test_a_mail_is_kept_after_the_decision_in_hand_however_many_wait(app: App) -> None:
    """Two threads decide without a pause; a mail may come while one of them does, and one more has begun."""
    ended, begun = Event(), [0]

    def decide() -> None:
        while not ended.is_set():
            with app.store.write():
                begun[0] += 1
                sleep(WRITES_SECONDS)

    passed = []
    with ThreadPoolExecutor(2) as workers:
        for _ in range(2):
            workers.submit(decide)
        try:
            while not begun[0]:
                sleep(0.001)
            for number in range(MAILS):
                before = begun[0]
                receive(app, new_mail(BILL, "play@localhost", f"games {number}"), BILL, ["play@localhost"])
                passed.append(begun[0] - before)
        finally:
            ended.set()
    assert sum(passed) <= 2 * MAILS, passed


def test_those_that_wait_longer_than_they_should_go_on_to_the_lock_itself() -> None:
    queue = WriteQueue(0.05)
    with queue.turn(first=False), ThreadPoolExecutor(1) as other:

        def also() -> float:
            begun = monotonic()
            with queue.turn(first=True):
                return monotonic() - begun

        assert 0.05 <= other.submit(also).result(60) < 5
    with queue.turn(first=False):
        pass
