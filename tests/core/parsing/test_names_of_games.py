"""Words that a challenge has for itself are no game's; the laws of games know them all."""

from __future__ import annotations

import pytest

from pbem.core.parsing.arguments import PACE, SEATS, SMALL_WORDS, challenge, seek
from rules import RULES
from rules.conformance_words import TAKEN

SAID = "rated unrated soft none brisk normal leisure postal"
CALLED = [
    (key, word) for key, rules in RULES.items() for word in (key, rules.name, *rules.aliases, *rules.named)
]


@pytest.mark.parametrize("word", sorted(SEATS | SMALL_WORDS | {*SAID.split()}))
def test_the_laws_let_no_game_be_called_like_a_word_of_a_challenge(word: str) -> None:
    assert word in TAKEN
    found = challenge(f"Bill pegs {word}")
    assert found is not None
    assert "pegs" == found["game"]


@pytest.mark.parametrize(("key", "word"), CALLED)
def test_every_name_of_a_game_is_read_whole_in_a_challenge_and_a_seek(key: str, word: str) -> None:
    assert PACE.fullmatch(word) is None
    for found in (challenge(f"Bill {word}"), seek(word)):
        assert found is not None
        assert word == found["game"]
        assert not found["options"]
