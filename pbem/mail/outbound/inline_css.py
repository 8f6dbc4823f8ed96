"""The look of the HTML part: `_letter.css` as inline styles, because mail programs drop style sheets."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2.ext import Extension

from pbem.resources import find_template

Styles = Mapping[str, str]
"""A tag's or a class's name -> its style."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"\.?([\w-]+)\s*\{\s*([^}]*?)\s*\}")
_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^<>]*)>")
_CLASS = re.compile(r' class="([\w-]+)"')


@cache
def load_styles(own: Path | None = None) -> Styles:
    """Return the style of each tag and class. The operator's own folder is searched before ours."""
    rules = _COMMENT.sub("", find_template("mail/_letter.css", own).read_text(encoding="utf-8"))
    return dict(_RULE.findall(rules))


def add_styles(html: str, styles: Styles) -> str:
    """Add the style of a class, or else of its tag. Raises KeyError for a class without a rule."""

    def tag(match: re.Match[str]) -> str:
        name, attributes = match[1], match[2]
        wanted = _CLASS.search(attributes)
        if wanted is not None:
            return f'<{name} style="{styles[wanted[1]]}"{attributes.replace(wanted[0], "", 1)}>'
        return f'<{name} style="{styles[name]}"{attributes}>' if name in styles else match[0]

    return _TAG.sub(tag, html)


class InlineStyles(Extension):
    """Adds styles to every template as it is loaded. The environment's global `styles` has the rules."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        styles: Any = self.environment.globals["styles"]
        return add_styles(source, styles)
