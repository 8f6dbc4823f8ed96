"""Sample letters about lessons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.core.exercises.lesson import ShownLesson
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from rules import RULES
from rules.teaching import judge_answer
from tests.people import BILL

ASKED = ReplyTo("confirm", 7)


def letters_of_lessons() -> Iterator[tuple[str, Letter]]:
    """The list of lessons, a lesson in all its forms, and what is said to answers."""
    begird, shown = RULES["begird"], ShownLesson(RULES["bipod"], 2)
    taught = [RULES[key] for key in ("begird", "bipod")]
    solved = {"begird": frozenset(range(1, len(begird.lessons) + 1)), "bipod": frozenset({2})}
    yield "lessons", to_player("lessons", BILL, taught=taught, solved=solved)
    for name, problem, hints in (
        ("", "", 0),
        ("-hint", "", 1),
        ("-told", "", 2),
        ("-refused", "z9: no such cell.", 0),
    ):
        letter = to_player("lesson", BILL, shown=shown, problem=problem, hints=hints)
        yield f"lesson{name}", replace(letter, reply=ASKED)
    yield "taught", replace(_taught(shown, "k1", ShownLesson(RULES["bipod"], 3), 1), reply=ASKED)
    yield "taught-wrong", replace(_taught(shown, "i1", ShownLesson(RULES["bipod"], 3), 0), reply=ASKED)
    yield "taught-again", replace(_taught(shown, "i1", shown, 0, left=2), reply=ASKED)
    last = ShownLesson(begird, 5)
    yield "taught-last", _taught(last, "d4", None, last.count)
    yield "taught-last-wrong", _taught(last, "b2", None, last.count - 1)


def _taught(
    shown: ShownLesson, text: str, following: ShownLesson | None, solved: int, left: int = 0
) -> Letter:
    judgement = judge_answer(shown.lesson, shown.position, shown.position.read(text))
    facts = {"answered": shown, "judgement": judgement, "solved": solved}
    return to_player("taught", BILL, **facts, shown=following, left=left)
