"""The table of command words: all rows, and what follows from them.

A line counts only if it parses as a whole: prose that merely begins with a command word stays prose.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.core.parsing.arguments import Parser
from pbem.core.parsing.command_row import CommandRow, Lobby
from pbem.core.parsing.game_commands import LOOKING, PLANS, PLAYING, SEVERAL
from pbem.core.parsing.lobby_commands import ACCOUNT, FINDING, TIME
from pbem.core.parsing.reach import REACHES
from pbem.core.preferences.preferences import PREFERENCES
from rules import RULES

TOPICS: Mapping[str, str] = {
    "playing": "Playing, in answer to a letter of the game",
    "planning": "Planning ahead, while the other is to play or below your move",
    "looking": "Looking",
    "several": "Several games in one mail",
    "finding": "Finding a game",
    "time": "Time",
    "account": "Your letters and you",
}
ROWS: Mapping[str, CommandRow] = {
    word: replace(row, topic=topic, reach=row.reach or REACHES[topic])
    for topic, rows in zip(TOPICS, (PLAYING, PLANS, LOOKING, SEVERAL, FINDING, TIME, ACCOUNT), strict=True)
    for word, row in rows.items()
}
"""One row for each command, in the order of the help; `pbem.commands` has what each does."""


def _words_of_games(behind: str) -> frozenset[str]:
    """Return the words of plies that precede this: "", `cell` or `number`."""
    return frozenset(
        word for rules in RULES.values() for word, follows in rules.words.items() if follows == behind
    )


PLY_WORDS = _words_of_games("")
"""Plies that are words: the game alone knows when they may be played."""
IRREVERSIBLE = PLY_WORDS | {word for word, row in ROWS.items() if row.irreversible}
BEGINS = frozenset(word for word, row in ROWS.items() if row.lobby is Lobby.BEGINS)
SPEAKS = BEGINS | {word for word, row in ROWS.items() if row.lobby is Lobby.ANSWERS}
"""Lobby commands that carry a comment."""
LOBBY = frozenset(word for word, row in ROWS.items() if row.lobby is not None)
GAME = re.compile(r"game\s*#?\s?(\d{1,9})\s*:?", re.IGNORECASE)
SAY = re.compile(r"say(?::|\s)\s*(\S.*)", re.IGNORECASE)


def _point_of(word: str) -> str:
    """Return the row that explains a word, its own or shared."""
    words = list(ROWS)
    return next(other for other in reversed(words[: words.index(word) + 1]) if ROWS[other].usage)


HELP_WORDS: Mapping[str, tuple[str, ...]] = {
    "all": tuple(ROWS),
    **dict.fromkeys(PREFERENCES, ("set",)),
    **{word: (point,) for point, row in ROWS.items() for word in row.asked.split()},
    **{topic: tuple(word for word, row in ROWS.items() if row.topic == topic) for topic in TOPICS},
    **{word: (_point_of(word),) for word in ROWS},
}
"""The rows that `help` and a word bring; the tables keep two words together that are explained at once."""
EXAMPLES: Mapping[str, Sequence[str]] = {
    word: row.examples for word, row in ROWS.items() if row.examples is not None
}
"""Examples that are suggested for a word; () where only `help` is."""
WORDS: Mapping[str, Parser] = {word: row.parse for word, row in ROWS.items() if row.parse is not None}
"""Every word of its own; those of games have their places in the games' rules."""
_IN_ORDERS = frozenset(word for word, row in ROWS.items() if row.in_orders)
KEYWORDS = frozenset(WORDS) | PLY_WORDS | _words_of_games("number") | _IN_ORDERS
"""All words that begin a command: nobody can be called so."""
