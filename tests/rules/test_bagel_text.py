"""The rules of Bagel as they are mailed: every board as the game draws it, every example as said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.core.parsing.line import read_line
from rules import RULES, record
from rules.contract import RulesError, replay
from rules.picture import text
from tests.rules.drawn_bagel import drawn, tiles

FOLDER = Path(__file__).parents[2] / "templates" / "rules"
WORDS = (FOLDER / "bagel.txt").read_text()
BOARDS = [
    board.replace("\n  ", "\n").removeprefix("  ")
    for board in re.findall(r"^( +7 .*?\n +a b c d)$", WORDS, re.MULTILINE | re.DOTALL)
]
START = RULES["bagel"].start({"layout": tiles(BOARDS[0])})


def test_the_boards_are_as_the_game_draws_them():
    assert 2 == len(BOARDS)
    assert [text(START.picture()), text(drawn(BOARDS[1]).picture())] == BOARDS


def test_the_second_board_comes_of_the_first_and_scores_as_the_words_say():
    position = replay(START, ["c4", "c3 d3", "a2 b3", "e3 e6", "d5 f5"])
    assert BOARDS[1] == text(position.picture())
    table = position.scores()
    assert (2, 1) == (table["White"]["points"], table["Black"]["points"])
    assert (1, 1) == (table["White"]["rows of 4"], table["Black"]["rows of 3"])


def test_the_layout_given_for_a_challenge_is_that_of_the_board():
    assert f"layout={START.options['layout']}\n" in WORDS


def test_the_game_that_comes_with_the_rules_is_whole_and_on_the_same_board():
    played = record.replay(record.read((FOLDER / "bagel.game").read_text()))
    assert START.options == played.position.options
    assert "Black wins: 15 points to 12" == played.position.outcome.reason


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("c3 d3", False),
        ("e3 e6", False),
        ("swap", False),
        ("d4", True),
        ("c7", True),
        ("c4", True),
        ("c3 e3", True),
        ("b2 d3", True),
        ("c3 d3 e3", True),
        ("pass", True),
    ],
)
def test_the_examples_are_what_they_are_said_to_be(line, refused):
    position = replay(START, ["c4"])
    assert line in WORDS
    try:
        sentence = position.problem(position.read(line))
    except RulesError as error:
        sentence = str(error)
    assert refused == (sentence is not None)


@pytest.mark.parametrize("key", RULES)
def test_no_line_can_be_taken_for_a_move_of_any_game_or_for_a_command(key):
    reader = RULES[key].start().read
    for line in WORDS.splitlines():
        for quoted in (line, line.strip(), line.strip(" *"), line.strip().lower()):
            assert read_line(quoted, reader) is None, quoted
