"""Studies: records to play through. A page's address holds them, so nothing is stored."""

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pbem.core.records.gamerecord import read_records
from pbem.core.records.study_tree import StudyTree, read_variations
from rules import record
from rules.contract import Position, Seat
from rules.record import NotARecord, Record

MAX_TEXT = 100_000
MAX_PLIES = 1000
MAX_WORDS = 1000
"""Maximum characters of a comment."""
MAX_TAG = 500
"""Characters shown of a tag: a short link may hold a very long one."""
MAX_PACKED = 3500
"""Maximum characters of the address. Servers accept a line of 4,094 (gunicorn), some proxies no more."""

TAGS = (
    *("Game", "Id", "Rules", "Site", "Options", "Seed", "First", "Second"),
    *("Start", "End", "Result", "Ended", "Event", "Round", "Source"),
)

USUAL = (
    b'"Result":"second","Ended":"resignation","timeout","agreement","rules","Start":"2026-01-01T12:00:00Z",'
    b'"End":"2026-02-0120","Site":"pbem.","Options":"bids=any money=50 size=7 scoring= pie=no islands=15 '
    b'size=5 middle=5 rows=6 stones=3","Seed":"0","First":"","Second":"","Result":"first",'
    b'[{"Game":"Hexagonal Thing","Game":"Bounders","Game":"Begird","Game":"Bagel","Game":"Bipod","Id":"4",'
    b'"Rules":"1",'
)
"""Common parts of records (zlib's preset dictionary). Never change it: all addresses would be lost."""

_LETTERS = re.compile(r"[A-Za-z0-9_-]+")


class TooLong(ValueError):
    """A record too long for an address; `str()` says by how much."""


class DamagedAddress(ValueError):
    """An address that leads to no study: cut off, or never one."""


@dataclass(frozen=True)
class Study:
    """A tree of moves, at the state after move `n`. The line through `n` is played to its end."""

    played: record.Replay
    shown: Position
    n: int
    code: str
    tree: StudyTree

    @cached_property
    def line(self) -> tuple[int, ...]:
        """The numbers of the line's moves."""
        return self.tree.line(self.n)

    @property
    def depth(self) -> int:
        return self.tree.depths[self.n]

    @property
    def steps(self) -> tuple[record.RecordPly, ...]:
        """The plies, each with its seat and canonical move."""
        made = zip(self.played.record.plies, self.played.seats, self.played.moves, strict=True)
        return tuple(replace(ply, seat=seat, move=move) for ply, seat, move in made)

    @property
    def step(self) -> record.RecordPly | None:
        return self.steps[self.depth - 1] if self.n else None

    @property
    def previous(self) -> int:
        return self.tree.parents[self.n]

    @property
    def next(self) -> int:
        return self.line[self.depth] if self.depth < len(self.line) else self.n

    @property
    def last(self) -> int:
        return self.line[-1] if self.line else 0

    @property
    def at_end(self) -> bool:
        return self.n == self.last

    @property
    def text_record(self) -> Record:
        return replace(self.played.record, plies=self.steps)

    def tag(self, name: str) -> str:
        return self.played.record.tags.get(name, "").strip()

    def name(self, seat: Seat) -> str:
        """The player's name in the record, else `First` or `Second`."""
        seated = ("First", "Second")[seat]
        return self.tag(seated) or seated


def read_study_record(text: str) -> Record:
    """The record in a text, played through. Raises TooLong, and RecordError with line and ply."""
    if len(text) > MAX_TEXT:
        raise TooLong(f"This is longer than the {MAX_TEXT:,} characters that are taken.")
    return _judge(record.read(text))


def _judge(found: Record) -> Record:
    if len(found.plies) > MAX_PLIES:
        raise TooLong(f"This record has {len(found.plies)} moves; up to {MAX_PLIES} can be shown.")
    played = record.replay(found)
    plies = tuple(replace(ply, move=move) for ply, move in zip(found.plies, played.moves, strict=True))
    return replace(found, plies=plies)


def pack_tree(tree: StudyTree) -> str:
    """The letters of an address for a study. Raises TooLong, perhaps only because of the comments."""
    found = tree.record
    data: list[Any] = [
        {name: found.tags[name] for name in TAGS if name in found.tags},
        "\n".join(ply.move for ply in found.plies),
    ]
    comments = {str(n): said for n in range(1, tree.size + 1) if (said := tree.ply(n).comment)}
    end = found.ending and [found.ending.kind, found.ending.seat, found.ending.comment]
    rest = [end, comments or None, [f"{each.parent} {each.move}" for each in tree.variations]]
    while rest and not rest[-1]:
        rest.pop()
    return pack([*data, *rest])


def pack(data: Sequence[Any]) -> str:
    """The letters of an address that holds the data. Raises TooLong."""
    packer = zlib.compressobj(9, zdict=USUAL)
    raw = packer.compress(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode())
    code = urlsafe_b64encode(raw + packer.flush()).rstrip(b"=").decode()
    if len(code) > MAX_PACKED:
        takes = f"it takes {len(code):,} letters, and a link has room for {MAX_PACKED:,}"
        raise TooLong(f"This is too long for a link: {takes}.")
    return code


