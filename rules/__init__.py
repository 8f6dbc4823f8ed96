"""Games: what may be played and how it ends. Standard library alone; knows nothing of mail or `pbem`.

`RULES` holds every game there is: those in `rules/games/`, each module defining `RULES`, and those of
other packages that name such a value in the entry-point group `pbem.rules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType

from rules import games
from rules.contract import Rules

GROUP = "pbem.rules"


def _found() -> Iterator[Rules]:
    for module in iter_modules(games.__path__):
        yield import_module(f"{games.__name__}.{module.name}").RULES
    for point in entry_points(group=GROUP):
        yield point.load()


def _collect() -> Mapping[str, Rules]:
    """The games by key, in order of key; two of one name are a mistake of the installation."""
    by_key: dict[str, Rules] = {}
    for rules in _found():
        if rules.key in by_key:
            raise ImportError(f"two games call themselves {rules.key}: remove one of the packages")
        by_key[rules.key] = rules
    return MappingProxyType(dict(sorted(by_key.items())))


RULES: Mapping[str, Rules] = _collect()


def find(word: str) -> Rules | None:
    """The game that `word` names, by key, name or alias in any case; None where there is none."""
    wanted = " ".join(word.split()).lower()
    for rules in RULES.values():
        if wanted in (rules.key, rules.name.lower(), *rules.aliases):
            return rules
    return None


__all__ = ["GROUP", "RULES", "find"]
