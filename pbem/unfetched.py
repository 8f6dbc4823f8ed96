"""Mails that a mailbox names and does not give: the operator is told once, and they are asked for later.

Those behind them are fetched all the same. The first failures may be the line's, so all clocks wait for a few
looks; after that the mailbox counts as looked into, or one mail would stop every clock for good.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.office import Office
from pbem.outgoing import tell_operator
from pbem.store import unfetched

log = logging.getLogger("pbem.fetching")

SURE_AFTER = 3
"""After so many looks in which a mail is not given, it is no trouble of the line."""
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=10), timedelta(days=1)


@dataclass
class Unfetched:
    """What one look into a mailbox was not given."""

    office: Office
    mailbox: str
    unsure: bool = False
    """Whether some of it may well come at the next look."""
    _next: dict[str, datetime] = field(default_factory=dict)

    def waiting(self, uids: Collection[str]) -> set[str]:
        """Those of the mails there that are not to be asked for now; what is there no more is forgotten."""
        now = self.office.clock()
        with self.office.store.read() as db:
            self._next = unfetched.next_tries(db, self.mailbox)
        if gone := self._next.keys() - set(uids):
            self._forget(gone)
        return {uid for uid, at in self._next.items() if now < at <= now + LONGEST_WAIT}

    def given(self, uid: str) -> None:
        """Note that a mail was given."""
        if uid in self._next:
            self._forget({uid})

    def failed(self, uid: str, why: str) -> None:
        """Note that a mail was not given, and when to ask for it again."""
        now = self.office.now()
        with self.office.store.write() as db:
            more = unfetched.note_failure(db, self.mailbox, uid, now) - SURE_AFTER
            if more >= 0:
                wait = min(LONGEST_WAIT, FIRST_WAIT * 6 ** min(more, 4))
                unfetched.ask_again(db, self.mailbox, uid, now + wait)
                tell_operator(self.office, db, f"{self.mailbox}.{uid}", why, now)
        self.unsure = self.unsure or more < 0
        log.warning("mail %s of %s is not given (%s); those behind it are fetched", uid, self.mailbox, why)

    def _forget(self, uids: Collection[str]) -> None:
        with self.office.store.write() as db:
            unfetched.forget(db, self.mailbox, uids)
