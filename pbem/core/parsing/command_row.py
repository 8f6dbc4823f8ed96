"""The rows of commands: arguments, help, examples, and effects."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pbem.core.parsing.arguments import Parser
from pbem.core.parsing.reach import Reach


class Lobby(Enum):
    """A command's part in finding a game. Words beside those that begin or answer go to the other player."""

    BEGINS = "a game may begin"
    ANSWERS = "another player is answered"
    SEEKS = "anybody is asked"


@dataclass(frozen=True)
class Row:
    """One command. `usage` holds paragraphs of the help letter, one a line; `ROWS` fills in `topic`.

    A word without `usage` stands in another's. `parse` is None for a word to ask for alone, and for those
    `in_orders`, which `pbem.core.parsing.mail_orders` reads.

    `examples` are suggested to whoever misspells the word or its arguments. They are () where `help` alone is
    suggested, and None where nothing is. One whose place in braces has nothing for a reader is left out;
    `pbem.core.game.examples` has what fills the places.

    `asked` has other words that `help` explains by this row. An `irreversible` command counts only if spelled
    right, and never directly below prose. Without a `reach` a row has its topic's. With `looks` the word
    alone, or with `all`, only reads.
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