def without_comments(found: Record) -> Record:
    plies = tuple(replace(ply, comment=None) for ply in found.plies)
    return replace(found, plies=plies, ending=found.ending and replace(found.ending, comment=None))


def study_path(text: str) -> str:
    """The page's path for a record; leaves out comments without room. Raises TooLong, RecordError."""
    if len(text) <= MAX_TEXT and text.lstrip("\ufeff \r\n\t").startswith("{"):
        text = record.write(next(read_records(text)))
    return _path(read_study_record(text))


def game_path(found: Record) -> str:
    """Return the page's path for a game's record, however long. Raises TooLong, RecordError."""
    return _path(_judge(found))


def _path(found: Record) -> str:
    try:
        return f"/study/{pack_tree(StudyTree(found))}"
    except TooLong:
        return f"/study/{pack_tree(StudyTree(without_comments(found)))}?comments=none"


def open_study(code: str, n: int | None = None) -> Study:
    """The study at an address. Raises DamagedAddress, NoSuchPly, and the errors of `record.replay`."""
    tree = unpack_tree(code)
    if n is not None and not 0 <= n <= tree.size:
        raise record.NoSuchPly(f"This game has moves 0 to {tree.size}, so none numbered {n}.")
    at = tree.main if n is None else n
    line = tree.line_record(at)
    played = record.replay(line)
    depth = tree.depths[at]
    shown = played.position if depth == len(line.plies) else record.replay(line, depth).position
    return Study(played, shown, at, code, tree)


def try_move(study: Study, text: str) -> str:
    """The address of the study with a move after the one shown. Raises TooLong, and RulesError if illegal."""
    move = study.shown.read(text)
    study.shown.play(move)
    if study.tree.size >= MAX_PLIES:
        raise TooLong(f"A study holds {MAX_PLIES} moves, and this one has them all. Remove some first.")
    tree, n = study.tree.with_move(study.n, str(move))
    return f"/study/{pack_tree(tree)}/{n}"


def say_of_move(study: Study, words: str) -> str:
    """Return the study's address with new words on the shown move. "" removes them. Raises TooLong."""
    words = "\n".join(words.splitlines())
    if len(words) > MAX_WORDS:
        raise TooLong(f"A comment has at most {MAX_WORDS:,} characters, and this one has {len(words):,}.")
    return f"/study/{pack_tree(study.tree.with_comment(study.n, words))}/{study.n}"


def take_out(study: Study) -> str:
    """Return the study's address without the shown move and what follows."""
    return f"/study/{pack_tree(study.tree.without(study.n))}/{study.previous}"


def unpack_tree(code: str) -> StudyTree:
    """The tree in an address, its moves not judged. Raises DamagedAddress, and RecordError."""
    try:
        return _tree(unpack(code))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise DamagedAddress("The address is not whole.") from None


def unpack(code: str) -> Any:
    """The data in an address. Raises DamagedAddress."""
    if len(code) > MAX_PACKED:
        raise DamagedAddress("The address is too long.")
    if not _LETTERS.fullmatch(code):
        raise DamagedAddress("The address holds other letters than ours.")  # base64 would ignore them
    try:
        unpacker = zlib.decompressobj(zdict=USUAL)
        raw = unpacker.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), 4 * MAX_TEXT)
        if not unpacker.eof:
            raise DamagedAddress("The address is cut short.")
        data = json.loads(raw)
        json.dumps(data, ensure_ascii=False).encode()  # half a character cannot be written into a page
        return data
    except (zlib.error, NotBase64, ValueError, RecursionError):
        raise DamagedAddress("The address is not whole.") from None


def _tree(data: Sequence[Any]) -> StudyTree:
    tags, moves, *rest = data
    end, comments, lines = (*rest[:3], None, None, None)[:3]
    comments, lines = {} if comments is None else comments, [] if lines is None else lines
    words = moves.split("\n") if moves else []
    if len(words) + len(lines) > MAX_PLIES or not isinstance(tags["Game"], str):
        raise NotARecord("no study")
    plies = tuple(
        record.RecordPly(None, move, _words(comments.get(str(n))), n) for n, move in enumerate(words, 1)
    )
    known = {name: str(tags[name])[:MAX_TAG] for name in TAGS if name in tags}
    found = Record(known, plies, _ending(end))
    said = [_words(comments.get(str(n))) for n in range(len(words) + 1, len(words) + len(lines) + 1)]
    return StudyTree(found, read_variations(lines, said, len(words)))


def _words(comment: Any) -> str | None:
    return None if comment is None else str(comment)


def _ending(end: Any) -> record.RecordEnding | None:
    if end is None:
        return None
    kind, seat, comment = end
    if kind not in ("resign", "timeout", "draw") or seat not in (None, 0, 1) or isinstance(seat, float):
        raise NotARecord("no study")
    return record.RecordEnding(kind, seat, _words(comment))
