"""Begird's rules, sentence by sentence, each with its position drawn."""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path
from random import Random
from textwrap import dedent
from xml.etree import ElementTree

import pytest

from rules import RULES, find
from rules.contract import BadOption, Illegal, Outcome, replay
from rules.picture import cell_table, stone_lines, text
from rules.record import read as read_record
from rules.record import replay as replay_record
from rules.record import write
from rules.summary import summary_text
from rules.svg import svg

BEGIRD = RULES["begird"]
SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"

FIGURE_1_BLACK = (
    "q14 r14 i13 j13 k13 n13 o13 p13 q13 f12 g12 h12 j12 k12 l12 m12 c11 e11 c10 d10 d9 d8 c7 c6 b5 a4"
).split()
FIGURE_1_WHITE = ("k18 i17 j17 k11 j10 i9 h8 h7 j7 k7 l7 n7 o7 h6 i6 l6 m6 o6 f5 g5 f4 d3 e3 c2 b1").split()
FREE_TO_LOSE = ["j12", "k13", "q13", "q14"]
"""Black stones of figure 1 that the win does not need."""


def start(**options: int):
    return BEGIRD.start({name: str(value) for name, value in options.items()})


def laid(position, black, white=()):
    """The position after these stones, laid in turn, Black's first."""
    return replay(position, [cell for pair in zip_longest(black, white) for cell in pair if cell])


def drawn(board: str, **options: int):
    """The position with the stones that are drawn; whatever else stands there is lettering."""
    position = start(**options)
    cells = [glyph for glyph in dedent(board) if glyph in ".XO"]
    assert len(cells) == len(position.playable())
    stones = list(zip(position.playable(), cells, strict=True))
    return laid(
        position,
        [name for name, glyph in stones if glyph == "X"],
        [name for name, glyph in stones if glyph == "O"],
    )


def shores(position) -> dict[str, list[int]]:
    """The islands that each cell touches, as players count them, where it touches any."""
    ground = position.ground
    count = len(ground.islands)
    touched = {
        name: [island + 1 for island in range(count) if ground.shore[cell] >> island & 1]
        for cell, name in enumerate(ground.board.names)
    }
    return {name: islands for name, islands in touched.items() if islands}


# ---------------------------------------------------------------------------------------- the board


def test_the_usual_board_has_243_cells_in_18_rows_and_15_islands():
    position = start()
    assert text(position.picture()) == (
        "                [   1   |   2   ]\n"
        "        18 [15] . . . . . . . . . [3]\n"
        "       17 [15] . . . . . . . . . . [3]\n"
        "      16 [15] . . . . . . . . . . . [3]\n"
        "     15 [14] . . . . . . . . . . . . [4]\n"
        "    14 [14] . . . . . . . . . . . . . [4]\n"
        "   13 [14] . . . . . . . . . . . . . . [4]\n"
        "  12 [13] . . . . . . . . . . . . . . . [5]\n"
        " 11 [13] . . . . . . . . . . . . . . . . [5]\n"
        "10 [13] . . . . . . . . . . . . . . . . . [5]\n"
        "9      . . . . . . . . . . . . . . . . . .\n"
        " 8 [12] . . . . . . . . . . . . . . . . . [6]\n"
        "  7 [12] . . . . . . . . . . . . . . . . [6]\n"
        "   6 [12] . . . . . . . . . . . . . . . [6] \\\n"
        "    5 [12] . . . . . . . . . . . . . . [6] \\ r\n"
        "     4 [11] . . . . . . . . . . . . . [7] \\ q\n"
        "      3 [11] . . . . . . . . . . . . [7] \\ p\n"
        "       2 [11] . . . . . . . . . . . [7] \\ o\n"
        "        1 [11] . . . . . . . . . . [7] \\ n\n"
        "               [ 10  |  9  |  8  ]    \\ m\n"
        "                                     \\ l\n"
        "                  \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ k\n"
        "                   a b c d e f g h i j"
    )
    assert 243 == len(position.playable())


