"""The office: everything of the world that handling mail needs, gathered in one value.

Only `office.now` asks the clock and only `office.rng` draws lots, so a test passes its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from pbem.config import SettingsError
from pbem.keyring import Keyring
from pbem.lookahead import LookAhead
from pbem.mail.addressing import Addressing
from pbem.mail.asking import Names
from pbem.mail.sending import Pace, Sender, open_sender
from pbem.mail.signatures import Lookup
from pbem.mail.writing import House
from pbem.settings import Settings
from pbem.store.engine import Store, open_store
from pbem.store.games import Shelf
from rules import RULES
from rules.contract import Rules

if TYPE_CHECKING:
    from pbem.mail.signing import Signer


@cache
def offered_games(settings: Settings) -> Mapping[str, Rules]:
    """The games of a server by key; raises SettingsError for a board file that cannot be read."""
    return {key: _on_own_board(RULES[key], settings.boards) for key in settings.games}


def _on_own_board(rules: Rules, folder: Path | None) -> Rules:
    path = folder / f"{rules.key}.board" if folder is not None else None
    if path is None or rules.with_board is None or not path.is_file():
        return rules
    try:
        return rules.with_board(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError([f"PBEM_BOARDS: {path}: {error}"]) from None


def open_signer(settings: Settings) -> Signer | None:
    """Who signs our letters; raises SettingsError for a key that cannot be read."""
    if settings.dkim_key is None:
        return None
    from pbem.mail.signing import BadKey, Signer, read_key  # not at the top: most have no key, all wait

    try:
        return Signer(settings.host, settings.dkim_selector, read_key(settings.dkim_key))
    except BadKey as error:
        raise SettingsError([f"PBEM_DKIM_KEY={settings.dkim_key}: {error}."]) from None
    except OSError as error:
        raise SettingsError([f"PBEM_DKIM_KEY={settings.dkim_key}: {error.strerror or error}."]) from None


def utc_now() -> datetime:
    return datetime.now(UTC)


def clock_for(settings: Settings) -> Callable[[], datetime]:
    """The clock that the settings ask for: that of the world, or for trials one that runs faster.

    The hurried one shows the world's time at its first look; the file `hurried` keeps that for whoever
    looks later, and in other processes.
    """
    if settings.hurry == 1:
        return utc_now
    kept = settings.var / "hurried"
    if not kept.is_file():
        settings.var.mkdir(parents=True, exist_ok=True)
        kept.write_text(utc_now().isoformat(), encoding="ascii")
    begun = datetime.fromisoformat(kept.read_text(encoding="ascii"))
    return lambda: begun + settings.hurry * (utc_now() - begun)


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
    signer: Signer | None = None
    """Signs our letters (DKIM), where the settings name a key."""
    pace: Pace = field(default_factory=Pace)
    shelf: Shelf = field(default_factory=lambda: Shelf(RULES))
    clock: Callable[[], datetime] = utc_now
    rng: Random = field(default_factory=SystemRandom)
    wake: Callable[[], None] = lambda: None
    """Tells whoever works in this process that there is something to do."""
    step: Callable[[str], None] = _nothing
    lookup: Lookup | None = None
    """Asks the name servers for TXT records; None: no signature is checked here."""
    ahead: LookAhead = field(default_factory=LookAhead)
    """The mails that a worker in this process has asked the name servers about."""

    def now(self) -> datetime:
        """This moment, UTC, in whole seconds: the only kind of time that is ever stored for a game."""
        return self.clock().replace(microsecond=0)

    def signed(self, raw: bytes, now: datetime) -> bytes:
        """A finished letter as it leaves: with a DKIM signature where we have a key."""
        return self.signer.sign(raw, now) if self.signer else raw

    @property
    def offered(self) -> Mapping[str, Rules]:
        """The games that may be begun here, by key, each on the installation's own board if it has one."""
        return offered_games(self.settings)

    def close(self) -> None:
        if isinstance(self.lookup, Names):
            self.lookup.close()
        self.sender.close()
        self.store.close()


def open_office(settings: Settings, *, clock: Callable[[], datetime] | None = None) -> Office:
    """The office that the settings describe; its database is opened, not migrated."""
    offered_games(settings)  # a board file that is wrong is told at once
    return Office(
        settings=settings,
        store=open_store(settings.database),
        sender=open_sender(settings.relay),
        signer=open_signer(settings),
        pace=Pace(settings.letters_per_minute),
        addressing=Addressing(settings.host, Keyring(settings), settings.delimiter),
        house=House(settings.host, settings.site, settings.delimiter, settings.templates),
        clock=clock or clock_for(settings),
        lookup=Names() if settings.check_dkim else None,
    )
