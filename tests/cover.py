"""Chooses tests that send every statement of the store to PostgreSQL, and keeps the choice in `cover.txt`.

Most tests run on SQLite alone. The choice is made from what they send there: `make cover` records which
compiled statements each test sends, and takes tests until one of them sends each statement. Tests marked
`each_database` are taken first, since these run on PostgreSQL anyway. `make cover TESTS=tests/store` records
these tests alone and adds what is missing.

A test that sends a statement which is in no chosen test fails, and so does a chosen test that no longer sends
what it was chosen for.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from tests.amount import release, whole

FILE = Path(__file__).with_name("cover.txt")
PACKAGE = f"{os.sep}pbem{os.sep}store{os.sep}"
RECORD = "COVER_RECORD"
"""Names the folder that a recording run writes to."""
LISTS = re.compile(r"\(\?(?:, \?)*\)(?:, \(\?(?:, \?)*\))*")
"""Values of one row or of many, and the list behind IN, however long."""
DATABASE = re.compile(r"(?<=[\[-])(sqlite|postgresql)(?=[\]-])-?")

START_SECONDS = 0.3
"""Time that a test takes longer on PostgreSQL."""

Choice = dict[str, set[str]]
"""Statements by the test that was chosen for them."""


def statement_key(statement: str) -> str:
    """Return a short key of a compiled statement; numbers of values make no difference."""
    return sha256(LISTS.sub("(?)", statement).encode()).hexdigest()[:12]


def key_of_test(node: str) -> str:
    """Return a test's node id without its database."""
    return DATABASE.sub("", node).replace("[]", "").replace("-]", "]")


def read_choice(file: Path = FILE) -> Choice:
    """Read lines of a test's key and its statements' keys."""
    lines = (line.rsplit(" ", 1) for line in file.read_text().splitlines())
    return {test: set(keys.split(",")) for test, keys in lines}


def write_choice(choice: Mapping[str, Iterable[str]], file: Path = FILE) -> None:
    rows = sorted((test, ",".join(sorted(keys))) for test, keys in choice.items())
    file.write_text("".join(f"{test} {keys}\n" for test, keys in rows))


class Recorder:
    """Collects the statements that the store sends while a test runs."""

    def __init__(self) -> None:
        self.sent: dict[str, str] = {}
        """Statements by their keys."""
        self._keys: dict[str, str] = {}

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Forget what is sent in the block. Tests before decide if anything is."""
        before = dict(self.sent)
        yield
        self.sent = before

    def listen(self, engine: Engine) -> None:
        event.listen(engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if not statement or not _from_store():  # a test may send the same
            return
        if statement not in self._keys:
            self._keys[statement] = statement_key(statement)
        self.sent[self._keys[statement]] = statement


recorder = Recorder()


def _from_store() -> bool:
    """True if the statement that is being sent was made in the package, and not by a test or a migration."""
    frame = sys._getframe(2)
    while frame.f_back is not None and "sqlalchemy" in frame.f_code.co_filename:
        frame = frame.f_back
    return PACKAGE in frame.f_code.co_filename and "migrations" not in frame.f_code.co_filename


@dataclass(frozen=True)
class Recorded:
    """A test of a recording run: what it sent, how long it took, and if it runs on both databases anyway."""

    test: str
    sent: frozenset[str]
    seconds: float
    free: bool


def choose(tests: Iterable[Recorded]) -> Choice:
    """Take tests until each statement is sent by one: the free ones, then those with most in a second."""
    tests = sorted(tests, key=lambda test: test.test)
    left = {key for test in tests for key in test.sent}
    choice: Choice = {}

    def take(test: Recorded) -> None:
        if new := test.sent & left:
            choice[test.test] = set(new)
            left.difference_update(new)

    for test in tests:
        if test.free:
            take(test)
    while left:
        take(max(tests, key=lambda test: len(test.sent & left) / (test.seconds + START_SECONDS)))
    return choice


def on_postgresql(item: pytest.Item) -> bool:
    """True if a test uses PostgreSQL, by fixture or by parameter."""
    params = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return "postgres" in getattr(item, "fixturenames", ()) or any(p == "postgresql" for p in params)


def on_both(definition: pytest.Item) -> bool:
    """True if a test function runs on both databases with some of its parameters."""
    if names_its_databases(definition) or RECORD in os.environ:
        return False
    free = definition.get_closest_marker("each_database") is not None
    return free or release() or (whole() and definition.nodeid in chosen_functions())


def names_its_databases(test: pytest.Item) -> bool:
    """True if a test's own parameters say which databases it runs on."""
    return any("database_url" in str(mark.args[0]) for mark in test.iter_markers("parametrize"))


