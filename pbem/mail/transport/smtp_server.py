"""SMTP and LMTP listeners, which accept mail for our addresses and answer 250 once it is stored.

Mails that wait at the same moment are stored together, because durable writes are slow. Errors on our side
are answered 451 with a constant text: the sender's server tries again, and learns nothing about them.
"""

import asyncio
import errno
import logging
import os
import re
import socket
import ssl
import stat
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.config.logs import trouble
from pbem.config.parsers import Listen
from pbem.mail.addresses import BadAddress
from pbem.mail.transport.smtp_protocol import TRY_LATER, ConnectionLimiter, Lmtp, Smtp

log = logging.getLogger("pbem.listener")

MAX_RECIPIENTS = 50
MAX_AT_ONCE, BYTES_AT_ONCE = 64, 8 * 1024**2
"""Mails and bytes that are stored together."""
MAX_ADDRESS = 320
"""Characters of an envelope address: 64 and 255 with the @ (RFC 5321 4.5.3.1)."""
READY_SECONDS = 30
STOP_SECONDS = 10
SOCKET_MODE = 0o660
LOOPBACK = Listen("127.0.0.1")

_BARE = re.compile(rb"(?<!\r)\n|\r\.[\r\n]|\n\r(?!\n)")
"""A bare LF, or a bare CR next to a lone dot.

Two servers that differ about the end of a mail can be made to see two mails in one (SMTP smuggling). A
refusal keeps such a mail from all other servers too.
"""


@dataclass(frozen=True)
class ReceivedMail:
    """A received mail: bytes and envelope, where "" is the null sender."""

    raw: bytes
    sender: str
    recipients: tuple[str, ...]
    kept: datetime | None = None
    """Moment when the mail came into its mailbox."""
    client: str = ""
    """IP address of the sending client, "" if unknown."""


CheckRecipient = Callable[[str], object]
"""Checks an envelope recipient; raises BadAddress for a foreign one."""
StoreMails = Callable[[Sequence[ReceivedMail]], Sequence[list[str] | Exception]]
"""Mails -> for each its keys, one a recipient, once it is durable; or its error."""


class StoreUnavailable(Exception):
    """Raised when no mail can be stored now. The cause is the database's error."""


def is_printable_address(address: str) -> bool:
    return address.isprintable() and len(address) <= MAX_ADDRESS


class StoreQueue:
    """A queue of mails that are stored together. `store` runs in one thread beside the listener's loop."""

    def __init__(self, store: StoreMails) -> None:
        self._store = store
        self._waiting: list[tuple[ReceivedMail, asyncio.Future[list[str]]]] = []
        self._emptying: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="keep")

    async def keep(self, mail: ReceivedMail) -> list[str]:
        """Store a mail; returns its keys once durable, raises the error."""
        done: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self._waiting.append((mail, done))
        if self._emptying is None or self._emptying.done():
            self._emptying = asyncio.create_task(self._empty())
        return await done

    async def _empty(self) -> None:
        while self._waiting:
            sizes = accumulate(len(mail.raw) for mail, _done in self._waiting[:MAX_AT_ONCE])
            count = max(1, sum(size <= BYTES_AT_ONCE for size in sizes))
            taken, self._waiting = self._waiting[:count], self._waiting[count:]
            mails = [mail for mail, _done in taken]
            outcomes: Sequence[list[str] | Exception]
            try:
                outcomes = await asyncio.get_running_loop().run_in_executor(self._thread, self._store, mails)
            except Exception as error:
                outcomes = [error] * len(mails)
            for (_mail, done), outcome in zip(taken, outcomes, strict=True):
                if done.done():  # the client is gone
                    continue
                if isinstance(outcome, Exception):
                    done.set_exception(outcome)
                else:
                    done.set_result(outcome)

    def close(self) -> None:
        """Wait for the mails that are being stored."""
        self._thread.shutdown(wait=True)


