"""A designer's file, read: its lines, their words and phrases, and errors that name a line."""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from rules.designed.boards import fitting
from rules.designed.checks import NAMES, faults_of
from rules.designed.forms import Slip, either, shown
from rules.designed.phrases import FURTHER, PHRASES, SEVERAL, SHAPES, SIZES, TIES, WORDS
from rules.designed.plan import BoardLine, Design, Goal, Size

MAX_BYTES = 4_000
MAX_LINES = 30
MAX_SIGNS = 200
MAX_FAULTS = 10
MAX_BOARDS = 12
MAX_GOALS = 8
NEEDED = ("game", "designer", "year", "terms", "summary", "board", "turn")
_WORD = re.compile(r"[a-z]{2,12}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,18}(?: [A-Za-z][A-Za-z0-9-]{1,18})?")
_LIKE_A_CELL = re.compile(r"[A-Za-z]-?[0-9]+")
_SIDE = re.compile(r"([A-Z][a-z]{1,11}) ([XO])")
_CELL = re.compile(r"([A-Z][a-z]{1,11}) ([a-z][1-9][0-9]?)")
_YEAR = re.compile(r"[12][0-9]{3}")


class Faulty(ValueError):
    """A file that is no design. `faults` has at most ten sentences, each with the number of its line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class DesignLine:
    """One line that counts: its number in the file, its word, a name behind the word, and its phrase."""

    number: int
    word: str
    name: str
    phrase: str


def read_design(text: str, taken: Container[str] = frozenset()) -> Design:
    """Return what a file says. `taken` are names in lower case that no game and no side may have.

    Raise Faulty.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise Faulty([f"line 1: the file has more than {MAX_BYTES} bytes; a game needs fewer."])
    reader = _Reader(taken)
    lines = list(reader.lines(text))
    values = reader.values(lines)
    if not reader.faults:
        design = Design(**values)
        reader.faults += faults_of(design, {line.word: line.number for line in reversed(lines)})
    if reader.faults:
        raise Faulty(reader.faults[:MAX_FAULTS])
    return design


