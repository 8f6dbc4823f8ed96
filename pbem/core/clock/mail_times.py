"""The two times of a mail.

Our acceptance stops its writer's clock. Only when we handle it can others see its effect, so that moment
dates the entries and starts the other's clock. No clock has waited for a mail that is handled again: its
agreements (offers, answers, pauses) count from then, and its ply from acceptance.
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
        """The moment until which the clock acts before the mail. A move accepted in time stays in time."""
        return self.agreement_time if settles else self.accepted


def same_moment(moment: datetime) -> MailTimes:
    return MailTimes(moment, moment)
