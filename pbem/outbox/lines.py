"""Several connections to the relay. A slow recipient delays no other, and each gets letters in order."""

from collections.abc import Callable, Sequence, Set
from queue import Empty, SimpleQueue
from threading import Condition, Thread

from pbem.store.outbox_delivery import ClaimedLetter

OfferResult = tuple[ClaimedLetter, Exception | None]
"""A letter, and the reason for its refusal; None: accepted."""
SLOW_SHARE = 4
"""One line in this many, and at least one, may serve recipients that hung lately."""


class Lines:
    """Up to `most` threads that send letters. If `most` is 0, `result` sends the next letter itself.

    `send` returns the reason for a refusal, `slow` the recipients that hung lately.
    """

    def __init__(
        self, send: Callable[[ClaimedLetter], Exception | None], most: int, slow: Callable[[], Set[str]]
    ) -> None:
        self._send, self._most, self._slow = send, most, slow
        self._waiting: list[ClaimedLetter] = []
        self._busy = set[str]()
        self._results: SimpleQueue[OfferResult] = SimpleQueue()
        self._changed = Condition()
        self._threads: list[Thread] = []
        self._closed = False
        self.in_hand = set[int]()
        """Numbers of the letters handed over whose result was not taken."""

    def hand_over(self, letters: Sequence[ClaimedLetter]) -> None:
        with self._changed:
            self._waiting += letters
            self.in_hand.update(letter.id for letter in letters)
            wanted = min(self._most, len(self._waiting) + len(self._busy))
            new = [
                Thread(target=self._run, name="line", daemon=True) for _ in range(wanted - len(self._threads))
            ]
            self._threads += new
            self._changed.notify_all()
        for thread in new:
            thread.start()

    def take_back(self, *, stuck: bool = False) -> list[ClaimedLetter]:
        """Remove and return the letters that no line has begun, or only the `stuck` ones among them."""
        avoid = self.avoided()
        with self._changed:
            back = [each for each in self._waiting if not stuck or each.recipient in avoid]
            self._waiting = [each for each in self._waiting if each not in back]
        self.in_hand.difference_update(letter.id for letter in back)
        return back

    def avoided(self) -> set[str]:
        """Return the recipients to whom no other letter can go now."""
        with self._changed:
            slow = self._slow()
            full = len(self._busy & slow) >= max(1, self._most // SLOW_SHARE)
            return self._busy | slow if full else set(self._busy)

    def result(self, seconds: float) -> OfferResult | None:
        """Return the next result; None if none comes within so many seconds."""
        if not self._most:
            if not self._waiting:
                return None
            letter = self._waiting.pop(0)
            found = letter, self._send(letter)
        else:
            try:
                found = self._results.get(timeout=seconds)
            except Empty:
                return None
        self.in_hand.discard(found[0].id)
        return found

    def close(self) -> None:
        """Begin no more letters, and wait for those that are being sent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while (letter := self._next()) is not None:
            self._results.put((letter, self._send(letter)))
            with self._changed:
                self._busy.discard(letter.recipient)
                self._changed.notify_all()

    def _next(self) -> ClaimedLetter | None:
        """Wait for a letter that this line may send. Return None at the end."""
        with self._changed:
            while not self._closed:
                avoid = self.avoided()
                letter = next((each for each in self._waiting if each.recipient not in avoid), None)
                if letter is not None:
                    self._waiting.remove(letter)
                    self._busy.add(letter.recipient)
                    return letter
                self._changed.wait()
        return None
