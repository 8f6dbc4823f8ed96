"""The points of a tour."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.core.events.table import HALVES, Result
from pbem.core.events.tour import Event, Place, tour_places, tour_points

PLAYERS = tuple("ABCD")
results = st.builds(
    lambda two, score: Result(two[0], two[1], score),
    st.permutations(PLAYERS),
    st.sampled_from(list(HALVES)),
)


def test_points_are_for_taking_part_finishing_and_winning() -> None:
    played = Event(("A", "B"), (Result("A", "B", "1-0"),))
    assert {"A": 5 + 2 + 2, "B": 5 + 2} == tour_points([played])
    drawn = Event(("A", "B"), (Result("A", "B", "1/2"),))
    assert {"A": 5 + 2 + 1, "B": 5 + 2 + 1} == tour_points([drawn])
    given_up = Event(("A", "B"), (Result("A", "B", "-"),))
    assert {"B": 5 + 2, "A": 5} == tour_points([given_up])
    assert ["A", "B"] == list(tour_points([played, given_up])) and 16 == tour_points([played, played, drawn])[
        "B"
    ] - 6


@given(st.lists(results), results)
def test_a_game_more_never_takes_points_away(games: list[Result[str]], more: Result[str]) -> None:
    before = tour_points([Event(PLAYERS, tuple(games))])
    after = tour_points([Event(PLAYERS, (*games, more))])
    assert all(after[player] >= before[player] for player in PLAYERS)
    assert sum(after.values()) - sum(before.values()) in (2, 6)


def test_level_players_share_a_place() -> None:
    played = Event(tuple("ABCD"), (Result("C", "D", "1-0"), Result("A", "B", "1/2")))
    assert [Place(1, "C", 9), Place(2, "A", 8), Place(2, "B", 8), Place(4, "D", 7)] == tour_places([played])
    assert [] == tour_places([])
