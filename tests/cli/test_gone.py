"""Commands of the shell that are gone."""

from __future__ import annotations

import pytest

from pbem.__main__ import COMMANDS, GONE
from tests.cli.program import run


@pytest.mark.parametrize("name", GONE)
def test_a_command_that_is_gone_says_what_to_do_instead(name: str) -> None:
    done = run([name, "and", "--more"], {})
    assert name not in COMMANDS
    assert (2, f"`pbem {name}` is gone: {GONE[name]}\n") == (done.returncode, done.stderr.decode())
