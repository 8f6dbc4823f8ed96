"""The office: everything of the world that handling mail needs, gathered in one value.

Only `office.now` asks the clock and only `office.rng` draws lots, so a test passes its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from random import Random, SystemRandom

from pbem.config import Settings, secret_of
from pbem.mail.addressing import Addressing
from pbem.mail.sending import Sender, open_sender
from pbem.mail.writing import House
from pbem.store.engine import Store, open_store
from pbem.store.games import Shelf
from rules import RULES
from rules.contract import Rules


def utc_now() -> datetime:
    return datetime.now(UTC)


def _nothing(_step: str) -> None:
    """Called after each of the ten steps; a test that stops the process there passes its own."""


@dataclass(frozen=True)
class Office:
    """The hands of the server: store, sender, clock, settings, and what follows from them."""

    settings: Settings
    store: Store
    sender: Sender
    addressing: Addressing
    house: House
    shelf: Shelf = field(default_factory=lambda: Shelf(RULES))
    clock: Callable[[], datetime] = utc_now
    rng: Random = field(default_factory=SystemRandom)
    wake: Callable[[], None] = lambda: None
    """Tells whoever works in this process that there is something to do."""
    step: Callable[[str], None] = _nothing

    def now(self) -> datetime:
        """This moment, UTC, in whole seconds: the only kind of time that is ever stored for a game."""
        return self.clock().replace(microsecond=0)

    @property
    def offered(self) -> Mapping[str, Rules]:
        """The games that may be begun here, by key."""
        return {key: self.shelf[key] for key in self.settings.games}

    def close(self) -> None:
        self.sender.close()
        self.store.close()


def open_office(settings: Settings, *, clock: Callable[[], datetime] = utc_now) -> Office:
    """The office that the settings describe; its database is opened, not migrated."""
    key = sha256(b"pbem addresses: " + secret_of(settings)).digest()
    return Office(
        settings=settings,
        store=open_store(settings.database),
        sender=open_sender(settings.relay),
        addressing=Addressing(settings.host, (key,), settings.delimiter),
        house=House(settings.host, settings.site, settings.delimiter, settings.templates),
        clock=clock,
    )
