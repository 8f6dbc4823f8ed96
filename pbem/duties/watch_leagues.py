"""Watching leagues: each Saturday the results and the first division's table."""

from collections.abc import Callable
from datetime import datetime
from operator import itemgetter
from typing import Any

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.season import division_news
from pbem.core.letters.letter import to_player
from pbem.core.players import Player
from pbem.duties.leagues import load_division
from pbem.duties.paper import next_saturday
from pbem.outbox import drain, write
from pbem.store import events, players, watched_leagues
from pbem.store.engine import Connection

KIND, CATEGORY = "leagueweek", "seasons"
SHOWN = 1
"""The division that the letter shows."""


def send_league_weeks(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Queue the week's letters about watched leagues; returns their number. Safe in many processes."""
    now = app.now()
    return drain.drain_rows(
        app,
        "watched league",
        lambda db, tried: watched_leagues.take_due(db, now, tried),
        _send,
        until,
        key=itemgetter(0, 1),
    )


def _send(app: App, db: Connection, player_id: int, rules: str, since: datetime) -> int:
    player, now = players.player_by_id(db, player_id), app.now()
    if player is None or player.gone:
        watched_leagues.unwatch_league(db, player_id, rules)
        return 0
    watched_leagues.record_told(db, player_id, rules, now, next_saturday(player, now))
    event = events.newest_league(db, rules)
    if event is None or rules not in app.games_by_key or not event.divisions:
        return 0
    if CATEGORY in player.stopped or not player.reachable:
        return 0
    return _queue(app, db, player, event, since)


def _queue(app: App, db: Connection, player: Player, event: Event, since: datetime) -> int:
    division, now = load_division(db, event, SHOWN), app.now()
    news = division_news(division, watched_leagues.results_since(db, event.id, SHOWN, since))
    more = watched_leagues.count_results_elsewhere(db, event.id, SHOWN, since)
    if not news and not more:
        return 0
    facts: dict[str, Any] = {"event": event, "division": division, "results": news, "more": more}
    letter = to_player(KIND, player, title=event.title, over=event.state == league.OVER, **facts)
    return len(write.queue_letters(app, db, [letter], now, about=f"p{player.id}.e{event.id}.{now:%Y-%m-%d}"))
