"""Bagel's rules, sentence by sentence, each with its position drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import RULES, record, summary
from rules.contract import BadOption, Illegal, Outcome, RulesError, replay
from rules.games.bagel.position import BagelPosition
from rules.games.bagel.tiles import score_table, verdict
from rules.picture import score_lines, text
from rules.stone_reading import SWAP
from rules.svg import svg
from tests.rules.drawn_bagel import drawn, tiles

BAGEL = RULES["bagel"]
GOLDEN = Path(__file__).parent / "golden"

OPENING = """
       7   g b c g
      6   r c g b b
     5   b r r c r c
    4   g r b   r b c
     3   r r b b g g
      2   r b g c c
       1   c c g g
"""
"""A layout on which the opening that the designer describes can be played."""


def start(board: str = OPENING) -> BagelPosition:
    return BAGEL.start({"layout": tiles(board)})


def sides(position: BagelPosition) -> tuple[str | None, str | None]:
    return position.side(0), position.side(1)


def points(position: BagelPosition) -> tuple[int, int]:
    table = position.scores()
    return table["White"]["points"], table["Black"]["points"]


# ---------------------------------------------------------------------------------------- the board


def test_the_board_is_a_hexagon_of_side_4_without_its_centre():
    picture = start().picture()
    assert 36 == len(picture.spots)
    assert "d4" not in picture.names
    rows = {row: " ".join(sorted(name for name in picture.names if name[1] == row)) for row in "1234567"}
    assert {
        "1": "a1 b1 c1 d1",
        "2": "a2 b2 c2 d2 e2",
        "3": "a3 b3 c3 d3 e3 f3",
        "4": "a4 b4 c4 e4 f4 g4",
        "5": "b5 c5 d5 e5 f5 g5",
        "6": "c6 d6 e6 f6 g6",
        "7": "d7 e7 f7 g7",
    } == rows


def test_the_diagonals_are_named_by_their_letters():
    picture = start().picture()
    diagonals = {letter: [n[1] for n in sorted(picture.names) if n[0] == letter] for letter in "abcdefg"}
    assert {
        "a": list("1234"),
        "b": list("12345"),
        "c": list("123456"),
        "d": list("123567"),
        "e": list("234567"),
        "f": list("34567"),
        "g": list("4567"),
    } == diagonals


@pytest.mark.parametrize(
    ("cell", "near"),
    [
        ("b2", "a1 a2 b1 b3 c2 c3"),
        ("c4", "b3 b4 c3 c5 d5"),
        ("a1", "a2 b1 b2"),
        ("g7", "f6 f7 g6"),
    ],
)
def test_neighbours_are_one_letter_one_row_or_one_of_both_away(cell, near):
    place = BAGEL.start().picture()
    x, y = place.names[cell].x, place.names[cell].y
    beside = {(x - 2, y), (x + 2, y), (x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)}
    assert near == " ".join(sorted(spot.name for spot in place.spots if (spot.x, spot.y) in beside))


def test_suits_are_letters_discs_O_and_X_and_the_hole_is_blank():
    position = replay(start(), ["c4", "c3 d3"])
    assert text(position.picture()) == (
        "   7   g b c g\n"
        "  6   r c g b b\n"
        " 5   b r r c r c\n"
        "4   g r O   r b c\n"
        " 3   r r X X g g \\\n"
        "  2   r b g c c \\ g\n"
        "   1   c c g g \\ f\n"
        "        \\ \\ \\ \\ e\n"
        "         a b c d"
    )


def test_every_letter_stands_at_the_foot_of_its_diagonal():
    lines = text(start().picture()).splitlines()
    places = {
        letter: (lines[y].rindex(letter), y)
        for letter, y in zip("abcdefg", (8, 8, 8, 8, 7, 6, 5), strict=True)
    }
    picture = start().picture()
    for letter, (column, y) in places.items():
        foot = min((spot for spot in picture.spots if spot.name[0] == letter), key=lambda spot: spot.name)
        assert (foot.x + 4 + 2, foot.y + 2) == (column, y)
        assert "\\" == lines[y - 1][column - 1]


# --------------------------------------------------------------------------------------- the layout


def test_a_seed_deals_nine_tiles_of_each_suit():
    for seed in range(50):
        layout = BAGEL.start(seed=seed).options["layout"]
        assert {"b": 9, "g": 9, "c": 9, "r": 9} == {suit: layout.count(suit) for suit in "bgcr"}


def test_a_seed_deals_the_same_layout_for_good():
    assert "gbrrgcrbbcrccrcrrcbgrbgbggggcbbgcbrc" == BAGEL.start(seed=2021).options["layout"]


def test_seeds_deal_different_layouts():
    assert 100 == len({BAGEL.start(seed=seed).options["layout"] for seed in range(100)})


def test_every_suit_comes_to_every_tile():
    layouts = [BAGEL.start(seed=seed).options["layout"] for seed in range(400)]
    for tile in range(36):
        counts = [sum(layout[tile] == suit for layout in layouts) for suit in "bgcr"]
        assert all(60 < count < 145 for count in counts)


def test_a_given_layout_is_read_row_by_row_from_the_top_as_the_board_is():
    position = BAGEL.start({"layout": "gbcgrcgbbbrrcrcgrbrbcrrbbggrbgccccgg"})
    assert start() == position
    assert ["g", "b", "c", "g"] == [position.picture().names[n].glyph for n in ("d7", "e7", "f7", "g7")]


@pytest.mark.parametrize(
    "written",
    ["GBCGRCGBBBRRCRCGRBRBCRRBBGGRBGCCCCGG", "gbcg/rcgbb/brrcrc/grbrbc/rrbbgg/rbgcc/ccgg"],
)
def test_a_layout_may_be_in_capitals_and_its_rows_apart(written):
    assert start() == BAGEL.start({"layout": written})


def test_the_options_of_a_position_hold_the_layout_itself_so_they_deal_it_again_under_any_seed():
    dealt = BAGEL.start(seed=2021)
    assert dealt == BAGEL.start(dealt.options, seed=7)
    assert dealt == BAGEL.start({"layout": "random"}, seed=2021)


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        (
            "any",
            "layout=any cannot be: layout is random or 36 letters, nine each of b, g, c and r.",
        ),
        (
            "",
            "layout= cannot be: layout is random or 36 letters, nine each of b, g, c and r.",
        ),
        (
            "bgcr",
            "layout=bgcr cannot be: a layout has nine of each suit, 36 letters in all,"
            " and this one has 1 b, 1 g, 1 c, 1 r.",
        ),
        (
            "b" * 10 + "g" * 9 + "c" * 9 + "r" * 8,
            "layout=bbbbbbbbbbgggggggggcccccccccrrrrrrrr cannot be: a layout has nine of each suit,"
            " 36 letters in all, and this one has 10 b, 9 g, 9 c, 8 r.",
        ),
    ],
)
def test_an_impossible_layout_says_what_is_wrong(layout, sentence):
    with pytest.raises(BadOption) as error:
        BAGEL.start({"layout": layout})
    assert sentence == str(error.value)


def test_without_the_pie_rule_move_2_is_no_swap():
    position = BAGEL.start({"pie": "no"})
    position = position.play(position.read("c3"))
    assert not position.may_swap
    assert SWAP not in position.moves()
    assert "swap: this game is played without the pie rule." == position.problem(SWAP)
    assert "pie" not in BAGEL.start().options


def test_there_is_no_other_option():
    with pytest.raises(BadOption) as error:
        BAGEL.start({"islands": "5"})
    assert str(error.value) == (
        "Bagel has no option islands; its options are size (4 or 5),"
        " layout (random or 36 letters, nine each of b, g, c and r), pie (yes or no)."
    )


# -------------------------------------------------------------------------------- the larger board

LARGER = "bggbccgrcbbbcgrbrcccbgbcgbrrrgbbcgbrgrcgggcbbrrgggcrrcrcrcrb"


def larger(layout: str = LARGER) -> BagelPosition:
    return BAGEL.start({"size": "5", "layout": layout})


def test_the_larger_board_is_a_hexagon_of_side_5_without_its_centre():
    assert text(larger().picture()) == (
        "    9   b g g b c\n"
        "   8   c g r c b b\n"
        "  7   b c g r b r c\n"
        " 6   c c b g b c g b\n"
        "5   r r r g   b b c g\n"
        " 4   b r g r c g g g \\\n"
        "  3   c b b r r g g \\ i\n"
        "   2   g c r r c r \\ h\n"
        "    1   c r c r b \\ g\n"
        "         \\ \\ \\ \\ \\ f\n"
        "          a b c d e"
    )
    with pytest.raises(RulesError, match=r"^e5: there is no tile, it is the hole"):
        larger().read("e5")


def test_a_seed_deals_fifteen_tiles_of_each_suit_for_the_larger_board():
    for seed in range(20):
        layout = BAGEL.start({"size": "5"}, seed=seed).options["layout"]
        assert [15] * 4 == [layout.count(suit) for suit in "bgcr"]
    assert BAGEL.start({"size": "5"}, seed=3) == larger()


def test_a_side_has_two_discs_more_than_half_of_the_tiles():
    assert 32 == larger().scores()["White"]["discs left"]
    assert 20 == start().scores()["White"]["discs left"]


def test_the_larger_board_is_unrated_and_the_usual_size_is_left_out_of_the_options():
    assert BAGEL.may_be_rated(BAGEL.complete({}))
    assert BAGEL.complete({}) == BAGEL.complete({"size": "4"}) == {"layout": "random"}
    assert not BAGEL.may_be_rated(BAGEL.complete({"size": "5"}))
    assert "size 4" == BAGEL.rated_sizes


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": "6"}, "size=6 cannot be: size is 4 or 5."),
        ({"size": "3"}, "size=3 cannot be: size is 4 or 5."),
        (
            {"size": "5", "layout": "any"},
            "layout=any cannot be: on this board layout is random or 60 letters, fifteen each of b, g, c and"
            " r.",
        ),
        (
            {"size": "5", "layout": "bgcr" * 9},
            f"layout={'bgcr' * 9} cannot be: a layout has fifteen of each suit, 60 letters in all,"
            " and this one has 9 b, 9 g, 9 c, 9 r.",
        ),
    ],
)
def test_an_impossible_larger_board_says_what_is_wrong(options, sentence):
    with pytest.raises(BadOption) as error:
        BAGEL.start(options)
    assert sentence == str(error.value)


def test_examples_lie_near_the_hole_of_the_larger_board_too():
    assert ["e6", "f5 f6", "swap"] == replay(larger(), ["d5"]).examples()


def test_two_tiles_across_the_hole_of_the_larger_board_go_together():
    position = replay(larger(), ["a1"])
    assert position.suit("e1") == position.suit("e9") == "bagel"
    assert position.problem(position.read("e1 e9")) is None


def test_a_row_of_eight_decides_a_tie_on_the_larger_board():
    position = larger()
    cells = ["."] * 60
    for name in ("a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"):
        cells[position.board.index[name]] = "O"
    table = score_table("".join(cells))
    assert (6, 1) == (table["White"]["points"], table["White"]["rows of 8"])
    for name in ("b6", "c6", "d6", "e6", "f6", "g6", "h6", "e9", "f9", "g9"):
        cells[position.board.index[name]] = "X"
    assert ("White", "White wins: 6 points each, and 1 row of 8 to 0") == verdict("".join(cells))
    empty = verdict("." * 60)[1]
    assert empty == (
        "Black wins: 0 points each and as many rows of 8, 7, 6, 5 and 4, and such a tie is Black's"
    )


# -------------------------------------------------------------------------------------- first plies


def test_the_first_seat_is_white_and_places_one_disc():
    position = start()
    assert ("White", "Black") == sides(position)
    assert 0 == position.to_play
    assert position.problem(position.read("c4")) is None
    assert position.problem(position.read("c3 d3")) == (
        "c3 d3: the first move of the game is one disc; write c3 or d3."
    )
    assert {1} == {len(str(move).split()) for move in position.moves()}


def test_the_second_seat_places_one_disc_or_two_or_swaps():
    position = replay(start(), ["c4"])
    assert 1 == position.to_play
    for ply in ("c3", "c3 d3", "swap"):
        assert position.problem(position.read(ply)) is None
    assert "swap" in [str(move) for move in position.moves()]


def test_the_designers_opening_gives_each_side_one_row_of_three():
    position = replay(start(), ["c4", "c3 d3", "a2 b3", "e3 e6"])
    assert (1, 1) == points(position)
    assert (1, 1) == tuple(position.scores()[side]["rows of 3"] for side in ("White", "Black"))
    assert [("White (O)", ["a2", "b3", "c4"]), ("Black (X)", ["c3", "d3", "e3", "e6"])] == (
        position.stones()[:2]
    )


def test_the_designers_next_ply_makes_a_row_of_four_worth_two():
    position = replay(start(), ["c4", "c3 d3", "a2 b3", "e3 e6", "d5 f5"])
    assert (2, 1) == points(position)
    assert 1 == position.scores()["White"]["rows of 4"]
    assert 0 == position.scores()["White"]["rows of 3"]


# --------------------------------------------------------------------------------------------- swap


def test_after_a_swap_the_disc_stays_white_and_the_first_seat_plays_on_as_black():
    position = replay(start(), ["c4", "swap"])
    assert ("Black", "White") == sides(position)
    assert 0 == position.to_play
    assert [("White (O)", ["c4"])] == position.stones()[:1]
    after = replay(position, ["c3 d3"])
    assert [("White (O)", ["c4"]), ("Black (X)", ["c3", "d3"])] == after.stones()[:2]
    assert (1, "White") == (after.to_play, after.side(1))


@pytest.mark.parametrize("before", [[], ["c4", "c3"], ["c4", "swap"], ["c4", "swap", "c3"]])
def test_swap_is_for_ply_2_alone(before):
    position = replay(start(), before)
    sentence = position.problem(position.read("swap"))
    assert sentence.startswith("swap: sides are exchanged on move 2 or not at all; now ")
    assert "swap" not in [*map(str, position.moves()), *position.examples()]


def test_after_a_swap_both_sides_have_the_reserve_they_had():
    position = replay(start(), ["c4", "swap", "c3 d3"])
    assert (19, 18) == tuple(position.scores()[side]["discs left"] for side in ("White", "Black"))


def test_a_swap_is_told_beside_the_board():
    assert [
        "Move 2 was swap: first is Black and second is White from now on.",
        "Black (X) places one disc, or two on empty tiles of one suit in line.",
    ] == replay(start(), ["c4", "swap"]).notes()


# ------------------------------------------------------------------------------------------ two discs

APART = """
       7   . . . .
      6   r g . . .
     5   . c . b . .
    4   . . b   b . .
     3   . b c g . b
      2   . . c . .
       1   g r g .
