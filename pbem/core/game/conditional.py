"""Conditional moves: a player's answers to future moves of the other.

They form a tree. A branch names a move of the other (or `any`, or `draw` for the offer of one), the player's
answers to it, and the branches that follow. The tree starts at the position after its owner's last ply. Moves
are compared by the position they reach, never by spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Any

from rules.contract import Move, Position, RulesError, Seat, StandingOrder, other

ANY, DRAW, RESIGN, ACCEPT, DECLINE = "any", "draw", "resign", "accept", "decline"
NEXT = ""
"""In place of a move: answers due at once, as the same player continues."""

MAX_DEEP = 10
"""Maximum answers below each other."""
MAX_ANSWERS = 50
"""Maximum answers in all conditional moves of a player."""

SAMPLES = 30
"""Multi-part plies to try before an answer to `any` counts as impossible."""

Steps = Sequence[tuple[str, Sequence[str]]]
"""One line as written: the other's moves, each with its answers."""


class Unplannable(RulesError):
    """Conditional moves that cannot be stored; `str()` is one sentence for their owner."""


@dataclass(frozen=True)
class Branch:
    """A condition `when`, its `answers`, and the branches after them in `then`."""

    when: str
    answers: tuple[str, ...]
    then: ConditionalPlan = ()


ConditionalPlan = tuple[Branch, ...]


@dataclass(frozen=True)
class Planned:
    """Conditional moves, and the number of plies before them. The other player makes the next one."""

    ply: int
    plan: ConditionalPlan


@dataclass(frozen=True)
class Row:
    """One branch for display: label `2.1`, condition and answers."""

    label: str
    when: str
    answers: tuple[str, ...]

    @property
    def text(self) -> str:
        """The branch as its owner would write it."""
        return written(self.when, self.answers)


def written(when: str, answers: Sequence[str]) -> str:
    """A branch as `if f2 then g3`."""
    return f"if {when} then {' then '.join(answers)}" if when else " then ".join(answers)


def data_of(plan: ConditionalPlan) -> list[dict[str, Any]]:
    """Conditional moves as plain JSON data, for the journal."""
    return [{"if": b.when, "then": list(b.answers), "next": data_of(b.then)} for b in plan]


def plan_of(data: Sequence[Mapping[str, Any]]) -> ConditionalPlan:
    """The inverse of `data_of`."""
    return tuple(Branch(each["if"], tuple(each["then"]), plan_of(each["next"])) for each in data)


def rows(plan: ConditionalPlan, above: str = "") -> Iterator[Row]:
    """Every branch, each followed by its own branches."""
    for number, branch in enumerate(plan, 1):
        label = f"{above}{number}"
        yield Row(label, branch.when, branch.answers)
        yield from rows(branch.then, f"{label}.")


def answers_in(plan: ConditionalPlan) -> int:
    """The number of answers in the tree."""
    return sum(len(branch.answers) + answers_in(branch.then) for branch in plan)


def depth_of(plan: ConditionalPlan) -> int:
    """The depth of the tree, in answers."""
    return max((len(branch.answers) + depth_of(branch.then) for branch in plan), default=0)


# Writing.


def entered(plan: ConditionalPlan, steps: Steps, position: Position, seat: Seat) -> ConditionalPlan:
    """The conditional moves of `seat` on `position`, with one more line.

    A line that they hold already changes nothing. The line is played through; raises Unplannable with the
    faulty step and the reason.
    """
    if len(steps) > MAX_DEEP:
        raise Unplannable(_too_deep())
    grown = _grown(plan, steps, _Place(position, seat))
    if depth_of(grown) > MAX_DEEP:
        raise Unplannable(_too_deep())
    if answers_in(grown) > MAX_ANSWERS:
        raise Unplannable(f"A plan holds at most {MAX_ANSWERS} answers, and this would make it more.")
    return grown


def _too_deep() -> str:
    return f"A plan goes at most {MAX_DEEP} answers deep, and this one goes deeper."


@dataclass(frozen=True)
class _Place:
    """The position at one point of a line. `known` is False after `any`, since the board is unknown then."""

    position: Position
    seat: Seat
    known: bool = True
    step: str = ""
    """The step being read, for error messages."""

    def played(self, text: str, *, mine: bool) -> tuple[str, _Place]:
        """The canonical text of a ply, and the place after it. Raises Unplannable."""
        try:
            move = self.position.read(text)
            if not self.known:
                return str(move), self
            ply, standing = self.position.split(move)
            sentence = self.position.problem(ply)
        except RulesError as error:
            raise self.cannot(text, str(error)) from None
        if sentence is not None:
            raise self.cannot(text, sentence)
        if standing is not None and not mine:
            raise self.cannot(text, "what the other leaves for later is hidden, so name the ply alone.")
        return str(move), replace(self, position=self.position.follow(ply))

    def cannot(self, text: str, sentence: str) -> Unplannable:
        sentence = sentence if sentence.startswith(text) else f"{text}: {sentence}"
        return Unplannable(f'In "{self.step}" of your plan, {sentence}')

    def awaits(self, seat: Seat) -> bool:
        """True if `seat` may play here; always on an unknown board."""
        return not self.known or self.position.to_play == seat


