"""`python -m rules bipod`: both sides of a game at one terminal, without any server.

Moves and a few words are read from standard input, from a pipe as well as from a keyboard.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import TextIOWrapper
from pathlib import Path
from textwrap import fill
from typing import TextIO

from rules import RULES, find
from rules.contract import SEAT_NAMES, BadOption, NoMove, Outcome, Position, Rules, RulesError, option_words
from rules.notation import nearest
from rules.picture import text
from rules.record import Ending, Ply, Record, ended, write
from rules.scores import score_lines

USAGE = """\
usage: python -m rules GAME [OPTION=VALUE ...] [seed=NUMBER]

Play both sides of a game at this terminal, for example
    python -m rules bipod size=4 stones=2
"""

HELP = """\
Write a move, or one of these words:
  help       this text, and how a turn is written
  board      the board again
  moves      what may be played now
  undo       take the last ply back
  resign     give the game up for whoever is to play
  save FILE  write the game so far as a record
  quit       leave
"""

MANY = 120
"""Moves listed at most."""

WIDTH = 78
"""Columns of sentences; boards have their own."""


@dataclass(frozen=True)
class Table:
    """A game under way: its positions from the start, the texts of its plies, an ending by hand."""

    rules: Rules
    seed: int
    positions: tuple[Position, ...]
    moves: tuple[str, ...] = ()
    ending: Ending | None = None
    done: bool = field(default=False)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        if self.ending:
            return ended(self.position, self.ending.kind, self.ending.seat)
        return self.position.outcome


Answer = tuple[Table, str]
"""The table afterwards, and what to say."""


def main(arguments: Sequence[str], source: TextIO, out: TextIO) -> int:
    """Plays until the words or the input end. Exit code 0; 2 where no game can be begun."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(f"{USAGE}\nGames and their options:", file=out)
        for rules in RULES.values():
            print(f"  {rules.key}: {rules.option_ranges()}", file=out)
        return 0 if arguments else 2
    try:
        table = _begin(arguments)
    except RulesError as error:
        print(error, file=out)
        return 2
    print(f"{fill(table.rules.turn, WIDTH)}\nhelp says what else can be written.\n", file=out)
    print(shown(table), file=out)
    while not table.done:
        print(_prompt(table), end="", file=out, flush=True)
        line = source.readline()
        if not source.isatty():
            print(line.rstrip("\n"), file=out)
        table, answer = answered(table, line.strip()) if line else (replace(table, done=True), "")
        print(answer, file=out)
    return 0


def _begin(arguments: Sequence[str]) -> Table:
    rules = find(arguments[0])
    if rules is None:
        raise BadOption(f"There is no game {arguments[0]}; there are: {', '.join(RULES)}.")
    chosen = rules.written(arguments[1:])
    seed = chosen.pop("seed", "0")
    if not (seed.isascii() and seed.isdigit()):
        raise BadOption(f"seed={seed} cannot be: seed is a whole number.")
    return Table(rules, int(seed), (rules.start(chosen, int(seed)),))


def shown(table: Table) -> str:
    """The board, the scores, and what to do or how it ended."""
    picture = table.position.picture()
    parts = [text(picture, last=True), ""]
    scores = [] if picture.scored else score_lines(table.position.scores())
    if scores:
        parts += [*scores, ""]
    if table.outcome:
        parts.append(f"{table.outcome.reason}. save FILE keeps the game, undo takes the last ply back.")
    else:
        parts += table.position.notes()
    return "\n".join([*parts, ""])


def _prompt(table: Table) -> str:
    position = table.position
    if table.outcome or position.to_play is None:
        return "over> "
    side = position.side(position.to_play)
    return f"ply {position.ply + 1}, {SEAT_NAMES[position.to_play]}{f' ({side})' if side else ''}> "


