"""The player whose session the browser has, and the games that wait for them."""

from flask import g, request

from pbem.core.players import Player
from pbem.store import games, sessions
from pbem.store.engine import Connection
from pbem.store.games import RunningGame
from pbem.web.responses import application
from pbem.web.security import cookie_name

COOKIE = "pbem_session"


def session() -> str:
    return request.cookies.get(cookie_name(COOKIE), "")


def viewer() -> Player | None:
    """The player who is signed in; asked of the database once a request, and only if there is a session."""
    if "viewer" not in g:
        g.viewer = None
        if secret := session():
            with application().store.read() as db:
                g.viewer = sessions.session_player(db, secret, application().now())
    found: Player | None = g.viewer
    return found


def waiting_games(db: Connection) -> list[RunningGame]:
    """The viewer's games where it is their turn, those with the least time first."""
    player, app = viewer(), application()
    found = games.running_of_player(db, app.games_by_key, player) if player else []
    waiting = [game for game in found if game.your_turn]
    return sorted(waiting, key=lambda game: (game.deadline is None, game.deadline or game.changed_at))
