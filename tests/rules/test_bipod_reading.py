"""How Bipod reads what players write: forgiving in form, never guessing, a sentence for each slip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RULES
from rules.contract import Ambiguous, NoMove, RulesError, Unreadable, replay
from rules.laws import junk_is_refused

START = RULES["bipod"].start()
GAME = ["f2 f4 g3", "e5 g1", "f6 h2 i1", "E1", "F2", "mo1 n2", "adopt", "k3 o", "x4", "y3 O"]
"""The beginning of the game in the authors' post."""


def after(plies: int):
    return replay(START, GAME[:plies])


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("f2 f4 g3", "f2 f4 g3"),
        ("  f2   f4\tg3 ", "f2 f4 g3"),
        ("f2,f4,g3", "f2 f4 g3"),
        ("f2, f4 , g3", "f2 f4 g3"),
        ("g3 f4 f2", "g3 f4 f2"),
        ("f2 f4 g3.", "f2 f4 g3"),
        ("f2 f4 g3!", "f2 f4 g3"),
        ("F2", "F2"),
        ("mo1", "m1 o1"),
        ("mo1 n2", "m1 o1 n2"),
        ("mo1n2", "m1 o1 n2"),
        ("e13f2", "e1 e3 f2"),
        ("e13f2 mo1", "e1 e3 f2 m1 o1"),
        ("ko3", "k3 o3"),
        ("kO1", "k1 O1"),
        ("adopt", "adopt"),
        ("Adopt", "adopt"),
        ("ADOPT!", "adopt"),
        ("k3 o", "k3 o"),
        ("k3o", "k3 o"),
        ("k3O", "k3 O"),
        ("k3,o", "k3 o"),
        ("y3   O", "y3 O"),
    ],
)
def test_many_spellings_have_one_canonical_text(written, canonical):
    start = RULES["bipod"].start({"size": "7"})
    assert canonical == str(start.read(written))
    assert canonical == str(start.read(canonical))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Thanks Bill",
        "Thanks, I like f2",
        "Bill: f2 f4",
        "ply 7: f2",
        "and g1 g3",
        "f2 is a good move",
        "f2 and f4 look strong",
        "B4 we begin: hello",
        "I adopt",
        "adopt a kitten",
        "please adopt",
        "42",
        "10 first y3 O",
        "2004-06-27",
        "https://example.org/g1",
        "x",
        "o",
        "...",
        "resign",
        "show",
        "abcdefghijklmnopqrstuvwxyzABCDEFG",
        ": : : x x @ x x . . . Q . . . x :   1",
        "f2 " * 80,
    ],
)
@pytest.mark.parametrize("plies", [0, 7, 8])
def test_prose_is_no_move_in_any_phase(plies, line):
    with pytest.raises(NoMove):
        after(plies).read(line)


MISSPELT = [
    (0, "f7", "f7: there is no row 7; column f has rows 2, 4 and 6."),
    (0, "f0", "f0: there is no row 0; column f has rows 2, 4 and 6."),
    (0, "n1", "n1: column n has rows 2, 4 and 6, and row 1 has m1 and o1 beside it."),
    (
        0,
        "mn1 o2",
        "n1: column n has rows 2, 4 and 6, and row 1 has m1 and o1 beside it (mn1 means m1 n1).",
    ),
    (
        0,
        "f12",
        "f1: column f has rows 2, 4 and 6, and row 1 has e1 and g1 beside it (f12 means f1 f2).",
    ),
    (0, "a2", "a2: column a has row 1 alone, and row 2 has b2 beside it."),
    (0, "b4", "b4: column b has row 2 alone, and row 4 runs from d4 to D4; B4 is a cell."),
    (0, "K3", "K3: there is no column K, columns run from a to z and A to G; k3 is a cell."),
    (0, "F6", "F6: column F has row 2 alone, and row 6 runs from f6 to B6; f6 is a cell."),
    (0, "H9", "H9: there is no column H, columns run from a to z and A to G."),
    (0, "f2 f4 g", "g: the row is missing; column g has rows 1, 3 and 5."),
    (0, "f2 f4 o", "o: the row is missing; column o has rows 1, 3 and 5."),
    (0, "f2 K", "K: there is no column K, columns run from a to z and A to G."),
    (0, "f2 4", "4: the column is missing; write f4 if column f is meant."),
    (0, "2f 4f", "2f 4f: the letter comes first; write f2 f4."),
    (0, "k 3", "k 3: a cell is written without a space; write k3."),
    (0, "f2-f4", "f2-f4: cells stand apart by spaces or commas; write f2 f4."),
    (0, "f2 & f4", "&: this is no cell; a cell is a column's letter and a row's digit, as in f2."),
    (0, "(f2)", "(f2): a cell is written without other signs; write f2."),
    (0, "f2?", "f2?: a cell is written without other signs; write f2."),
    (
        0,
        "adopt f2",
        "adopt f2: adopt is a ply of its own, without blocks; write adopt alone, or the blocks.",
    ),
    (7, "o k3", "o k3: the cell comes first, then the colour; write k3 o."),
    (7, "k3 0", "k3 0: a colour is a letter, not a zero; write k3 o or k3 O."),
    (7, "k3 o m3", "m3 after o: a ply with a colour is one cell and that colour."),
    (7, "k3 m3o", "k3 m3 o: a colour goes with one cell alone; Runner lays one stone a ply."),
]