def answered(table: Table, line: str) -> Answer:
    """The effect of a line: a move if the game reads it as one, else a word of `WORDS`."""
    if not line:
        return table, ""
    try:
        move = table.position.read(line)
    except NoMove as error:
        return _word(table, line, str(error))
    except RulesError as error:
        return table, f"{fill(str(error), WIDTH)}\n"
    if table.ending:
        return table, f"The game is over: {_reason(table)}.\n"
    try:
        position = table.position.play(move)
    except RulesError as error:
        return table, f"{fill(str(error), WIDTH)}\n"
    remark = table.position.remark(line, move)
    after = replace(table, positions=(*table.positions, position), moves=(*table.moves, str(move)))
    return after, shown(after) + (f"{remark}\n" if remark else "")


def _reason(table: Table) -> str:
    return table.outcome.reason if table.outcome else ""


def _word(table: Table, line: str, sentence: str) -> Answer:
    word, _, rest = line.partition(" ")
    action = WORDS.get(word.lower())
    if action:
        return action(table, rest.strip())
    meant = nearest(word.lower(), WORDS)
    examples = " or ".join(table.position.examples()) or "undo"
    hint = f"Did you mean {meant}?" if meant else f"Open now, for example: {examples}."
    return table, f"{fill(f'{sentence} {hint}', WIDTH)}\n"


def _help(table: Table, rest: str) -> Answer:
    return table, f"{fill(table.rules.turn, WIDTH)}\n\n{HELP}"


def _board(table: Table, rest: str) -> Answer:
    return table, shown(table)


def _moves(table: Table, rest: str) -> Answer:
    if table.outcome:
        return table, "The game is over, so no move is open.\n"
    names = table.position.playable()
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    examples = " or ".join(table.position.examples())
    listed = fill(f"Open now ({len(names)}): {' '.join(names[:MANY])}{more}", WIDTH)
    return table, f"{listed}\nFor example: {examples}\n"


def _undo(table: Table, rest: str) -> Answer:
    if table.ending:
        back = replace(table, ending=None)
    elif table.moves:
        back = replace(table, positions=table.positions[:-1], moves=table.moves[:-1])
    else:
        return table, "There is no ply to take back.\n"
    return back, shown(back)


def _resign(table: Table, rest: str) -> Answer:
    if table.outcome:
        return table, "The game is over already.\n"
    after = replace(table, ending=Ending("resign", table.position.to_play))
    return after, shown(after)


def _save(table: Table, rest: str) -> Answer:
    if not rest:
        return table, "save needs the name of a file, such as save mine.game\n"
    try:
        Path(rest).expanduser().write_text(write(recorded(table)))
    except OSError as error:
        return table, f"{rest} cannot be written: {error.strerror}.\n"
    return table, f"Saved as {rest}.\n"


def _quit(table: Table, rest: str) -> Answer:
    return replace(table, done=True), ""


WORDS: Mapping[str, Callable[[Table, str], Answer]] = {
    "help": _help,
    "board": _board,
    "moves": _moves,
    "undo": _undo,
    "resign": _resign,
    "save": _save,
    "quit": _quit,
    "exit": _quit,
}


def recorded(table: Table) -> Record:
    """The game as a record; a game that goes on has the result `*`."""
    outcome = table.outcome
    result = "*"
    if outcome:
        result = "draw" if outcome.winner is None else SEAT_NAMES[outcome.winner]
    tags = {
        "Game": table.rules.name,
        "Rules": table.rules.version,
        "Options": option_words(table.position.options),
        "Seed": str(table.seed),
        "Result": result,
    }
    plies = tuple(
        Ply(position.to_play, move) for position, move in zip(table.positions, table.moves, strict=False)
    )
    return Record(tags, plies, table.ending)


def _as_program() -> int:
    """The game at the real terminal; junk bytes are read as question marks, a closed pipe ends it."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        return main(sys.argv[1:], sys.stdin, sys.stdout)
    except KeyboardInterrupt:
        print()
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


if __name__ == "__main__":
    sys.exit(_as_program())
