"""The rules in words, as they are mailed: true, narrow, and harmless when quoted back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules import RULES
from rules.contract import NoMove, Unreadable
from rules.picture import text
from tests.rules.drawn import drawn

FOLDER = Path(__file__).parents[2] / "templates" / "rules"
BIPOD = (FOLDER / "bipod.txt").read_text()


@pytest.mark.parametrize("key", RULES)
def test_every_game_has_its_rules_in_narrow_plain_text(key):
    words = (FOLDER / f"{key}.txt").read_text()
    assert words.isascii()
    assert all(len(line) <= 72 and line == line.rstrip() for line in words.splitlines())


@pytest.mark.parametrize("key", RULES)
def test_every_game_credits_its_designer_and_names_every_option(key):
    words = (FOLDER / f"{key}.txt").read_text()
    for name in RULES[key].designer.split(" & "):
        assert name in words
    for option in RULES[key].options:
        assert f" * {option.name}, {option.range}, " in words


@pytest.mark.parametrize("key", RULES)
def test_no_line_of_the_rules_can_be_taken_for_a_move(key):
    start = RULES[key].start()
    for line in (FOLDER / f"{key}.txt").read_text().splitlines():
        for quoted in (line, line.strip(), line.strip(" *"), line.strip().lower()):
            with pytest.raises(NoMove):
                start.read(quoted)


def boards(words: str) -> list[str]:
    """The drawn boards: from a rule of underlines to the line of letters, without their indent."""
    found = re.findall(r"^( +)(_{10,}\n.*?\n *abc\w+)$", words, re.MULTILINE | re.DOTALL)
    return [board.replace(f"\n{indent}", "\n") for indent, board in found]


def test_every_board_in_the_rules_of_bipod_is_as_the_game_draws_it():
    assert 4 == len(boards(BIPOD))
    for board in boards(BIPOD):
        assert board == text(drawn(board).picture())


def test_the_ends_shown_in_the_rules_of_bipod_are_ends():
    _, closed, run, walled = (drawn(board, ply=1, adopted=1) for board in boards(BIPOD))
    assert closed.outcome is None
    assert "Runner wins: both paths reach the edge" == run.outcome.reason
    assert "Blocker wins: each path shuts the other off from the edge" == walled.outcome.reason


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("f2 f4 g3", False),
        ("j4", False),
        ("mo1", False),
        ("e13f2", False),
        ("adopt", False),
        ("f7", True),
        ("n1", True),
        ("mo13", True),
        ("f2 f4 f2", True),
        ("k3 o", True),
    ],
)
def test_the_examples_in_the_rules_of_bipod_are_what_they_are_said_to_be(line, refused):
    start = RULES["bipod"].start()
    assert line in BIPOD
    try:
        sentence = start.problem(start.read(line))
    except Unreadable as error:
        sentence = str(error)
    assert refused == (sentence is not None)