class _Reader:
    """The reading of one file, which goes on behind an error."""

    def __init__(self, taken: Container[str]) -> None:
        self.taken = taken
        self.faults: list[str] = []

    def fault(self, number: int, sentence: str) -> None:
        self.faults.append(f"line {number}: {sentence}.")

    def lines(self, text: str) -> Iterator[DesignLine]:
        counted = 0
        for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
            line = line.strip(" \t")
            if not line or line.startswith("#"):
                continue
            counted += 1
            if counted > MAX_LINES:
                raise Faulty([f"line {number}: a file has at most {MAX_LINES} lines that count."])
            if len(line) > MAX_SIGNS:
                self.fault(number, f"{shown(line)} has {len(line)} signs; a line has at most {MAX_SIGNS}")
            elif not line.isprintable():
                self.fault(number, f"{shown(line)} has a sign that cannot be printed; expected plain text")
            elif found := self._line(number, line):
                yield found

    def _line(self, number: int, line: str) -> DesignLine | None:
        head, colon, phrase = line.partition(":")
        word, _, name = " ".join(head.split()).partition(" ")
        if not colon:
            self.fault(
                number, f'{shown(line)} has no colon; expected a word, a colon and a phrase: "turn: lay one"'
            )
        elif word.lower() not in WORDS:
            near = get_close_matches(word.lower(), WORDS, 1)
            expected = f'the nearest is "{near[0]}"' if near else f"expected {either(WORDS)}"
            self.fault(number, f"{shown(word)} is unknown; {expected}")
        elif name and word.lower() != "ties":
            self.fault(number, f'{shown(head)} is unknown; expected "{word.lower()}:"')
        elif not phrase.strip():
            self.fault(number, f'nothing stands behind "{word.lower()}:"')
        else:
            return DesignLine(number, word.lower(), name, phrase.strip())
        return None

    def values(self, lines: list[DesignLine]) -> dict[str, Any]:
        """Return the fields of the design. Sides come first, as other lines name them."""
        firsts: dict[str, int] = {}
        for line in lines:
            if firsts.setdefault(line.word, line.number) != line.number and line.word not in SEVERAL:
                self.fault(line.number, f'"{line.word}" stands on line {firsts[line.word]} already')
        values: dict[str, Any] = {}
        for line in sorted(lines, key=lambda line: line.word != "sides"):
            take: Callable[[DesignLine, dict[str, Any]], None] = getattr(self, f"_{line.word}", self._plain)
            try:
                take(line, values)
            except Slip as slip:
                self.fault(line.number, str(slip))
        if not self.faults:
            for word in NEEDED:
                if word not in firsts:
                    self.fault(lines[-1].number if lines else 1, f'no line says "{word}:"')
        self.faults.sort(key=lambda each: int(each.split(":")[0].split()[1]))
        return values

    def _plain(self, line: DesignLine, values: dict[str, Any]) -> None:
        """Take a word whose phrases are all in the table, or whose text is free."""
        if line.word not in PHRASES:
            values[line.word] = line.phrase
            return
        value = PHRASES[line.word].read(line.phrase)
        match line.word:
            case "turn":
                values["men"] = value
            case "must":
                values["must_take"] = value
            case "where" | "moves" | "never":
                values[line.word] = (*values.get(line.word, ()), value)
            case "opening":
                values["opening"], values["opening_may_be_none"], values["swap_with"] = value
            case "draws":
                values["max_plies" if value[0] == "plies" else "repeats"] = value[1]
            case word:
                values[word] = value

    def _game(self, line: DesignLine, values: dict[str, Any]) -> None:
        words = line.phrase.lower().split()
        if not _NAME.fullmatch(line.phrase):
            raise Slip(
                f"{shown(line.phrase)} is no name; expected one or two words of letters, 2 to 19 signs each"
            )
        if any(_LIKE_A_CELL.fullmatch(word) for word in words):
            raise Slip(f"{shown(line.phrase)} looks like a cell; expected another name")
        for word in (" ".join(words), "-".join(words), *words):
            if word in self.taken or word in NAMES:
                raise Slip(f"{shown(word)} is a word of the server or another game; expected another name")
        values["name"] = line.phrase

    def _year(self, line: DesignLine, values: dict[str, Any]) -> None:
        if line.phrase != "unknown" and not _YEAR.fullmatch(line.phrase):
            raise Slip(f'{shown(line.phrase)} is no year; expected four digits or "unknown"')
        values["year"] = 0 if line.phrase == "unknown" else int(line.phrase)

    def _sides(self, line: DesignLine, values: dict[str, Any]) -> None:
        found = [_SIDE.fullmatch(part.strip()) for part in line.phrase.split(",")]
        pairs = [(match[1], match[2]) for match in found if match]
        if len(pairs) != 2 or len(found) != 2:
            raise Slip(f'{shown(line.phrase)} names no two sides; expected like "Red X, Blue O"')
        (one, sign), (other, second) = pairs
        if {sign, second} != {"X", "O"}:
            raise Slip("one side is X, the other O")
        for name in (one, other):
            if one == other or name.lower() in self.taken or name.lower() in NAMES:
                raise Slip(f"{shown(name)} is a word of the server or the other side; expected another name")
        values["sides"] = ((one, sign), (other, second))

    def _owner(self, text: str, values: dict[str, Any]) -> str:
        """Return a side's name as the file writes it, or raise Slip."""
        names: list[str] = [name for name, _ in values.get("sides", Design.sides)]
        for name in names:
            if name.lower() == text.lower():
                return name
        raise Slip(f"{shown(text)} is no side; expected {either(names)}")

    def _board(self, line: DesignLine, values: dict[str, Any]) -> None:
        shape, *parts = re.split(r", *(?![^(]*\))", line.phrase)
        board = BoardLine(SHAPES.read(shape), "", Size(0, (0,)))
        if not parts:
            raise Slip(f"no size stands behind {shown(shape)}; expected {SIZES.expected}")
        word, size, other, even = SIZES.read(parts[0])
        board = replace(board, word=word, size=size, other=other, even=even)
        for part in parts[1:]:
            kind, number, lengths, owners = FURTHER.read(part)
            match kind:
                case "islands":
                    owned = tuple(self._owner(each, values) for each in owners)
                    board = replace(board, islands=number, lengths=lengths, owners=owned)
                case "corners":
                    board = replace(board, corners_apart=True)
                case "eight":
                    board = replace(board, eight=True)
        values["boards"] = (*values.get("boards", ()), fitting(board))
        if len(values["boards"]) > MAX_BOARDS:
            raise Slip(f"a file has at most {MAX_BOARDS} boards")

    def _start(self, line: DesignLine, values: dict[str, Any]) -> None:
        found = [_CELL.fullmatch(part.strip()) for part in line.phrase.split(",")]
        if any(found) and not all(found):
            wrong = next(
                part.strip() for part, match in zip(line.phrase.split(","), found, strict=True) if not match
            )
            raise Slip(f'{shown(wrong)} is no piece; expected like "White d1, Black d8"')
        cells = [(self._owner(match[1], values), match[2]) for match in found if match]
        if len({cell for _, cell in cells}) < len(cells):
            raise Slip("two pieces stand on one cell")
        values["start"] = tuple(cells) if cells else PHRASES["start"].read(line.phrase)

    def _takes(self, line: DesignLine, values: dict[str, Any]) -> None:
        value = PHRASES["takes"].read(line.phrase)
        if not isinstance(value, str):
            values["takes"] = (*values.get("takes", ()), value)
        elif "taking" in values:
            raise Slip("stones are taken in one way alone; expected no second line")
        else:
            values["taking"] = value

    def _wins(self, line: DesignLine, values: dict[str, Any]) -> None:
        names = {name.lower(): name for name, _ in values.get("sides", Design.sides)}
        first, _, rest = line.phrase.partition(" ")
        side = names.get(first.lower(), "")
        if rest.startswith("joins ") and not side:
            self._owner(first, values)
        goal: Goal = PHRASES["wins"].read(rest if side else line.phrase)
        values["goals"] = (*values.get("goals", ()), replace(goal, line=line.number, side=side))
        if len(values["goals"]) > MAX_GOALS:
            raise Slip(f'a file has at most {MAX_GOALS} lines "wins"')

    def _ties(self, line: DesignLine, values: dict[str, Any]) -> None:
        if line.name and not _WORD.fullmatch(line.name):
            raise Slip(f"{shown(line.name)} is no name of a scoring; expected one word of small letters")
        ties = dict(values.get("ties", {}))
        if line.name in ties or (ties and "" in (*ties, line.name)):
            raise Slip("each scoring has a name of its own; expected another name")
        parts = [" ".join(part.split()).lower() for part in line.phrase.split(",")]
        for part in parts:
            if part not in TIES:
                raise Slip(f"{shown(part)} is unknown; expected {either([*TIES])}")
        ties[line.name] = tuple(TIES[part] for part in parts)
        if len(ties) > 4:
            raise Slip("a file has at most 4 scorings")
        values["ties"] = ties
