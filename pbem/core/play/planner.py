"""A tree of plies that a player grows on a board, to keep its answers as conditional moves.

Each line is written as in a mail: `if f2 then g3 if h4 then j5`. A line here may also end with the other's ply, and
begins with `then` and the player's own ply if it is their turn.
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
    """What of a tree can be kept: its lines as conditional moves, and why rows of it cannot be."""

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
    unanswered = sum(1 for _ in takewhile(lambda step: step[0] == IF, reversed(line)))
    answered, problems = line[: len(line) - unanswered], dict(judged.problems)
    if unanswered:
        problems[line] = NO_ANSWER if unanswered == 1 else TWICE
    if not answered or answered in judged.lines:
        return replace(judged, problems=problems)
    try:
        _refuse_second_answer(judged.lines, answered)
        plan = add_line(judged.plan, _steps(answered), position, seat)
    except PrivateRefusal as refusal:
        return replace(judged, problems={**problems, answered: str(refusal)})
    return JudgedPlan((*judged.lines, answered), plan, problems)


def _refuse_second_answer(lines: Iterable[PlanLine], line: PlanLine) -> None:
    for each in lines:
        parted = _shared(each, line)
        (word, answer), (other_word, _) = (*each, ("", ""))[parted], (*line, ("", ""))[parted]
        if word == other_word == THEN:
            raise PrivateRefusal(TWO_ANSWERS.format(answer=answer))


def _steps(line: PlanLine) -> Steps:
    """Return the line as conditions with their answers. Raises PrivateRefusal if one player moves twice."""
    steps: list[tuple[str, list[str]]] = []
    for word, ply in line:
        if word == IF and (not steps or steps[-1][1]):
            steps.append((ply, []))
        elif word == THEN and steps:
            steps[-1][1].append(ply)
        else:
            raise PrivateRefusal(TWICE)
    return steps


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
