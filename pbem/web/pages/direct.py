"""`/direct`: the acts of a director by mail, as forms. Each asks by a letter before it is done."""

import re
from collections.abc import Mapping

from flask import Response, request

from pbem.core.game.journal import Entry
from pbem.core.parsing.director_acts import ACTS, MODERATION, DirectorAct
from pbem.core.play.director import words_said
from pbem.core.players import Player
from pbem.core.redact import without_secrets
from pbem.store import clubs, games
from pbem.web import security
from pbem.web.blueprints import Pages
from pbem.web.pages.preferences import run_orders
from pbem.web.responses import application, lead_to, private_response, raise_not_found
from pbem.web.viewer import require_viewer, session, viewer

MAX_WORDS = 5000
MAX_SHOWN = 50
"""Maximum number of a game's newest words on the page."""

pages = Pages("direct", __name__, url_prefix="/direct", robots=["/direct"])


@pages.post("/<act>")
def ask(act: str) -> Response:
    """Have the letter written that asks about an act."""
    fields = (ACTS.get(act) or raise_not_found("There is no such act.")).fields
    player = require_viewer()
    given = {each.name: request.form.get(each.name, "").strip() for each in fields}
    if given.get("until"):
        given["until"] = f"until {given['until'].removeprefix('until ')}"
    reason = without_secrets(request.form.get("reason", "")[:MAX_WORDS].replace("\r\n", "\n").strip())
    status, problem = run_orders(player, "question", [("direct", " ".join([act, *given.values()]))], reason)
    return show(status, act, problem, request.form) if problem else lead_to("/direct?asked=1")


@pages.get("")
def show(status: int = 200, failed: str = "", problem: str = "", typed: Mapping[str, str] = {}) -> Response:
    player, game = viewer(), request.args.get("game", "")
    acts = acts_of(player)
    return private_response(
        "direct.html",
        status,
        player=player,
        acts=acts,
        game=game,
        event=request.args.get("event", ""),
        said=_words_in(game, player) if player and player.director else (),
        asked="asked" in request.args,
        failed=failed,
        problem=problem,
        typed=typed,
        form_mark=security.csrf_field(session()) if player else "",
    )


def acts_of(player: Player | None) -> Mapping[str, DirectorAct]:
    """Return the acts of a director, or of who organises a club; none for others."""
    if player is None or player.barred:
        return {}
    with application().store.read() as db:
        organises = bool(clubs.clubs_of_player(db, player.id, organised=True))
    own = {word: act for word, act in ACTS.items() if word not in MODERATION}
    return ACTS if player.director else own if organises else {}


def _words_in(number: str, reader: Player) -> list[tuple[Entry, str, str]]:
    """Return a game's newest words and their entries; [] for its players, as gaps would reveal plans."""
    if not re.fullmatch(r"[0-9]{1,9}", number):
        return []
    with application().store.read() as db:
        game = games.load_game(db, application().games_by_key, int(number))
    return [] if game is None or game.seat_of(reader) is not None else list(words_said(game))[-MAX_SHOWN:]
