"""A process that waits to be told to stop hears it, whenever and wherever the signal arrives."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from pbem.commands.stopping import SIGNALS, told_to_stop

PATIENCE_SECONDS = 10


def later(work: Callable[[], None]) -> threading.Thread:
    """A thread that works when the main one waits."""

    def run() -> None:
        time.sleep(0.05)
        work()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_came_before_the_wait_ends_it(number: signal.Signals) -> None:
    with told_to_stop() as stopped:
        assert not stopped.is_set()
        signal.raise_signal(number)
        assert stopped.is_set()
        assert stopped.wait(PATIENCE_SECONDS)
        assert stopped.wait()  # told once, told for good


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_to_the_process_ends_the_wait(number: signal.Signals) -> None:
    with told_to_stop() as stopped:
        thread = later(lambda: os.kill(os.getpid(), number))
        assert stopped.wait(PATIENCE_SECONDS)
        thread.join()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_taken_by_another_thread_ends_the_wait(number: signal.Signals) -> None:
    """The main thread's own wait is not interrupted then: so it is with a signal right before it blocks."""
    with told_to_stop() as stopped:
        thread = later(lambda: signal.pthread_kill(threading.get_ident(), number))
        assert stopped.wait(PATIENCE_SECONDS)
        thread.join()


def test_without_a_signal_the_wait_ends_in_time() -> None:
    with told_to_stop() as stopped:
        begun = time.monotonic()
        assert not stopped.wait(0.05)
        assert 0.05 <= time.monotonic() - begun < PATIENCE_SECONDS


def test_afterwards_signals_do_what_they_did() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with told_to_stop():
        assert before != [signal.getsignal(number) for number in SIGNALS]
    assert before == [signal.getsignal(number) for number in SIGNALS]
    assert -1 == signal.set_wakeup_fd(-1)