"""


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ("b3 f3", "one row"),
        ("c2 c5", "one letter, the diagonal up to the left"),
        ("b1 b1", None),
        ("a1 d3", None),
        ("c4 e5", None),
        ("c1 d6", None),
    ],
)
def test_two_discs_go_on_like_tiles_of_one_row_or_diagonal(pair, why):
    position = drawn(APART)
    assert (why is not None) == (position.problem(position.read(pair)) is None)


def test_two_discs_go_on_like_tiles_of_one_diagonal_up_to_the_right():
    position = drawn("""
           7   . . . .
          6   . . . . r
         5   . . . . . .
        4   . . . . . .
         3   . . . . . .
          2   . . . . .
           1   . r . .
    """)
    assert position.problem(position.read("b1 g6")) is None


def test_what_stands_between_does_not_matter():
    position = drawn("""
           7   . . . .
          6   r . . . .
         5   . X . . . .
        4   . . O   . . .
         3   . . X . . .
          2   . . O . .
           1   . . r .
    """)
    assert position.problem(position.read("c1 c6")) is None


def test_the_hole_between_does_not_matter_in_any_direction():
    position = drawn("""
           7   . . . .
          6   . . . . .
         5   . . g c . .
        4   . . r   r . .
         3   . . c g . .
          2   . . . . .
           1   . . . .
    """)
    for pair in ("d3 d5", "c4 e4", "c3 e5"):
        assert position.problem(position.read(pair)) is None


def test_discs_on_two_sides_of_the_hole_are_not_adjacent_in_a_row():
    position = drawn("""
           7   . . . .
          6   . O . O .
         5   . . O O . .
        4   . O O   O O .
         3   . . O O . .
          2   . O . O .
           1   . . . .
    """)
    assert (0, 0) == points(position)


def test_tiles_of_two_suits_are_refused_with_what_goes_with_each():
    position = drawn("""
           7   X O X X
          6   r X X O X
         5   O O X X O X
        4   O X O   X O O
         3   X O r g X O
          2   r X r O X
           1   O O X g
    """)
    assert position.problem(position.read("c3 d3")) == (
        "c3 d3: c3 is a croissant and d3 a baguette, and two discs go on one suit;"
        " c3 goes with c2 or c6, d3 with d1."
    )


def test_like_tiles_that_are_not_in_line_are_refused_with_what_goes_with_each():
    position = drawn("""
           7   X O X X
          6   r X X O X
         5   O O X X O X
        4   O X O   X O O
         3   X O r g X O
          2   r X r O X
           1   O O X g
    """)
    assert position.problem(position.read("a2 c6")) == (
        "a2 c6: both are croissants, but in no row or diagonal together; a2 goes with c2, c6 with c2 or c3."
    )


def test_a_tile_that_has_no_like_tile_in_line_goes_alone():
    position = drawn("""
           7   X O X X
          6   X X X O X
         5   O O X X O X
        4   O X O   X O O
         3   X O b O X O
          2   X X O c X
           1   O O X O
    """)
    assert position.problem(position.read("c3 d2")) == (
        "c3 d2: c3 is a bagel and d2 a cup, and two discs go on one suit; c3 goes alone, d2 alone."
    )


def test_one_disc_goes_on_any_empty_tile_whatever_its_suit():
    position = replay(start(), ["c4", "c3 d3"])
    assert 33 == len(position.playable())
    for name in position.playable():
        assert position.problem(position.read(name)) is None


@pytest.mark.parametrize("ply", ["c4", "c3 c4", "c4 b4"])
def test_a_taken_tile_is_refused(ply):
    position = replay(start(), ["c4", "d3"])
    assert "c4 is taken (White's disc, move 1)." == position.problem(position.read(ply))


def test_every_pair_that_is_offered_is_legal_and_every_other_is_refused():
    position = replay(start(), ["c4", "c3 d3", "a2 b3"])
    names = sorted(position.playable())
    offered = {str(move) for move in position.moves()}
    for one in names:
        for other in names:
            if one < other:
                pair = f"{one} {other}"
                assert (pair in offered) == (position.problem(position.read(pair)) is None)


# ---------------------------------------------------------------------------------------- reserves

NEARLY = """
       7   O O O O
      6   O O O O O
     5   O O O O O O
    4   O O O   b b .
     3   O b X X . .
      2   X X . . .
       1   X X . .
