"""Proofs of late positions of every game, each beside an exhaustive solver: none may be false.

The positions are late ones of games on small boards, three of four played by chance and one by the bot.
The solver looks at all that can follow, and uses nothing of `rules.search`. Positions that it cannot solve
are left out: too much follows, or the game lists a choice of its plies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from rules import RULES
from rules.contract import Position, Rules, Seat, other
from rules.search.proof import Proof, check_proof, read_proof, write_proof
from rules.search.prove import settle
from rules.search.thinking import think
from tests.rules.solver import Solver

MAX_NODES = 20_000
"""For one proof."""
MAX_SOLVED = 60_000
"""The most positions that the solver looks at for one game."""
OF_A_GAME = 6
"""The most positions of one game."""
BOT_GAMES, PLAYOUTS = 4, 10
"""One game of so many is played by the bot, with so few playouts that it errs."""
BOARDS: Mapping[str, tuple[tuple[Mapping[str, str], int], ...]] = {
    "bagel": (({}, 7), ({"size": "5"}, 7)),
    "begird": (({"islands": "3", "side": "4"}, 8), ({"islands": "9"}, 9)),
    "bipod": (({"size": "3", "middle": "2", "rows": "3"}, 9), ({"size": "3", "rows": "4"}, 9)),
    "bounders": (({"size": "3"}, 8), ({"size": "4"}, 7)),
    "hexthing": (({"money": "0"}, 7), ({"money": "10"}, 6)),
}
"""By game: options, and the most playable cells of a late position."""


@dataclass
class Count:
    """The numbers of positions and proofs of one game."""

    positions: int = 0
    won: int = 0
    """Proved wins of who is to play; `lost` and `drawn` alike."""
    lost: int = 0
    drawn: int = 0
    proofs: int = 0
    false: int = 0
    """Proofs that the solver contradicts."""


class TooMany(Exception):
    """The solver cannot judge this position."""


class Judge(Solver):
    """The exhaustive solver, as far as it goes."""

    def value(self, position: Position) -> float:
        if len(self.known) > MAX_SOLVED or (position.outcome is None and not position.complete):
            raise TooMany
        return super().value(position)


def late_games(rules: Rules, chosen: Mapping[str, str], most: int, seed: int) -> Iterator[list[Position]]:
    """Late positions of one game after the other, without end; the latest of a game first."""
    rng = Random(f"{rules.key} {sorted(chosen.items())} {seed}")
    while True:
        game, by_bot = rng.randrange(1_000_000), not rng.randrange(BOT_GAMES)
        position, found = rules.start(chosen, game), list[Position]()
        while position.outcome is None:
            if position.complete and len(position.playable()) <= most:
                found.append(position)
            position = position.follow(_choose(position, rng, by_bot))
        if found:
            chosen_plies = rng.sample(range(len(found)), min(OF_A_GAME, len(found)))
            yield [found[n] for n in sorted(chosen_plies, reverse=True)]


def _choose(position: Position, rng: Random, by_bot: bool) -> object:
    if not by_bot:
        return position.sample(rng)
    return position.read(think(position, 1, seed=rng.randrange(1_000_000), playouts=PLAYOUTS).move)


def examine(position: Position, judge: Judge, count: Count) -> None:
    """Ask the judge, settle both seats, and check the proofs again from their text."""
    assert position.to_play is not None
    try:
        value = judge.value(position)
    except TooMany:
        return
    count.positions += 1
    own, others = (
        _prove(position, seat, value, count) for seat in (position.to_play, other(position.to_play))
    )
    if own is not None and not own.draws:
        count.won += 1
    elif others is not None and not others.draws:
        count.lost += 1
    elif own is not None and others is not None:
        count.drawn += 1


def _prove(position: Position, seat: Seat, value: float, count: Count) -> Proof | None:
    """Search for a proof about a win of the seat, and read it again from its text; None if none is found."""
    found = settle(position, seat, MAX_NODES)
    if found is None:
        return None
    proof = read_proof(write_proof(found))
    check_proof(position, proof)
    count.proofs += 1
    count.false += not _is_true(proof, value)
    return proof


def _is_true(proof: Proof, value: float) -> bool:
    """True if a proof promises what the solver found; 1 is a win of seat 0, 0 of seat 1."""
    reached = value if proof.seat == 0 else 1 - value
    return reached == 1 or (proof.draws and reached > 0)


def count_proofs(key: str, positions: int, seed: int = 1) -> Count:
    """Examine late positions of one game, by turns of each of its boards."""
    count = Count()
    sources = [late_games(RULES[key], chosen, most, seed) for chosen, most in BOARDS[key]]
    while True:
        for games in sources:
            judge = Judge()
            for position in next(games):
                if count.positions == positions:
                    return count
                examine(position, judge, count)
