"""Sentences in code that players read, such as reasons of refusals, have plain words."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plain_words import old_words

PLACES = (
    "pbem/core/play",
    "pbem/core/lobby",
    "pbem/core/parsing",
    "pbem/duties",
    "pbem/commands",
    "pbem/inbox",
    "rules/games",
)
FILES = [path for place in PLACES for path in sorted(Path(place).rglob("*.py"))]


def sentences(path: Path) -> Iterator[str]:
    """The texts of several words in a module, without docstrings and lines of the log."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.value if " " in node.value and "%d" not in node.value else ""


@pytest.mark.parametrize("path", FILES, ids=str)
def test_sentences_for_players_have_plain_words(path: Path) -> None:
    assert {} == {words: found for words in sentences(path) if (found := old_words(words))}


def test_old_words_are_found() -> None:
    for words in (
        "ply 7",
        "The clocks of this game stand until noon.",
        "Nobody is told.",
        "It ends by itself.",
    ):
        assert old_words(words)
    for words in ("Things stand on e5.", "I understand.", "Standing orders", "reply to this letter"):
        assert not old_words(words)