"""
"""White has placed 19 discs, Black 6."""


def test_a_side_begins_with_twenty_discs():
    assert (20, 20) == tuple(start().scores()[side]["discs left"] for side in ("White", "Black"))


def test_with_one_disc_left_a_side_places_one():
    position = drawn(NEARLY)
    assert 1 == position.scores()["White"]["discs left"]
    assert "e4 f4: White has one disc left; write e4 or f4." == position.problem(position.read("e4 f4"))
    assert position.problem(position.read("e4")) is None
    assert {1} == {len(str(move).split()) for move in position.moves()}
    assert ["White (O) has one disc left and places it on any empty tile."] == position.notes()


def test_the_other_side_with_more_discs_may_still_place_two():
    position = drawn(NEARLY, ply=3)
    assert position.problem(position.read("e4 f4")) is None


def test_the_reserve_belongs_to_the_side_and_so_changes_its_seat_with_a_swap():
    position = drawn(NEARLY, swapped=True)
    assert ("Black", 0) == (position.side(0), position.to_play)
    assert position.problem(position.read("e4 f4")) is None
    assert "e4 f4: White has one disc left; write e4 or f4." == (
        drawn(NEARLY, swapped=True, ply=3).problem(position.read("e4 f4"))
    )


def test_the_game_ends_when_the_side_to_play_has_no_disc_left_though_tiles_are_empty():
    position = replay(drawn(NEARLY), ["e4"])
    assert position.outcome is None
    after = replay(position, ["g4"])
    assert after.outcome is not None
    assert after.to_play is None
    assert ["White has no disc left to place."] == after.notes()
    assert [] == after.playable() == after.examples() == list(after.moves())


def test_the_game_goes_on_while_the_side_to_play_has_discs_though_the_other_has_none():
    position = replay(drawn(NEARLY), ["e4"])
    assert 0 == position.scores()["White"]["discs left"]
    assert 1 == position.to_play


# ------------------------------------------------------------------------------------------ the end


def test_the_game_ends_when_no_tile_is_empty():
    position = drawn(
        """
           7   O X X X
          6   O X X X X
         5   O X O X O X
        4   O O O   O X X
         3   O O X X X X
          2   O O O X X
           1   O O O .
    """,
        ply=3,
    )
    after = replay(position, ["d1"])
    assert after.outcome == Outcome(1, "Black", "Black wins: 15 points to 12")
    assert ["No tile is empty any more."] == after.notes()


def test_after_the_end_nothing_can_be_played():
    position = record.replay(record.read((GOLDEN / "bagel.game").read_text())).position
    with pytest.raises(Illegal) as error:
        position.play(position.read("c4"))
    assert "The game is over (Black wins: 15 points to 12), so nothing more can be played." == str(
        error.value
    )


# -------------------------------------------------------------------------------------------- score


@pytest.mark.parametrize(("length", "worth"), [(1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_a_row_of_n_is_worth_n_minus_2(length, worth):
    row = " ".join(["O"] * length + ["."] * (6 - length))
    position = drawn(f"""
        . . . .
        . . . . .
        . . . . . .
        . . . . . .
        {row}
        . . . . .
        . . . .
    """)
    assert (worth, 0) == points(position)
    table = position.scores()["White"]
    assert {n: int(n == length) for n in (3, 4, 5, 6)} == {n: table[f"rows of {n}"] for n in (3, 4, 5, 6)}


def test_two_rows_that_cross_share_the_disc_and_count_apart():
    position = drawn("""
           7   . . . .
          6   . . . . .
         5   . . . . . .
        4   . . X   . . .
         3   . X X X . .
          2   . . X . .
           1   . . . .
    """)
    assert (0, 2) == points(position)


def test_rows_are_counted_in_all_three_directions():
    position = drawn("""
           7   . . . .
          6   . . . . .
         5   . . . . . .
        4   O O O   . . .
         3   . O O . . .
          2   O . O . .
           1   . . . .
    """)
    assert (3, 0) == points(position)


def test_empty_tiles_and_other_discs_break_a_row():
    position = drawn("""
           7   . . . .
          6   . . . . .
         5   O O . O O .
        4   . . .   . . .
         3   O O X O O .
          2   . . . . .
           1   . . . .
    """)
    assert (0, 0) == points(position)


def test_the_hole_breaks_a_row():
    position = drawn("""
           7   . . . .
          6   . . . . .
         5   . . . . . .
        4   . O O   O O .
         3   . . . . . .
          2   . . . . .
           1   . . . .
    """)
    assert (0, 0) == points(position)


def test_two_rows_in_one_line_count_apart():
    position = drawn("""
           7   . . . .
          6   . . . . .
         5   . . . . . .
        4   O O O   O O O
         3   . . . . . .
          2   . . . . .
           1   . . . .
    """)
    assert 2 == position.scores()["White"]["rows of 3"]


def test_the_score_so_far_stands_in_a_table_with_rows_of_each_length_and_discs_left():
    position = replay(start(), ["c4", "c3 d3", "a2 b3", "e3 e6", "d5 f5"])
    assert score_lines(position.scores()) == [
        "             White   Black",
        "points           2       1",
        "rows of 6        0       0",
        "rows of 5        0       0",
        "rows of 4        1       0",
        "rows of 3        0       1",
        "discs left      15      16",
    ]


# ---------------------------------------------------------------------------------------- tie-breaks

TIES = [
    (
        """
           7   O O O X
          6   O X O O X
         5   O O X O X O
        4   O O X   O X X
         3   X X X O O X
          2   X O X X O
           1   O X X X
        """,
        "White",
        "White wins: 7 points each, and 1 row of 6 to 0",
    ),
    (
        """
           7   O X X X
          6   X O X X X
         5   X O O O X O
        4   O X O   X O X
         3   X O X X O O
          2   O X X O O
           1   X X O O
        """,
        "Black",
        "Black wins: 8 points each, and 1 row of 6 to 0",
    ),
    (
        """
           7   O X X X
          6   X O X O O
         5   X X O X X O
        4   X O X   X O O
         3   X X X X O O
          2   O O O O O
           1   X O X O
        """,
        "White",
        "White wins: 9 points each, and 1 row of 5 to 0",
    ),
    (
        """
           7   O O X O
          6   X O X O X
         5   O X X O X O
        4   X O X   X O X
         3   X X O O O O
          2   O O O O X
           1   X X X X
        """,
        "Black",
        "Black wins: 7 points each, and 1 row of 5 to 0",
    ),
    (
        """
           7   X X X O
          6   O O O O X
         5   X O O X X X
        4   X O X   O X O
         3   O X X X O O
          2   O X O O X
           1   O X X X
        """,
        "White",
        "White wins: 5 points each, and 2 rows of 4 to 0",
    ),
    (
        """
           7   X O X X
          6   O X X X X
         5   O O X X O O
        4   O X O   O O O
         3   X O X X O O
          2   O X O X X
           1   X O X O
        """,
        "Black",
        "Black wins: 6 points each, and 1 row of 4 to 0",
    ),
    (
        """
           7   O X O X
          6   O O X X O
         5   O O O X X X
        4   X O O   O X X
         3   X X O X X X
          2   O O X O O
           1   O O X X
        """,
        "Black",
        "Black wins: 7 points each and as many rows of 6, 5 and 4, and such a tie is Black's",
    ),
]
"""The last is like the designer's figure 6: seven points each, and one row of four on either side."""


