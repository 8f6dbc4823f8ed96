"""The bots compile what a search needs before somebody waits for it."""

from __future__ import annotations

import subprocess
import sys

COMPILED = """
import sys
from time import perf_counter
from pbem.bots.compiling import compile_games
from rules import RULES
from rules.search import think

def variants():
    modules = [module for name, module in sys.modules.items() if name.startswith("rules.")]
    found = [each for module in modules for each in vars(module).values()]
    return {str(each): len(each.signatures) for each in found if hasattr(each, "signatures")}

games = [*RULES.values()]
compile_games(games, lambda _: False)
before = variants()
for rules in games:
    for level in (3, 4, 5):
        begun = perf_counter()
        think(rules.start(seed=level), level, seed=level, seconds=0.5)
        assert perf_counter() - begun < 3, rules.key
assert before, "nothing is compiled"
later = {name: number for name, number in variants().items() if before.get(name) != number}
assert not later, later
"""


def test_nothing_is_left_to_compile_for_the_first_move_of_a_game() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPILED],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert 0 == done.returncode, done.stderr
