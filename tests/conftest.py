"""Fixtures for all tests: databases, servers, and programs beyond pip.

A test marked `chromium`, `postfix`, `exim`, `dovecot`, `systemd`, `caddy`, `podman`,
`shellcheck`, `pebble`, `restic`, `spamassassin` or `rspamd` needs that program. Where it is missing the test
is left out, and the last lines of the run say so. Under CI a missing program fails the run. Tests marked
`slow`, `podman` or `pebble` run for a release alone, those marked `whole` or on PostgreSQL in a whole run.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.templating import Environment
from hypothesis import HealthCheck, settings
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from pbem import resources
from pbem.app import App
from pbem.web import templating
from tests.amount import SHORT_EXAMPLES, release, some, whole
from tests.apps import Clock, Relay, Town, an_office, settled
from tests.cover import is_wanted, on_both, on_postgresql, recorder, sent_statements
from tests.databases import Pool, Postgres, memory, postgres_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from pbem.app import App


__all__ = ["sent_statements"]  # a fixture

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("whole", PATIENT)
settings.register_profile("short", PATIENT, max_examples=SHORT_EXAMPLES, database=None)
settings.load_profile("whole" if whole() else "short")

if "PYTEST_XDIST_WORKER" in os.environ:
    gc.disable()  # until all tests are found: nothing of them is garbage

if room := memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", room)  # the parent of pytest's temporary folders

PROGRAMS = {
    "chromium": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    "postfix": ("postfix",),
    "exim": ("exim4",),
    "dovecot": ("dovecot",),
    "systemd": ("systemd-analyze",),
    "caddy": ("caddy",),
    "podman": ("podman",),
    "shellcheck": ("shellcheck",),
    "pebble": ("pebble",),
    "restic": ("restic",),
    "spamassassin": ("spamassassin",),
    "rspamd": ("rspamd",),
}
"""Markers, and the names under which their programs may be installed."""
FOR_A_RELEASE = ("podman", "pebble", "slow")
"""Markers of tests that a change does not wait for."""
CASES_OF_A_SERVER = 4
"""Cases of one test function that a short run takes, where each case has a server."""
SCHEMA = "gamerecord.json"
"""Abstract Play's schema of game records.

It is in the folder that GAMERECORD_SCHEMA names, or beside our own.
"""
PACKAGES = {"dovecot": "dovecot-imapd", "exim": "exim4-daemon-light"}
"""Debian packages whose names differ from their markers."""

SHORT_OF = {"slow": "that are slow", "whole": "of a whole run"}
MISSING = {
    "postfix": "It is not installed, or these tests are not run as root, as Postfix must be",
    "exim": "It is not installed, or these tests are not run as root; .ci/run puts it beside Postfix",
    "podman": "They build container images, which takes minutes: RELEASE=true and root run them",
    "pebble": "They install a whole server, which takes minutes: RELEASE=true and root run them",
    "schema": f"{SCHEMA} is not there: set GAMERECORD_SCHEMA to its folder",
    "whole": "They start programs or many servers, use PostgreSQL, or take seconds: CI=true runs them",
    "slow": "They take long, and others try the same in short: RELEASE=true runs them",
}
"""Messages for programs that cannot be used."""


def program(marker: str) -> str | None:
    """The path of a marker's program, or the name of what else it needs; None if that is missing.

    Postfix starts for root alone, and Exim reads a test's settings from root alone.
    """
    if marker in ("postfix", "exim", "podman", "pebble") and os.geteuid() != 0:
        return None
    if marker in FOR_A_RELEASE and not release():
        return None
    if marker in NO_PROGRAMS:
        return NO_PROGRAMS[marker]()
    places = f"{os.environ.get('PATH', os.defpath)}:/usr/local/sbin:/usr/sbin:/sbin"
    return next(filter(None, (shutil.which(name, path=places) for name in PROGRAMS[marker])), None)


def _schema() -> str | None:
    beside = Path(__file__).parents[2] / "shared" / "data"
    folders = (Path(os.environ.get("GAMERECORD_SCHEMA", beside)), beside)
    return next((str(folder / SCHEMA) for folder in folders if (folder / SCHEMA).is_file()), None)


def _whole() -> str | None:
    return "CI" if whole() else None


def _slow() -> str | None:
    return "RELEASE" if release() else None


NO_PROGRAMS: dict[str, Callable[[], str | None]] = {"schema": _schema, "whole": _whole, "slow": _slow}
"""Markers of what else may be missing."""

DATABASES = ("sqlite", "postgresql")
"""Kinds of database; a short run uses the first alone."""

ran: dict[str, int] = {}
left_out: dict[str, int] = {}
"""Tests that need PostgreSQL, Chromium or Postfix, run and left out."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if is_wanted(item)]
    for item in [*filter(on_postgresql, items), *many_servers(items)]:
        item.add_marker("whole")
    needs = {item: {mark.name for mark in item.iter_markers()} for item in items}
    for marker in (*NO_PROGRAMS, *PROGRAMS):
        marked = [item for item in items if marker in needs[item]]
        needed = release() or (whole() and marker not in FOR_A_RELEASE)
        if program(marker) or (needed and marker != "schema"):
            ran[marker] = len(marked)
        else:
            left_out[marker] = len(marked)
            config.hook.pytest_deselected(items=marked)
            items[:] = [item for item in items if marker not in needs[item]]
    ran["postgresql"] = sum(map(on_postgresql, items))
    if workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 0)):
        items[:] = spread(items, [waits(item, needs[item]) for item in items], workers)


