"""The picture of a Bagel position: discs, the tiles still to be had, and the rows that score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.bagel.tiles import BLACK, DISCS, EMPTY, SUITS, WHITE, board, rows
from rules.lettering import slanted_labels
from rules.picture import Line, Picture, Spot, described, marks, title

if TYPE_CHECKING:
    from rules.games.bagel.position import BagelPosition

_LOOKS = {WHITE: "light", BLACK: "dark"}

_LEGEND = (
    (WHITE, "White's disc"),
    (BLACK, "Black's disc"),
    *((suit, f"an empty tile, a {name}") for suit, name in SUITS.items()),
)


def draw(position: BagelPosition) -> Picture:
    """The picture of a position; rows of three and more are joined, the winner's in blue at the end."""
    place = board()
    winner = position.outcome.side if position.outcome else None
    scoring = list(rows(position.cells))
    won = {tile for disc, row in scoring if winner and disc == DISCS[winner] for tile in row}
    spots = []
    for tile, content in enumerate(position.cells):
        suit = position.layout[tile]
        spots.append(
            Spot(
                place.names[tile],
                *place.xy[tile],
                glyph=suit if content == EMPTY else content,
                look=SUITS[suit] if content == EMPTY else _LOOKS[content],
                words=position.words(tile),
                marks=marks(
                    last=bool(position.ply) and position.laid[tile] == position.ply,
                    legal=content == EMPTY and not position.outcome,
                    win=tile in won,
                ),
            )
        )
    return Picture(
        game="bagel",
        title=title("Bagel", position.ply),
        description=described(position.stones()),
        spots=tuple(spots),
        labels=slanted_labels(place),
        lines=tuple(
            Line(
                "route" if winner and disc == DISCS[winner] else "row",
                (place.xy[row[0]], place.xy[row[-1]]),
            )
            for disc, row in scoring
        ),
        legend=_LEGEND,
    )
