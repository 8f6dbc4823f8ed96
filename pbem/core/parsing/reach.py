"""The reaches of commands. `pbem.core.play.unproven` decides which of them need a proof."""

from collections.abc import Mapping
from enum import Enum


class Reach(Enum):
    """The reach of a command."""

    READS = "the owner gets a letter"
    BEGINS = "a game may begin"
    GAME = "one game"
    ASKS = "the command asks its owner by letter before anything is done"
    CLOCKS = "clocks and letters"
    PEOPLE = "other people"
    FOR_GOOD = "what cannot be had back"


REACHES: Mapping[str, Reach] = {
    "playing": Reach.GAME,
    "planning": Reach.GAME,
    "looking": Reach.READS,
    "several": Reach.READS,
    "finding": Reach.BEGINS,
    "time": Reach.CLOCKS,
    "account": Reach.CLOCKS,
}
"""The reach of a help topic's commands."""
