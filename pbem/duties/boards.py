"""Boards for letters about several games. No game is locked for them."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.view import View, view_for_reader
from pbem.core.letters.boards import MAX_BOARDS, Boards
from pbem.core.players import Player
from pbem.outbox.drain import log_failure
from pbem.store import bundles, engine, games

log = logging.getLogger("pbem.mail")


def gather_boards(
    app: App,
    db: engine.Connection,
    player: Player,
    now: datetime,
    *,
    known: Mapping[int, Game] = {},
    every: bool = False,
) -> Boards:
    """Return the boards that wait for a player, longest waiting first; with `every`, all running games."""
    numbers = bundles.waiting_game_ids(db, player, every=every)
    seen = (each for each in views_of(app, db, player, numbers, known) if every or each.your_turn)
    views = list(islice(seen, MAX_BOARDS))
    if not views:
        return Boards()
    shown = {view.game.id: view.entry for view in views}
    rows = {row.id: row for row in games.running_of_player(db, app.games_by_key, player)}
    rest = [rows[number] for number in numbers if number in rows and number not in shown]
    return Boards(views, rest, bundles.add_bundle(db, player, shown, now))


def views_of(
    app: App, db: engine.Connection, player: Player, numbers: Iterable[int], known: Mapping[int, Game] = {}
) -> Iterator[View]:
    """The games as the player sees them, without unreadable ones."""
    for number in numbers:
        if game := known.get(number) or load_if_readable(app, db, number):
            yield view_for_reader(game, player, app.config.host)


def load_if_readable(app: App, db: engine.Connection, number: int) -> Game | None:
    """Return a game, or None if it is unreadable, so that the letter's other games can be shown."""
    with log_failure(log, "game %d cannot be read, and is left out of a letter", number):
        game = games.load_game(db, app.games_by_key, number)
        return game if game is None or game.state else None
    return None
