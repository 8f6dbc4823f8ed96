"""Positions of Hexagonal Thing from drawn boards, so that a test shows what it is about."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

from rules import RULES
from rules.contract import replay
from rules.games.hexthing import ThingPosition
from rules.games.hexthing.state import Estate, known_by

HEXTHING = RULES["hexthing"]

ROWS = [
    "d7",
    "c6 e6",
    "b5 d6 f5",
    "a4 c5 e5 g4",
    "b4 d5 f4",
    "a3 c4 e4 g3",
    "b3 d4 f3",
    "a2 c3 e3 g2",
    "b2 d3 f2",
    "a1 c2 e2 g1",
    "b1 d2 f1",
    "c1 e1",
    "d1",
]
"""The hexes line by line as they are drawn, written down by hand."""

USUAL = """
              WW
          Ch      10
      Se      Se      Ch
  10      ##      ##      Bu
      Ch      20      Se
  Se      Se      Ch      Ch
      ##      ##      ##
  Ch      Ch      Se      Se
      Se      20      Ch
  Bu      ##      ##      10
      Ch      Se      Se
          10      Ch
              BB
"""
"""The start."""

ONE_EACH = """
              JV
          Ch      10
      Se      Se      Ch
  10      Bu      ##      WW
      Ch      20      Se
  BB      Se      Ch      Ch
      Bu      ##      ##
  Ch      Ch      Se      Se
      Se      20      Ch
  Bu      ##      ##      10
      Ch      Se      Se
          10      Ch
              JV
"""
"""White on the Buy g4, Black on the Sell a3; five Things stand on the board."""

BLOCKED = """
              JV
          Ch      10
      Se      Se      Ch
  10      ##      ##      Bu
      Ch      WW      Se
  Se      Se      Ch      Ch
      Bu      BB      ##
  Ch      Ch      Se      Se
      Se      ##      Ch
  Bu      ##      ##      10
      Ch      Se      Se
          10      Ch
              JV
"""

SELLING = """
              JV
          Ch      10
      Se      Se      Ch
  10      Bu      ##      Bu
      Ch      WW      Se
  Se      Se      Ch      Ch
      BB      ##      ##
  Ch      Ch      Se      Se
      Se      20      Ch
  Bu      ##      ##      10
      Ch      Se      Se
          10      Ch
              JV
"""
"""White on d5 can land on the Sell d6 by 1U; five Things stand on the board."""

FOUR_LEFT = """
              JV
          Ch      10
      Se      Se      Ch
  10      Bu      Bu      WW
      Ch      20      Se
  Se      Se      Ch      Ch
      ##      ##      ##
  BB      Ch      Se      Se
      Se      20      Ch
  Bu      Bu      ##      10
      Ch      Se      Se
          10      Ch
              JV
"""
"""Black on a2 can land on the Buy a1 by 1D."""


def start(**options: object) -> ThingPosition:
    return HEXTHING.start({name: str(value) for name, value in options.items()})


def played(*plies: str, **options: object) -> ThingPosition:
    """The position after these plies from the start."""
    return replay(start(**options), plies)


def drawn(
    board: str = USUAL,
    *,
    white: str = "£50 $50 0T 1W 2W 3W 1D 2D 3D 1S 2S 3S",
    black: str = "£50 $50 0T 1N 2N 3N 1U 2U 3U 1E 2E 3E",
    turn: int = 0,
    bids: str = "any",
) -> ThingPosition:
    """The board drawn, `turn` about to begin; `2T` in what a player has are two Things owned.

    Labels are drawn for the reader alone: the board is the usual one. Cards that nobody has are the
    bank's.
    """
    lines = [line.split() for line in dedent(board).splitlines() if line.strip()]
    assert [len(row.split()) for row in ROWS] == [len(line) for line in lines]
    lies = {
        name: what
        for row, line in zip(ROWS, lines, strict=True)
        for name, what in zip(row.split(), line, strict=True)
    }
    begin = start(bids=bids)
    things = tuple(name for name in begin.kinds if lies[name] == "##")
    estates = []
    for mark, text in (("WW", white), ("BB", black)):
        words = text.split()
        estate = Estate(
            hex=next(name for name, what in lies.items() if what == mark),
            cards=tuple(word for word in words if word[0] in "123" and word[1] in "NUEWDS"),
            pounds=int(next(word[1:] for word in words if word[0] == "£")),
            dollars=int(next(word[1:] for word in words if word[0] == "$")),
            things=int(next(word[:-1] for word in words if word[-1] == "T")),
        )
        estates.append(estate)
    known = known_by(turn, tuple(estates), things)
    return replace(begin, turn=turn, things=things, estates=tuple(estates), turns=(known,))


def selling(white: str = "£5 $9 1T 1U 2U", black: str = "£5 $7 1T 1N 2N", bids: str = "any") -> ThingPosition:
    """`SELLING`, both with a Thing and little money."""
    return drawn(SELLING, white=white, black=black, bids=bids)


def after(position: ThingPosition, *plies: str) -> ThingPosition:
    return replay(position, plies)


def refusal(position: ThingPosition, text: str) -> str | None:
    """Why what `text` spells may not be played, None where it may."""
    return position.problem(position.read(text))
