"""A bot's decision: move, resignation or answer, and a line about it."""

from dataclasses import dataclass

from rules.contract import Position
from rules.search import Thought, think

LOST = 0.02
"""A bot gives up below this value, if it has looked at enough."""
MIN_PLAYOUTS = 200
MIN_PLY = 12
"""Before this ply no bot resigns, or agrees to a draw."""
EVEN = 0.5
_PROVED_WORDS = {
    "win": "I see a win from here, whatever you play.",
    "loss": "I see no way out any more.",
}


@dataclass(frozen=True)
class BotAnswer:
    """A bot's line, its words to the player, and the expected answer."""

    order: str
    words: str = ""
    expected: str = ""


def find_move(
    position: Position, level: int, seed: int, seconds: float, expected: str, last: str
) -> BotAnswer:
    """Return a bot's move. `expected` and `last` are the player's move as expected and as made."""
    thought = think(position, level, seed=seed, seconds=seconds)
    if _gives_up(position, thought):
        return BotAnswer("resign yes", "You have won this. Thank you for the game!")
    words = _words(thought, expected if expected != last else "")
    sure = " yes" if position.gives_up(position.read(thought.move)) else ""
    return BotAnswer(f"{thought.move}{sure}", words, _answer_to(position, thought))


def _answer_to(position: Position, thought: Thought) -> str:
    """Return the player's expected move, if the next ply is theirs."""
    if len(thought.line) < 2:
        return ""
    after = position.follow(position.read(thought.move))
    return "" if after.to_play == position.to_play else thought.line[1]


def _words(thought: Thought, missed: str) -> str:
    """Say in one line what the bot saw: the player's move that it had expected, or a proved end."""
    if missed:
        return f"I thought you would play: {missed}."
    return _PROVED_WORDS.get(thought.proved or "", "")


def _gives_up(position: Position, thought: Thought) -> bool:
    if position.ply < MIN_PLY or thought.proved in ("win", "draw"):
        return False
    return thought.proved == "loss" or (thought.playouts >= MIN_PLAYOUTS and thought.value <= LOST)


def answer_draw(position: Position, level: int, seed: int, seconds: float, *, mine: bool) -> str:
    """Return `decline` if the bot is ahead, or early in a game. Otherwise return `accept`."""
    if position.ply < MIN_PLY:
        return "decline"
    value = think(position, level, seed=seed, seconds=seconds).value
    return "accept" if (value if mine else 1 - value) <= EVEN else "decline"
