"""Reads answers to moments, such as `1 f2 f4`. A move alone answers the first open one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.core.exercises.analysis import Moment
from pbem.core.exercises.answer import read_answer
from rules.contract import RulesError

_NUMBERED = re.compile(r"(?:moment\s*)?#?([1-9])(?:\s*[.):]\s*|\s+)(\S.*)", re.IGNORECASE)


@dataclass(frozen=True)
class MomentAnswer:
    """A line's answer to moment `n`: a legal move, or a reason."""

    n: int
    move: str = ""
    problem: str = ""
    line: str = ""


def read_moment_answers(words: str, moments: Sequence[Moment]) -> list[MomentAnswer]:
    """The answers in the lines of a mail; other lines are prose."""
    found: list[MomentAnswer] = []
    for line in words.splitlines():
        answered = {answer.n for answer in found if answer.move}
        if answer := _read_line(line.strip(), moments, answered):
            found.append(replace(answer, line=line))
    return found


def _read_line(line: str, moments: Sequence[Moment], answered: set[int]) -> MomentAnswer | None:
    numbered = _NUMBERED.fullmatch(line)
    if numbered and int(numbered[1]) <= len(moments):
        moment = moments[int(numbered[1]) - 1]
        answer = _read_move(numbered[2], moment)
        if answer and (moment.said or moment.n in answered):
            return MomentAnswer(moment.n, problem=f"You have answered number {moment.n} before.")
        if answer:
            return answer
    first = next((each for each in moments if not each.said and each.n not in answered), None)
    return None if first is None else _read_move(line, first)


def _read_move(text: str, moment: Moment) -> MomentAnswer | None:
    """Return the answer that a text is; None for prose."""
    try:
        move = read_answer(moment.position, text)
    except RulesError as error:
        return MomentAnswer(moment.n, problem=f"Number {moment.n}: {error}")
    return None if move is None else MomentAnswer(moment.n, str(move))
