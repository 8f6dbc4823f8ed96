"""Each command of `pbem` that a page of the docs names is there, and takes its options and words."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from pbem.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").glob("*.md"), *ROOT.glob("deploy/*.md")]
)
NAMES = "|".join(COMMANDS)
WRITTEN = re.compile(rf"(?:^|[\s(`])(?:\S*bin/)?pbem ((?:{NAMES})\b[^`\n|#&)]*)")
CODE = re.compile(r"`([^`\n]+)`|^ {4,}(.+)$", re.MULTILINE)


def commands(page: Path) -> list[str]:
    """The commands on a page, in code alone."""
    pieces = [found[1] or found[2] for found in CODE.finditer(page.read_text())]
    return sorted({found[1].strip() for piece in pieces for found in WRITTEN.finditer(piece)})


def named() -> list[tuple[str, str]]:
    return [(page.name, words) for page in PAGES for words in commands(page)]


def test_the_pages_name_most_commands() -> None:
    assert {"serve", "backup", "restore", "migrate", "check"} <= {words.split()[0] for _, words in named()}
    assert 80 < len(named())


@pytest.mark.parametrize(("page", "words"), named(), ids=lambda each: each)
def test_a_command_on_a_page_can_be_typed(page: str, words: str) -> None:
    del page
    name, *rest = shlex.split(words)
    parse(main, name, rest)


def parse(group: click.Group, name: str, words: list[str]) -> None:
    """Read options and arguments without looking at what they name. Raises UsageError."""
    context = click.Context(group)
    command = group.get_command(context, name)
    assert command is not None, name
    _, left, _ = command.make_parser(click.Context(command, parent=context)).parse_args(words)
    if isinstance(command, click.Group) and left not in ([], ["…"]):
        parse(command, left[0], left[1:])
    else:
        assert not left or isinstance(command, click.Group)


def test_a_wrong_option_or_a_word_too_many_is_found() -> None:
    for words in ("backup --keeep 3 FILE", "restore FILE more", "event opened 1"):
        with pytest.raises((click.UsageError, AssertionError)):
            parse(main, words.split()[0], words.split()[1:])
