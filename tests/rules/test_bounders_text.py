"""The rules of Bounders in words, as they are mailed: what they draw and say is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.core.parsing.line import read_line
from rules import RULES
from rules.contract import replay
from rules.picture import text
from tests.rules.drawn import bounders

WORDS = (Path(__file__).parents[2] / "templates" / "rules" / "bounders.txt").read_text()


def boards(words: str) -> list[str]:
    """The drawn boards, each from its top row to its last letters, without their indent."""
    found = re.findall(r"((?:^ +\d+   [.OXox-].*\n)+(?:^ +\\.*\n)^ +a b c.*$)", words, re.MULTILINE)
    return ["\n".join(line[2:] for line in board.splitlines()) for board in found]


def test_every_board_in_the_rules_is_as_the_game_draws_it():
    assert 3 == len(boards(WORDS))
    for board in boards(WORDS):
        assert board == text(bounders(board).picture())


def tallied(position):
    names = position.board.names
    return [(names[each.cells[0]], len(each.cells), each.light, each.dark) for each in position.territories]


def test_what_the_rules_say_of_their_boards_is_so():
    _, balance, end = (bounders(board) for board in boards(WORDS))
    assert balance.problem(balance.read("f6")) is None
    assert balance.problem(balance.read("e6")).startswith("e6 touches no light and 1 dark stones;")
    assert replay(balance, ["a1", "d5"]).problem(balance.read("e6")) is None
    assert {("g7", 3, 5, 2), ("a4", 2, 2, 2)} <= set(tallied(end))
    assert ("Dark", 2) == (end.outcome.side, len(end.scores()["Dark"]))


@pytest.mark.parametrize("key", RULES)
def test_no_line_of_the_rules_is_a_move_of_any_game_or_a_command(key):
    start = RULES[key].start()
    for line in WORDS.splitlines():
        for quoted in (line.strip(), line.strip(" *"), line.strip().lower()):
            assert not quoted or read_line(quoted, start.read) is None
