"""Compile the kernels of all games once, before several processes of a test run need them.

`python -m tests.kernels` takes twelve seconds the first time, and one second after it.
"""

from __future__ import annotations

from rules import RULES
from rules.search import think

if __name__ == "__main__":
    for rules in RULES.values():
        think(rules.start(seed=0), 3, seed=1, playouts=20)
