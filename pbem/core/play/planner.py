"""A tree of plies that a player grows on a board, to keep its answers as conditional moves.

Each line is written as in a mail: `if f2 then g3 if h4 then j5`. A line here may also end with the
other's ply. On the player's own turn a line begins with `then` and their ply.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import takewhile

from pbem.core.game.conditional import ConditionalPlan, PrivateRefusal, Steps, add_line, read_legal_ply
from rules.contract import Position, RulesError, Seat

PlanStep = tuple[str, str]
"""`if` and a ply of the other, or `then` and an own one."""
PlanLine = tuple[PlanStep, ...]

IF, THEN = "if", "then"
NO_ANSWER = "Your answer is still to be chosen."
TWO_ANSWERS = "This has an answer already, “{answer}”, and one can be kept; please remove one of the two."
TWICE = "One player would move twice in a row here, and a plan cannot say that."

_STEP = re.compile(r"(?:^|\s)(if|then)\s+(.*?)(?=\s(?:if|then)\s|$)")


def read_plan_line(text: str) -> PlanLine:
    return tuple((word, ply) for word, ply in _STEP.findall(text))


def write_plan_line(line: PlanLine) -> str:
    return " ".join(f"{word} {ply}" for word, ply in line)


def lines_of_plan(plan: ConditionalPlan, above: PlanLine = ()) -> Iterator[PlanLine]:
    """Yield each line of conditional moves, from the first ply to the last answer."""
    for branch in plan:
        when = [(IF, branch.when)] if branch.when else []
        line = (*above, *when, *((THEN, answer) for answer in branch.answers))
        yield from lines_of_plan(branch.then, line) if branch.then else [line]


@dataclass(frozen=True)
class PlanRow:
    """One row of the tree as it is shown: the other's ply with the answers to it."""

    line: PlanLine
    start: int
    """The number of steps in the rows above."""
    label: str
    problem: str = ""
    """The reason why it cannot be kept."""

    @property
    def depth(self) -> int:
        return self.label.count(".")

    @property
    def places(self) -> list[tuple[PlanStep, PlanLine]]:
        """Each step of the row, with the line that leads to the board after it."""
        return [(self.line[n], self.line[: n + 1]) for n in range(self.start, len(self.line))]


@dataclass(frozen=True)
class PlanTree:
    """Lines of plies from the position, in the order of the tree; none begins another."""

    lines: tuple[PlanLine, ...] = ()

    def with_line(self, line: PlanLine) -> "PlanTree":
        """Return the tree with a line, beside those that share most with it."""
        if any(_begins(line, each) for each in self.lines):
            return self
        shared = [_shared(line, each) for each in self.lines]
        most = max(shared, default=0)
        place = max((n for n, count in enumerate(shared, 1) if count == most), default=0)
        grown = [*self.lines[:place], line, *self.lines[place:]]
        return PlanTree(tuple(each for each in grown if each == line or not _begins(each, line)))

    def without(self, row: PlanRow) -> "PlanTree":
        """Return the tree without a row and all that follows it."""
        left = PlanTree(tuple(each for each in self.lines if not _begins(row.line, each)))
        above = row.line[: row.start]
        return left.with_line(above) if above else left

    def after(self, plies: Sequence[str]) -> "PlanTree":
        """Return what is left of the tree after these plies."""
        left = self.lines
        for ply in plies:
            left = tuple(line[1:] for line in left if len(line) > 1 and line[0][1] == ply)
        return PlanTree(left)

    def rows(self, problems: Mapping[PlanLine, str]) -> Iterator[PlanRow]:
        """Yield the tree's rows from above, labelled as in the list of conditional moves."""
        labels: dict[PlanLine, str] = {(): ""}
        counts: dict[PlanLine, int] = {}
        for line in self.lines:
            starts = [n for n, (word, _) in enumerate(line) if n == 0 or word == IF]
            for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
                shown, above = line[:end], line[:start]
                if shown in labels:
                    continue
                counts[above] = counts.get(above, 0) + 1
                labels[shown] = f"{labels[above]}{'.' if above else ''}{counts[above]}"
                yield PlanRow(shown, start, labels[shown], problems.get(shown, ""))