def test_the_cells_that_touch_two_islands_are_these():
    both = {name: set(islands) for name, islands in shores(start()).items() if len(islands) > 1}
    assert both == {
        "j18": {15, 1},
        "n18": {1, 2},
        "r18": {2, 3},
        "r15": {3, 4},
        "r12": {4, 5},
        "r9": {5, 6},
        "n5": {6, 7},
        "j1": {7, 8},
        "g1": {8, 9},
        "d1": {9, 10},
        "a1": {10, 11},
        "a5": {11, 12},
        "a9": {12, 13},
        "d12": {13, 14},
        "g15": {14, 15},
    }


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"islands": 27},
        *({"islands": 3, "side": side} for side in (4, 10, 19)),
        *({"islands": 9, "side": side} for side in (4, 7, 10, 19)),
        *({"islands": islands} for islands in (21, 33, 39, 45, 51)),
        *({"islands": 3 * part, "side": part + 1} for part in (5, 7, 9, 11, 13, 15, 17)),
        {"islands": 15, "side": 16},
    ],
    ids=str,
)
def test_every_cell_of_the_edge_touches_an_island_and_two_that_follow_share_one_cell(options):
    position = start(**options)
    board, touched = position.ground.board, shores(position)
    assert {name for name, near in zip(board.names, board.near, strict=True) if len(near) < 6} == set(touched)
    count = options.get("islands", 15)
    shared = sorted(islands for islands in touched.values() if len(islands) == 2)
    assert shared == sorted([[n, n + 1] for n in range(1, count)] + [[1, count]])


def test_the_triangle_of_three_islands_is_the_game_of_y():
    position = start(islands=3)
    assert text(position.picture()) == (
        "        10  [3] . [1]\n"
        "        9  [3] . . [1]\n"
        "       8  [3] . . . [1]\n"
        "      7  [3] . . . . [1]\n"
        "     6  [3] . . . . . [1]\n"
        "    5  [3] . . . . . . [1]\n"
        "   4  [3] . . . . . . . [1]\n"
        "  3  [3] . . . . . . . . [1]\n"
        " 2  [3] . . . . . . . . . [1]\n"
        "1      . . . . . . . . . .\n"
        "       [        2        ]\n"
        "         \\ \\ \\ \\ \\ \\ \\ \\ \\ \\\n"
        "          a b c d e f g h i j"
    )
    assert ["j10"] == [name for name in position.playable() if name.endswith("10")]
    assert {"j10": [1, 3], "a1": [2, 3], "j1": [1, 2]} == {
        name: islands for name, islands in shores(position).items() if len(islands) == 2
    }


def test_nine_islands_go_round_a_triangle_three_to_a_side():
    assert text(start(islands=9, side=7).picture()) == (
        "      7  [9] . [1]\n"
        "     6  [9] . . [1]\n"
        "    5  [8] . . . [2]\n"
        "   4  [8] . . . . [2]\n"
        "  3  [7] . . . . . [3]\n"
        " 2  [7] . . . . . . [3]\n"
        "1      . . . . . . .\n"
        "       [ 6 | 5 | 4 ]\n"
        "         \\ \\ \\ \\ \\ \\ \\\n"
        "          a b c d e f g"
    )


def test_27_islands_of_one_place_each_go_round_a_hexagon_of_75_cells():
    position = start(islands=27)
    assert text(position.picture()) == (
        "            [1|2|3|4]\n"
        "    10 [27] . . . . . [5]\n"
        "    9 [26] . . . . . . [6]\n"
        "   8 [25] . . . . . . . [7]\n"
        "  7 [24] . . . . . . . . [8]\n"
        " 6 [23] . . . . . . . . . [9]\n"
        "5      . . . . . . . . . .\n"
        " 4 [22] . . . . . . . . . [10]\n"
        "  3 [21] . . . . . . . . [11]\n"
        "   2 [20] . . . . . . . [12]\\\n"
        "    1 [19] . . . . . . [13]\\ j\n"
        "           [  18-14  ]    \\ i\n"
        "                         \\ h\n"
        "              \\ \\ \\ \\ \\ \\ g\n"
        "               a b c d e f"
    )
    assert 75 == len(position.playable())


