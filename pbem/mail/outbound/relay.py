"""Hands letters to a relay, one recipient a message. In the mailroom they go to nobody.

RFC 5321 4.2.1: a 5yz reply is permanent. Only an answer to RCPT or DATA can be about the letter. An earlier
answer, or a code that says so, is about us, and no letter is given up for it. Every try sends the same bytes.
"""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Condition
from time import monotonic
from typing import Any, Protocol

from pbem.config.parsers import Listen, Relay
from pbem.core.bounces import TOO_LARGE_CODE, WHOLE_LETTER_PREFIX, is_about_us
from pbem.core.redact import without_secrets
from pbem.mail.inbound.headers import is_safe_recipient

BACK_OFF = tuple(timedelta(seconds=s) for s in (5, 30, 120, 600, 3600))
GIVE_UP_AFTER = timedelta(days=5)
TIMEOUT_SECONDS = 30
SLOW_SECONDS = 600
CLOSE_SECONDS = 2
"""The longest wait for the relay's last words, over all lines together."""
FEWER_SECONDS = 60
"""The seconds during which no more connections are tried after the relay has refused one."""


class SendFailure(Exception):
    """A letter was not accepted. Some relays repeat their input, so secrets are removed from `str()`."""

    def __init__(self, why: str) -> None:
        super().__init__(without_secrets(why))


class TemporaryFailure(SendFailure):
    """A temporary failure for this letter."""


class RelayUnreachable(TemporaryFailure):
    """The relay cannot be reached: another letter now would fail too."""


class RelayHangs(TemporaryFailure):
    """The relay does not answer about this letter. Another letter may pass over another connection."""


class RelayDeniesUs(TemporaryFailure):
    """The relay refuses us, not the letter, because its settings or ours are wrong."""


class RelayShutsUs(RelayUnreachable, RelayDeniesUs):
    """The relay refuses us before any letter is offered."""


class UnclearRefusal(TemporaryFailure):
    """The relay refuses for good, without showing whether it refuses us or the letter."""


class LetterRefused(SendFailure):
    """The relay refuses this letter for good."""


class Sender(Protocol):
    """Accepts letters."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Send one letter; raises SendFailure."""
        return

    def hang_up(self) -> None:
        """Cut the connection for good, from another thread. This letter and all next ones fail at once."""
        return

    def close(self) -> None:
        """Close the connection between letters."""
        return


class Mailroom(Sender):
    """Leaves letters in the outbox, to be read at /mailroom."""


