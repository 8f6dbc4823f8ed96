"""Parser of one line: commands, a move, conditional moves, or prose.

A `Command` is a verb, the player's own text of it, and arguments by name, as `pbem.core.parsing.arguments`
has them. Verbs that are read here:

    move       move (the text the game reads), guard (plies its number fits, or None), yes (not asked about),
               sure (the word `move` took a phone's capital)
    try        moves (the texts, one a ply)  note             words (to the end of the game's lines)
    plan       steps ((when, answers), ...; none asks for the plan itself) or clear (True)

A faulty plan is a command with an error: as words for the other player it would reveal the plan.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from pbem.core.game.conditional import ACCEPT, ANY, DECLINE, DRAW, RESIGN
from pbem.core.parsing.commands import IRREVERSIBLE, SAY, WORDS
from pbem.core.parsing.dress import PLEASE, PLEASE_BEHIND, greetings_behind, undress
from pbem.core.parsing.misspelled import correct_word
from pbem.core.parsing.note_line import MAX_TRIAL
from pbem.core.parsing.wrapping import may_continue, width
from rules import find
from rules.contract import NoMove, RulesError, Unreadable
from rules.notation import one_slip

MAX_A_GAME = 10
MAX_MOVE = 200
"""In characters; a longer line is prose, and no game reads it."""
MAX_PLAN = 998
"""In characters; no line in a mail is longer."""
MAX_PIECES = 16
MAX_WRAPPED_WIDTH = 80
"""In columns; no mail program that wraps lines leaves longer ones."""
WRONG_FORM = (
    'This line begins like a plan and is none; a plan is written as "if", what the other plays, "then" and '
    'your answer. Words for the other begin with "say".'
)
MAYBE_WRAPPED = (
    "The lines of your plan are so long that a mail program may have broken one of them in two; please leave "
    "an empty line after each."
)
MoveReader = Callable[[str], object]
"""A game's `position.read`, whose turn it may be: the move, NoMove for prose, else another RulesError."""


@dataclass(frozen=True)
class Command:
    """One command. The `error` of a `move` or `plan` is a sentence for the player."""

    verb: str
    text: str
    args: Mapping[str, Any] = field(default_factory=dict)
    error: RulesError | None = None


def is_wish_for_hint(command: Command) -> bool:
    """True if the command is `hint` without a game's number."""
    return command.verb == "hint" and not command.args["number"]


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
    `fresh`: the line begins a paragraph, so a full stop at its end does not end a sentence from above.
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
    plain = _move(text, reader)
    if plain is not None and plain.error is None:
        return plain
    return (
        conditional_command(text, reader)
        or _word(text)
        or _numbered_move(text, reader)
        or _try_command(text, reader)
        or _confirmed_move(text, reader)
        or _undressed_move(text, reader)
        or plain
        or (_without_bullet_or_stop(text, reader) if fresh else None)
        or _misspelled_command(text, reader, first=first)
    )


_TABLE = re.compile(r"(?<!\S)\*(?!\S)")
"""The mark of a player's own cell in a cross table; a name such as `bot1` before it is no move."""


def _move(
    move: str, reader: MoveReader | None, text: str = "", guard: tuple[int, ...] | None = None
) -> Command | None:
    """Return `move` of the line `text` as a command, perhaps with an error, or None for prose."""
    if reader is None or len(move) > MAX_MOVE or _TABLE.search(move):
        return None
    error = None
    try:
        reader(move)
    except NoMove:
        return None
    except RulesError as wrong:
        error = wrong
    return Command("move", text or move, {"move": move, "guard": guard}, error)


def _undressed_move(text: str, reader: MoveReader | None) -> Command | None:
    """Read a move without its dress: `Zug: f6`, `f6, h2 & i1` or `"h6" please`."""
    bare = undress(text) if len(text) <= MAX_MOVE else text
    found = _move(bare, reader) if bare and bare != text else None
    return found if found is not None and found.error is None else None


def split_words_behind(text: str, reader: MoveReader | None) -> tuple[str, str]:
    """Split `h6 hello Bob` into the move and a greeting or good wish, which is "" if there is none."""
    if reader is None or len(text) > MAX_POLITE:
        return text, ""
    for move, behind in greetings_behind(text):
        found = _command(move, reader, first=True, fresh=True)
        if found is not None and found.verb == "move" and found.error is None:
            return move, behind
    return text, ""


_CONFIRMED = re.compile(r"(\S.*?)[\s,]+yes", re.IGNORECASE)


def _confirmed_move(text: str, reader: MoveReader | None) -> Command | None:
    """`stay yes`: a move that gives the game up, confirmed in advance."""
    found = _CONFIRMED.fullmatch(text) if text[-3:].lower() == "yes" else None
    move = (_move(found[1], reader) or _numbered_move(found[1], reader)) if found else None
    return None if move is None or move.error else replace(move, text=text, args={**move.args, "yes": True})


_GUARD = re.compile(r"(?:#(\d{1,4})[.:]?\s+|(\d{1,4})(\.(?:\.\.|\s?\.{3})?|\s?\u2026)\s*)([^\s.].*)")
_MOVE = re.compile(r"move(?::\s*|\s+)(\S.*)", re.IGNORECASE)


