"""Distances of Bipod's paths from the edge, and blocks chosen by these distances."""

from collections.abc import Sequence

from rules.games.bipod.paths import EMPTY, LEFT, RIGHT, Ground

UNREACHED = 99
SINGLE = 12
"""The number of single blocks to look at before an adoption, most of them on short ways."""
TOGETHER = ((0, 3), (2, 5), (4, 8), (0, 2, 5), (3, 6, 9))
"""Groups of blocks to look at together, by their indexes among the single blocks."""


def steps_to_edge(ground: Ground, cells: Sequence[str], colour: str) -> list[int]:
    """Return by cell the fewest stones from start to short side on a way over that cell."""
    out = _distances(ground, cells, colour, [ground.start(colour)])
    back = _distances(ground, cells, colour, [n for n, is_short in enumerate(ground.short) if is_short])
    return [
        min(one + two - (held == EMPTY), UNREACHED) for one, two, held in zip(out, back, cells, strict=True)
    ]


def steps_beyond(ground: Ground, cells: Sequence[str], colour: str) -> list[int]:
    """Return by cell how much longer the best way over it is than the shortest way of all."""
    steps = steps_to_edge(ground, cells, colour)
    fewest = min(steps)
    return [each - fewest for each in steps]


def _distances(ground: Ground, cells: Sequence[str], colour: str, starts: Sequence[int]) -> list[int]:
    """Return by cell the fewest stones on a way from one of `starts`, the cell's own stone included."""
    own = colour + cells[ground.start(colour)]
    found = [UNREACHED] * len(cells)
    ring = [cell for cell in starts if cells[cell] in own]
    later = [cell for cell in starts if cells[cell] == EMPTY]
    steps = 0
    while ring or later:
        for cell in ring:
            found[cell] = min(found[cell], steps)
        for cell in ring:  # grows while it is walked
            for beside in ground.board.near[cell]:
                if cells[beside] in own and found[beside] > steps:
                    found[beside] = steps
                    ring.append(beside)
                elif cells[beside] == EMPTY and found[beside] > steps + 1:
                    later.append(beside)
        steps += 1
        ring, later = [cell for cell in dict.fromkeys(later) if found[cell] > steps], []
    return found


def few_blocks(ground: Ground, cells: Sequence[str], open_: Sequence[int], most: int) -> list[list[int]]:
    """Return open cells to look at, in lists of at most `most`.

    Cells near a shortest way of either path come first, and farther ones follow, since a weak block is a
    small bid.
    """
    both = zip(*(steps_beyond(ground, cells, colour) for colour in (LEFT, RIGHT)), strict=True)
    beyond = [min(each) for each in both]
    near = sorted((cell for cell, is_open in enumerate(open_) if is_open), key=beyond.__getitem__)
    last = len(near) - 1
    places = {round(last * (n / (SINGLE - 1)) ** 1.5) for n in range(SINGLE)} if near else set[int]()
    alone = [near[place] for place in sorted(places)]
    groups = (group for group in TOGETHER if len(group) <= most and group[-1] < len(alone))
    return [*([cell] for cell in alone), *([alone[n] for n in group] for group in groups)]
