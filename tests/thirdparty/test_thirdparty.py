"""A game from another package is found, keeps the laws, is played by mail and seen on the web.

The package is laid out in a folder as an installer does it; a process of its own finds it there by
its entry point, so that nothing of it is known to this one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLAY = """
import sys
from pathlib import Path
from rules import RULES
from rules.laws import check
from rules.svg import svg
assert "hex" in RULES, list(RULES)
check(RULES["hex"], {}, 1)
check(RULES["hex"], {"side": "3"}, 5)

from pbem.config import settings_from
from pbem.office import open_office
from pbem.postoffice import receive, work_through
from pbem.store import post
from pbem.store.migrating import migrate
from pbem.town import Letter, answer, fresh
from pbem.web import create_app

folder = Path(sys.argv[1])
office = open_office(settings_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": f"sqlite:///{folder}/x.sqlite"}))
migrate(office.store)

def letters(who):
    with office.store.read() as db:
        return [Letter(raw) for raw in post.letters_to(db, who)]

def send(who, raw, to):
    receive(office, raw, who, [to])
    work_through(office)

def reply(who, words):
    letter = letters(who)[-1]
    send(who, answer(letter, who, words), letter.header("Reply-To"))

bill, joao = "bill@example.org", "joao@example.net"
for who, name in ((bill, "Bill"), (joao, "Joao")):
    send(who, fresh(who, "play@localhost", f"register {name}"), "play@localhost")
    reply(who, "confirm")
reply(bill, "rules hex")
print(letters(bill)[-1].text)
reply(bill, "challenge Joao hex side=3 first")
reply(joao, "accept")
for who, move in ((bill, "b2"), (joao, "swap"), (bill, "a1"), (joao, "b1"), (bill, "a2"), (joao, "b3")):
    reply(who, move)
result = letters(joao)[-1]
print(result.text)
assert "Red wins: joins top and bottom" in result.text
assert "<table" in result.html
client = create_app(office).test_client()
pages = "/ /games /games/1 /games/1/2 /games/1.game /games/1/6.svg /rules /rules/hex".split()
for page in pages:
    answered = client.get(page, headers={"Host": "localhost"})
    assert answered.status_code == 200, page
    assert "Hex" in answered.text, page
office.close()
print("PLAYED")
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder on the path with the package `hexgame` and what an installer writes beside it."""
    shutil.copyfile(Path(__file__).with_name("hexgame.py"), tmp_path / "hexgame.py")
    info = tmp_path / "hexgame-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hexgame\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pbem.rules]\nhex = hexgame:RULES\n")
    return tmp_path


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}{os.pathsep}{installed}"}
    return subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, timeout=300)


def test_a_game_of_another_package_gets_letters_pages_and_laws(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-c", PLAY, str(tmp_path))
    assert done.stdout.endswith("PLAYED\n"), done.stdout + done.stderr
    assert "a game by Piet Hein and John Nash, 1942" in done.stdout


def test_its_records_replay_from_the_command_line(installed: Path) -> None:
    (installed / "x.game").write_text('[Game "Hex"]\n[Options "side=3"]\n\n1 first b2\n2 second swap\n')
    done = run(installed, "-m", "pbem", "replay", str(installed / "x.game"), "--json")
    assert 0 == done.returncode, done.stderr
    assert '"side_to_play": "Blue"' in done.stdout


def test_it_can_be_left_out_of_what_is_offered(installed: Path) -> None:
    code = "from pbem.config import settings_from as s; print(s({'PBEM_GAMES': 'bipod'}).games, s({}).games)"
    assert "('bipod',)" in run(installed, "-c", code).stdout
    assert "hex" in run(installed, "-c", code).stdout
