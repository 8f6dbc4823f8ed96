"""The words behind `guess`: a move, with the game's number or without; other words are prose."""

from __future__ import annotations

from time import perf_counter

import pytest

from pbem.core.parsing.arguments import guess


@pytest.mark.parametrize(
    "rest", ["42 f2", "#42 f2 f4 g3", "game 42 adopt", "42 none", "none", "f2", "f2 f4 G3"]
)
def test_moves_are_read(rest: str) -> None:
    assert {"move": rest} == guess(rest)


@pytest.mark.parametrize("rest", ["", "what", "who won on 3 boards", "f2 or g3", "42", "swap"])
def test_other_words_are_prose_unless_a_number_alone_is_a_move(rest: str) -> None:
    assert ({"move": "42"} if rest == "42" else None) == guess(rest)


def test_a_long_line_is_read_in_no_time() -> None:
    begun = perf_counter()
    assert guess(" ".join(["1" * 90] * 10 + ["x"])) is None
    assert perf_counter() - begun < 1
