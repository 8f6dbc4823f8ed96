"""The moves of a study as a tree: record, variations and comments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rules.record import Record, RecordPly

ENDS = ("Result", "Ended", "End")
"""Tags that only a finished game has."""


@dataclass(frozen=True)
class Variation:
    """A move that is not in the record. `parent` is the number of the move before it, 0 at the start."""

    parent: int
    move: str
    comment: str | None = None


@dataclass(frozen=True)
class VariationLine:
    """Consecutive moves of a variation: the number of the move before, and the numbers of the moves."""

    after: int
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class StudyTree:
    """A record and its variations. Numbers count from 1, first the record's moves, then the variations."""

    record: Record
    variations: tuple[Variation, ...] = ()

    @property
    def main(self) -> int:
        return len(self.record.plies)

    @property
    def size(self) -> int:
        return self.main + len(self.variations)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The number of the move before each move; the first entry, 0, stands for the start."""
        return (0, *range(self.main), *(each.parent for each in self.variations))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of moves that may follow each move, first the record's own or the oldest."""
        found: list[list[int]] = [[] for _ in range(self.size + 1)]
        for n in range(1, self.size + 1):
            found[self.parents[n]].append(n)
        return tuple(map(tuple, found))

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """The number of moves that lead to each move, itself included."""
        depths = [0]
        for n in range(1, self.size + 1):
            depths.append(depths[self.parents[n]] + 1)
        return tuple(depths)

    def ply(self, n: int) -> RecordPly:
        if n <= self.main:
            return self.record.plies[n - 1]
        found = self.variations[n - self.main - 1]
        return RecordPly(None, found.move, found.comment, self.depths[n])

    def line(self, n: int) -> tuple[int, ...]:
        """Return the record's line or, in a variation, the moves to `n` and the first moves behind it."""
        if n <= self.main:
            return tuple(range(1, self.main + 1))
        path = [n]
        while self.parents[path[-1]]:
            path.append(self.parents[path[-1]])
        return (*reversed(path), *self._following(n))

    def _following(self, n: int) -> tuple[int, ...]:
        found: list[int] = []
        while self.children[n]:
            n = self.children[n][0]
            found.append(n)
        return tuple(found)

    def line_record(self, n: int) -> Record:
        """Return the line through `n` as a record; for a move of the record, the whole record."""
        if n <= self.main:
            return self.record
        return replace(_open(self.record), plies=tuple(self.ply(each) for each in self.line(n)))

    def lines(self) -> list[VariationLine]:
        """Return the variations, each as a line from the move where it leaves another line."""
        return [
            VariationLine(parent, (n, *self._following(n)))
            for n, parent in enumerate(self.parents)
            if n > self.main and (parent <= self.main or self.children[parent][0] != n)
        ]

    def with_move(self, n: int, move: str) -> tuple["StudyTree", int]:
        """Return the tree with a move after `n`, and the move's number; an existing move keeps its number."""
        for child in self.children[n]:
            if self.ply(child).move == move:
                return self, child
        if n == self.main and self.record.ending is None and "Result" not in self.record.tags:
            shifted = tuple(
                replace(each, parent=each.parent + (each.parent > self.main)) for each in self.variations
            )
            plies = (*self.record.plies, RecordPly(None, move, None, n + 1))
            return StudyTree(replace(self.record, plies=plies), shifted), n + 1
        return replace(self, variations=(*self.variations, Variation(n, move))), self.size + 1

    def with_comment(self, n: int, words: str) -> "StudyTree":
        comment = words.strip() or None
        if n <= self.main:
            plies = list(self.record.plies)
            plies[n - 1] = replace(plies[n - 1], comment=comment)
            return replace(self, record=replace(self.record, plies=tuple(plies)))
        variations = list(self.variations)
        variations[n - self.main - 1] = replace(variations[n - self.main - 1], comment=comment)
        return replace(self, variations=tuple(variations))

    def without(self, n: int) -> "StudyTree":
        """Return the tree without move `n` and all moves that follow it."""
        gone, numbers, kept = {n}, [0], []
        for each in range(1, self.size + 1):
            if self.parents[each] in gone:
                gone.add(each)
            numbers.append(numbers[-1] + (each not in gone))
            if each > self.main and each not in gone:
                kept.append(self.variations[each - self.main - 1])
        moved = tuple(replace(each, parent=numbers[each.parent]) for each in kept)
        record = (
            self.record if n > self.main else replace(_open(self.record), plies=self.record.plies[: n - 1])
        )
        return StudyTree(record, moved)


def _open(record: Record) -> Record:
    """Return the record without the tags of a finished game."""
    tags = {name: value for name, value in record.tags.items() if name not in ENDS}
    return replace(record, tags=tags, ending=None)


def read_variations(lines: Sequence[str], comments: Sequence[str | None], main: int) -> tuple[Variation, ...]:
    """Read variations from lines of a parent's number and a move. Raises ValueError for any other line."""
    found: list[Variation] = []
    for line, comment in zip(lines, comments, strict=True):
        parent, _, move = line.partition(" ")
        if not (parent.isascii() and parent.isdigit() and int(parent) <= main + len(found) and move.strip()):
            raise ValueError(f"No variation: {line[:40]}")
        found.append(Variation(int(parent), move, comment))
    return tuple(found)
