"""`pbem check --to`: a real letter, and what the answer to it tells."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.bounces import STRANGER_PAUSE
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.parsing.inbound import Envelope, Mail
from pbem.core.parsing.yes_no import read_yes_no
from pbem.duties import questions
from pbem.inbox.sender import find_verdict, front_verdict
from pbem.mail.authentication import dkim_verify, dns
from pbem.mail.authentication.results import Verdict
from pbem.mail.doctor.arrival import METHODS, Arrival, read_arrival
from pbem.mail.doctor.dns import Finding
from pbem.mail.inbound.bounce_report import read_bounce
from pbem.mail.inbound.mime import headers_of
from pbem.mail.inbound.parse import parse_mail
from pbem.outbox.write import queue_letters
from pbem.store import bounces, inbox, outbox, outbox_delivery
from pbem.store.inbox import StoredMail
from pbem.store.outbox import OutboundLetter

LOOK_SECONDS = 0.5
BEFORE = timedelta(seconds=2)
"""The clock of a provider may be somewhat slow."""
FOUND = {
    Verdict.PASS: Finding("ok", "From", "our own check proves the From of the answer"),
    Verdict.FAIL: Finding("hint", "From", "our own check takes the From of the answer for forged"),
    Verdict.UNKNOWN: Finding("hint", "From", "our own check says nothing of the From of the answer"),
}


@dataclass
class SentTrial:
    """A letter that waits for its answer, and the mails that have been looked at."""

    app: App
    address: str
    letter: OutboundLetter
    reply_to: str
    id: int
    seen: int
    begun: datetime
    sent: bool = False

    def news(self) -> Iterator[Finding]:
        """Yield what has happened since the last look."""
        with self.app.store.read() as db:
            state = outbox_delivery.letters_by_ids(db, [self.id])[self.id]
            came_back = bounces.status_of_bounce(db, self.id)
            mails = inbox.mails_after(db, self.seen)
        if state.state == "sent" and not self.sent:
            self.sent = True
            yield Finding("ok", "letter", f"the relay took it after {_span(self.app.clock() - self.begun)}")
        if state.state == "failed":
            found = f"the relay refused it: {state.detail}"
            yield Finding("wrong", "letter", found, "docs/run/letters-out.md")
        elif came_back is not None:
            found = f"it came back from {self.address}: {came_back or 'without a reason'}"
            yield Finding("wrong", "letter", found, "Mend what pbem check finds, then ask the provider.")
        for mail in mails:
            self.seen = mail.id
            if self._is_answer(mail):
                yield from self._facts(mail)

    def _is_answer(self, mail: StoredMail) -> bool:
        mine = (self.reply_to.lower(), self.letter.envelope_from.lower())
        return mail.recipient.lower() in mine or self.letter.message_id.encode() in mail.raw

    def _facts(self, mail: StoredMail) -> Iterator[Finding]:
        inbound = parse_mail(mail.raw, Envelope(mail.sender, mail.recipient), self.app.config.host)
        if inbound.kind == "bounce" and read_bounce(mail.raw):
            return  # a worker reads it
        after, arrival = _span(mail.received_at - self.begun), read_arrival(mail.raw, self.letter.message_id)
        if inbound.kind in ("robot", "bounce") and not arrival.shown:
            yield Finding("ok", "notice", f"{mail.key}, a machine's mail, came after {after}")
            return
        yield Finding("ok", "answer", f"{mail.key} came from {inbound.sender or 'nobody'} after {after}")
        word = next((line.strip() for line in inbound.words.split("\n") if line.strip()), "")
        if read_yes_no(word) is False:
            mend = "A new server is often taken for a sender of spam: docs/run/letters-out.md"
            yield Finding("hint", "answer", "it says that the letter was among the junk mail", mend)
        elif word:
            yield Finding("ok", "answer", f"it says: {word[:100]}")
        yield from _provider_facts(arrival, self.begun, self.reply_to)
        if inbound.kind == "person":
            yield FOUND[_own_verdict(self.app, inbound, mail.raw)]


def _provider_facts(arrival: Arrival, begun: datetime, reply_to: str) -> Iterator[Finding]:
    if not arrival.shown:
        mend = f"Forward the letter as an attachment to {reply_to} to see SPF, DKIM and DMARC."
        yield Finding("hint", "provider", "the answer does not show what the provider found", mend)
        return
    if arrival.at is not None and arrival.at >= begun - BEFORE:
        yield Finding("ok", "provider", f"it took the letter after {_span(arrival.at - begun)}")
    by = arrival.server or "the provider"
    for method in METHODS:
        result = arrival.results.get(method, "")
        if result == "pass":
            yield Finding("ok", method.upper(), f"pass, says {by}")
        elif result:
            yield Finding("wrong", method.upper(), f"{result}, says {by}", "See pbem check.")
        else:
            yield Finding("hint", method.upper(), f"{by} says nothing of it")


def _own_verdict(app: App, inbound: Mail, raw: bytes) -> Verdict:
    found, lookup = front_verdict(inbound, app.config), app.lookup
    if found != Verdict.UNKNOWN or not isinstance(lookup, dns.DnsClient):
        return found
    lookup.ask(dkim_verify.dns_names_needed(raw, inbound.sender)).result()
    return find_verdict(inbound, raw, app.config, lookup.known)


def _span(span: timedelta) -> str:
    seconds = max(0, round(span.total_seconds()))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min {seconds % 60} s"


def begin_trial(app: App, address: str) -> SentTrial:
    """Queue the letter; raises Refusal where none can be sent."""
    if app.config.relay is None:
        raise Refusal("No letter leaves this server: set PBEM_RELAY first.")
    now = app.now()
    with app.store.write() as db:
        seen = inbox.newest_mail_id(db)
        reply = questions.ask(db, questions.TRIAL, address, {}, now)
        letter = Letter("trial", address, None, reply)
        queued = queue_letters(app, db, [letter], now, about=f"c{reply.id}")
        if not queued:
            hours = STRANGER_PAUSE // timedelta(hours=1)
            raise Refusal(f"A letter to {address} came back less than {hours} hours ago: try again later.")
        id = outbox.letter_id(db, queued[0].key)
    app.wake("send")
    headers = headers_of(queued[0].raw)
    assert id is not None and headers is not None
    return SentTrial(app, address, queued[0], str(headers["Reply-To"]), id, seen, now)


def wait_for_answer(trial: SentTrial, minutes: float) -> Iterator[Finding]:
    """Yield facts until an answer has come, the letter has failed, or the time is over."""
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        found = list(trial.news())
        yield from found
        if any(each.about == "answer" or each.level == "wrong" for each in found):
            return
        time.sleep(LOOK_SECONDS)
    if trial.sent:
        mend = f"Is it among the junk mail of {trial.address}? Its answer may come later: run this again."
        yield Finding("wrong", "answer", f"none came within {minutes:g} minutes", mend)
    else:
        waits = f"no relay took it within {minutes:g} minutes"
        yield Finding("wrong", "letter", waits, "Is pbem serve running? pbem check says more.")
