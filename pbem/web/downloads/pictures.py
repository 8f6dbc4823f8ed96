"""Pictures of a game, an animation and a postcard: made on request, one at a time, and cached."""

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from textwrap import wrap

from flask import Response, render_template

from pbem.core.game.game import Game
from pbem.web.blueprints import Pages
from pbem.web.cache import cached
from pbem.web.pages.games import GAME_PATH, PLY_PATH, game_response, replay_or_404
from pbem.web.replay import frames, game_title, outcome
from pbem.web.responses import has_png_library, raise_not_found, svg_response
from rules.animation import film
from rules.looks import COLOURS
from rules.picture import text
from rules.svg import svg

pages = Pages("pictures", __name__, rates={"moving": "large", "preview": "large"})

COLOUR = re.compile(r"var\(--([\w-]+)(?:,[^)]*)?\)")
MORE_COLOURS = {"soft": "#474C57"}


def _cached_picture(
    id: int, what: str, make: Callable[[Game], bytes], answered: Callable[[bytes], Response]
) -> Response:
    """Answer with a picture, from the cache if nothing shown changed."""

    def answer(game: Game, _pin: str) -> Response:
        names = frozenset(game.name_at(ply.seat, ply.entry) for ply in game.state.plies)
        key = (what, id, len(game.open_entries), game_title(game), names)
        return answered(cached(key, lambda: make(game)))

    return game_response(id, what, answer, is_file=True)


@pages.get(f"{GAME_PATH}.svg")
def moving(id: int) -> Response:
    """An animation of all plies, without a script."""
    return _cached_picture(
        id, "film", lambda game: film(frames(game), game_title(game)).encode(), svg_response
    )


@pages.get(f"{GAME_PATH}/postcard.svg")
def postcard(id: int) -> Response:
    def make(game: Game, _pin: str) -> Response:
        return svg_response(_postcard_svg(game).encode())

    return game_response(id, "postcard.svg", make, is_file=True)


@pages.get(f"{GAME_PATH}/postcard.png")
def preview(id: int) -> Response:
    """The postcard as PNG, for programs that show no SVG."""
    if not has_png_library():
        raise_not_found("No pictures in dots are made here: the postcard is there as an SVG file.")
    as_png = partial(Response, mimetype="image/png")
    return _cached_picture(id, "postcard.png", lambda game: _render_png(_postcard_svg(game)), as_png)


@pages.get(f"{PLY_PATH}.txt")
def in_text(id: int, n: int) -> Response:

    def make(game: Game, _pin: str) -> Response:
        return Response(f"{text(replay_or_404(game, n).shown.picture, last=True)}\n", mimetype="text/plain")

    return game_response(id, f"text.{n}", make, is_file=True)


def _postcard_svg(game: Game) -> str:
    """The postcard: board, names, stamp and postmark, in light colours in place of CSS variables."""
    drawn = render_template(
        "postcard.svg",
        game=game,
        board=svg(game.state.picture, coordinates=False),
        outcome=outcome(game),
        folded=_wrap_lines,
    )
    return COLOUR.sub(lambda found: MORE_COLOURS.get(found[1]) or COLOURS[found[1]][0], drawn)


def _wrap_lines(words: str, width: int, most: int) -> list[str]:
    """The words in at most `most` lines, cut with an ellipsis."""
    lines = wrap(words, width)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][: width - 2] + " …"]


def _render_png(drawn: str) -> bytes:
    resvg = import_module("resvg_py")
    return bytes(
        resvg.svg_to_bytes(
            svg_string=drawn,
            serif_family="DejaVu Serif",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )
