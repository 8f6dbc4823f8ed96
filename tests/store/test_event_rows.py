"""The rows of events, and the values that are written into them."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime

import pytest

from pbem.app import App
from pbem.core.events.event import Entrant, Event
from pbem.core.events.league import EventGame
from pbem.store import event_entries
from pbem.store.tables.events import event_games, event_players, events

NAMES = {"event": "event_id", "player": "player_id"}
GAME_NAMES = {"first": "first_id", "second": "second_id", "game": "game_id"}


def test_the_fields_of_an_event_its_players_and_pairings_are_columns() -> None:
    assert {each.name for each in fields(Event)} == {*events.c.keys()}
    assert [NAMES.get(each.name, each.name) for each in fields(Entrant)] == [*event_players.c.keys()]
    assert {GAME_NAMES.get(each.name, each.name) for each in fields(EventGame)} == {*event_games.c.keys()} - {
        "event_id"
    }


def test_an_entry_of_no_known_kind_is_refused(app: App) -> None:
    now = datetime(2028, 3, 1, tzinfo=UTC)
    with app.store.write() as db, pytest.raises(ValueError, match="no kind of entry: joins"):
        event_entries.append(db, event_entries.add_ladder(db, "bipod", now), "joins", now, players=[1])
