"""The decision of a bot as a line of a mail."""

from __future__ import annotations

from random import Random

import pytest

from pbem.bots import thinking
from pbem.bots.thinking import MIN_PLY, answer_draw, find_move
from rules import RULES
from rules.contract import Position
from rules.search import Thought
from rules.search.thinking import Proof


def position(key: str = "bounders"):
    return RULES[key].start({"size": "3"} if key == "bounders" else {})


def late_position() -> Position:
    """A game of Begird that is under way."""
    later, rng = RULES["begird"].start({"islands": "9"}), Random(1)
    while later.ply < MIN_PLY:
        later = later.follow(later.sample(rng))
    return later


def thinks(
    monkeypatch: pytest.MonkeyPatch,
    move: str,
    value: float,
    *line: str,
    playouts: int = 999,
    proved: Proof | None = None,
) -> None:
    thought = Thought(move, value, playouts, proved, (move, *line))
    monkeypatch.setattr(thinking, "think", lambda *_, **__: thought)


def test_a_bot_says_what_it_had_expected_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    thinks(monkeypatch, "c3", 0.5, "d4")
    answer = find_move(position(), 3, 1, 1.0, expected="b2", last="a1")
    assert ("c3", "I thought you would play: b2.", "d4") == (answer.order, answer.words, answer.expected)
    assert "" == find_move(position(), 3, 1, 1.0, expected="a1", last="a1").words
    assert "" == find_move(position(), 3, 1, 1.0, expected="", last="a1").words


def test_a_bot_that_plays_on_itself_expects_nothing_of_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """White has no pound left, so Black gets the lot and is to play again."""
    start = RULES["hexthing"].start({"money": "10"}, 6)
    later = start.follow(start.read("play 1W change £10"))
    thinks(monkeypatch, "lot 1W bid 0", 0.5, "play 3E")
    assert "" == find_move(later, 3, 1, 1.0, expected="", last="").expected


@pytest.mark.parametrize(("proved", "value", "said"), [("win", 1.0, "a win"), ("loss", 0.0, "no way out")])
def test_a_bot_says_what_end_it_sees(
    monkeypatch: pytest.MonkeyPatch, proved: Proof, value: float, said: str
) -> None:
    thinks(monkeypatch, "c3", value, proved=proved)
    assert said in find_move(position(), 3, 1, 1.0, expected="a1", last="a1").words


@pytest.mark.parametrize(
    ("value", "playouts", "proved", "resigns"),
    [
        (0.01, 999, None, True),
        (0.01, 20, None, False),  # it has seen too little
        (0.1, 999, None, False),
        (0.0, 20, "loss", True),
        (0.01, 999, "draw", False),
    ],
)
def test_a_lost_game_is_resigned_with_thanks(
    monkeypatch: pytest.MonkeyPatch, value: float, playouts: int, proved: Proof | None, resigns: bool
) -> None:
    move = late_position().examples()[0]
    thinks(monkeypatch, move, value, playouts=playouts, proved=proved)
    answer = find_move(late_position(), 3, 1, 1.0, expected="", last="")
    assert resigns == (answer.order == "resign yes")
    assert resigns == (answer.words == "You have won this. Thank you for the game!")
    thinks(monkeypatch, "c3", value, playouts=playouts, proved=proved)
    assert "c3" == find_move(position(), 3, 1, 1.0, expected="", last="").order  # too early


def test_a_draw_is_accepted_by_whoever_is_not_ahead_once_the_game_is_under_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for value, mine, said in ((0.7, True, "decline"), (0.7, False, "accept"), (0.3, True, "accept")):
        thinks(monkeypatch, "c3", value)
        assert said == answer_draw(late_position(), 3, 1, 1.0, mine=mine)
        assert "decline" == answer_draw(position(), 3, 1, 1.0, mine=mine)
