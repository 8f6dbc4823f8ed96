"""Hands letters to a relay, one recipient a message; or to nobody, for the mailroom.

A refusal becomes TemporaryFailure (try again) or LetterRefused (RFC 5321 4.2.1: a 5yz reply is permanent).
Only an answer to RCPT or DATA can be about the letter. An earlier answer, or a code that says so, is about
us: RelayDeniesUs, and no letter is given up for it. Some codes do not say: UnclearRefusal. A relay that
cannot be reached is RelayUnreachable. Every try sends the same bytes.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from pbem.config.parsers import Listen, Relay
from pbem.core.bounces import TOO_LARGE_CODE, WHOLE_LETTER_PREFIX, is_about_us
from pbem.core.redact import without_secrets
from pbem.mail.inbound.headers import is_safe_recipient

BACK_OFF = tuple(timedelta(seconds=s) for s in (5, 30, 120, 600, 3600))
GIVE_UP_AFTER = timedelta(days=5)
TIMEOUT_SECONDS = 30


class SendFailure(Exception):
    """A letter was not accepted; `str()` is for logs and operators.

    Some relays repeat their input, and the addresses of a letter are secrets: they are removed.
    """

    def __init__(self, why: str) -> None:
        super().__init__(without_secrets(why))


class TemporaryFailure(SendFailure):
    """A temporary failure for this letter."""


class RelayUnreachable(TemporaryFailure):
    """The relay cannot be reached: another letter now would fail too."""


class RelayDeniesUs(TemporaryFailure):
    """The relay refuses us, not the letter: its settings or ours are wrong."""


class RelayShutsUs(RelayUnreachable, RelayDeniesUs):
    """The relay refuses us before any letter is offered."""


class UnclearRefusal(TemporaryFailure):
    """The relay refuses for good, for an unclear reason: us, or the letter."""


class LetterRefused(SendFailure):
    """The relay refuses this letter for good."""


class _Utf8(str):
    """Text encoded as UTF-8 (RFC 4616 2), where smtplib asks for ASCII."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return super().encode("utf-8", errors)


class Sender(Protocol):
    """Accepts letters. `send` raises SendFailure; `close` may be called between letters.

    `hang_up` may be called by another thread, for good: the current letter and all next ones raise
    RelayUnreachable.
    """

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None: ...

    def hang_up(self) -> None: ...

    def close(self) -> None: ...


class Mailroom:
    """Leaves letters in the outbox, to be read at /mailroom."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Send nothing."""

    def hang_up(self) -> None:
        """Do nothing: there is no connection."""

    def close(self) -> None:
        """Do nothing: nothing is open."""


