"""A league for tests: its players, its sign-up, and games that end without being played."""

from __future__ import annotations

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import Settings
from pbem.core.events.season import Division
from pbem.core.game.journal import ADJUDICATE, RESIGN, TIMEOUT, Entry
from pbem.duties.leagues import load_division, open_season
from pbem.store import event_entries, events, games
from pbem.store import players as player_rows
from pbem.worker.events import check_events
from tests.apps import DAY, Clock

RULES = "bipod"


def name_of(number: int) -> str:
    return f"P{number:03}"


def address_of(number: int) -> str:
    return f"p{number:03}@example.org"


def a_league(app: App, clock: Clock, entrants: int, **settings: int) -> list[int]:
    """Open a league that begins in 14 days, and enter so many new players; returns their numbers."""
    with app.store.write() as db:
        ids = [
            player_rows.add_player(db, name_of(n), address_of(n), clock.now).id
            for n in range(1, entrants + 1)
        ]
        number = event_entries.add_event(db, RULES, 1, Settings(**settings), clock.now)
        open_season(db, number, clock.now + 14 * DAY, clock.now)
    enter(app, *ids)
    return ids


def enter(app: App, *ids: int) -> None:
    with app.store.write() as db:
        event_entries.append(db, current(app).id, "join", app.now(), players=list(ids), state=league.ENTERED)


def current(app: App) -> Event:
    """The season that is open or runs."""
    with app.store.read() as db:
        found = events.live_league(db, RULES)
    assert found is not None
    return found


def confirm(app: App, *ids: int) -> None:
    with app.store.write() as db:
        for id in ids:
            event_entries.append(db, current(app).id, "confirm", app.now(), player=id)


def begun(app: App, clock: Clock, number: int, **settings: int) -> list[int]:
    """A season that has begun with so many players; returns their numbers."""
    ids = a_league(app, clock, number, **settings)
    clock.now += 8 * DAY
    check_events(app)
    confirm(app, *ids)
    clock.now += 7 * DAY
    check_events(app)
    return ids


def finish(app: App, number: int, winner: int | None, how: str = RESIGN) -> None:
    """End a game without a move: by `resign`, `timeout` or, where nobody wins, by a director's draw."""
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, number)
        assert game is not None
        at, n = app.now(), len(game.journal) + 1
        if winner is None:
            entry = Entry(n, at, ADJUDICATE, None, {"result": "draw", "reason": "level"})
        elif how == TIMEOUT:
            entry = Entry(n, at, TIMEOUT, 1 - winner, {"flag": at.isoformat()})
        else:
            entry = Entry(n, at, RESIGN, 1 - winner, {})
        games.append_entries(db, game, game.with_entries([entry]).state, [entry])


def going(app: App, event: int, division: int) -> list[league.EventGame]:
    """The pairings of a division whose games go on."""
    with app.store.read() as db:
        return [game for game in events.division_games(db, event, division) if game.state == league.GOING]


def all_games(app: App, event: int) -> list[league.EventGame]:
    with app.store.read() as db:
        found = events.find_event(db, event)
        assert found is not None
        return [game for n in range(1, found.divisions + 1) for game in events.division_games(db, event, n)]


def divisions(app: App, event: int) -> list[Division]:
    with app.store.read() as db:
        found = events.find_event(db, event)
        assert found is not None
        return [load_division(db, found, n) for n in range(1, found.divisions + 1)]


def rows_follow_from_the_journal(app: App, event: int) -> bool:
    with app.store.read() as db:
        return not event_entries.wrong_rows(db, event)
