"""The table of commands, and what help and docs say of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.core.parsing.commands import HELP_WORDS, IRREVERSIBLE, ROWS, TOPICS
from pbem.core.preferences.letter_kinds import CATEGORIES

ROOT = Path(__file__).parents[3]
OF_PLAYERS, OF_BUILDERS = (
    " ".join((ROOT / "docs" / part / "letters.md").read_text(encoding="utf-8").split())
    for part in ("play", "build")
)


def test_no_topic_of_help_is_hidden_by_a_command() -> None:
    assert set() == TOPICS.keys() & ROWS.keys(), "rename the topic in pbem/core/parsing/commands.py"


@pytest.mark.parametrize("topic", TOPICS)
def test_help_on_a_topic_brings_all_of_its_commands(topic: str) -> None:
    assert [word for word, row in ROWS.items() if row.topic == topic] == list(HELP_WORDS[topic])


def test_help_stop_names_every_kind_of_letters() -> None:
    assert [] == [name for name in CATEGORIES if name not in ROWS["stop"].usage]


def test_the_page_on_letters_has_every_kind() -> None:
    listed = re.search(r"\*\*Kinds of letters\*\* that can be stopped: ([a-z, ]+)\.", OF_PLAYERS)
    assert listed, "docs/play/letters.md has no list of kinds of letters"
    assert set(CATEGORIES) == set(listed[1].split(", ")), "mend the list in docs/play/letters.md"


def test_the_page_on_letters_has_every_word_that_cannot_be_taken_back() -> None:
    listed = re.search(r"Words that cannot be taken back \(`([a-z ]+)`\)", OF_BUILDERS)
    assert listed, "docs/build/letters.md has no list of words that cannot be taken back"
    assert IRREVERSIBLE == set(listed[1].split()), "mend the list in docs/build/letters.md"