@pytest.mark.parametrize(
    ("islands", "cells"), [(21, 48), (27, 75), (33, 108), (39, 147), (45, 192), (51, 243)]
)
def test_from_21_islands_on_a_hexagon_has_islands_of_one_place_each(islands, cells):
    position = start(islands=islands)
    assert cells == len(position.playable())
    assert [1] * islands == [len(island) for island in position.ground.islands]
    assert BEGIRD.may_be_rated(position.options)


def test_21_islands_go_round_a_hexagon_or_with_a_side_round_a_triangle():
    assert text(start(islands=21).picture()) == (
        "           [1|2|3]\n"
        "    8 [21] . . . . [4]\n"
        "   7 [20] . . . . . [5]\n"
        "  6 [19] . . . . . . [6]\n"
        " 5 [18] . . . . . . . [7]\n"
        "4      . . . . . . . .\n"
        " 3 [17] . . . . . . . [8]\n"
        "  2 [16] . . . . . . [9]\n"
        "   1 [15] . . . . . [10]\\\n"
        "          [ 14-11 ]    \\ h\n"
        "                      \\ g\n"
        "             \\ \\ \\ \\ \\ f\n"
        "              a b c d e"
    )
    assert text(start(islands=21, side=8).picture()) == (
        "       8 [21] . [1]\n"
        "      7 [20] . . [2]\n"
        "     6 [19] . . . [3]\n"
        "    5 [18] . . . . [4]\n"
        "   4 [17] . . . . . [5]\n"
        "  3 [16] . . . . . . [6]\n"
        " 2 [15] . . . . . . . [7]\n"
        "1      . . . . . . . .\n"
        "       [     14-8    ]\n"
        "         \\ \\ \\ \\ \\ \\ \\ \\\n"
        "          a b c d e f g h"
    )


def test_no_board_is_wider_than_47_columns():
    setups = [*({"islands": islands} for islands in range(3, 52, 6))]
    setups += [{"islands": 3, "side": side} for side in range(4, 20)]
    setups += [{"islands": 3 * part, "side": part + 1} for part in range(3, 18, 2)]
    widths = [max(map(len, text(start(**setup).picture(), last=True).splitlines())) for setup in setups]
    assert 47 == max(widths)


@pytest.mark.parametrize("side", [4, 7, 10, 13, 16, 19])
def test_each_island_of_a_triangle_has_its_share_of_the_ring(side):
    assert [(side - 1) // 3] * 9 == [len(island) for island in start(islands=9, side=side).ground.islands]
    assert [side - 1] * 3 == [len(island) for island in start(islands=3, side=side).ground.islands]


def test_the_usual_islands_take_four_places_before_a_side_of_9_and_three_before_a_side_of_10():
    assert [4, 4, 3, 3, 3] * 3 == [len(island) for island in start().ground.islands]
    assert [1] * 27 == [len(island) for island in start(islands=27).ground.islands]


# ------------------------------------------------------------------------------------------ options


def test_15_islands_are_the_default_and_triangles_have_sides_of_10():
    assert {"islands": 15} == dict(start().options)
    assert {"islands": 3, "side": 10} == dict(start(islands=3).options)
    assert {"islands": 9, "side": 10} == dict(start(islands=9).options)
    assert {"islands": 27} == dict(start(islands=27).options)
    assert {"islands": 27, "side": 10} == dict(start(islands=27, side=10).options)


def test_y_is_a_name_for_begird_with_three_islands():
    assert find("y") is find("Y") is BEGIRD
    assert BEGIRD.complete_for("y", {}) == BEGIRD.complete({"islands": 3})
    assert BEGIRD.complete_for("Y", {"side": "7"}) == BEGIRD.complete({"islands": 3, "side": 7})
    assert BEGIRD.complete_for("begird", {}) == BEGIRD.complete({})
    with pytest.raises(BadOption, match=r"^islands=9 cannot be: y is Begird with islands=3"):
        BEGIRD.complete_for("y", {"islands": "9"})


def test_a_record_of_y_is_read_as_begird_with_three_islands():
    played = replay_record(read_record('[Game "Y"]\n[Options "side=4"]\n1. d4'))
    assert {"islands": 3, "side": 4} == dict(played.position.options)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"islands": "5"}, "islands=5 cannot be: islands is 3, 9, 15, 21, 27, 33, 39, 45 or 51."),
        ({"islands": "many"}, "islands=many cannot be: islands is 3, 9, 15, 21, 27, 33, 39, 45 or 51."),
        ({"islands": "6"}, "islands=6 cannot be: islands is 3, 9, 15, 21, 27, 33, 39, 45 or 51."),
        ({"islands": "57"}, "islands=57 cannot be: islands is 3, 9, 15, 21, 27, 33, 39, 45 or 51."),
        ({"side": "7", "islands": "51"}, "side=7 cannot be: with 51 islands side is 18."),
        ({"islands": "015"}, "islands=015 cannot be: islands is 3, 9, 15, 21, 27, 33, 39, 45 or 51."),
        ({"islands": "3", "side": "3"}, "side=3 cannot be: side is 4 to 19."),
        ({"islands": "3", "side": "20"}, "side=20 cannot be: side is 4 to 19."),
        (
            {"islands": "9", "side": "8"},
            "side=8 cannot be: with 9 islands side is 4, 7, 10, 13, 16 or 19.",
        ),
        (
            {"side": "10"},
            "side=10 cannot be: with 15 islands side is 6, 11 or 16.",
        ),
        (
            {"side": "6", "islands": "27"},
            "side=6 cannot be: with 27 islands side is 10 or 19.",
        ),
        (
            {"size": "9"},
            "Begird has no option size; its options are islands (3, 9, 15, 21, 27, 33, 39, 45 or 51),"
            " side (4 to 19).",
        ),
    ],
)
def test_an_impossible_option_names_what_is_possible(option, sentence):
    with pytest.raises(BadOption) as error:
        BEGIRD.start(option)
    assert sentence == str(error.value)


