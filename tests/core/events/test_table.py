"""The table of an event: against a calculation of its own, by definitions alone."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.events.table import (
    HALVES,
    BadResult,
    TableResult,
    points_phrase,
    points_text,
    read_results,
    standings,
)

PLAYERS = "ABCDEF"
pairs = st.tuples(st.sampled_from(PLAYERS), st.sampled_from(PLAYERS)).filter(lambda two: two[0] != two[1])
results = st.lists(
    st.builds(lambda two, score: TableResult(*two, score), pairs, st.sampled_from(list(HALVES)))
)
POINTS = {"1-0": (1, 0), "0-1": (0, 1), "1/2": (Fraction(1, 2), Fraction(1, 2)), "+": (1, 0), "-": (0, 1)}


def independent(players: str, games: list[TableResult[str]]) -> list[tuple]:
    """The rows by definition: for each player, over each of the others, over each game of the two."""

    def against(one: str, other: str) -> Fraction:
        first = sum(POINTS[game.score][0] for game in games if (game.first, game.second) == (one, other))
        return first + sum(
            POINTS[game.score][1] for game in games if (game.first, game.second) == (other, one)
        )

    points = {one: sum(against(one, other) for other in players) for one in players}
    berger = {one: sum(against(one, other) * points[other] for other in players) for one in players}
    rows = []
    for place, one in enumerate(players):
        level = [other for other in players if (points[other], berger[other]) == (points[one], berger[one])]
        direct = sum(against(one, other) for other in level)
        wins = len([1 for game in games if game.second == one and game.score == "0-1"])
        rows.append(((-points[one], -berger[one], -direct, -wins, place), one))
    return [(one, -p, -b, -d, -w) for (p, b, d, w, _), one in sorted(rows)]


def plain(players: str, games: list[TableResult[str]]) -> list[tuple]:
    return [
        (row.player, row.points, row.sonneborn_berger, row.direct, row.wins_second)
        for row in standings(list(players), games)
    ]


@given(results)
def test_a_table_is_what_another_calculation_gives(games: list[TableResult[str]]) -> None:
    assert independent(PLAYERS, games) == plain(PLAYERS, games)


@given(results, st.randoms())
def test_the_order_of_results_changes_nothing(games: list[TableResult[str]], chance: random.Random) -> None:
    mixed = list(games)
    chance.shuffle(mixed)
    assert plain(PLAYERS, games) == plain(PLAYERS, mixed)


@given(results)
def test_each_game_gives_one_point(games: list[TableResult[str]]) -> None:
    assert len(games) == sum(row.points for row in standings(list(PLAYERS), games))


def test_level_players_are_ordered_by_each_rule_in_turn() -> None:
    assert ["B", "A"] == [row.player for row in standings(["A", "B"], [TableResult("A", "B", "0-1")])]
    berger = [TableResult("A", "C", "1-0"), TableResult("B", "D", "1-0"), TableResult("D", "C", "1-0")]
    assert ["B", "A", "D", "C"] == [row.player for row in standings(["A", "B", "C", "D"], berger)]
    second = [TableResult("A", "C", "1-0"), TableResult("C", "B", "0-1")]
    assert [("B", 1), ("A", 0), ("C", 0)] == [
        (row.player, row.wins_second) for row in standings(["A", "B", "C"], second)
    ]
    assert ["B", "A"] == [row.player for row in standings(["B", "A"], [])]


def test_direct_result_decides_between_two_who_are_level() -> None:
    games = [
        *(TableResult("A", "B", "1-0"), TableResult("A", "C", "1-0"), TableResult("B", "D", "1-0")),
        *(TableResult("B", "E", "1-0"), TableResult("D", "C", "1-0"), TableResult("E", "C", "1-0")),
    ]
    rows = standings(list("EDCBA"), games)
    assert [("A", 2, 2, 1), ("B", 2, 2, 0)] == [
        (row.player, row.points, row.sonneborn_berger, row.direct) for row in rows[:2]
    ]
    round_of_three = [
        TableResult("A", "B", "1-0"),
        TableResult("B", "C", "1-0"),
        TableResult("C", "A", "1-0"),
    ]
    assert [1, 1, 1] == [row.direct for row in standings(list("ABC"), round_of_three)]


def test_a_forfeit_is_a_point_and_counts_for_sonneborn_berger_but_is_no_win_as_second() -> None:
    games = [TableResult("A", "B", "-"), TableResult("A", "C", "1-0"), TableResult("B", "C", "+")]
    rows = {row.player: row for row in standings(list("ABC"), games)}
    assert (2, 1, 0) == (rows["B"].points, rows["B"].sonneborn_berger, rows["B"].wins_second)


@pytest.mark.parametrize(
    ("players", "result", "sentence"),
    [
        ("ABA", ("A", "B", "1-0"), "A is among the players twice."),
        ("AB", ("A", "C", "1-0"), "Result 1: C is not among the players."),
        ("AB", ("A", "A", "1-0"), "Result 1: A plays against themselves."),
        ("AB", ("A", "B", "2-0"), "Result 1: 2-0 is none of 1-0 0-1 1/2 + -."),
    ],
)
def test_a_result_that_no_table_holds_is_refused(players: str, result: tuple, sentence: str) -> None:
    with pytest.raises(BadResult) as refused:
        standings(list(players), [TableResult(*result)])
    assert sentence == str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"players": []},
        {"players": "AB", "results": []},
        {"players": [1], "results": []},
        {"players": ["A"], "results": {}},
        {"players": ["A", "B"], "results": [["A", "B"]]},
        {"players": ["A", "B"], "results": [["A", "B", 1]]},
        {"players": ["A", "B"], "results": ["A-B"]},
    ],
)
def test_data_of_another_shape_is_refused(data: object) -> None:
    with pytest.raises(BadResult):
        read_results(data)


def test_data_becomes_players_and_results() -> None:
    data = {"players": ["A", "B"], "results": [["A", "B", "1-0"]]}
    assert (["A", "B"], [TableResult("A", "B", "1-0")]) == read_results(data)


@pytest.mark.parametrize(
    ("points", "text", "phrase"),
    [
        (0, "0", "0 points"),
        (0.25, "¼", "¼ point"),
        (0.5, "½", "½ point"),
        (1, "1", "1 point"),
        (1.5, "1½", "1½ points"),
        (10.75, "10¾", "10¾ points"),
    ],
)
def test_people_read_points_with_fractions(points: float, text: str, phrase: str) -> None:
    assert (text, phrase) == (points_text(points), points_phrase(points))