@pytest.mark.parametrize(("board", "side", "reason"), TIES, ids=[row[2] for row in TIES])
@pytest.mark.parametrize("swapped", [False, True])
def test_equal_points_are_decided_by_rows_of_6_of_5_of_4_and_last_for_black(board, side, reason, swapped):
    position = drawn(board, ply=24, swapped=swapped)
    seat = 0 if position.side(0) == side else 1
    assert Outcome(seat, side, reason) == position.outcome


def test_a_longer_row_decides_though_the_other_side_has_more_shorter_ones():
    position = drawn(TIES[3][0], ply=24)
    table = position.scores()
    assert (0, 1) == tuple(table[side]["rows of 5"] for side in ("White", "Black"))
    assert (3, 1) == tuple(table[side]["rows of 4"] for side in ("White", "Black"))
    assert "Black" == position.outcome.side


# ------------------------------------------------------------------------------------ whole games


def test_a_whole_game_from_the_designers_opening_replays_to_its_board_and_score():
    told = summary.summary_text(record.replay(record.read((GOLDEN / "bagel.game").read_text())))
    assert (GOLDEN / "bagel.txt").read_text() == told + "\n"


def test_the_record_of_a_game_with_a_given_layout_is_written_as_it_was_read():
    written = (GOLDEN / "bagel.game").read_text()
    assert written == record.write(record.read(written))


