"""A bot's decision: a move, resignation or answer, and a line about it."""

from dataclasses import dataclass

from rules.contract import Position
from rules.search import Thought, think

LOST = 0.02
"""A bot gives up below this value, if it has looked at enough."""
MIN_PLAYOUTS = 200
MIN_PLY_TO_RESIGN = 12
EVEN = 0.5


@dataclass(frozen=True)
class Answer:
    """A bot's line, its words to the player, and the expected answer."""

    order: str
    words: str = ""
    expected: str = ""


def find_move(position: Position, level: int, seed: int, seconds: float, expected: str, last: str) -> Answer:
    """The move of a bot. `expected` and `last` are the player's move as expected, and as made."""
    thought = think(position, level, seed=seed, seconds=seconds)
    if _gives_up(position, thought):
        return Answer("resign yes", "You have won this. Thank you for the game!")
    words = f"I thought you would play {expected}." if expected and expected != last else ""
    sure = " yes" if position.gives_up(position.read(thought.move)) else ""
    return Answer(f"{thought.move}{sure}", words, thought.line[1] if len(thought.line) > 1 else "")


def _gives_up(position: Position, thought: Thought) -> bool:
    if position.ply < MIN_PLY_TO_RESIGN or thought.proved in ("win", "draw"):
        return False
    return thought.playouts >= MIN_PLAYOUTS and thought.value <= LOST


def answer_offer(position: Position, offer: str, level: int, seed: int, seconds: float, *, mine: bool) -> str:
    """Return `accept` or `decline`. A bot accepts a draw unless it is ahead, and any undo or pause."""
    if offer != "draw":
        return "accept"
    value = think(position, level, seed=seed, seconds=seconds).value
    return "accept" if (value if mine else 1 - value) <= EVEN else "decline"
