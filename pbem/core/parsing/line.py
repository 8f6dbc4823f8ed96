"""Parser of one line of a player's words: commands, a move, or prose.

A `Command` is a verb, the player's own text of it, and arguments by name, as `pbem.core.parsing.arguments`
has them. Verbs that are read here:

    move       move (the text the game reads), guard (ply number or None), yes (True: not to be asked about)
    try        moves (the texts, one a ply)  note             words (to the end of the game's lines)
    plan       steps ((when, answers), ...; none asks for the plan itself) or clear (True)
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.core.parsing.commands import SAY, WORDS, correct_word
from pbem.core.parsing.conditional_line import PlanLine, gather_wrapped_lines, read_plan_line
from pbem.core.parsing.note_line import MAX_TRIAL
from rules.contract import NoMove, RulesError, Unreadable

MAX_A_GAME = 10
MAX_MOVE = 200
"""In characters. A longer line is prose, and no game reads it."""
MoveReader = Callable[[str], object]
"""A game's `position.read`, whose turn it may be: the move, NoMove for prose, else another RulesError."""


@dataclass(frozen=True)
class Command:
    """One command; `str()` of its `error`, in a `move` or a `plan`, is the sentence for the player."""

    verb: str
    text: str
    args: Mapping[str, Any] = field(default_factory=dict)
    error: RulesError | None = None


def any_reader(readers: Sequence[MoveReader]) -> MoveReader:
    def read(text: str) -> object:
        for reader in readers:
            try:
                return reader(text)
            except NoMove:
                continue
        raise NoMove(text)

    return read


@dataclass(frozen=True)
class ParsedLine:
    """The commands of one line, and the words of a final `say`."""

    commands: tuple[Command, ...]
    said: str | None = None


def read_line(
    text: str, reader: MoveReader | None, *, first: bool = True, fresh: bool = True
) -> ParsedLine | None:
    """Parse the commands of one line, or return None for prose.

    `first`: no command stands above (below one, a misspelled first letter rather begins a name: `James`).
    `fresh`: it begins a paragraph, so a full stop at its end does not end a sentence from above.
    """
    whole = _command(text, reader, first=first, fresh=fresh)
    if whole is not None and whole.error is None:
        return ParsedLine((whole,))
    if ";" in text:
        several = _semicolon_commands(text, reader, first=first, fresh=fresh)
    else:  # letters hold many lines, so none is read twice
        said = SAY.fullmatch(text.strip(" "))
        several = ParsedLine((), said[1]) if said else None
    return several or (ParsedLine((whole,)) if whole else None)


def _semicolon_commands(
    text: str, reader: MoveReader | None, *, first: bool, fresh: bool
) -> ParsedLine | None:
    """Commands between semicolons, like `f2 f4; say hello`. `say` takes the rest of the line."""
    commands: list[Command] = []
    rest = text.strip("; ")
    while rest:
        if match := SAY.fullmatch(rest):
            return ParsedLine(tuple(commands), match[1])
        part, _, rest = (piece.strip("; ") for piece in rest.partition(";"))
        command = _command(part, reader, first=first, fresh=fresh)
        if command is None:
            return None
        commands.append(command)
        if len(commands) > MAX_A_GAME:
            break
    return ParsedLine(tuple(commands)) if commands else None


def _command(text: str, reader: MoveReader | None, *, first: bool, fresh: bool) -> Command | None:
    plain = _move(text, text, reader)
    if plain is not None and plain.error is None:
        return plain
    return (
        conditional_command(text, reader)
        or _word(text)
        or _numbered_move(text, reader)
        or _try_command(text, reader)
        or _confirmed_move(text, reader)
        or plain
        or (_without_bullet_or_stop(text, reader) if fresh else None)
        or _misspelled_command(text, reader, first=first)
    )


def _move(text: str, move: str, reader: MoveReader | None, guard: int | None = None) -> Command | None:
    """`move` as the game reads it, perhaps with its error; None for prose."""
    if reader is None or len(move) > MAX_MOVE:
        return None
    args = {"move": move, "guard": guard}
    try:
        reader(move)
    except NoMove:
        return None
    except RulesError as error:
        return Command("move", text, args, error)
    return Command("move", text, args)


_CONFIRMED = re.compile(r"(\S.*?)[\s,]+yes", re.IGNORECASE)


