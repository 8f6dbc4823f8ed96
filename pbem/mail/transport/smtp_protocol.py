"""SMTP (RFC 5321) and LMTP (RFC 2033) for aiosmtpd, with enhanced codes (RFC 2034) and limits."""

import logging
import re
from asyncio import WriteTransport
from typing import Any

from aiosmtpd.smtp import SMTP, TLSSetupException

from pbem.core.connections import connection_to_close, network_of

log = logging.getLogger("pbem.listener")

MAX_LINE = 64 * 1024
"""Bytes of one line. RFC 5321 4.5.3.1.6 says 1,000; some programs send more."""
MAX_CONNECTIONS, MAX_FROM_ONE = 200, 60
UNIX = "unix"
"""The peer of a unix socket: our own mail server."""

TRY_LATER = "451 4.3.0 Not now; please try again later"
TOO_BUSY = "421 4.3.2 Too many connections; please try again later"
NO_SUCH_COMMAND = "502 5.5.1 There is no such command here"

_USUAL = re.compile(
    r"<([A-Za-z0-9+=_-]{1,64}(?:\.[A-Za-z0-9+=_-]{1,64}){0,9}"
    r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,9})>(| .*)"
)
"""A usual address, and the rest of the line."""

_UNCODED = re.compile(r"^(?P<code>[245]\d\d)[ -](?!\d\.\d{1,3}\.\d{1,3} )")
ENHANCED = dict(
    pair.split("=")
    for pair in (
        *("214=2.0.0", "221=2.0.0", "250=2.0.0", "252=2.5.2", "421=4.3.2", "454=4.7.0", "500=5.5.2"),
        *("501=5.5.4", "502=5.5.1", "503=5.5.1", "552=5.3.4", "553=5.1.7", "554=5.5.0", "555=5.5.4"),
    )
)
"""RFC 3463 codes for answers without one; 220 is a greeting and has none."""


def _redact(record: logging.LogRecord) -> bool:
    """Pass warnings without their quotes. aiosmtpd logs every line with its addresses."""
    record.msg, record.args = record.msg.replace("%r unrecognised: %s", "an unknown command"), ()
    return record.levelno >= logging.WARNING


logging.getLogger("mail.log").addFilter(_redact)


class ConnectionLimiter:
    """The open connections; used only in the thread of the listener's loop.

    When there is no room, the newcomer replaces one connection: of the network with the most connections, the
    one that has been idle longest without a mail. So connections that are held open keep no mail server out.
    """

    def __init__(self, most: int = MAX_CONNECTIONS, most_from_one: int = MAX_FROM_ONE) -> None:
        self._most, self._most_from_one = most, most_from_one
        self._here: dict[Smtp, tuple[str, float]] = {}
        """The network of each connection, and the time since its last mail."""

    def enter(self, line: "Smtp", peer: str) -> bool:
        """Admit a connection from `peer` if there is room, and count it."""
        network = network_of(peer)
        beside = sum(each == network for each, _since in self._here.values())
        if network != UNIX and beside >= self._most_from_one:
            return False
        if len(self._here) >= self._most:
            gone = connection_to_close(self._here)
            self.leave(gone)
            gone.hang_up()
        self._here[line] = network, line.loop.time()
        return True

    def note_delivery(self, line: "Smtp") -> None:
        if line in self._here:
            self._here[line] = self._here[line][0], line.loop.time()

    def leave(self, line: "Smtp") -> None:
        self._here.pop(line, None)


class Smtp(SMTP):
    line_length_limit = MAX_LINE
    greets_with = "HELO"

    def __init__(self, *args: Any, connections: ConnectionLimiter, **named: Any) -> None:
        super().__init__(*args, auth_exclude_mechanism=["LOGIN", "PLAIN"], **named)
        self._connections = connections
        self._greeting = False

    async def _handle_client(self) -> None:
        assert self.session is not None and self.transport is not None
        peer = str(self.session.peer[0]) if self.session.peer else UNIX
        if not self._connections.enter(self, peer):
            await self.push(TOO_BUSY)
            self.transport.close()
            return
        try:
            await super()._handle_client()
        finally:
            self._connections.leave(self)

    def hang_up(self) -> None:
        """Ask the client to come again, and close without waiting."""
        if isinstance(self.transport, WriteTransport):
            self.transport.write(f"{TOO_BUSY}\r\n".encode())
            self.transport.close()

    async def push(self, status: str) -> None:  # type: ignore[override]  # nobody pushes bytes
        await super().push(status if self._greeting else add_enhanced_code(status))

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Split an address from its parameters. A usual one needs no slow parser."""
        usual = _USUAL.fullmatch(arg)
        return (usual[1], usual[2]) if usual else super()._getaddr(arg)

    async def check_helo_needed(self, helo: str = "") -> bool:
        return bool(await super().check_helo_needed(self.greets_with))

    async def smtp_HELO(self, hostname: str) -> None:
        await self._answer_greeting(super().smtp_HELO, hostname)

    async def smtp_EHLO(self, hostname: str) -> None:
        await self._answer_greeting(super().smtp_EHLO, hostname)

    async def _answer_greeting(self, greet: Any, hostname: str) -> None:
        """Answer a greeting without enhanced codes (RFC 2034 4)."""
        self._greeting = True
        try:
            await greet(hostname)
        finally:
            self._greeting = False

    async def smtp_STARTTLS(self, arg: str) -> None:
        """Close a connection whose client does not speak TLS, which is no error of ours."""
        try:
            await super().smtp_STARTTLS(arg)
        except TLSSetupException as error:
            log.info("a client began no TLS: %s", type(error.__cause__ or error).__name__)
            if self.transport is not None:
                self.transport.close()

    async def smtp_DATA(self, arg: str) -> None:
        await super().smtp_DATA(arg)
        self._connections.note_delivery(self)

    async def smtp_AUTH(self, arg: str) -> None:
        await self.push(NO_SUCH_COMMAND)


class Lmtp(Smtp):
    """One LMTP connection: after the data, one answer for each accepted recipient."""

    greets_with = "LHLO"

    _owed = 0
    """Answers due to the data of the current mail, 0 before the 354."""

    async def smtp_LHLO(self, hostname: str) -> None:
        await super().smtp_EHLO(hostname)

    async def smtp_EHLO(self, hostname: str) -> None:
        await self.push(NO_SUCH_COMMAND)

    smtp_HELO = smtp_EHLO

    async def smtp_DATA(self, arg: str) -> None:
        try:
            await super().smtp_DATA(arg)
        finally:
            self._owed = 0

    async def push(self, status: str) -> None:  # type: ignore[override]
        """Answer once before the 354, and once for each recipient after it."""
        if self._owed and "\n" not in status:
            status = "\r\n".join([add_enhanced_code(status)] * self._owed)
        elif status.startswith("354") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
        await super().push(status)


def add_enhanced_code(status: str) -> str:
    def with_code(match: re.Match[str]) -> str:
        code = ENHANCED.get(match["code"])
        return f"{match[0]}{code} " if code else match[0]

    return "\r\n".join(_UNCODED.sub(with_code, line) for line in status.split("\r\n"))
