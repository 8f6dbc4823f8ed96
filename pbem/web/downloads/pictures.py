"""Pictures of a game: an animation of its plies, and a postcard.

Both are made on request, one at a time; the newest ones are cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from flask import Blueprint, Response, current_app, render_template
from flask.sansio.blueprints import BlueprintSetupState

from pbem.core.game.game import Game
from pbem.web.cache import Cache
from pbem.web.drawing.postcard import HEIGHT, WIDTH, fitting, folded, in_dots, plain_colours, raster
from pbem.web.frames import frames, heading, outcome
from pbem.web.pages.games import GAME, PLY, file_of, replayed
from pbem.web.responses import drawing, missing
from rules.animation import film
from rules.picture import text
from rules.svg import svg

pages = Blueprint("pictures", __name__)

KEPT = 32
"""Cached pictures, some 100 kB each."""


@pages.record_once
def _room(state: BlueprintSetupState) -> None:
    state.app.extensions["drawings"] = Cache(KEPT)


def _kept(
    id: int, what: str, make: Callable[[Game], bytes], answered: Callable[[bytes], Response]
) -> Response:
    """Answer with a picture, from the cache if nothing shown changed."""

    def answer(game: Game) -> Response:
        names = frozenset(game.name_at(ply.seat, ply.entry) for ply in game.state.plies)
        key = (what, id, len(game.open_entries), heading(game), names)
        drawings = cast(Cache, current_app.extensions["drawings"])
        return answered(drawings.get(key, lambda: make(game)))

    return file_of(id, what, answer)


@pages.get(f"{GAME}.svg")
def moving(id: int) -> Response:
    """An animation of all plies, without a script."""

    def make(game: Game) -> bytes:
        return film(frames(game), heading(game)).encode()

    return _kept(id, "film", make, drawing)


@pages.get(f"{GAME}/postcard.svg")
def postcard(id: int) -> Response:
    return file_of(id, "postcard.svg", lambda game: drawing(_card(game).encode()))


@pages.get(f"{GAME}/postcard.png")
def preview(id: int) -> Response:
    """The postcard as PNG, for programs that show no SVG."""
    if not in_dots():
        missing("No pictures in dots are made here: the postcard is there as an SVG file.")
    return _kept(id, "postcard.png", lambda game: raster(_card(game)), _dots)


def _dots(body: bytes) -> Response:
    return Response(body, content_type="image/png")


@pages.get(f"{PLY}.txt")
def in_text(id: int, n: int) -> Response:
    """The board in 7-bit text, as in letters."""

    def make(game: Game) -> Response:
        shown = replayed(game, n)
        return Response(f"{text(shown.picture, last=True)}\n", mimetype="text/plain")

    return file_of(id, f"text.{n}", make)


def _card(game: Game) -> str:
    """The postcard: board, names, stamp and postmark."""
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