class _Utf8(str):
    """Text encoded as UTF-8 (RFC 4616 2), where smtplib asks for ASCII."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return super().encode("utf-8", errors)


class _RelayConnection(smtplib.SMTP):
    """A connection that can be cut while it connects; without a socket yet, it notices the cut afterwards."""

    def __init__(self, sender: RelayLine, *args: Any, **named: Any) -> None:
        self._sender = sender
        super().__init__(*args, **named)

    def connect(self, *args: Any, **named: Any) -> tuple[int, bytes]:
        self._sender.connection = self
        return super().connect(*args, **named)

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self._sender.is_cut:  # a later cut is noticed without this
            self.close()
            raise smtplib.SMTPServerDisconnected("the line was cut")
        return super().getreply()

    def auth(self, mechanism: str, authobject: Any, **named: Any) -> tuple[int, bytes]:
        def answer(challenge: Any = None) -> Any:
            words = authobject(challenge)
            return words and _Utf8(words)

        return super().auth(mechanism, answer, **named)


class _TlsRelayConnection(_RelayConnection, smtplib.SMTP_SSL):
    """A `_RelayConnection` with TLS from the first byte (RFC 8314 3.3)."""


def _dotted(raw: bytes) -> bytes:
    """Return the text for DATA: dots that begin a line doubled, and a final dot (RFC 5321 4.5.2)."""
    text = re.sub(rb"(?m)^\.", b"..", raw)
    return text + (b".\r\n" if text.endswith(b"\r\n") else b"\r\n.\r\n")


class RelayLine(Sender):
    """One SMTP connection to a relay, kept open and reopened when lost.

    STARTTLS is used where it is offered, and required where a password is sent. The certificate is checked,
    but not for a relay on this machine. `timeout`: seconds to wait for each answer.
    """

    def __init__(self, relay: Relay, timeout: float = TIMEOUT_SECONDS) -> None:
        self._relay = relay
        self._timeout = timeout
        self._smtp: smtplib.SMTP | None = None
        self.is_open = False
        self.connection: smtplib.SMTP | None = None
        """The connection from its start; `_smtp` is one that can send letters."""
        self.is_cut = False

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Hand one letter over; after the return the relay has it."""
        kept = self._smtp is not None
        try:
            self._deliver(envelope_from, recipient, raw)
        except OSError as error:  # all errors of smtplib are such
            self.close()
            timed_out = isinstance(error.__context__, TimeoutError)  # smtplib hides the timeout
            if not kept or timed_out or not isinstance(error, smtplib.SMTPServerDisconnected):
                raise _unreachable(error) from None
            self.send(envelope_from, recipient, raw)

    def try_connection(self) -> bool:
        """Connect as for a letter, but send none; True under TLS. Raises RelayUnreachable."""
        try:
            self._smtp = self._smtp or self._connect()
            return isinstance(self._smtp.sock, ssl.SSLSocket)
        except OSError as error:
            raise _unreachable(error) from None
        finally:
            self.close()

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            try:
                if smtp.sock is not None:
                    smtp.sock.settimeout(seconds)
                smtp.quit()
            except OSError:
                smtp.close()

    def hang_up(self) -> None:
        self.is_cut = True
        sock = getattr(self.connection, "sock", None)
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
        parameters = "".join(f" {option}" for option in options)
        smtp.command_encoding = "utf-8" if "SMTPUTF8" in options else "ascii"
        commands = [f"MAIL FROM:{smtplib.quoteaddr(envelope_from)}{parameters}"]
        commands += [f"RCPT TO:{smtplib.quoteaddr(recipient)}", "DATA"]
        self._send_envelope(smtp, commands)
        try:
            smtp.send(_dotted(raw))
            answer = smtp.getreply()
        except OSError as error:
            raise self._hangs(error) from None
        self._check("DATA", *answer)

    def _send_envelope(self, smtp: smtplib.SMTP, commands: Sequence[str]) -> None:
        """Send MAIL, RCPT and DATA, together if the relay allows (RFC 2920). The text may follow."""
        at_once = smtp.has_extn("pipelining")
        for group in [commands] if at_once else [[command] for command in commands]:
            smtp.send("".join(f"{command}\r\n" for command in group))
            refused, code = None, 0
            for command in group:
                try:
                    code, words = smtp.getreply()
                except OSError as error:
                    if refused is not None:  # it has said why, and closed
                        break
                    raise (
                        error if command.startswith("MAIL") and not at_once else self._hangs(error)
                    ) from None
                if code // 100 not in (2, 3) and refused is None:
                    refused = (command[:4], code, words)
            if refused is not None:
                if code == 354:  # it asks for a text all the same (RFC 2920 3.1)
                    smtp.send(b".\r\n")
                    smtp.getreply()
                self._check(*refused)

    def _hangs(self, error: OSError) -> Exception:
        """Return the failure of a letter without the relay's answer in time."""
        if not isinstance(error.__context__, TimeoutError) and not isinstance(error, TimeoutError):
            return error
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()
        return RelayHangs(f"no answer within {self._timeout:g} s")

    def _connect(self) -> smtplib.SMTP:
        if self.is_cut:
            raise RelayUnreachable("the line was cut")
        self.is_open = False
        relay, context = self._relay, ssl.create_default_context()
        if Listen(relay.host, relay.port).loopback:  # local traffic; its certificate is rarely for this name
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        kind, tls = (_TlsRelayConnection, {"context": context}) if relay.tls else (_RelayConnection, {})
        smtp = kind(self, relay.host, relay.port, timeout=self._timeout, **tls)
        try:
            self._greet_and_log_in(smtp, context)
        except BaseException:
            smtp.close()
            raise
        self.is_open = True
        return smtp

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

    def _check(self, command: str, code: int, words: bytes | str) -> None:
        """Raise a refused command's failure. The connection is prepared for the next letter."""
        if 200 <= code < 300:
            return
        try:
            if code == 421 or self._smtp is None:  # RFC 5321 3.8: with 421 the server closes
                self.close()
            else:
                self._smtp.rset()
        except OSError:
            self.close()
        answer = _answer_text(code, words)
        raise _failure(command, code, answer)(WHOLE_LETTER_PREFIX * (command == "DATA") + answer)


