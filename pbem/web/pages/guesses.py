"""`/games/42/guess`: guess at others' next move, on a private page that is never cached."""

from flask import Response, request
from flask.typing import ResponseReturnValue

from pbem.commands.guesses import seal_guess, withdraw_guess
from pbem.core.errors import Refusal
from pbem.core.exercises.guesses import check_guesser, check_ply, read_guess
from pbem.core.game.game import Game
from pbem.core.play.preview import preview_on_board
from pbem.core.players import Player
from pbem.store import games, guesses, watches
from pbem.store.engine import Connection
from pbem.web.blueprints import Pages
from pbem.web.composer import board_facts, move_in_query
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import (
    application,
    lead_to,
    parse_number,
    private_response,
    raise_not_found,
)
from pbem.web.viewer import changing_viewer, viewer

pages = Pages("guesses", __name__, robots=["/games/*/guess"])

PATH = f"{GAME_PATH}/guess"
NOT_SIGNED_IN = "Sign in at /settings to guess at the next move of a game that you do not play in."
MAX_EARLIER = 20
"""Earlier guesses beside a board."""


@pages.get(PATH)
def show(id: int) -> Response:
    player = viewer() or raise_not_found(NOT_SIGNED_IN)
    with application().store.read() as db:
        game = _game(db, id, player)
        return _page(db, game, player, move_in_query())


@pages.post(PATH)
def seal(id: int) -> ResponseReturnValue:
    """Seal or withdraw the guess, or show it on the board first."""
    player, app = changing_viewer(), application()
    text, ply = request.form.get("move", "").strip(), request.form.get("ply", 0, type=parse_number)
    with app.store.write() as db:
        game = _game(db, id, player, lock=True)
        if request.form.get("do") == "show":
            return _page(db, game, player, text)
        try:
            check_ply(game, ply or 0)
            if request.form.get("do") == "none":
                withdraw_guess(db, player, game)
            else:
                seal_guess(db, player, game, read_guess(game.state.position, text), app.now())
        except Refusal as refusal:
            return _page(db, game, player, text, str(refusal))
    return lead_to(f"/games/{id}/guess")


def _game(db: Connection, id: int, player: Player, *, lock: bool = False) -> Game:
    """A running game in which the player may guess; raises NotFound."""
    game = games.load_game(db, application().games_by_key, id, lock=lock)
    if game is None:
        raise_not_found(f"There is no game {id} here.")
    try:
        check_guesser(game, player)
    except Refusal as refusal:
        raise_not_found(str(refusal))
    return game


def _page(db: Connection, game: Game, player: Player, text: str, problem: str = "") -> Response:
    position, due = game.state.position, len(game.state.plies) + 1
    drawn = preview_on_board(position, text)
    problem = problem or drawn.problem
    own = guesses.guesses_of(db, player, game.id)
    return private_response(
        "guess.html",
        422 if problem and request.method == "POST" else 200,
        game=game,
        position=position,
        ply=due,
        guess=next((each.move for each in own if each.ply == due), ""),
        earlier=[each for each in own if each.right is not None][-MAX_EARLIER:],
        watching=game.id in watches.watched_by_player(db, player),
        **board_facts(position, drawn, problem),
    )
