"""Bipod's rules, sentence by sentence, each with its position drawn."""

from __future__ import annotations

import json

import pytest

from rules import RULES
from rules.contract import BadOption, Illegal, Outcome, replay
from rules.picture import text
from tests.rules.drawn import blocker_to_play, drawn, runner_to_play

BIPOD = RULES["bipod"]


def start(**options: int):
    return BIPOD.start({name: str(value) for name, value in options.items()})


# ---------------------------------------------------------------------------------------- the board


def test_the_usual_board_is_the_posts_with_17_cells_on_top_12_below_and_87_in_all():
    picture = start().picture()
    assert text(picture) == (
        "_________________________________\n"
        ". . . . . @ . . . . . Q . . . . .   1\n"
        " . . . . . . . . . . . . . . . .    2\n"
        "  . . . . . . . . . . . . . . .     3\n"
        "   . . . . . . . . . . . . . .      4\n"
        "    . . . . . . . . . . . . .       5\n"
        "     . . . . . . . . . . . .        6\n"
        "abcdefghijklmnopqrstuvwxyzABCDEFG"
    )
    assert [17, 16, 15, 14, 13, 12] == [sum(s.y == row for s in picture.spots) for row in range(6)]


def test_the_starts_stand_on_k1_and_w1():
    assert {"k1": "@", "w1": "Q"} == {s.name: s.glyph for s in start().picture().spots if s.glyph != "."}


def test_the_earlier_post_had_one_cell_less_in_the_middle():
    assert text(start(size=5, middle=4, rows=6).picture()).splitlines()[1] == (
        ". . . . . @ . . . . Q . . . . .   1"
    )


def test_middle_follows_size_and_rows_are_one_more():
    assert {"size": 7, "middle": 7, "rows": 8, "stones": 3} == dict(start(size=7).options)
    assert {"size": 4, "middle": 2, "rows": 9, "stones": 1} == dict(
        start(size=4, middle=2, rows=9, stones=1).options
    )


def test_the_smallest_board_is_drawn():
    assert text(start(size=3, middle=2, rows=3).picture()) == (
        "___________________\n"
        ". . . @ . . Q . . .   1\n"
        " . . . . . . . . .    2\n"
        "  . . . . . . . .     3\n"
        "abcdefghijklmnopqrs"
    )


def test_the_largest_board_runs_to_column_Y():
    lines = text(start(size=8, middle=8, rows=9).picture()).splitlines()
    assert "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY" == lines[-1]
    assert 26 == lines[1].count(".") + 2
    assert 55 == max(map(len, lines))


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"size": "9"}, "size=9 cannot be: size is 3 to 8."),
        ({"size": "big"}, "size=big cannot be: size is 3 to 8."),
        ({"middle": "1"}, "middle=1 cannot be: middle is 2 to 8."),
        ({"rows": "10"}, "rows=10 cannot be: rows is 3 to 9."),
        ({"stones": "0"}, "stones=0 cannot be: stones is 1 to 5."),
        (
            {"colour": "red"},
            "Bipod has no option colour; its options are"
            " size (3 to 8), middle (2 to 8), rows (3 to 9), stones (1 to 5).",
        ),
    ],
)
def test_an_impossible_option_names_its_range(option, sentence):
    with pytest.raises(BadOption) as error:
        BIPOD.start(option)
    assert sentence == str(error.value)


# ------------------------------------------------------------------------------------------ blocking


def test_the_seats_alternate_and_first_begins():
    position = start()
    seats = []
    for move in ("f2", "f4 g3", "h2 h4 i3", "k3"):
        seats.append(position.to_play)
        position = position.play(position.read(move))
    assert [0, 1, 0, 1] == seats


def test_before_an_adoption_nobody_has_a_side():
    position = replay(start(), ["f2", "f4"])
    assert (None, None) == (position.side(0), position.side(1))


@pytest.mark.parametrize("stones", [1, 2, 3, 4, 5])
def test_a_ply_is_one_block_up_to_the_option_stones(stones):
    position = start(stones=stones)
    cells = ["f2", "f4", "f6", "h2", "h4", "h6"]
    for count in range(1, stones + 1):
        assert position.problem(position.read(" ".join(cells[:count]))) is None
    assert position.problem(position.read(" ".join(cells[: stones + 1]))) is not None


@pytest.mark.parametrize("before", [[], ["f2"], ["f2", "f4 g3"]])
def test_either_seat_may_adopt_on_any_turn_the_first_included(before):
    position = replay(start(), before)
    adopter = position.to_play
    after = position.play(position.read("adopt"))
    assert "Blocker" == after.side(adopter)
    assert "Runner" == after.side(1 - adopter)
    assert after.to_play == 1 - adopter


def test_a_block_may_be_laid_on_any_open_cell_but_not_on_the_starts():
    names = start().playable()
    assert 85 == len(names)
    assert "k1" not in names
    assert "w1" not in names


# ------------------------------------------------------------------------------------------ cut off


