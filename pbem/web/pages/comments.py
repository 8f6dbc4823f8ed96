"""`/games/42/17/comment`: a comment on a move of a finished game, by whoever is signed in."""

from flask import Response, request

from pbem.commands.comments import add_comment
from pbem.core.errors import Refusal
from pbem.store import games
from pbem.web.blueprints import Pages
from pbem.web.pages.games import PLY_PATH, game_facts
from pbem.web.responses import application, lead_to, private_response, raise_not_found
from pbem.web.viewer import changing_viewer

pages = Pages("comments", __name__)


@pages.post(f"{PLY_PATH}/comment")
def comment(id: int, n: int) -> Response:
    player, words = changing_viewer(), request.form.get("words", "")
    try:
        add_comment(application(), player, id, n, words)
    except Refusal as refusal:
        with application().store.read() as db:
            game = games.load_game(db, application().games_by_key, id)
        facts = game_facts(n, game or raise_not_found(f"There is no game {id} here."))
        return private_response("game.html", 422, **facts | {"problem": str(refusal), "typed": words})
    return lead_to(f"/games/{id}/{n}#{f'move-{n}' if n else 'plies'}")
