"""Events for tests of pages: seasons that run, are open, and are over, a ladder, and two matches."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.league import Settings
from pbem.core.events.schedule import pairings
from pbem.store import clubs, event_entries, events, players
from pbem.store.engine import Connection

SCORES = ("1-0", "1/2", "0-1", "+", "1-0", "0-1", "1-0", "1/2", "1-0", "0-1", "-")
NAMES = "Clara Duarte Wolfeschlegelsteinha Fritz Grete Heloise Ivo Jana Karl Lena".split()


def fill_events(app: App, more: tuple[int, ...] = (), games: tuple[int, ...] = ()) -> None:
    """Event 1 runs, with a division of ten of whom `more` are some; 2 is open, 3 is over, 4 is a ladder.

    Events 5 and 6 are matches: one that runs, and one that is open.

    `games` are shown as those of the first pairings.
    """
    now = app.now()
    with app.store.write() as db:
        known = [
            players.add_player(db, name, f"{name.lower()}@example.org", now).id
            for name in NAMES[: 10 - len(more)]
        ]
        ids = [*more, *known]
        one = event_entries.add_event(db, "bipod", 1, Settings(size=10), now)
        event_entries.append(db, one, "director", now, act="open", reason="Enough of us are here.")
        event_entries.append(db, one, "open", now, starts=now)
        event_entries.append(db, one, "join", now, players=ids, state=league.CONFIRMED)
        event_entries.append(db, one, "divide", now, divisions=[ids], ends=now + timedelta(days=90))
        shown = [(*pair, game) for pair, game in zip(pairings(ids), games, strict=False)]
        event_entries.append(db, one, "begin", now, games=shown)
        for (first, second), score in zip(pairings(ids), SCORES, strict=False):
            event_entries.append(db, one, "award", now, first=first, second=second, score=score)
        event_entries.append(db, one, "begin", now, games=[], begun=2, next=None)
        event_entries.settle(db, one, 1)
        other = event_entries.add_event(db, "bagel", 1, Settings(), now)
        event_entries.append(db, other, "open", now, starts=now + timedelta(days=20))
        _fill_over(db, ids, now)
        _fill_ladder(db, ids, now)
        _fill_matches(db, ids, now)
        _fill_club(db, ids[:6], now)


def _fill_ladder(db: Connection, ids: list[int], now: datetime) -> None:
    """Two challenges that wait, and two that were forfeited."""
    ladder = event_entries.add_ladder(db, "bipod", now)
    event_entries.append(db, ladder, "join", now, players=ids, state=league.PLAYING)
    pairs = [(ids[4], ids[1]), (ids[5], ids[2]), (ids[3], ids[0]), (ids[9], ids[8])]
    for number, (player, upper) in enumerate(pairs):
        n = event_entries.append(db, ladder, "challenge", now, player=player, upper=upper)
        if number < 2:
            pair = {"first": upper, "second": player, "n": n}
            event_entries.append(db, ladder, "award", now, **pair, score="-", why="silence")
    event_entries.append(db, ladder, "director", now, act="message", reason="Welcome to you all.")
    event_entries.settle(db, ladder, 1)


def _fill_matches(db: Connection, ids: list[int], now: datetime) -> None:
    """A match of four boards, of which two are played, and one that two have joined."""
    for number, (there, named) in enumerate(
        ((ids[:9], ("Lisbon", "Oxford")), (ids[:2], ("Coimbra", "Llanfair")))
    ):
        starts = now + timedelta(days=20)
        event = event_entries.add_match(db, "bipod", Settings(clubs=named), starts, now)
        for n, id in enumerate(there):
            same = {"players": [id], "state": league.ENTERED, "club": 1 + n % 2}
            event_entries.append(db, event, "join", now, **same)
        if not number:
            boards = list(zip(ids[0:8:2], ids[1:8:2], strict=True))
            event_entries.append(db, event, "boards", now, boards=boards, next=None)
            event_entries.append(db, event, "begin", now, games=[], begun=8, next=None)
            for (first, second), score in zip(boards[:2], ("1-0", "1/2"), strict=True):
                for pair in ((first, second), (second, first)):
                    award = {"first": pair[0], "second": pair[1], "score": score}
                    event_entries.append(db, event, "award", now, **award)
            for board in range(1, 5):
                event_entries.settle(db, event, board)


def _fill_club(db: Connection, ids: list[int], now: datetime) -> None:
    """A club with a double league, event 7, that runs; the first player organises both."""
    club = clubs.add_club(db, "Tuesday Evening", "tuesday-evening", "Lisbon", "asking", ids[0], now)
    for id in ids[1:]:
        clubs.add_member(db, club, id, now, organiser=id == ids[1])
    settings = Settings(size=10, club="Tuesday Evening", double=True)
    event = event_entries.add_event(db, "bagel", 1, settings, now, club=club)
    event_entries.append(db, event, "open", now, starts=now)
    event_entries.append(db, event, "join", now, players=ids, state=league.CONFIRMED)
    event_entries.append(db, event, "divide", now, divisions=[ids], ends=now + timedelta(days=180))
    for (first, second), score in zip(pairings(ids, double=True), SCORES * 2, strict=False):
        event_entries.append(db, event, "award", now, first=first, second=second, score=score)
    event_entries.append(db, event, "begin", now, games=[], begun=2, next=None)
    event_entries.settle(db, event, 1)


def _fill_over(db: Connection, ids: list[int], now: datetime) -> None:
    """Event 3 is over, with two divisions of five."""
    begun, divisions = now - timedelta(days=20), (ids[:5], ids[5:])
    event = event_entries.add_event(db, "begird", 1, Settings(size=5), begun)
    event_entries.append(db, event, "open", begun, starts=begun)
    event_entries.append(db, event, "join", begun, players=ids, state=league.CONFIRMED)
    event_entries.append(db, event, "divide", begun, divisions=divisions, ends=now)
    for division in divisions:
        for (first, second), score in zip(pairings(division), SCORES, strict=False):
            event_entries.append(db, event, "award", now, first=first, second=second, score=score)
    seats = [events.division_players(db, event, number) for number in (1, 2)]
    games = [events.division_games(db, event, number) for number in (1, 2)]
    tables = [[row.player for row in league.division_table(*each)] for each in zip(seats, games, strict=True)]
    event_entries.append(db, event, "over", now, tables=tables, games=[])
