"""How Bounders reads what players write: forgiving in form, never guessing, a sentence for each slip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RULES
from rules.contract import NoMove, RulesError, Unreadable, replay
from rules.laws import junk_is_refused

START = RULES["bounders"].start()
GAME = ["g7", "i9", "h8", "g9", "f5"]


def after(plies: int):
    return replay(START, GAME[:plies])


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("g7", "g7"),
        ("G7", "g7"),
        ("  m13  ", "m13"),
        ("M13.", "m13"),
        ("g7!", "g7"),
        ("g7,", "g7"),
        ("g07", "g7"),
        ("swap", "swap"),
        ("Swap", "swap"),
        ("SWAP!", "swap"),
        (" swap. ", "swap"),
    ],
)
def test_many_spellings_have_one_canonical_text(written, canonical):
    assert canonical == str(START.read(written))
    assert canonical == str(START.read(canonical))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Thanks Alek",
        "I like g7",
        "Alek: g7",
        "ply 7: g7",
        "g7 is a good move",
        "g7 please",
        "let us swap",
        "swap it",
        "adopt",
        "no pass",
        "42",
        "7",
        "g",
        "o",
        "...",
        "resign",
        "12 first g7",
        "2024-03-01",
        "https://example.org/g7",
        "7   . . . . - O - . . . . . .",
        "   4   . . . X . . . . . . \\ l",
        "a b c d e f g",
        "\\ \\ \\ \\ \\ \\ \\ h",
        "g7 " * 80,
    ],
)
@pytest.mark.parametrize("plies", [0, 1, 5])
def test_prose_is_no_move_in_any_phase(plies, line):
    with pytest.raises(NoMove):
        after(plies).read(line)


MISSPELT = [
    ("n3", "n3: there is no letter n; letters run from a to m."),
    ("Z9", "z9: there is no letter z; letters run from a to m."),
    ("a9", "a9: letter a has rows 1 to 7, and row 9 runs from c9 to m9."),
    ("m1", "m1: letter m has rows 7 to 13, and row 1 runs from a1 to g1."),
    ("h1", "h1: letter h has rows 2 to 13, and row 1 runs from a1 to g1."),
    ("g14", "g14: there is no row 14; letter g has rows 1 to 13."),
    ("g77", "g77: there is no row 77; letter g has rows 1 to 13."),
    ("g0", "g0: there is no row 0; letter g has rows 1 to 13."),
    ("7g", "7g: the letter comes first; write g7."),
    ("7 g", "7 g: the letter comes first; write g7."),
    ("g 7", "g 7: a cell is written without a space; write g7."),
    ("g-7", "g-7: a cell is written without other signs; write g7."),
    ("(g7)", "(g7): a cell is written without other signs; write g7."),
    ("g7?", "g7?: a cell is written without other signs; write g7."),
    ("gl0", "gl0: after the letter come digits alone; write g10 if that is meant."),
    ("g1O", "g1o: after the letter come digits alone; write g10 if that is meant."),
    ("gh7", "gh7: a cell is one letter and one number."),
    ("g7 h8", "g7 h8: that is 2 cells; a ply is one stone on one cell."),
    ("g7,h8", "g7 h8: that is 2 cells; a ply is one stone on one cell."),
    ("g7-h8", "g7-h8: that is 2 cells; a ply is one stone on one cell."),
    ("g7 g8 g9", "g7 g8 g9: that is 3 cells; a ply is one stone on one cell."),
    ("g7 7", "g7 7: a ply is one cell alone on its line."),
    ("light g7", "light g7: whose turn it is says which colour is laid; write g7 alone."),
    ("g7 X", "g7 x: whose turn it is says which colour is laid; write g7 alone."),
    ("swap g7", "swap g7: swap is a ply of its own; write swap alone, or g7."),
    ("g7 swap", "g7 swap: swap is a ply of its own; write swap alone, or g7."),
    ("pass", "pass: nobody passes in Bounders; a ply is a stone on one cell, such as g7."),
    ("Pass.", "pass: nobody passes in Bounders; a ply is a stone on one cell, such as g7."),
]


@pytest.mark.parametrize(("line", "sentence"), MISSPELT, ids=[row[0] for row in MISSPELT])
@pytest.mark.parametrize("plies", [0, 1, 5])
def test_what_is_meant_as_a_move_and_is_none_gets_its_reason(plies, line, sentence):
    with pytest.raises(Unreadable) as error:
        after(plies).read(line)
    assert not isinstance(error.value, NoMove)
    assert sentence == str(error.value)


NEAREST = "it needs as many of each; the nearest cell that may be played is"

NOT_NOW = [
    (1, "g7", "g7 is taken (a light stone, ply 1)."),
    (1, "G7", "g7 is taken (a light stone, ply 1)."),
    (2, "i9", "i9 is taken (a dark stone, ply 2)."),
    (5, "g9", "g9 is taken (a dark stone, ply 4)."),
    (1, "g8", f"g8 touches 1 light and no dark stones; {NEAREST} g9."),
    (1, "f6", f"f6 touches 1 light and no dark stones; {NEAREST} e6."),
    (2, "j9", f"j9 touches no light and 1 dark stones; {NEAREST} k10."),
    (5, "g8", f"g8 touches 2 light and 1 dark stones; {NEAREST} e8."),
    (0, "swap", "swap: sides are exchanged on ply 2 or not at all."),
    (2, "swap", "swap: sides are exchanged on ply 2 or not at all."),
    (5, "swap", "swap: sides are exchanged on ply 2 or not at all."),
]


@pytest.mark.parametrize(("plies", "line", "sentence"), NOT_NOW, ids=[f"{r[0]}: {r[1]}" for r in NOT_NOW])
def test_what_may_not_be_played_now_gets_its_reason(plies, line, sentence):
    position = after(plies)
    assert sentence == position.problem(position.read(line))


def test_what_is_a_cell_depends_on_the_board():
    assert "u21" == str(RULES["bounders"].start({"size": "11"}).read("u21"))
    small = RULES["bounders"].start({"size": "3"})
    assert "c3" == str(small.read("c3"))
    with pytest.raises(Unreadable) as error:
        small.read("g7")
    assert "g7: there is no letter g; letters run from a to e." == str(error.value)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_with_a_sentence(junk):
    junk_is_refused(START, junk)


@given(st.text(alphabet="agmnGM01379 ,.-swapoxOX?é\u00a0", max_size=40))
def test_text_that_looks_like_moves_is_read_or_refused_with_a_sentence(junk):
    for plies in (0, 1, 5):
        junk_is_refused(after(plies), junk)


@given(st.text(alphabet="agm137 ,SWAPswap", min_size=1, max_size=8))
def test_what_is_read_has_one_spelling_that_reads_the_same(line):
    try:
        move = START.read(line)
    except RulesError:
        return
    assert move == START.read(str(move))
    assert str(move) == str(START.read(str(move)))
