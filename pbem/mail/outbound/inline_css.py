"""The look of the HTML part: `templates/mail/_letter.css`, written into tags as inline styles.

Mail programs drop style sheets, so each rule is one tag or one class, and it is put into the
templates while they are loaded, once; what a player wrote is escaped later and never touched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from jinja2.ext import Extension

from pbem.resources import find_template

Dress = Mapping[str, str]
"""A tag's or a class's name -> its style."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"\.?([\w-]+)\s*\{\s*([^}]*?)\s*\}")
_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^<>]*)>")
_CLASS = re.compile(r' class="([\w-]+)"')


@cache
def dress(own: Path | None = None) -> Dress:
    """The rules; the operator's own folder is searched before ours."""
    rules = _COMMENT.sub("", find_template("mail/_letter.css", own).read_text(encoding="utf-8"))
    return dict(_RULE.findall(rules))


def dressed(html: str, rules: Dress) -> str:
    """`html` with a style in every tag that has a rule; a class's rule takes the place of its tag's.

    Raises KeyError for a class without a rule.
    """

    def tag(match: re.Match[str]) -> str:
        name, attributes = match[1], match[2]
        wanted = _CLASS.search(attributes)
        if wanted is None:
            style = rules.get(name)
        else:
            style = rules[wanted[1]]
            attributes = attributes.replace(wanted[0], "", 1)
        return f'<{name} style="{style}"{attributes}>' if style else match[0]

    return _TAG.sub(tag, html)


class Dressing(Extension):
    """Dresses every template as it is loaded; `environment.dress` has the rules."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return dressed(source, _rules(self.environment))


def _rules(environment: Environment) -> Dress:
    rules: Any = environment.globals["dress"]
    assert isinstance(rules, dict)
    return rules
