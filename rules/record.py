"""A game as text: tags as in PGN, one ply a line. The reader is lenient, the writer has one form."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rules import RULES, find, score
from rules.contract import SEAT_NAMES, BadOption, Outcome, Position, Rules, RulesError, Seat, other

SEED_DIGITS = 40


class RecordError(ValueError):
    """A record has a fault. `str()` is one sentence, with the line if the fault has one."""


class NotARecord(RecordError):
    """The text is no record of a game known here."""


class IllegalPly(RecordError):
    """The record has a ply that cannot be read or may not be played."""


class NoSuchPly(RecordError):
    """The caller asked for a ply that the record does not have."""


@dataclass(frozen=True)
class RecordPly:
    """One move as written. `seat` is None if the line names no seat, so that the seat to play is meant."""

    seat: Seat | None
    move: str
    comment: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class RecordEnding:
    """The end of a game outside its rules: `seat` resigned or ran out of time, or a draw was agreed."""

    kind: Literal["resign", "timeout", "draw"]
    seat: Seat | None = None
    comment: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Record:
    """A record: tags in written order, plies from 1, and the server's ending, if any."""

    tags: Mapping[str, str]
    plies: tuple[RecordPly, ...] = ()
    ending: RecordEnding | None = None


@dataclass(frozen=True)
class Replay:
    """A record replayed to its end or to a given ply."""

    record: Record
    rules: Rules
    position: Position
    outcome: Outcome | None
    moves: tuple[str, ...]
    """The plies made, in canonical text."""
    seats: tuple[Seat, ...]

    @property
    def to_play(self) -> Seat | None:
        return None if self.outcome else self.position.to_play


