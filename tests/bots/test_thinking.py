"""The decision of a bot as a line of a mail."""

from __future__ import annotations

import pytest

from pbem.bots import thinking
from pbem.bots.thinking import answer_offer, find_move
from rules import RULES
from rules.search import Thought


def position(key: str = "bounders"):
    return RULES[key].start({"size": "3"} if key == "bounders" else {})


def thinks(monkeypatch: pytest.MonkeyPatch, move: str, value: float, *line: str, playouts: int = 999) -> None:
    thought = Thought(move, value, playouts, None, (move, *line))
    monkeypatch.setattr(thinking, "think", lambda *_, **__: thought)


def test_a_bot_says_what_it_had_expected_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    thinks(monkeypatch, "c3", 0.5, "d4")
    answer = find_move(position(), 3, 1, 1.0, expected="b2", last="a1")
    assert ("c3", "I thought you would play b2.", "d4") == (answer.order, answer.words, answer.expected)
    assert "" == find_move(position(), 3, 1, 1.0, expected="a1", last="a1").words
    assert "" == find_move(position(), 3, 1, 1.0, expected="", last="a1").words


def test_a_draw_is_accepted_by_whoever_is_not_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, mine, said in ((0.7, True, "decline"), (0.7, False, "accept"), (0.3, True, "accept")):
        thinks(monkeypatch, "c3", value)
        assert said == answer_offer(position(), "draw", 3, 1, 1.0, mine=mine)
    assert "accept" == answer_offer(position(), "undo", 3, 1, 1.0, mine=True)
    assert "accept" == answer_offer(position(), "pause", 3, 1, 1.0, mine=False)
