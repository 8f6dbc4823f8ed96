"""DNS queries, all of a mail's at once with one deadline. Answers and timeouts are remembered."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import NamedTuple

from dns import exception, resolver
from dns.asyncresolver import Resolver

from pbem.config.parsers import Listen
from pbem.mail.authentication.dkim_verify import DnsUnanswered

SECONDS = 3.0
MARGIN_SECONDS = 0.2
"""Margin before the deadline, so that silence is remembered in time."""
CANCEL_SECONDS = 0.05
CACHE_SECONDS = 60.0
MAX_CACHED = 10_000
MAX_AT_ONCE = 200
"""Questions in progress; each one uses a socket."""
MAX_MAILS = 500
"""Maximum mails in query at once; later ones wait."""


class _Answer(NamedTuple):
    found: list[str] | None
    """The TXT records, None for no answer."""
    until: float


class DnsClient:
    """A DNS client in its own thread, which asks `server` or else this machine's name servers."""

    def __init__(self, server: Listen | None = None, seconds: float = SECONDS) -> None:
        self._server, self._seconds = server, seconds
        self._remembered: dict[str, _Answer] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._stop, self._room = asyncio.Event(), asyncio.Semaphore(MAX_AT_ONCE)
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._thread = Thread(target=self._serve, name="dns", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with self._runner:
            self._runner.run(self._until_stopped())

    async def _until_stopped(self) -> None:
        await self._stop.wait()
        while pending := [task for task in self._asking.values() if not task.done()]:
            for task in pending:  # perhaps again: `wait_for` of Python 3.11 can lose a cancel
                task.cancel()
            await asyncio.wait(pending, timeout=CANCEL_SECONDS)

    def __call__(self, name: str) -> list[str]:
        """Return the joined TXT records of a name (RFC 7208 3.3). Raises DnsUnanswered."""
        self.ask([name]).result()
        return self.known(name)

    def known(self, name: str) -> list[str]:
        """Return the TXT records already asked for, without a wait; raises DnsUnanswered."""
        answer = self._answer(name)
        if answer is None or answer.found is None:
            raise DnsUnanswered(name)
        return answer.found

    def ask(self, names: Sequence[str]) -> Future[None]:
        """Ask all names at once, until answered or out of time, or until the first gets no answer."""
        new = [name for name in names if self._answer(name) is None]
        first = self._answer(names[0]) if names else None
        if not new or (first is not None and first.found is None):
            done: Future[None] = Future()
            done.set_result(None)
            return done
        return asyncio.run_coroutine_threadsafe(self._all(new), self._loop)

    def close(self) -> None:
        """End the thread; questions in progress are dropped."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def _answer(self, name: str) -> _Answer | None:
        answer = self._remembered.get(name)
        return answer if answer is not None and time.monotonic() < answer.until else None

    async def _all(self, names: Sequence[str]) -> None:
        for name in names:  # several mails share one task
            if name not in self._asking:
                self._asking[name] = asyncio.create_task(self._ask(name))
        await asyncio.wait({self._asking[name] for name in names}, timeout=self._seconds)

    async def _ask(self, name: str) -> None:
        found: list[str] | None = None
        try:
            async with self._room:
                answer = await self._resolver().resolve(f"{name}.", "TXT", search=False)
            found = [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
        except (resolver.NXDOMAIN, resolver.NoAnswer):
            found = []
        except (exception.DNSException, OSError, UnicodeError):
            pass  # no answer
        finally:
            del self._asking[name]
        if len(self._remembered) >= MAX_CACHED:
            self._remembered.clear()
        self._remembered[name] = _Answer(found, time.monotonic() + CACHE_SECONDS)

    def _resolver(self) -> Resolver:
        made = Resolver(configure=self._server is None)
        if self._server is not None:
            made.nameservers, made.port = [self._server.host], self._server.port
        made.lifetime = self._seconds - MARGIN_SECONDS
        return made


class _Query(NamedTuple):
    """A mail's sender and DNS query. `itself` is False while it waits for the query of an earlier mail."""

    sender: str
    answered: Future[None]
    itself: bool

    @property
    def over(self) -> bool:
        return self.itself and self.answered.done()


class DnsQueries:
    """The mails with queries that are not handled yet, by number. A new process asks again."""

    def __init__(self) -> None:
        self._mails: dict[int, _Query] = {}

    def pending_numbers(self) -> list[int]:
        mails = list(self._mails.items())  # at once: another thread may handle a mail
        return [number for number, mail in mails if not mail.answered.done()]

    def numbers(self) -> list[int]:
        return list(self._mails)

    def __len__(self) -> int:
        return len(self._mails)

    @property
    def full(self) -> bool:
        return len(self._mails) >= MAX_MAILS

    def only(self, waiting: Sequence[int]) -> None:
        """Drop mails that another worker has handled."""
        kept = {*waiting, *self.pending_numbers()}
        self._mails = {number: mail for number, mail in self._mails.items() if number in kept}

    def begin(
        self, number: int, sender: str, names: Sequence[str], servers: DnsClient, wake: Callable[[], object]
    ) -> bool:
        """Start a mail's query, after its sender's others. True if the mail may be handled now."""
        mail = self._mails.get(number)
        if mail is None or (mail.answered.done() and not mail.itself):
            earlier = (mail.answered for mail in self._mails.values() if mail.sender == sender)
            ahead = next((answered for answered in earlier if not answered.done()), None)
            mail = _Query(sender, ahead or servers.ask(names), ahead is None)
            self._mails[number] = mail
            if not mail.answered.done():
                mail.answered.add_done_callback(lambda _: wake())
        return mail.over

    def asked(self, number: int) -> bool:
        mail = self._mails.get(number)
        return mail is not None and mail.over

    def end(self, number: int) -> None:
        self._mails.pop(number, None)
