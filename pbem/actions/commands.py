"""The handlers of commands: those in `COMMANDS` of each module of this package, found by being there."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from pbem.actions.context import Handler


@cache
def handlers() -> MappingProxyType[str, Handler]:
    """The handler of each command word that is not about one game."""
    found: dict[str, Handler] = {}
    for module in iter_modules(import_module(__package__).__path__, f"{__package__}."):
        found |= getattr(import_module(module.name), "COMMANDS", {})
    return MappingProxyType(found)
