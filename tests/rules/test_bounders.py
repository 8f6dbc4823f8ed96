"""Bounders' rules, sentence by sentence, each with its position drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rules import RULES
from rules.conformance import LAWS, obey
from rules.contract import BadOption, Illegal, replay
from rules.picture import text
from rules.random_play import RandomGame
from rules.record import read, write
from rules.record import replay as replayed
from rules.summary import summary_text
from rules.svg import svg
from tests.amount import amount
from tests.rules.drawn import bounders

BOUNDERS = RULES["bounders"]
GOLDEN = Path(__file__).parent / "golden"
ENDED = """
      O - -
     X O X X
    X X O X x
     O o O O
      O o o
"""
"""Light has 3 points, Dark 1; the two cells at the top belong to nobody."""


def start(**options: object):
    return BOUNDERS.start({name: str(value) for name, value in options.items()})


# ---------------------------------------------------------------------------------------- the board


def test_the_usual_board_has_sides_of_7_and_127_cells_from_a1_to_m13():
    picture = start().picture()
    assert text(picture) == (
        "     13   . . . . . . .\n"
        "    12   . . . . . . . .\n"
        "   11   . . . . . . . . .\n"
        "  10   . . . . . . . . . .\n"
        "  9   . . . . . . . . . . .\n"
        " 8   . . . . . . . . . . . .\n"
        "7   . . . . . . . . . . . . .\n"
        " 6   . . . . . . . . . . . . \\\n"
        "  5   . . . . . . . . . . . \\ m\n"
        "   4   . . . . . . . . . . \\ l\n"
        "    3   . . . . . . . . . \\ k\n"
        "     2   . . . . . . . . \\ j\n"
        "      1   . . . . . . . \\ i\n"
        "           \\ \\ \\ \\ \\ \\ \\ h\n"
        "            a b c d e f g"
    )
    assert 127 == len(picture.spots)
    assert ["a1", "g1", "g13", "m13"] == sorted({"a1", "g1", "g13", "m13"} & set(picture.names))


@pytest.mark.parametrize("size", range(3, 12))
def test_sides_have_3_to_11_cells(size):
    position = start(size=size)
    assert 3 * size * (size - 1) + 1 == len(position.cells) == len(position.playable())


def test_the_largest_board_fits_a_letter():
    assert 50 > max(map(len, text(start(size=11).picture()).splitlines()))


def test_a_row_has_one_number_and_a_diagonal_up_to_the_left_one_letter():
    spots = start(size=3).picture().names
    assert {0} == {spots[f"{letter}2"].y - spots["a2"].y for letter in "abcd"}
    assert [(-1, -1)] * 3 == [
        (spots[f"b{row + 1}"].x - spots[f"b{row}"].x, spots[f"b{row + 1}"].y - spots[f"b{row}"].y)
        for row in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"size": "2"}, "size=2 cannot be: size is 3 to 11."),
        ({"size": "12"}, "size=12 cannot be: size is 3 to 11."),
        ({"scoring": "area"}, "scoring=area cannot be: scoring is tournament or basic or half."),
        ({"pie": "maybe"}, "pie=maybe cannot be: pie is yes or no."),
        (
            {"komi": "1"},
            "Bounders has no option komi; its options are"
            " size (3 to 11), scoring (tournament or basic or half), pie (yes or no).",
        ),
    ],
)
def test_an_impossible_option_names_its_range(option, sentence):
    with pytest.raises(BadOption) as error:
        BOUNDERS.start(option)
    assert sentence == str(error.value)


@pytest.mark.parametrize(
    ("options", "pie"),
    [
        ({}, "yes"),
        ({"scoring": "tournament"}, "yes"),
        ({"scoring": "basic"}, "no"),
        ({"scoring": "half"}, "no"),
        ({"pie": "no"}, "no"),
        ({"scoring": "basic", "pie": "YES"}, "yes"),
        ({"pie": "yes", "scoring": "half"}, "yes"),
    ],
)
def test_the_pie_is_usual_with_tournament_scoring_alone(options, pie):
    assert pie == start(**options).options["pie"]


def test_tournament_scoring_is_the_usual_one():
    assert {"size": 7, "scoring": "tournament", "pie": "yes"} == start().options


# ---------------------------------------------------------------------------------------- the stones


def test_light_begins_and_the_seats_alternate():
    position = start(size=3)
    assert (0, "Light", "Dark") == (position.to_play, position.side(0), position.side(1))
    position = replay(position, ["a1", "c1", "c3"])
    assert 1 == position.to_play
    assert [("Light stones (O)", ["c3", "a1"]), ("Dark stones (X)", ["c1"])] == position.stones()[:2]


def test_a_cell_that_touches_no_stone_may_be_played():
    position = bounders("""
          . . .
         . . . .
        . . O . .
         . . . .
          . . .
    """)
    assert set(position.playable()) == {
        "c5",
        "d5",
        "e5",
        "b4",
        "e4",
        "a3",
        "e3",
        "a2",
        "d2",
        "a1",
        "b1",
        "c1",
    }


def test_a_cell_that_touches_one_of_each_may_be_played():
    position = bounders("""
          . . .
         . . . .
        . O . X .
         . . . .
          . . .
    """)
    assert "c3" in position.playable()
    assert position.problem(position.read("c3")) is None


def test_a_cell_that_touches_three_of_each_may_be_played():
    position = bounders("""
          . . .
         . O X .
        . X . O .
         . O X .
          . . .
    """)
    assert position.problem(position.read("c3")) is None


def test_a_cell_that_touches_more_of_one_colour_may_not_be_played():
    position = bounders("""
          . . .
         . O X .
        . O . . .
         . . . .
          . . .
    """)
    assert "c3" not in position.playable()
    assert position.problem(position.read("c3")) == (
        "c3 touches 2 light and 1 dark stones; it needs as many of each;"
        " the nearest cell that may be played is c2."
    )
    with pytest.raises(Illegal):
        position.play(position.read("c3"))


def test_what_may_be_played_is_the_same_for_both_colours():
    position = bounders("""
          . X .
         . O . .
        . O . . .
         . . . .
          . . .
    """)
    other = replace(position, ply=position.ply + 1)
    assert position.to_play != other.to_play
    assert position.playable() == other.playable()


def test_a_taken_cell_may_not_be_played():
    position = replay(start(size=3), ["a1", "c1"])
    assert "c1 is taken (a dark stone, move 2)." == position.problem(position.read("c1"))
    assert "a1 is taken (a light stone, move 1)." == position.problem(position.read("a1"))


# ------------------------------------------------------------------------------------------- the pie


def test_a_swap_exchanges_sides_leaves_the_stone_and_first_plays_next():
    before = replay(start(size=3), ["c3"])
    after = before.play(before.read("swap"))
    assert ("Dark", "Light") == (after.side(0), after.side(1))
    assert (before.cells, 2, 0) == (after.cells, after.ply, after.to_play)
    assert after.notes() == [
        "Move 2 was swap: first is Dark and second is Light from now on.",
        "Dark lays a stone on a cell that touches as many light as dark stones.",
    ]
    third = replay(after, ["a1"])
    assert "X" == third.picture().names["a1"].glyph
    assert "O" == replay(third, ["e5"]).picture().names["e5"].glyph


def test_swap_is_offered_on_ply_2_alone():
    position = start(size=3)
    offered = []
    for move in ("c3", "a1", "c1", "e5"):
        offered.append("swap" in map(str, position.moves()))
        position = replay(position, [move])
    assert [False, True, False, False] == offered
    for early_or_late in (start(size=3), position):
        sentence = early_or_late.problem(early_or_late.read("swap"))
        assert sentence.startswith("swap: sides are exchanged on move 2 or not at all; now Light lays")


def test_the_swap_is_told_of_when_it_may_be():
    position = replay(start(size=3), ["c3"])
    assert "swap" == position.examples()[-1]
    assert position.notes()[1] == "Or swap: then the second player is Light, and the first is Dark."


def test_without_the_pie_rule_there_is_no_swap():
    position = replay(start(size=3, pie="no"), ["c3"])
    assert "swap" not in map(str, position.moves())
    assert "swap: this game is played without the pie rule." == position.problem(position.read("swap"))
    assert 1 == len(position.notes())


# ------------------------------------------------------------------------------------- what is told


def test_cells_that_may_not_be_played_now_are_drawn_as_dashes():
    position = replay(start(size=3), ["b3", "d3"])
    assert text(position.picture()) == (
        "  5   . . .\n"
        " 4   - - - -\n"
        "3   - O . X -\n"
        " 2   - - - - \\\n"
        "  1   . . . \\ e\n"
        "       \\ \\ \\ d\n"
        "        a b c"
    )


def test_the_stones_are_listed_for_those_who_do_not_see_the_board():
    position = replay(start(size=3), ["b3", "d3"])
    assert position.stones() == [
        ("Light stones (O)", ["b3"]),
        ("Dark stones (X)", ["d3"]),
        ("Not balanced (-)", ["b4", "c4", "d4", "e4", "a3", "e3", "a2", "b2", "c2", "d2"]),
    ]


def test_the_last_ply_is_marked_and_a_swap_marks_nothing():
    position = replay(start(size=3), ["b3", "d3"])
    assert ["d3"] == [spot.name for spot in position.picture().spots if "last" in spot.marks]
    swapped = replay(start(size=3), ["b3", "swap"])
    assert [] == [spot.name for spot in swapped.picture().spots if "last" in spot.marks]


def test_examples_lie_by_the_last_stone_and_in_the_middle():
    assert ["g7"] == start().examples()
    assert ["b4", "g7", "swap"] == replay(start(), ["b2"]).examples()
    assert ["g9"] == replay(start(), ["g7", "swap"]).examples()


def test_every_kind_of_cell_has_its_look_and_its_words():
    names = replay(start(size=3), ["b3", "d3"]).picture().names
    assert ("light", "a light stone, move 1") == (names["b3"].look, names["b3"].words)
    assert ("dark", "a dark stone, move 2") == (names["d3"].look, names["d3"].words)
    assert ("empty", "empty") == (names["c3"].look, names["c3"].words)
    assert ("shut", "empty, not balanced") == (names["c4"].look, names["c4"].words)
    ended = bounders(ENDED).picture().names
    assert ("light-land", "Light's territory of 3") == (ended["b2"].look, ended["b2"].words)
    assert ("dark-land", "Dark's territory of 1") == (ended["e3"].look, ended["e3"].words)
    assert ("shut", "Nobody's territory of 2") == (ended["d5"].look, ended["d5"].words)


def test_the_territories_that_won_are_marked():
    picture = bounders(ENDED).picture()
    assert {"b2", "b1", "c1"} == {spot.name for spot in picture.spots if "win" in spot.marks}


def test_in_a_drawing_territories_tell_apart_by_tint_and_by_pattern():
    root = ElementTree.fromstring(svg(bounders(ENDED).picture()))
    groups = {each.get("class"): each for each in root.iter() if each.tag.endswith("}g")}
    light, dark = groups["cells light-land"], groups["cells dark-land"]
    assert light.get("fill") != dark.get("fill")
    patterns = {name: next(iter(groups[name])).get("d") for name in ("light-land", "dark-land")}
    assert 2 == len(set(patterns.values()))


def test_the_legend_names_every_sign_on_the_board():
    for position in (replay(start(size=3), ["b3", "d3"]), bounders(ENDED)):
        picture = position.picture()
        assert {spot.glyph for spot in picture.spots} <= {glyph for glyph, _ in picture.legend}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_laws_hold_in_hundreds_of_games(law):
    for seed in range(amount(20, 200)):
        scoring = ("tournament", "basic", "half")[seed % 3]
        obey(law, RandomGame(BOUNDERS, {"size": "3", "scoring": scoring, "pie": "yes"}, seed))
    for seed in range(amount(2, 20)):
        obey(law, RandomGame(BOUNDERS, {"size": "5"}, seed))


def test_a_whole_game_is_told_as_its_transcript_says():
    game = (GOLDEN / "bounders.game").read_text()
    assert game == write(read(game))
    assert (GOLDEN / "bounders.txt").read_text() == summary_text(replayed(read(game))) + "\n"