# --------------------------------------------------------------------------------------------- play


def test_black_is_first_and_lays_the_first_stone():
    position = start()
    assert (0, "Black", "White") == (position.to_play, position.side(0), position.side(1))
    after = position.play(position.read("j9"))
    assert [("Black (X)", ["j9"])] == after.stones()
    assert 1 == after.to_play


def test_one_stone_a_ply_in_turn_on_any_empty_cell():
    position = replay(start(), ["j9", "a1", "r18", "j10"])
    assert [("Black (X)", ["r18", "j9"]), ("White (O)", ["j10", "a1"])] == position.stones()
    assert 239 == len(position.playable())
    assert "j9 is taken (a black stone, move 1)" in position.problem(position.read("j9"))


def test_white_may_swap_on_the_second_ply_and_the_stone_stays_black():
    position = replay(start(), ["j9", "swap"])
    assert [("Black (X)", ["j9"])] == position.stones()
    assert (2, 0) == (position.ply, position.to_play)
    assert ("White", "Black") == (position.side(0), position.side(1))


def test_after_a_swap_the_seat_that_is_now_white_plays_next_and_colours_go_on_in_turn():
    position = replay(start(), ["j9", "swap", "a1", "r18"])
    assert [("Black (X)", ["r18", "j9"]), ("White (O)", ["a1"])] == position.stones()
    assert (0, "White") == (position.to_play, position.side(position.to_play))
    assert "r18 is taken (a black stone, move 4); beside it q17, q18 and r17 are empty." == position.problem(
        position.read("r18")
    )


@pytest.mark.parametrize("before", [[], ["j9", "a1"], ["j9", "swap"], ["j9", "swap", "a1"]])
def test_swap_is_for_the_second_ply_alone(before):
    position = replay(start(), before)
    side = "White" if len(before) == 2 and before[1] == "swap" else "Black"
    assert position.problem(position.read("swap")) == (
        f"swap: sides are exchanged on move 2 or not at all; now {side} lays one stone on an empty cell."
    )
    assert "swap" not in [str(move) for move in position.moves()]
    assert "swap" not in position.examples()


