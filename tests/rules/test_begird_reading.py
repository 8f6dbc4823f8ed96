"""Begird reads what players write on boards of other sizes, and once it is over.

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
from rules.conformance_words import junk_is_refused
from rules.contract import NoMove, Unreadable, replay
from rules.picture import text
from rules.record import read as read_record
from rules.record import replay as replay_record

BEGIRD = RULES["begird"]
WORDS = (Path(__file__).parents[2] / "templates" / "rules" / "begird.txt").read_text()
FIGURE_1 = replay_record(read_record((Path(__file__).parent / "golden" / "begird.game").read_text())).position
START = BEGIRD.start()
OVER = replay(BEGIRD.start({"islands": "3", "side": "4"}), ["d4", "c2", "d3", "b1", "d2", "a1", "d1"])


def test_prose_is_told_what_a_ply_is():
    with pytest.raises(NoMove) as error:
        START.read("Thanks Mark")
    assert str(error.value) == "That is no move of Begird: a move is one cell such as j10, or swap on move 2."


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
            "pass: nobody passes in Begird; a move is a stone on one cell, such as e5.",
        ),
    ],
)
def test_other_boards_have_other_cells(options, line, sentence):
    with pytest.raises(Unreadable) as error:
        BEGIRD.start(options).read(line)
    assert sentence == str(error.value)


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
    assert 26 == len(FIGURE_1.won)
    assert "It touches islands 4, 11 and 13." in WORDS


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
    [
        (9, "It takes a run of 6 to win"),
        (21, "12 with 21 islands"),
        (27, "15 with 27"),
        (15, "a run of nine or more"),
    ],
)
def test_the_runs_named_in_the_rules_are_those_that_win(count, run):
    assert run in WORDS
    assert {9: 6, 15: 9, 21: 12, 27: 15}[count] == BEGIRD.start({"islands": str(count)}).ground.needed
