"""Two judges of Bounders that share no code: the fast one, and one that walks over names of cells.

The slow judge knows of a board only that cells have a letter and a row, and of stones only which cell
holds which colour; it takes the rules' sentences one by one.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules import RULES
from tests.amount import amount

BOUNDERS = RULES["bounders"]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
"""Letters and rows from a cell to its six neighbours."""


def names_of(size: int) -> set[str]:
    """Every cell of a hexagon: letter and row are at most `size` - 1 apart."""
    span = range(1, 2 * size)
    return {f"{chr(96 + x)}{row}" for x in span for row in span if abs(x - row) < size}


def beside(name: str, names: set[str]) -> set[str]:
    return {f"{chr(ord(name[0]) + x)}{int(name[1:]) + row}" for x, row in STEPS} & names


def may_be_played(names: set[str], light: set[str], dark: set[str]) -> set[str]:
    empty = names - light - dark
    return {cell for cell in empty if len(beside(cell, light)) == len(beside(cell, dark))}


def regions(names: set[str], light: set[str], dark: set[str]) -> list[set[str]]:
    """Two empty cells are in one region if one can be walked to from the other."""
    left, found = names - light - dark, []
    while left:
        region = {min(left)}
        while grown := {near for cell in region for near in beside(cell, left)} - region:
            region |= grown
        found.append(region)
        left -= region
    return found


def sizes_awarded(names: set[str], light: set[str], dark: set[str]) -> tuple[list[int], list[int]]:
    """(Light's, Dark's) territories by size."""
    awarded: tuple[list[int], list[int]] = ([], [])
    for region in regions(names, light, dark):
        lights, darks = (set().union(*(beside(cell, side) for cell in region)) for side in (light, dark))
        if len(lights) > len(darks):
            awarded[0].append(len(region))
        if len(darks) > len(lights):
            awarded[1].append(len(region))
    return awarded


def winner_of(scoring: str, names: set[str], light: set[str], dark: set[str], swapped: bool) -> str | None:
    """The side that wins, None for a draw."""
    lights, darks = sizes_awarded(names, light, dark)
    light_began = not swapped
    if scoring == "half":
        return "Light" if sum(lights) > sum(darks) or (sum(lights) == sum(darks) and swapped) else "Dark"
    if sum(lights) != sum(darks):
        return "Light" if sum(lights) > sum(darks) else "Dark"
    if scoring == "basic":
        return None
    if max(lights, default=0) != max(darks, default=0):
        return "Light" if max(lights, default=0) > max(darks, default=0) else "Dark"
    if len(lights) != len(darks):
        return "Light" if len(lights) > len(darks) else "Dark"
    if len(light) != len(dark):
        return "Light" if len(light) < len(dark) else "Dark"
    return "Light" if light_began else "Dark"


def stones(position) -> tuple[set[str], set[str]]:
    by_glyph = {glyph: {s.name for s in position.picture().spots if s.glyph == glyph} for glyph in "OX"}
    return by_glyph["O"], by_glyph["X"]


def agree(position) -> None:
    """That both judges say the same of a position."""
    size, scoring = position.options["size"], position.options["scoring"]
    names = names_of(size)
    light, dark = stones(position)
    assert may_be_played(names, light, dark) == set(position.playable())
    over = not may_be_played(names, light, dark)
    assert over == (position.outcome is not None)
    if not over:
        return
    assert winner_of(scoring, names, light, dark, position.swapped) == position.outcome.side
    seat = position.outcome.winner
    assert position.outcome.side == (None if seat is None else position.side(seat))
    lights, darks = sizes_awarded(names, light, dark)
    shown = [spot.glyph for spot in position.picture().spots]
    assert [sum(lights), sum(darks)] == [shown.count("o"), shown.count("x")]
    points = [position.scores()[side]["points"] for side in ("Light", "Dark")]
    half = [0.0, 0.0]
    if scoring == "half":
        half = [0.5, 0.0] if position.swapped else [0.0, 0.5]
    assert [sum(lights) + half[0], sum(darks) + half[1]] == points


OPTIONS = [
    {"size": size, "scoring": scoring, "pie": "yes"}
    for size in ("3", "4", "5")
    for scoring in ("tournament", "basic", "half")
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_both_judges_agree_at_the_end_of_thousands_of_games(options):
    rng = Random(str(options))
    start = BOUNDERS.start(options)
    for _ in range({"3": 400, "4": 250, "5": 150}[options["size"]] // amount(8, 1)):
        position = start
        while not position.outcome:
            position = position.follow(position.sample(rng))
        agree(position)


@pytest.mark.parametrize("size", ["3", "4", "7", "11"])
def test_both_judges_agree_in_every_ply_of_a_game(size):
    rng = Random(size)
    for _ in range({"3": 100, "4": 30, "7": 6, "11": 1}[size] // amount(6, 1) + amount(1, 0)):
        position = BOUNDERS.start({"size": size})
        agree(position)
        while not position.outcome:
            position = position.play(position.sample(rng))
            agree(position)


@pytest.mark.parametrize("seed", range(amount(2, 4)))
def test_both_judges_agree_about_stones_strewn_at_random(seed):
    """Positions that no game would reach, crowded enough that many are at their end."""
    rng = Random(seed)
    ends = 0
    for _ in range(500):
        start = BOUNDERS.start(rng.choice(OPTIONS))
        filled = rng.uniform(0.2, 1.0)
        cells = "".join(rng.choices(".OX", [1 - filled, filled / 2, filled / 2], k=len(start.cells)))
        position = replace(start, cells=cells, swapped=rng.random() < 0.5)
        agree(position)
        ends += position.outcome is not None
    assert ends > 50
