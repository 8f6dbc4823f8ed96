"""What the journal of a season says of its pairings."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events.league import forfeited_pairings

OUT_1 = ("withdraw", {"player": 1, "games": [[1, 2], [3, 1]]})
OUT_2 = ("withdraw", {"player": 2, "games": [[2, 3]]})
BACK_1 = ("reinstate", {"player": 1, "anew": [[3, 1]], "going": [[1, 2]]})
AWARD = ("award", {"first": 3, "second": 1, "score": "1/2"})
TAKEN_BACK = ("unaward", {"first": 3, "second": 1, "n": 2})
FILL = ("fill", {"player": 3, "by": 9})


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], set()),
        ([OUT_1], {(1, 2), (3, 1)}),
        ([OUT_1, OUT_2], {(1, 2), (3, 1), (2, 3)}),
        ([OUT_1, OUT_2, BACK_1], {(2, 3)}),
        ([OUT_1, BACK_1, OUT_1], {(1, 2), (3, 1)}),
        ([OUT_1, AWARD], {(1, 2)}),
        ([OUT_1, AWARD, TAKEN_BACK], {(1, 2)}),
        ([OUT_1, FILL], {(1, 2), (9, 1)}),
        ([FILL, OUT_1], {(1, 2), (3, 1)}),
    ],
)
def test_pairings_are_forfeits_until_a_player_is_back_or_a_director_decides(
    entries: list[tuple[str, Any]], expected: set[tuple[int, int]]
) -> None:
    assert expected == forfeited_pairings(entries)
