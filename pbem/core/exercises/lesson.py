"""A lesson with its board, and the order of lessons."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from rules.contract import Position, Rules
from rules.lesson import Lesson
from rules.teaching import lesson_position


@dataclass(frozen=True)
class ShownLesson:
    """Lesson `n`, from 1, of a game."""

    rules: Rules
    n: int

    @property
    def lesson(self) -> Lesson:
        return self.rules.lessons[self.n - 1]

    @property
    def count(self) -> int:
        return len(self.rules.lessons)

    @cached_property
    def position(self) -> Position:
        return lesson_position(self.rules, self.lesson)

    @property
    def right(self) -> list[tuple[str, str]]:
        """Each right answer with its reason."""
        return list(self.lesson.right.items())


def find_lesson(rules: Rules | None, n: int) -> ShownLesson | None:
    return ShownLesson(rules, n) if rules is not None and 1 <= n <= len(rules.lessons) else None


def next_lesson(rules: Rules, solved: Collection[int], after: int = 0) -> ShownLesson | None:
    """Return the next unsolved lesson after `after`, else the first, else None."""
    count = len(rules.lessons)
    order = (*range(after + 1, count + 1), *range(1, after))
    return next((ShownLesson(rules, n) for n in order if n not in solved), None)
