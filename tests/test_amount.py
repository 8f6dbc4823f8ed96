"""A short run has some cases of a product, and a whole run has all."""

from __future__ import annotations

from itertools import product
from operator import itemgetter

import pytest

from tests.amount import some

CASES = list(product(range(7), "abc", "xy"))
SIDES = itemgetter(0), itemgetter(1), itemgetter(2)


def test_a_short_run_has_each_value_of_each_side_and_the_same_cases_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("CI", "RELEASE"):
        monkeypatch.delenv(name, raising=False)
    chosen = some(CASES, 4, *SIDES)
    assert chosen == some(iter(CASES), 4, *SIDES)
    assert 4 <= len(chosen) < len(CASES) // 3
    assert [case for case in CASES if case in chosen] == chosen
    for side in SIDES:
        assert {side(case) for case in CASES} == {side(case) for case in chosen}
    assert CASES == some(CASES, 100)


def test_a_whole_run_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert CASES == some(CASES, 4, *SIDES)
