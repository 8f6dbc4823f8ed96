"""Plain text with headings, lists and boards -> HTML, by its layout alone.

For the rules of a game, which are one text for mail and terminal: paragraphs stand apart by blank
lines, a heading is a line of capitals, ` * ` begins an item, and deeper indents are drawn boards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent

from markupsafe import Markup

from pbem.mail.outbound.inline_css import Dress, dressed

_ITEM = re.compile(r"(?m)^ \* ")


def prose_html(text: str, rules: Dress) -> Markup:
    """The text as HTML, dressed; the heading that begins it, its title, is left out."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    title, _, rest = blocks[0].partition("\n")
    if title.isupper():
        blocks[0] = rest
    return Markup("\n").join(Markup(dressed(tag, rules)) + words for tag, words in _pieces(blocks))


def _pieces(blocks: list[str]) -> Iterator[tuple[str, Markup]]:
    """Opening tags, and the escaped words with the closing ones."""
    for block in filter(None, blocks):
        lines = block.split("\n")
        if block.startswith(" * "):
            items = [" ".join(item.split()) for item in _ITEM.split(block)[1:]]
            yield "<ul>", Markup("\n")
            for item in items:
                yield "<li>", Markup("{}</li>").format(item)
            yield "", Markup("</ul>")
        elif all(line.startswith("  ") for line in lines):
            yield "<pre>", Markup("{}</pre>").format(dedent(block))
        elif block.isupper() and len(lines) == 1:
            yield "<h2>", Markup("{}</h2>").format(block[0] + block[1:].lower())
        else:
            yield "<p>", Markup("{}</p>").format("\n".join(line.strip() for line in lines))
