"""The picture of a Bounders position: balanced cells while it is played, territories at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.bounders.counting import DARK, LIGHT
from rules.lettering import slanted_labels
from rules.picture import Picture, Spot, described, marks, title

if TYPE_CHECKING:
    from rules.games.bounders.position import BoundersPosition

_LOOKS = {LIGHT: "light", DARK: "dark", ".": "empty", "-": "shut", "o": "light-land", "x": "dark-land"}

_STONES = (("O", "a light stone"), ("X", "a dark stone"))
_BALANCE = ((".", "a cell that may be played"), ("-", "an empty cell that may not be played now"))
_LANDS = (("o", "territory of Light"), ("x", "territory of Dark"), ("-", "empty and nobody's"))


def draw(position: BoundersPosition) -> Picture:
    """The picture of a position; at the end every territory is drawn for the side that has it."""
    board = position.board
    won = {"Light": "o", "Dark": "x"}.get(position.outcome.side or "") if position.outcome else None
    spots = []
    for cell, glyph in enumerate(position.glyphs):
        spots.append(
            Spot(
                board.names[cell],
                *board.xy[cell],
                glyph=glyph,
                look=_LOOKS[glyph],
                words=position.words(cell),
                marks=marks(
                    last=bool(position.ply) and position.laid[cell] == position.ply,
                    legal=glyph == ".",
                    win=glyph == won,
                ),
            )
        )
    return Picture(
        game="bounders",
        title=title("Bounders", position.ply),
        description=described(position.stones()),
        spots=tuple(spots),
        labels=slanted_labels(board),
        legend=(*_STONES, *(_LANDS if position.outcome else _BALANCE)),
    )
