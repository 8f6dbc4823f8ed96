"""Rules of docs/build/architecture.md: allowed imports and required files.

A failure names the line that breaks a rule, or the missing file.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pbem.config.load import env_example
from pbem.core.letters.letter import KINDS
from rules import RULES

ROOT = Path(__file__).parents[1]

SIMPLE = ("pbem.core.clock", "pbem.core.players", "pbem.core.errors", "pbem.core.redact")
MIDDLE = ("pbem.mail", "pbem.store", "pbem.core", "pbem.resources", "rules")
BELOW_DUTIES = ("pbem.outbox", "pbem.app", "pbem.config", "pbem.keys", *MIDDLE)
BELOW_INBOX = ("pbem.commands", "pbem.duties", *BELOW_DUTIES)

MAY_IMPORT = {
    "rules": {"rules"},
    "rules.search": {"rules.search", "rules.contract"},
    "rules.search.arrays": {"rules.board", "rules.contract", "rules.stone_placement"},
    "rules.games": {
        *("rules.contract", "rules.board", "rules.picture", "rules.notation", "rules.draft"),
        *("rules.stone_placement", "rules.stone_reading", "rules.lesson", "rules.option", "rules.copying"),
        *("rules.grids", "rules.moving"),
    },
    **{
        f"rules.games.{game}.kernel": {
            *(f"rules.games.{game}", "rules.board", "rules.stone_placement", "rules.moving"),
            *("rules.search.arrays", "rules.search.compiled"),
        }
        for game in (path.parent.name for path in ROOT.glob("rules/games/*/kernel.py"))
    },
    "pbem.core.errors": set(),
    "pbem.core.players": set(),
    "pbem.core.redact": set(),
    "pbem.core.connections": set(),
    "pbem.core.bounces": {"pbem.core.players"},
    "pbem.core.clock": {"pbem.core.clock", "pbem.core.errors", "rules"},
    "pbem.core.game": {"pbem.core.game", *SIMPLE, "rules"},
    "pbem.core.exercises": {"pbem.core.exercises", "pbem.core.game", *SIMPLE, "rules"},
    "pbem.core.preferences": {"pbem.core.preferences", "pbem.core.game", *SIMPLE, "rules"},
    "pbem.core.paper": {"pbem.core.exercises", "pbem.core.game", *SIMPLE, "rules"},
    "pbem.core.parsing": {
        *("pbem.core.parsing", "pbem.core.exercises", "pbem.core.preferences", "pbem.core.game"),
        *("pbem.core.redact", "rules"),
    },
    "pbem.core.letters": {
        *("pbem.core.letters", "pbem.core.parsing", "pbem.core.preferences", "pbem.core.game"),
        *(*SIMPLE, "rules"),
    },
    "pbem.core.ratings": {"pbem.core.ratings", "pbem.core.game", "pbem.core.clock", "rules"},
    "pbem.core.events": {
        *("pbem.core.events", "pbem.core.ratings", "pbem.core.lobby", "pbem.core.letters", "pbem.core.game"),
        *(*SIMPLE, "rules"),
    },
    "pbem.core.lobby": {
        *("pbem.core.lobby", "pbem.core.letters", "pbem.core.parsing", "pbem.core.game", *SIMPLE, "rules"),
    },
    "pbem.core.play": {
        *("pbem.core.play", "pbem.core.lobby", "pbem.core.letters", "pbem.core.parsing", "pbem.core.ratings"),
        *("pbem.core.preferences", "pbem.core.game", *SIMPLE, "rules"),
    },
    "pbem.core.records": {
        *("pbem.core.records", "pbem.core.play", "pbem.core.letters", "pbem.core.ratings", "pbem.core.game"),
        *(*SIMPLE, "rules"),
    },
    "pbem.resources": {"rules"},
    "pbem.config": {"pbem.config", "rules"},
    "pbem.keys": {"pbem.keys", "pbem.config", "pbem.core"},
    "pbem.mail": {
        "pbem.mail",
        "pbem.core",
        "pbem.config.parsers",
        "pbem.config.logs",
        "pbem.resources",
        "rules",
    },
    "pbem.store": {"pbem.store", "pbem.core", "rules"},
    "pbem.app": {"pbem.config", "pbem.keys", *MIDDLE},
    "pbem.outbox": {"pbem.outbox", "pbem.app", "pbem.keys", *MIDDLE},
    "pbem.archive_export": {"pbem.archive_export", "pbem.app", "pbem.keys", *MIDDLE},
    "pbem.duties": {"pbem.duties", *BELOW_DUTIES},
    "pbem.commands": {"pbem.commands", "pbem.duties", *BELOW_DUTIES},
    "pbem.backup": {"pbem.backup", "pbem.duties", "pbem.app", "pbem.config", "pbem.keys", *MIDDLE},
    "pbem.inbox": {"pbem.inbox", *BELOW_INBOX},
    "pbem.worker": {"pbem.worker", "pbem.inbox", *BELOW_INBOX},
    "pbem.web": {"pbem.web", "pbem.inbox", "pbem.archive_export", *BELOW_INBOX},
    "pbem.bots.thinking": {"rules"},
    "pbem.bots.judging": {"rules"},
    "pbem.bots.proving": {"rules"},
    "pbem.bots.puzzling": {"rules"},
    "pbem.bots": {"pbem.bots", "pbem.inbox", *BELOW_INBOX},
    "pbem.cli": {"pbem", "rules"},
    "pbem.__main__": {"pbem.cli", "pbem.config"},
}
"""Our own modules that each package may import, by the longest prefix of its name."""

ONLY = {
    "sqlalchemy": ("pbem.store",),
    "alembic": ("pbem.store",),
    "flask": ("pbem.web",),
    "email": ("pbem.mail",),
    "smtplib": ("pbem.mail",),
    "aiosmtpd": ("pbem.mail",),
    "dkim": ("pbem.mail",),
    "dns": ("pbem.mail",),
    "dotenv": ("pbem.config",),
    "icalendar": ("pbem.mail",),
}
"""Packages that these parts alone may import."""

PURE = ("rules", "pbem.core")
TIMED = "rules.search"
"""A part of the rules that may ask how long it has run."""
COMPILED = re.compile(r"rules\.(search\.(arrays|machine)|games\.\w+\.kernel)")
"""Modules that a search loads where the packages of the extra `bots` are installed."""
WORLD = frozenset(
    "asyncio email getpass http logging multiprocessing os secrets selectors shutil signal smtplib socket "
    "socketserver sqlite3 ssl subprocess tempfile threading time urllib".split()
)
"""Standard modules with side effects, forbidden in parts that decide."""


@dataclass(frozen=True)
class Import:
    """One import: the imported module, the importing one, the line."""

    target: str
    by: str
    line: str


@cache
def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name."""
    found = {}
    for top in ("rules", "pbem"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text())