def _confirmed_move(text: str, reader: MoveReader | None) -> Command | None:
    """`stay yes`: a move that gives the game up, confirmed in advance."""
    found = _CONFIRMED.fullmatch(text)
    move = (_move(text, found[1], reader) or _numbered_move(found[1], reader)) if found else None
    return None if move is None or move.error else replace(move, text=text, args={**move.args, "yes": True})


_GUARD = re.compile(r"(?:#(\d{1,4})[.:]?\s+|(\d{1,4})\.\s*)(\S.*)")
_MOVE = re.compile(r"move(?::\s*|\s+)(\S.*)", re.IGNORECASE)


def _numbered_move(text: str, reader: MoveReader | None) -> Command | None:
    """A move with a ply number or the word: `#7 f2 f4`, `7. f2 f4`, `move f2 f4`."""
    named = _MOVE.fullmatch(text)
    inner = named[1] if named else text
    if guard := _GUARD.fullmatch(inner):
        return _move(text, guard[3], reader, int(guard[1] or guard[2]))
    return _move(text, inner, reader) if named else None


def _word(text: str, name: str = "") -> Command | None:
    word, _, rest = text.partition(" ")
    verb = name or word.lower()
    args = WORDS[verb](" ".join(rest.split())) if verb in WORDS else None
    return None if args is None else Command(verb, text, args)


_THEN = re.compile(r"\s+then\s+", re.IGNORECASE)


def _try_command(text: str, reader: MoveReader | None) -> Command | None:
    """`try <move> [then <move>]…`; one readable move makes all of them moves."""
    word, _, rest = text.partition(" ")
    if word.lower().rstrip(":") != "try" or len(text) > MAX_TRIAL:
        return None
    moves = _THEN.split(rest.strip())
    return (
        Command("try", text, {"moves": moves}) if any(_move(move, move, reader) for move in moves) else None
    )


def conditional_command(text: str, reader: MoveReader | None) -> Command | None:
    """Conditional moves: `if <move> then <answer>…`, `if clear` or `if`, perhaps with their error."""
    found = read_plan_line(text, _reads_as_move(reader)) if reader is not None else None
    return None if found is None else _plan_command(text, found)


def first_conditional_command(words: Sequence[str], reader: MoveReader | None) -> Command | None:
    """The first conditional moves in lines of words, alone or between semicolons."""
    pieces = (piece.strip() for line in words for piece in line.split(";"))
    found = (each for piece in pieces if (each := conditional_command(piece, reader)))
    return next((each for each in found if each.error is None and each.args.get("steps") != ()), None)


def _plan_command(text: str, line: PlanLine) -> Command:
    return Command("plan", text, line.args, Unreadable(line.error) if line.error else None)


def _reads_as_move(reader: MoveReader | None) -> Callable[[str], bool]:
    return lambda piece: _move(piece, piece, reader) is not None


_BULLET = re.compile(r"\A(?:[-*+]|\u2022|\u00b7)\s+")
_STOP = re.compile(r"(?:(?<=[^\s.!,])[.,!]{1,3}|(?<=[^\s.!,]) ?!{1,3}) ?$")
"""A full stop after a line; a row of dots is a row of a board."""


def _without_bullet_or_stop(text: str, reader: MoveReader | None) -> Command | None:
    bare = _BULLET.sub("", text)
    for form in dict.fromkeys((bare, _STOP.sub("", bare))):
        if form and form != text:
            found = (
                _move(form, form, reader) or _numbered_move(form, reader) or conditional_command(form, reader)
            )
            if found := found or (_word(form) if form.lower() != "resign" else None):
                return found
    return None


def _misspelled_command(text: str, reader: MoveReader | None, *, first: bool) -> Command | None:
    word, _, rest = text.partition(" ")
    name = correct_word(word)
    if name is None or (not rest and not first and (word[0].lower() != name[0] or word[0].isupper())):
        return None  # prose, or a name below the words, such as James
    return _move(text, rest.strip(), reader) if name == "move" else _word(text, name)


def join_conditional_lines(
    found: ParsedLine | None, below: Sequence[str], reader: MoveReader | None
) -> tuple[ParsedLine | None, int]:
    """Conditional moves with the lines below that belong to them, and how many those are."""
    if found is None or len(found.commands) != 1 or found.commands[0].verb != "plan":
        return found, 0
    line, text, count = gather_wrapped_lines(found.commands[0].text, below, _reads_as_move(reader))
    return (ParsedLine((_plan_command(text, line),)), count) if line is not None and count else (found, 0)