def test_a_game_whose_layout_came_from_the_seed_replays_from_its_seed_alone():
    written = (GOLDEN / "bagel-dealt.game").read_text()
    assert "Options" not in written
    assert json.loads((GOLDEN / "bagel-dealt.json").read_text()) == summary.summary(
        record.replay(record.read(written))
    )


def test_the_same_game_replays_from_the_layout_without_its_seed():
    played = record.replay(record.read((GOLDEN / "bagel-dealt.game").read_text()))
    layout = played.position.options["layout"]
    stated = (
        (GOLDEN / "bagel-dealt.game").read_text().replace('[Seed "2021"]', f'[Options "layout={layout}"]')
    )
    again = record.replay(record.read(stated))
    assert (played.position, played.outcome) == (again.position, again.outcome)


def test_the_data_survive_json():
    data = replay(BAGEL.start(seed=5), ["c4", "swap", "d5"]).data()
    assert data == json.loads(json.dumps(data))


# ------------------------------------------------------------------------------------- what is told


def test_discs_and_empty_tiles_are_listed_for_those_who_do_not_see_the_board():
    position = replay(start(), ["c4", "c3 d3"])
    assert position.stones() == [
        ("White (O)", ["c4"]),
        ("Black (X)", ["c3", "d3"]),
        ("Bagels (b)", ["b2", "b5", "e7", "f4", "f6", "g6"]),
        ("Baguettes (g)", ["a4", "c1", "c2", "d1", "d7", "e3", "e6", "f3", "g7"]),
        ("Cups (c)", ["a1", "b1", "d2", "d6", "e2", "e5", "f7", "g4", "g5"]),
        ("Croissants (r)", ["a2", "a3", "b3", "b4", "c5", "c6", "d5", "e4", "f5"]),
    ]


