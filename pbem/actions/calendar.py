"""A player's deadlines as a calendar: contents, address, and owner of an address."""

from collections.abc import Iterable

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.play.clock_events import WaitingTurn
from pbem.core.players import Player
from pbem.mail.addresses import BadAddress, Token
from pbem.mail.outbound import calendar
from pbem.store import bundles, games, players
from pbem.store.engine import Connection

USE = "calendar"


def feed_address(app: App, player: Player) -> str:
    """The address of the player's feed. `address renew` makes it void, as it does reply addresses."""
    token = app.addressing.sign_token(Token(USE, (player.id, player.epoch)))
    return f"{app.config.site}/calendar/{token}.ics"


def calendar_feed(app: App, sealed: str) -> bytes | None:
    try:
        token = app.addressing.read_token(sealed)
    except BadAddress:
        return None
    if token.use != USE:
        return None
    player_id, epoch = token.numbers
    with app.store.read() as db:
        player = players.player_by_id(db, player_id)
        if player is None or player.epoch != epoch:
            return None
        waiting = (
            games.load_game(db, app.games_by_key, number) for number in bundles.waiting_game_ids(db, player)
        )
        turns = running_turns(db, (game for game in waiting if game is not None))
    return calendar.ics_feed(turns, app.config.host, app.config.site)


def running_turns(db: Connection, waiting: Iterable[Game]) -> list[WaitingTurn]:
    return [WaitingTurn(game, *games.deadline_changes(db, game.id)) for game in waiting]