_TAG = re.compile(r'\[\s*([A-Za-z][\w-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_NUMBER = r"(?P<number>[0-9]{1,6})[.:)]?"
_PLY = re.compile(
    rf"(?<!\S)(?:(?:{_NUMBER}\s+)?(?P<seat>first|second)|(?P<bare>[0-9]{{1,6}})[.:)])(?!\S)", re.IGNORECASE
)
_ONE_PLY = re.compile(r"(?P<bare>[0-9]{1,6})(?=\s)")
_DRAW = re.compile(r"(?:[0-9]{1,6}[.:)]?\s+)?draw(?:\s+agreed)?[.!]?", re.IGNORECASE)
_SEATS: Mapping[str, Seat] = {"first": 0, "second": 1}
_LINE_END = re.compile(r"\n")
_TAG_LINE = re.compile(rf"(?:{_TAG.pattern})+(?:;.*)?", re.DOTALL)
_PIECE = re.compile(
    r"\{(?P<note>[^}]*)\}|;(?P<rest>[^\n]*)|(?P<tag>\[[^\n]*)|(?P<space>\s+)|(?P<plies>[^\s{][^\n{;]*)"
)
_ENDINGS: tuple[tuple[Literal["resign", "timeout", "draw"], tuple[str, ...]], ...] = (
    ("resign", ("resign", "resigns", "resigned")),
    ("timeout", ("timeout", "time out", "times out")),
    ("draw", ("draw", "draw agreed")),
)


def read(text: str) -> Record:
    """Return the record in `text`, with its moves not judged. Raise NotARecord."""
    tags: dict[str, str] = {}
    plies: list[RecordPly] = []
    ending: RecordEnding | None = None
    for line, kind, piece in _pieces(score.one_ply_each(text, _game_named)):
        if kind == "tag":
            _add_tags(tags, line, piece)
        elif kind == "comment":
            ending = _add_comment(plies, ending, piece)
        else:
            for number, seat, words in _plies(line, piece):
                if ending:
                    over = f"the game has ended in line {ending.line}, no move can follow"
                    raise NotARecord(f"line {line}: {over}.")
                ending = _ending(line, seat, words)
                if ending:
                    continue
                if number not in (None, len(plies) + 1):
                    due = f"this is move {number}, where move {len(plies) + 1} is due"
                    raise NotARecord(f"line {line}: {due}.")
                plies.append(RecordPly(seat, words, line=line))
    if "Game" not in tags:
        raise NotARecord('This is no record of a game: it has no [Game "..."] tag.')
    return Record(tags, tuple(plies), ending)


def _game_named(heading: str) -> str:
    """Return the game that a heading such as `BI-POD` names, or ""."""
    found = find(heading) or find(re.sub(r"\W", "", heading))
    return found.name if found else ""


def _pieces(text: str) -> Iterator[tuple[int, Literal["tag", "comment", "plies"], str]]:
    """Return (line number, kind, text) in order, with comments taken out of their lines."""
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    place, line = 0, 1
    while place < len(source):
        match = _PIECE.match(source, place)
        if match is None:
            raise NotARecord(f"line {line}: a comment begins with {{ and is never closed.")
        stop = match.end()
        if match["tag"]:
            stop = _whole_tag(source, place, stop)
            yield line, "tag", source[place:stop].strip()
        elif match["plies"]:
            yield line, "plies", match[0].strip()
        elif not match["space"]:
            yield line, "comment", " ".join((match["note"] or match["rest"] or "").split())
        line += source.count("\n", place, stop)
        place = stop


def _whole_tag(source: str, place: int, stop: int) -> int:
    """Return the end of the tags that begin at `place`, even if a mail program broke a value in two."""
    ends = (stop, *(match.start() for match in _LINE_END.finditer(source, stop + 1, stop + 400)), len(source))
    return next((end for end in ends[:3] if _TAG_LINE.fullmatch(source, place, end)), stop)


def _add_tags(tags: dict[str, str], line: int, piece: str) -> None:
    """Add tags. Refuse a second value, since people may read the first and programs the last."""
    place = 0
    while place < len(piece) and piece[place] != ";":
        match = _TAG.match(piece, place)
        if not match:
            raise NotARecord(f'line {line}: a tag is written [Name "value"].')
        name, value = match[1], match[2]
        if "\n" in value:  # a mail program has broken it
            value = " ".join(map(str.strip, value.split("\n"))).strip()
        value = re.sub(r"\\(.)", r"\1", value)
        before = tags.get(name, value)
        if before.split() != value.split():
            here, above = _short(value), _short(before)
            raise NotARecord(f"line {line}: the tag {name} stands here as {here}, and above as {above}.")
        tags[name] = value
        place = match.end()


def _add_comment(plies: list[RecordPly], ending: RecordEnding | None, comment: str) -> RecordEnding | None:
    last = ending or (plies[-1] if plies else None)
    if not comment or last is None:
        return ending
    longer = replace(last, comment=f"{last.comment} {comment}" if last.comment else comment)
    if isinstance(longer, RecordEnding):
        return longer
    plies[-1] = longer
    return None


def _plies(line: int, piece: str) -> Iterator[tuple[int | None, Seat | None, str]]:
    if _DRAW.fullmatch(piece):
        yield None, None, "draw"
        return
    starts = list(_PLY.finditer(piece)) or list(_ONE_PLY.finditer(piece))[:1]
    if not starts or starts[0].start() > 0:
        raise NotARecord(f"line {line}: {_short(piece)} is neither a tag nor a move such as 1 first f2.")
    ends = [start.start() for start in starts[1:]] + [len(piece)]
    for start, end in zip(starts, ends, strict=True):
        parts = start.groupdict()
        number = parts.get("number") or parts.get("bare")
        seat = _SEATS.get((parts.get("seat") or "").lower())
        words = piece[start.end() : end].strip()
        if not words:
            raise NotARecord(f"line {line}: {_short(piece)} has a number without its move.")
        yield int(number) if number else None, seat, words


def _ending(line: int, seat: Seat | None, words: str) -> RecordEnding | None:
    written = " ".join(words.lower().rstrip(".!").split())
    kind = next((kind for kind, spellings in _ENDINGS if written in spellings), None)
    return kind and RecordEnding(kind, None if kind == "draw" else seat, line=line)


def _short(piece: str) -> str:
    return f'"{piece}"' if len(piece) <= 40 else f'"{piece[:37]}..."'


_LAST_TAGS = ("Fingerprint", "Signature", "Proof")


def write(record: Record) -> str:
    """Return the record in its one form: tags, one ply a line, the ending, and the checks."""
    lines = [*(_tag(name, value) for name, value in record.tags.items() if name not in _LAST_TAGS), ""]
    for number, ply in enumerate(record.plies, start=1):
        seat = "" if ply.seat is None else f"{SEAT_NAMES[ply.seat]} "
        lines.append(f"{number} {seat}{ply.move}{_braces(ply.comment)}")
    if record.ending:
        ending = record.ending
        who = f"{len(record.plies) + 1}." if ending.seat is None else SEAT_NAMES[ending.seat]
        words = "draw agreed" if ending.kind == "draw" else f"{who} {ending.kind}"
        lines.append(f"{words}{_braces(ending.comment)}")
    last = [_tag(name, record.tags[name]) for name in _LAST_TAGS if name in record.tags]
    if last:
        lines += ["", *last]
    return "\n".join(lines).rstrip("\n") + "\n"


def _tag(name: str, value: str) -> str:
    plain = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{plain}"]'


def _braces(comment: str | None) -> str:
    """Return a ply's comment in braces. A brace inside becomes a bracket, as it would end the comment."""
    if not comment:
        return ""
    return f" {{{' '.join(comment.split()).replace('{', '(').replace('}', ')')}}}"


def replay(record: Record, ply: int | None = None) -> Replay:
    """Play the record to its end, or to `ply` (0 is the start). Raise RecordError."""
    if ply is not None and not 0 <= ply <= len(record.plies):
        raise NoSuchPly(f"The record has moves 1 to {len(record.plies)}, so none numbered {ply}.")
    rules = _rules(record)
    position = _start(rules, record)
    moves: list[str] = []
    seats: list[Seat] = []
    for number, entry in enumerate(record.plies[:ply], start=1):
        try:
            seat = position.to_play
            if seat is not None and entry.seat not in (None, seat):
                raise RulesError(f"{SEAT_NAMES[seat]} is to play, not {SEAT_NAMES[entry.seat]}.")
            move = position.read(entry.move)
            position = position.play(move)
        except RulesError as error:
            raise IllegalPly(f"line {entry.line}: move {number}: {error}") from error
        moves.append(str(move))
        seats.append(0 if seat is None else seat)
    outcome = _outcome(record, position) if ply is None else position.outcome
    return Replay(record, rules, position, outcome, tuple(moves), tuple(seats))


def _rules(record: Record) -> Rules:
    name = record.tags.get("Game", "")
    rules = find(name)
    if rules is None:
        known = ", ".join(each.name for each in RULES.values())
        raise NotARecord(f'There is no game "{name}" here; there are: {known}.')
    version = record.tags.get("Rules", rules.version)
    if version != rules.version:
        raise NotARecord(
            f"The record follows version {version} of the rules of {rules.name}; here is {rules.version}."
        )
    return rules


def written_options(rules: Rules, record: Record) -> dict[str, str]:
    return rules.split_options(record.tags.get("Options", "").split())


def _start(rules: Rules, record: Record) -> Position:
    seed = record.tags.get("Seed", "0")
    if not (seed.isascii() and seed.isdigit() and len(seed) <= SEED_DIGITS):
        raise NotARecord(f"Seed: {seed[:SEED_DIGITS]} is no whole number of at most {SEED_DIGITS} digits.")
    try:
        chosen = written_options(rules, record)
        return rules.begin(rules.complete_for(record.tags.get("Game", ""), chosen), int(seed))
    except BadOption as error:
        raise NotARecord(f"Options: {error}") from error


def _outcome(record: Record, position: Position) -> Outcome | None:
    """Return the outcome by rules, ending, or, for an adjudicated game, the Result tag."""
    ending = record.ending
    if ending and position.outcome:
        raise IllegalPly(f"line {ending.line}: the game was over before ({position.outcome.reason}).")
    if position.outcome:
        return position.outcome
    if ending:
        seat = ending.seat if ending.seat is not None else position.to_play
        return ending_outcome(position, ending.kind, seat)
    result, how = record.tags.get("Result", "*"), record.tags.get("Ended", "adjudication")
    if result in _SEATS:
        return _win(position, _SEATS[result], how)
    return Outcome(None, None, f"{result.capitalize()}: {how}") if result in ("draw", "void") else None


def ending_outcome(position: Position, kind: str, seat: Seat | None) -> Outcome:
    """Return the outcome if `seat` resigned or ran out of time. An agreed draw does not use `seat`."""
    if kind == "draw" or seat is None:
        return Outcome(None, None, "Draw agreed")
    loser = position.side(seat) or SEAT_NAMES[seat]
    return _win(position, other(seat), f"{loser} {'resigned' if kind == 'resign' else 'ran out of time'}")


def _win(position: Position, winner: Seat, why: str) -> Outcome:
    side = position.side(winner)
    return Outcome(winner, side, f"{side or SEAT_NAMES[winner]} wins: {why}")
