"""A ply while it is composed: its text, and what may follow."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One thing that can be done next while a ply is composed."""

    text: str
    """The whole ply's text after it."""
    label: str
    """A control's words, or the effect of the click for those who hear the page."""
    cell: str = ""
    """The cell to click, "" for a control."""


@dataclass(frozen=True)
class Amount:
    """A number still to be chosen. `before` + number + `after` is the ply's text."""

    label: str
    least: int
    most: int
    first: int
    """The number that a field for it begins with: one that does no harm."""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Draft:
    """A half-made ply: its text so far, and what may follow legally."""

    text: str
    choices: tuple[Choice, ...] = ()
    amounts: tuple[Amount, ...] = ()
    complete: bool = False
    hint: str = ""
    """One short sentence: what is awaited now."""
    back: str | None = None
    """The text before the last thing done, None at the beginning."""
