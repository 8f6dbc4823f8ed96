"""What the journal of a season says of its pairings."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events.league import GOING, SETTLED, EventGame, forfeited_pairings
from pbem.core.events.schedule import pairings
from pbem.core.events.season import Division, show_division

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


FIVE = {1: "Anna", 2: "Bill", 3: "Clara", 4: "bot3", 5: "Eva"}


def a_division(*scores: str | None, number: int = 2, gone: tuple[int, ...] = ()) -> Division:
    """Division `number` of three, with these results; no score is a game that goes on."""
    games = [
        EventGame(*pair, n, n, score, GOING if score is None else SETTLED)
        for n, (pair, score) in enumerate(zip(pairings(list(FIVE)), scores, strict=True), 1)
    ]
    return show_division(1, "Bipod league, season 1", (number, 3), list(FIVE), games, FIVE, gone)


def test_nobody_has_won_where_nobody_has_a_point() -> None:
    assert "" == a_division(*["void"] * 10).winner
    assert "" == a_division(*[None] * 10).winner
    assert a_division("1-0", *["void"] * 9).lines[0].name == a_division("1-0", *["void"] * 9).winner != ""


@pytest.mark.parametrize(("number", "up", "down"), [(1, 0, 1), (2, 2, 1), (3, 2, 0)])
def test_two_go_up_and_two_go_down_but_bots_and_those_who_left(number: int, up: int, down: int) -> None:
    shown = a_division(*["void"] * 10, number=number)
    assert (("Anna", "Bill") if up else ()) == shown.going_up
    assert (("Eva",) if down else ()) == shown.going_down
    left = a_division(*["void"] * 10, number=number, gone=(1, 5))
    assert (("Bill",) if up else ()) == left.going_up
    assert () == left.going_down


def test_a_forfeit_is_seen_in_the_table() -> None:
    assert a_division("+", *[None] * 9).has_forfeits
    assert not a_division("1-0", "1/2", *[None] * 8).has_forfeits
