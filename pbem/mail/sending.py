"""Handing finished letters to a relay, one recipient a message; or to nobody, for the mailroom.

What the relay answers is put into two words: NotNow (try again) and Never (RFC 5321 4.2.1: a 5yz
reply is for good). The bytes are sent as they were written, however often.
"""

from __future__ import annotations

import smtplib
import ssl
from datetime import timedelta
from typing import Protocol

from pbem.spelling import Relay

BACK_OFF = tuple(timedelta(seconds=s) for s in (5, 30, 120, 600, 3600))
GIVE_UP_AFTER = timedelta(days=5)
TIMEOUT_SECONDS = 30


class NotNow(Exception):
    """The letter could not be handed over this time."""


class Never(Exception):
    """The relay will not take this letter."""


class Sender(Protocol):
    """Something that takes letters. `send` raises NotNow or Never; `close` may be called at any time."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None: ...

    def close(self) -> None: ...


class Mailroom:
    """Keeps letters where they are: in the outbox, to be read at /mailroom."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Nothing is sent anywhere."""

    def close(self) -> None:
        """Nothing is open."""


class RelaySender:
    """One SMTP connection to a relay, kept open between letters and opened again when it is lost.

    STARTTLS is used where it is offered, and required where a password would go over the wire.
    """

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._smtp: smtplib.SMTP | None = None

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Hand one letter over; when this returns, the relay has it."""
        for fresh in (False, True):
            try:
                self._deliver(envelope_from, recipient, raw, fresh)
                return
            except smtplib.SMTPServerDisconnected as gone:
                if fresh:
                    raise NotNow(str(gone)) from None
            except smtplib.SMTPResponseException as answer:
                self._judge(answer.smtp_code, answer.smtp_error)
            except smtplib.SMTPRecipientsRefused as refused:
                self._judge(*next(iter(refused.recipients.values())))
            except (OSError, smtplib.SMTPException) as error:
                self.close()
                raise NotNow(str(error)) from None

    def close(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            try:
                smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def _deliver(self, envelope_from: str, recipient: str, raw: bytes, fresh: bool) -> None:
        if fresh or self._smtp is None:
            self.close()
            self._smtp = self._connect()
        options = ["BODY=8BITMIME"] if not raw.isascii() and self._smtp.has_extn("8bitmime") else []
        if not (envelope_from + recipient).isascii():
            if not self._smtp.has_extn("smtputf8"):  # RFC 6531 3.2
                raise Never("the relay takes no addresses with letters beyond ASCII")
            options.append("SMTPUTF8")
        self._smtp.sendmail(envelope_from, [recipient], raw, mail_options=options)

    def _connect(self) -> smtplib.SMTP:
        relay = self._relay
        context = ssl.create_default_context()
        smtp: smtplib.SMTP
        if relay.tls:
            smtp = smtplib.SMTP_SSL(relay.host, relay.port, timeout=TIMEOUT_SECONDS, context=context)
        else:
            smtp = smtplib.SMTP(relay.host, relay.port, timeout=TIMEOUT_SECONDS)
        smtp.ehlo_or_helo_if_needed()
        if not relay.tls and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
            smtp.ehlo()
        elif relay.user and not relay.tls:
            smtp.close()
            raise NotNow(f"{relay.host} offers no STARTTLS, so the password is not sent to it")
        if relay.user:
            smtp.login(relay.user, relay.password)
        return smtp

    def _judge(self, code: int, text: bytes | str) -> None:
        words = text.decode("ascii", "replace") if isinstance(text, bytes) else text
        if code == 421:  # RFC 5321 3.8: the server closes the channel
            self.close()
        if 500 <= code < 600 and code not in (530, 535):  # those two are ours to mend, not the letter's
            raise Never(f"{code} {words}")
        raise NotNow(f"{code} {words}")


def open_sender(relay: Relay | None) -> Sender:
    """The sender that a relay setting asks for; without one, the mailroom."""
    return Mailroom() if relay is None else RelaySender(relay)


def next_try(attempts: int) -> timedelta:
    """How long to wait after the `attempts`-th failure (from 1)."""
    return BACK_OFF[min(attempts, len(BACK_OFF)) - 1]
