"""Several lines to the relay: who hangs delays nobody else, and everybody gets letters in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from pbem.outbox.lines import Lines
from pbem.store.outbox_delivery import ClaimedLetter
from tests.people import NOON

PATIENCE_SECONDS = 60


def letters(*recipients: str) -> list[ClaimedLetter]:
    return [ClaimedLetter(n, "b@x", who, b"raw", 1, NOON, "turn") for n, who in enumerate(recipients)]


class Relay:
    """It hangs over the recipients in `hangs` until `go_on`."""

    def __init__(self, *hangs: str) -> None:
        self.hangs, self.go_on = set(hangs), Event()
        self.begun: list[int] = []

    def send(self, letter: ClaimedLetter) -> None:
        self.begun.append(letter.id)
        if letter.recipient in self.hangs:
            self.go_on.wait(PATIENCE_SECONDS)


Make = Callable[..., Lines]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[tuple[Relay, Lines]] = []

    def lines(relay: Relay, most: int, *slow: str) -> Lines:
        made.append((relay, Lines(relay.send, most, lambda: set(slow))))  # type: ignore[arg-type]
        return made[-1][1]

    yield lines
    for relay, each in made:
        relay.go_on.set()
        each.close()


def done(lines: Lines, count: int) -> list[int]:
    found = [lines.result(PATIENCE_SECONDS) for _ in range(count)]
    return [result[0].id for result in found if result is not None]


def test_a_recipient_that_hangs_delays_nobody_else(make: Make) -> None:
    relay = Relay("bill")
    lines = make(relay, 2)
    lines.hand_over(letters("bill", "joao", "bill", "anna", "joao"))
    assert [1, 3, 4] == done(lines, 3)
    assert {0, 2} == lines.in_hand
    relay.go_on.set()
    assert [0, 2] == done(lines, 2)


def test_each_gets_letters_in_order(make: Make) -> None:
    relay = Relay()
    lines = make(relay, 4)
    lines.hand_over(letters(*"abcabcabcabcabcabc"))
    finished = done(lines, 18)
    for who in range(3):
        assert [*range(who, 18, 3)] == [n for n in finished if n % 3 == who]


def test_letters_to_one_who_hangs_are_given_back(make: Make) -> None:
    lines = make(Relay("bill"), 2)
    lines.hand_over(letters("bill", "bill", "joao"))
    assert [2] == done(lines, 1)
    assert {"bill"} == lines.avoided()
    assert [1] == [letter.id for letter in lines.take_back(stuck=True)]
    assert {0} == lines.in_hand


def test_those_who_hung_lately_share_a_quarter_of_the_lines(make: Make) -> None:
    relay = Relay("a", "b", "c")
    lines = make(relay, 8, "a", "b", "c")
    lines.hand_over(letters("a", "b", "c", "joao"))
    assert [3] == done(lines, 1)
    assert {"a", "b", "c"} == lines.avoided()
    assert [2] == [letter.id for letter in lines.take_back(stuck=True)]
    relay.go_on.set()
    assert [0, 1] == sorted(done(lines, 2))


def test_what_no_line_has_begun_with_comes_back(make: Make) -> None:
    relay = Relay("bill")
    lines = make(relay, 1)
    lines.hand_over(letters("bill", "joao", "anna"))
    while not relay.begun:
        Event().wait(0.01)
    assert [1, 2] == [letter.id for letter in lines.take_back()]
    assert lines.result(0) is None
    relay.go_on.set()
    assert [0] == done(lines, 1)


def test_without_lines_letters_are_sent_one_by_one(make: Make) -> None:
    relay = Relay()
    lines = make(relay, 0)
    lines.hand_over(letters("bill", "joao"))
    assert [] == relay.begun
    assert [0, 1] == done(lines, 2)
    assert lines.result(0) is None
