"""Limits of a mail that answers a letter without proving its writer.

Whoever was passed a letter has its reply address, and a From is easily forged. So such a mail reads, begins
games, and plays in the games of its letter. Its owner is asked about everything else.
"""

from collections.abc import Collection

from pbem.core.parsing.commands import ROWS
from pbem.core.parsing.line import Command
from pbem.core.parsing.reach import Reach

ROW_OF = {"plan": "if"}
"""Rows of commands that are called otherwise."""
OPEN = frozenset({Reach.READS, Reach.BEGINS, Reach.ASKS})


def reach_of(command: Command) -> Reach:
    """The reach of a command. `vacation` or `set all` only reads."""
    row = ROWS[ROW_OF.get(command.verb, command.verb)]
    assert row.reach is not None
    bare = command.text.lower().split()[1:] in ([], ["all"])
    answers = command.verb == "ladder" and command.args.get("answer")
    if row.looks and bare:
        return Reach.READS
    return Reach.FOR_GOOD if answers else row.reach


def needs_proof(command: Command, game: int | None, games: Collection[int], *, lobby: bool) -> bool:
    """True if a command goes beyond what a letter of `games` allows. `game` is the one it is about.

    `lobby`: an `accept` or `decline` answers the challenge that the letter brought.
    """
    if lobby:
        return False
    reach = reach_of(command)
    return reach not in OPEN and not (reach == Reach.GAME and game in games)
