"""A game between two bots, so that visitors find a board that lives where people have few games.

Nobody has letters of it, and it is unrated. The bots play on at leisure, and the next game has other rules.
"""

from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.clock.time_control import NONE
from pbem.core.players import QUICK_BOT
from pbem.duties.new_games import GameTerms, begin_game
from pbem.store import bots, locks

FEW_GAMES, STILL = 2, timedelta(days=1)
"""People's running games below which bots play too, and so long without a move that they do."""
PAUSE = timedelta(minutes=5)
"""The time from a move to the next."""


def begin_exhibition(app: App, now: datetime) -> None:
    """Begin a game between the two lowest bots, unless one runs or people's games are enough."""
    levels = sorted(level for level in app.config.bots if level <= QUICK_BOT)[:2]
    if not app.config.exhibition or len(levels) < 2 or not app.offered:
        return
    with app.store.write() as db:
        locks.advisory_lock(db, "bots")
        if not _is_wanted(bots.running_boards(db), now):
            return
        last = bots.last_rules_of_bots(db)
        others = [rules for key, rules in app.offered.items() if key != last]
        rules = app.rng.choice(others or list(app.offered.values()))
        one, other = (bots.find_bot(db, level, now) for level in levels)
        terms = GameTerms(rules, rules.complete({}), False, NONE)
        begin_game(app, db, terms, app.rng.choice([(one, other), (other, one)]), now)
    app.wake()


def _is_wanted(boards: bots.RunningBoards, now: datetime) -> bool:
    still = boards.changed_at is None or boards.changed_at < now - STILL
    return not boards.of_bots and (boards.of_people < FEW_GAMES or still)