@cache
def choice() -> Choice:
    """The tests of the cover, and what each was chosen for."""
    return read_choice()


@cache
def chosen_functions() -> frozenset[str]:
    return frozenset(test.partition("[")[0] for test in choice())


def is_wanted(item: pytest.Item) -> bool:
    """True for all but tests on PostgreSQL that were not chosen, beside others of the same function."""
    if RECORD in os.environ:
        return on_sqlite(item)
    free = release() or item.get_closest_marker("each_database") or not on_postgresql(item)
    return (
        bool(free)
        or item.nodeid.partition("[")[0] not in chosen_functions()
        or key_of_test(item.nodeid) in choice()
    )


@pytest.fixture(autouse=True)
def sent_statements(request: pytest.FixtureRequest) -> Iterator[None]:
    """Record what a test on SQLite sends, or fail if the cover does not know of it."""
    recorder.sent = {}
    begun = time.perf_counter()
    yield
    item = request.node
    if not on_sqlite(item) or release():
        return
    key, free = key_of_test(item.nodeid), item.get_closest_marker("each_database") is not None
    if RECORD in os.environ:
        write_record(Recorded(key, frozenset(recorder.sent), time.perf_counter() - begun, free))
        return
    unknown = [] if free else [statement for key, statement in recorder.sent.items() if key not in covered()]
    assert [] == unknown, (
        "no test that runs on PostgreSQL sends this: make cover TESTS=" + item.nodeid.partition("::")[0]
    )
    if whole():
        assert choice().get(key, set()) <= set(recorder.sent), (
            "this test was chosen for what it no longer sends: make cover"
        )


def on_sqlite(item: pytest.Item) -> bool:
    """True if a test runs on SQLite, and could run on PostgreSQL too."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    if names_its_databases(item):
        return False
    used = [params[name] for name in ("database_url", "empty_database_url") if name in params]
    return bool(used) and all(kind == "sqlite" for kind in used)


@cache
def covered() -> frozenset[str]:
    return frozenset().union(*choice().values())


def record(tests: list[str], folder: Path) -> list[Recorded]:
    """Run these tests on SQLite as a whole run does; return what each sent."""
    environ = {**os.environ, "CI": "true", RECORD: str(folder)}
    workers = f"--numprocesses={(os.cpu_count() or 1) + 1}"
    command = [sys.executable, "-m", "pytest", "-q", workers, "--dist=worksteal", *tests]
    subprocess.run(command, env=environ, check=True)
    lines = (line for file in folder.iterdir() for line in file.read_text().splitlines())
    return [
        Recorded(row["test"], frozenset(row["sent"]), row["seconds"], row["free"])
        for row in map(json.loads, lines)
    ]


def write_record(test: Recorded) -> None:
    """Add a test to the record of this process."""
    row = {"test": test.test, "sent": sorted(test.sent), "seconds": test.seconds, "free": test.free}
    with Path(os.environ[RECORD], str(os.getpid())).open("a") as file:
        file.write(json.dumps(row) + "\n")


def main(tests: list[str]) -> None:
    """Choose among all tests anew, or add to the choice what these tests send."""
    with tempfile.TemporaryDirectory(prefix="pbem-cover-") as folder:
        recorded = record(tests or ["tests"], Path(folder))
    choice = read_choice() if tests else {}
    mine = {test.test for test in recorded}
    kept = {test: keys for test, keys in choice.items() if test not in mine}
    known = set().union(*kept.values())
    new = choose(replace(test, sent=test.sent - known) for test in recorded)
    write_choice({**kept, **new})
    print(f"{len(kept) + len(new)} tests send {len(known.union(*new.values()))} statements.")


if __name__ == "__main__":
    main(sys.argv[1:])
