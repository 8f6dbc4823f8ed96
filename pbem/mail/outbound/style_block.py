"""The look of the HTML part: one style block, with those rules of `_letter.css` that the letter needs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from pbem.resources import find_template

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+?)\s*\{\s*([^{}]*?)[;\s]*\}")
_NAME = re.compile(r"\.?[a-z][\w-]*")
_PAIR = re.compile(r"light-dark\(([^(),]+),\s*([^()]+)\)")
_TAG = re.compile(r'<([a-z][a-z0-9]*)\b(?:[^<>]*? class=(?:"([^"<>]*)"|([\w-]+)))?')


@dataclass(frozen=True)
class Rule:
    """One selector with its style, the tags and `.classes` in it, and what differs in the dark."""

    names: frozenset[str]
    selector: str
    light: str
    dark: str


@cache
def load_rules(own: Path | None = None) -> tuple[tuple[Rule, ...], ...]:
    """Return the rules, each by its selectors. The operator's own folder is searched before ours."""
    source = _COMMENT.sub("", find_template("mail/_letter.css", own).read_text(encoding="utf-8"))
    return tuple(tuple(_selectors(*found)) for found in _RULE.findall(source))


def _selectors(selectors: str, style: str) -> Iterator[Rule]:
    differing = ";".join(part for part in style.split(";") if _PAIR.search(part))
    light, dark = _PAIR.sub(r"\1", style), _PAIR.sub(r"\2", differing)
    for selector in selectors.split(","):
        yield Rule(frozenset(_NAME.findall(selector)), " ".join(selector.split()), light, dark)


def style_block(html: str, own: Path | None = None) -> str:
    """Return the style sheet of a letter: the rules whose tags and classes all occur in `html`."""
    return _sheet(_used(html), own)


def classes_without_rule(html: str, own: Path | None) -> list[str]:
    """Return the classes of a template that no rule names."""
    known = {name for rule in load_rules(own) for one in rule for name in one.names}
    return sorted(name[1:] for name in _used(html) - known if name.startswith(".") and "{" not in name)


def _used(html: str) -> frozenset[str]:
    used: set[str] = set()
    for tag, several, one in set(_TAG.findall(html)):
        used |= {tag, *(f".{name}" for name in (several or one).split())}
    return frozenset(used)


@lru_cache(256)
def _sheet(used: frozenset[str], own: Path | None) -> str:
    wanted = [[one for one in rule if one.names <= used] for rule in load_rules(own)]
    rules = [(",".join(one.selector for one in rule), rule[0].light, rule[0].dark) for rule in wanted if rule]
    light = [f"{selectors}{{{style}}}" for selectors, style, _ in rules]
    dark = [f"{selectors}{{{style}}}" for selectors, _, style in rules if style]
    return "\n".join([*light, "@media (prefers-color-scheme:dark){", *dark, "}"])