@pytest.mark.parametrize(
    ("before", "note"),
    [
        ([], "White (O) places one disc, on any tile."),
        (
            ["c4"],
            "Black (X) places one disc, or two on empty tiles of one suit in line.",
        ),
        (["c4", "c3"], "White (O) places one disc, or two on empty tiles of one suit in line."),
    ],
)
def test_what_is_owed_now_stands_beside_the_board(before, note):
    assert note == replay(start(), before).notes()[0]


def test_swap_is_offered_beside_the_board_on_ply_2_alone():
    offer = "Or swap: then the second player is White, and the first is Black."
    assert [False, True, False] == [
        offer in replay(start(), before).notes() for before in ([], ["c4"], ["c4", "c3"])
    ]


def test_where_no_pair_is_left_the_note_says_so():
    position = drawn("""
           7   O X O X
          6   O O X X O
         5   O O O X X X
        4   X O O   O X X
         3   X X b X X X
          2   O X X c O
           1   O O X X
    """)
    assert ["White (O) places one disc; no two empty tiles of one suit are in line any more."] == (
        position.notes()
    )


@pytest.mark.parametrize(
    ("before", "examples"),
    [([], ["d5"]), (["c4"], ["d5", "c3 d3", "swap"]), (["c4", "c3 d3"], ["d5", "c5 d5"])],
)
def test_examples_lie_near_the_hole(before, examples):
    assert examples == replay(start(), before).examples()


