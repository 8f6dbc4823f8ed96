"""Every command has a handler, and every part of the help its words."""

from __future__ import annotations

from pbem.commands.context import handlers
from pbem.core.parsing.commands import HELP_WORDS, ROWS, TOPICS, WORDS
from pbem.core.play import decide
from pbem.core.preferences.preferences import PREFERENCES


def test_every_word_that_is_read_has_one_handler() -> None:
    assert set(WORDS) <= set(handlers()) | set(decide.VERBS)
    assert set(handlers()) <= set(WORDS)


def test_every_command_and_every_preference_stands_in_a_part_of_the_help() -> None:
    assert {word for words in HELP_WORDS.values() for word in words} <= set(ROWS)
    assert {*ROWS, *PREFERENCES, *TOPICS} <= set(HELP_WORDS)
    assert all(ROWS[point].usage for word in ROWS for point in HELP_WORDS[word])
