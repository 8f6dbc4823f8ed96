"""Every command has a handler, and every part of the help its words."""

from __future__ import annotations

from pbem.actions.context import handlers
from pbem.core.game.preferences import PREFERENCES
from pbem.core.parsing.commands import HELP_WORDS, ROWS, TOPICS, WORDS
from pbem.core.play import decide


def test_every_word_that_is_read_has_one_handler() -> None:
    assert set(WORDS) <= set(handlers()) | set(decide.VERBS)
    assert set(handlers()) <= set(WORDS)


def test_every_command_and_every_preference_stands_in_a_part_of_the_help() -> None:
    assert set(TOPICS) == set(HELP_WORDS.values())
    assert {*ROWS, *PREFERENCES, *TOPICS} <= set(HELP_WORDS)
    assert all(ROWS[word].topic == HELP_WORDS[word] for word in ROWS)