def test_swap_is_offered_where_it_may_be_played():
    position = replay(start(), ["j9"])
    assert "swap" in [str(move) for move in position.moves()]
    assert "swap" == position.examples()[-1]
    assert {"swap"} < {str(position.sample(Random(seed))) for seed in range(30)}
    assert "swap" not in position.playable()


def test_a_placement_always_exists_until_somebody_has_won():
    rng = Random(1)
    position = start(islands=9, side=4)
    while not position.outcome:
        assert position.playable()
        position = position.play(position.sample(rng))
    assert [] == position.playable() == position.examples() == list(position.moves())


def test_where_a_side_is_all_stones_the_nearest_empty_cell_is_named():
    position = drawn(
        """
           . 1
          . . 1
         O X . 2
        X O . .
        """,
        islands=3,
        side=4,
    )
    assert position.problem(position.read("a1")) == (
        "a1 is taken (a black stone, move 3); the nearest empty cell is c3."
    )


# ---------------------------------------------------------------------------------------------- win


def figure_1(last: str = "c10"):
    """The position of figure 1, with this black stone laid last."""
    return laid(start(), [*(cell for cell in FIGURE_1_BLACK if cell != last), last], FIGURE_1_WHITE)


def test_figure_1_of_the_rule_sheet_has_been_won_by_black():
    position = figure_1()
    assert position.outcome == Outcome(0, "Black", "Black joins islands 4, 11 and 13: a run of 9")
    assert position.to_play is None
    assert FIGURE_1_BLACK == position.stones()[0][1]
    assert FIGURE_1_WHITE == position.stones()[1][1]


def test_figure_1_is_drawn_as_on_the_sheet():
    assert text(figure_1().picture()) == (
        "                [   1   |   2   ]\n"
        "        18 [15] . O . . . . . . . [3]\n"
        "       17 [15] O O . . . . . . . . [3]\n"
        "      16 [15] . . . . . . . . . . . [3]\n"
        "     15 [14] . . . . . . . . . . . . [4]\n"
        "    14 [14] . . . . . . . . . . . X X [4]\n"
        "   13 [14] . . . . X X X . . X X X X . [4]\n"
        "  12 [13] . . X X X . X X X X . . . . . [5]\n"
        " 11 [13] X . X . . . . . O . . . . . . . [5]\n"
        "10 [13] . X X . . . . . O . . . . . . . . [5]\n"
        "9      . . . X . . . . O . . . . . . . . .\n"
        " 8 [12] . . . X . . . O . . . . . . . . . [6]\n"
        "  7 [12] . . X . . . . O . O O O . O O . [6]\n"
        "   6 [12] . . X . . . . O O . . O O . O [6] \\\n"
        "    5 [12] . X . . . O O . . . . . . . [6] \\ r\n"
        "     4 [11] X . . . . O . . . . . . . [7] \\ q\n"
        "      3 [11] . . . O O . . . . . . . [7] \\ p\n"
        "       2 [11] . . O . . . . . . . . [7] \\ o\n"
        "        1 [11] . O . . . . . . . . [7] \\ n\n"
        "               [ 10  |  9  |  8  ]    \\ m\n"
        "                                     \\ l\n"
        "                  \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ k\n"
        "                   a b c d e f g h i j"
    )


def test_in_figure_1_black_has_one_group_of_26_and_white_one_of_22_that_touches_two_islands():
    """And three white stones in the north, which the page does not speak of."""
    black, white = figure_1().groups
    assert [26] == [group.cells.bit_count() for group in black]
    assert [(22, 2), (3, 2)] == sorted(
        ((group.cells.bit_count(), group.touched.bit_count()) for group in white), reverse=True
    )


def test_whichever_of_its_needed_stones_comes_last_wins_figure_1():
    for last in FIGURE_1_BLACK:
        if last not in FREE_TO_LOSE:
            assert "Black joins islands 4, 11 and 13: a run of 9" == figure_1(last=last).outcome.reason


@pytest.mark.parametrize("stone", FIGURE_1_BLACK)
def test_take_away_one_black_stone_of_figure_1_and_nobody_has_won_but_for_four_of_them(stone):
    position = start()
    rest = [cell for cell in FIGURE_1_BLACK if cell != stone]
    outcomes = []
    for cell in (cell for pair in zip(rest, FIGURE_1_WHITE, strict=True) for cell in pair):
        position = position.follow(position.read(cell))
        outcomes.append(position.outcome)
    assert any(outcomes) == (stone in FREE_TO_LOSE)


