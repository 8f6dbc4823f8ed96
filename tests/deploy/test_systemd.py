"""The units of systemd, as systemd-analyze reads them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
MAX_EXPOSURE = 3.0

pytestmark = pytest.mark.systemd


def analyze(*words: str) -> str:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    assert "" == done.stderr
    return done.stdout


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for unit in UNITS:  # where pbem is not installed in /opt, another program stands for it
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/pbem/bin/pbem ", "/bin/true "))
    analyze("verify", *(str(tmp_path / unit.name) for unit in UNITS))


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_a_unit_may_do_little(unit: Path) -> None:
    shown = analyze("security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", shown)
    assert found is not None
    assert float(found[1]) < MAX_EXPOSURE


def test_each_service_runs_a_command_that_is_there() -> None:
    from pbem.__main__ import COMMANDS

    commands = [
        re.findall(r"^ExecStart=/opt/pbem/bin/pbem (\S+)", unit.read_text(), re.M) for unit in SERVICES
    ]
    assert all(len(found) == 1 and found[0] in COMMANDS for found in commands)
