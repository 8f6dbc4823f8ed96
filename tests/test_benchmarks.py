"""The benchmarks run: each that fills tables by hand, or calls what changes often, with little to do."""

from __future__ import annotations

from types import ModuleType

import pytest

from benchmarks import archive, clock, letters, pictures, records, standings, turn
from tests.amount import amount

SMALL: dict[ModuleType, dict[str, object]] = {
    archive: {"FEW": 1600, "MANY": 1700, "ROUNDS": 1},
    clock: {"FEW": 600, "MANY": 700, "DUE": {0: -50, 10: 9}},
    letters: {"COUNT": 4, "ROUNDS": 1, "SIGNATURES": 2},
    pictures: {"ROUNDS": 1},
    records: {"GAMES": 3, "PLIES": 10},
    standings: {"FEW": 2000, "MANY": 2500, "TIMES": 1},
    turn: {"TURNS": 5, "ROUNDS": 1},
}


@pytest.mark.parametrize(
    "part", amount([clock, turn], list(SMALL)), ids=lambda part: part.__name__.rpartition(".")[2]
)
def test_a_benchmark_runs_and_prints_rows(part: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL[part].items():
        assert hasattr(part, name)
        monkeypatch.setattr(part, name, value)
    rows = list(part.measure())
    assert len(rows) >= 2
    assert all(figure and measured for figure, measured, _ in rows)