def test_a_cell_that_neither_start_reaches_is_cut_off_and_drawn_as_a_colon():
    position = drawn("""
        . . x @ . . . Q . . .   1
         . x . . . . . . . .    2
          x . . . . . . . .     3
           . . . . . . . .      4
    """)
    assert text(position.picture()).splitlines()[1:5] == [
        ": : x @ . . . Q . . .   1",
        " : x . . . . . . . .    2",
        "  x . . . . . . . .     3",
        "   . . . . . . . .      4",
    ]
    assert {"a1", "c1", "b2"}.isdisjoint(position.playable())
    assert position.problem(position.read("b2")) == (
        "b2 is cut off from both starts; the nearest cell still open is f2."
    )


def test_a_cell_that_one_start_reaches_is_open_though_the_other_does_not():
    position = drawn("""
        . . x @ x . . Q . . .
         . . x x . . . . . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert {"a1", "b2", "c1"} <= set(position.playable())


def test_a_stone_joins_its_own_start_alone_to_the_cells_behind_it():
    through_left = runner_to_play("""
        . . o @ . . . Q . . .
         . x x . . . . . . .
          x . . . . . . . .
           . . . . . . . .
    """)
    through_right = runner_to_play("""
        . . O @ . . . Q . . .
         . x x . . . . . . .
          x . . . . . . . .
           . . . . . . . .
    """)
    assert {"a1", "c1", "b2"} <= set(through_left.playable())
    assert {"a1", "c1", "b2"}.isdisjoint(through_right.playable())


def test_runner_may_lay_either_colour_on_a_cell_that_only_one_start_reaches():
    position = runner_to_play("""
        . . . @ x . . Q . . .
         . . . x . . . . . .
          . . x . . . . . .
           . x . . . . . .
    """)
    assert position.problem(position.read("c1 O")) is None
    assert position.problem(position.read("m3 o")) is None


def test_cells_of_one_ply_are_judged_in_the_order_written():
    position = start(size=3)
    assert position.problem(position.read("a1 c1 b2")) is None
    assert position.problem(position.read("c1 b2 a1")) == (
        "a1 is cut off from both starts once c1 and b2 are blocked; the nearest cell still open is e1."
    )


def test_where_no_cell_is_open_adopt_is_the_only_ply():
    position = drawn("""
        . . x @ x . x Q x . .
         . . x x . . x x . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert position.outcome is None
    assert position.playable() == []
    assert ["adopt"] == [str(move) for move in position.moves()]
    assert ["adopt"] == position.examples()
    assert ["No cell is open and adopt is the only move."] == position.notes()[:1]


# ----------------------------------------------------------------------------------------- adoption


def test_nothing_ends_the_game_before_an_adoption():
    position = drawn("""
        . . x @ x . x Q x . .
         . . x x . . x x . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert position.outcome is None
    assert position.to_play == 0


def test_adopting_against_starts_already_walled_in_wins_at_once():
    position = drawn(
        """
        . . x @ x . x Q x . .
         . . x x . . x x . .
          . . . . . . . . .
           . . . . . . . .
        """,
        ply=3,
    )
    after = position.play(position.read("adopt"))
    assert after.outcome == Outcome(
        1, "Blocker", "Blocker wins: no way is left from either start to the edge"
    )
    assert after.to_play is None


def test_adopt_is_refused_once_it_has_been_said():
    position = replay(start(), ["f2", "adopt"])
    assert position.problem(position.read("adopt")) == (
        "adopt was said already, in move 2; now Runner lays one stone, a cell and its colour, o or O."
    )


def test_the_board_says_who_has_adopted():
    position = replay(start(), ["f2", "adopt"])
    assert "Move 2 was adopt: the second player is Blocker from now on." in position.notes()


# ------------------------------------------------------------------------------------------ running


def test_runner_plays_after_the_adoption_and_both_lay_one_stone_a_ply():
    position = replay(start(), ["f2 f4 g3", "adopt", "k3 o", "x4", "y3 O"])
    assert "Blocker" == position.side(position.to_play)
    assert position.problem(position.read("x2")) is None
    assert position.problem(position.read("x2 w3")) == (
        "x2 w3: that is 2 cells in one move; now Blocker lays one block, a cell alone."
    )


def test_runner_wins_when_both_chains_reach_a_short_side():
    position = runner_to_play("""
        . . . @ x . . Q . . .
         . . o . . . O . . .
          . o . . . x O x .
           o . x . . x . .
    """)
    after = position.play(position.read("p4 O"))
    assert after.outcome == Outcome(1, "Runner", "Runner wins: both paths reach the edge")
    assert {"g1", "f2", "e3", "d4", "o1", "n2", "o3", "p4"} == {
        spot.name for spot in after.picture().spots if "win" in spot.marks
    }


def test_the_end_of_a_row_is_a_short_side_and_so_are_the_top_corners():
    position = runner_to_play("""
        o o o @ . . . Q O O .
         . . . . . . . . . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert position.outcome is None
    after = position.play(position.read("u1 O"))
    assert "Runner wins: both paths reach the edge" == after.outcome.reason


def test_one_path_at_the_edge_is_not_enough():
    position = runner_to_play("""
        o o o @ . . . Q . . .
         . . . . . . . . . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert position.outcome is None


def test_stones_of_the_other_start_do_not_make_a_path():
    position = runner_to_play("""
        O O O @ . . . Q O O O
         . . . . . . . . . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert position.outcome is None


def test_blocker_wins_when_the_left_start_has_no_way_left():
    position = blocker_to_play("""
        . . x @ x . . Q . . .
         . . x . . . . . . .
          . . . . . . . . .
           . . . . . . . .
    """)
    after = position.play(position.read("h2"))
    assert after.outcome == Outcome(
        0, "Blocker", "Blocker wins: no way is left from the left start to the edge"
    )


def test_blocker_wins_when_the_right_start_has_no_way_left():
    position = blocker_to_play("""
        . . . @ . . x Q x . .
         . . . . . . x . . .
          . . . . . . . . .
           . . . . . . . .
    """)
    after = position.play(position.read("p2"))
    assert after.outcome == Outcome(
        0, "Blocker", "Blocker wins: no way is left from the right start to the edge"
    )


def test_blocker_wins_when_each_path_can_arrive_but_not_both():
    position = blocker_to_play("""
        . . x @ . . . Q x . .
         . . x x x . . x . .
          . . . . . . . . .
           . . . . . . . .
    """)
    assert position.outcome is None
    after = position.play(position.read("n2"))
    assert after.outcome == Outcome(0, "Blocker", "Blocker wins: each path shuts the other off from the edge")


def test_runner_loses_by_shutting_off_his_own_path():
    position = runner_to_play("""
        . . x @ . . . Q . . .
         . . x . . . . . . .
          . . . x . . . . .
           . . . . . . . .
    """)
    position = replay(position, ["i1 O", "m3"])
    assert position.outcome is None
    after = position.play(position.read("h2 O"))
    assert after.outcome == Outcome(
        0, "Blocker", "Blocker wins: no way is left from the left start to the edge"
    )


def test_the_paths_may_touch_but_not_share_a_cell():
    position = runner_to_play("""
        . . x @ . . . Q x . .
         . . x x . . x x . .
          . . . x . . x . .
           . . . x . . x .
    """)
    assert position.outcome is None


def test_after_the_end_nothing_can_be_played():
    position = replay(start(size=3), ["e1 f2 h2", "j2 n2 p2", "q1", "adopt"])
    with pytest.raises(Illegal) as error:
        position.play(position.read("a1"))
    assert str(error.value) == (
        "The game is over (Blocker wins: each path shuts the other off from the edge),"
        " so nothing more can be played."
    )
    assert [] == position.playable() == position.examples() == list(position.moves())


# ------------------------------------------------------------------------------------- what is told


def test_the_stones_are_listed_for_those_who_do_not_see_the_board():
    position = replay(start(size=3), ["e1 d2 c3", "adopt", "f2 o", "u1", "n2 O"])
    assert position.stones() == [
        ("Left start (@)", ["g1"]),
        ("Right start (Q)", ["o1"]),
        ("Blocks (x)", ["e1", "u1", "d2", "c3"]),
        ("Left path (o)", ["f2"]),
        ("Right path (O)", ["n2"]),
        ("Cut off (:)", ["a1", "c1", "b2"]),
    ]


def test_the_last_ply_is_marked():
    position = replay(start(), ["f2 f4", "g3 h4"])
    assert {"g3", "h4"} == {spot.name for spot in position.picture().spots if "last" in spot.marks}


def test_the_data_survive_json():
    data = replay(start(size=4), ["f2 f4 g3", "adopt", "k3 o"]).data()
    assert data == json.loads(json.dumps(data))


@pytest.mark.parametrize(
    ("before", "line", "remark"),
    [
        ([], "F2", "F2 was taken as written, with its capital; f2 was open as well."),
        ([], "F2 f4 g3", "F2 was taken as written, with its capital; f2 was open as well."),
        (["f4", "adopt"], "E3 O", "E3 was taken as written, with its capital; e3 was open as well."),
        ([], "F2 B4", None),
        ([], "f2 B4", None),
        ([], "f2", None),
        ([], "F2 f2", None),
        (["f2"], "F2", None),
        ([], "Adopt", None),
        (["f2", "adopt"], "k3 O", None),
    ],
)
def test_a_capital_that_a_phone_may_have_made_is_remarked_on(before, line, remark):
    position = replay(start(), before)
    move = position.read(line)
    assert position.problem(move) is None
    assert remark == position.remark(line, move)


@pytest.mark.parametrize(
    ("before", "examples"),
    [
        ([], ["k3", "k3 w3", "adopt"]),
        (["k3"], ["j2", "j2 w3", "adopt"]),
        (["adopt"], ["k3 o", "w3 O"]),
        (["adopt", "k3 o"], ["j2", "w3"]),
    ],
)
def test_examples_lie_near_the_starts(before, examples):
    assert examples == replay(start(), before).examples()
