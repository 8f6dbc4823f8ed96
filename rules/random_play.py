"""Games of chance walked through, for laws: what every law needs, whatever it is about."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from random import Random

from rules.contract import Move, Position, Rules

Law = Callable[[Rules, Mapping[str, str], int], None]

CAP = 1000
"""Plies after which a game of chance is left as it stands."""

FEW = 40
"""Of a long list of moves, as many as are looked at."""


class Broken(AssertionError):
    """A promise that a game did not keep."""


def hold(kept: bool, rules: Rules, sentence: str) -> None:
    """Raises Broken with the game's name before the sentence, unless the promise is kept."""
    if not kept:
        raise Broken(f"{rules.name}: {sentence}")


def walk(rules: Rules, chosen: Mapping[str, str], seed: int) -> Iterator[tuple[Position, Move | None]]:
    """The positions of one game of chance with the move made in each, None in the last."""
    rng = Random(seed)
    position = rules.start(chosen, seed)
    for _ in range(CAP):
        if position.outcome:
            break
        move = position.sample(rng)
        yield position, move
        position = position.play(move)
    yield position, None


def offered(position: Position) -> list[Move]:
    """A few of the moves that a position lists, its examples among them."""
    return [*islice(position.moves(), FEW), *map(position.read, position.examples())]