def many_servers(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return all cases but a few, evenly spread, of each function whose cases have a server each."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if "app" in getattr(item, "fixturenames", ()):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return [item for each in cases.values() for item in set(each).difference(some(each, CASES_OF_A_SERVER))]


WAITING = {"cli", "e2e", "soak", "thirdparty"}
"""Folders of tests that start programs."""
LONGEST = "test_year.py"
"""The file whose one test takes longest, so that it is not the last to end."""


def spread(items: list[pytest.Item], waiting: list[bool], workers: int) -> list[pytest.Item]:
    """Put the tests that wait for programs at the start of two workers' tests.

    pytest-xdist gives each worker one stretch of the tests. So two workers begin with tests that wait, and
    the others use the processors meanwhile. Tests of a module stay together, the longest module is the first.
    """
    first = [item for item, waits in zip(items, waiting, strict=True) if waits]
    others = [item for item, waits in zip(items, waiting, strict=True) if not waits]
    modules = sorted(dict.fromkeys(item.path for item in first), key=lambda path: path.name != LONGEST)
    sides = {path: place % 2 for place, path in enumerate(modules)}
    halves = [
        [item for path in modules if sides[path] == side for item in first if item.path == path]
        for side in (0, 1)
    ]
    second = max(0, len(items) * (workers // 2) // workers - len(halves[0]))
    return [*halves[0], *others[:second], *halves[1], *others[second:]]


def waits(item: pytest.Item, marks: set[str]) -> bool:
    """True if a test starts a browser, a mail server or a process of its own."""
    return not marks.isdisjoint(PROGRAMS) or not WAITING.isdisjoint(item.path.parts)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through all tests again and again."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["groups"] = (ran, left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the counts of a pytest-xdist worker; each collects all tests."""
    for counts, theirs in zip(
        (ran, left_out), getattr(node, "workeroutput", {}).get("groups", ()), strict=False
    ):
        counts.update(theirs)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    groups = [
        f"{number} {name if name in ('slow', 'whole') else f'with {name}'}"
        for name, number in ran.items()
        if number
    ]
    if groups:
        terminalreporter.line(f"Among these tests: {', '.join(groups)}.")
    for marker, number in left_out.items():
        if number:
            which = SHORT_OF.get(marker, f"that need {marker}")
            terminalreporter.section(f"NOT RUN: {number} {which}", red=True, bold=True)
            terminalreporter.line(
                f"{MISSING.get(marker, 'It is not installed')}."
                + (
                    ""
                    if marker in NO_PROGRAMS
                    else f" On Debian: apt-get install {PACKAGES.get(marker, marker)}"
                )
            )


class Templates(BytecodeCache):
    """Keeps compiled templates of the web for all apps of this process."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._codes[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    """Compile each template of the web once, however many apps are made."""
    templates, plain = Templates(), Flask.create_jinja_environment

    def create_jinja_environment(flask_app: Flask) -> Environment:
        environment = plain(flask_app)
        environment.bytecode_cache = templates
        return environment

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "create_jinja_environment", create_jinja_environment)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_routes() -> Iterator[None]:
    """Compile each route's builder of addresses once, however many apps are made."""
    plain, built = Rule._compile_builder, dict[Any, Any]()

    def compile_builder(rule: Rule, append_unknown: bool = True) -> Any:
        key = (tuple(rule._trace), repr(rule.defaults), append_unknown)
        if key not in built:
            built[key] = plain(rule, append_unknown)
        return built[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", compile_builder)
        yield


@pytest.fixture(scope="session", autouse=True)
def known_templates() -> Iterator[None]:
    """Read our own template files once, however many apps are made."""
    plain = templating._read_folder
    ours = {folder: plain(folder) for folder in resources.folders()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(templating, "_read_folder", lambda folder: ours.get(folder) or plain(folder))
        yield


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a browser for Playwright's `executable_path`."""
    return _needed("chromium")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """The browser of this test process."""
    from tests.browser import launched

    with launched(chromium) as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages, and fail at the end if they had errors.

    Violations of the content security policy count as errors.
    """
    from tests.browser import Visit

    visit = Visit(browser)
    yield visit.open_page
    visit.close()
    assert [] == visit.complaints


@pytest.fixture
def serve() -> Iterator[Callable[[App], str]]:
    """Serve pages on a port of their own; give the address."""
    from tests.browser import web_pages

    with ExitStack() as stack:
        yield lambda app: stack.enter_context(web_pages(app))


@pytest.fixture(scope="session")
def schema() -> str:
    """The path of the schema of game records."""
    path = program("schema")
    assert path is not None, MISSING["schema"]
    return path


@pytest.fixture(scope="session")
def postfix() -> str:
    """The path of Postfix's master command."""
    return _needed("postfix")


@pytest.fixture(scope="session")
def exim() -> str:
    """The path of Exim."""
    return _needed("exim")


@pytest.fixture(scope="session")
def dovecot() -> str:
    """The path of Dovecot's master command."""
    return _needed("dovecot")


def _needed(marker: str) -> str:
    path = program(marker)
    package = PACKAGES.get(marker, marker)
    assert path is not None, f"{marker} is not installed; on Debian and Ubuntu: apt-get install {package}"
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for this test process."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def shared_statements() -> Iterator[None]:
    """Compile each statement once for all SQLite databases of this process.

    SQLAlchemy keeps compiled statements by dialect; here all dialects of SQLite count as the same.
    """
    statements: LRUCache[Any, Any] = LRUCache(3000)

    def share(url: str, **options: Any) -> Engine:
        engine = create_engine(url, **options)
        if isinstance(engine.dialect, SQLiteDialect_pysqlite):
            recorder.listen(engine)
            engine.update_execution_options(compiled_cache=statements)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLiteDialect_pysqlite, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(SQLiteDialect_pysqlite, "__hash__", lambda one: hash(type(one)))
        patch.setattr("pbem.store.engine.create_engine", share)
        yield


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and no rows, to copy."""
    path = tmp_path_factory.mktemp("template") / "migrated.sqlite"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres: Postgres) -> Pool:
    """PostgreSQL databases with all tables and no rows."""
    name = postgres.create()
    _migrate(postgres.url(name))
    return Pool(postgres, name)


def _migrate(url: str) -> None:
    from pbem.store.engine import open_store
    from pbem.store.migrate import migrate

    store = open_store(url)
    migrate(store)
    store.close()


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests on both kinds: those marked `each_database`, those of the cover, and all for a release."""
    for fixture in ("database_url", "empty_database_url"):
        if fixture in metafunc.fixturenames and on_both(metafunc.definition):
            metafunc.definition.add_marker(pytest.mark.parametrize(fixture, DATABASES, indirect=True))


@pytest.fixture(params=DATABASES[:1])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a fresh database with all tables, on each kind that the test runs on."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=DATABASES[:1])
def empty_database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a fresh database without any table, on each kind that the test runs on."""
    return request.getfixturevalue(f"empty_{request.param}_url")


@pytest.fixture
def sqlite_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    """The URL of a fresh SQLite file with all tables."""
    path = tmp_path / "pbem.sqlite"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    """The URL of an SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'empty.sqlite'}"


@pytest.fixture
def postgresql_url(postgres: Postgres, migrated_postgres: Pool) -> Iterator[str]:
    """The URL of a fresh PostgreSQL database with all tables."""
    name = migrated_postgres.take()
    yield postgres.url(name)
    migrated_postgres.give_back(name)


@pytest.fixture
def empty_postgresql_url(postgres: Postgres) -> Iterator[str]:
    """The URL of a fresh PostgreSQL database without tables."""
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
def app_config() -> dict[str, str]:
    """Further settings of the server; many test files override them."""
    return {}


@pytest.fixture
def environ(database_url: str, tmp_path: Path, app_config: dict[str, str]) -> dict[str, str]:
    return {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": database_url, **app_config}


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    for name in ("new", "cur", "tmp"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    return tmp_path / "Maildir"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(environ: dict[str, str], clock: Clock) -> Iterator[App]:
    """An app context whose clock the test moves by hand."""
    app = an_office(environ, clock)
    yield app
    app.close()


@pytest.fixture
def town(app: App, clock: Clock) -> Town:
    """A server with the players Bill, Joao and Anna."""
    return settled(app, clock)


@pytest.fixture
def relay() -> Relay:
    return Relay()