def test_the_last_ply_is_marked_in_text_and_picture():
    position = replay(start(), ["c4", "c3 d3"])
    assert "\n 3   r r(X X)g g \\\n" in text(position.picture(), last=True)
    assert {"c3", "d3"} == {spot.name for spot in position.picture().spots if "last" in spot.marks}


def test_after_a_swap_no_disc_is_marked_as_the_last_ply():
    position = replay(start(), ["c4", "swap"])
    assert not [spot for spot in position.picture().spots if "last" in spot.marks]


def test_rows_that_score_are_joined_and_the_winners_are_blue_at_the_end():
    playing = replay(start(), ["c4", "c3 d3", "a2 b3", "e3 e6"]).picture()
    assert ["row", "row"] == [line.look for line in playing.lines]
    ended = record.replay(record.read((GOLDEN / "bagel.game").read_text())).position
    looks = [line.look for line in ended.picture().lines]
    table = ended.scores()
    rows = {side: sum(table[side][f"rows of {n}"] for n in (3, 4, 5, 6)) for side in ("White", "Black")}
    assert {"route": rows["Black"], "row": rows["White"]} == {look: looks.count(look) for look in set(looks)}


def test_every_suit_has_an_icon_and_a_name_of_its_own_in_the_drawing():
    drawing = svg(start().picture())
    for suit in ("bagel", "baguette", "cup", "croissant"):
        assert 9 == drawing.count(f'<g class="{suit}" ')
        assert 9 == drawing.count(f": empty, a {suit}</title>")
