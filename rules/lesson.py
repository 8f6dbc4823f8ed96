"""A lesson: a board, a question about a move, and a judgement of each answer.

A lesson is data. Tests prove its claim, so that no lesson teaches a falsehood.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Claim = Literal["ends", "stops", "wins", "most"]
"""The claim that makes the right answers right, and all other legal moves wrong:

    ends    they win at once
    stops   after them the other side cannot win at once
    wins    they win by force, whatever the answers are
    most    the lesson's measure is greatest after them
"""


@dataclass(frozen=True)
class Wrong:
    """The words on a wrong answer, and `reply`, the opponent's best move after it, or "".

    If the claim is `wins`, a reply wins by force; if the claim is `stops`, a reply wins at once.
    """

    why: str
    reply: str = ""


@dataclass(frozen=True)
class Lesson:
    """One lesson. Moves and answers are in canonical spelling, and words are whole sentences.

    `options` and `moves` lead to its board. `right` has the words on each right answer, `wrong` those on
    likely wrong ones, and `others` those on any other move. `others` has a reply only if that is legal after
    all of these moves that do not end the game. `hint` gives an idea and no move.
    """

    title: str
    teaches: str
    question: str
    options: Mapping[str, str]
    moves: tuple[str, ...]
    claim: Claim
    right: Mapping[str, str]
    others: Wrong
    hint: str
    wrong: Mapping[str, Wrong] = field(default_factory=lambda: MappingProxyType({}))
    measure: str = ""
    """The name, in the tests of lessons, of the number that `most` compares."""
