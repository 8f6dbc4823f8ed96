"""What fails, and for how long. Each fault ends before the next begins."""

from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Thread

from tests.databases import Postgres
from tests.soak.pairs import offer
from tests.soak.programs import Programs
from tests.soak.relay import MOODS, Relay

DISK_BYTES = 600 << 20
"""With more room left than `pbem check` wants."""
LOCKED_SECONDS = 12.0
"""Longer than a writer waits for SQLite's lock."""
CLOCK_STEPS = (4000, -4000)
"""In seconds: more than an hour either way."""
SECONDS_BETWEEN_KILLS = (4.0, 8.0)
PLAY = "play@localhost"


@dataclass
class World:
    """All that can fail."""

    folder: Path
    """It lies on a small disk of its own, where `small_disk` could make one."""
    programs: Programs
    relay: Relay
    rng: Random
    postgres: Postgres | None
    has_own_disk: bool


Fault = Callable[[World], str]
"""It happens, ends, and returns a line about it."""


def _kill(world: World) -> str:
    numbers = sorted(world.programs.running)
    world.rng.shuffle(numbers)
    for number in numbers:
        world.programs.kill(number)
        time.sleep(world.rng.uniform(0.5, 2))
    return f"killed {', '.join(' '.join(world.programs.commands[number]) for number in numbers)}"


def _relay(mood_number: int) -> Fault:
    def fail(world: World) -> str:
        world.relay.mood = MOODS[mood_number]
        time.sleep(world.rng.uniform(2, 5))
        world.relay.mood = "well"
        return f"the relay was {MOODS[mood_number]}"

    return fail


def _database(world: World) -> str:
    if world.postgres is not None:
        world.postgres.crash()
        time.sleep(3)
        world.postgres.start_again()
        return "PostgreSQL crashed, and came back after 3 s"
    with sqlite3.connect(world.folder / "pbem.sqlite", isolation_level=None, timeout=30) as db:
        db.execute("BEGIN EXCLUSIVE")
        time.sleep(LOCKED_SECONDS)
        db.execute("ROLLBACK")
    return f"SQLite was locked for {LOCKED_SECONDS:.0f} s"


def _disk(world: World) -> str:
    if not world.has_own_disk:
        return "the disk could not be filled: no right to mount one"
    ballast = world.folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
        time.sleep(3)
    ballast.unlink()
    return "the disk was full for 3 s"


def _clock(world: World) -> str:
    step = world.rng.choice(CLOCK_STEPS)
    world.programs.shift_clock(step)
    time.sleep(3)
    world.programs.shift_clock(0)
    return f"the clock stepped by {step} s and back"


POISON: tuple[bytes, ...] = (
    b"",
    b"\xff\xfe\x00\x01" * 500,
    b"Subject: =?utf-8?B?" + b"A" * 4000 + b"?=\r\n\r\n",
    b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n" * 300,
    b"From: a@b\r\nFrom: c@d\r\nContent-Type: text/plain; charset=nonsense\r\n\r\n\x80\x81resign yes\r\n",
    b"From: <>\r\nContent-Type: text/html\r\n\r\n" + b"<div><blockquote>" * 3000 + b"f2 f4",
    b"From: x@example.org\r\nContent-Transfer-Encoding: base64\r\n\r\n" + b"====\r\n" * 2000,
    b"From: x@example.org\r\nSubject: register\r\n\r\n" + b"register " + b"a\x00b" * 1000,
)


def _poison(world: World) -> str:
    port = int(world.programs.settings["PBEM_SMTP_LISTEN"].rpartition(":")[2])
    taken = sum(offer(port, "x@example.org", PLAY, raw) for raw in POISON)
    return f"{len(POISON)} poisoned mails came, {taken} were taken"


FAULTS: tuple[Fault, ...] = (
    _kill,
    _database,
    *map(_relay, range(len(MOODS))),
    _disk,
    _clock,
    _poison,
)


def inject_once(world: World, calm: float, say: Callable[[str], None]) -> int:
    """Let each thing fail once; returns the number of faults."""
    for fault in FAULTS:
        say(fault(world))
        time.sleep(calm)
    return len(FAULTS)


def inject(world: World, until: float, calm: float, say: Callable[[str], None]) -> int:
    """Let everything fail in turn, amid kills, until a monotonic time; returns the number of faults."""
    for count, fault in enumerate(itertools.cycle(FAULTS)):
        if time.monotonic() > until:
            return count
        over = Event()
        killer = Thread(target=_keep_killing, args=(world, over))
        killer.start()
        try:
            say(fault(world))
        finally:
            over.set()
            killer.join()
        time.sleep(calm)
    raise AssertionError("faults never run out")


def _keep_killing(world: World, over: Event) -> None:
    """Kill a program now and then while another fault lasts."""
    while not over.wait(world.rng.uniform(*SECONDS_BETWEEN_KILLS)):
        world.programs.kill(world.rng.choice(sorted(world.programs.running)))


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a small file system in memory there; yields False where that is not allowed."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=755", "soak", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
