"""The application context. Only its `now` asks the clock and only its `rng` draws random numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random, SystemRandom
from shutil import disk_usage

from pbem.config.load import SettingsError
from pbem.config.table import Config
from pbem.keys.address_keys import Keyring, secret_file
from pbem.mail.addresses import Addressing
from pbem.mail.authentication import dkim_verify, dns
from pbem.mail.outbound.dkim_sign import BadDkimKey, Signer, read_key
from pbem.mail.outbound.message import Site
from pbem.mail.outbound.relay import Sender, SendRate, make_sender
from pbem.store import counters, engine, games
from pbem.store.wake import Bell
from rules import RULES, contract


def utc_now() -> datetime:
    return datetime.now(UTC)


def free_bytes(folder: Path) -> int:
    """The bytes that we can still write to a folder's disk."""
    return disk_usage(folder).free


def clock_for(config: Config) -> Callable[[], datetime]:
    """Return these settings' clock: real, or faster from the time in `hurried`."""
    if config.hurry == 1:
        return utc_now
    kept = config.var / "hurried"
    if not kept.is_file():
        config.var.mkdir(parents=True, exist_ok=True)
        kept.write_text(utc_now().isoformat(), encoding="ascii")
    begun = datetime.fromisoformat(kept.read_text(encoding="ascii"))
    return lambda: begun + config.hurry * (utc_now() - begun)


def open_signer(config: Config) -> Signer | None:
    if config.dkim_key is None:
        return None
    try:
        return Signer(config.host, config.dkim_selector, read_key(config.dkim_key))
    except (BadDkimKey, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise SettingsError([f"PBEM_DKIM_KEY={config.dkim_key}: {why}."]) from None


@dataclass(frozen=True)
class App:
    """The application context: store, sender, clock, settings, and derived values."""

    config: Config
    store: engine.Store
    sender: Sender
    addressing: Addressing
    site: Site
    signer: Signer | None = None
    send_rate: SendRate = field(default_factory=SendRate)
    games_by_key: games.GamesByKey = field(default_factory=lambda: RULES)
    clock: Callable[[], datetime] = utc_now
    rng: Random = field(default_factory=SystemRandom)
    wake: Callable[..., object] = lambda *_names: None
    """Wakes the worker: all of its threads or those named. Other processes hear it on PostgreSQL alone."""
    bell: Bell | None = None
    step: Callable[[str], None] = lambda _step: None
    """Called after each step. A test that stops the process there passes its own function."""
    lookup: dkim_verify.Lookup | None = None
    """DNS queries for TXT records; None: no signature is checked here."""
    ahead: dns.DnsQueries = field(default_factory=dns.DnsQueries)
    counts: counters.ProcessCounts = field(default_factory=counters.ProcessCounts)
    free_bytes: Callable[[Path], int] = free_bytes

    def now(self) -> datetime:
        """The current time, UTC, in whole seconds. Games store no other kind of time."""
        return self.clock().replace(microsecond=0)

    def signed(self, raw: bytes, now: datetime) -> bytes:
        """A finished letter as sent, with a DKIM signature if configured."""
        return self.signer.sign(raw, now) if self.signer else raw

    @property
    def offered(self) -> Mapping[str, contract.Rules]:
        """The games on offer by key."""
        return {key: RULES[key] for key in self.config.games}

    def close(self) -> None:
        """Store what is counted, and close all connections."""
        try:
            self.counts.store(self.store)
        except Exception as error:
            if not engine.is_unavailable(error):
                raise
        if isinstance(self.lookup, dns.DnsClient):
            self.lookup.close()
        if self.bell is not None:
            self.bell.close()
        self.sender.close()
        self.store.close()


def check_secret(config: Config, store: engine.Store) -> None:
    """Raise SettingsError if the database has games, and their secret is missing."""
    path = secret_file(config)
    if path is None or path.exists():
        return
    with store.read() as db:
        lost = games.any_stored(db)
    if lost:
        raise SettingsError(
            [
                f"The database has games, and their secret is not at {path.absolute()}: set PBEM_VAR to its "
                "folder, or bring it back from a backup. Without it every reply address is void."
            ]
        )


def open_app(config: Config, *, clock: Callable[[], datetime] | None = None) -> App:
    """Open the app context for these settings, without migrating its database."""
    store = engine.open_store(config.database)
    try:
        check_secret(config, store)
    except SettingsError:
        store.close()
        raise
    bell = Bell(store)
    return App(
        config=config,
        store=store,
        sender=make_sender(config.relay, config.relay_lines),
        signer=open_signer(config),
        send_rate=SendRate(config.letters_per_minute),
        addressing=Addressing(config.host, Keyring(config), config.delimiter),
        site=Site(config.host, config.site, config.templates),
        clock=clock or clock_for(config),
        wake=bell.ring,
        bell=bell,
        lookup=dns.DnsClient() if config.check_dkim else None,
    )