def touching(position, *islands: int) -> int:
    """The run of a group that touches these islands of the position's board."""
    return position.ground.run(sum(1 << island - 1 for island in islands))


def winning(position, *islands: int) -> bool:
    return position.ground.wins(sum(1 << island - 1 for island in islands))


@pytest.mark.parametrize(
    ("islands", "run"),
    [((), 0), ((7,), 1), ((1, 2), 2), ((1, 15), 2), ((4, 11), 8), ((4, 11, 13), 9), ((1, 6, 11), 11)],
)
def test_a_run_is_the_shortest_stretch_of_the_ring_that_holds_all_islands(islands, run):
    assert run == touching(start(), *islands)


@pytest.mark.parametrize("count", range(3, 52, 6))
def test_a_run_of_half_of_three_more_than_there_are_islands_wins(count):
    position = start(islands=count)
    needed = (count + 3) // 2
    assert needed == position.ground.needed
    assert {3: 3, 9: 6, 15: 9, 21: 12, 27: 15, 33: 18, 39: 21, 45: 24, 51: 27}[count] == needed
    for length in range(3, count + 1):
        row = [*range(1, length + 1)]
        assert (length >= needed) == winning(position, *row)


def test_two_islands_never_win_and_three_far_apart_do():
    position = start()
    assert not any(winning(position, 1, other) for other in range(1, 16))
    assert not winning(position, 1, 8, 5)
    assert winning(position, 1, 8, 9)


def test_y_is_won_by_joining_all_three_sides():
    position = drawn(
        """
             4  3 . 1
            3  3 X O 1
           2  3 O X . 1
          1    O . X .
                2 2 2
        """,
        islands=3,
        side=4,
    )
    assert position.outcome is None
    after = position.play(position.read("d4"))
    assert after.outcome == Outcome(0, "Black", "Black joins islands 1, 2 and 3: a run of 3")


def test_nine_islands_are_won_by_a_run_of_six_and_not_by_one_of_five():
    position = drawn(
        """
             4  9 O 1
            3  8 O O 2
           2  7 O . . 3
          1    X X X X
                6 5 4
        """,
        islands=9,
        side=4,
    )
    assert position.outcome is None
    assert [5, 5] == [position.ground.run(own[0].touched) for own in position.groups]
    after = position.play(position.read("d2"))
    assert after.outcome == Outcome(0, "Black", "Black joins islands 2, 3, 4, 5, 6 and 7: a run of 6")


WHITE_WINS = ["c2", "d4", "b1", "d3", "c1", "d2", "a1", "d1"]
BLACK_WINS = ["d4", "c2", "d3", "b1", "d2", "a1", "d1"]
"""Down the right side of a triangle of side 4, from the apex."""


@pytest.mark.parametrize(
    ("plies", "winner", "side"),
    [
        (BLACK_WINS, 0, "Black"),
        (WHITE_WINS, 1, "White"),
        ([BLACK_WINS[0], "swap", *BLACK_WINS[1:]], 1, "Black"),
        ([WHITE_WINS[0], "swap", *WHITE_WINS[1:]], 0, "White"),
    ],
)
def test_the_side_that_joins_them_wins_for_the_seat_that_holds_it(plies, winner, side):
    before = replay(start(islands=3, side=4), plies[:-1])
    assert before.outcome is None
    after = before.play(before.read(plies[-1]))
    assert after.outcome == Outcome(winner, side, f"{side} joins islands 1, 2 and 3: a run of 3")
    assert side == after.side(winner)


def test_stones_that_do_not_touch_one_another_are_no_group():
    position = drawn(
        """
             4  3 X 1
            3  3 X O 1
           2  3 O X . 1
          1    O X . .
                2 2 2
        """,
        islands=3,
        side=4,
    )
    assert "Black joins islands 1, 2 and 3: a run of 3" == position.outcome.reason
    apart = replay(start(islands=3, side=4), ["d4", "c3", "b1", "a1", "d2", "d3"])
    assert apart.outcome is None
    assert [1, 1, 1] == [group.cells.bit_count() for group in apart.groups[0]]


