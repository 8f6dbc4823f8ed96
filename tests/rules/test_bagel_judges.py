"""Two judges of Bagel that know nothing of each other: the fast one and one that goes by the sentences.

The slow one works on cells by name alone, in dictionaries, and tries everything.
"""

from __future__ import annotations

from random import Random

import pytest

from rules import RULES
from rules.games.bagel.tiles import board, score_table, verdict
from tests.amount import amount

BAGEL = RULES["bagel"]


def tiles_of(side: int) -> list[str]:
    """Every cell, top row first: letter and row differ by less than a side."""
    return [
        f"{'abcdefghi'[x]}{row}"
        for row in range(2 * side - 1, 0, -1)
        for x in range(2 * side - 1)
        if abs(x - row + 1) < side and (x, row) != (side - 1, side)
    ]


TILES, LARGER = tiles_of(4), tiles_of(5)

STEPS = ((1, 0), (0, 1), (1, 1))


def step(name: str, dx: int, dy: int, times: int = 1) -> str:
    return f"{chr(ord(name[0]) + dx * times)}{int(name[1]) + dy * times}"


def slow_rows(discs: dict[str, str]) -> list[tuple[str, int]]:
    """(disc, length) of every longest run: from each cell that has no like cell behind it, walked on."""
    found = []
    for name, disc in discs.items():
        for dx, dy in STEPS:
            if discs.get(step(name, -dx, -dy)) == disc:
                continue
            length = 1
            while discs.get(step(name, dx, dy, length)) == disc:
                length += 1
            if length >= 3:
                found.append((disc, length))
    return found


def threes(discs: dict[str, str], disc: str) -> int:
    """The designer's way to count: every three in a row on its own, overlapping ones too."""
    return sum(
        all(discs.get(step(name, dx, dy, times)) == disc for times in range(3))
        for name in discs
        for dx, dy in STEPS
    )


def slow_winner(discs: dict[str, str]) -> str:
    rows = slow_rows(discs)
    keys = [
        (threes(discs, disc), *(rows.count((disc, length)) for length in (8, 7, 6, 5, 4))) for disc in "OX"
    ]
    return "White" if keys[0] > keys[1] else "Black"


def slow_plies(layout: dict[str, str], discs: dict[str, str], ply: int, disc: str) -> set[str]:
    """Every ply that may be made, by the sentences of the rules."""
    left = {36: 20, 60: 32}[len(layout)] - list(discs.values()).count(disc)
    empty = [name for name in layout if name not in discs]
    if not left or not empty:
        return set()
    plies = set(empty)
    for one in empty:
        for other in empty:
            x, y = ord(other[0]) - ord(one[0]), int(other[1]) - int(one[1])
            aligned = x == 0 or y == 0 or x == y
            if one < other and layout[one] == layout[other] and aligned and left > 1 and ply > 1:
                plies.add(f"{one} {other}")
    return plies | ({"swap"} if ply == 2 else set())


def test_both_judges_know_the_same_tiles():
    assert TILES == list(board().names)
    assert LARGER == list(board(60).names)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("options", "tiles"), [({}, TILES), ({"size": "5"}, LARGER)], ids=["4", "5"])
def test_the_judges_agree_on_every_ply_of_whole_games(options, tiles, seed):
    rng = Random(seed)
    ends = set()
    for game in range(amount(300, 2700) // len(tiles)):
        position = BAGEL.start(options, seed=1000 * seed + game)
        layout = dict(zip(tiles, position.options["layout"], strict=True))
        discs: dict[str, str] = {}
        white = 0
        while True:
            ply, seat = position.ply + 1, position.ply % 2
            disc = "O" if seat == white else "X"
            expected = slow_plies(layout, discs, ply, disc)
            assert expected == {str(move) for move in position.moves()}
            if not expected:
                break
            chosen = str(position.sample(rng))
            assert chosen in expected
            position = position.play(position.read(chosen))
            if chosen == "swap":
                white = 1
            else:
                discs |= dict.fromkeys(chosen.split(), disc)
        assert position.outcome.side == slow_winner(discs)
        assert position.outcome.winner == (white if position.outcome.side == "White" else 1 - white)
        ends.add(len(discs) == len(tiles))
    assert {True} <= ends


def thrown(rng: Random, tiles: list[str]) -> dict[str, str]:
    """Discs thrown on the board, in clumps and strays, no more of either than a side has."""
    discs: dict[str, str] = {}
    names, reserve = list(tiles), len(tiles) // 2 + 2
    rng.shuffle(names)
    lean = rng.uniform(0, 0.9)
    for name in names[: rng.randrange(10, len(tiles) + 1)]:
        beside = [
            discs[n] for dx, dy in STEPS for n in (step(name, dx, dy), step(name, -dx, -dy)) if n in discs
        ]
        disc = rng.choice(beside) if beside and rng.random() < lean else rng.choice("OX")
        if list(discs.values()).count(disc) == reserve:
            disc = "X" if disc == "O" else "O"
        discs[name] = disc
    return discs


@pytest.mark.parametrize("seed", range(amount(2, 8)))
@pytest.mark.parametrize(
    ("tiles", "lengths", "discs_each"),
    [(TILES, (6, 5, 4, 3), 20), (LARGER, (8, 7, 6, 5, 4, 3), 32)],
    ids=["4", "5"],
)
def test_the_judges_count_the_same_rows_and_name_the_same_winner(tiles, lengths, discs_each, seed):
    rng = Random(seed)
    decided = set()
    for _ in range(amount(500, 1000)):
        discs = thrown(rng, tiles)
        cells = "".join(discs.get(name, ".") for name in tiles)
        table, rows = score_table(cells), slow_rows(discs)
        for side, disc in (("White", "O"), ("Black", "X")):
            assert {
                "points": threes(discs, disc),
                **{f"rows of {length}": rows.count((disc, length)) for length in lengths},
                "discs left": discs_each - list(discs.values()).count(disc),
            } == table[side]
        side, reason = verdict(cells)
        assert slow_winner(discs) == side
        decided.add(("each" in reason, "as many" in reason, side))
    assert {
        (False, False, "White"),
        (False, False, "Black"),
        (True, False, "White"),
        (True, False, "Black"),
        (True, True, "Black"),
    } == decided
