"""`/games/42/orders`: a signed-in player's orders other than a ply, handled like every mail."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from flask import Response, request
from werkzeug.exceptions import Forbidden

from pbem.core.game.game import Game
from pbem.core.play.offers import MAX_PAUSE_DAYS
from pbem.inbox import web_move
from pbem.inbox.web_move import InvalidLink
from pbem.store import games
from pbem.web.blueprints import Pages
from pbem.web.own_game import ORDERS, OwnGame, own_game
from pbem.web.pages.compose import void_page
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import application, lead_to, private_response, raise_not_found
from pbem.web.viewer import changing_viewer

pages = Pages("orders", __name__)
pages.errorhandler(InvalidLink)(void_page)

RESIGN = "resign yes"
DAYS = {"pause": "days", "give": "given"}
"""The orders with a number of days, and its field."""
NOTHING = "There is nothing to send yet. Please write something first."
NO_PLAN = "No plan can be read here. A plan is written as `if f2 then g3`, each on a line of its own."
NO_DAYS = f"Please write the days as a whole number from 1 to {MAX_PAUSE_DAYS}."
UNREADABLE = (
    "This cannot be sent: a line of your words reads like an order, a quotation or a signature. Please say "
    "it in other words."
)


@pages.post(f"{GAME_PATH}/orders")
def order(id: int) -> Response:
    own, form = ordered_game(id), request.form
    wanted, words = form.get("order", ""), form.get("words", "").strip()
    if wanted == RESIGN and "sure" not in form:
        return order_page(own.link.game, own, words, asked=True)
    if not _has_days(wanted, form):
        return order_page(own.link.game, own, words, NO_DAYS)
    lines = _lines(wanted, form)
    verbs = frozenset({"plan" if wanted == "if clear" else wanted.split()[0]})
    if not lines and not words:
        return order_page(own.link.game, own, words, NOTHING)
    if len(words) > web_move.MAX_WORDS:
        return order_page(own.link.game, own, words[: web_move.MAX_WORDS], web_move.TOO_MUCH)
    body = web_move.compose_body(own.link, lines, words, own.link.composition.site, verbs)
    if body is None:
        return order_page(own.link.game, own, words, NO_PLAN if wanted == "plan" else UNREADABLE)
    number = web_move.submit(application(), own.link, body, form.get("number", ""))
    return lead_to(f"/games/{id}/compose/{quote(own.sealed)}/{number}")


def ordered_game(id: int) -> OwnGame:
    """Return the signed-in player's game as the form knew it."""
    player, sealed = changing_viewer(), request.form.get("link", "")
    with application().store.read() as db:
        game = games.load_game(db, application().games_by_key, id)
        own = own_game(db, game or raise_not_found(f"There is no game {id} here."), sealed)
    if own is None or own.link.player.id != player.id:
        raise Forbidden("You do not play in this game, so nothing was done.")
    return own


def _has_days(wanted: str, form: Mapping[str, str]) -> bool:
    """True if the number of days is right, if there is one."""
    if wanted not in DAYS:
        return True
    typed = form.get(DAYS[wanted], "").strip()
    return re.fullmatch(r"[0-9]{1,3}", typed) is not None and 1 <= int(typed) <= MAX_PAUSE_DAYS


def _lines(wanted: str, form: Mapping[str, str]) -> list[str]:
    """The order as lines of a mail; none for words alone."""
    match wanted:
        case "say":
            return []
        case "pause":
            return [f"pause {int(form['days'])} days"]
        case "give":
            return [f"give {int(form['given'])}d"]
        case "plan":
            return [line.strip() for line in form.get("plan", "").splitlines() if line.strip()]
        case "if clear":
            return [wanted]
    return [wanted] if wanted in ORDERS else raise_not_found("There is nothing of this name to order.")


def order_page(
    game: Game, own: OwnGame | None, words: str = "", problem: str = "", *, asked: bool = False
) -> Response:
    """Ask before a resignation, or show a form's fault. The form keeps what was typed."""
    return private_response(
        "order.html",
        422 if problem else 200,
        own=own,
        game=game,
        problem=problem,
        asked=asked,
        typed={"words": words, "plan": request.form.get("plan", "")},
    )