def test_after_the_end_nothing_can_be_played():
    position = figure_1()
    with pytest.raises(Illegal) as error:
        position.play(position.read("a1"))
    assert str(error.value) == (
        "The game is over (Black joins islands 4, 11 and 13: a run of 9), so nothing more can be played."
    )
    assert position.problem(position.read("swap")) == str(error.value)
    assert [] == position.playable() == position.examples() == position.notes()


# ------------------------------------------------------------------------------------- what is told


def test_the_notes_say_whose_stone_is_due_and_how_far_the_groups_reach():
    assert ["Black lays one stone on an empty cell."] == start().notes()
    assert replay(start(), ["j9"]).notes() == [
        "White lays one stone on an empty cell.",
        "Or swap: then the second player is Black, and the first is White.",
    ]
    assert replay(start(), ["j18", "swap"]).notes() == [
        "Move 2 was swap: first is White and second is Black from now on.",
        "White lays one stone on an empty cell.",
        "Widest runs so far: Black 2 (islands 1 and 15), White 0; 9 wins.",
    ]
    assert replay(start(), ["k18", "a2", "n18", "j9"]).notes()[1:] == [
        "Widest runs so far: Black 2 (islands 1 and 2), White 1 (island 11); 9 wins."
    ]


def test_stones_are_listed_row_by_row_from_the_top_and_the_winning_group_apart():
    position = drawn(
        """
             4  3 O 1
            3  3 O X 1
           2  3 X X . 1
          1    O . X .
                2 2 2
        """,
        islands=3,
        side=4,
    )
    assert position.stones() == [
        ("Black (X)", ["d3", "b2", "c2", "c1"]),
        ("White (O)", ["d4", "c3", "a1"]),
        ("Winning group", ["d3", "b2", "c2", "c1"]),
    ]
    assert "Black (X): d3 b2 c2 c1" == stone_lines(position.stones())[0]


WON = ["a1", "d4", "e5", "c3", "e4", "c2", "e3", "b1", "e2", "d1", "e1"]
"""On a triangle of side 5: Black goes down the right side, with one stone far from it."""


def test_in_text_the_winners_other_stones_are_small_letters_and_the_last_is_in_brackets():
    picture = replay(start(islands=3, side=5), WON).picture()
    assert text(picture, last=True) == (
        "    5  [3] X [1]\n"
        "   4  [3] O X [1]\n"
        "  3  [3] O . X [1]\n"
        " 2  [3] . O . X [1]\n"
        "1      x O . O(X)\n"
        "       [   2   ]\n"
        "         \\ \\ \\ \\ \\\n"
        "          a b c d e"
    )
    assert ("x", "a black stone outside the winning group") == picture.legend[-1]


def test_the_winning_group_and_the_islands_that_it_joins_are_marked_in_the_drawing():
    picture = replay(start(islands=3, side=5), WON).picture()
    assert {"e5", "e4", "e3", "e2", "e1"} == {spot.name for spot in picture.spots if "win" in spot.marks}
    assert ["joined"] * 3 == [line.look for line in picture.lines if line.text]
    assert [(picture.names["e5"].x, 0), (picture.names["e1"].x, 4)] == [
        point for line in picture.lines if line.look == "route" for point in line.points
    ]
    joined = [line.text for line in figure_1().picture().lines if line.look == "joined"]
    assert ["4", "11", "13"] == joined


def test_nothing_is_marked_as_won_while_the_game_goes_on():
    picture = replay(start(islands=3, side=5), WON[:-1]).picture()
    assert {"island"} == {line.look for line in picture.lines}
    assert not [spot for spot in picture.spots if "win" in spot.marks]
    assert "X" == picture.names["a1"].glyph


def test_the_last_stone_is_marked_and_after_a_swap_the_first():
    def marked(*plies):
        return [spot.name for spot in replay(start(), plies).picture().spots if "last" in spot.marks]

    assert [] == marked()
    assert ["a1"] == marked("j9", "a1")
    assert ["j9"] == marked("j9", "swap")


