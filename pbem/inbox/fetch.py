"""Fetches mail from the configured mailboxes, by one process at a time.

If a mailbox lists a mail but does not give it, the operator is told once, the mails after it are fetched, and
the mail is asked for again later. The first failures may be the connection's, so all clocks wait for a few
fetches; after that the mailbox counts as fetched, or one mail would stop every clock for good.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial

from pbem.app import App
from pbem.duties import outages
from pbem.inbox.receive import receive
from pbem.mail.inbound.envelope import envelope_recipients, envelope_sender
from pbem.mail.transport import mailbox_client, smtp_server
from pbem.outbox import drain, send
from pbem.store import locks, unfetched

log = logging.getLogger("pbem.fetching")

NAMES = {outages.MAILDIR: "the Maildir", outages.IMAP: "the mailbox"}
SURE_AFTER = 3
"""Failures of a mail after which the connection is not at fault."""
FIRST_WAIT, MAX_WAIT = timedelta(minutes=10), timedelta(days=1)


def store_fetched(app: App, raw: bytes, came: datetime | None = None) -> bool:
    """Store a fetched mail for the recipients in its headers; False if the mail must be tried again."""
    sender = envelope_sender(raw)
    recipients = envelope_recipients(raw, app.addressing.read)
    if not recipients or not all(map(smtp_server.is_printable_address, [sender, *recipients])):
        log.warning("a mail for nobody here is marked as seen and left where it is")
        return True
    with drain.log_failure(log, "a fetched mail could not be kept; it is tried again"):
        receive(app, raw, sender, recipients, kept=came)
        return True
    return False


def fetch_round(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Fetch once from all mailboxes and return the number of mails, 0 if another process is fetching."""
    count = 0
    with locks.process_lock(app.store, "fetch") as ours:
        for name in outages.configured_mailboxes(app.config) if ours else ():
            try:
                count += _fetch_mailbox(app, name, until)
            except mailbox_client.MAILBOX_ERRORS as error:
                log.warning("%s does not answer (%s); it is asked again", NAMES[name], type(error).__name__)
    return count


def _fetch_mailbox(app: App, name: str, until: Callable[[], bool]) -> int:
    """Fetch all mail of one mailbox, and record the complete fetch. Raises one of MAILBOX_ERRORS."""
    begun = outages.begin_fetch(app, name)
    answers = cache(partial(outages.record_answer, app, name, begun))

    def take(raw: bytes, came: datetime | None) -> bool:
        answers()
        return store_fetched(app, raw, came)

    not_given = MissingMails(app, name)
    config = app.config
    if name == outages.MAILDIR:
        assert config.maildir is not None
        count = mailbox_client.fetch_from_maildir(config.maildir, config.max_mail, take, until)
    else:
        assert config.imap is not None
        count = mailbox_client.fetch_from_imap(config.imap, not_given, config.max_mail, take, until)
    if not until() and not not_given.unsure:
        outages.record_complete_fetch(app, name, begun)
    return count


@dataclass
class MissingMails:
    app: App
    mailbox: str
    unsure: bool = False
    """True if a missing mail may well come in the next fetch."""
    _next: dict[str, datetime] = field(default_factory=dict)

    def waiting(self, uids: Collection[str]) -> set[str]:
        """Return the mails not to ask for now, and forget mails that are gone from the mailbox."""
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
                send.tell_operator(self.app, db, f"{self.mailbox}.{uid}", why, now)
        self.unsure = self.unsure or more < 0
        log.warning("mail %s of %s is not given (%s); those behind it are fetched", uid, self.mailbox, why)

    def _forget(self, uids: Collection[str]) -> None:
        with self.app.store.write() as db:
            unfetched.forget_fetched(db, self.mailbox, uids)
