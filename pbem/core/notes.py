"""Private notes: what a player writes down about a game, for nobody else's eyes.

They are kept beside the journal, not in it, for both players and the public read that. Values only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from pbem.core.letters import Letter, about_game
from pbem.core.lines import read_line
from pbem.core.lobby import Refusal
from pbem.core.view import View

LONGEST = 4_000
"""Characters of one note."""
MOST_A_GAME = 200
"""Notes of one player in one game."""
LETTER_MOST = 40_000
"""Characters of notes in one letter; the export has them all."""


@dataclass(frozen=True)
class Note:
    """One note: about which game, after which ply it was written, when, and its words."""

    game: int
    ply: int
    at: datetime
    words: str


def checked_note(words: str) -> str:
    """The words, if they are not too many; raises Refusal."""
    if len(words) > LONGEST:
        raise Refusal(f"A note may have {LONGEST} characters; this one has {len(words)}, so it was not kept.")
    return words


def noted(mine: View, words: str) -> Letter:
    """Tells the writer, and nobody else, that a note was kept."""
    return about_game("noted", mine, words=words, inside=_inside(mine, words))


def _inside(mine: View, words: str) -> str:
    """The first line of a note, below its first, that by itself would have been an order; else ""."""
    lines = [line.strip() for line in words.split("\n")[1:]]
    return next((line for line in lines if line and read_line(line, mine.position.read)), "")


def newest(notes: Sequence[Note]) -> list[Note]:
    """As many of the newest notes as a letter has room for, in the order they were given."""
    room, kept = LETTER_MOST, list[Note]()
    for note in sorted(notes, key=lambda note: note.at, reverse=True):
        room -= len(note.words)
        if room < 0:
            break
        kept.append(note)
    return [note for note in notes if note in kept]


def by_game(notes: Iterable[Note]) -> list[tuple[int, list[Note]]]:
    """The notes game by game, the games ascending."""
    ordered = sorted(notes, key=lambda note: note.game)
    return [(number, list(group)) for number, group in groupby(ordered, key=lambda note: note.game)]
