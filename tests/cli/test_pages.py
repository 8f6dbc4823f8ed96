"""The docs: commands that can be typed, links that lead somewhere, and no more words than can be read."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from pbem.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *DOCS, *sorted(ROOT.glob("deploy/**/*.md"))]
LINKING = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("benchmarks/*.md"))]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
MOST_WORDS = 23_600
NAMES = "|".join(COMMANDS)
WRITTEN = re.compile(rf"(?:^|[\s(`])(?:\S*bin/)?pbem ((?:{NAMES})\b[^`\n|#&)]*)")
CODE = re.compile(r"`([^`\n]+)`|^ {4,}(.+)$", re.MULTILINE)


def commands(page: Path) -> list[str]:
    """The commands on a page, in code alone."""
    pieces = [found[1] or found[2] for found in CODE.finditer(page.read_text())]
    return sorted({found[1].strip() for piece in pieces for found in WRITTEN.finditer(piece)})


def named() -> list[tuple[str, str]]:
    return [(str(page.relative_to(ROOT)), words) for page in PAGES for words in commands(page)]


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


def anchors(page: Path) -> set[str]:
    """The names by which links reach the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_between_pages_leads_somewhere(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text()):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


def test_each_picture_of_the_docs_is_shown() -> None:
    shown = {Path(path).name for page in LINKING for path, _ in LINK.findall(page.read_text())}
    assert {path.name for path in (ROOT / "docs/images").iterdir()} <= shown


def test_the_docs_stay_short_enough_to_be_read() -> None:
    assert sum(len(page.read_text().split()) for page in DOCS) <= MOST_WORDS
