"""A bot's opinion of a position: best move, chances, and a sentence."""

from dataclasses import dataclass

from rules.contract import Position
from rules.search import Thought, think

LEVEL = 3
HINT_SECONDS = 1.6


@dataclass(frozen=True)
class Hint:
    """A move and one sentence about it, with backticks round moves."""

    move: str
    words: str


@dataclass(frozen=True)
class Opinion:
    """A position's value for the first seat (0 to 1), and its best move, which is "" at the end."""

    value: float
    best: str = ""
    proved: bool = False


def find_hint(position: Position, seed: int, seconds: float = HINT_SECONDS) -> Hint:
    thought = think(position, LEVEL, seed=seed, seconds=seconds)
    return Hint(thought.move, hint_words(thought))


def hint_words(thought: Thought) -> str:
    move = f"`{thought.move}`"
    if thought.proved == "win":
        return f"{move} wins, whatever is played after it."
    if thought.proved == "draw":
        return f"{move} is enough for a draw, and there is no more to be had."
    if thought.proved == "loss":
        return f"Every move loses here against the best answers, so {move} is as good as any."
    chances = f"your chances to win are about {round(100 * thought.value)} in 100"
    if len(thought.line) > 1:
        return f"{move} looks best: expect `{thought.line[1]}` in answer, and {chances}."
    return f"{move} looks best: {chances}."


def judge(position: Position, seed: int, seconds: float) -> Opinion:
    """Judge a position, also one at the end of a game."""
    if position.outcome is not None or position.to_play is None:
        winner = position.outcome.winner if position.outcome else None
        return Opinion(0.5 if winner is None else 1.0 - winner, proved=True)
    thought = think(position, LEVEL, seed=seed, seconds=seconds)
    value = thought.value if position.to_play == 0 else 1.0 - thought.value
    return Opinion(value, thought.move, thought.proved is not None)