def _numbered_move(text: str, reader: MoveReader | None) -> Command | None:
    """Read a move with a number or word: `#7 f2 f4`, `7. f2 f4`, `7... f2 f4`, `move f2 f4`."""
    named = _MOVE.fullmatch(text)
    inner = named[1] if named else text
    if guard := _GUARD.fullmatch(inner):
        return _move(guard[4], reader, text, _fitting_plies(guard))
    return _named_move(inner, reader, text) if named else None


def _named_move(move: str, reader: MoveReader | None, text: str) -> Command | None:
    found = _move(move, reader, text)
    return found and replace(found, args={**found.args, "sure": True})


def _fitting_plies(guard: re.Match[str]) -> tuple[int, ...]:
    """Return the plies that a number fits: `#7` ply 7; `7.` first ply 7, then the plies of round 7."""
    n = int(guard[1] or guard[2])
    if guard[1]:
        return (n,)
    return (n, 2 * n - 1, 2 * n) if guard[3] == "." else (n, 2 * n)


_POLITE_BEFORE = re.compile(rf"{PLEASE}[,:]? ", re.IGNORECASE)
MAX_POLITE = 100
"""In characters; longer lines are not searched for `please`."""


def _word(text: str, name: str = "") -> Command | None:
    """Read a command's word and the rest of its line, without a `please` at either end."""
    asked = _without_please(text) if len(text) <= MAX_POLITE else text
    word, _, rest = asked.partition(" ")
    verb = name or word.lower()
    if asked != text and (verb in IRREVERSIBLE or rest.lower().split()[-1:] in (["yes"], ["no"])):
        return None
    args = WORDS[verb](" ".join(rest.split())) if verb in WORDS else None
    return None if args is None else Command(verb, asked, args)


def _without_please(text: str) -> str:
    """Remove `please` from a line; at the beginning only before one word, or one word and a game."""
    bare = _POLITE_BEFORE.sub("", text, count=1)
    words = bare.split(" ", 2)
    if bare != text and len(words) > 1 and find(words[1].rstrip(",.!")) is None:
        bare = text
    return PLEASE_BEHIND.sub("", bare).strip()


_THEN = re.compile(r"\s+then\s+", re.IGNORECASE)


def _try_command(text: str, reader: MoveReader | None) -> Command | None:
    """`try <move> [then <move>]…`; one readable move makes all of them moves."""
    word, _, rest = text.partition(" ")
    if word.lower().rstrip(":") != "try" or len(text) > MAX_TRIAL:
        return None
    moves = _THEN.split(rest.strip())
    return Command("try", text, {"moves": moves}) if any(_move(move, reader) for move in moves) else None


_PLAN_LABEL = re.compile(r"(?:my\s+)?plans?\s*:\s*(?=if\b)", re.IGNORECASE)
_IF = re.compile(r"if(?:\s+(\S.*))?", re.IGNORECASE)
_CLEAR = re.compile(r"clear[.!]?", re.IGNORECASE)
_IF_OR_THEN = re.compile(r"\s+(if|then)(?=\s|$)", re.IGNORECASE)
_SLIP = re.compile(r"([A-Za-z]{1,3})\s+(.*\sthen\s.*)", re.IGNORECASE)
CONDITIONS = frozenset({ANY, DRAW})
PLANNED_WORDS = frozenset({RESIGN, ACCEPT, DECLINE})


def conditional_command(text: str, reader: MoveReader | None) -> Command | None:
    """Read `if <move> then <answer>…`, `if clear` or `if` as a command, perhaps with an error."""
    if reader is None or len(text) > MAX_PLAN:
        return None
    bare = _PLAN_LABEL.sub("", text, count=1)
    found = _IF.fullmatch(bare)
    if not found:
        slip = _SLIP.fullmatch(bare)
        meant = slip and one_slip(slip[1].lower(), "if") and _steps(slip[2], reader) is not None
        return faulty_plan(text, WRONG_FORM) if meant else None
    rest = (found[1] or "").strip()
    if _CLEAR.fullmatch(rest):
        return Command("plan", text, {"clear": True})
    steps = _steps(rest, reader) if rest else ()
    if steps is not None:
        return Command("plan", text, {"steps": steps})
    return faulty_plan(text, WRONG_FORM) if _seems_plan(rest, reader) else None


def faulty_plan(text: str, error: str) -> Command:
    return Command("plan", text, {}, Unreadable(error))


def _steps(rest: str, reader: MoveReader) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """Return the conditions with answers, or None unless the whole line fits, as one command."""
    if ";" in rest:
        return None
    first, *pieces = map(_without_punctuation, _IF_OR_THEN.split(f" {rest}"))
    steps: list[tuple[str, list[str]]] = [(first, [])]
    for word, piece in zip(pieces[::2], pieces[1::2], strict=True):
        if word.lower() == "then":
            steps[-1][1].append(piece)
        else:
            steps.append((piece, []))
    for when, answers in steps:
        if not answers or not _is_known(when, reader, CONDITIONS):
            return None
        if not all(_is_known(answer, reader, PLANNED_WORDS) for answer in answers):
            return None
    return tuple((when, tuple(answers)) for when, answers in steps)


