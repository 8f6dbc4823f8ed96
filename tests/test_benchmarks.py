"""The benchmarks run: each that fills tables by hand, or calls what changes often, with little to do."""

from __future__ import annotations

from types import ModuleType

import pytest

from benchmarks import letters, pages, turn
from tests.amount import amount

pytestmark = pytest.mark.whole

SMALL: dict[ModuleType, dict[str, object]] = {
    letters: {"COUNT": 4, "ROUNDS": 1, "SIGNATURES": 2},
    pages: {"FEW": 1600, "MANY": 1700, "ROUNDS": 1},
    turn: {"TURNS": 5, "ROUNDS": 1},
}


@pytest.mark.parametrize(
    "part", amount([pages, turn], list(SMALL)), ids=lambda part: part.__name__.rpartition(".")[2]
)
def test_a_benchmark_runs_and_prints_rows(part: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL[part].items():
        assert hasattr(part, name)
        monkeypatch.setattr(part, name, value)
    rows = list(part.measure())
    assert len(rows) >= 2
    assert all(figure and measured for figure, measured, _ in rows)
