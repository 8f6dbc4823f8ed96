"""`/games/42/live`: a player's offer to play on at once, the agreement to it, and its end."""

from flask import Response, request

from pbem.duties import live
from pbem.web.blueprints import Pages
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import application, lead_to
from pbem.web.viewer import changing_viewer

pages = Pages("live", __name__)


@pages.post(f"{GAME_PATH}/live")
def play_on(id: int) -> Response:
    player = changing_viewer()
    if request.form.get("do") == "stop":
        live.stop(application(), id, player)
    else:
        live.play_on(application(), id, player)
    return lead_to(f"/games/{id}")
