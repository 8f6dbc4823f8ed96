"""Parser of a player's words into commands, by game. `pbem.core.parsing.line` reads each line.

`say …` and the words after the last command are the block's `comment`, not commands. `said` marks a `say`,
which counts as an order even alone. `game N` begins a block and is no command either.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pbem.core.parsing.commands import GAME, IRREVERSIBLE
from pbem.core.parsing.doubts import ENDING, IN_A_SENTENCE, doubt_about, goes_on
from pbem.core.parsing.line import (
    MAX_A_GAME,
    Command,
    MoveReader,
    ParsedLine,
    faulty_plan,
    first_conditional_command,
    has_bullet,
    join_conditional_lines,
    read_line,
    split_words_behind,
)
from pbem.core.parsing.misspelled import irreversible_meant
from pbem.core.parsing.note_line import rejoin_trial_lines, split_note
from pbem.core.parsing.taken_back import is_polite_line
from pbem.core.parsing.wrapping import may_continue
from pbem.core.redact import without_secrets

MAX_A_MAIL = 100
MAX_SECTIONS = 20
MAX_REPEATED_LINES, MAX_REPEATED_LETTERS = 10, 200
CLOCK_COMMANDS = re.compile(r"\b(?:vacation|back|remind|set)\b", re.IGNORECASE)
"""Commands after which every clock of their writer is checked."""
NO_WORDS = "I found no text of yours. Please write your move at the very top."
GIVE_REASONS = frozenset({"direct", "report"})
"""Commands with a reason. Below an empty line it is all that follows, words such as `resign` too."""
NO_ORDERS = "I could not find a move in your mail."
ONLY_WORDS = "I found words to your opponent, but no move or command."
TOO_LATE = (
    "I found a move or command only below several lines of other words. Please write it at the very top."
)
MAX_GREETING = 40
"""In characters; a longer line is the beginning of a letter."""
MAX_SHOWN = 60
_LIKE_COMMAND = re.compile(
    r"(draw|annul|undo|resign|claim|pause|vacation)(?:\s?\?[.!?]*|\s+\d\S*(?:\s+\S+){0,5})", re.IGNORECASE
)
"""A line of words that was meant as a command, as far as can be seen."""
MAY_BE_PROSE = (
    'The line "{text}" is directly below other words, so it was not carried out. If you mean it, please '
    "write it again as the first line of a mail."
)
MAY_BE_A_SLIP = (
    'Did you mean "{meant}"? I found "{text}" in your mail and took it as words. If you mean "{meant}", '
    "please answer with that one word."
)
MAY_BE_MEANT = (
    'I took the line "{text}" as words, and did nothing else with it. '
    "`help {word}` says how to write the command."
)
CONDITIONAL_AMONG_WORDS = (
    "I found a plan among the words for your opponent, who must not see it. Please write plans directly "
    "below your move."
)
MAY_BE_NO_GAME = (
    'The line "{text}" is directly below other words, so I cannot tell which game the move below it is for. '
    "Please leave an empty line above it."
)
TOO_MANY = f"That is more than {MAX_A_GAME} commands for one game, or more than {MAX_A_MAIL} in one mail."


@dataclass(frozen=True)
class GameBlock:
    """A game's commands (None: not named), and the words for the opponent.

    The words `above` the commands go to nobody, and the answer says so; a `greeting` is not among them.
    `remarks`: sentences about lines that may have been meant as commands but were not taken.
    `doubt`: why its commands may not be meant, a code of `pbem.core.parsing.doubts`, or "".
    """

    game: int | None
    commands: tuple[Command, ...] = ()
    comment: str = ""
    said: bool = False
    above: str = ""
    remarks: tuple[str, ...] = ()
    greeting: str = ""
    doubt: str = ""


@dataclass(frozen=True)
class MailCommands:
    """All commands of a mail. `empty`: the mail has no order; `nothing_read`: words and no order."""

    blocks: tuple[GameBlock, ...] = ()
    problem: str = ""
    remarks: tuple[str, ...] = ()
    empty: bool = False
    nothing_read: bool = False

    @property
    def commands(self) -> list[Command]:
        """Those of all blocks."""
        return [command for block in self.blocks for command in block.commands]

    @property
    def texts(self) -> list[str]:
        return [command.text for command in self.commands]

    @property
    def comment(self) -> str:
        return "\n\n".join(block.comment for block in self.blocks if block.comment)


def read_orders(
    words: str,
    *,
    marked: bool,
    reader: MoveReader | None = None,
    reader_of: Callable[[int], MoveReader | None] | None = None,
    own: int | None = None,
) -> MailCommands:
    """Parse a player's own words (`pbem.core.parsing.reply_text.split_words`) into commands.

    `marked`: the letter's marker line was found, so any prose may stand before the commands, else one line.
    `reader` reads moves of the mail's game, whose number is `own`; `reader_of(42)` those below `game 42`.
    """

    def read_by(number: int | None) -> MoveReader | None:
        return reader if number is None or reader_of is None else reader_of(number)

    unsure: list[str] = []
    sections = list(_sections(words.split("\n"), read_by, own, unsure))
    if sum(number is not None for number, _ in sections) > MAX_SECTIONS:
        return MailCommands(problem=TOO_MANY)
    if unsure:
        return MailCommands(problem=MAY_BE_NO_GAME.format(text=unsure[0]))
    blocks: list[GameBlock] = []
    late = False
    for number, lines in sections:
        section = _Section(lines, read_by(number), greeted=not blocks)
        block = section.block(number)
        late = late or (len(section.above) > 1 and not marked and bool(block.commands or block.said))
        blocks.append(block)
    return _check_blocks(blocks, own, late, words)


def confirmed_commands(orders: MailCommands) -> list[Command]:
    """The commands of an answer. `confirm` counts only at the top: below it may be a broken quoted line."""
    commands = orders.commands
    first = orders.blocks[0] if orders.blocks else None
    if first is not None and first.commands and first.commands[0].verb == "confirm" and not first.above:
        return commands
    return [command for command in commands if command.verb != "confirm"]


def named_games(words: str) -> list[int]:
    """Games with a `game N` line, ascending. Locks in this order never wait in a circle."""
    found = {int(match[1]) for line in words.split("\n") if (match := GAME.fullmatch(line.strip()))}
    return sorted(found) if len(found) <= MAX_SECTIONS else []


def _join(blocks: Sequence[GameBlock], game: int | None) -> GameBlock:
    return GameBlock(
        game,
        tuple(command for block in blocks for command in block.commands),
        "\n\n".join(block.comment for block in blocks if block.comment),
        any(block.said for block in blocks),
        "\n".join(block.above for block in blocks if block.above),
        tuple(remark for block in blocks for remark in block.remarks),
        next((block.greeting for block in blocks if block.greeting), ""),
        next((block.doubt for block in blocks if block.doubt), ""),
    )


def _check_blocks(found: Sequence[GameBlock], own: int | None, late: bool, words: str) -> MailCommands:
    """Merge blocks into one a game, within a limit. A game's commands succeed or fail together."""
    by_game: dict[int | None, list[GameBlock]] = {}
    for block in found:
        by_game.setdefault(own if block.game is None else block.game, []).append(block)
    blocks = [_join(same, same[0].game) for same in by_game.values()]
    remarks = _join(blocks, None).remarks
    if late:
        return MailCommands(problem=TOO_LATE, remarks=remarks)
    counts = [len(block.commands) for block in blocks]
    if max(counts, default=0) > MAX_A_GAME or sum(counts) > MAX_A_MAIL:
        return MailCommands(problem=TOO_MANY)
    if not any(block.commands or block.said for block in blocks):
        wrote = bool(words.strip())
        problem = NO_ORDERS if wrote else NO_WORDS
        return MailCommands(problem=problem, remarks=remarks, empty=True, nothing_read=wrote)
    kept = [block for block in blocks if block.commands or block.said or block.game is not None]
    above = [block for block in blocks if block not in kept]  # words above the first `game N`
    return MailCommands((_join([*above, kept[0]], kept[0].game), *kept[1:]))


