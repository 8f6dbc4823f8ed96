"""`python -m tests.soak --minutes 10 --seed 1 [--once] [--database sqlite|postgresql]`."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.databases import Postgres, postgres_server
from tests.soak.faults import World, inject, inject_once, small_disk
from tests.soak.play import ALL_IN_ONE, APART, playing
from tests.soak.verdict import Verdict

PAIRS, PAIRS_ONCE = 12, 6
CALM_SECONDS, CALM_SECONDS_ONCE = 2.0, 0.5
DATABASES = ("sqlite", "postgresql")


def soak(database: str, seconds: float | None, seed: int, logs: Path | None) -> Verdict:
    """Play and let everything fail for so long, or each thing once; wait until all is done, and judge.

    The programs' logs are copied to a folder of `logs`.
    """
    begun = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - begun:6.1f} s  {database}: {line}", flush=True)

    with TemporaryDirectory(prefix="pbem-soak-") as scratch, small_disk(Path(scratch, "disk")) as has_disk:
        Path(scratch).chmod(0o755)
        folder, own_logs = Path(scratch, "disk"), Path(scratch, "logs")
        own_logs.mkdir()
        with _database(database, folder) as (url, postgres):
            commands, pairs = APART if postgres else ALL_IN_ONE, PAIRS if seconds else PAIRS_ONCE
            with playing(folder, own_logs, url, commands, pairs, seed, say) as play:
                world = World(folder, play.programs, play.relay, Random(seed), postgres, has_disk)
                play.wait_for_moves(pairs)
                if seconds:
                    count = inject(world, begun + seconds, CALM_SECONDS, say)
                else:
                    count = inject_once(world, CALM_SECONDS_ONCE, say)
                say(f"{count} faults are over, and all is to settle")
                found = play.finish(retry=not seconds)
        if logs is not None:
            shutil.copytree(own_logs, logs / database, dirs_exist_ok=True)
    return found


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[tuple[str, Postgres | None]]:
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'pbem.sqlite'}", None
        return
    with postgres_server(folder) as postgres:
        postgres.keep_commits()
        yield postgres.url(postgres.create()), postgres


def _report(database: str, found: Verdict) -> None:
    print(
        f"== {database}: {found.moves} moves in {found.games} games, none lost or doubled unless said below"
    )
    print(f"{found.letters} letters came; {found.twice} came again, one of them {found.most} times")
    print(f"{found.resent} mails were sent again by their senders, as no 250 came")
    for line in found.harm:
        print(f"HARM: {line}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--once", action="store_true", help="each fault once, on both databases at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--logs", type=Path, help="a folder for the logs of the programs")
    given = parser.parse_args()
    databases, seconds = given.database or DATABASES, None if given.once else given.minutes * 60
    with ThreadPoolExecutor(len(databases) if given.once else 1) as pool:
        runs = {each: pool.submit(soak, each, seconds, given.seed, given.logs) for each in databases}
        found = {each: run.result() for each, run in runs.items()}
    for database, verdict in found.items():
        _report(database, verdict)
    sys.exit(any(verdict.harm or not verdict.moves for verdict in found.values()))


if __name__ == "__main__":
    main()
