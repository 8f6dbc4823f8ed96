"""A server with its programs, and pairs who play on it: begun, and judged at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.store.migrate import migrate
from tests.ports import free_port
from tests.soak.pairs import GAMES, Pair
from tests.soak.programs import Programs
from tests.soak.relay import Relay, running_relay
from tests.soak.verdict import Verdict, is_quiet, judge, run_pbem

SETTLE_SECONDS = 300.0
ALL_IN_ONE = (("serve",),)
APART = (("mail",), ("work",), ("work",), ("web",), ("bots",))


@dataclass
class Play:
    """What goes on. `say` prints a line with the seconds since the beginning."""

    programs: Programs
    pairs: Sequence[Pair]
    relay: Relay
    settings: Mapping[str, str]
    say: Callable[[str], None]
    over: Event = field(default_factory=Event)

    def moves(self) -> int:
        """Moves of all pairs so far."""
        return sum(len(table.moves) for pair in self.pairs for table in list(pair.tables.values()))

    def wait_for_moves(self, more: int) -> None:
        """Wait for so many more moves; raises AssertionError if none come for long."""
        wanted, end = self.moves() + more, time.monotonic() + SETTLE_SECONDS
        while self.moves() < wanted:
            assert time.monotonic() < end, "nobody plays"
            time.sleep(0.05)

    def finish(self, *, retry: bool = False) -> Verdict:
        """Begin no more moves, wait until nothing waits, and judge. `retry`: put-off letters do not wait."""
        self.over.set()
        for pair in self.pairs:
            assert pair.thread is not None
            pair.thread.join(SETTLE_SECONDS)
        if retry:
            run_pbem(self.settings, "retry", "--failed")
        app = open_app(config_from(self.settings))
        try:
            harm = _settle(app)
            self.say("all is settled")
            found = judge(app, self.pairs, self.relay, self.settings)
        finally:
            app.close()
        found.harm += harm
        return found


@contextmanager
def playing(
    folder: Path,
    logs: Path,
    url: str,
    commands: Sequence[Sequence[str]],
    pairs: int,
    seed: int,
    say: Callable[[str], None],
) -> Iterator[Play]:
    """Run a server in a folder, and have so many pairs play."""
    with running_relay() as relay:
        settings = _settings(folder, url, relay)
        app = open_app(config_from(settings))
        migrate(app.store)
        people = [_pair(n, seed, relay, settings) for n in range(pairs)]
        for pair in people:
            pair.meet(app)
        app.close()
        play = Play(Programs(logs, settings, commands), people, relay, settings, say)
        play.programs.start()
        try:
            for pair in people:
                pair.start(play.over)
            yield play
        finally:
            play.over.set()
            play.programs.stop()
    say(f"{play.programs.restarts} restarts, {play.programs.log_size() >> 10} KiB of logs")


def _settle(app: App) -> list[str]:
    end = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < end:
        if is_quiet(app):
            return []
        time.sleep(0.5)
    return [f"after {SETTLE_SECONDS:.0f} s mails or letters still wait"]


def _settings(folder: Path, url: str, relay: Relay) -> dict[str, str]:
    return {
        "PBEM_VAR": str(folder),
        "PBEM_DATABASE": url,
        "PBEM_SECRET": "s" * 32,
        "PBEM_RELAY": f"smtp://127.0.0.1:{relay.port}",
        "PBEM_SMTP_LISTEN": f"127.0.0.1:{free_port()}",
        "PBEM_LMTP_LISTEN": "off",
        "PBEM_WEB_LISTEN": f"127.0.0.1:{free_port()}",
        "PBEM_CONFIRMATIONS_PER_HOUR": "100000",
        "PBEM_LETTERS_PER_HOUR": "100000",
        "PBEM_ATTEMPTS": "20",
        "PBEM_UNDO_MINUTES": "0",
        "PBEM_LOG_LEVEL": "warning",
    }


def _pair(number: int, seed: int, relay: Relay, settings: Mapping[str, str]) -> Pair:
    game, options = GAMES[number % len(GAMES)]
    port = int(settings["PBEM_SMTP_LISTEN"].rpartition(":")[2])
    return Pair(number, game, options, Random(1000 * seed + number), relay, port)
