"""Fetching of mail from the configured mailboxes, at intervals.

One process at a time fetches, however many run. A mailbox that does not answer is tried again in the next
round; a mail that cannot be stored stays unseen until it can.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from threading import Event, Thread

from pbem.actions import outages
from pbem.app import App
from pbem.config.table import Config
from pbem.inbox.receive import check_recipient, receive
from pbem.inbox.unfetched import MissingMails
from pbem.mail.inbound.envelope import envelope_recipients, envelope_sender
from pbem.mail.transport.mailbox_client import (
    MAILBOX_ERRORS,
    StoreFetched,
    fetch_from_imap,
    fetch_from_maildir,
)
from pbem.mail.transport.smtp_server import is_printable_address
from pbem.outbox.drain import never_stop
from pbem.store.engine import is_unavailable
from pbem.store.locks import process_lock

log = logging.getLogger("pbem.fetching")

NAMES = {outages.MAILDIR: "the Maildir", outages.IMAP: "the mailbox"}
Fetch = Callable[[int, StoreFetched, Callable[[], bool]], int]


def store_fetched(app: App, raw: bytes, came: datetime | None = None) -> bool:
    """Store a fetched mail for the recipients that its headers name.

    A mail for nobody here is only logged. `came` is its arrival in the mailbox. False if it could not be
    stored for a reason of its own; raises if the database is unavailable.
    """
    sender = envelope_sender(raw)
    recipients = envelope_recipients(raw, partial(check_recipient, app))
    if not recipients or not all(map(is_printable_address, [sender, *recipients])):
        log.warning("a mail for nobody here is marked as seen and left where it is")
        return True
    try:
        receive(app, raw, sender, recipients, kept=came)
    except Exception as error:
        if is_unavailable(error):
            raise
        log.exception("a fetched mail could not be kept; it is tried again")
        return False
    return True


def fetch_round(app: App, until: Callable[[], bool] = never_stop) -> int:
    """One round through all mailboxes; how many mails were looked at, 0 where another process is at it."""
    count = 0
    with process_lock(app.store, "fetch") as ours:
        for name in outages.configured_mailboxes(app.config) if ours else ():
            try:
                count += _fetch_mailbox(app, name, until)
            except MAILBOX_ERRORS as error:
                log.warning("%s does not answer (%s); it is asked again", NAMES[name], type(error).__name__)
    return count


def _fetch_mailbox(app: App, name: str, until: Callable[[], bool]) -> int:
    """Fetch all mail of one mailbox, and record that.

    Raises one of MAILBOX_ERRORS. A mail that cannot be stored, or that the mailbox does not give, stops no
    clock: a permanent one would stop all of them for good.
    """
    begun = outages.begin_fetch(app, name)
    answers = cache(partial(outages.record_answer, app, name, begun))

    def take(raw: bytes, came: datetime | None) -> bool:
        answers()
        return store_fetched(app, raw, came)

    not_given = MissingMails(app, name)
    count = _fetcher(name, app.config, not_given)(app.config.max_mail, take, until)
    if not until() and not not_given.unsure:
        outages.record_complete_fetch(app, name, begun)
    return count


def _fetcher(name: str, config: Config, not_given: MissingMails) -> Fetch:
    if name == outages.MAILDIR:
        assert config.maildir is not None
        return partial(fetch_from_maildir, config.maildir)
    assert config.imap is not None
    return partial(fetch_from_imap, config.imap, not_given)


class FetchThread:
    """A thread that fetches every `PBEM_POLL` seconds. `stop` lets it finish the mail in hand."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="fetch")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                fetch_round(self._app, self._stopping.is_set)
            except Exception as error:
                if is_unavailable(error):
                    log.warning("the database does not answer: %s", type(error).__name__)
                else:
                    log.exception("fetching failed; it is tried again")
            self._stopping.wait(self._app.config.poll)
