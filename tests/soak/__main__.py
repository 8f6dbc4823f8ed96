"""`python -m tests.soak --minutes 10 --seed 1 [--database sqlite|postgresql]`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.store.migrate import migrate
from tests.databases import Postgres, postgres_server
from tests.ports import free_port
from tests.soak.faults import World, inject, small_disk
from tests.soak.pairs import GAMES, Pair
from tests.soak.programs import Programs
from tests.soak.relay import Relay, running_relay
from tests.soak.verdict import Verdict, is_quiet, judge

PAIRS = 12
SETTLE_SECONDS = 300.0
ALL_IN_ONE = (("serve",),)
APART = (("mail",), ("work",), ("work",), ("web",), ("bots",))


def soak(database: str, seconds: float, seed: int = 1, calm: float = 2.0, *, aloud: bool = False) -> Verdict:
    """Play and let everything fail for so long, then wait until all is done, and judge."""
    with TemporaryDirectory(prefix="pbem-soak-") as scratch, small_disk(Path(scratch, "disk")) as has_disk:
        Path(scratch).chmod(0o755)
        folder = Path(scratch, "disk")
        with _database(database, folder) as (url, postgres), running_relay() as relay:
            settings = _settings(folder, url, relay)
            app = open_app(config_from(settings))
            migrate(app.store)
            pairs = [_pair(n, seed, relay, settings) for n in range(PAIRS)]
            for pair in pairs:
                pair.meet(app)
            app.close()
            logs = Path(scratch, "logs")
            logs.mkdir()
            programs = Programs(logs, settings, APART if postgres else ALL_IN_ONE)
            world = World(folder, programs, relay, Random(seed), postgres, has_disk)
            return _run(world, pairs, settings, seconds, calm, aloud=aloud)


def _run(
    world: World,
    pairs: list[Pair],
    settings: Mapping[str, str],
    seconds: float,
    calm: float,
    *,
    aloud: bool,
) -> Verdict:
    begun, over = time.monotonic(), Event()

    def say(line: str) -> None:
        if aloud:
            print(f"{time.monotonic() - begun:6.1f} s  {line}", flush=True)

    world.programs.start()
    try:
        for pair in pairs:
            pair.start(over)
        count = inject(world, begun + seconds, calm, say)
        over.set()
        for pair in pairs:
            assert pair.thread is not None
            pair.thread.join(SETTLE_SECONDS)
        say(f"{count} faults are over, and all is to settle")
        app = open_app(config_from(settings))
        try:
            harm = _settle(app)
            found = judge(app, pairs, world.relay, {**os.environ, **settings})
        finally:
            app.close()
    finally:
        world.programs.stop()
    say(f"{world.programs.restarts} restarts, {world.programs.log_size() >> 10} KiB of logs")
    import shutil

    shutil.rmtree("/tmp/soaklogs", ignore_errors=True)
    shutil.copytree(world.programs.folder, "/tmp/soaklogs")
    found.harm += harm
    return found


def _settle(app: App) -> list[str]:
    end = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < end:
        if is_quiet(app):
            return []
        time.sleep(0.5)
    return [f"after {SETTLE_SECONDS:.0f} s mails or letters still wait"]


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[tuple[str, Postgres | None]]:
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'pbem.sqlite'}", None
        return
    with postgres_server(folder) as postgres:
        yield postgres.url(postgres.create()), postgres


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


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], action="append")
    given = parser.parse_args()
    harmed = False
    for database in given.database or ["sqlite", "postgresql"]:
        print(f"== {database}", flush=True)
        found = soak(database, given.minutes * 60, given.seed, aloud=True)
        print(f"{found.moves} moves in {found.games} games, none lost or doubled unless said below")
        print(f"{found.letters} letters came; {found.twice} came again, one of them {found.most} times")
        print(f"{found.resent} mails were sent again by their senders, as no 250 came")
        for line in found.harm:
            print(f"HARM: {line}")
        harmed = harmed or bool(found.harm)
    sys.exit(harmed)


if __name__ == "__main__":
    main()
