"""A player's own words -> commands, by the table in `pbem.core.vocabulary`; anything else is a move.

A `Command` is a verb, the player's own text of it, and arguments by name:

    move       move (the text the game reads), guard (ply number or None)
    resign     yes (bool)                accept, decline  number (int or None), offer ("", draw …)
    register   name                      challenge        player, game, options, pace, rated, seats
    show       ply (int or None)         rules            game ("" for none named)
    set        key, value ("" for none)  stop, start      category
    help       topic ("" for none)       confirm, moves, games
    seek       as challenge, no player   take, withdraw   number (None: the letter's)
    limit      game, most (a text)       block, unblock   name ("" for none named)
    give       time ("48h")              pause            days (int)
    claim      result                    draw, seeks
    boards     every ("all" or "")       digest           hour (as written, "off", or "")
    try        moves (the texts, one a ply)  note             words (to the end of the game's lines)
    export     every (bool), format ("text" or "json")
    watch, unwatch  number ("" for none)
    plan       steps ((when, answers), ...; none asks for the plan itself) or clear (True)
    later      word: a command that this server does not offer yet

`say …` and the words after the last command are no commands but the block's `comment`; `said` tells
that `say` began it, so that it is an order even where nothing else is. `game N` begins a block of its
own and is no command either. Values only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.core.blanking import without_secrets
from pbem.core.note_lines import apart, rejoined
from pbem.core.plan_lines import AMONG_WORDS, PlanLine, gathered, read_plan_line
from pbem.core.vocabulary import GAME, KEYWORDS, PLAIN, SAY, WORDS, mended
from rules.contract import NoMove, RulesError, Unreadable

MOST_A_GAME = 10
MOST_A_MAIL = 100
MOST_SECTIONS = 20
"""`game N` lines in a mail; more than anybody plays, fewer than would make work."""
LONGEST_MOVE = 200
"""Characters; a longer line is prose and no game is asked to read it."""
LONGEST_TRIAL = 1_000
"""Characters of a line of several moves."""

NOTHING = (
    "There was nothing of your own to read in this mail; please write above the letter you answer, for words "
    "inside it are found only where your mail program marks the letter's lines."
)
NO_ORDERS = "No line of this mail is a move or a command."
ONLY_WORDS = "The mail holds words to your opponent and no move or command."
TOO_LATE = (
    "The first move or command stands below several lines of other words, so it may not be meant as one; "
    "please write moves and commands first."
)
TOO_MANY = f"That is more than {MOST_A_GAME} commands for one game, or more than {MOST_A_MAIL} in one mail."

Reader = Callable[[str], object]
"""A game's reader, `position.read`: gives the move, raises NoMove for prose and any other RulesError
for what is meant as a move but is none. It must not depend on whose turn it is."""


@dataclass(frozen=True)
class Command:
    """What a player asks for: the verb, the player's own text, arguments by name.

    `error` is why the text of a `move` or a `plan`, though meant as one, is none; its `str()` is the
    sentence.
    """

    verb: str
    text: str
    args: Mapping[str, Any] = field(default_factory=dict)
    error: RulesError | None = None


@dataclass(frozen=True)
class Block:
    """The commands for one game, and what is said to the opponent; `game` is None where none is named.

    `above` are the words that stood above the commands: they go to nobody, and the answer says so.
    """

    game: int | None
    commands: tuple[Command, ...] = ()
    comment: str = ""
    said: bool = False
    above: str = ""


@dataclass(frozen=True)
class Orders:
    """What a mail asks for. With a `problem` (a sentence for the player) nothing is to be done."""

    blocks: tuple[Block, ...] = ()
    problem: str = ""

    @property
    def texts(self) -> list[str]:
        """The player's own texts of all commands, in order."""
        return [command.text for block in self.blocks for command in block.commands]

    @property
    def comment(self) -> str:
        """All comments, in order, a blank line between those of several games."""
        return "\n\n".join(block.comment for block in self.blocks if block.comment)


