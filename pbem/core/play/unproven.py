"""Limits of a mail that answers a letter without proving its writer.

Anybody to whom a letter was forwarded has its reply address, and a From is easily forged. So such a mail may
only read, begin games, and play in the games of its letter; the player is asked about everything else.
"""

from collections.abc import Collection

from pbem.core.parsing.commands import ROWS
from pbem.core.parsing.line import Command
from pbem.core.parsing.reach import Reach

ROW_OF = {"plan": "if"}
"""Rows of commands whose verb is not the row's name."""
OPEN = frozenset({Reach.READS, Reach.BEGINS, Reach.ASKS})


def reach_of(command: Command) -> Reach:
    """Return the reach of a command; `vacation` alone, or `set all`, only reads."""
    row = ROWS[ROW_OF.get(command.verb, command.verb)]
    assert row.reach is not None
    bare = command.text.lower().split()[1:] in ([], ["all"])
    answers = command.verb == "ladder" and command.args.get("answer")
    if row.looks and bare:
        return Reach.READS
    if command.verb == "ladder" and command.args.get("act") == "new":
        return Reach.PEOPLE
    if command.verb in ("invite", "challenge") and command.args.get("address"):
        return Reach.PEOPLE
    return Reach.FOR_GOOD if answers else row.reach


def needs_proof(command: Command, game: int | None, games: Collection[int], *, lobby: bool) -> bool:
    """True if a command about `game` goes beyond what a letter of `games` allows.

    `lobby`: True if an `accept` or `decline` answers the challenge in the letter.
    """
    if lobby:
        return False
    reach = reach_of(command)
    return reach not in OPEN and not (reach == Reach.GAME and game in games)
