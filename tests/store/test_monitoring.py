"""Monitoring numbers on both databases: waiting rows, dispositions, totals."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from pbem.store import challenges, games, inbox, monitoring
from pbem.store.tables import messages_in
from tests.people import NOON
from tests.web.library import PUBLIC, begin, open_library
from tests.web.pages.test_seeks import add as add_seek

pytestmark = pytest.mark.each_database


def test_outcomes_are_those_of_the_newest_mails_alone(tmp_path: Path, database_url: str) -> None:
    app = open_library(tmp_path, database_url, **PUBLIC)
    states = ["done"] * 4 + ["robot", "new", "shunted", "duplicate", "done"]
    rows = [
        {
            "received_at": NOON,
            "sender": "bill@example.org",
            "recipient": "play@pbem.example.org",
            "raw": b"",
            "sha256": "",
            "state": state,
            "next_at": NOON if state == "new" else None,
        }
        for state in states
    ]
    with app.store.write() as db:
        db.execute(insert(messages_in), rows)
    with app.store.read() as db:
        found = monitoring.count_outcomes(db, newest=5)
        ever = monitoring.count_ever(db)
    once = dict.fromkeys(states[4:], 1)
    assert dict.fromkeys(inbox.STATES, 0) | once == found
    assert {"mails": 9, "letters": 0, "games": 0} == ever
    app.close()


def test_a_game_is_due_from_its_moment_on(tmp_path: Path, database_url: str) -> None:
    app = open_library(tmp_path, database_url, **PUBLIC)
    game = begin(app)
    with app.store.write() as db:
        games.set_next_check(db, game.id, NOON)
        due = [monitoring.count_due_games(db, NOON + timedelta(seconds=late)) for late in (-1, 0, 1)]
    assert [0, 1, 1] == due
    app.close()


def test_seeks_go_on_after_a_number_and_by_game(tmp_path: Path, database_url: str) -> None:
    app = open_library(tmp_path, database_url, **PUBLIC)
    for name, game in (("Bill", "bipod"), ("Anna", "begird"), ("Joao", "bipod")):
        add_seek(app, name, game)
    with app.store.read() as db:
        now, games_by_key = app.now(), app.games_by_key
        assert [2, 3] == [seek.id for seek in challenges.open_seeks(db, games_by_key, now, after=1)]
        assert [3] == [
            seek.id for seek in challenges.open_seeks(db, games_by_key, now, after=1, rules="bipod")
        ]
        assert [1] == [seek.id for seek in challenges.open_seeks(db, games_by_key, now, most=1)]
        assert [] == challenges.open_seeks(db, games_by_key, now, rules="chess")
    app.close()
