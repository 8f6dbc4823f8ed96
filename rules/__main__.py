"""`python -m rules bipod`: both sides of a game at one terminal or through a pipe, without a server."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from textwrap import fill
from typing import TextIO

from rules import RULES, find
from rules.contract import SEAT_NAMES, BadOption, NoMove, Outcome, Position, Rules, RulesError, option_words
from rules.notation import nearest
from rules.record import Record, RecordEnding, RecordPly, ending_outcome, write
from rules.summary import board_lines

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
WIDTH = 78


def main(arguments: Sequence[str], source: TextIO, out: TextIO) -> int:
    """Play until `quit` or the end of the input. Return exit code 0, or 2 if no game can be started."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(f"{USAGE}\nGames and their options:", file=out)
        for each in RULES.values():
            print(f"  {each.key}: {each.option_ranges()}", file=out)
        return 0 if arguments else 2
    try:
        rules = find(arguments[0])
        if rules is None:
            raise BadOption(f"There is no game {arguments[0]}; there are: {', '.join(RULES)}.")
        chosen = rules.split_options(arguments[1:])
        seed = chosen.pop("seed", "0")
        if not (seed.isascii() and seed.isdigit()):
            raise BadOption(f"seed={seed} cannot be: seed is a whole number.")
        table = GameAtTerminal(
            rules, int(seed), [rules.begin(rules.complete_for(arguments[0], chosen), int(seed))]
        )
    except RulesError as error:
        print(error, file=out)
        return 2
    print(f"{fill(table.rules.turn, WIDTH)}\nhelp says what else can be written.\n", file=out)
    print(table.board(), file=out)
    while not table.done:
        print(table.prompt(), end="", file=out, flush=True)
        line = source.readline()
        if not source.isatty():
            print(line.rstrip("\n"), file=out)
        print(table.answer(line.strip()) if line else table.quit(), file=out)
    return 0


@dataclass
class GameAtTerminal:
    """A game in progress. The methods named in `WORDS` answer that word with text to be printed."""

    rules: Rules
    seed: int
    positions: list[Position]
    plies: list[str] = field(default_factory=list)
    ending: RecordEnding | None = None
    done: bool = False

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        if self.ending:
            return ending_outcome(self.position, self.ending.kind, self.ending.seat)
        return self.position.outcome

    def prompt(self) -> str:
        position = self.position
        if self.outcome or position.to_play is None:
            return "over> "
        side = position.side(position.to_play)
        return f"move {position.ply + 1}, {SEAT_NAMES[position.to_play]}{f' ({side})' if side else ''}> "

    def answer(self, line: str) -> str:
        """Play the line if it is a move; otherwise obey a word of `WORDS`. Return the text to print."""
        if not line:
            return ""
        before = self.position
        try:
            move = before.read(line)
            if self.ending and self.outcome:
                return f"The game is over: {self.outcome.reason}.\n"
            self.positions.append(before.play(move))
        except NoMove as error:
            return self._word(line, str(error))
        except RulesError as error:
            return f"{fill(str(error), WIDTH)}\n"
        self.plies.append(str(move))
        remark = before.remark(line, move)
        return self.board() + (f"{remark}\n" if remark else "")

    def _word(self, line: str, sentence: str) -> str:
        word, _, rest = line.partition(" ")
        if word.lower() in WORDS:
            answer: str = getattr(self, word.lower())(rest.strip())
            return answer
        meant = nearest(word.lower(), WORDS)
        examples = " or ".join(self.position.examples()) or "undo"
        hint = f"Did you mean {meant}?" if meant else f"Open now, for example: {examples}."
        return f"{fill(f'{sentence} {hint}', WIDTH)}\n"

    def help(self, rest: str) -> str:
        return f"{fill(self.rules.turn, WIDTH)}\n\n{HELP}"

    def board(self, rest: str = "") -> str:
        notes = self.position.notes()
        if self.outcome:
            notes = [f"{self.outcome.reason}. save FILE keeps the game, undo takes the last move back."]
        return "\n".join([*board_lines(self.position, last=True), *notes, ""])

    def moves(self, rest: str) -> str:
        if self.outcome:
            return "The game is over, so no move is open.\n"
        names = self.position.playable()
        more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
        open_ = fill(f"Open now ({len(names)}): {' '.join(names[:MANY])}{more}", WIDTH)
        return f"{open_}\nFor example: {' or '.join(self.position.examples())}\n"

    def undo(self, rest: str) -> str:
        if self.ending:
            self.ending = None
        elif self.plies:
            self.positions.pop()
            self.plies.pop()
        else:
            return "There is no move to take back.\n"
        return self.board()

    def resign(self, rest: str) -> str:
        if self.outcome:
            return "The game is over already.\n"
        self.ending = RecordEnding("resign", self.position.to_play)
        return self.board()

    def save(self, rest: str) -> str:
        if not rest:
            return "save needs the name of a file, such as save mine.game\n"
        result = "*"
        if self.outcome:
            result = "draw" if self.outcome.winner is None else SEAT_NAMES[self.outcome.winner]
        tags = {
            "Game": self.rules.name,
            "Rules": self.rules.version,
            "Options": option_words(self.position.options),
            "Seed": str(self.seed),
            "Result": result,
        }
        made = zip(self.positions, self.plies, strict=False)
        plies = tuple(RecordPly(position.to_play, move) for position, move in made)
        try:
            Path(rest).expanduser().write_text(write(Record(tags, plies, self.ending)))
        except OSError as error:
            return f"{rest} cannot be written: {error.strerror}.\n"
        return f"Saved as {rest}.\n"

    def quit(self, rest: str = "") -> str:
        self.done = True
        return ""

    exit = quit


WORDS = ("help", "board", "moves", "undo", "resign", "save", "quit", "exit")


def _as_program() -> int:
    """Play at the real terminal. Undecodable bytes are replaced, and a closed pipe ends the game."""
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
