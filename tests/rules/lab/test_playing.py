"""The tasks of the laboratory, and their results."""

from __future__ import annotations

from typing import Any

import pytest

from rules import RULES
from rules.contract import replay
from rules.lab import playing
from rules.lab.plan import SETTLED, Plan
from rules.lab.playing import REPEATS, do, value_for_first
from tests.amount import amount, some

pytestmark = pytest.mark.whole

SMALL = {
    "bagel": {},
    "begird": {"islands": "3", "side": "4"},
    "bipod": {"size": "3", "rows": "3"},
    "bounders": {"size": "4"},
    "hexthing": {},
}


def plan(key: str, **changes: Any) -> Plan:
    small = {"games": 2, "level": 1, "levels": 2, "matches": 2, "map_level": 1, "settled": 1}
    return Plan(key, RULES[key].complete(SMALL[key]), **{**small, **changes})


def test_the_tasks_are_games_matches_and_first_plies_each_once() -> None:
    tasks = plan("bagel").tasks()
    assert ["game 0", "game 1", "match 2 0", "match 2 1", "first d7"] == tasks[:5]
    assert 4 + 36 == len(tasks) == len(set(tasks))


def test_there_is_no_map_where_nobody_may_swap() -> None:
    assert ["game 0", "game 1"] == plan("bipod", levels=1, settled=0).tasks()
    options = RULES["hexthing"].complete({})
    assert ["game 0"] == Plan("hexthing", options, games=1, levels=1).tasks()


def test_the_map_can_be_left_out() -> None:
    assert ["game 0", "match 2 0"] == plan("bagel", games=1, matches=1, has_map=False).tasks()
    assert plan("bagel", has_map=False).identity() == plan("bagel").identity()


def test_an_option_may_take_the_pie_rule_and_the_map_away() -> None:
    rules = next(rules for rules in RULES.values() if any(o.name == "pie" for o in rules.options))
    without = Plan(rules.key, rules.complete({"pie": "no"}), games=1, levels=1)
    assert ["game 0"] == without.tasks()


@pytest.mark.parametrize("key", SMALL)
def test_a_game_is_a_whole_game_with_a_value_for_each_ply(key: str) -> None:
    laid = plan(key)
    found = do(laid, "game 0")
    assert "game 0" == found["task"]
    end = replay(laid.start("game 0"), found["moves"])
    assert end.outcome is not None
    assert found["over"]
    assert (end.outcome.winner, end.outcome.side) == (found["winner"], found["side"])
    assert len(found["values"]) == len(found["moves"])
    assert all(0 <= value <= 1 for value in found["values"])


@pytest.mark.parametrize("key", some(SMALL, 1))
def test_the_same_seed_has_the_same_results_and_another_seed_has_others(key: str) -> None:
    tasks = ("game 0", "match 2 1")
    done = [do(plan(key), task) for task in tasks]
    assert done == [do(plan(key), task) for task in tasks]
    assert done[0]["moves"] != do(plan(key, seed=2), "game 0")["moves"]
    assert done[0]["moves"] != do(plan(key), "game 1")["moves"]


def test_in_two_matches_after_one_another_the_seats_change_on_the_same_deal() -> None:
    laid = plan("bagel")
    assert laid.start("match 0").options == laid.start("match 0").options
    assert laid.start("match 0").options != laid.start("match 1").options
    assert do(laid, "match 2 0")["points"] in (0.0, 0.5, 1.0)


def test_a_much_higher_level_wins_its_matches() -> None:
    laid = plan("begird", levels=3)
    won = sum(do(laid, f"match 3 {number}")["points"] for number in range(6))
    assert won >= 4


def test_a_first_ply_is_judged_for_its_owner() -> None:
    """In Begird with three islands on side 4 the middle is won, and a corner is not better than it."""
    laid = plan("begird", map_level=2)
    start = laid.start("0")
    middle = start.picture().spots[len(start.picture().spots) // 2].name
    corner = start.playable()[0]
    best, worst = (do(laid, f"first {name}")["values"] for name in (middle, corner))
    assert REPEATS == len(best) == len(worst)
    assert sum(best) > sum(worst)
    assert sum(best) / REPEATS > 0.5


def test_adopting_is_judged_before_each_ply_until_somebody_does() -> None:
    laid = plan("bipod")
    found = do(laid, "game 0")
    assert "adopt" == laid.word
    assert list(range(found["moves"].index("adopt") + 1)) == [ply for ply, _ in found["bids"]]
    assert all(0 <= value <= 1 for _, value in found["bids"])
    assert "" == plan("bagel").word
    assert [] == do(plan("bounders"), "game 0")["bids"]


def test_sides_are_settled_after_so_many_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = plan("bipod")
    settled = [f"settled {plies} 0" for plies in SETTLED]
    assert settled == laid.tasks()[-len(SETTLED) :]
    seen: list[Any] = []
    monkeypatch.setattr(playing, "_play_out", lambda position, *rest: seen.append((position, rest)) or {})
    for plies in SETTLED:
        do(laid, f"settled {plies} 0")
    for plies, (position, (levels, _, seat)) in zip(SETTLED, seen, strict=True):
        assert (plies + 1, plies + 1) == (position.ply, position.adopted)
        assert plies <= position.cells.count("x")  # a ply has one to three blocks
        assert ((1, 1), plies % 2, "Blocker") == (levels, seat, position.side(seat))


@pytest.mark.slow
def test_who_settles_late_wins_more() -> None:
    laid = plan("bipod", settled=8, map_level=2)
    points = {
        plies: sum(do(laid, f"settled {plies} {number}")["points"] for number in range(amount(4, 8)))
        for plies in (SETTLED[0], SETTLED[-1])
    }
    assert points[SETTLED[0]] < points[SETTLED[-1]]


def test_the_value_of_a_game_that_is_over_is_its_result() -> None:
    laid = plan("begird")
    found = do(laid, "game 0")
    end = replay(laid.start("game 0"), found["moves"])
    assert 1.0 - found["winner"] == value_for_first(end, 1, 0)


def test_what_a_plan_plays_is_told_apart_but_not_how_much_of_it() -> None:
    identity = plan("begird").identity()
    assert identity == plan("begird", games=9, levels=1, matches=7).identity()
    for change in ({"seed": 2}, {"level": 2}, {"map_level": 2}):
        assert identity != plan("begird", **change).identity()
    assert identity != plan("bounders").identity()
