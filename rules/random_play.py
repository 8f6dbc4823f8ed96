"""Random games, step by step, with everything that the laws need."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from random import Random

from rules.contract import Move, Position, Rules

MAX_PLIES = 1000
"""The number of plies after which a random game is left unfinished."""

FEW = 40


class Broken(AssertionError):
    """A promise that a game did not keep."""


def hold(kept: bool, sentence: str) -> None:
    """Raise Broken with the sentence unless the promise is kept."""
    if not kept:
        raise Broken(sentence)


@dataclass(frozen=True)
class RandomGame:
    """One random game under options given as text."""

    rules: Rules
    chosen: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    is_command: Callable[[str], bool] = lambda line: False
    """True for a line that the server, if one is known, takes for a command."""

    @property
    def start(self) -> Position:
        """Return the starting position, made anew."""
        return self.rules.start(self.chosen, self.seed)

    def walk(self) -> Iterator[tuple[Position, Move | None]]:
        """Yield each position with its next move, before that move is made; the last has None."""
        rng, position = Random(self.seed), self.start
        for _ in range(MAX_PLIES):
            if position.outcome:
                break
            move = position.sample(rng)
            yield position, move
            position = position.play(move)
        yield position, None

    @cached_property
    def steps(self) -> list[tuple[Position, Move | None]]:
        return list(self.walk())

    @cached_property
    def positions(self) -> list[Position]:
        return [position for position, _ in self.steps]


Law = Callable[[RandomGame], None]


def some_moves(position: Position, move: Move | None = None) -> list[Move]:
    """Return a few listed moves, the examples and `move` among them."""
    listed = [*islice(position.moves(), FEW), *map(position.read, position.examples())]
    return listed if move is None else [*listed, move]
