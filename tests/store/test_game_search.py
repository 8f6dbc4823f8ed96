"""Game searches: every question in every order, compared with a full scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert

from pbem.app import App
from pbem.core.game.state import ENDINGS
from pbem.store import game_counts, game_lists
from pbem.store.game_search import GameQuery
from pbem.store.tables import games
from tests.amount import amount
from tests.web.library import PUBLIC, open_library

BEGAN = datetime(2024, 1, 1, tzinfo=UTC)
MANY = 90


@pytest.fixture
def app(tmp_path: Path, database_url: str) -> Iterator[App]:
    app = open_library(tmp_path, database_url, **PUBLIC)
    yield app
    app.close()


def a_row(rng: Random, number: int) -> dict[str, Any]:
    """Return a random game row; numbers follow the order of starts."""
    began = BEGAN + timedelta(days=3 * number)
    how = rng.choice((None, None, *ENDINGS))
    decided = how in ("rules", "resignation", "timeout", "director", "proof")
    first, second = rng.sample((1, 2, 3), 2)
    return {
        "rules": rng.choice(("bipod", "begird")),
        "rules_version": "1",
        "options": {"size": rng.choice((4, 5)), "pie": rng.choice(("yes", "no"))},
        "seed": "0",
        "first_id": first,
        "second_id": second,
        "rated": True,
        "started_at": began,
        "changed_at": began,
        "plies": rng.randrange(12),
        "ended_at": began + timedelta(days=rng.randrange(400)) if how else None,
        "ended_by": how,
        "winner": rng.choice((0, 1)) if decided else None,
    }


def filled(app: App, seed: int = 7, many: int = MANY) -> list[dict[str, Any]]:
    """Store many games; returns their rows, newest first."""
    rng = Random(seed)
    rows = [a_row(rng, number) for number in range(many)]
    with app.store.write() as db:
        db.execute(insert(games), rows)
        game_counts.rebuild_tallies(db)
    return [row | {"id": n} for n, row in enumerate(rows, 1)][::-1]


def day(number: int) -> datetime:
    return BEGAN + timedelta(days=number)


Row = dict[str, Any]


def sits(row: Row, player: int) -> bool:
    return player in (row["first_id"], row["second_id"])


def won(row: Row, player: int) -> bool:
    return row["winner"] is not None and player == row[("first_id", "second_id")[row["winner"]]]


def is_bipod(row: Row) -> bool:
    return bool(row["rules"] == "bipod")


def ended_since(row: Row, moment: datetime) -> bool:
    return row["ended_at"] is not None and moment <= row["ended_at"]


QUESTIONS: list[tuple[GameQuery, Callable[[Row], bool]]] = [
    (GameQuery(), lambda g: True),
    (GameQuery(rules="begird"), lambda g: g["rules"] == "begird"),
    (GameQuery(player=1), lambda g: sits(g, 1)),
    (GameQuery(player=1, against=3), lambda g: {1, 3} == {g["first_id"], g["second_id"]}),
    (GameQuery(player=0), lambda g: False),
    (GameQuery(rules="chess"), lambda g: False),
    (GameQuery(state="running"), lambda g: g["ended_at"] is None),
    (GameQuery(state="running", rules="bipod"), lambda g: (g["ended_at"], g["rules"]) == (None, "bipod")),
    (GameQuery(state="finished", player=2), lambda g: g["ended_at"] and sits(g, 2)),
    (GameQuery(state="first"), lambda g: g["winner"] == 0),
    (GameQuery(state="second", rules="begird"), lambda g: (g["winner"], g["rules"]) == (1, "begird")),
    (GameQuery(state="draw"), lambda g: g["ended_by"] in ("agreement", "claim")),
    (GameQuery(state="void"), lambda g: g["ended_by"] == "void"),
    (GameQuery(state="void", player=1), lambda g: g["ended_by"] == "void" and sits(g, 1)),
    (GameQuery(state="won", player=1), lambda g: won(g, 1)),
    (GameQuery(state="lost", player=1, against=2), lambda g: sits(g, 1) and won(g, 2)),
    (GameQuery(state="won"), lambda g: False),
    (GameQuery(ended_by="timeout"), lambda g: g["ended_by"] == "timeout"),
    (GameQuery(ended_by="rules", rules="bipod"), lambda g: (g["ended_by"], g["rules"]) == ("rules", "bipod")),
    (GameQuery(options=(("size", 5),)), lambda g: g["options"]["size"] == 5),
    (GameQuery(options=(("size", 4), ("pie", "no"))), lambda g: g["options"] == {"size": 4, "pie": "no"}),
    (GameQuery(begun=(day(30), day(90))), lambda g: day(30) <= g["started_at"] < day(90)),
    (GameQuery(begun=(None, day(60)), rules="bipod"), lambda g: g["started_at"] < day(60) and is_bipod(g)),
    (GameQuery(begun=(day(60), None), player=3), lambda g: g["started_at"] >= day(60) and sits(g, 3)),
    (GameQuery(ended=(day(100), day(300))), lambda g: g["ended_at"] and day(100) <= g["ended_at"] < day(300)),
    (
        GameQuery(ended=(day(100), None), state="first"),
        lambda g: ended_since(g, day(100)) and g["winner"] == 0,
    ),
    (GameQuery(plies=(3, 6)), lambda g: 3 <= g["plies"] <= 6),
    (GameQuery(plies=(None, 0), player=1), lambda g: g["plies"] == 0 and sits(g, 1)),
]  # fmt: skip

KEYS: dict[str, Callable[[Row], Any]] = {
    "begun": lambda g: g["id"],
    "ended": lambda g: (g["ended_at"], g["id"]),
    "length": lambda g: (g["plies"], g["id"]),
}


def ways(wanted: GameQuery) -> list[GameQuery]:
    """Return the same question in every order."""
    return [wanted, *(replace(wanted, order=order) for order in KEYS)]


def expected(rows: list[Row], wanted: GameQuery, fits: Callable[[Row], bool]) -> list[int]:
    by_end = wanted.goes_by == "ended"
    found = [row for row in rows if fits(row) and (row["ended_at"] or not by_end)]
    return [row["id"] for row in sorted(found, key=KEYS[wanted.goes_by], reverse=True)]


def there(app: App, wanted: GameQuery, most: int = 7) -> list[int]:
    """Return all games of a list, page after page to its end."""
    found: list[int] = []
    before = None
    with app.store.read() as db:
        while True:
            page = game_lists.page_of_games(db, app.games_by_key, wanted, before=before, most=most)
            found += [game.id for game in page.games]
            if page.older is None:
                return found
            before = page.older


def back(app: App, wanted: GameQuery, last: int, most: int = 7) -> list[int]:
    """Return all games before a list's last, page after page."""
    found: list[int] = []
    after: int | None = last
    with app.store.read() as db:
        while after is not None:
            page = game_lists.page_of_games(db, app.games_by_key, wanted, after=after, most=most)
            found = [game.id for game in page.games] + found
            after = page.newer
    return found