@pytest.mark.parametrize(("plies", "line", "sentence"), MISSPELT, ids=[row[1] for row in MISSPELT])
def test_what_is_meant_as_a_move_and_is_none_gets_its_reason(plies, line, sentence):
    with pytest.raises(Unreadable) as error:
        after(plies).read(line)
    assert not isinstance(error.value, NoMove)
    assert sentence == str(error.value)


NOT_NOW = [
    (2, "g1", "g1 is taken (a block, ply 2)."),
    (2, "k1", "k1 is taken (the left start)."),
    (2, "w1", "w1 is taken (the right start)."),
    (9, "k3 O", "k3 is taken (Runner's o, ply 8)."),
    (10, "y3", "y3 is taken (Runner's O, ply 10)."),
    (5, "F2", "F2 is taken (a block, ply 5)."),
    (4, "G1 F2 G1", "G1 stands twice in this ply; each cell takes one block."),
    (5, "G1", "G1 is cut off from both starts; the nearest cell still open is C1."),
    (4, "F2 G1", "G1 is cut off from both starts once F2 is blocked; the nearest cell still open is C1."),
    (
        0,
        "f2 f4 g3 g5",
        "f2 f4 g3 g5: that is 4 cells in one ply; now a ply is 1 to 3 blocks, or adopt.",
    ),
    (
        0,
        "k3 o",
        "k3 o: nobody has adopted yet, so there is no Runner; now a ply is 1 to 3 blocks, or adopt.",
    ),
    (
        7,
        "k3",
        "k3: Runner's stone needs its colour; write k3 o for the left start's (@)"
        " or k3 O for the right start's (Q).",
    ),
    (7, "f2", "f2 is taken (a block, ply 1)."),
    (
        7,
        "k3 m3",
        "k3 m3: that is 2 cells in one ply; now Runner lays one stone, a cell and its colour, o or O.",
    ),
    (
        7,
        "adopt",
        "adopt was said already, in ply 7; now Runner lays one stone, a cell and its colour, o or O.",
    ),
    (8, "m3 o", "m3 o: it is Blocker's ply, and a block has no colour; write m3 alone."),
    (8, "m3 m5", "m3 m5: that is 2 cells in one ply; now Blocker lays one block, a cell alone."),
    (
        8,
        "adopt",
        "adopt was said already, in ply 7; now Blocker lays one block, a cell alone.",
    ),
]


@pytest.mark.parametrize(("plies", "line", "sentence"), NOT_NOW, ids=[f"{r[0]}: {r[1]}" for r in NOT_NOW])
def test_what_may_not_be_played_now_gets_its_reason(plies, line, sentence):
    position = after(plies)
    assert sentence == position.problem(position.read(line))


def test_a_capital_on_a_taken_cell_points_to_the_free_one():
    position = replay(START, ["F2"])
    assert "F2 is taken (a block, ply 1); f2 is free." == position.problem(position.read("F2"))


def test_with_one_stone_a_ply_the_sentence_says_so():
    position = RULES["bipod"].start({"stones": "1"})
    assert "f2 f4: that is 2 cells in one ply; now a ply is 1 block, or adopt." == position.problem(
        position.read("f2 f4")
    )


@pytest.mark.parametrize(
    ("line", "sentence", "readings"),
    [
        (
            "mo13",
            "mo13: several columns with several rows are not clear; write m1 m3 o1 o3 or m1 o3.",
            ("m1 m3 o1 o3", "m1 o3"),
        ),
        (
            "f2 mo13",
            "mo13: several columns with several rows are not clear; write f2 m1 m3 o1 o3 or f2 m1 o3.",
            ("f2 m1 m3 o1 o3", "f2 m1 o3"),
        ),
        (
            "moq13",
            "moq13: several columns with several rows are not clear; write m1 m3 o1 o3 q1 q3.",
            ("m1 m3 o1 o3 q1 q3",),
        ),
        (
            "mn12",
            "mn12: several columns with several rows are not clear; write m1 n2.",
            ("m1 n2",),
        ),
        (
            "mo13 eg13",
            "mo13: several columns with several rows are not clear; write every cell apart.",
            ("m1 m3 o1 o3 e1 e3 g1 g3", "m1 m3 o1 o3 e1 g3", "m1 o3 e1 e3 g1 g3", "m1 o3 e1 g3"),
        ),
    ],
)
def test_several_columns_with_several_rows_are_refused_with_both_readings(line, sentence, readings):
    with pytest.raises(Ambiguous) as error:
        START.read(line)
    assert sentence == str(error.value)
    assert readings == error.value.readings


def test_unclear_groups_without_a_reading_on_the_board_are_refused_too():
    with pytest.raises(Unreadable) as error:
        START.read("mo24")
    assert "mo24: several columns with several rows are not clear; write every cell apart." == str(
        error.value
    )


def test_a_line_of_many_unclear_groups_is_refused_at_once():
    with pytest.raises(Unreadable):
        START.read("mo13" * 50)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_with_a_sentence(junk):
    junk_is_refused(START, junk)


@given(st.text(alphabet="abkmoxAFGO0123456789 ,.-oO?é\u00a0", max_size=40))
def test_text_that_looks_like_moves_is_read_or_refused_with_a_sentence(junk):
    for plies in (0, 7, 8):
        junk_is_refused(after(plies), junk)


@given(st.text(alphabet="kmo137 ,o", min_size=1, max_size=12))
def test_what_is_read_has_one_spelling_that_reads_the_same(line):
    try:
        move = START.read(line)
    except RulesError:
        return
    assert move == START.read(str(move))
    assert str(move) == str(START.read(str(move)))
