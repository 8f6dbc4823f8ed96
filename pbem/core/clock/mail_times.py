"""The times of a mail, in one value.

A mail has two times. The server accepted it: that stops its writer's clock and decides if a flag had fallen.
The server handled it: only then can others see its effect, so this dates the entries and starts the other's
clock. Both are mostly the same second; for a mail that had to wait they differ.

A mail that is handled again is older still. No clock has waited for it. So agreements between the players
(offers, answers, pauses) count from the time of handling, and never for events after the mail; a ply keeps
its acceptance time.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class MailTimes:
    """Both times of a mail. `again`: it was handled before. `mail`: its number, if it is stored."""

    accepted: datetime
    handled: datetime
    again: bool = False
    mail: int | None = None

    @property
    def agreement_time(self) -> datetime:
        """An old offer is made now."""
        return self.handled if self.again else self.accepted

    def repeated_before(self, moment: datetime) -> bool:
        """True if `moment` came after a mail that is handled again. Such a mail cannot mean later events."""
        return self.again and moment > self.accepted

    def until(self, *, settles: bool) -> datetime:
        """The moment until which the clock acts before the mail.

        A move accepted in time stays in time, however late it is handled.
        """
        return self.agreement_time if settles else self.accepted


def same_moment(moment: datetime) -> MailTimes:
    return MailTimes(moment, moment)
