"""Conditional moves: a tree of answers, compared by the positions they reach."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from random import Random
from typing import Any

from pbem.core.errors import Refusal
from rules.contract import Move, Position, RulesError, Seat, StandingOrder, other

ANY, DRAW, RESIGN, ACCEPT, DECLINE = "any", "draw", "resign", "accept", "decline"
ANSWER_AT_ONCE = ""
"""In place of a move: answers due at once, as the same player continues."""

MAX_DEEP = 10
MAX_ANSWERS = 50

SAMPLES = 30
"""Multi-part plies to try before an answer to `any` counts as impossible."""

NOT_THEIRS = 'it would still be your own turn before it; write "then" and your next move.'
STILL_THEIRS = "it would still be the other's turn after it, so there is nothing to answer."
NOT_MINE = 'it would be the other\'s turn; write "if" and what the other plays.'

Steps = Sequence[tuple[str, Sequence[str]]]
"""One line as written: the other's moves, each with its answers."""


class PrivateRefusal(Refusal):
    """A refusal that reveals conditional moves. Only their owner may see it, never a log."""


@dataclass(frozen=True)
class Branch:
    when: str
    answers: tuple[str, ...]
    then: "ConditionalPlan" = ()

    @property
    def text(self) -> str:
        return branch_text(self.when, self.answers)


ConditionalPlan = tuple[Branch, ...]


@dataclass(frozen=True)
class ConditionalMoves:
    """Conditional moves, and the number of plies before them. The other player makes the next one."""

    ply: int
    plan: ConditionalPlan


@dataclass(frozen=True)
class ConditionalStop:
    """The reason why conditional moves did not answer. The game may have one of its own."""

    why: str
    answer: str = ""
    reason: str = ""


def branch_text(when: str, answers: Sequence[str]) -> str:
    return f"if {when} then {' then '.join(answers)}" if when else " then ".join(answers)


def plan_data(plan: ConditionalPlan) -> list[dict[str, Any]]:
    return [{"if": b.when, "then": list(b.answers), "next": plan_data(b.then)} for b in plan]


def plan_from_data(data: Sequence[Mapping[str, Any]]) -> ConditionalPlan:
    return tuple(Branch(each["if"], tuple(each["then"]), plan_from_data(each["next"])) for each in data)


def branch_rows(plan: ConditionalPlan, above: str = "") -> Iterator[tuple[str, Branch]]:
    for number, branch in enumerate(plan, 1):
        label = f"{above}{number}"
        yield label, branch
        yield from branch_rows(branch.then, f"{label}.")


def answers_in(plan: ConditionalPlan) -> int:
    return sum(len(branch.answers) + answers_in(branch.then) for branch in plan)


def depth_of(plan: ConditionalPlan) -> int:
    return max((len(branch.answers) + depth_of(branch.then) for branch in plan), default=0)


def add_line(plan: ConditionalPlan, steps: Steps, position: Position, seat: Seat) -> ConditionalPlan:
    """The conditional moves of `seat` on `position`, with one more line. Raises PrivateRefusal."""
    too_deep = PrivateRefusal(f"A plan goes at most {MAX_DEEP} answers deep, and this one goes deeper.")
    if len(steps) > MAX_DEEP:
        raise too_deep
    grown = _add_steps(plan, steps, _Place(position, seat))
    if depth_of(grown) > MAX_DEEP:
        raise too_deep
    if answers_in(grown) > MAX_ANSWERS:
        raise PrivateRefusal(f"A plan holds at most {MAX_ANSWERS} answers, and this would make it more.")
    return grown


@dataclass(frozen=True)
class _Place:
    """The position at one point of a line. `known` is False after `any`, since the board is unknown then."""

    position: Position
    seat: Seat
    known: bool = True
    step: str = ""

    def played(self, text: str, *, mine: bool) -> "tuple[str, _Place]":
        try:
            move = self.position.read(text)
            if not self.known:
                return str(move), self
            ply, standing = self.position.split(move)
            sentence = self.position.problem(ply)
        except RulesError as error:
            raise self.error_at(text, str(error)) from None
        if sentence is not None:
            raise self.error_at(text, sentence)
        if standing is not None and not mine:
            raise self.error_at(text, "what the other leaves for later is hidden, so name the move alone.")
        return str(move), replace(self, position=self.position.follow(ply))

    def error_at(self, text: str, sentence: str) -> PrivateRefusal:
        sentence = sentence if sentence.startswith(text) else f"{text}: {sentence}"
        return PrivateRefusal(f'In "{self.step}" of your plan, {sentence}')

    def check_turn(self, seat: Seat, text: str, sentence: str) -> None:
        if self.known and self.position.to_play != seat:
            over = self.position.outcome is not None
            raise self.error_at(text, "the game would be over before it." if over else sentence)