def parsed_lines(words: str, reader: MoveReader | None) -> Iterator[tuple[str, ParsedLine | None]]:
    """Each line above the comment with its parse, to explain a mail."""
    for number, lines in _sections(words.split("\n"), lambda _number: reader, None, []):
        section = _Section(lines, reader, greeted=number is None)
        section.block(number)
        yield from section.taken


def _sections(
    lines: Sequence[str],
    read_by: Callable[[int | None], MoveReader | None],
    own: int | None,
    unsure: list[str],
) -> Iterator[tuple[int | None, list[str]]]:
    """Lines before the first `game N` (number None), then below each.

    A `game N` that may be the end of a sentence begins no game if no command follows it. If a command follows
    that may be meant for the game above, the line is added to `unsure`.
    """
    number, section = None, list[str]()
    doubts = 0
    for at, line in enumerate(lines):
        match = GAME.fullmatch(line.strip())
        if match and doubts < MAX_SECTIONS and section and may_continue(section[-1], line.strip()):
            doubts += 1
            its = read_by(number)
            if read_line(section[-1].strip(), its) is None:
                below = [other for other in lines[at + 1 :] if other.strip()]
                if not _any_command(below[:1], read_by(int(match[1]))):
                    match = None
                elif its and int(match[1]) not in (number, own) and not _any_command(section, its):
                    unsure.append(line.strip())
        if not match:
            section.append(line)
            continue
        if number is not None or any(map(str.strip, section)):
            yield number, section
        number, section = int(match[1]), []
    yield number, section


