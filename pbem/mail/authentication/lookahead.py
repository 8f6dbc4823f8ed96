"""DNS queries about the senders of mails, while others are handled.

Nothing is stored: a new process asks again. Several workers may ask about the same mail.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from pbem.mail.authentication.dns import DnsClient

MAX_MAILS = 500
"""Maximum mails in query at once; later ones wait."""


@dataclass(frozen=True)
class _Query:
    """A mail's sender and DNS query. `itself` is False while it waits for the query of an earlier mail."""

    sender: str
    answered: Future[None]
    itself: bool


@dataclass
class DnsQueries:
    """The mails with queries that are not handled yet, by number."""

    _mails: dict[int, _Query] = field(default_factory=dict)

    def pending_numbers(self) -> list[int]:
        """Numbers of mails that must not be handled yet."""
        mails = list(self._mails.items())  # at once: another thread may handle a mail
        return [number for number, mail in mails if not mail.answered.done()]

    @property
    def full(self) -> bool:
        return len(self._mails) >= MAX_MAILS

    def only(self, waiting: Sequence[int]) -> None:
        """Drop mails that another worker has handled."""
        kept = {*waiting, *self.pending_numbers()}
        self._mails = {number: mail for number, mail in self._mails.items() if number in kept}

    def begin(
        self, number: int, sender: str, names: Sequence[str], servers: DnsClient, wake: Callable[[], object]
    ) -> bool:
        """Start the query for a mail; True if it may be handled now.

        It also waits for an earlier mail of the same sender, which must be handled first.
        """
        mail = self._mails.get(number)
        if mail is None or (mail.answered.done() and not mail.itself):
            earlier = [mail.answered for mail in self._mails.values() if mail.sender == sender]
            ahead = next((answered for answered in earlier if not answered.done()), None)
            mail = _Query(sender, ahead or servers.ask(names), ahead is None)
            self._mails[number] = mail
            if not mail.answered.done():
                mail.answered.add_done_callback(lambda _: wake())
        return mail.itself and mail.answered.done()

    def asked(self, number: int) -> bool:
        """True if the query for a mail is over."""
        mail = self._mails.get(number)
        return mail is not None and mail.itself and mail.answered.done()

    def end(self, number: int) -> None:
        """Drop a mail that was handled."""
        self._mails.pop(number, None)