def line(module: str, node: ast.expr | ast.stmt) -> str:
    return f"{modules()[module].relative_to(ROOT)}:{node.lineno}"


@cache
def imports() -> list[Import]:
    """Every import of our modules, in functions and for types too."""
    return [
        Import(target, module, line(module, node))
        for module in modules()
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for target in targets(module, node)
    ]


def targets(module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The modules that a statement imports. `from pbem.store import inbox` gives `pbem.store.inbox`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    package = module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    source = ".".join([*above, *([node.module] if node.module else [])])
    for alias in node.names:
        yield f"{source}.{alias.name}" if f"{source}.{alias.name}" in modules() else source


def within(module: str, part: str) -> bool:
    return module == part or module.startswith(f"{part}.")


def allowed(found: Import) -> bool:
    """True if our module may import this other module of ours."""
    part = max((part for part in MAY_IMPORT if within(found.by, part)), key=len, default=None)
    if found.target == "pbem":  # its version
        return True
    if part is None:
        return False
    if part == "rules.games":
        game = ".".join(found.by.split(".")[:3])
        return found.target in MAY_IMPORT[part] or within(found.target, game)
    return any(within(found.target, other) for other in MAY_IMPORT[part])


def none_of(broken: list[str]) -> None:
    """Fail with the whole list, one item a line."""
    assert not broken, "\n".join(["", *broken])


def test_our_modules_import_only_what_their_place_in_the_house_allows():
    ours = [found for found in imports() if found.target.split(".")[0] in ("rules", "pbem")]
    none_of(
        [f"{found.line}: {found.by} may not import {found.target}" for found in ours if not allowed(found)]
    )


def test_commands_import_duties_and_never_the_reverse():
    rooms = {"pbem.commands", "pbem.duties"}
    arrows = {tuple(".".join(name.split(".")[:2]) for name in (each.by, each.target)) for each in imports()}
    assert {("pbem.commands", "pbem.duties")} == {
        (by, target) for by, target in arrows if {by, target} == rooms
    }


def test_each_package_that_touches_the_world_is_imported_by_its_part_alone():
    none_of(
        [
            f"{found.line}: only {' and '.join(ONLY[root])} may import {root}"
            for found in imports()
            if (root := found.target.split(".")[0]) in ONLY
            and not any(within(found.by, part) for part in ONLY[root])
        ]
    )


def test_rules_and_core_import_nothing_that_touches_the_world():
    pure = [found for found in imports() if any(within(found.by, part) for part in PURE)]
    free = sys.stdlib_module_names - WORLD | {"rules", "pbem"}
    none_of(
        [
            f"{found.line}: {found.by} decides, so it may not import {found.target}"
            for found in pure
            if found.target.split(".")[0] not in free
            and not (found.target == "time" and within(found.by, TIMED))
            and not COMPILED.fullmatch(found.by)
        ]
    )


def test_only_config_reads_the_environment():
    none_of(
        [
            f"{line(module, node)}: add a row to Config in pbem/config/table.py instead of reading it here"
            for module in modules()
            if module != "pbem.config.load"
            for node in ast.walk(tree(module))
            if isinstance(node, ast.Attribute | ast.ImportFrom)
            and ast.unparse(node).startswith(("os.environ", "os.getenv", "from os import environ"))
        ]
    )


def test_only_the_app_asks_the_clock():
    asks = re.compile(r"(datetime(\.datetime)?\.(now|utcnow|today)|date\.today|time\.time)\(")
    none_of(
        [
            f"{line(module, node)}: take `now` as an argument; only App.now asks the clock"
            for module in modules()
            if module != "pbem.app"
            for node in ast.walk(tree(module))
            if isinstance(node, ast.Call) and asks.match(ast.unparse(node))
        ]
    )


def test_the_declared_packages_are_those_that_are_imported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    outside = [found for found in imports() if found.target.split(".")[0] not in ("rules", "pbem")]
    compiled = [found for found in outside if COMPILED.fullmatch(found.by)]
    assert packages(compiled) == distributions(project["optional-dependencies"]["bots"])
    others = [found for found in outside if not COMPILED.fullmatch(found.by)]
    assert packages(others) == distributions(project["dependencies"])


def packages(found: list[Import]) -> set[str]:
    """The distributions that bring what is imported, without Python's own."""
    owners = packages_distributions()
    roots = {each.target.split(".")[0] for each in found} - sys.stdlib_module_names
    return {canonical(owners[root][0]) for root in roots}


def distributions(requirements: list[str]) -> set[str]:
    """The names alone of packages as pyproject.toml requires them."""
    return {canonical(re.split(r"[\[<>=]", text)[0]) for text in requirements}


def test_every_declared_package_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [text for texts in project["optional-dependencies"].values() for text in texts]
    wanted = distributions([*project["dependencies"], *extras])
    pins = {canonical(text.split("==")[0]) for text in (ROOT / "constraints.txt").read_text().splitlines()}
    assert wanted - pins == set()


def canonical(name: str) -> str:
    """A distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_setting_stands_in_env_example():
    assert env_example() == (ROOT / ".env.example").read_text(), (
        "make it again: .venv/bin/python -m pbem.config.load > .env.example"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_letter_has_its_template(kind):
    assert (ROOT / f"templates/mail/{kind}.txt").is_file(), f"add templates/mail/{kind}.txt"
    first = (ROOT / f"templates/mail/{kind}.txt").read_text().partition("\n")[0]
    assert first.startswith("Subject:"), f"templates/mail/{kind}.txt must begin with a Subject: line"


def test_every_letter_template_is_a_kind_of_letter():
    names = {path.stem for path in (ROOT / "templates/mail").iterdir() if not path.name.startswith("_")}
    assert names == set(KINDS), (
        "KINDS in pbem/core/preferences/letter_kinds.py and templates/mail must name the same letters"
    )


@pytest.mark.parametrize("key", RULES)
def test_every_game_has_its_rules_in_words_and_a_whole_game_on_record(key):
    for name in (f"templates/rules/{key}.txt", f"tests/rules/golden/{key}.game"):
        assert (ROOT / name).is_file(), f"add {name}"


PRIVATE = re.compile(
    r"/(wor[k]|roo[t]|hom[e]/\w+|opt/pyp[i])/"  # a path of the machine it was written on
    r"|--find-link[s]|index-ur[l]\b"
    r"|@ fil[e]:|https?://[^\s/]+/(simpl[e]|packages/[0-9a-f]{2})/"
)
GENERATED = frozenset(
    ".git .venv var build dist __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .env".split()
)


def source_files(folder: Path = ROOT) -> Iterator[Path]:
    """Every file of the project, without generated ones."""
    for path in sorted(folder.iterdir()):
        if path.name in GENERATED or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from source_files(path)
        else:
            yield path


def test_no_file_names_a_machine_or_an_index():
    found = []
    for path in source_files():
        for number, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if match := PRIVATE.search(text):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    none_of(found)