def _any_command(lines: Sequence[str], reader: MoveReader | None) -> bool:
    return any(read_line(line, reader) is not None for line in map(str.strip, lines) if line)


class _Section:
    """The parse of one game's lines, from top to bottom.

    `above`: the prose above the commands, without a greeting; `taken`: the lines above the comment, parsed.
    """

    def __init__(self, lines: Sequence[str], reader: MoveReader | None, *, greeted: bool) -> None:
        above, note, words = split_note(
            rejoin_trial_lines(lines), lambda text: read_line(text, reader) is not None
        )
        self._lines = above
        self._note = Command("note", note, {"words": _comment(words)}) if words else None
        self._reader = reader
        self._greeted = greeted
        self.above: list[str] = []
        self._greeting = ""
        self._remarks: list[str] = []
        self._unsure: list[Command] = []
        self._in_a_sentence = False
        self.taken: list[tuple[str, ParsedLine | None]] = []

    def block(self, game: int | None) -> GameBlock:
        """The block of these lines. Conditional moves among the words below its commands stop it all."""
        commands, words, said = self._read_commands()
        if not commands and len(self._unsure) == 1:
            commands, words, self._in_a_sentence = self._unsure, (), True
            self._remarks.clear()
        astray = first_conditional_command(words[1:] if said else words, self._reader)
        if astray is not None:
            commands.append(faulty_plan(astray.text, CONDITIONAL_AMONG_WORDS))
        if words and not said and words[0].strip().islower():  # with a capital it is rather a name: Drew
            self._ask_about(words[0].strip())
        if any(command.verb == "move" for command in commands) and not said:
            self._remarks += [
                MAY_BE_MEANT.format(text=_short(text), word=word) for text, word in _like_commands(words)
            ]
        above: Sequence[str] = self.above
        if game is not None and not (commands or words):
            words, above = self._lines, ()
        if self._note is not None:
            self.taken.append((self._note.text, ParsedLine((self._note,))))
            commands.append(self._note)
        comment, remarks, greeting = _comment(words), tuple(self._remarks), _comment([self._greeting])
        doubt = IN_A_SENTENCE if commands and self._in_a_sentence else ""
        loose = () if said else words
        doubt = doubt or doubt_about(commands, loose, self.above, self._listed(), self._reader)
        return GameBlock(game, tuple(commands), comment, said, _comment(above), remarks, greeting, doubt)

    def _listed(self) -> list[Command]:
        """The commands of lines with bullets."""
        lines = [found.commands for text, found in self.taken if found and has_bullet(text)]
        return [command for commands in lines for command in commands]

    def _read_commands(self) -> tuple[list[Command], Sequence[str], bool]:
        """The commands, the words below them, and True if `say` begins these."""
        commands: list[Command] = []
        above = ""  # the line of prose directly above
        passed = 0  # lines that belong to one above
        for number, line in enumerate(self._lines):
            text, below = line.strip(), self._lines[number + 1 :]
            if passed or not text:
                above, passed = above if text else "", max(passed - 1, 0)
                continue
            if commands and commands[-1].verb in GIVE_REASONS and not self._lines[number - 1].strip():
                return commands, self._lines[number:], False
            found, text, behind = self._read(text, first=not commands, fresh=not above)
            if found is not None and above:
                found = self._below_prose(found, above, text, below)
            found, passed = join_conditional_lines(found, below, self._reader)
            if found is None and commands:
                return commands, self._lines[number:], False
            self.taken.append((text, found))
            if found is None:
                above = "" if self._is_greeting(text, below) else line
                self._greeting = self._greeting or ("" if above else text)
                if above:
                    self.above.append(above)
                    self._ask_about(text)
                continue
            above = ""
            commands += found.commands
            if len(commands) > MAX_A_GAME:
                break
            if found.said is not None or behind:
                return commands, [found.said or behind, *below], found.said is not None
        return commands, (), False

    def _read(self, text: str, *, first: bool, fresh: bool) -> tuple[ParsedLine | None, str, str]:
        """Return the parse of a line, the text that it is of, and a greeting behind that."""
        found = read_line(text, self._reader, first=first, fresh=fresh)
        if found is not None:
            return found, text, ""
        move, behind = split_words_behind(text, self._reader)
        return (read_line(move, self._reader), move, behind) if behind else (None, text, "")

    def _below_prose(
        self, found: ParsedLine, above: str, text: str, below: Sequence[str]
    ) -> ParsedLine | None:
        """The commands directly below prose, or None for a sentence's end."""
        if may_continue(above, text) or _is_irreversible(found):
            self._remarks.append(MAY_BE_PROSE.format(text=_short(text)))
            self._unsure += [each for each in found.commands if each.verb in ENDING or each.verb == "move"]
            return None
        next_line = below[0].strip() if below else ""
        if read_line(next_line, self._reader) is None:
            self._in_a_sentence = self._in_a_sentence or goes_on(above, next_line)
        return found

    def _ask_about(self, text: str) -> None:
        meant = irreversible_meant(text)
        if meant is not None and read_line(meant, self._reader) is not None:
            self._remarks.append(MAY_BE_A_SLIP.format(meant=meant, text=text))

    def _is_greeting(self, text: str, below: Sequence[str]) -> bool:
        """True if the first line is a greeting like `Hi Joao,` or `Hello!`. A command is none."""
        if not self._greeted or len(self.taken) > 1 or len(text) > MAX_GREETING:
            return False
        if below and may_continue(text, below[0]):
            return False
        if is_polite_line(text):
            return read_line(text, self._reader) is None
        if text[-1] not in ",!" or any(map(str.isdigit, text)):
            return False
        return read_line(text.rstrip(",! "), self._reader) is None


