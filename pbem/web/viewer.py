"""The player whose session the browser has, and what waits for them."""

from collections.abc import Iterable

from flask import g, request
from werkzeug.exceptions import Gone

from pbem.core.game.game import Game
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import Player
from pbem.mail.outbound import times
from pbem.outbox.bounces import returned_at
from pbem.store import challenges, games, sessions
from pbem.store.engine import Connection
from pbem.store.games import RunningGame
from pbem.web.responses import application
from pbem.web.security import check_csrf, cookie_name, count_request

COOKIE = "pbem_session"


def session() -> str:
    return request.cookies.get(cookie_name(COOKIE), "")


def viewer() -> Player | None:
    """Return the signed-in player, by at most one query a request, and only if there is a session."""
    if "viewer" not in g:
        g.viewer = None
        if secret := session():
            with application().store.read() as db:
                g.viewer = sessions.session_player(db, secret, application().now())
    found: Player | None = g.viewer
    return found


def require_viewer() -> Player:
    """The signed-in player of this form. Raises Gone without one, BadRequest for a form from elsewhere."""
    found = viewer()
    if found is None:
        raise Gone("You are not signed in any more, so nothing was done. Sign in again at /settings.")
    check_csrf(session())
    return found


def changing_viewer() -> Player:
    """Return the signed-in player of a form, counting against their limit."""
    player = require_viewer()
    count_request("change", str(player.id))
    return player


def letters_came_back() -> str:
    """Return the day, in the viewer's zone, on which letters to the viewer came back, or ""."""
    player, app = viewer(), application()
    if player is None or player.returned_at is None:
        return ""
    with app.store.read() as db:
        at = returned_at(db, player, app.now())
    return times.day(at, player.preferences.zone) if at is not None else ""


def open_proposals(db: Connection) -> list[Challenge | Seek]:
    """Return the viewer's open challenges and seeks, oldest first."""
    player, app = viewer(), application()
    if player is None:
        return []
    found = challenges.open_challenges(db, app.games_by_key, player, app.now())
    seeks = challenges.own_seeks(db, app.games_by_key, player, app.now())
    return sorted([*found, *seeks], key=lambda each: each.id)


def is_between(proposal: Challenge | Seek, other: Player) -> bool:
    """True for a challenge with this other player."""
    return isinstance(proposal, Challenge) and other.id in {each.id for each in proposal.pair}


def is_again(proposal: Challenge | Seek, game: Game) -> bool:
    """True if a challenge has a game's players and the same rules."""
    if not isinstance(proposal, Challenge) or proposal.rules.key != game.rules.key:
        return False
    return {each.id for each in proposal.pair} == {each.id for each in game.seats}


def waiting_games(db: Connection) -> list[RunningGame]:
    """Return the viewer's games where they move, least time first."""
    player, app = viewer(), application()
    found = games.running_of_player(db, app.games_by_key, player) if player else []
    return least_time_first(game for game in found if game.your_turn)


def least_time_first(found: Iterable[RunningGame]) -> list[RunningGame]:
    return sorted(found, key=lambda game: (game.deadline is None, game.deadline or game.changed_at))
