"""Private notes: a player's words about a game, outside its public journal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from pbem.core.game.view import View
from pbem.core.letters.letter import Letter, about_game
from pbem.core.parsing.line import read_line

MAX_NOTE = 4_000
MAX_A_GAME = 200
MAX_LETTER = 40_000
"""Maximum characters of notes in one letter; the export has them all."""


@dataclass(frozen=True)
class Note:
    game: int
    ply: int
    at: datetime
    words: str


def note_letter(mine: View, words: str) -> Letter:
    """Return the letter about a note, and any line like a command."""
    lines = [line.strip() for line in words.split("\n")[1:]]
    inside = next((line for line in lines if line and read_line(line, mine.state.position.read)), "")
    return about_game("noted", mine, words=words, inside=inside)


def newest_notes(notes: Sequence[Note]) -> list[Note]:
    room, kept = MAX_LETTER, list[Note]()
    for note in sorted(notes, key=lambda note: note.at, reverse=True):
        room -= len(note.words)
        if room < 0:
            break
        kept.append(note)
    return [note for note in notes if note in kept]


def notes_by_game(notes: Iterable[Note]) -> list[tuple[int, list[Note]]]:
    ordered = sorted(notes, key=lambda note: note.game)
    return [(number, list(group)) for number, group in groupby(ordered, key=lambda note: note.game)]
