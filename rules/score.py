"""A score in two columns, as in newsgroups: `1. f2 f4 g3 e5 g1`, perhaps with a board beside it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_ROW = re.compile(r"(?:^|.*\s)(?P<number>[0-9]{1,4})\.\s+(?P<first>\S.*?)(?:\s{2,}(?P<second>\S.*?))?\s*")
_OTHER_FORM = re.compile(r".*[{;]|.*\b(?:first|second)\b|.*\s{2,}[0-9]+[.:)]", re.IGNORECASE)
_TAG = re.compile(r"\s*\[")
_DRAW = re.compile(r"\s*draw\b", re.IGNORECASE)
_COLUMNS = re.compile(r"\s{2,}")
_RULED = re.compile(r"[=_\-\"]{3,}")
_NAME = re.compile(r"[^\W\d_][\w .'-]{0,19}")
_MAX_ROW = 400
"""The most characters of a row. The patterns take time quadratic in a line's length."""


@dataclass(frozen=True)
class _Row:
    number: int
    first: str
    second: str

    @property
    def plies(self) -> str:
        n = 2 * self.number
        return f"{n - 1}. {self.first}" + (f" {n}. {self.second}" if self.second else "")


def one_ply_each(text: str, game_named: Callable[[str], str]) -> str:
    """Return such a score as a record, and any other text unchanged.

    `game_named` returns the name of the game that a heading names, or "".
    """
    lines = text.replace("\r\n", "\n").split("\n")
    rows = [_row(line) for line in lines]
    found = [row for row in rows if row]
    if not _is_score(found):
        return text
    begin = next(at for at, row in enumerate(rows) if row)
    kept = [
        line if _TAG.match(line) or (at > begin and _DRAW.match(line)) else ""
        for at, line in enumerate(lines)
    ]
    if not any(map(str.strip, kept[:begin])):
        kept[:begin] = _headings(lines[:begin], game_named)
    return "\n".join(row.plies if row else line for row, line in zip(rows, kept, strict=True))


def _row(line: str) -> _Row | None:
    match = _ROW.fullmatch(line) if len(line) <= _MAX_ROW else None
    if match is None or _TAG.match(line):
        return None
    other = _OTHER_FORM.match(line[match.start("first") :])
    return _Row(0 if other else int(match["number"]), match["first"], match["second"] or "")


def _is_score(rows: Sequence[_Row]) -> bool:
    """True if rows are numbered from 1 and all but the last are complete."""
    numbered = [row.number for row in rows] == list(range(1, len(rows) + 1))
    return bool(rows) and numbered and bool(rows[0].second) and all(row.second for row in rows[:-1])


def _headings(lines: Sequence[str], game_named: Callable[[str], str]) -> list[str]:
    """Return the lines above the score as tags. The last game and the last pair of names are used."""
    tags = [""] * len(lines)
    pieces = [list(filter(None, map(str.strip, _COLUMNS.split(_RULED.sub("", line))))) for line in lines]
    named = [at for at, row in enumerate(pieces) if row and game_named(row[0])]
    if named:
        tags[named[-1]] = f'[Game "{game_named(pieces[named[-1]][0])}"]'
    pairs = [at for at, row in enumerate(pieces) if len(row) == 2 and all(map(_NAME.fullmatch, row))]
    pairs = [at for at in pairs if not named or at > named[-1]]
    if pairs:
        first, second = pieces[pairs[-1]]
        tags[pairs[-1]] = f'[First "{first}"] [Second "{second}"]'
    return tags
