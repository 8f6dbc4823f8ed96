"""A ply while it is composed: its text so far, and what may come next.

Values only; `rules.contract`, of which these are a part, hands them on.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One thing that can be done next while a ply is composed.

    `text` is the whole ply's text after it; `cell` is the cell to click (as the picture names it), "" for a
    control; `label` is what a control says, or what clicking the cell does (for those who hear the page).
    """

    text: str
    label: str
    cell: str = ""


@dataclass(frozen=True)
class Amount:
    """A whole number that is still to be chosen: `before` + number + `after` is the ply's text.

    `usual` is what a field for it begins with, `least` where nothing is said: a number that does no harm.
    """

    label: str
    least: int
    most: int
    before: str = ""
    after: str = ""
    usual: int | None = None

    @property
    def first(self) -> int:
        """The number that a field for it begins with."""
        return self.least if self.usual is None else self.usual


@dataclass(frozen=True)
class Draft:
    """A ply half made: its text so far, what may come next (legal alone), whether it can be sent so.

    `hint` is one short sentence: what is awaited now. `back` is the text before the last thing done; None at
    the beginning.
    """

    text: str
    choices: tuple[Choice, ...] = ()
    amounts: tuple[Amount, ...] = ()
    complete: bool = False
    hint: str = ""
    back: str | None = None