def read_orders(
    words: str,
    *,
    marked: bool,
    reader: Reader | None = None,
    reader_of: Callable[[int], Reader | None] | None = None,
    own: int | None = None,
) -> Orders:
    """The orders in a player's own words (`pbem.core.words.own_words`).

    `marked`: the letter's marker line was found, so any prose may stand before the orders, else one
    line. `reader` reads moves of the game the mail is about, `reader_of(42)` those below `game 42`;
    without a reader no moves are recognised. `own` is the number of the game the mail is about, so
    that what stands below its `game N` line is one block with what stands above.
    """
    blocks: list[Block] = []
    late = False
    sections = list(_sections(words.split("\n")))
    if sum(number is not None for number, _ in sections) > MOST_SECTIONS:
        return Orders(problem=TOO_MANY)
    for number, lines in sections:
        its = reader if number is None or reader_of is None else reader_of(number)
        section = _Section(lines, its, greeted=not blocks)
        block = section.block(number)
        late = late or (section.prose > 1 and not marked and bool(block.commands or block.said))
        blocks.append(block)
    return _judged(_merged(blocks, own), late, words)


def any_of(readers: Sequence[Reader]) -> Reader:
    """A reader of the moves of any of several games."""

    def read(text: str) -> object:
        for reader in readers:
            try:
                return reader(text)
            except NoMove:
                continue
        raise NoMove(text)

    return read


def games_named(words: str) -> list[int]:
    """The games that have a `game N` line, ascending: who locks them so never waits in a circle."""
    found = {int(match[1]) for line in words.split("\n") if (match := GAME.fullmatch(line.strip()))}
    return sorted(found) if len(found) <= MOST_SECTIONS else []


def _merged(blocks: Sequence[Block], own: int | None) -> tuple[Block, ...]:
    """One block for each game: its commands stand or fall together wherever in the mail they stand."""
    merged: dict[int | None, Block] = {}
    for block in blocks:
        key = own if block.game is None else block.game
        before = merged.get(key)
        if before is None:
            merged[key] = block
            continue
        comment = "\n\n".join(filter(None, (before.comment, block.comment)))
        commands = before.commands + block.commands
        above = "\n".join(filter(None, (before.above, block.above)))
        merged[key] = Block(before.game, commands, comment, before.said or block.said, above)
    return tuple(merged.values())


def _judged(blocks: tuple[Block, ...], late: bool, words: str) -> Orders:
    if late:
        return Orders(problem=TOO_LATE)
    counts = [len(block.commands) for block in blocks]
    if max(counts, default=0) > MOST_A_GAME or sum(counts) > MOST_A_MAIL:
        return Orders(problem=TOO_MANY)
    kept = tuple(block for block in blocks if block.commands or block.said or block.game is not None)
    if not any(block.commands or block.said for block in kept):
        return Orders(problem=NO_ORDERS if words.strip() else NOTHING)
    return Orders(_with_words_above(kept, [block.above for block in blocks if block not in kept]))


def _with_words_above(kept: tuple[Block, ...], dropped: Sequence[str]) -> tuple[Block, ...]:
    """What stood above the first `game N` line, where it was no order, is told with the first block."""
    above = "\n".join(filter(None, (*dropped, kept[0].above)))
    return (replace(kept[0], above=above), *kept[1:])


def each_line(words: str, reader: Reader | None) -> Iterator[tuple[str, Line | None]]:
    """Each line that may be an order and what it spells, None for prose: to show how a mail was read."""
    for number, lines in _sections(words.split("\n")):
        section = _Section(lines, reader, greeted=number is None)
        section.block(number)
        yield from section.taken


def _sections(lines: Sequence[str]) -> Iterator[tuple[int | None, list[str]]]:
    """The lines before the first `game N` (number None), then those below each."""
    number, section = None, list[str]()
    for line in lines:
        match = GAME.fullmatch(line.strip())
        if match:
            if number is not None or any(other.strip() for other in section):
                yield number, section
            number, section = int(match[1]), []
        else:
            section.append(line)
    yield number, section


