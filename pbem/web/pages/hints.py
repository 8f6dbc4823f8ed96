"""`/games/42/hint`: ask for a hint, which the game's page then shows."""

import time

from flask import Response

from pbem.commands import hint
from pbem.commands.hint import hint_key
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.store import bot_jobs, games
from pbem.web.blueprints import Pages
from pbem.web.own_game import own_game
from pbem.web.pages.games import GAME_PATH
from pbem.web.pages.orders import order_page
from pbem.web.responses import application, lead_to, raise_not_found
from pbem.web.viewer import changing_viewer
from rules.contract import Seat

pages = Pages("hints", __name__)

PATIENCE_SECONDS, NAP_SECONDS = 4.0, 0.1
"""Maximum wait for the hint before the page is shown without it, and check interval."""


@pages.post(f"{GAME_PATH}/hint")
def ask(id: int) -> Response:
    player, app = changing_viewer(), application()
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, id, lock=True)
        seat = None if game is None else game.seat_of(player)
        if game is None or seat is None:
            raise_not_found(f"You do not play in a game {id} here.")
        try:
            known = hint.ask_for_hint(app, db, game, seat, app.now(), by_mail=False)
        except Refusal as refusal:
            return _refuse(game, str(refusal))
    if known is None:
        _wait(game, seat)
    return lead_to(f"/games/{id}#hint")


def _refuse(game: Game, problem: str) -> Response:
    with application().store.read() as db:
        return order_page(game, own_game(db, game), problem=problem)


def _wait(game: Game, seat: Seat) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with application().store.read() as db:
            if bot_jobs.find_result(db, hint.KIND, hint_key(game, seat)):
                return
        time.sleep(NAP_SECONDS)
