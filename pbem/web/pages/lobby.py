"""`/lobby`: one button's order of a player who is signed in, about a seek, a challenge or a game."""

import re

from flask import Response, redirect, request
from werkzeug.exceptions import UnprocessableEntity

from pbem.core.errors import Refusal
from pbem.core.players import Player
from pbem.inbox.dispatch import run_commands
from pbem.store import games
from pbem.web import security
from pbem.web.blueprints import Pages
from pbem.web.responses import application, forbid_caching, raise_not_found
from pbem.web.viewer import require_viewer

pages = Pages("lobby", __name__)

_ORDER = re.compile(r"(accept|decline|rematch|take|unwatch|watch|withdraw) ([0-9]{1,9})")
ABOUT_GAME = ("rematch", "unwatch", "watch")
"""Words that have a game's number behind them; after the others it is a seek's or a challenge's."""


@pages.post("/lobby")
def order() -> Response:
    player = require_viewer()
    found = _ORDER.fullmatch(request.form.get("order", ""))
    verb, number = found.groups() if found else raise_not_found("There is nothing of this name to order.")
    security.count_request("change", str(player.id))
    before = _newest_game(player)
    try:
        run_commands(application(), player, [(verb, number)])
    except Refusal as refusal:
        raise UnprocessableEntity(str(refusal)) from None
    begun = _newest_game(player)
    place = f"/games/{begun if begun != before else number}" if begun != before or verb in ABOUT_GAME else "/"
    return forbid_caching(redirect(place, 303))


def _newest_game(player: Player) -> int:
    with application().store.read() as db:
        found = games.running_of_player(db, application().games_by_key, player)
    return max((game.id for game in found), default=0)