class _Section:
    """One game's lines being read, top to bottom.

    `prose`: how many lines stand above the orders, a greeting apart; `taken`: every line above the
    comment, and what it spells.
    """

    def __init__(self, lines: Sequence[str], reader: Reader | None, *, greeted: bool) -> None:
        above, note, words = apart(rejoined(lines), lambda text: read_line(text, reader) is not None)
        self._lines = above
        self._note = Command("note", note, {"words": _comment(words)}) if words else None
        self._reader = reader
        self._may_greet = greeted
        self._above: list[str] = []
        self.prose = 0
        self.taken: list[tuple[str, Line | None]] = []

    def block(self, game: int | None) -> Block:
        """The block of these lines; a private note is the last of its commands."""
        block = self._orders(game)
        if self._note is None:
            return block
        self.taken.append((self._note.text, Line((self._note,))))
        return replace(block, commands=(*block.commands, self._note))

    def _orders(self, game: int | None) -> Block:
        commands: list[Command] = []
        fresh = True  # no prose directly above
        passed = 0  # lines that belong to one above
        for number, line in enumerate(self._lines):
            text = line.strip()
            if passed or not text:
                fresh, passed = fresh or not text, max(passed - 1, 0)
                continue
            found = read_line(text, self._reader, first=not commands, fresh=fresh)
            found, passed = _whole_plan(found, self._lines[number + 1 :], self._reader)
            if found is None and commands:
                return self._block(game, commands, self._lines[number:])
            self.taken.append((text, found))
            if found is None:
                fresh = self._greeting(text)
                self.prose += not fresh
                self._above += [] if fresh else [line]
            else:
                commands += found.commands
                if len(commands) > MOST_A_GAME:
                    break
                if found.said is not None:
                    said = [found.said, *self._lines[number + 1 :]]
                    return self._block(game, commands, said, said=True)
            self._may_greet = False
        comment = "" if commands or game is None else _comment(self._lines)
        return Block(game, tuple(commands), comment, above="" if comment else self._unsaid())

    def _unsaid(self) -> str:
        return _comment(self._above)

    def _block(
        self, game: int | None, commands: list[Command], words: Sequence[str], *, said: bool = False
    ) -> Block:
        """Commands with the words below them; a plan among the words stops it all."""
        below = words[1:] if said else words
        astray = next((each for line in below if (each := _planned(line.strip(), self._reader))), None)
        if astray is not None and astray.error is None and astray.args.get("steps") != ():
            commands = [*commands, Command("plan", astray.text, {}, Unreadable(AMONG_WORDS))]
        return Block(game, tuple(commands), _comment(words), said, self._unsaid())

    def _greeting(self, text: str) -> bool:
        """`Hi Joao,` or `Hello!` on the first line: no digits, a comma or `!` at the end."""
        return self._may_greet and text[-1] in ",!" and not any(map(str.isdigit, text))


def _whole_plan(found: Line | None, below: Sequence[str], reader: Reader | None) -> tuple[Line | None, int]:
    """A line with those that a mail program broke off it, if it is one of a plan, and how many those are."""
    plan = found.commands[0] if found is not None and len(found.commands) == 1 else None
    if plan is None or plan.verb != "plan":
        return found, 0
    line, text, count = gathered(plan.text, below, _reads(reader))
    return (Line((_plan_command(text, line),)), count) if line is not None and count else (found, 0)


def _comment(lines: Sequence[str]) -> str:
    """The lines as they go to the opponent: no reply address or secret link in them."""
    return without_secrets("\n".join(line.rstrip() for line in lines).strip("\n"))


# ---------------------------------------------------------------------------------------- one line


@dataclass(frozen=True)
class Line:
    """The commands of one line, and the words of a `say` that ends it (None where there is none)."""

    commands: tuple[Command, ...]
    said: str | None = None


def read_line(text: str, reader: Reader | None, *, first: bool = True, fresh: bool = True) -> Line | None:
    """The commands that one line spells, None where it is prose.

    `first`: no command stands above it (below one, a lone word that misses a command by its first
    letter is rather a name: `James`). `fresh`: it begins a paragraph, so a full stop at its end is
    not the end of a sentence that began above.
    """
    whole = _command(text, reader, first=first, fresh=fresh)
    if whole is not None and whole.error is None:
        return Line((whole,))
    several = _several(text, reader, first=first, fresh=fresh)
    if several is not None:
        return several
    return Line((whole,)) if whole else None


def _several(text: str, reader: Reader | None, *, first: bool, fresh: bool) -> Line | None:
    """`f2 f4; say hello`: each part a command; `say` takes all that is left of the line."""
    commands: list[Command] = []
    rest = text.strip("; ")
    while rest:
        if match := SAY.fullmatch(rest):
            return Line(tuple(commands), match[1])
        part, _, rest = (piece.strip("; ") for piece in rest.partition(";"))
        command = _command(part, reader, first=first, fresh=fresh)
        if command is None:
            return None
        commands.append(command)
        if len(commands) > MOST_A_GAME:
            break
    return Line(tuple(commands)) if commands else None


def _command(text: str, reader: Reader | None, *, first: bool, fresh: bool) -> Command | None:
    """The one command that `text` spells: the game's notation first, then words, then slips."""
    plain = _move(text, text, reader)
    if plain is not None and plain.error is None:
        return plain
    found = _planned(text, reader) or _word(text) or _guarded(text, reader) or _trying(text, reader) or plain
    if found is None and fresh:
        found = _undressed(text, reader)
    return found or _slipped(text, reader, first=first)