def _without_punctuation(piece: str) -> str:
    """Return a piece without its final comma or stop, and with our own words in standard spelling."""
    bare = piece.strip().rstrip(",.:").rstrip()
    small = " ".join(bare.lower().split())
    if small in ("resign yes", "accept draw", "decline draw"):
        small = small.split()[0]
    return small if small in CONDITIONS | PLANNED_WORDS else bare


def _is_known(piece: str, reader: MoveReader, words: Set[str] = frozenset()) -> bool:
    """True if the piece is one of the words, or a move, even a faulty one."""
    return piece in words or _move(piece, reader) is not None


def _seems_plan(rest: str, reader: MoveReader) -> bool:
    """True if a faulty line has a move where a move is expected."""
    pieces = [_without_punctuation(piece) for piece in _IF_OR_THEN.split(f" {rest}")[::2]]
    known = (_is_known(piece, reader, CONDITIONS | PLANNED_WORDS) for piece in pieces if piece)
    if len(pieces) > 1 and any(known):
        return True
    words = rest.split()
    heads = [" ".join(words[:count]).rstrip(",.:") for count in range(1, min(len(words), 6) + 1)]
    if any(any(map(str.isdigit, head)) and _is_known(head, reader) for head in heads):
        return True
    begins = words[0].lower() in CONDITIONS or _is_known(words[0], reader)
    return begins and any(_is_known(word, reader) for word in words[1:])


_IF_ANYWHERE = re.compile(r"\b(?:if|when)\b[\s:]*", re.IGNORECASE)
MAX_IFS = 400
"""Maximum number of places looked at, so that a hostile mail takes no time."""
_ENDS = " .,:;!)]\"'*_\u201d\u2019"
"""Characters that may close a sentence, bracket or quotation with a plan in it."""


def first_conditional_command(words: Sequence[str], reader: MoveReader | None) -> Command | None:
    """Return the first conditional moves in lines of words, with any text before `if` or `when`."""
    pieces = (piece for line in words for piece in line.split(";"))
    places = ((piece, match.end()) for piece in pieces for match in _IF_ANYWHERE.finditer(piece))
    rests = (piece[end : end + MAX_PLAN].rstrip(_ENDS) for piece, end in islice(places, MAX_IFS))
    found = (each for rest in rests if (each := conditional_command(f"if {rest}", reader)))
    return next((each for each in found if each.error is None and each.args.get("steps") != ()), None)


_BULLET = re.compile(r"\A(?:[-*+]|\u2022|\u00b7)\s+")


def has_bullet(text: str) -> bool:
    return _BULLET.match(text) is not None


def without_bullet(line: str) -> str:
    return _BULLET.sub("", line.strip())


_STOP = re.compile(r"(?:(?<=[^\s.!,])[.,!]{1,3}|(?<=[^\s.!,]) ?!{1,3}) ?$")
"""A full stop after a line; a row of dots is a row of a board."""


def _without_bullet_or_stop(text: str, reader: MoveReader | None) -> Command | None:
    bare = without_bullet(text)
    stopped = bare.rstrip(" ").endswith((".", "!", ","))
    for form in dict.fromkeys((bare, _STOP.sub("", bare) if stopped else bare)):
        if form and form != text:
            found = _move(form, reader) or _numbered_move(form, reader) or conditional_command(form, reader)
            if found := found or (_word(form) if form.lower() != "resign" else None):
                return found
    return None


def _misspelled_command(text: str, reader: MoveReader | None, *, first: bool) -> Command | None:
    word, _, rest = text.partition(" ")
    name = correct_word(word)
    if name is None or (not rest and not first and (word[0].lower() != name[0] or word[0].isupper())):
        return None  # prose, or a name below the words, such as James
    return _named_move(rest.strip(), reader, text) if name == "move" else _word(text, name)


def join_conditional_lines(
    found: ParsedLine | None, below: Sequence[str], reader: MoveReader | None
) -> tuple[ParsedLine | None, int]:
    """Join conditional moves with continuation lines; returns the result and the number of lines joined.

    The result is an error if the first line is complete and a line below is a command too: nobody can know.
    """
    if found is None or len(found.commands) != 1 or found.commands[0].verb != "plan":
        return found, 0
    (best,) = found.commands
    above = joined = best.text
    count = 0
    for number, line in enumerate(map(str.strip, below[:MAX_PIECES]), 1):
        done = best.error is None
        if not line or (done and not (width(above) <= MAX_WRAPPED_WIDTH and may_continue(above, line))):
            break
        joined, above = f"{joined} {line}", line
        longer = conditional_command(joined, reader)
        if longer is None or longer.error:
            continue
        if done and conditional_command(line, reader) is not None:
            return ParsedLine((faulty_plan(joined, MAYBE_WRAPPED),)), number
        best, count = longer, number
    return (ParsedLine((best,)) if count else found), count
