"""When a mail counts, and for whom: the one value that says so. Values only.

A mail has two times. Our server accepted it: that stops its writer's clock and decides whether a flag had
fallen. And it was handled: only then can anybody else see what it did, so that dates what is written down
and starts the other's clock. Mostly they are the same second; a mail that had to wait has them apart.

A mail that was filed before and is handled again is older still. No clock has waited for it, so what two
players settle between them (offers, answers, pauses) counts from when it is handled, and never for what
came after the mail; a ply keeps the moment at which it was accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class When:
    """Both times of a mail. `again`: it was filed before. `mail`: its number, if it is kept."""

    accepted: datetime
    handled: datetime
    again: bool = False
    mail: int | None = None

    @property
    def settled(self) -> datetime:
        """The moment that counts for what two players settle: an old offer is made now."""
        return self.handled if self.again else self.accepted

    def missed(self, moment: datetime) -> bool:
        """Tell whether something happened after a mail that is handled again, which cannot mean it."""
        return self.again and moment > self.accepted

    def until(self, *, settles: bool) -> datetime:
        """Up to when the clock acts before the mail: whoever moved in time is in time at any later hour."""
        return self.settled if settles else self.accepted

    def both_times(self, counts: datetime) -> Mapping[str, Any]:
        """What an entry keeps besides its date, where it counts for its maker from an earlier moment."""
        return {"made": counts.isoformat()} if counts < self.handled else {}


def at_once(moment: datetime) -> When:
    """What is accepted and handled at the same moment."""
    return When(moment, moment)
