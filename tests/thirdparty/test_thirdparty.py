"""A game from another package is found, keeps the laws, is played by mail and seen on the web.

The package is laid out in a folder as an installer does it; a process of its own finds it there by
its entry point, so that nothing of it is known to this one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from pkgutil import iter_modules

import pytest

from rules import games
from tests.amount import some

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
OWN = [module.name for module in iter_modules(games.__path__)]
"""The games that need no package."""

PLAY = """
import sys
from pathlib import Path
from rules import RULES
from rules.conformance import check
from rules.svg import svg
assert "redhex" in RULES, list(RULES)
from pbem.core.parsing.line import read_line
commands = lambda line: read_line(line, None) is not None
check(RULES["redhex"], {}, 1, commands)
check(RULES["redhex"], {"side": "3"}, 5, commands)

from pbem.app import open_app
from pbem.config.load import config_from
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.store import outbox
from pbem.store.migrate import migrate
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.web import create_app

folder = Path(sys.argv[1])
app = open_app(config_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": f"sqlite:///{folder}/x.sqlite"}))
migrate(app.store)

def letters(who):
    with app.store.read() as db:
        return [ReceivedLetter(raw) for raw in outbox.letters_to(db, who)]

def send(who, raw, to):
    receive(app, raw, who, [to])
    work_through(app)

def reply(who, words):
    letter = letters(who)[-1]
    send(who, reply_mail(letter, who, words), letter.header("Reply-To"))

bill, joao = "bill@example.org", "joao@example.net"
for who, name in ((bill, "Bill"), (joao, "Joao")):
    send(who, new_mail(who, "play@localhost", f"register {name}"), "play@localhost")
    reply(who, "confirm")
reply(bill, "rules redhex")
print(letters(bill)[-1].text)
reply(bill, "challenge Joao redhex side=3 first")
reply(joao, "accept")
for who, move in ((bill, "b2"), (joao, "swap"), (bill, "a1"), (joao, "b1"), (bill, "a2"), (joao, "b3")):
    reply(who, move)
result = letters(joao)[-1]
print(result.text)
assert "Red wins: joins top and bottom" in result.text
assert "<table" in result.html
client = create_app(app).test_client()
pages = "/ /games /games/1 /games/1/2 /games/1.game /games/1/6.svg /rules /rules/redhex".split()
for page in pages:
    answered = client.get(page, headers={"Host": "localhost"})
    assert answered.status_code == 200, page
    assert "Hex" in answered.text, page
rules = client.get("/rules/redhex", headers={"Host": "localhost"}).text
assert RULES["redhex"].page in rules and RULES["redhex"].emblem in rules, rules
app.close()
print("PLAYED")
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder on the path with the package `hexgame` and what an installer writes beside it."""
    shutil.copyfile(ROOT / "docs/build/hexgame.py", tmp_path / "hexgame.py")
    info = tmp_path / "hexgame-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hexgame\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pbem.rules]\nredhex = hexgame:RULES\n")
    return tmp_path


def run(
    installed: Path, *arguments: str, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}{os.pathsep}{installed}", **(more or {})}
    return subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, timeout=300)


def test_a_game_of_another_package_gets_letters_pages_and_laws(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-c", PLAY, str(tmp_path))
    assert done.stdout.endswith("PLAYED\n"), done.stdout + done.stderr
    assert "a game by Piet Hein and John Nash, 1942" in done.stdout


def test_it_brings_the_example_of_the_front_page(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pbem.config.load import config_from; from pbem.app import open_app;"
        "from pbem.store.migrate import migrate; from pbem.web import create_app;"
        "app = open_app(config_from({'PBEM_VAR': sys.argv[1], 'PBEM_GAMES': 'redhex',"
        "'PBEM_DATABASE': 'sqlite:///' + sys.argv[1] + '/x.sqlite'})); migrate(app.store);"
        "print(create_app(app).test_client().get('/', headers={'Host': 'localhost'}).text); app.close()"
    )
    done = run(installed, "-c", code, str(tmp_path))
    assert "A whole game of Red Hex: Ada – Ben, 5 moves. Red wins: joins top and bottom." in done.stdout


def test_its_text_is_laid_out_like_the_others(installed: Path) -> None:
    code = (
        "from pbem.resources import rules_in_words as w; from rules import RULES; print(w(RULES['redhex']))"
    )
    lines = run(installed, "-c", code).stdout.splitlines()
    assert ["RED HEX", "a game by Piet Hein and John Nash, 1942", ""] == lines[:3]
    assert lines[3].startswith("In a few words: Red joins the top")
    assert 72 >= max(map(len, lines)) > 60


def test_it_is_a_small_file() -> None:
    assert len((ROOT / "docs/build/hexgame.py").read_text().splitlines()) < 60


def test_its_records_replay_from_the_command_line(installed: Path) -> None:
    (installed / "x.game").write_text('[Game "Red Hex"]\n[Options "side=3"]\n\n1 first b2\n2 second swap\n')
    done = run(installed, "-m", "pbem", "replay", str(installed / "x.game"), "--json")
    assert 0 == done.returncode, done.stderr
    assert '"side_to_play": "Blue"' in done.stdout


def test_it_can_be_left_out_of_what_is_offered(installed: Path) -> None:
    code = (
        "from pbem.config.load import config_from\n"
        "print(config_from({'PBEM_GAMES': 'bipod'}).games, config_from({}).games)"
    )
    assert "('bipod',)" in run(installed, "-c", code).stdout
    assert "redhex" in run(installed, "-c", code).stdout


# ------------------------------------------------------------------------- packages that are broken


BROKEN = {
    "no_such": ("import nowhere_to_be_found\n", "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
    "nameless": ("", "AttributeError: module 'nameless' has no attribute 'RULES'"),
    "no_game": ("RULES = 'redhex'\n", "it is no value of rules.contract.Rules but str"),
    "quitter": ("raise SystemExit(3)\n", "SystemExit: 3"),
    "namesake": (
        "from dataclasses import replace\nfrom rules import RULES as games\n"
        "RULES = replace(games['bagel'], key='begirl', name='Begird', aliases=())\n",
        "another game is called begird too; remove one of the packages",
    ),
}
"""Module -> what stands in it, and why its game is left out."""


def put(folder: Path, package: str, source: str) -> None:
    """Lay a package of one module out in a folder, its game named `package` among the entry points."""
    (folder / f"{package}.py").write_text(source)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pbem.rules]\n{package} = {package}:RULES\n")


@pytest.mark.parametrize("package", some(BROKEN, 2))
def test_a_package_that_is_broken_is_named_and_left_out(installed: Path, package: str) -> None:
    source, why = BROKEN[package]
    put(installed, package, source)
    (installed / "x.game").write_text('[Game "Red Hex"]\n[Options "side=3"]\n\n1 first b2\n')
    done = run(installed, "-m", "pbem", "replay", str(installed / "x.game"))
    assert 0 == done.returncode, done.stderr
    assert f"The game {package} of the package {package}-package ({package}:RULES) is left out: {why}" in (
        done.stderr
    )
    assert "Traceback" not in done.stderr
    names = run(installed, "-c", "from rules import RULES; print(*RULES)").stdout
    assert "redhex" in names.split()
    assert package not in names.split()


@pytest.mark.slow
def test_a_server_starts_without_a_broken_game_and_check_says_so(installed: Path, tmp_path: Path) -> None:
    put(installed, "no_such", BROKEN["no_such"][0])
    more = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": f"sqlite:///{tmp_path}/x.sqlite"}
    chosen = {**more, "PBEM_GAMES": "bipod,no_such,redhex"}
    assert 0 == run(installed, "-m", "pbem", "migrate", more=chosen).returncode
    done = run(installed, "-m", "pbem", "check", "--offline", more=chosen)
    assert 1 == done.returncode, done.stderr
    assert "The game no_such of the package no_such-package (no_such:RULES) is left out" in done.stdout
    code = (
        "from pbem.config.load import config_from\n"
        "print(config_from({'PBEM_GAMES': 'bipod,no_such,redhex'}).games)"
    )
    assert "('bipod', 'redhex')\n" == run(installed, "-c", code).stdout


@pytest.mark.parametrize("first", some(["hexgame", "rules.contract", "rules.conformance", "rules.record"], 2))
def test_a_games_own_module_may_be_imported_before_all_others(installed: Path, first: str) -> None:
    code = f"import {first}, hexgame, rules; assert rules.RULES['redhex'] is hexgame.RULES, rules.left_out()"
    done = run(installed, "-W", "error", "-c", code)
    assert 0 == done.returncode, done.stderr


def test_a_package_may_make_its_game_of_another_one(installed: Path) -> None:
    put(
        installed,
        "variant",
        "from dataclasses import replace\nfrom rules import RULES as games, find\n"
        "RULES = replace(find('bipod'), key='tripod', name='Tripod')\n",
    )
    code = "import variant, rules; print(*rules.RULES, rules.RULES['tripod'] is variant.RULES)"
    done = run(installed, "-W", "error", "-c", code)
    assert {"redhex", "tripod", "True"} <= {*done.stdout.split()}, done.stderr
