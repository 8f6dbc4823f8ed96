"""Level 5 on boards that an outside judge has solved: every won position is played to the win."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from rules import RULES
from rules.contract import Position
from rules.games.begird import BegirdPosition
from rules.search import think
from tests.amount import amount
from tests.rules.solved_y import EMPTY, FIRST, SECOND, SolvedY
from tests.rules.solver import Force, Solver

PLAYOUTS = 20_000
"""A twelfth of what level 5 may use in a game."""


@pytest.fixture(scope="module", params=amount([4], [4, 5]))
def solved(request: pytest.FixtureRequest) -> SolvedY:
    return SolvedY(request.param)


def winner(solved: SolvedY, position: BegirdPosition) -> int:
    return solved.winner([{"X": FIRST, "O": SECOND}.get(held, EMPTY) for held in position.cells])


def positions(solved: SolvedY, seed: int) -> Iterator[BegirdPosition]:
    """Those of a game of chance, without the swap, from the third stone on."""
    rng = Random(seed)
    position = RULES["begird"].start({"islands": "3", "side": str(solved.side)})
    while position.outcome is None:
        assert isinstance(position, BegirdPosition)
        if position.ply > 2:
            yield position
        position = position.play(rng.choice(list(position.moves())[: len(position.cells) - position.ply]))


def test_the_rules_and_the_reduction_agree_on_who_has_won(solved: SolvedY) -> None:
    for seed in range(amount(40, 400)):
        *_, position = positions(solved, seed)
        over = position.play(next(iter(position.moves())))
        if over.outcome:
            assert isinstance(over, BegirdPosition)
            assert winner(solved, over) == (FIRST if over.last_colour == 0 else SECOND)


def test_level_5_plays_every_won_position_to_the_win(solved: SolvedY) -> None:
    won = 0
    for seed in range(amount(8, 60)):
        position: Position = Random(seed).choice(list(positions(solved, seed)))
        assert isinstance(position, BegirdPosition)
        colour = (FIRST, SECOND)[position.colour]
        if winner(solved, position) != colour:
            found = think(position, 5, seed=seed, playouts=PLAYOUTS)
            assert found.proved in (None, "loss")
            continue
        won += 1
        seat, rng = position.to_play, Random(seed)
        while position.outcome is None:
            if position.to_play == seat:
                position = position.play(position.read(think(position, 5, seed=seed, playouts=PLAYOUTS).move))
            else:
                position = position.play(position.sample(rng))
            assert isinstance(position, BegirdPosition)
            assert winner(solved, position) == colour, f"gives the win away, seed {seed}"
    assert won > 3


def test_level_5_keeps_every_win_of_bounders_on_size_3() -> None:
    """The solver knows all that can follow, in a whole run from fourteen open cells on."""
    solver, won = Solver(), 0
    for seed in range(amount(3, 12)):
        rng, position = Random(seed), RULES["bounders"].start({"size": "3"}, seed)
        while position.outcome is None:
            if len(position.playable()) <= amount(10, 14):
                found = think(position, 5, seed=seed, playouts=2 * PLAYOUTS)
                win = 1.0 if position.to_play == 0 else 0.0
                value = solver.value(position)
                assert found.proved in (None, {win: "win", 0.5: "draw", 1 - win: "loss"}[value])
                if value == win:
                    won += 1
                    after = position.play(position.read(found.move))
                    assert solver.value(after) == win, f"gives the win away by {found.move}, seed {seed}"
            position = position.follow(position.sample(rng))
    assert won > amount(2, 20)


@pytest.mark.parametrize("money", ["0", "1", "2", "3"])
def test_level_5_keeps_every_win_that_can_be_forced_with_little_money(money: str) -> None:
    forced = 0
    for seed in range(amount(10, 40)):
        rng, position, game = Random(seed), RULES["hexthing"].start({"money": money}, seed), list[Position]()
        while position.outcome is None:
            game.append(position)
            position = position.follow(position.sample(rng))
        for late in game[-6:]:
            assert late.to_play is not None
            force = Force(late.to_play)
            if any(force.wins(late, plies) for plies in (1, 2, 3)):
                forced += 1
                found = think(late, 5, seed=seed, playouts=3000)
                assert found.proved == "win"
                assert force.wins(late.play(late.read(found.move)), 4), f"{found.move} gives the win away"
    assert forced > 3