DRAWN = [
    *({"islands": islands} for islands in range(3, 52, 6)),
    {"islands": 21, "side": 8},
    {"islands": 51, "side": 18},
]


def test_every_island_is_drawn_with_its_number_and_none_of_them_twice():
    for setup in DRAWN:
        picture = start(**setup).picture()
        numbers = [str(number) for number in range(1, setup.get("islands", 15) + 1)]
        root = ElementTree.fromstring(svg(picture))
        groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "numbers"]
        assert numbers == [element.text for group in groups for element in group]
        assert not list(ElementTree.fromstring(svg(picture, coordinates=False)).iter(f"{SVG}text"))


def test_islands_are_drawn_within_the_frame_and_beside_the_cells_that_touch_them():
    for setup in DRAWN:
        position = start(**setup)
        left, top, width, height = map(
            float, ElementTree.fromstring(svg(position.picture())).get("viewBox").split()
        )
        for number, line in enumerate(line for line in position.picture().lines if line.text):
            shore = [
                position.ground.board.xy[cell]
                for cell, touched in enumerate(position.ground.shore)
                if touched >> number & 1
            ]
            for x, y in line.points:
                assert left < x * 17.33 - 10 < x * 17.33 + 10 < left + width
                assert top < y * 30 - 10 < y * 30 + 10 < top + height
                assert 1 < min((x - a) ** 2 + 3 * (y - b) ** 2 for a, b in shore) < 4


def test_the_table_has_the_islands_where_the_text_has_them():
    table = cell_table(start(islands=3, side=4).picture())
    rows = [
        "".join((cell.spot.glyph if cell.spot else cell.text).ljust(cell.span) for cell in row.cells).rstrip()
        for row in table.rows
    ]
    assert rows == ["  3 . 1", " 3 . . 1", "3 . . . 1", " . . . .", "  2 2 2", " a b c d"]
    assert ["4", "3", "2", "1", "", ""] == [row.header for row in table.rows]


def test_cells_tell_in_words_what_lies_there_since_when():
    position = replay(start(), ["j9", "swap", "a1"])
    said = {spot.name: spot.words for spot in position.picture().spots}
    assert ("a black stone, move 1", "a white stone, move 3", "empty") == (said["j9"], said["a1"], said["b2"])
    assert "Black (X): j9. White (O): a1." == position.picture().description
    assert "No stones yet." == start().picture().description


def test_the_legend_names_the_signs_of_the_islands():
    assert (("[1] to [15]", "islands"),) == start().picture().legend[2:]
    assert (("[1] to [27]", "islands"),) == start(islands=27).picture().legend[2:]
    assert (("[1] to [3]", "islands"),) == start(islands=3).picture().legend[2:]


def test_islands_have_the_numbers_on_a_board_of_text_that_they_have_in_a_drawing():
    picture = start().picture()
    drawn = {line.text for line in picture.lines if line.look == "island"}
    assert drawn == {label.text for label in picture.labels if label.kind == "island"}


def test_the_data_are_the_stones_in_the_order_of_play():
    position = replay(start(islands=9, side=7), ["d4", "swap", "a1", "g7"])
    data = json.loads(json.dumps(position.data()))
    assert data == {
        "game": "begird",
        "options": {"islands": 9, "side": 7},
        "stones": ["d4", "a1", "g7"],
        "swapped": True,
    }


# ------------------------------------------------------------------------------------- a whole game


def test_a_whole_game_with_a_swap_ends_in_figure_1_and_is_told_so():
    source = (GOLDEN / "begird.game").read_text()
    played = replay_record(read_record(source))
    assert source == write(played.record)
    assert (GOLDEN / "begird.txt").read_text() == f"{summary_text(played)}\n"
    assert figure_1().outcome.reason == played.outcome.reason
    assert (1, "Black", 52) == (played.outcome.winner, played.outcome.side, played.position.ply)
    assert sorted(played.position.data()["stones"][::2]) == sorted(figure_1().data()["stones"][::2])
