"""Stop signals, which reach a waiting process at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from pbem.cli.signals import SIGNALS, stop_on_signals
from tests.cli.program import ROOT

PATIENCE_SECONDS = 60

HANGING = """
from threading import Lock
from pbem.cli.signals import stop_on_signals
with stop_on_signals(0.1) as stopped:
    stopped.before_kill = lambda: print("hung up", flush=True)
    print("here", flush=True)
    lock = Lock()
    lock.acquire()
    lock.acquire()
"""


def later(work: Callable[[], None]) -> threading.Thread:
    """A thread that works while the main one waits."""

    def run() -> None:
        time.sleep(0.05)
        work()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_came_before_the_wait_ends_it(number: signal.Signals) -> None:
    with stop_on_signals() as stopped:
        assert not stopped.is_set()
        signal.raise_signal(number)
        assert stopped.is_set()
        assert stopped.wait(PATIENCE_SECONDS)
        assert stopped.wait()  # one stop signal is enough


def to_the_process(number: int) -> None:
    os.kill(os.getpid(), number)


def to_another_thread(number: int) -> None:
    """Such a signal interrupts no wait of the main thread.

    The same happens if a signal comes right before it blocks.
    """
    signal.pthread_kill(threading.get_ident(), number)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("send", [to_the_process, to_another_thread])
def test_a_signal_during_the_wait_ends_it(send: Callable[[int], None], number: signal.Signals) -> None:
    with stop_on_signals() as stopped:
        thread = later(lambda: send(number))
        assert stopped.wait(PATIENCE_SECONDS)
        thread.join()


def test_without_a_signal_the_wait_ends_in_time() -> None:
    with stop_on_signals() as stopped:
        begun = time.monotonic()
        assert not stopped.wait(0.05)
        assert 0.05 <= time.monotonic() - begun < PATIENCE_SECONDS


def test_afterwards_signals_do_what_they_did() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with stop_on_signals():
        assert before != [signal.getsignal(number) for number in SIGNALS]
    assert before == [signal.getsignal(number) for number in SIGNALS]
    assert -1 == signal.set_wakeup_fd(-1)


def test_who_ends_in_time_is_not_watched_any_longer() -> None:
    with stop_on_signals() as stopped:
        assert "stop" in [thread.name for thread in threading.enumerate()]
        signal.raise_signal(signal.SIGTERM)
        assert stopped.wait(PATIENCE_SECONDS)
    assert "stop" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_process_that_hangs_when_it_is_told_to_stop_is_ended(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HANGING], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert "here\n" == process.stdout.readline()
        process.send_signal(number)
        said, logged = process.communicate(timeout=PATIENCE_SECONDS)
    assert (1, "hung up\n") == (process.returncode, said)
    assert "not at an end 0.1 s after it was told to stop" in logged
