"""How Begird reads what players write: forgiving in form, never guessing, a sentence for each slip.

And the rules in words, which show players what to write.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RULES
from rules.contract import NoMove, Unreadable, replay
from rules.laws import junk_is_refused
from rules.picture import text
from rules.record import read as read_record
from rules.record import replay as replay_record

BEGIRD = RULES["begird"]
WORDS = (Path(__file__).parents[2] / "templates" / "rules" / "begird.txt").read_text()
FIGURE_1 = replay_record(read_record((Path(__file__).parent / "golden" / "begird.game").read_text())).position
START = BEGIRD.start()
OVER = replay(BEGIRD.start({"islands": "3", "side": "4"}), ["d4", "c2", "d3", "b1", "d2", "a1", "d1"])


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("q14", "q14"),
        ("Q14", "q14"),
        ("  q14 ", "q14"),
        ("q14.", "q14"),
        ("q14!", "q14"),
        ("q14,", "q14"),
        ("j09", "j9"),
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
        "Thanks Mark",
        "j9 is mine",
        "I play j9",
        "ply 7: j9",
        "White: j9",
        "swap sides with me",
        "I swap",
        "pass the salt",
        "B4 we begin: hello",
        "j 9 lives",
        "j",
        "42",
        "1-0",
        "2008-01-02",
        "https://example.org/j9",
        "resign",
        "a b c d e f g h i j",
        "A A A 9 9 9 8 8 8   \\ l",
        "9    . . . X . . . . O . . . . . . . . .",
        "q14 " * 80,
    ],
)
@pytest.mark.parametrize("plies", [0, 1])
def test_prose_is_no_move(plies, line):
    with pytest.raises(NoMove) as error:
        replay(START, ["j9"][:plies]).read(line)
    assert str(error.value) == ("That is no ply of Begird: a ply is one cell such as j10, or swap on ply 2.")


MISSPELT = [
    ("s4", "s4: there is no letter s; letters run from a to r."),
    ("Z9", "z9: there is no letter z; letters run from a to r."),
    ("j19", "j19: there is no row 19; letter j has rows 1 to 18."),
    ("j0", "j0: there is no row 0; letter j has rows 1 to 18."),
    ("j1234", "j1234: there is no row 1234; letter j has rows 1 to 18."),
    ("a14", "a14: letter a has rows 1 to 9, and row 14 runs from f14 to r14."),
    ("r1", "r1: letter r has rows 9 to 18, and row 1 runs from a1 to j1."),
    ("9j", "9j: the letter comes first; write j9."),
    ("14 q", "14 q: the letter comes first; write q14."),
    ("j 9", "j 9: a cell is written without a space; write j9."),
    ("j-9", "j-9: a cell is written without other signs; write j9."),
    ("(j9)", "(j9): a cell is written without other signs; write j9."),
    ("j9?", "j9?: a cell is written without other signs; write j9."),
    ("j1O", "j1o: after the letter come digits alone; write j10 if that is meant."),
    ("jl8", "jl8: after the letter come digits alone; write j18 if that is meant."),
    ("jk9", "jk9: a cell is one letter and one number."),
    ("j9 k9", "j9 k9: that is 2 cells; a ply is one stone on one cell."),
    ("j9, k9, l9", "j9 k9 l9: that is 3 cells; a ply is one stone on one cell."),
    ("j9k9", "j9k9: that is 2 cells; a ply is one stone on one cell."),
    ("j9-k9", "j9-k9: that is 2 cells; a ply is one stone on one cell."),
    ("j9 4", "j9 4: a ply is one cell alone on its line."),
    ("j9 & k9", "j9 & k9: a ply is one cell alone on its line."),
    ("black j9", "black j9: whose turn it is says which colour is laid; write j9 alone."),
    ("j9 X", "j9 x: whose turn it is says which colour is laid; write j9 alone."),
    ("j9 swap", "j9 swap: swap is a ply of its own; write swap alone, or j9."),
    ("swap j9", "swap j9: swap is a ply of its own; write swap alone, or j9."),
    ("pass", "pass: nobody passes in Begird; a ply is a stone on one cell, such as j10."),
]


@pytest.mark.parametrize(("line", "sentence"), MISSPELT, ids=[line for line, _ in MISSPELT])
def test_what_is_meant_as_a_ply_and_is_none_gets_its_reason(line, sentence):
    for plies in (["j9"], ["j9", "swap"]):
        with pytest.raises(Unreadable) as error:
            replay(START, plies).read(line)
        assert not isinstance(error.value, NoMove)
        assert sentence == str(error.value)


@pytest.mark.parametrize(
    ("options", "line", "sentence"),
    [
        ({"islands": "3"}, "k1", "k1: there is no letter k; letters run from a to j."),
        ({"islands": "3"}, "a2", "a2: letter a has row 1, and row 2 runs from b2 to j2."),
        ({"islands": "3"}, "i10", "i10: letter i has rows 1 to 9, and row 10 is j10 alone."),
        ({"islands": "9", "side": "4"}, "d5", "d5: there is no row 5; letter d has rows 1 to 4."),
        ({"islands": "27"}, "j4", "j4: letter j has rows 5 to 10, and row 4 runs from a4 to i4."),
        (
            {"islands": "27"},
            "pass",
            "pass: nobody passes in Begird; a ply is a stone on one cell, such as e5.",
        ),
    ],
)
def test_other_boards_have_other_cells(options, line, sentence):
    with pytest.raises(Unreadable) as error:
        BEGIRD.start(options).read(line)
    assert sentence == str(error.value)


NOT_NOW = [
    (
        ["j9"],
        "j9",
        "j9 is taken (a black stone, ply 1); the word swap makes it yours, and"
        " i8, i9, j8, j10, k9 and k10 beside it are empty.",
    ),
    (
        ["j9", "j10"],
        "j10",
        "j10 is taken (a white stone, ply 2); beside it i9, i10, j11, k10 and k11 are empty.",
    ),
    (["a1", "b1", "a2", "q14"], "a1", "a1 is taken (a black stone, ply 1); beside it b2 is empty."),
    (
        ["a1", "b1", "a2", "b2"],
        "A1",
        "a1 is taken (a black stone, ply 1); the nearest empty cell is a3.",
    ),
    (
        ["j9", "swap", "k9"],
        "k9",
        "k9 is taken (a white stone, ply 3); beside it j8, k8, k10, l9 and l10 are empty.",
    ),
    (
        [],
        "swap",
        "swap: sides are exchanged on ply 2 or not at all; now Black lays one stone on an empty cell.",
    ),
    (
        ["j9", "k9"],
        "swap",
        "swap: sides are exchanged on ply 2 or not at all; now Black lays one stone on an empty cell.",
    ),
    (
        ["j9", "swap"],
        "swap",
        "swap: sides are exchanged on ply 2 or not at all; now White lays one stone on an empty cell.",
    ),
]


@pytest.mark.parametrize(("plies", "line", "sentence"), NOT_NOW, ids=[f"{p}: {w}" for p, w, _ in NOT_NOW])
def test_what_may_not_be_played_now_gets_its_reason(plies, line, sentence):
    position = replay(START, plies)
    assert sentence == position.problem(position.read(line))


@pytest.mark.parametrize("line", ["d4", "a1", "c1", "swap"])
def test_after_the_end_every_ply_is_told_how_it_ended(line):
    assert OVER.problem(OVER.read(line)) == (
        "The game is over (Black joins islands 1, 2 and 3: a run of 3), so nothing more can be played."
    )


@given(
    st.text("abjkrsxX0129loIO -.,!()#\\", max_size=12),
    st.sampled_from([{}, {"islands": "3", "side": "4"}, {"islands": "27"}]),
)
def test_whatever_is_written_is_a_ply_prose_or_a_slip(junk, options):
    junk_is_refused(BEGIRD.start(options), junk)


# ------------------------------------------------------------------------------- the rules in words


def boards(words: str) -> list[str]:
    """The drawn boards: paragraphs of which every line is indented and the last is letters alone."""
    paragraphs = (dedent(paragraph) for paragraph in re.split(r"\n\n+", words) if paragraph[:1] == " ")
    return [board for board in paragraphs if re.fullmatch(r" *a( [a-z])+", board.splitlines()[-1])]


def test_the_boards_in_the_rules_are_as_the_game_draws_them():
    assert boards(WORDS) == [
        text(START.picture()),
        text(FIGURE_1.picture()),
        text(BEGIRD.start({"islands": "9", "side": "7"}).picture()),
    ]


def test_what_the_rules_say_of_the_figure_is_so():
    assert FIGURE_1.outcome.reason == "Black joins islands 4, 11 and 13: a run of 9"
    assert 26 == len(FIGURE_1.winning)
    assert "It touches islands 4, 11 (drawn as\nB) and 13 (drawn as D)" in WORDS


@pytest.mark.parametrize(
    ("line", "refused"),
    [("j9", False), ("J9", False), ("s4", True), ("a14", True), ("j9 k9", True), ("pass", True)],
)
def test_the_examples_in_the_rules_are_what_they_are_said_to_be(line, refused):
    assert line in WORDS
    try:
        sentence = START.problem(START.read(line))
    except Unreadable as error:
        sentence = str(error)
    assert refused == (sentence is not None)


@pytest.mark.parametrize(
    ("count", "run"),
    [(9, "It takes a run of 6 to win"), (27, "the\nrun is 15"), (15, "a run of nine or more")],
)
def test_the_runs_named_in_the_rules_are_those_that_win(count, run):
    assert run in WORDS
    assert {9: 6, 15: 9, 27: 15}[count] == BEGIRD.start({"islands": str(count)}).ground.needed
