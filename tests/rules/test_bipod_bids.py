"""What bots look at in Bipod before an adoption: blocks by the paths' distances, and their worth."""

from __future__ import annotations

from random import Random

import pytest

from rules import RULES
from rules.contract import replay
from rules.games.bipod import BipodPosition
from rules.games.bipod.distances import steps_beyond
from rules.games.bipod.moves import ADOPT
from rules.games.bipod.paths import LEFT, RIGHT
from rules.games.bipod.playing_on import playout
from rules.stone_reading import Cells
from tests.amount import amount

BIPOD = RULES["bipod"]


def blocks(position: BipodPosition) -> list[tuple[str, ...]]:
    return [move.cells for move in position.actions() if isinstance(move, Cells)]


def off_the_ways(position: BipodPosition, cell: str) -> int:
    """The stones that a way over the cell takes more than a shortest one, of the path it is nearer to."""
    place = position.board.index[cell]
    return min(steps_beyond(position.ground, position.cells, colour)[place] for colour in (LEFT, RIGHT))


@pytest.mark.parametrize("moves", [[], ["d4"], ["n2 z2", "k3"], ["f2 f4 g3", "e5", "g1"]])
def test_most_blocks_alone_are_on_short_ways_and_some_are_far(moves: list[str]) -> None:
    position = replay(BIPOD.start(), moves)
    off = [off_the_ways(position, cells[0]) for cells in blocks(position) if len(cells) == 1]
    assert 8 <= len(off) <= 12
    assert sum(steps <= 1 for steps in off) >= len(off) / 2
    assert 0 == off[0] < max(off)


def test_a_block_on_a_way_changes_what_is_looked_at() -> None:
    before, after = BIPOD.start(), replay(BIPOD.start(), ["n2 k3 d4"])
    assert {*blocks(before)} != {*blocks(after)}


@pytest.mark.parametrize("stones", [1, 2, 3, 5])
def test_two_and_three_blocks_are_looked_at_where_they_may_be_laid(stones: int) -> None:
    position = BIPOD.start({"stones": str(stones)})
    counts = {len(cells) for cells in blocks(position)}
    assert counts == set(range(1, min(stones, 3) + 1))
    assert ADOPT in position.actions()
    assert [] == [cells for cells in blocks(position) if position.problem(Cells(cells))]


def worth_of_adopting(after: int) -> float:
    """How often Blocker wins by the bots' playouts, on boards with so many blocks by chance."""
    rng, games, won = Random(after), amount(300, 1500), 0.0
    for n in range(games):
        if n % 30 == 0:
            position = BIPOD.start()
            while position.cells.count("x") < after:
                position = position.follow(Cells((rng.choice(position.playable()),)))
            seat, adopted = position.to_play, position.follow(ADOPT)
        value = playout(adopted, rng).value
        won += value if seat == 0 else 1 - value
    return won / games


@pytest.mark.parametrize(("after", "least", "most"), [(3, 0.07, 0.2), (6, 0.33, 0.62), (9, 0.6, 1)])
def test_the_worth_of_an_adoption_is_near_what_games_of_bots_showed(
    after: int, least: float, most: float
) -> None:
    assert least <= worth_of_adopting(after) <= most
