"""Figures of results, on results made by hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RULES
from rules.lab.figures import figures, last_change
from rules.lab.plan import SETTLED, Plan

BEGIRD = RULES["begird"].complete({"islands": "3", "side": "4"})


def game(winner: int | None, values: list[float], *, over: bool = True, **more: Any) -> dict[str, Any]:
    side = None if winner is None else ("Black", "White")[winner]
    moves = ["a1"] * len(values)
    return {
        "winner": winner,
        "side": side,
        "over": over,
        "moves": moves,
        "values": values,
        "bids": [],
        **more,
    }


def of(games: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """Figures of a plan with these games; every first ply has the same values."""
    plan = Plan("begird", BEGIRD, games=len(games), **{"levels": 1, **changes})
    results = {f"game {number}": each for number, each in enumerate(games)}
    for task in plan.tasks():
        if task.startswith("first "):
            results[task] = {"values": [0.4, 0.4, 0.4, 0.4]}
        elif task.startswith("match "):
            results[task] = {"points": 1.0 if task.endswith(("0", "1", "2")) else 0.0}
    return figures(plan, results)


@pytest.mark.parametrize(
    ("values", "winner", "share"),
    [
        ([0.6, 0.7, 0.8, 0.9], 0, 0.0),
        ([0.4, 0.3, 0.2, 0.1], 1, 0.0),
        ([0.4, 0.6, 0.4, 0.9], 0, 0.75),
        ([0.6, 0.7, 0.8, 0.9], 1, 1.0),
        ([0.5, 0.6, 0.6, 0.6], 0, 0.25),
    ],
)
def test_the_last_change_is_where_the_winner_leads_for_good(
    values: list[float], winner: int, share: float
) -> None:
    assert share == last_change(values, winner)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_the_last_change_is_the_same_for_both_seats_mirrored(values: list[float]) -> None:
    found = last_change(values, 0)
    assert 0 <= found <= 1
    assert found == last_change([1 - value for value in values], 1) or 0.5 in [1 - value for value in values]
    after = values[round(found * len(values)) :]
    assert all(value > 0.5 for value in after)


def test_wins_are_counted_by_seat_and_by_side() -> None:
    games = [game(0, [0.6]), game(0, [0.6]), game(1, [0.6]), game(None, [0.6]), game(None, [0.6], over=False)]
    wins = of(games)["wins"]
    assert [0.4, 0.2, 0.2] == [wins[name]["value"] for name in ("first", "second", "draw")]
    assert 1 == wins["unfinished"]["count"]
    assert {"Black": 0.4, "White": 0.2} == {side: each["value"] for side, each in wins["sides"].items()}
    assert wins["first"]["low"] < 0.4 < wins["first"]["high"]


def test_words_that_settle_sides_are_counted_in_games() -> None:
    games = [game(0, [0.6, 0.6], moves=["a1", "swap"]), game(0, [0.6, 0.6], moves=["a1", "a2"])]
    assert (0.5, 2) == (of(games)["said"]["swap"]["value"], of(games)["said"]["swap"]["count"])


def test_unfinished_games_have_no_length() -> None:
    length = of([game(0, [0.6] * 4), game(0, [0.6] * 6), game(None, [0.6] * 90, over=False)])["length"]
    assert (4, 6, 5.0) == (length["shortest"], length["longest"], length["mean"]["value"])
    nothing = of([game(None, [0.6], over=False)])
    assert nothing["length"] is nothing["lead"] is None


def test_a_lead_that_changes_in_the_last_fifth_is_late() -> None:
    late = [0.4] * 9 + [0.6]
    lead = of([game(0, late), game(0, [0.6] * 10), game(1, [0.4] * 10)])["lead"]
    assert (pytest.approx(1 / 3), 3) == (lead["late"]["value"], lead["late"]["count"])
    assert [2, 0, 0, 0, 0, 0, 0, 0, 0, 1] == lead["tenths"]


def test_each_step_of_levels_is_a_share() -> None:
    levels = of([game(0, [0.6])], levels=3, matches=4)["levels"]
    assert [(2, 1, 0.75), (3, 2, 0.75)] == [
        (each["level"], each["against"], each["won"]["value"]) for each in levels
    ]
    assert [] == of([game(0, [0.6])], levels=3, matches=0)["levels"]


def test_a_first_ply_is_swapped_where_its_whole_interval_is_above_one_half() -> None:
    plan = Plan("begird", BEGIRD, games=1, levels=1)
    results: dict[str, Any] = {"game 0": game(0, [0.6])}
    firsts = [task for task in plan.tasks() if task.startswith("first ")]
    spread = [[0.7, 0.7, 0.7, 0.7], [0.4, 0.6, 0.5, 0.5]]
    results |= {task: {"values": (spread + [[0.3, 0.3, 0.3, 0.3]] * 99)[n]} for n, task in enumerate(firsts)}
    found = figures(plan, results)["first_plies"]
    assert ["yes", "open", "no"] == [each["swap"] for each in found["plies"][:3]]
    assert (1, len(firsts) - 2) == (found["open"], found["kept"])
    assert found["swapped"]["value"] == pytest.approx(1 / len(firsts))


def test_a_word_that_settles_sides_is_even_at_the_first_mean_of_one_half() -> None:
    bipod = RULES["bipod"].complete({})
    games = [
        game(0, [0.6] * 4, bids=[[0, 0.3], [1, 0.4], [2, 0.7]], moves=["f2", "f4", "adopt", "k3 o"]),
        game(0, [0.6] * 4, bids=[[0, 0.4], [1, 0.6]], moves=["f2", "adopt", "k3 o", "f4"]),
    ]
    plan = Plan("bipod", bipod, games=2, levels=1, settled=0)
    found = figures(plan, {f"game {n}": each for n, each in enumerate(games)})["bids"]
    assert ("adopt", 1) == (found["word"], found["even"])
    assert [(0, 2), (1, 2), (2, 1)] == [(each["plies"], each["count"]) for each in found["by_plies"]]
    assert 1.5 == found["said"]["mean"]["value"]
    never = figures(
        Plan("bipod", bipod, games=1, levels=1, settled=0), {"game 0": game(0, [0.6], bids=[[0, 0.2]])}
    )
    assert never["bids"]["said"] is never["bids"]["even"] is None


def test_settled_games_are_shares_by_plies() -> None:
    bipod = RULES["bipod"].complete({})
    plan = Plan("bipod", bipod, games=1, levels=1, settled=2)
    results = {"game 0": game(0, [0.6], bids=[[0, 0.2]])}
    results |= {f"settled {plies} {n}": {"points": float(plies > 3 * n)} for plies in SETTLED for n in (0, 1)}
    found = figures(plan, results)["settled"]
    assert ("adopt", 3) == (found["word"], found["level"])
    assert [(0, 0.0), (2, 0.5), (4, 1.0)] == [
        (each["plies"], each["won"]["value"]) for each in found["by_plies"][:3]
    ]
    assert of([game(0, [0.6])])["settled"] is None


@given(st.randoms(use_true_random=False))
def test_figures_do_not_depend_on_the_order_of_results(rng: Random) -> None:
    plan = Plan("begird", BEGIRD, games=6, levels=1)
    results: dict[str, Any] = {
        f"game {n}": game(n % 2, [0.1 * n, 0.5, 0.9], over=n != 3) for n in range(plan.games)
    }
    results |= {task: {"values": [0.1, 0.2]} for task in plan.tasks() if task.startswith("first ")}
    mixed = list(results.items())
    rng.shuffle(mixed)
    assert figures(plan, results) == figures(plan, dict(mixed))


def test_a_missing_result_is_an_error() -> None:
    with pytest.raises(KeyError, match="game 0"):
        figures(Plan("begird", BEGIRD, games=1), {})