def _grown(plan: ConditionalPlan, steps: Steps, place: _Place) -> ConditionalPlan:
    (when, texts), rest = steps[0], steps[1:]
    place = replace(place, step=written(when, texts))
    if not place.awaits(other(place.seat)):
        raise place.cannot(when, _not_theirs(place))
    name, reached = _condition(when, place)
    found = next((b for b in plan if _same(b.when, name, place)), None)
    answers, after = _answers(name, texts, reached)
    if name == ANY and place.known and answers[0] != RESIGN:
        _may_come(place, answers[0])
    if found is not None and found.answers != answers and not _alike(found.answers, answers, reached):
        sentence = f'it is answered by "{" then ".join(found.answers)}" already; write "if clear" before it'
        raise place.cannot(when, f"{sentence} to plan anew.")
    branch = found or Branch(name, answers)
    if rest and after is None:
        raise place.cannot(texts[-1], "nothing can come after that.")
    if rest and after is not None:
        branch = replace(branch, then=_grown(branch.then, rest, after))
    if found is not None:
        return tuple(branch if b is found else b for b in plan)
    return (*plan, branch)


def _may_come(place: _Place, answer: str) -> None:
    """Raise Unplannable for an answer to `any` that is never possible."""
    sentence = ""
    for ply in _plies_of_the_other(place.position):
        after = place.position.follow(ply)
        if after.to_play == place.seat:
            try:
                playable(after, answer)
                return
            except RulesError as error:
                sentence = sentence or str(error)
    raise place.cannot(answer, sentence or "it would still be the other's turn after it.")


def _plies_of_the_other(position: Position) -> Iterator[Move]:
    """All one-part plies that `any` means, and samples of multi-part ones."""
    rng = Random(0)
    sampled = (position.sample(rng) for _ in range(SAMPLES))
    return (ply for ply in chain(position.moves(), sampled) if str(ply) not in position.rules.pie_words)


def _not_theirs(place: _Place) -> str:
    if place.position.outcome is not None:
        return "the game would be over before it."
    return 'it would still be your own turn before it; write "then" and your next ply.'


def _condition(when: str, place: _Place) -> tuple[str, _Place]:
    """The other's move, and the place after it."""
    if when in (ANY, DRAW):
        return when, replace(place, known=False)
    name, reached = place.played(when, mine=False)
    if reached.position.outcome is not None:
        raise place.cannot(when, "that ends the game, so there is nothing to answer.")
    if not reached.awaits(place.seat):
        raise place.cannot(
            when, "it would still be the other's turn after it, so there is nothing to answer."
        )
    return name, reached


def _answers(when: str, texts: Sequence[str], place: _Place) -> tuple[tuple[str, ...], _Place | None]:
    """The answers to `when`, and the place after them. None if nothing can follow."""
    if when == DRAW:
        if len(texts) > 1 or texts[0] not in (ACCEPT, DECLINE):
            raise place.cannot(texts[0], 'the offer of a draw is answered by "accept" or "decline".')
        return (texts[0],), None
    names: list[str] = []
    for number, text in enumerate(texts, 1):
        if text in (ACCEPT, DECLINE):
            raise place.cannot(text, 'that answers the offer of a draw: write "if draw then" before it.')
        if not place.awaits(place.seat):
            raise place.cannot(text, _not_mine(place))
        if text == RESIGN:
            if number < len(texts):
                raise place.cannot(texts[number], "nothing can come after you have resigned.")
            return (*names, text), None
        name, place = place.played(text, mine=True)
        names.append(name)
    return tuple(names), place


def _not_mine(place: _Place) -> str:
    if place.position.outcome is not None:
        return "the game would be over before it."
    return 'it would be the other\'s turn; write "if" and what the other plays.'


def _same(one: str, another: str, place: _Place) -> bool:
    """True if two names mean the same move of the other."""
    if one == another or not place.known:
        return one == another
    there = reached(place.position, one)
    return there is not None and there == reached(place.position, another)


def _alike(some: Sequence[str], others: Sequence[str], place: _Place) -> bool:
    """True if two rows of answers reach the same position. Neither may leave standing orders."""
    if not place.known or RESIGN in (some[-1], others[-1]):
        return False
    ends = [_end(place.position, texts) for texts in (some, others)]
    return ends[0] is not None and ends[0] == ends[1]


def _end(position: Position | None, texts: Sequence[str]) -> Position | None:
    for text in texts:
        if position is not None:
            position = reached(position, text)
    return position


# Following.


def reached(position: Position, text: str) -> Position | None:
    """The position after a legal ply without standing orders, or None."""
    if text in (ANY, DRAW, NEXT, RESIGN, ACCEPT, DECLINE):
        return None
    try:
        ply, standing = playable(position, text)
        return position.follow(ply) if standing is None else None
    except RulesError:
        return None


def playable(position: Position, text: str) -> tuple[Move, StandingOrder | None]:
    """A legal ply with its standing orders; raises RulesError."""
    move, standing = position.split(position.read(text))
    position.play(move)
    return move, standing


def chosen(plan: ConditionalPlan, before: Position, move: str, now: Position) -> Branch | None:
    """The branch for the other's ply: one that names it, else `any` unless it is a pie move."""
    for branch in plan:
        if branch.when == move or reached(before, branch.when) == now:
            return branch
    if move in now.rules.pie_words:  # who exchanges sides changes what every answer is worth
        return None
    return next((branch for branch in plan if branch.when == ANY), None)


def left_of(branch: Branch) -> ConditionalPlan:
    """The rest after the branch's first answer."""
    if len(branch.answers) > 1:
        return (Branch(NEXT, branch.answers[1:], branch.then),)
    return branch.then


def to_offer(plan: ConditionalPlan) -> str | None:
    """The answer to a draw offer, or None."""
    return next((branch.answers[0] for branch in plan if branch.when == DRAW), None)
