"""A match of two clubs for tests: its players, who write mails, and the start."""

from __future__ import annotations

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import Settings
from pbem.core.events.match import Match
from pbem.store import event_entries, events, players
from pbem.store.matches import load_match
from pbem.worker.events import check_events
from tests.apps import DAY, Clock
from tests.inbox.seasons import RULES, address_of, name_of

CLUBS = ("Lisbon", "Oxford")
EVENT = 1
"""The number of the match that is the only event."""


def a_match(app: App, first: int, second: int) -> list[int]:
    """A match of Lisbon, with so many new players, and Oxford, with the next ones; returns their numbers."""
    now = app.now()
    with app.store.write() as db:
        ids = [
            players.add_player(db, name_of(n), address_of(n), now).id for n in range(1, first + second + 1)
        ]
        event = event_entries.add_match(db, RULES, Settings(clubs=CLUBS), now + 7 * DAY, now)
        for n, id in enumerate(ids):
            same = {"players": [id], "state": league.ENTERED, "club": 1 if n < first else 2}
            event_entries.append(db, event, "join", now, **same)
    return ids


def begun(app: App, clock: Clock, first: int, second: int) -> list[int]:
    """A match that has begun with so many players in each club; returns their numbers."""
    ids = a_match(app, first, second)
    clock.now += 8 * DAY
    check_events(app)
    return ids


def current(app: App) -> Event:
    with app.store.read() as db:
        found = events.find_event(db, EVENT)
    assert found is not None
    return found


def shown(app: App) -> Match:
    with app.store.read() as db:
        return load_match(db, current(app))


def games_of(app: App) -> list[int]:
    """The games by boards, in the order of `Board.cells`."""
    return [cell.game or 0 for board in shown(app).boards for cell in board.cells]