@pytest.mark.each_database
def test_every_question_finds_what_a_look_at_every_game_finds_in_every_order(app: App) -> None:
    rows = filled(app)
    for question, fits in QUESTIONS:
        for wanted in list(ways(question))[:: amount(13, 1)]:
            ids = expected(rows, wanted, fits)
            assert ids == there(app, wanted), wanted
            if ids:
                assert ids[:-1] == back(app, wanted, ids[-1]), wanted


def test_every_question_is_counted_as_a_look_at_every_game_counts_it(app: App) -> None:
    rows = filled(app)
    with app.store.read() as db:
        for question, fits in QUESTIONS:
            for wanted in list(ways(question))[:: amount(3, 1)]:
                ids = set(expected(rows, wanted, fits))
                run = sum(row["id"] in ids and row["ended_at"] is None for row in rows)
                counts = game_lists.count_wanted(db, app.games_by_key, wanted)
                assert (len(ids), run, True) == (counts.every, counts.running, counts.exact), wanted


def test_where_more_games_match_than_are_counted_the_count_says_so(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(app)
    monkeypatch.setattr(game_lists, "MAX_COUNTED", 10)
    with app.store.read() as db:
        of_one = game_lists.count_wanted(db, app.games_by_key, GameQuery(player=1))
        assert (10, False) == (of_one.every, of_one.exact)
        rare = game_lists.count_wanted(db, app.games_by_key, GameQuery(plies=(3, 3)))
        assert 0 < rare.every < 10 and rare.exact
        assert game_lists.count_wanted(db, app.games_by_key, GameQuery(rules="bipod")).exact


@pytest.mark.each_database
def test_a_list_by_length_or_end_goes_on_from_a_game_that_nobody_has_as_from_the_start(
    app: App,
) -> None:
    filled(app)
    with app.store.read() as db:
        for order in KEYS:
            page = game_lists.page_of_games(db, app.games_by_key, GameQuery(order=order), before=9999, most=3)
            first = game_lists.page_of_games(db, app.games_by_key, GameQuery(order=order), most=3)
            assert page.games == first.games


@pytest.mark.parametrize("most", [game_lists.MAX_COUNTED, 11])
def test_a_leaf_comes_with_the_count_that_is_made_alone(
    app: App, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    filled(app)
    monkeypatch.setattr(game_lists, "MAX_COUNTED", most)
    with app.store.read() as db:
        for wanted in [each for question, _ in QUESTIONS for each in ways(question)][:: amount(13, 1)]:
            counts = game_lists.count_wanted(db, app.games_by_key, wanted)
            for before, after in ((None, None), (40, None), (None, 40)):
                page = game_lists.page_of_games(
                    db, app.games_by_key, wanted, before=before, after=after, most=7
                )
                beside = game_lists.count_wanted(db, app.games_by_key, wanted, page)
                assert counts == beside, (wanted, before, after)
