"""Three moments of a player's own game as puzzles to click.

`/moments/<token>` opens from the link in the letter, `/games/42/moments` for the player who is signed in.
"""

from dataclasses import dataclass

from flask import Response, request
from flask.typing import ResponseReturnValue

from pbem.commands.moments import moments_by_link, store_answers, view_of_moments
from pbem.core.exercises.analysis import Moment, moments_of
from pbem.core.game.view import View
from pbem.core.parsing.moment_answers import MomentAnswer
from pbem.core.play.preview import preview_on_board
from pbem.store import moments
from pbem.store.engine import Connection
from pbem.store.moments import StoredMoments
from pbem.web.blueprints import Pages
from pbem.web.composer import board_facts, move_in_query
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import application, lead_to, private_response, raise_not_found
from pbem.web.viewer import changing_viewer, viewer

pages = Pages("moments", __name__, robots=["/games/*/moments", "/moments/"])

OF_GAME, BY_LINK = f"{GAME_PATH}/moments", "/moments/<sealed>"
N = "<int(max=9):n>"
NOT_SIGNED_IN = "Sign in at /settings to see the moments of your own games, or open the link in their letter."
NONE = "There are no moments of game {id} for you. They come on the morning after a game of yours has ended."
VOID = "This link to moments is not one of ours, or not any more. You find them by signing in at /settings."


@dataclass(frozen=True)
class Shown:
    """A game's moments for their player, and their addresses' beginning."""

    stored: StoredMoments
    seen: View
    moments: list[Moment]
    base: str


@pages.get(OF_GAME)
@pages.get(BY_LINK)
def show_first(id: int = 0, sealed: str = "") -> ResponseReturnValue:
    """Lead to the first moment that is open."""
    with application().store.read() as db:
        shown = _find(db, id, sealed)
    first = next((moment.n for moment in shown.moments if not moment.said), 1)
    return lead_to(f"{shown.base}/{first}")


@pages.get(f"{OF_GAME}/{N}")
@pages.get(f"{BY_LINK}/{N}")
def show(n: int, id: int = 0, sealed: str = "") -> Response:
    with application().store.read() as db:
        return _page(_find(db, id, sealed), n, move_in_query())


@pages.post(f"{OF_GAME}/{N}")
@pages.post(f"{BY_LINK}/{N}")
def answer(n: int, id: int = 0, sealed: str = "") -> ResponseReturnValue:
    if not sealed:
        changing_viewer()
    with application().store.write() as db:
        return _answer(db, _find(db, id, sealed), n)


def _find(db: Connection, id: int, sealed: str) -> Shown:
    """The moments that a link opens, else those of the viewer's game."""
    if sealed:
        stored, base, problem = moments_by_link(application(), db, sealed), f"/moments/{sealed}", VOID
    else:
        player = viewer() or raise_not_found(NOT_SIGNED_IN)
        stored = moments.moments_of_game(db, player, id)
        base, problem = f"/games/{id}/moments", NONE.format(id=id)
    seen = None if stored is None else view_of_moments(application(), db, stored)
    found = moments_of(seen, stored.positions, stored.said) if stored and seen else []
    if stored is None or seen is None or not found:
        raise_not_found(problem)
    return Shown(stored, seen, found, base)


def _answer(db: Connection, shown: Shown, n: int) -> ResponseReturnValue:
    """Store a complete answer to moment `n`. The first one counts."""
    text, moment = request.form.get("move", "").strip(), _moment(shown, n)
    drawn = preview_on_board(moment.position, text)
    if request.form.get("do") != "send" or drawn.after is None:
        return _page(shown, n, text)
    move = str(moment.position.read_ply(drawn.draft.text))
    store_answers(db, shown.stored, shown.seen, [MomentAnswer(n, move)])
    return lead_to(f"{shown.base}/{n}")


def _moment(shown: Shown, n: int) -> Moment:
    found = shown.moments
    return found[n - 1] if 1 <= n <= len(found) else raise_not_found(f"There is no moment {n}.")


def _page(shown: Shown, n: int, text: str) -> Response:
    moment = _moment(shown, n)
    drawn = preview_on_board(moment.position, "" if moment.said else text)
    return private_response(
        "moments.html",
        422 if drawn.problem and request.method == "POST" else 200,
        moment=moment,
        shown=shown.moments,
        base=shown.base,
        game=shown.seen.game,
        **board_facts(moment.position, drawn),
    )
