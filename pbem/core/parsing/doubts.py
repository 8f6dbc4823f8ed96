"""Doubts about orders that can be read and may not be meant. Such orders are asked about."""

from collections.abc import Sequence

from pbem.core.parsing.line import Command, MoveReader, read_line, without_bullet
from pbem.core.parsing.taken_back import is_polite_line, plays_on, takes_back

TAKEN_BACK, OTHER_ORDER, IN_A_SENTENCE, LISTED, PROSE_ABOVE = "back", "other", "sentence", "list", "prose"
"""Codes of doubts: words below take it back; another order stands there; the line may be a sentence's part;
different orders are listed; prose stands above, which matters only to an order that ends or gives away."""
STRUCK = "struck"
"""The code of a doubt about a whole mail: its HTML part strikes out or hides words of the text part."""
MAX_WORD_LINES = 40
"""Lines of words in which another order is looked for."""
ENDING = frozenset({"resign", "claim", "undo", "accept", "decline", "draw", "annul", "leave", "forget"})
"""Words of commands that end a game, give something away, or answer an offer."""

OVER = frozenset({"resign", "claim", "accept"})
"""Words of commands after which a game is over, or may be."""


def doubt_about(
    commands: Sequence[Command],
    words: Sequence[str],
    above: Sequence[str],
    listed: Sequence[Command],
    reader: MoveReader | None,
) -> str:
    """The code of why commands may not be meant, or "".

    `words` and `above`: the lines below and above them. `listed`: those that stand in lines with bullets.
    """
    verbs = {command.verb for command in commands}
    if not verbs or verbs == {"decline"}:  # the words of a decline say no themselves
        return ""
    if takes_back(words, only_no=verbs == {"undo"}):  # which is explained by what was meant
        return TAKEN_BACK
    if verbs & OVER and plays_on(words):
        return TAKEN_BACK
    if len({command.text for command in listed if command.verb != "plan"}) > 1:
        return LISTED
    if _has_other_order(commands, words, reader):
        return OTHER_ORDER
    return PROSE_ABOVE if any(not is_polite_line(line) for line in above) else ""


def goes_on(above: str, below: str) -> bool:
    """True if the line between may be the middle of a sentence."""
    ended = above.rstrip().endswith((".", "!", "?", ":", ","))
    return not ended and below[:1].islower() and not is_polite_line(below)


def _has_other_order(commands: Sequence[Command], words: Sequence[str], reader: MoveReader | None) -> bool:
    texts = {command.text for command in commands}
    for line in [without_bullet(line) for line in words[:MAX_WORD_LINES] if line.strip()]:
        found = read_line(line, reader, first=False)
        if found and any(_is_sure(other) and other.text not in texts for other in found.commands):
            return True
    return False


def _is_sure(command: Command) -> bool:
    """True if the command is a readable move, or one of `ENDING`."""
    if command.verb == "move":
        return command.error is None and not command.args["guard"]
    return command.verb in ENDING
