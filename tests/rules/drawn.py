"""Positions from drawn boards, so that a test shows what it is about."""

from textwrap import dedent

from rules import RULES
from rules.games.bipod.position import BipodPosition
from rules.games.bounders import BoundersPosition


def drawn(board: str, *, ply: int = 0, adopted: int = 0, stones: int = 3) -> BipodPosition:
    """The position drawn; `:` is read as empty, for what is cut off is the rules' to say.

    `ply` plies are made, `adopted` is the ply of the adoption, 0 before it. All stones count as laid
    in ply 1. Rows may stand without their numbers, and the lines above and below be left out.
    """
    rows = [line.split() for line in dedent(board).splitlines() if line.strip(" _") and "abc" not in line]
    rows = [[cell for cell in row if not cell.isdigit()] for row in rows]
    left, right = rows[0].index("@"), rows[0].index("Q")
    options = {"size": left, "middle": right - left - 1, "rows": len(rows), "stones": stones}
    assert [len(row) for row in rows] == [2 * left + options["middle"] + 2 - k for k in range(len(rows))]
    start = RULES["bipod"].start({name: str(value) for name, value in options.items()})
    cells = "".join("".join(row) for row in rows).replace(":", ".")
    laid = tuple(int(content in "xoO") for content in cells)
    return BipodPosition(start.rules, start.options, ply, cells, laid, adopted)


def runner_to_play(board: str) -> BipodPosition:
    """First has adopted in ply 1: second is Runner and plays ply 2."""
    return drawn(board, ply=1, adopted=1)


def blocker_to_play(board: str) -> BipodPosition:
    """First has adopted in ply 1: first is Blocker and plays ply 3."""
    return drawn(board, ply=2, adopted=1)


def bounders(board: str, *, swapped: bool = False, **options: str) -> BoundersPosition:
    """The position of Bounders drawn: `O`, `X`, and any of `.-ox` for an empty cell.

    Rows may stand with or without their lettering. All stones count as laid in ply 1; the plies made are
    as many as the stones, and the swap if there was one.
    """
    lines = [line.partition("\\")[0].split() for line in dedent(board).splitlines()]
    rows = [[cell for cell in line if cell in tuple(".-oxOX")] for line in lines]
    rows = [row for row in rows if row]
    start = RULES["bounders"].start({"size": str(len(rows[0])), **options})
    assert len(start.cells) == sum(map(len, rows))
    cells = "".join(cell if cell in "OX" else "." for row in rows for cell in row)
    laid = tuple(int(cell in "OX") for cell in cells)
    return BoundersPosition(start.rules, start.options, sum(laid) + swapped, cells, laid, swapped)
