"""The board of a lesson, and the judgement of an answer to it."""

from dataclasses import dataclass
from itertools import chain

from rules.contract import Move, Position, Rules, replay
from rules.lesson import Lesson


@dataclass(frozen=True)
class Judgement:
    """The judgement of one answer. `reply` is the opponent's best move after a wrong answer, "" for none."""

    move: str
    right: bool
    why: str
    reply: str = ""


def lesson_position(rules: Rules, lesson: Lesson) -> Position:
    return replay(rules.start(lesson.options), lesson.moves)


def judge_answer(lesson: Lesson, position: Position, move: Move) -> Judgement:
    """Judge a legal move, even if its parts are in another order than in the lesson."""
    text, after = _same_answer(lesson, position, move), position.follow(move)
    if text in lesson.right:
        return Judgement(str(move), True, lesson.right[text])
    wrong = lesson.wrong.get(text, lesson.others)
    return Judgement(str(move), False, wrong.why, wrong.reply if after.outcome is None else "")


def _same_answer(lesson: Lesson, position: Position, move: Move) -> str:
    """Return the lesson's answer that the move equals or extends, else the move's own text."""
    said, known = str(move), (*lesson.right, *lesson.wrong)
    if said in known:
        return said
    key = position.follow(move).key()
    same = (text for text in known if position.follow(position.read(text)).key() == key)
    longer = (text for text in lesson.right if said.startswith(f"{text} "))
    return next(chain(same, longer), said)
