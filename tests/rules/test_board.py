"""Boards on the doubled grid."""

from __future__ import annotations

import pytest

from rules.board import AROUND, hexagon, ring, steps, trapezium, triangle

BOARD = trapezium(10, 4)


def near(name: str) -> list[str]:
    return [BOARD.names[cell] for cell in BOARD.near[BOARD.index[name]]]


def test_cells_stand_in_reading_order():
    assert ["a1", "c1", "e1"] == list(BOARD.names[:3])
    assert ["d4", "f4", "h4", "j4", "l4", "n4", "p4"] == list(BOARD.names[-7:])
    assert 10 + 9 + 8 + 7 == len(BOARD)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("f2", ["d2", "e1", "g1", "h2", "g3", "e3"]),
        ("a1", ["c1", "b2"]),
        ("s1", ["q1", "r2"]),
        ("d4", ["c3", "e3", "f4"]),
        ("j4", ["h4", "i3", "k3", "l4"]),
    ],
)
def test_a_cell_touches_two_in_its_row_and_two_in_each_row_beside_it(name, expected):
    assert expected == near(name)


def test_neighbours_are_mutual():
    assert all(cell in BOARD.near[beside] for cell in range(len(BOARD)) for beside in BOARD.near[cell])


def test_the_neighbours_by_direction_lie_where_the_direction_says():
    for cell, six in enumerate(BOARD.around):
        for (dx, dy), beside in zip(AROUND, six, strict=True):
            if beside >= 0:
                x, y = BOARD.xy[cell]
                assert (x + dx, y + dy) == BOARD.xy[beside]


def test_the_same_board_is_made_once():
    assert trapezium(10, 4) is trapezium(10, 4)


@pytest.mark.parametrize(
    ("one", "another", "expected"),
    [("f2", "f2", 0), ("f2", "h2", 1), ("f2", "g3", 1), ("a1", "s1", 9), ("a1", "d4", 3), ("a1", "j4", 6)],
)
def test_steps_between_cells_are_counted_along_rows_and_slants(one, another, expected):
    one, another = (BOARD.xy[BOARD.index[name]] for name in (one, another))
    assert expected == steps(one, another) == steps(another, one)


def test_the_nearest_wanted_cell_is_found():
    wanted = [name in ("s1", "p4") for name in BOARD.names]
    assert "p4" == BOARD.names[BOARD.nearest(BOARD.xy[BOARD.index["n4"]], wanted)]
    assert BOARD.nearest((0, 0), [False] * len(BOARD)) is None


def test_the_ring_of_a_hexagon_goes_round_clockwise_from_the_top_left_and_leaves_its_corners_out():
    places = [(x - 3, y) for x, y in ring(hexagon(2, 3))]
    assert places == [(0, -1), (3, 0), (4, 1), (4, 3), (1, 4), (-1, 4), (-4, 3), (-4, 1), (-3, 0)]


def test_the_ring_of_a_triangle_begins_right_of_its_apex():
    (apex, *_), places = triangle(4).xy, ring(triangle(4))
    assert 9 == len(places)
    assert [(apex[0] + 2, apex[1]), (apex[0] - 2, apex[1])] == [places[0], places[-1]]


@pytest.mark.parametrize("board", [hexagon(9, 10), hexagon(5, 6), hexagon(4, 4), triangle(10)])
def test_a_place_in_the_ring_touches_two_cells_and_places_that_follow_share_one_or_a_corner(board):
    around = [{(x + dx, y + dy) for dx, dy in AROUND} & set(board.xy) for x, y in ring(board)]
    assert {2} == set(map(len, around))
    assert [1] * len(around) == [len(a & b) for a, b in zip(around, around[1:] + around[:1], strict=True)]
