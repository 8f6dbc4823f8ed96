"""The evaluation of a finished game: its swings, the moves to look at again, and three moments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from pbem.core.exercises.analysis import (
    Moment,
    candidates,
    choose_moments,
    key_of_ended,
    largest_swings,
    moments_of,
    smooth,
    swings,
)
from pbem.core.game.state import Ply
from pbem.core.game.view import view
from tests.people import HOST, NOON, SEED_GAME, a_game


def plies(count: int) -> Sequence[Ply]:
    return [Ply(n, n + 1, 1 - n % 2, "f2", NOON) for n in range(1, count + 1)]  # type: ignore[arg-type]


def test_what_belongs_to_the_turn_is_no_swing() -> None:
    values = [0.4, 0.6] * 5
    assert {0} <= {round(each.loss, 6) for each in swings(plies(9), values)[1:-1]} == {0}
    assert [0.5] * 8 == [round(value, 6) for value in smooth(values)[1:-1]]


def test_a_swing_is_told_for_whoever_made_the_move() -> None:
    values = [0.5] * 4 + [0.9] * 4  # ply 4 is the second player's
    (worst,) = largest_swings(plies(7), values)
    assert (4, 0.5, 0.1) == (worst.ply.n, worst.before, pytest.approx(worst.after))


def test_settled_values_are_no_part_of_a_mean() -> None:
    """A game of proved wins given to and fro: each gift is its own swing, and others are none."""
    values = [0.5] * 3 + [0.6, 1, 0, 0, 0, 1, 0, 1, 0]
    losses = {each.ply.n: round(each.loss, 3) for each in swings(plies(11), values)}
    assert {5: 1, 6: 0, 7: 0, 8: 1, 9: 1, 10: 1, 11: 1} == {n: losses[n] for n in range(5, 12)}
    assert 0.45 == losses[4]
    assert [1, 0, 0, 0, 1, 0, 1] == smooth(values)[4:11]
    assert [5, 8, 9] == [each.ply.n for each in largest_swings(plies(11), values)]


def test_three_swings_at_most_in_the_order_of_the_game() -> None:
    values = [0.5] * 3 + [0.8] * 3 + [0.2] * 3 + [0.5] * 3 + [0.4] * 3
    assert [3, 6, 9] == [each.ply.n for each in largest_swings(plies(14), values)]


def test_a_level_game_has_no_swings() -> None:
    assert [] == largest_swings(plies(4), [0.5] * 5)


def test_the_worst_moves_of_a_player_are_looked_at_again() -> None:
    game = a_game(SEED_GAME)
    values = [0.5] * (len(game.state.plies) + 1)
    values[4:] = [0.9] * len(values[4:])  # ply 4, of the second player
    assert 4 == candidates(game, 1, values)[0]
    assert {0} == {(n + 1) % 2 for n in candidates(game, 0, values)}


def test_fewer_than_three_moves_bring_no_moments() -> None:
    game = a_game(SEED_GAME[:4])
    assert [] == candidates(game, 0, [0.5] * 5)


def test_three_moments_with_the_largest_loss_in_the_order_of_the_game() -> None:
    judged = [
        {"ply": n, "value": 0.5 + loss, "after": 0.5, "played": "f2", "best": "f4"}
        for n, loss in ((9, 0.1), (3, 0.3), (5, 0.0), (1, 0.2))
    ]
    assert [1, 3, 9] == [each["ply"] for each in choose_moments(judged)]
    best = {"ply": 7, "value": 0.9, "after": 0.5, "played": "f2", "best": "f2"}
    assert [1, 3, 9] == [each["ply"] for each in choose_moments([best, *judged])]
    assert [1, 3, 7] == [each["ply"] for each in choose_moments([best, judged[1], judged[3]])]


def moment(**changes: object) -> Moment:
    kept = {
        "ply": 3,
        "played": "f6",
        "best": "e5 g1",
        "value": 0.6,
        "after": 0.4,
        "proved": False,
        "expected": "",
    }
    (found,) = moments_of(view(a_game(SEED_GAME), 0, HOST), [{**kept, **changes}], {"1": "g1 e5"})
    return found


def test_an_answer_may_have_its_parts_in_any_order() -> None:
    game = a_game(SEED_GAME)
    assert game.state.plies[1].move == "e5 g1"
    assert moment(ply=2).found
    assert moment(ply=2, best="f6", played="e5 g1").again


@pytest.mark.parametrize(
    ("sure", "value", "after", "proved"),
    [
        ("proved", 1.0, 0.0, True),
        ("clear", 0.8, 0.4, False),
        ("likely", 0.6, 0.4, False),
        ("close", 0.5, 0.45, False),
    ],
)
def test_how_sure_the_bot_is(sure: str, value: float, after: float, proved: bool) -> None:
    assert sure == moment(value=value, after=after, proved=proved).sure


def test_moments_of_a_game_that_was_taken_back_are_gone() -> None:
    seen = view(a_game(SEED_GAME[:2]), 0, HOST)
    kept = {
        "ply": 3,
        "played": "f6",
        "best": "f6",
        "value": 0.6,
        "after": 0.4,
        "proved": False,
        "expected": "",
    }
    assert [] == moments_of(seen, [kept], {})


def test_a_game_that_ends_again_has_another_key() -> None:
    assert key_of_ended(4, NOON) != key_of_ended(4, NOON + timedelta(hours=1))