class RelaySender(Sender):
    """Up to `lines` connections to a relay. Each sends one letter at a time.

    A relay may take fewer. If it refuses one more while others are open, letters wait for those.
    """

    def __init__(self, relay: Relay, timeout: float = TIMEOUT_SECONDS, lines: int = 1) -> None:
        self.lines = lines
        self._relay, self._timeout = relay, timeout
        self._free, self._all = list[RelayLine](), set[RelayLine]()
        self._returned = Condition()
        self._is_cut = False
        self._slow: dict[str, float] = {}
        self._fewer, self._fewer_until = lines, 0.0

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Hand one letter over; after the return the relay has it."""
        line = self._take()
        try:
            line.send(envelope_from, recipient, raw)
            self._slow.pop(recipient, None)
        except RelayHangs:
            self._slow[recipient] = monotonic() + SLOW_SECONDS
            raise
        except RelayUnreachable:
            if not self._drop(line):
                raise
            self.send(envelope_from, recipient, raw)
        finally:
            self._give_back(line)

    def slow(self) -> set[str]:
        """Return the recipients over whom the relay hung within ten minutes."""
        now = monotonic()
        return {recipient for recipient, until in list(self._slow.items()) if until > now}

    def try_connection(self) -> bool:
        """Connect as for a letter, but send none; True under TLS. Raises RelayUnreachable."""
        return RelayLine(self._relay, self._timeout).try_connection()

    def close(self) -> None:
        with self._returned:
            lines, self._free = self._free, []
            self._all -= set(lines)
        end = monotonic() + CLOSE_SECONDS
        for line in lines:
            line.close(max(0.0, end - monotonic()))

    def hang_up(self) -> None:
        with self._returned:
            self._is_cut = True
            for line in self._all:
                line.hang_up()
            self._returned.notify_all()

    def _take(self) -> RelayLine:
        """Return an idle line, the last used first, or a new one. Waits where there may be no more."""
        with self._returned:
            while not self._free and len(self._all) >= self._most():
                self._returned.wait(FEWER_SECONDS)
            line = self._free.pop() if self._free else RelayLine(self._relay, self._timeout)
            line.is_cut = self._is_cut
            self._all.add(line)
            return line

    def _most(self) -> int:
        return self._fewer if monotonic() < self._fewer_until else self.lines

    def _give_back(self, line: RelayLine) -> None:
        with self._returned:
            if line in self._all:
                self._free.append(line)
            self._returned.notify()

    def _drop(self, line: RelayLine) -> bool:
        """Do without a line that does not open, for a minute. False where no other is open."""
        with self._returned:
            if self._is_cut or line.is_open or not any(each.is_open for each in self._all):
                return False
            self._all.discard(line)
            self._fewer, self._fewer_until = max(1, len(self._all)), monotonic() + FEWER_SECONDS
            return True


def _failure(command: str, code: int, answer: str) -> type[SendFailure]:
    """Return whom a refusal is about. Only an answer to RCPT or DATA can be about the letter."""
    if not 500 <= code < 600:
        return TemporaryFailure
    if command == "MAIL":
        return LetterRefused if code == TOO_LARGE_CODE else RelayDeniesUs
    about_us = is_about_us(code, answer.partition(" ")[2], after_the_text=command == "DATA")
    return {True: RelayDeniesUs, False: LetterRefused, None: UnclearRefusal}[about_us]


def _unreachable(error: OSError) -> RelayUnreachable:
    """Return the failure of an error outside MAIL, RCPT and DATA."""
    if isinstance(error, smtplib.SMTPResponseException):  # to the greeting, EHLO, STARTTLS or AUTH
        kind = RelayShutsUs if error.smtp_code >= 500 else RelayUnreachable
        return kind(_answer_text(error.smtp_code, error.smtp_error))
    return RelayUnreachable(error.strerror or str(error))


def _answer_text(code: int, words: bytes | str) -> str:
    return f"{code} {words if isinstance(words, str) else words.decode('ascii', 'replace')}"


class SendRate:
    """Limits the letters in any sixty seconds; None: no limit."""

    def __init__(self, per_minute: int | None = None) -> None:
        self._most = per_minute
        self._sent: deque[datetime] = deque()

    def room(self, now: datetime, wanted: int) -> int:
        """Return how many of the `wanted` letters may be sent now."""
        if self._most is None:
            return wanted
        while (
            self._sent and not now - timedelta(minutes=1) < self._sent[0] <= now
        ):  # or the clock was put back
            self._sent.popleft()
        return min(wanted, self._most - len(self._sent))

    def count(self, now: datetime, letters: int = 1) -> None:
        if self._most is not None:
            self._sent.extend([now] * letters)


def make_sender(relay: Relay | None, lines: int = 1) -> Sender:
    return Mailroom() if relay is None else RelaySender(relay, lines=lines)


def retry_delay(attempts: int) -> timedelta:
    return BACK_OFF[min(attempts, len(BACK_OFF)) - 1]