def _like_commands(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Find lines such as `Draw?` and `vacation 3 days from Monday`, and the word of each."""
    for line in map(str.strip, words):
        if found := _LIKE_COMMAND.fullmatch(line):
            yield line, found[1].lower()


def _is_irreversible(line: ParsedLine) -> bool:
    words = (command.args.get("move", command.verb) for command in line.commands)
    return any(word.strip().lower() in IRREVERSIBLE for word in words)


def _short(text: str) -> str:
    shown = without_secrets(text).replace('"', "'")
    return shown if len(shown) <= MAX_SHOWN else f"{shown[: MAX_SHOWN - 3]}..."


def _comment(lines: Sequence[str]) -> str:
    """The lines for the opponent, without reply addresses and secret links."""
    return without_secrets("\n".join(line.rstrip() for line in lines).strip("\n"))


def repeat_commands(orders: MailCommands) -> list[str]:
    """All that `confirm` would do: every command and word, with its game."""
    lines: list[str] = []
    for block in orders.blocks:
        game = f"game {block.game}: " if block.game is not None else ""
        lines += [f"{game}{command.text}" for command in block.commands]
        lines += [f"{game}{line}" for line in block.comment.split("\n") if line.strip()]
        above = filter(None, block.above.split("\n"))
        lines += [f"{game}{line} (above the orders, sent to nobody)" for line in above]
    return lines


def exceeds_letter(lines: list[str]) -> bool:
    return len(lines) > MAX_REPEATED_LINES or max(map(len, lines), default=0) > MAX_REPEATED_LETTERS
