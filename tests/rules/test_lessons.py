"""Lessons: each claim is proved, and no answer is given away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from rules import RULES
from rules.balanced import EMPTY, Balanced
from rules.contract import Move, Position, Rules, Seat, other
from rules.lesson import Lesson
from rules.search.prove import prove_win
from rules.teaching import judge_answer, lesson_position
from tests.amount import some

MAX_NODES = 60_000
ALL = [(rules, n) for rules in RULES.values() for n in range(len(rules.lessons))]
each_lesson = pytest.mark.parametrize(("rules", "n"), ALL, ids=[f"{rules.key}-{n + 1}" for rules, n in ALL])


def _board(rules: Rules, n: int) -> tuple[Lesson, Position]:
    lesson = rules.lessons[n]
    return lesson, lesson_position(rules, lesson)


def _answers(lesson: Lesson, position: Position) -> Iterator[tuple[Move, Position, bool]]:
    """Each legal ply with the board after it, and whether the lesson calls it right.

    Where there are too many to list, those come that a search tries, those of one part, and some by chance.
    """
    rng = Random(1)
    more = () if position.complete else (*position.moves(), *(position.sample(rng) for _ in range(300)))
    for move in {str(move): move for move in (*position.actions(), *more)}.values():
        yield move, position.follow(move), judge_answer(lesson, position, move).right


def _wins(position: Position, seat: Seat) -> bool:
    if position.outcome is not None:
        return position.outcome.winner == seat
    return prove_win(position, seat, MAX_NODES) is not None


def _wins_at_once(position: Position, seat: Seat) -> bool:
    after = (position.follow(move).outcome for move in position.actions())
    return any(outcome is not None and outcome.winner == seat for outcome in after)


@pytest.mark.parametrize("rules", [rules for rules in RULES.values() if rules.lessons], ids=lambda r: r.key)
def test_a_game_has_three_to_six_lessons(rules: Rules) -> None:
    assert 3 <= len(rules.lessons) <= 6
    assert len({lesson.title for lesson in rules.lessons}) == len(rules.lessons)


@pytest.mark.parametrize(("rules", "n"), some(ALL, 11))
def test_the_claim_is_true(rules: Rules, n: int) -> None:
    lesson, position = _board(rules, n)
    assert position.complete or lesson.claim in ("ends", "most")
    CLAIMS[lesson.claim](lesson, position)


def _check_ends(lesson: Lesson, position: Position) -> None:
    for move, after, right in _answers(lesson, position):
        won = after.outcome is not None and after.outcome.winner == position.to_play
        assert won == right, move


def _check_stops(lesson: Lesson, position: Position) -> None:
    assert position.to_play is not None
    rival = other(position.to_play)
    for move, after, right in _answers(lesson, position):
        assert _wins_at_once(after, rival) != right, move


def _check_wins(lesson: Lesson, position: Position) -> None:
    assert position.to_play is not None
    seat, rival = position.to_play, other(position.to_play)
    for move, after, right in _answers(lesson, position):
        if right:
            assert _wins(after, seat), move
            continue
        reply = judge_answer(lesson, position, move).reply
        later = after.play(after.read(reply)) if reply else after
        assert _wins(later, rival), move


def _check_most(lesson: Lesson, position: Position) -> None:
    assert position.to_play is not None
    measure, seat = MEASURES[lesson.measure], position.to_play
    values = {right: set[float]() for right in (True, False)}
    for _, after, right in _answers(lesson, position):
        values[right].add(measure(after, seat))
    (best,) = values[True]
    assert best > max(values[False])


def _points(position: Position, seat: Seat) -> float:
    table = position.scores()
    return float(table[position.side(seat)]["points"] - table[position.side(other(seat))]["points"])


def _points_after_answer(position: Position, seat: Seat) -> float:
    return min(_points(position.follow(move), seat) for move in position.actions())


def _money(position: Position, seat: Seat) -> float:
    estate = position.data()["estates"][seat]
    return float(estate["pounds"] + estate["dollars"])


def _things(position: Position, seat: Seat) -> float:
    return float(position.data()["estates"][seat]["things"])


def _cards_then_pounds(position: Position, seat: Seat) -> float:
    estate = position.data()["estates"][seat]
    return float(len(estate["cards"]) + estate["pounds"] / 1000)


def _stones_touched(position: Position, seat: Seat) -> float:
    """The stones beside the last one."""
    assert isinstance(position, Balanced)
    (last,) = (cell for cell in range(len(position.cells)) if cell in position.last)
    return float(sum(position.cells[cell] != EMPTY for cell in position.board.near[last]))


def _discs(position: Position, seat: Seat) -> float:
    return float(position.scores()[position.side(seat)]["discs"])


def _stones(position: Position, seat: Seat) -> float:
    """The stones of a seat on the board less those of the other."""
    held = {label.partition(" ")[0]: len(cells) for label, cells in position.stones()}
    own, rival = (held.get(position.side(each) or "", 0) for each in (seat, other(seat)))
    return float(own - rival)


def _ways_to_five(position: Position, seat: Seat) -> float:
    """The empty cells of a small square where one more stone of a seat's makes five in a row or more."""
    names = position.picture().names
    stones, side = position.stones(), str(position.side(seat))
    own = {name for label, cells in stones if label.startswith(side) for name in cells}
    free = [name for name in names if not any(name in cells for _, cells in stones)]
    return float(sum(_five_through(own | {name}) for name in free))


def _five_through(own: set[str]) -> bool:
    places = {(ord(name[0]), int(name[1:])) for name in own}
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(
        all((x + n * dx, y + n * dy) in places for n in range(5)) for x, y in places for dx, dy in steps
    )


MEASURES = {
    "ways to five": _ways_to_five,
    "stones": _stones,
    "discs": _discs,
    "stones touched": _stones_touched,
    "points": _points,
    "points after the answer": _points_after_answer,
    "money": _money,
    "things": _things,
    "cards, then pounds": _cards_then_pounds,
}
CLAIMS = {
    "ends": _check_ends,
    "stops": _check_stops,
    "wins": _check_wins,
    "most": _check_most,
}


@each_lesson
def test_nothing_before_the_answer_names_it(rules: Rules, n: int) -> None:
    lesson, position = _board(rules, n)
    told = " ".join((lesson.title, lesson.teaches, lesson.question, lesson.hint))
    for text in lesson.right:
        cells = [word for word in text.split() if word in position.picture().names]
        for cell in cells:
            assert not re.search(rf"\b{cell}\b", told), cell


@each_lesson
def test_words_of_a_lesson_are_whole_sentences(rules: Rules, n: int) -> None:
    lesson, _ = _board(rules, n)
    said = (lesson.teaches, lesson.hint, lesson.others.why)
    said += (*lesson.right.values(), *(wrong.why for wrong in lesson.wrong.values()))
    assert all(text[0].isupper() or text[:2].isalnum() for text in said)
    assert all(text.endswith((".", "?")) for text in said)
    assert lesson.question.endswith(("?", "."))


def test_a_move_that_adds_to_a_right_answer_is_right() -> None:
    lesson, position = _board(RULES["hexthing"], 1)
    assert judge_answer(lesson, position, position.read("play 3N bid 5 take c2")).right
    assert not judge_answer(lesson, position, position.read("play 3N bid 4")).right


def test_the_same_move_in_another_order_is_judged_alike() -> None:
    lesson, position = _board(RULES["bipod"], 0)
    assert judge_answer(lesson, position, position.read("o3O")).right
    assert not judge_answer(lesson, position, position.read("o3o")).right
