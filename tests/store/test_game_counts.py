"""Game counts equal the number of games, whatever many processes do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from sqlalchemy import func, select

from pbem.app import App
from pbem.core.game.game import Game
from pbem.store import game_counts
from pbem.store.tables import games
from tests.web.library import BLOCKED, PUBLIC, SMALL, add, begin, open_library, play

pytestmark = pytest.mark.each_database


@pytest.fixture
def app(tmp_path: Path, database_url: str) -> Iterator[App]:
    app = open_library(tmp_path, database_url, **PUBLIC)
    yield app
    app.close()


def kept(app: App) -> Counter[tuple[str, str]]:
    with app.store.read() as db:
        return game_counts.count_by_outcome(db)


def recounted(app: App) -> Counter[tuple[str, str]]:
    with app.store.read() as db:
        query = select(games.c.rules, game_counts.OUTCOME.label("outcome"), func.count().label("games"))
        rows = db.execute(query.group_by(games.c.rules, game_counts.OUTCOME))
        return Counter({(row.rules, row.outcome): row.games for row in rows})


def some_end(app: App, rng: Random, game: Game) -> Game:
    """Continue a game in one of its ways."""
    match rng.randrange(6):
        case 0:
            return add(app, game, "resign", 0, {})
        case 1:
            return add(app, game, "resign", 1, {})
        case 2:
            return add(app, game, "adjudicate", None, {"result": "void", "reason": "Nobody came."})
        case 3:
            return add(app, game, "adjudicate", None, {"result": "draw", "reason": "Both agree."})
        case 4:
            return play(app, game, BLOCKED)
        case _:
            return play(app, game, BLOCKED[:2])


def random_work(app: App, seed: int, many: int) -> None:
    rng = Random(seed)
    for _ in range(many):
        game = some_end(app, rng, begin(app, **SMALL))
        if game.state.ending and rng.random() < 0.3:
            game = add(app, game, "rollback", None, {"ply": 0, "entry": 1, "reason": "Begun anew."})


def test_tallies_equal_a_recount_after_random_work_of_many_at_once(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_counts, "COMBINE_AFTER", 5)
    workers = [Thread(target=random_work, args=(app, seed, 8)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = recounted(app)
    assert 32 == found.total()
    assert {"running", "first", "second", "draw", "void"} == {outcome for _, outcome in found}
    assert found == kept(app)


def test_what_is_rolled_back_was_never_tallied(app: App) -> None:
    begin(app)
    with pytest.raises(ZeroDivisionError), app.store.write() as db:
        game_counts.record_outcome(db, "bipod", None, "running")
        raise ZeroDivisionError
    assert {("bipod", "running"): 1} == kept(app)


def test_many_notes_are_gathered_into_few(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_counts, "COMBINE_AFTER", 4)
    for _ in range(8):
        begin(app)
    with app.store.read() as db:
        rows = db.execute(select(func.count()).select_from(game_counts.tallies)).scalar_one()
    assert rows < 4
    assert {("bipod", "running"): 8} == kept(app)


def test_a_database_filled_by_other_hands_can_be_counted_anew(app: App) -> None:
    random_work(app, 2, 6)
    with app.store.write() as db:
        game_counts.record_outcome(db, "bipod", None, "draw")
    assert recounted(app) != kept(app)
    with app.store.write() as db:
        game_counts.rebuild_tallies(db)
    assert recounted(app) == kept(app)