class MailHandler:
    """The handler that aiosmtpd calls for each recipient and each mail."""

    def __init__(self, check_recipient: CheckRecipient, store: StoreMails) -> None:
        self._check_recipient = check_recipient
        self.queue = StoreQueue(store)
        self.in_hand = 0
        """Mails that were read and are not stored yet."""

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        ours = ["250-PIPELINING", "250-ENHANCEDSTATUSCODES"]
        return [responses[0], *ours, *(line for line in responses[1:] if not line.startswith("250-AUTH"))]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not is_printable_address(address):
            return "553 5.1.7 That is no sender's address"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Sender OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        try:
            self._check_recipient(address)
        except BadAddress:
            return "550 5.1.1 No such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Recipient OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        raw = envelope.original_content or b""
        if _BARE.search(raw):
            return "550 5.6.11 A line ends in a bare CR or LF, which no mail may have (RFC 5321 2.3.8)"
        recipients = tuple(dict.fromkeys(envelope.rcpt_tos))
        client = str(session.peer[0]) if isinstance(session.peer, tuple) else ""
        mail = ReceivedMail(raw, (envelope.mail_from or "").strip("<>"), recipients, client=client)
        self.in_hand += 1
        try:
            keys = await self.queue.keep(mail)
        except Exception as error:
            return await self.handle_exception(error)
        finally:
            self.in_hand -= 1
        if isinstance(server, Lmtp):
            key_of = dict(zip(recipients, keys, strict=True))
            return "\r\n".join(f"250 2.0.0 Kept as {key_of[name]}" for name in envelope.rcpt_tos)
        return f"250 2.0.0 Kept as {', '.join(keys)}"

    async def handle_exception(self, error: Exception) -> str:
        if isinstance(error, StoreUnavailable):
            why, extra = type(error.__cause__).__name__, trouble("intake", error)
            log.warning("no mail can be taken: the database does not answer (%s)", why, extra=extra)
            return TRY_LATER
        why = type(error).__name__
        log.error("a mail could not be taken: %s", why, exc_info=error, extra=trouble("intake", error))
        return TRY_LATER


class BoundController(Controller):
    """A controller that binds its port or unix socket (`path`) early; a taken port raises OSError at once."""

    path: str = ""

    def __init__(self, handler: Any, **settings: Any) -> None:
        super().__init__(handler, ready_timeout=READY_SECONDS, **settings)

    def start(self) -> None:
        family = socket.AF_INET6 if ":" in self.hostname else socket.AF_INET
        try:
            if self.path:
                self._socket = unix_socket(self.path)
            else:
                self._socket = socket.create_server((self.hostname, self.port), family=family, backlog=100)
                self.port = self._socket.getsockname()[1]
        except OSError:
            self.loop.close()
            raise
        super().start()

    def _create_server(self) -> Awaitable[asyncio.AbstractServer]:
        return self.loop.create_server(self._factory_invoker, sock=self._socket)

    def _trigger_server(self) -> None:
        """Connect once, as aiosmtpd does to check that the server works."""
        with socket.socket(self._socket.family) as first:
            first.settimeout(READY_SECONDS)
            first.connect(self._socket.getsockname())
            first.recv(1024)


def unix_socket(path: str) -> socket.socket:
    """Replace a dead socket at `path`. Raises OSError if somebody listens, or for another file."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            raise FileExistsError(errno.EEXIST, "there is a file that is no socket", path)
        if _is_live(path):
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE), path)
        os.unlink(path)
    made = socket.socket(socket.AF_UNIX)
    try:
        made.bind(path)
        os.chmod(path, SOCKET_MODE)  # before it listens, so that nobody connects earlier
        made.listen(100)
    except OSError:
        made.close()
        raise
    return made


def _is_live(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(2)
        try:
            probe.connect(path)
        except OSError as error:
            return not isinstance(error, ConnectionRefusedError)
    return True


class Listener(BoundController):
    """A listener in a thread of its own. `settings` are aiosmtpd's, such as `data_size_limit`."""

    def __init__(
        self,
        check_recipient: CheckRecipient,
        store: StoreMails,
        place: Listen = LOOPBACK,
        *,
        lmtp: bool = False,
        connections: ConnectionLimiter | None = None,
        **settings: Any,
    ) -> None:
        self.path = place.path
        self._protocol = Lmtp if lmtp else Smtp
        settings |= {"ident": "pbem", "connections": connections or ConnectionLimiter()}
        super().__init__(
            MailHandler(check_recipient, store), hostname=place.host, port=place.port, **settings
        )

    def factory(self) -> SMTP:
        return self._protocol(self.handler, **self.SMTP_kwargs)

    def renew_tls(self, context: ssl.SSLContext) -> None:
        """Use another certificate for connections from now on."""
        self.SMTP_kwargs["tls_context"] = context

    def stop(self, no_assert: bool = True) -> None:
        """Close the socket first, then wait for the mails in progress."""
        own = os.stat(self.path).st_ino if self.path and os.path.exists(self.path) else None
        if self.server is None:
            return
        self.loop.call_soon_threadsafe(self.server.close)
        end = monotonic() + STOP_SECONDS
        while self.handler.in_hand and monotonic() < end:
            sleep(0.01)
        super().stop(no_assert)
        self.handler.queue.close()
        with suppress(FileNotFoundError):
            if own is not None and os.stat(self.path).st_ino == own:
                os.unlink(self.path)


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the context for STARTTLS. Raises OSError (ssl.SSLError is one) for unusable files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    return context
