"""The end and the score of Bounders: every comparison of every scoring, each with its end drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rules import RULES
from rules.contract import Outcome
from rules.picture import text
from rules.record import read
from rules.record import replay as replayed
from tests.rules.drawn import bounders

BOUNDERS = RULES["bounders"]
GOLDEN = Path(__file__).parent / "golden"

# ------------------------------------------------------------------------------------------- the end


def test_the_game_goes_on_while_any_empty_cell_is_balanced():
    position = bounders("""
          O - -
         X O X X
        X X O X -
         O - O .
          O - -
    """)
    assert position.outcome is None
    assert ["d2"] == position.playable() == position.examples()
    assert position.play(position.read("d2")).outcome is not None


END = """
      O X x
     o O X X
    o o X x x
     O o O x
      o O x
"""
"""Light has 5 points from one territory; Dark 5 from two, of 4 and 1."""


def test_the_game_ends_for_both_at_once_when_no_empty_cell_is_balanced():
    position = bounders(END)
    assert position.outcome is not None
    assert position.to_play is None
    assert [] == position.playable() == position.examples() == list(position.moves())
    assert position.problem(position.read("e5")) == (
        f"The game is over ({position.outcome.reason}), so nothing more can be played."
    )
    again = replace(position, ply=position.ply + 1)
    assert again.outcome == position.outcome


def test_at_the_end_territories_are_drawn_for_the_side_that_has_them_and_dashed_where_nobody_has():
    position = bounders("""
          O . .
         X O X X
        X X O X .
         O . O O
          O . .
    """)
    assert text(position.picture()) == (
        "  5   O - -\n"
        " 4   X O X X\n"
        "3   X X O X x\n"
        " 2   O o O O \\\n"
        "  1   O o o \\ e\n"
        "       \\ \\ \\ d\n"
        "        a b c"
    )


def test_the_ply_before_the_end_has_no_scores_and_no_territories():
    game = replayed(read((GOLDEN / "bounders.game").read_text()), 78).position
    assert {} == game.scores()
    assert set("OX.-") == {spot.glyph for spot in game.picture().spots}


# ----------------------------------------------------------------------------------------- the score


def tallied(position):
    names = position.board.names
    return [(names[each.cells[0]], len(each.cells), each.light, each.dark) for each in position.territories]


def test_a_territory_is_a_whole_region_and_every_stone_round_it_counts_once():
    position = bounders("""
          . . .
         . . . .
        O X O X X
         . . . .
          . . .
    """)
    assert [("c5", 7, 2, 3), ("a2", 7, 2, 3)] == tallied(position)
    assert ["X", "X"] == [each.owner for each in position.territories]


def test_as_many_stones_of_both_colours_award_a_territory_to_nobody():
    position = bounders("""
          . . .
         O X O X
        O O O O O
         . X X .
          . . .
    """)
    assert ("c5", 3, 2, 2) == tallied(position)[0]
    assert "." == position.territories[0].owner


def test_the_side_with_more_stones_round_a_territory_has_a_point_for_each_of_its_cells():
    position = bounders("""
          x O o
         x x O O
        O x x X X
         O X x x
          X x X
    """)
    assert [("c5", 8, 4, 5), ("e5", 1, 3, 0)] == tallied(position)
    assert {"Light": {"points": 1}, "Dark": {"points": 8}} == position.scores()


ENDS = [
    (
        """
          O - -
         X O X X
        X X O X x
         O o O O
          O o o
        """,
        {},
        (0, "Light", "Light wins: 3 points to 1"),
        {"points": (3, 1)},
    ),
    (
        """
          x O o
         x x O O
        O x x X X
         O X x x
          X x X
        """,
        {"swapped": True},
        (0, "Dark", "Dark wins: 8 points to 1"),
        {"points": (1, 8)},
    ),
    (
        """
          X X o
         - - O O
        X X - - X
         - O - O
          - - O
        """,
        {"scoring": "basic", "swapped": True},
        (1, "Light", "Light wins: 1 point to 0"),
        {"points": (1, 0)},
    ),
    (
        END,
        {},
        (0, "Light", "Light wins: equal points, and the largest territory has 5 cells to 4"),
        {"points": (5, 5), "largest territory": (5, 4)},
    ),
    (
        """
          x X O
         x X - -
        x x X O O
         X O o o
          o O o
        """,
        {},
        (1, "Dark", "Dark wins: equal points, and the largest territory has 4 cells to 3"),
        {"points": (4, 4), "largest territory": (3, 4)},
    ),
    (
        """
           X X X x
          O O O x X
         o o O X x X
        o O X X X O O
         o O X x O o
          O o O x X
           o O x x
        """,
        {},
        (0, "Light", "Light wins: equal points, equal largest territories, and 3 territories to 2"),
        {"points": (7, 7), "largest territory": (4, 4), "territories": (3, 2)},
    ),
    (
        """
          o o X
         O O O O
        x X O o o
         X x X O
          x X x
        """,
        {"swapped": True},
        (0, "Dark", "Dark wins: equal points, equal largest territories, and 3 territories to 2"),
        {"points": (4, 4), "largest territory": (2, 2), "territories": (2, 3)},
    ),
    (
        """
          x O o
         X X O O
        - - - - X
         - O O -
          - - X
        """,
        {},
        (1, "Dark", "Dark wins: equal points and territories, and fewer stones, 4 to 5"),
        {"points": (1, 1), "largest territory": (1, 1), "territories": (1, 1), "stones played": (5, 4)},
    ),
    (
        """
          O - O
         - - X -
        - O - X -
         - - - -
          O X X
        """,
        {},
        (
            0,
            "Light",
            "Light wins: equal points, territories and stones, and whoever offered the pie wins",
        ),
        {
            "points": (0, 0),
            "largest territory": (0, 0),
            "territories": (0, 0),
            "stones played": (4, 4),
            "offered the pie": ("yes", "no"),
        },
    ),
    (
        """
          O - O
         - - X -
        - O - X -
         - - - -
          O X X
        """,
        {"swapped": True},
        (0, "Dark", "Dark wins: equal points, territories and stones, and whoever offered the pie wins"),
        {
            "points": (0, 0),
            "largest territory": (0, 0),
            "territories": (0, 0),
            "stones played": (4, 4),
            "offered the pie": ("no", "yes"),
        },
    ),
    (
        """
          O - O
         - - X -
        - O - X -
         - - - -
          O X X
        """,
        {"pie": "no"},
        (
            0,
            "Light",
            "Light wins: equal points, territories and stones, and whoever placed the first stone wins",
        ),
        {
            "points": (0, 0),
            "largest territory": (0, 0),
            "territories": (0, 0),
            "stones played": (4, 4),
            "placed the first stone": ("yes", "no"),
        },
    ),
    (END, {"scoring": "basic"}, (None, None, "Draw: 5 points each"), {"points": (5, 5)}),
    (
        """
          x O o
         X X O O
        - - - - X
         - O O -
          - - X
        """,
        {"scoring": "basic"},
        (None, None, "Draw: 1 point each"),
        {"points": (1, 1)},
    ),
    (
        END,
        {"scoring": "half"},
        (1, "Dark", "Dark wins: 5.5 points to 5, with the half point of second, who did not begin"),
        {"points": (5, 5.5)},
    ),
    (
        END,
        {"scoring": "half", "pie": "yes", "swapped": True},
        (1, "Light", "Light wins: 5.5 points to 5, with the half point of second, who did not begin"),
        {"points": (5.5, 5)},
    ),
    (
        """
          O - -
         X O X X
        X X O X x
         O o O O
          O o o
        """,
        {"scoring": "half"},
        (0, "Light", "Light wins: 3 points to 1.5, with the half point of second, who did not begin"),
        {"points": (3, 1.5)},
    ),
]


@pytest.mark.parametrize(("board", "options", "outcome", "table"), ENDS)
def test_the_scoring_decides_by_its_first_difference_and_shows_the_table_down_to_it(
    board, options, outcome, table
):
    position = bounders(board, **options)
    assert Outcome(*outcome) == position.outcome
    assert position.scores() == {
        "Light": {name: light for name, (light, _) in table.items()},
        "Dark": {name: dark for name, (_, dark) in table.items()},
    }


@pytest.mark.parametrize(("board", "options", "outcome", "table"), ENDS)
def test_an_end_is_drawn_with_its_territories(board, options, outcome, table):
    rows = [re.sub(r"[^OXox-]", "", line) for line in board.splitlines()]
    drawn = [
        re.sub(r"[^OXox-]", "", line) for line in text(bounders(board, **options).picture()).splitlines()
    ]
    assert [row for row in rows if row] == [row for row in drawn if row]


def test_the_end_tells_every_territory_in_words():
    position = bounders("""
          O - -
         X O X X
        X X O X x
         O o O O
          O o o
    """)
    assert position.notes() == [
        "Light is awarded 1 territory, of 3 cells.",
        "Dark is awarded 1 territory, of 1 cell.",
        "Nobody is awarded 1 territory, of 2 cells.",
    ]
    assert position.stones() == [
        ("Light stones (O)", ["c5", "c4", "c3", "a2", "c2", "d2", "a1"]),
        ("Dark stones (X)", ["b4", "d4", "e4", "a3", "b3", "d3"]),
        ("Light's territories (o)", ["b2", "b1", "c1"]),
        ("Dark's territories (x)", ["e3"]),
        ("Nobody's (-)", ["d5", "e5"]),
    ]


@pytest.mark.parametrize("scoring", ["basic", "half", "tournament"])
@pytest.mark.parametrize("pie", ["yes", "no"])
def test_half_a_point_with_the_pie_rule_is_never_rated(scoring, pie):
    rules = RULES["bounders"]
    rated = rules.may_be_rated(rules.complete({"scoring": scoring, "pie": pie}))
    assert rated == ((scoring, pie) != ("half", "yes"))
