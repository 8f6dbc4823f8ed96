"""The rules of games, written with the standard library alone and without knowledge of mail or `pbem`.

`RULES` holds the modules of `rules/games/` and the entry points `pbem.rules` of other packages. The entry
points are searched on first use, so a package may import `rules` before it defines its own game.
"""

import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from pkgutil import iter_modules

from rules import games, notation
from rules.contract import Rules

GROUP = "pbem.rules"


class _Games(Mapping[str, Rules]):
    """The games, sorted by key. A package that reads this while it is loaded finds only earlier games."""

    _all: dict[str, Rules] | None = None

    def __init__(self) -> None:
        self.faults: dict[str, str] = {}

    @cached_property
    def own(self) -> Mapping[str, Rules]:
        names = [f"{games.__name__}.{module.name}" for module in iter_modules(games.__path__)]
        return {found.key: found for found in (import_module(name).RULES for name in names)}

    def _find(self) -> Mapping[str, Rules]:
        if self._all is None:
            self._all = dict(self.own)
            for point in entry_points(group=GROUP):
                if fault := _add(point, self._all):
                    whose = f"the package {point.dist.name}" if point.dist else "a package"
                    told = f"The game {point.name} of {whose} ({point.value}) is left out: {fault}"
                    self.faults[point.name] = told
                    warnings.warn(told, RuntimeWarning, stacklevel=1)
            self._all = dict(sorted(self._all.items()))
        return self._all

    def add(self, found: Rules) -> str:
        """Add a game that no package brings; returns why it cannot be added, or ""."""
        known = dict(self._find())
        both = sorted({word for rules in known.values() for word in _words(rules)} & _words(found))
        if both:
            return f"another game is called {both[0]} too"
        self._all = dict(sorted([*known.items(), (found.key, found)]))
        return ""

    def __getitem__(self, key: str) -> Rules:
        return self.own[key] if key in self.own else self._find()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._find())

    def __len__(self) -> int:
        return len(self._find())


def _add(point: EntryPoint, known: dict[str, Rules]) -> str:
    """Add a package's game; returns why it cannot be added, or ""."""
    try:
        found = point.load()
        if not isinstance(found, Rules):
            return f"it is no value of rules.contract.Rules but {type(found).__name__}"
        both = sorted({word for rules in known.values() for word in _words(rules)} & _words(found))
        if both:
            return f"another game is called {both[0]} too; remove one of the packages"
        known[found.key] = found
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _words(rules: Rules) -> set[str]:
    return {rules.key, rules.name.lower(), *rules.aliases, *rules.named}


_GAMES = _Games()
RULES: Mapping[str, Rules] = _GAMES


def find(word: str) -> Rules | None:
    """Return the game whose key, name or alias is `word`, in any case, or None."""
    wanted = " ".join(word.split()).lower()
    every = chain(_GAMES.own.values(), RULES.values())
    return next((rules for rules in every if wanted in _words(rules)), None)


def find_near(word: str) -> Rules | None:
    """Return the game that `word` names, even with one typing mistake, or None."""
    near = (rules for key, rules in RULES.items() if len(key) > 3 and notation.one_slip(word.lower(), key))
    return find(word) or next(near, None)


def add(found: Rules) -> str:
    """Add a game that no package brings. Return why it cannot be added, or ""."""
    return _GAMES.add(found)


def leave_out(name: str, told: str) -> None:
    """Keep a sentence about a game that cannot be added, for `left_out`."""
    _GAMES.faults[name] = told


def names() -> frozenset[str]:
    """Return all words that call a game, in lower case."""
    return frozenset(word for rules in RULES.values() for word in _words(rules))


def left_out() -> Mapping[str, str]:
    """Return the games of other packages that cannot be used: entry point -> a sentence that says why."""
    len(RULES)
    return _GAMES.faults
