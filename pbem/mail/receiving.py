"""The SMTP listener: takes mail for our own addresses and answers 250 once it is kept.

Nothing is parsed here. What goes wrong on our side is answered 451 with a constant text, so the
sender's server keeps the mail and tries again, and learns nothing of what went wrong.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.mail.addressing import BadAddress

log = logging.getLogger("pbem.listener")

TRY_LATER = "451 4.3.0 Not now; please try again later"
BAD_SENDER = "553 5.1.7 That is no sender's address"
UNKNOWN = "550 5.1.1 No such mailbox here"
TOO_MANY = "452 4.5.3 Too many recipients"
MOST_RECIPIENTS = 50
ADDRESS_MOST = 320
"""Characters of an envelope address: 64 and 255 with the @ between (RFC 5321 4.5.3.1)."""
TIMEOUT_SECONDS = 300  # RFC 5321 4.5.3.2.7

Known = Callable[[str], None]
"""Looks at an envelope recipient; raises BadAddress where it is none of ours."""
Keep = Callable[[bytes, str, Sequence[str]], list[str]]
"""(raw, sender, recipients) -> the keys under which the mail is kept, once all are durable."""


def plain(address: str) -> bool:
    """Whether an envelope address holds neither controls nor bytes that are no text."""
    return address.isprintable() and len(address) <= ADDRESS_MOST


class Door:
    """What aiosmtpd asks for each recipient and each mail."""

    def __init__(self, known: Known, keep: Keep, threads: int = 4) -> None:
        self._known = known
        self._keep = keep
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="keep")

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not plain(address):
            return BAD_SENDER
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Sender OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY
        try:
            self._known(address)
        except BadAddress:
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Recipient OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        loop = asyncio.get_running_loop()
        raw = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")
        recipients = list(dict.fromkeys(envelope.rcpt_tos))
        keys = await loop.run_in_executor(self._pool, self._keep, raw, sender, recipients)
        return f"250 2.0.0 Kept as {', '.join(keys)}"

    async def handle_exception(self, error: Exception) -> str:
        log.error("a mail could not be taken: %s", type(error).__name__, exc_info=error)
        return TRY_LATER

    def close(self) -> None:
        self._pool.shutdown(wait=True)


class Bound(Controller):
    """A controller that binds its socket before it starts: a taken port is an OSError at once.

    With port 0, `port` is the one it was given.
    """

    def start(self) -> None:
        family = socket.AF_INET6 if ":" in self.hostname else socket.AF_INET
        try:
            self._socket = socket.create_server((self.hostname, self.port), family=family, backlog=100)
        except OSError:
            self.loop.close()
            raise
        self.port = self._socket.getsockname()[1]
        super().start()

    def _create_server(self) -> Awaitable[asyncio.AbstractServer]:
        return self.loop.create_server(self._factory_invoker, sock=self._socket)


class Listener(Bound):
    """The listener in a thread of its own. `start` raises OSError where the port is taken."""

    def __init__(self, known: Known, keep: Keep, *, host: str, port: int, name: str, size_limit: int) -> None:
        self._door = Door(known, keep)
        super().__init__(
            self._door,
            hostname=host,
            port=port,
            server_hostname=name,
            ready_timeout=30,
            ident="pbem",
            data_size_limit=size_limit,
            timeout=TIMEOUT_SECONDS,
        )

    def stop(self, no_assert: bool = True) -> None:
        """Close the door first, then wait for the mail in hand."""
        super().stop(no_assert)
        self._door.close()


__all__ = ["TRY_LATER", "UNKNOWN", "Bound", "Door", "Listener", "plain"]
