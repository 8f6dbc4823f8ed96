"""The changes that CONTRIBUTING shows, made in a copy of the project and tried there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

pytestmark = pytest.mark.whole

HERE = Path(__file__).parents[1]
COPIED = ("pbem", "rules", "templates")
TRIED = """
from sys import argv
from pbem.core.preferences.letter_kinds import KINDS
from pbem.core.preferences.preferences import PREFERENCES
from pbem.core.parsing.line import read_line
from pbem.store.migrate import migrate
from pbem.web import create_app
from rules import RULES, conformance
from tests.apps import an_office, ask, flat, player, register

var = {"PBEM_VAR": argv[1], "PBEM_SECRET": "s" * 32}
app = an_office({**var, "PBEM_DATABASE": f"sqlite:///{argv[1]}/one.sqlite"})
migrate(app.store)
assert app.config.tips is False
register(app, "bill@example.org", "Bill")
told = flat(ask(app, "bill@example.org", "count"))
assert "Bill, you play 0 games now." in told, told
found = PREFERENCES["salutation"].value("salutation", player(app, "Bill"))
assert found is True, found
ask(app, "bill@example.org", "set salutation off")
assert PREFERENCES["salutation"].value("salutation", player(app, "Bill")) is False
numbers = {kind.category.number: kind.category for kind in KINDS.values() if kind.category}
assert numbers[len(numbers) - 1] == KINDS["tip"].category and "tips" == KINDS["tip"].category.name
conformance.check(RULES["trio"], games=1, is_command=lambda line: read_line(line, None) is not None)
assert "Join two groups" == RULES["begird"].lessons[-1].title
pages = create_app(app).test_client()
assert "Hello from" in pages.get("/hello").text and 'href="/hello"' in pages.get("/rules").text
app.close()
"""


def make_changes(text: str, root: Path) -> None:
    """Make the changes of all diffs: new files, and lines above the one that is shown below them."""
    for diff in re.findall(r"```diff\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
            head, *lines = part.splitlines()
            if head == "/dev/null":
                place, *lines = lines
                write(root / place.removeprefix("+++ b/"), lines)
            else:
                insert(root / head.removeprefix("a/"), lines)


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line[1:]}\n" for line in lines), encoding="utf-8")


def insert(path: Path, lines: list[str]) -> None:
    """Insert lines above the line below them; without one at the end, of a tuple in a module."""
    added = "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))
    below = next((line.removeprefix(" ") for line in lines if not line.startswith("+")), None)
    text = path.read_text(encoding="utf-8")
    if below is not None:
        at = text.index(f"\n    {below.strip()}") + 1
    else:
        at = text.rindex(")") if path.suffix == ".py" else len(text)
    path.write_text(text[:at] + added + text[at:], encoding="utf-8")


def test_each_change_that_is_shown_works(tmp_path: Path) -> None:
    for name in COPIED:
        copytree(HERE / name, tmp_path / name, ignore=ignore_patterns("__pycache__"))
    terms = tmp_path / "LICENSE-GAMES"
    terms.write_text((HERE / terms.name).read_text(encoding="utf-8"), encoding="utf-8")
    make_changes((HERE / "CONTRIBUTING.md").read_text(encoding="utf-8"), tmp_path)
    (tmp_path / "var").mkdir()
    command = [sys.executable, "-c", TRIED, str(tmp_path / "var")]
    path = {"PYTHONPATH": f"{tmp_path}:{HERE}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True, timeout=120)
    assert 0 == done.returncode, done.stderr
    assert "Trio" in terms.read_text(encoding="utf-8")
