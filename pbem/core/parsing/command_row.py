"""The rows of commands: arguments, help, examples, and effects."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pbem.core.parsing.arguments import Parser
from pbem.core.parsing.reach import Reach


class Lobby(Enum):
    """A command's part in finding a game. Words beside `BEGINS` or `ANSWERS` go to the other player."""

    BEGINS = "a game may begin"
    ANSWERS = "another player is answered"
    SEEKS = "anybody is asked"


@dataclass(frozen=True)
class CommandRow:
    """One command.

    `usage`: paragraphs of the help letter, one a line; "" if another row's usage explains the word.
    `parse`: the parser of the words after the command. None marks a word that only `help` explains, or a
    command with `in_orders`, which `pbem.core.parsing.mail_orders` reads.
    `topic`: filled in by `ROWS`. `reach`: without one, the row has the reach of its topic.
    `looks`: the word alone, or with `all`, only reads.
    `examples`: suggestions for a player who misspells the word or its arguments; () suggests `help` alone,
    None suggests nothing. An example is left out if `pbem.core.game.examples` cannot fill its braces.
    `asked`: other words that `help` explains by this row.
    `irreversible`: the command counts only if spelled right, and never directly below prose.
    """

    usage: str = ""
    parse: Parser | None = None
    topic: str = ""
    reach: Reach | None = None
    looks: bool = False
    examples: Sequence[str] | None = None
    asked: str = ""
    in_orders: bool = False
    irreversible: bool = False
    lobby: Lobby | None = None