class _RelayConnection(smtplib.SMTP):
    """A connection that registers before connecting, so that it can be cut.

    If it is cut while it connects, it has no socket yet. It notices before it waits for an answer.
    """

    def __init__(
        self, known: Callable[[smtplib.SMTP], None], cut: Callable[[], bool], *args: Any, **kwargs: Any
    ) -> None:
        self._known, self._cut = known, cut
        super().__init__(*args, **kwargs)

    def connect(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        self._known(self)
        return super().connect(*args, **kwargs)

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self._cut():  # a later cut is noticed without this
            self.close()
            raise smtplib.SMTPServerDisconnected("the line was cut")
        return super().getreply()

    def auth_plain(self, challenge: Any = None) -> str:
        return _Utf8(super().auth_plain(challenge))

    def auth_login(self, challenge: Any = None) -> str:
        return _Utf8(super().auth_login(challenge))

    def auth_cram_md5(self, challenge: Any = None) -> str | None:  # type: ignore[override]
        answer = super().auth_cram_md5(challenge)
        return None if answer is None else _Utf8(answer)


class _TlsRelayConnection(_RelayConnection, smtplib.SMTP_SSL):
    """The same with TLS from the first byte (RFC 8314 3.3)."""


@dataclass(frozen=True)
class RelayState:
    """The state of a relay connection: encrypted by TLS, and logged in."""

    encrypted: bool
    known: bool


class RelaySender:
    """One SMTP connection to a relay, kept open and reopened when lost.

    STARTTLS is used where it is offered, and required where a password is sent. The certificate is checked,
    but not for a relay on this machine. `timeout`: seconds to wait for each answer.
    """

    def __init__(self, relay: Relay, timeout: float = TIMEOUT_SECONDS) -> None:
        self._relay = relay
        self._timeout = timeout
        self._smtp: smtplib.SMTP | None = None
        self._line: smtplib.SMTP | None = None
        """The connection from its start; `_smtp` is one that can send letters."""
        self._is_cut = False

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Hand one letter over; after the return the relay has it."""
        kept = self._smtp is not None
        try:
            self._deliver(envelope_from, recipient, raw)
        except smtplib.SMTPServerDisconnected as gone:
            self.close()
            if not kept or isinstance(gone.__context__, TimeoutError):  # smtplib hides the timeout
                raise RelayUnreachable(str(gone)) from None
            self.send(envelope_from, recipient, raw)
        except smtplib.SMTPResponseException as answer:  # to the greeting, EHLO, STARTTLS or AUTH
            self.close()
            away = RelayShutsUs if answer.smtp_code >= 500 else RelayUnreachable
            raise away(_answer_text(answer.smtp_code, answer.smtp_error)) from None
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise RelayUnreachable(error.strerror or str(error)) from None

    def look(self) -> RelayState:
        """Connect as for a letter, but send none; raises Away with the error."""
        try:
            smtp = self._smtp = self._smtp or self._connect()
            return RelayState(isinstance(smtp.sock, ssl.SSLSocket), bool(self._relay.user))
        except smtplib.SMTPResponseException as answer:
            raise RelayUnreachable(_answer_text(answer.smtp_code, answer.smtp_error)) from None
        except (OSError, smtplib.SMTPException) as error:
            raise RelayUnreachable(error.strerror or str(error)) from None
        finally:
            self.close()

    def close(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            try:
                smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def hang_up(self) -> None:
        self._is_cut = True
        sock = getattr(self._line, "sock", None)
        if sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)  # wakes the thread that waits for an answer

    def _deliver(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        if not is_safe_recipient(recipient):  # smtplib would change it, or take the null address
            raise LetterRefused("not one plain address, so nothing was sent there")
        smtp = self._smtp = self._smtp or self._connect()
        options = [f"SIZE={len(raw)}"] if smtp.has_extn("size") else []
        if not raw.isascii() and smtp.has_extn("8bitmime"):
            options.append("BODY=8BITMIME")
        if not (envelope_from + recipient).isascii():
            if not smtp.has_extn("smtputf8"):  # RFC 6531 3.2
                raise LetterRefused("the relay takes no addresses with letters beyond ASCII")
            options.append("SMTPUTF8")
        self._judge(smtp.mail(envelope_from, options), _judge_mail_from)
        self._judge(smtp.rcpt(recipient), _judge_recipient)
        try:
            answer = smtp.data(raw)
        except smtplib.SMTPDataError as refused:
            answer = refused.smtp_code, _bytes(refused.smtp_error)
        self._judge(answer, _judge_data, WHOLE_LETTER_PREFIX)

    def _connect(self) -> smtplib.SMTP:
        if self._is_cut:
            raise RelayUnreachable("the line was cut")
        relay = self._relay
        context = ssl.create_default_context()
        if Listen(relay.host, relay.port).loopback:  # local traffic; its certificate is rarely for this name
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        smtp: smtplib.SMTP
        if relay.tls:
            smtp = _TlsRelayConnection(
                *self._watch, relay.host, relay.port, timeout=self._timeout, context=context
            )
        else:
            smtp = _RelayConnection(*self._watch, relay.host, relay.port, timeout=self._timeout)
        try:
            self._greet_and_log_in(smtp, context)
        except BaseException:
            smtp.close()
            raise
        return smtp

    @property
    def _watch(self) -> tuple[Callable[[smtplib.SMTP], None], Callable[[], bool]]:
        return self._set_connection, lambda: self._is_cut

    def _set_connection(self, line: smtplib.SMTP) -> None:
        self._line = line

    def _greet_and_log_in(self, smtp: smtplib.SMTP, context: ssl.SSLContext) -> None:
        """Send EHLO, and STARTTLS and AUTH where offered and needed."""
        relay = self._relay
        smtp.ehlo_or_helo_if_needed()
        if not relay.tls and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
            smtp.ehlo_or_helo_if_needed()
        elif relay.user and not relay.tls:
            raise RelayShutsUs(f"{relay.host} offers no STARTTLS, so the password is not sent to it")
        if relay.user:
            smtp.login(_Utf8(relay.user), _Utf8(relay.password))

    def _judge(self, answer: tuple[int, bytes], for_good: JudgeRefusal, at: str = "") -> None:
        """Raise the trouble of a refusal; `for_good` judges 5yz.

        `at`: the text that says when the answer came.
        """
        code, words = answer
        if 200 <= code < 300:
            return
        self._reset_connection(code)
        trouble = for_good(code, _text(words)) if 500 <= code < 600 else TemporaryFailure
        raise trouble(at + _answer_text(code, words))

    def _reset_connection(self, code: int) -> None:
        """Prepare the connection for the next letter, or close it."""
        try:
            if code != 421 and self._smtp is not None:  # RFC 5321 3.8: with 421 the server closes
                self._smtp.rset()
                return
        except (OSError, smtplib.SMTPException):
            pass
        self.close()


JudgeRefusal = Callable[[int, str], type[SendFailure]]
"""Returns the trouble for a 5yz answer with these words."""


def _judge_mail_from(code: int, words: str) -> type[SendFailure]:
    """Blame us, not the letter, unless the letter is too large."""
    return LetterRefused if code == TOO_LARGE_CODE else RelayDeniesUs


def _judge_recipient(code: int, words: str) -> type[SendFailure]:
    return _FAILURE_BY_BLAME[is_about_us(code, words)]


def _judge_data(code: int, words: str) -> type[SendFailure]:
    return _FAILURE_BY_BLAME[is_about_us(code, words, after_the_text=True)]


_FAILURE_BY_BLAME: dict[bool | None, type[SendFailure]] = {
    True: RelayDeniesUs,
    False: LetterRefused,
    None: UnclearRefusal,
}


def _answer_text(code: int, words: bytes | str) -> str:
    return f"{code} {_text(words)}"


def _text(words: bytes | str) -> str:
    return _bytes(words).decode("ascii", "replace")


def _bytes(words: bytes | str) -> bytes:
    return words.encode() if isinstance(words, str) else words


MINUTE = timedelta(minutes=1)


class SendRate:
    """Limits the letters in any sixty seconds; None: no limit."""

    def __init__(self, per_minute: int | None = None) -> None:
        self._most = per_minute
        self._sent: deque[datetime] = deque()

    def room(self, now: datetime, wanted: int) -> int:
        """Return how many of the `wanted` letters may be sent now."""
        if self._most is None:
            return wanted
        while self._sent and not now - MINUTE < self._sent[0] <= now:  # too old; or the clock was put back
            self._sent.popleft()
        return min(wanted, self._most - len(self._sent))

    def count(self, now: datetime) -> None:
        """Count a letter that was offered."""
        if self._most is not None:
            self._sent.append(now)


def make_sender(relay: Relay | None) -> Sender:
    """Make the sender for a relay setting; without one, the mailroom."""
    return Mailroom() if relay is None else RelaySender(relay)


def retry_delay(attempts: int) -> timedelta:
    """Return the wait after the `attempts`-th failure (from 1)."""
    return BACK_OFF[min(attempts, len(BACK_OFF)) - 1]
