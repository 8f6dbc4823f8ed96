"""A ply while a player composes it: its text, and what may follow."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One possible next click while a ply is composed."""

    text: str
    """The text of the whole ply after this click."""
    label: str
    """The label of a control, or the effect of the click for those who hear the page."""
    cell: str = ""
    """The cell to click, "" for a control."""


@dataclass(frozen=True)
class Amount:
    """A number still to be chosen. `before` + number + `after` is the ply's text."""

    label: str
    least: int
    most: int
    first: int
    """The first value in the number's field: one that does no harm."""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Draft:
    """An unfinished ply: its text so far, and the legal ways to continue."""

    text: str
    choices: tuple[Choice, ...] = ()
    amounts: tuple[Amount, ...] = ()
    complete: bool = False
    hint: str = ""
    """One short sentence about the next step."""
    back: str | None = None
    """The text before the last click, None at the beginning."""
