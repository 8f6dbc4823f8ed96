"""A game as a picture: a film of all its plies, and a postcard for whoever passes its link on.

Both are made when they are asked for, and not again for a reader who has them.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from pbem.core.game import Game
from pbem.web.archive import GAME, PLY, about, replayed
from pbem.web.counter import missing
from pbem.web.postcard import HEIGHT, WIDTH, fitting, folded, in_dots, plain_colours, raster
from pbem.web.reel import frames, heading, outcome
from rules.film import film
from rules.picture import svg, text

pages = Blueprint("pictures", __name__)

SVG = "image/svg+xml; charset=utf-8"


@pages.get(f"{GAME}.svg")
def moving(id: int) -> Response:
    """All plies, one after the other, without a script."""

    def make(game: Game) -> Response:
        return Response(film(frames(game), heading(game)), content_type=SVG)

    return about(id, "film", make)


@pages.get(f"{GAME}/postcard.svg")
def postcard(id: int) -> Response:
    return about(id, "postcard.svg", lambda game: Response(_card(game), content_type=SVG))


@pages.get(f"{GAME}/postcard.png")
def preview(id: int) -> Response:
    """The postcard in dots, for those who draw no SVG."""
    if not in_dots():
        missing("No pictures in dots are made here: the postcard is there as an SVG file.")
    return about(id, "postcard.png", lambda game: Response(raster(_card(game)), content_type="image/png"))


@pages.get(f"{PLY}.txt")
def in_text(id: int, n: int) -> Response:
    """The board in 7-bit text, as letters have it."""

    def make(game: Game) -> Response:
        shown = replayed(game, n)
        return Response(f"{text(shown.picture, last=True)}\n", mimetype="text/plain")

    return about(id, f"text.{n}", make)


def _card(game: Game) -> str:
    """The postcard as a file of its own: the board, the two names, a stamp and its postmark."""
    board = svg(game.state.picture, coordinates=False)
    drawn = render_template(
        "postcard.svg",
        game=game,
        board=board,
        outcome=outcome(game),
        fitting=fitting,
        folded=folded,
        width=WIDTH,
        height=HEIGHT,
    )
    return plain_colours(drawn)
