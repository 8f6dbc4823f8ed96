"""Bounders for a search: random playouts that update the balance of each cell."""

from random import Random

from rules.balanced import play_out
from rules.contract import Knowledge, Playout
from rules.games.bounders import counting
from rules.games.bounders.counting import DARK, Count, sizes
from rules.stone_placement import OneStone, cell_marks


def playout(position: OneStone, rng: Random) -> Playout:
    cells, (light, dark), _ = play_out(position, rng)
    return Playout(_value(position, cells), (light, dark) if position.seat(0) == 0 else (dark, light))


def _value(position: OneStone, cells: str) -> float:
    lands = counting.territories(position.board, cells)
    counts = {
        glyph: Count(sizes(lands, glyph), cells.count(glyph), position.seat(colour) == 0)
        for colour, (_, glyph) in enumerate(position.players)
    }
    won = counting.result(counts, position.options["scoring"], position.has_pie).winner
    if won is None:
        return 0.5
    return 1.0 if position.seat(int(won == DARK)) == 0 else 0.0


KNOWLEDGE = Knowledge(playout=playout, marks=cell_marks, kernel="rules.games.bounders.kernel")
