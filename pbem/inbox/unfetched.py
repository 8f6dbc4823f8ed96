"""Mails that a mailbox lists but does not give.

The operator is told once, and they are asked for again later; mails after them are fetched. The first
failures may be the connection's, so all clocks wait for a few fetches; after that the mailbox counts as
fetched, or one mail would stop every clock for good.
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.app import App
from pbem.outbox.send import tell_operator
from pbem.store import unfetched

log = logging.getLogger("pbem.fetching")

SURE_AFTER = 3
"""Failures of a mail after which the connection is not at fault."""
FIRST_WAIT, MAX_WAIT = timedelta(minutes=10), timedelta(days=1)


@dataclass
class MissingMails:
    app: App
    mailbox: str
    unsure: bool = False
    """True if some may well come in the next fetch."""
    _next: dict[str, datetime] = field(default_factory=dict)

    def waiting(self, uids: Collection[str]) -> set[str]:
        """Mails not to ask for now; forgets those that are gone."""
        now = self.app.clock()
        with self.app.store.read() as db:
            self._next = unfetched.next_fetch_times(db, self.mailbox)
        if gone := self._next.keys() - set(uids):
            self._forget(gone)
        return {uid for uid, at in self._next.items() if now < at <= now + MAX_WAIT}

    def given(self, uid: str) -> None:
        if uid in self._next:
            self._forget({uid})

    def failed(self, uid: str, why: str) -> None:
        now = self.app.now()
        with self.app.store.write() as db:
            more = unfetched.record_failed_fetch(db, self.mailbox, uid, now) - SURE_AFTER
            if more >= 0:
                wait = min(MAX_WAIT, FIRST_WAIT * 6 ** min(more, 4))
                unfetched.set_next_try(db, self.mailbox, uid, now + wait)
                tell_operator(self.app, db, f"{self.mailbox}.{uid}", why, now)
        self.unsure = self.unsure or more < 0
        log.warning("mail %s of %s is not given (%s); those behind it are fetched", uid, self.mailbox, why)

    def _forget(self, uids: Collection[str]) -> None:
        with self.app.store.write() as db:
            unfetched.forget_fetched(db, self.mailbox, uids)