def _add_steps(plan: ConditionalPlan, steps: Steps, place: _Place) -> ConditionalPlan:
    (when, texts), rest = steps[0], steps[1:]
    place = replace(place, step=branch_text(when, texts))
    place.check_turn(other(place.seat), when, NOT_THEIRS)
    name, reached = _condition(when, place)
    found = next((b for b in plan if _same_other_move(b.when, name, place)), None)
    answers, after = _answers(name, texts, reached)
    if name == ANY and place.known and answers[0] != RESIGN:
        _check_possible(place, answers[0])
    if found is not None and found.answers != answers and not _same_end(found.answers, answers, reached):
        sentence = f'it is answered by "{" then ".join(found.answers)}" already; write "if clear" before it'
        raise place.error_at(when, f"{sentence} to plan anew.")
    branch = found or Branch(name, answers)
    if rest and after is None:
        raise place.error_at(texts[-1], "nothing can come after that.")
    if rest and after is not None:
        branch = replace(branch, then=_add_steps(branch.then, rest, after))
    if found is not None:
        return tuple(branch if b is found else b for b in plan)
    return (*plan, branch)


def _check_possible(place: _Place, answer: str) -> None:
    sentence, position, rng = "", place.position, Random(0)
    sampled = (position.sample(rng) for _ in range(SAMPLES))
    for ply in chain(position.moves(), sampled):
        if str(ply) in position.rules.pie_words:
            continue
        after = position.follow(ply)
        if after.to_play == place.seat:
            try:
                read_legal_ply(after, answer)
                return
            except RulesError as error:
                sentence = sentence or str(error)
    raise place.error_at(answer, sentence or "it would still be the other's turn after it.")


def _condition(when: str, place: _Place) -> tuple[str, _Place]:
    if when in (ANY, DRAW):
        return when, replace(place, known=False)
    name, reached = place.played(when, mine=False)
    if reached.position.outcome is not None:
        raise place.error_at(when, "that ends the game, so there is nothing to answer.")
    reached.check_turn(place.seat, when, STILL_THEIRS)
    return name, reached


def _answers(when: str, texts: Sequence[str], place: _Place) -> tuple[tuple[str, ...], _Place | None]:
    if when == DRAW:
        if len(texts) > 1 or texts[0] not in (ACCEPT, DECLINE):
            raise place.error_at(texts[0], 'the offer of a draw is answered by "accept" or "decline".')
        return (texts[0],), None
    names: list[str] = []
    for number, text in enumerate(texts, 1):
        if text in (ACCEPT, DECLINE):
            raise place.error_at(text, 'that answers the offer of a draw: write "if draw then" before it.')
        place.check_turn(place.seat, text, NOT_MINE)
        if text == RESIGN:
            if number < len(texts):
                raise place.error_at(texts[number], "nothing can come after you have resigned.")
            return (*names, text), None
        name, place = place.played(text, mine=True)
        names.append(name)
    return tuple(names), place


def _same_other_move(one: str, another: str, place: _Place) -> bool:
    if one == another or not place.known:
        return one == another
    there = position_after(place.position, one)
    return there is not None and there == position_after(place.position, another)


def _same_end(some: Sequence[str], others: Sequence[str], place: _Place) -> bool:
    """True if two rows of answers reach the same position. Neither may leave standing orders."""
    if not place.known or RESIGN in (some[-1], others[-1]):
        return False
    start: Position | None = place.position
    end, same = (reduce(position_after, texts, start) for texts in (some, others))
    return end is not None and end == same


def position_after(position: Position | None, text: str) -> Position | None:
    if position is None or text in (ANY, DRAW, ANSWER_AT_ONCE, RESIGN, ACCEPT, DECLINE):
        return None
    try:
        ply, standing = read_legal_ply(position, text)
        return position.follow(ply) if standing is None else None
    except RulesError:
        return None


def read_legal_ply(position: Position, text: str) -> tuple[Move, StandingOrder | None]:
    move, standing = position.split(position.read(text))
    position.play(move)
    return move, standing


def choose_branch(plan: ConditionalPlan, before: Position, move: str, now: Position) -> Branch | None:
    """Return the branch for the other's ply. A named ply comes before `any`, which takes no pie move."""
    for branch in plan:
        if branch.when == move or position_after(before, branch.when) == now:
            return branch
    if move in now.rules.pie_words:  # who exchanges sides changes what every answer is worth
        return None
    return next((branch for branch in plan if branch.when == ANY), None)


def remaining_branches(branch: Branch) -> ConditionalPlan:
    if len(branch.answers) > 1:
        return (Branch(ANSWER_AT_ONCE, branch.answers[1:], branch.then),)
    return branch.then
