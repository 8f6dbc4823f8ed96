"""Lines that begin with `if`: conditional moves, faulty ones, or prose.

Faulty conditional moves must be refused: as words for the other player they would reveal the plan.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.game.conditional import ACCEPT, ANY, DECLINE, DRAW, RESIGN
from pbem.core.parsing.wrapping import may_continue, width
from rules.notation import one_slip

MAX_PLAN = 998
"""In characters; no line in a mail is longer."""
MAX_PIECES = 16
"""Maximum parts of one long line that a mail program broke."""
MAX_WRAPPED_WIDTH = 80
"""In columns; no mail program that wraps lines leaves longer ones."""
WRONG_FORM = (
    'This line begins like a plan and is none; a plan is written as "if", what the other plays, "then" and '
    'your answer. Words for the other begin with "say".'
)
MAYBE_WRAPPED = (
    "The lines of your plan are so long that a mail program may have broken one of them in two; please leave "
    "an empty line after each."
)
CONDITIONAL_AMONG_WORDS = (
    "There is a line of a plan among the words for your opponent, and nobody else is to see it; please write "
    "plans directly below your move."
)
ReadsAsMove = Callable[[str], bool]
"""True if a game reads a text as a move. A faulty move counts."""


@dataclass(frozen=True)
class PlanLine:
    """One line of conditional moves; `error`: its fault, if any; `args` as in `line.Command`."""

    args: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


_IF = re.compile(r"if(?:\s+(\S.*))?", re.IGNORECASE)
_CLEAR = re.compile(r"clear[.!]?", re.IGNORECASE)
_WORD = re.compile(r"\s+(if|then)(?=\s|$)", re.IGNORECASE)
_SLIP = re.compile(r"([A-Za-z]{1,3})\s+(.*\sthen\s.*)", re.IGNORECASE)


def read_plan_line(text: str, reads: ReadsAsMove) -> PlanLine | None:
    if len(text) > MAX_PLAN:
        return None
    found = _IF.fullmatch(text)
    if not found:
        slip = _SLIP.fullmatch(text)
        meant = slip and one_slip(slip[1].lower(), "if") and _steps(slip[2], reads) is not None
        return PlanLine(error=WRONG_FORM) if meant else None
    rest = (found[1] or "").strip()
    if _CLEAR.fullmatch(rest):
        return PlanLine({"clear": True})
    steps = () if not rest else _steps(rest, reads)
    if steps is not None:
        return PlanLine({"steps": steps})
    return PlanLine(error=WRONG_FORM) if _seems_meant(rest, reads) else None


def _steps(rest: str, reads: ReadsAsMove) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """The conditions with their answers, or None unless the whole line fits, one command alone."""
    if ";" in rest:
        return None
    first, *pieces = _WORD.split(f" {rest}")
    steps: list[tuple[str, list[str]]] = [(_without_punctuation(first, CONDITIONS), [])]
    for word, piece in zip(pieces[::2], pieces[1::2], strict=True):
        if word.lower() == "then":
            steps[-1][1].append(_without_punctuation(piece, ANSWERS))
        else:
            steps.append((_without_punctuation(piece, CONDITIONS), []))
    fits = all((when in CONDITIONS or reads(when)) and answers for when, answers in steps)
    given = (answer for _when, answers in steps for answer in answers)
    if not fits or not all(answer in ANSWERS or reads(answer) for answer in given):
        return None
    return tuple((when, tuple(answers)) for when, answers in steps)


CONDITIONS = frozenset({ANY, DRAW})
ANSWERS = frozenset({RESIGN, ACCEPT, DECLINE})


def _without_punctuation(piece: str, words: frozenset[str]) -> str:
    """A piece without its final comma or stop; our own words in standard spelling."""
    bare = piece.strip().rstrip(",.:").rstrip()
    small = " ".join(bare.lower().split())
    if small in ("resign yes", "accept draw", "decline draw"):
        small = small.split()[0]
    return small if small in words else bare


def _seems_meant(rest: str, reads: ReadsAsMove) -> bool:
    """True for a faulty line with a move in a move's place."""
    known = CONDITIONS | ANSWERS
    pieces = [_without_punctuation(piece, known) for piece in _WORD.split(f" {rest}")[::2]]
    if len(pieces) > 1 and any(piece in known or reads(piece) for piece in pieces if piece):
        return True
    words = rest.split()
    heads = [" ".join(words[:count]).rstrip(",.:") for count in range(1, min(len(words), 6) + 1)]
    if any(any(map(str.isdigit, head)) and reads(head) for head in heads):
        return True
    return (words[0].lower() in CONDITIONS or reads(words[0])) and any(map(reads, words[1:]))


def gather_wrapped_lines(
    text: str, below: Sequence[str], reads: ReadsAsMove
) -> tuple[PlanLine | None, str, int]:
    """Conditional moves from line `text` on, their text, and the number of lines that a program broke off.

    If the rest is complete too, nobody can know, so that is an error.
    """
    best, whole, above, joined = read_plan_line(text, reads), text, text, text
    count = 0
    for number, line in enumerate(map(str.strip, below[:MAX_PIECES]), 1):
        done = best is not None and not best.error
        wrapped = width(above) <= MAX_WRAPPED_WIDTH and may_continue(above, line)
        if not line or (done and not wrapped):
            break
        joined, above = f"{joined} {line}", line
        found = read_plan_line(joined, reads)
        if found is None or found.error:
            continue
        if done and read_plan_line(line, reads) is not None:
            return PlanLine(error=MAYBE_WRAPPED), joined, number
        best, whole, count = found, joined, number
    return best, whole, count
