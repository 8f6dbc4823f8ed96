"""`/games/42/proof`: the proof by which a game ended, to try moves against."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from urllib.parse import urlencode

from flask import Response, render_template, request
from markupsafe import Markup

from pbem.core.game.game import Game
from pbem.core.records.proof_walk import ProofWalk, walk_proof
from pbem.web.blueprints import Pages
from pbem.web.pages.games import GAME_PATH, game_response
from pbem.web.responses import raise_not_found
from rules.svg import Link, svg

pages = Pages("proofs", __name__, robots=["/games/*/proof"])

MAX_TRIED = 300


@pages.get(f"{GAME_PATH}/proof")
def proof(id: int) -> Response:
    tried = request.args.getlist("m")[:MAX_TRIED]
    mark = sha256("\n".join(tried).encode()).hexdigest()[:12]

    def write(game: Game, _pin: str) -> str:
        walk = walk_proof(game, tried)
        if walk is None:
            raise_not_found(
                f"There is no such line in a proof of game {id}." if tried else f"Game {id} has no proof."
            )
        return render_template("proof.html", game=game, walk=walk, board=_board(walk), link=_link)

    return game_response(id, f"proof.{mark}", write)


def _link(tried: Sequence[str]) -> str:
    """The address of this page after these moves of the loser."""
    return f"?{urlencode([('m', move) for move in tried])}" if tried else "?"


def _board(walk: ProofWalk) -> Markup:
    """Draw the board, with a link on each cell to try."""
    picture = walk.position.picture()
    tried = [text for text in walk.choices if text in picture.names]
    links = {text: Link(_link((*walk.tried, text)), f"Try {text}") for text in tried}
    spots = tuple(
        replace(spot, marks=spot.marks - {"legal"} | ({"legal"} if spot.name in links else set()))
        for spot in picture.spots
    )
    return Markup(svg(replace(picture, spots=spots), links=links))  # noqa: S704