@dataclass(frozen=True)
class JudgedPlan:
    """The part of a tree that can be kept, in two forms, and why other rows cannot be kept."""

    lines: tuple[PlanLine, ...] = ()
    plan: ConditionalPlan = ()
    problems: Mapping[PlanLine, str] = field(default_factory=dict)

    @property
    def written(self) -> list[str]:
        """The lines of a mail."""
        return [write_plan_line(line) for line in self.lines]


def judge_tree(tree: PlanTree, position: Position, seat: Seat) -> JudgedPlan:
    """Judge a tree by the check of a mail's `if` lines. The first of two answers can be kept."""
    return reduce(partial(_judge_line, position=position, seat=seat), tree.lines, JudgedPlan())


def _judge_line(judged: JudgedPlan, line: PlanLine, position: Position, seat: Seat) -> JudgedPlan:
    end, problems = _end_of_turns(line), dict(judged.problems)
    answered = line[: end - 1] if line[:end] and line[end - 1][0] == IF else line[:end]
    if end < len(line):
        first_row = sum(1 for _ in takewhile(lambda step: step[0] == THEN, line))
        problems[line[: end or first_row]] = TWICE
    elif answered != line:
        problems[line] = NO_ANSWER
    judged = replace(judged, problems=problems)
    if not answered or any(_begins(answered, each) for each in judged.lines):
        return judged
    try:
        _refuse_second_answer(judged.lines, answered)
        plan = add_line(judged.plan, _steps(answered), position, seat)
    except PrivateRefusal as refusal:
        return _judge_shorter(judged, answered, str(refusal), position, seat)
    return JudgedPlan((*judged.lines, answered), plan, problems)


def _judge_shorter(
    judged: JudgedPlan, line: PlanLine, problem: str, position: Position, seat: Seat
) -> JudgedPlan:
    """Judge a refused line without its last row, which has the problem if the rows above have none."""
    above = line[: max(n for n, (word, _) in enumerate(line) if word == IF)]
    judged = _judge_line(judged, above, position, seat)
    if above and not any(_begins(above, each) for each in judged.lines):
        return judged
    return replace(judged, problems={**judged.problems, line: problem})


def _end_of_turns(line: PlanLine) -> int:
    """Return the number of steps that a mail can say: the other's ply, the answers to it, and so on."""
    words = [THEN, *(word for word, _ in line)]
    again = (n for n in range(len(line)) if words[n + 1] == IF == words[n] or (n == 0 and words[1] == THEN))
    return next(again, len(line))


def _refuse_second_answer(lines: Iterable[PlanLine], line: PlanLine) -> None:
    for each in lines:
        parted = _shared(each, line)
        (word, answer), (other_word, _) = (*each, ("", ""))[parted], (*line, ("", ""))[parted]
        if word == other_word == THEN:
            raise PrivateRefusal(TWO_ANSWERS.format(answer=answer))


def _steps(line: PlanLine) -> Steps:
    """Return the line as conditions with their answers."""
    starts = [n for n, (word, _) in enumerate(line) if word == IF]
    parts = [line[start:end] for start, end in zip(starts, [*starts[1:], len(line)], strict=True)]
    return [(part[0][1], [ply for _, ply in part[1:]]) for part in parts]


def position_after_line(position: Position, line: PlanLine) -> Position | None:
    """Return the position after a line's plies, or None if the line has a word such as `any`."""
    try:
        for _, ply in line:
            position = position.follow(read_legal_ply(position, ply)[0])
    except RulesError:
        return None
    return position


def _begins(start: PlanLine, line: PlanLine) -> bool:
    return line[: len(start)] == start


def _shared(one: PlanLine, another: PlanLine) -> int:
    """Return the number of steps that two lines begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, another, strict=False)))