def _move(text: str, move: str, reader: Reader | None, guard: int | None = None) -> Command | None:
    """`move` as the game reads it: a move, a move with its error, or None for prose."""
    if reader is None or len(move) > LONGEST_MOVE:
        return None
    args = {"move": move, "guard": guard}
    try:
        reader(move)
    except NoMove:
        return None
    except RulesError as error:
        return Command("move", text, args, error)
    return Command("move", text, args)


_GUARD = re.compile(r"(?:#(\d{1,4})[.:]?\s+|(\d{1,4})\.\s*)(\S.*)")
_MOVE = re.compile(r"move(?::\s*|\s+)(\S.*)", re.IGNORECASE)


def _guarded(text: str, reader: Reader | None) -> Command | None:
    """`#7 f2 f4`, `7. f2 f4`, `move f2 f4`, `move #7 f2 f4`."""
    move = _MOVE.fullmatch(text)
    inner = move[1] if move else text
    guard = _GUARD.fullmatch(inner)
    if guard:
        return _move(text, guard[3], reader, int(guard[1] or guard[2]))
    return _move(text, inner, reader) if move else None


def _word(text: str) -> Command | None:
    """A command of the table, spelled right."""
    word, _, rest = text.partition(" ")
    return _of_table(word.lower(), " ".join(rest.split()), text)


def _of_table(name: str, rest: str, text: str) -> Command | None:
    word = WORDS.get(name)
    args = word.parse(rest) if word else None
    if word is None or args is None:
        return None
    if word.later or args.get("later"):
        return Command("later", text, {"word": f"{name} {args['key']}" if args.get("later") else name})
    return Command(name, text, args)


_THEN = re.compile(r"\s+then\s+", re.IGNORECASE)


def _trying(text: str, reader: Reader | None) -> Command | None:
    """`try <move> [then <move>]…`; where one of them is a move all are meant to be."""
    word, _, rest = text.partition(" ")
    if word.lower().rstrip(":") != "try" or len(text) > LONGEST_TRIAL:
        return None
    moves = _THEN.split(rest.strip())
    if any(_move(move, move, reader) for move in moves):
        return Command("try", text, {"moves": moves})
    return None


def _planned(text: str, reader: Reader | None) -> Command | None:
    """`if <move> then <answer>…`, `if clear`, `if`: a plan; with its error where it is meant as one."""
    found = read_plan_line(text, _reads(reader)) if reader is not None else None
    return None if found is None else _plan_command(text, found)


def _plan_command(text: str, line: PlanLine) -> Command:
    return Command("plan", text, line.args, Unreadable(line.error) if line.error else None)


def _reads(reader: Reader | None) -> Callable[[str], bool]:
    return lambda piece: _move(piece, piece, reader) is not None


_BULLET = re.compile(r"(?:[-*+]|\u2022|\u00b7)\s+")
_STOP = re.compile(r"(?:(?<=[^\s.!,])[.,!]{1,3}|(?<=[^\s.!,]) ?!{1,3}) ?$")
"""A full stop behind a line; a row of dots behind it is a row of a board."""


def _undressed(text: str, reader: Reader | None) -> Command | None:
    """A line that is a command but for a bullet before it or a full stop behind it."""
    bare = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    stopless = _STOP.sub("", bare)
    for form in dict.fromkeys((bare, stopless)):
        if form and form != text:
            found = _move(form, form, reader) or _guarded(form, reader) or _planned(form, reader)
            if found is None and form.lower() != "resign":
                found = _word(form)
            if found is not None:
                return found
    return None


def _slipped(text: str, reader: Reader | None, *, first: bool) -> Command | None:
    """A command whose word is one slip of the finger away from the only one that fits."""
    word, _, rest = text.partition(" ")
    name = mended(word)
    if name is None:
        return None
    if not rest and not first and (word[0].lower() != name[0] or word[0].isupper()):
        return None  # a name below the words, such as James or Drew
    if name in PLAIN:
        return None if rest else _move(text, name, reader)
    if name == "move":
        return _move(text, rest.strip(), reader)
    found = _of_table(name, " ".join(rest.split()), text)
    return None if found is None or found.verb == "later" else found


__all__ = [
    "KEYWORDS",
    "NOTHING",
    "NO_ORDERS",
    "ONLY_WORDS",
    "TOO_LATE",
    "TOO_MANY",
    "Block",
    "Command",
    "Line",
    "Orders",
    "Reader",
    "any_of",
    "each_line",
    "games_named",
    "read_line",
    "read_orders",
]
