"""Mails whose senders the name servers are asked about, while others are filed.

Nothing of it is kept: who starts anew asks again. Several workers may ask about the same mail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from pbem.mail.asking import Names

MAX_MAILS = 500
"""Asked about at once; later ones wait for these."""


@dataclass(frozen=True)
class _Asked:
    """Whose mail it is, when it may be looked at again, and whether it was asked about itself."""

    sender: str
    answered: Future[None]
    itself: bool


@dataclass
class LookAhead:
    """The mails that a worker has asked about and not filed yet, by number."""

    _mails: dict[int, _Asked] = field(default_factory=dict)

    def unanswered(self) -> list[int]:
        """The numbers of mails that are not to be filed yet."""
        mails = list(self._mails.items())  # at once, for a mail may be filed in another thread
        return [number for number, mail in mails if not mail.answered.done()]

    @property
    def full(self) -> bool:
        return len(self._mails) >= MAX_MAILS

    def only(self, waiting: Sequence[int]) -> None:
        """Forget the mails that wait no more: another worker has filed them."""
        kept = {*waiting, *self.unanswered()}
        self._mails = {number: mail for number, mail in self._mails.items() if number in kept}

    def begin(
        self, number: int, sender: str, names: Sequence[str], servers: Names, wake: Callable[[], object]
    ) -> bool:
        """Ask about a mail, unless that was done; whether it may be filed now.

        It waits too for an earlier one of the same sender, which is to be filed first.
        """
        mail = self._mails.get(number)
        if mail is None or (mail.answered.done() and not mail.itself):
            earlier = [mail.answered for mail in self._mails.values() if mail.sender == sender]
            ahead = next((answered for answered in earlier if not answered.done()), None)
            mail = _Asked(sender, ahead or servers.ask(names), ahead is None)
            self._mails[number] = mail
            if not mail.answered.done():
                mail.answered.add_done_callback(lambda _: wake())
        return mail.itself and mail.answered.done()

    def asked(self, number: int) -> bool:
        """Whether the servers were asked about a mail and have had their time."""
        mail = self._mails.get(number)
        return mail is not None and mail.itself and mail.answered.done()

    def end(self, number: int) -> None:
        """Forget a mail that was filed."""
        self._mails.pop(number, None)
