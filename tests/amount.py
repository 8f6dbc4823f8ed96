"""How much the tests do: a short run by default, the whole one where `CI` is set.

A short run leaves no test out. Long tests draw fewer examples, and what does not depend on the database
is tried on SQLite alone.
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

SHORT_EXAMPLES = 10
"""How many examples a property is tried on in a short run, where its test names no number."""


def whole() -> bool:
    """Tell if this run is to do everything, as a release needs it."""
    return bool(os.environ.get("CI"))


def amount(short: T, everything: T) -> T:
    """Choose how much a long test does in this run."""
    return everything if whole() else short
